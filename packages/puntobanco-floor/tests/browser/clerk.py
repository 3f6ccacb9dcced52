"""Staff in a browser: logged in by the cookie that the login page would get, and faults that are only refusals."""

from typing import Any

from playwright.sync_api import Page

from tests.browser.guest import ONE_CONNECTION, Guest
from tests.support.served import Served, passwords_of


class Clerk:
    """Somebody of the staff at a page of their own."""

    def __init__(self, guest: Guest, name: str, password: str = "") -> None:
        self.guest, self.page, self.name = guest, guest.page, name
        told = {"name": name, "password": password or passwords_of(guest.floor)[name]}
        answer = guest.context.request.post("/api/staff/login", data=told, headers=ONE_CONNECTION)
        assert answer.ok, answer.text()
        self.csrf = str(answer.json()["csrf"])

    @property
    def floor(self) -> Served:
        return self.guest.floor

    def post(self, path: str, body: object) -> tuple[int, Any]:
        answer = self.guest.context.request.post(
            path, data=body, headers={"x-csrf-token": self.csrf, **ONE_CONNECTION}
        )
        return answer.status, answer.json() if answer.text() else None

    def command(self, table: int, id_: str, command: str, **fields: Any) -> Any:
        """What the table answers, refusals too."""
        body = {"id": id_, "command": {"command": command, **fields}}
        status, answer = self.post(f"/api/staff/tables/{table}/commands", body)
        assert status == 200, answer
        return answer

    def refusals(self) -> list[str]:
        """The browser itself writes down an answer of 4xx; these are taken out of the faults."""
        mine = [fault for fault in self.guest.faults if "Failed to load resource" in fault]
        self.guest.faults[:] = [fault for fault in self.guest.faults if fault not in mine]
        return mine


# At a cage window


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.locator(f".pad [data-press='{key}']").click()


def pieces(page: Page, **counted: int) -> None:
    """The drawer by denomination, in cents: pieces(page, c5000=7) is seven notes of $50."""
    for name, number in counted.items():
        page.locator(f"[data-piece='{name[1:]}']").fill(str(number))


def tab(page: Page, name: str) -> None:
    page.locator(".tabs").get_by_role("button", name=name).click()
