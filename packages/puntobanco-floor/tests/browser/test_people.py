"""Staff of a floor for real money in a browser: two administrators give out a code, its owner enrols on the page."""

import re
from base64 import b32decode
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from puntobanco_floor.service.passwords import STEP_S, code_of
from tests.browser.guest import Guest
from tests.support.patience import PATIENCE_MS
from tests.support.served import Served
from tests.support.staffing import SECOND, second_file
from tests.web.test_house import command

FIRST = "long enough words"
CODE = re.compile(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("people")
    files = ("--password-file", "-", "--second-password-file", second_file(folder))
    command(folder / "floor.db", "init", "--name", "Marina", *files, stdin=f"{FIRST}\n")
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


def enrols(page: Page, own: str) -> None:
    """A password of one's own, and the code of an app that was given the secret on the page."""
    expect(page.locator("#own")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.locator("pb-qr svg")).to_be_visible()
    secret = b32decode(page.locator("b.mono").inner_text())
    now = int(page.evaluate("Date.now()")) // 1000 // STEP_S
    page.locator("#own").fill(own)
    page.locator("#one_time").fill(code_of(secret, now).decode())
    page.get_by_role("button", name="Enrol").click()


def comes(guest: Guest, name: str, password: str) -> Page:
    """An administrator, who was given the first password."""
    page = guest.page
    page.goto("/staff?next=/staff/admin")
    page.locator("#name").fill(name)
    page.locator("#password").fill(password)
    page.get_by_role("button", name="Log in").click()
    enrols(page, f"own words of {name}")
    page.wait_for_url("**/staff/admin")
    assert "not-enrolled" not in page.content()
    guest.faults.clear()  # the browser itself writes down the refusal of the first password
    return page


def test_two_administrators_give_out_a_code_and_its_owner_enrols(
    floor: Served, guest_of: Callable[..., Guest]
) -> None:
    first = comes(guest_of(floor), "admin", FIRST)
    second = comes(guest_of(floor), "admin2", SECOND)
    first.get_by_role("button", name="Staff").click()
    first.get_by_role("button", name="Add somebody").click()
    dialog = first.get_by_role("dialog")
    dialog.get_by_label("Name").fill("nina")
    dialog.get_by_label("Role").select_option("supervisor")
    dialog.get_by_role("button", name="Add, and show the code").click()
    halves = [first.locator("#secret").inner_text()]
    staff = first.request.get("/api/admin/staff").json()
    assert "nina" not in [person["name"] for person in staff]

    second.get_by_role("button", name="Approve, proposal 1").click()
    second.get_by_role("dialog").get_by_role("button", name="Approve").click()
    halves.append(second.locator("#secret").inner_text())
    assert all(CODE.fullmatch(half) for half in halves)
    assert len(set(halves)) == 2

    owner = guest_of(floor)
    page = owner.page
    page.goto("/staff")
    page.get_by_role("button", name="I have a code to enrol with").click()
    # the form before it has a name and a code, too
    expect(page.get_by_role("button", name="Go on")).to_be_visible(timeout=PATIENCE_MS)
    page.get_by_label("Code").fill(halves[0])
    page.get_by_label("Name").fill("nina")
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert len(owner.faults) == 1
    owner.faults.clear()
    page.get_by_label("Code").fill(" ".join(halves))
    page.get_by_role("button", name="Go on").click()
    enrols(page, "own words of nina")
    page.wait_for_url("**/staff/*")
    assert owner.fits()
    assert owner.api("/api/staff/me")["role"] == "supervisor"
