"""A guest in a browser: what can be done with the pages, and what they show."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from puntobanco.rules.money import format_cents
from tests.served import Served

CHIP_CENTS = 1_000  # the first chip, chosen when a page opens
LONG_PRESS_MS = 400  # longer than the page takes between two drawings of its clock

# All of a table's page at one moment; `settled` keeps the first frame in which every spot shows a result.
_LOOK = """
  const text = (id) => document.getElementById(id).textContent;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const look = () => ({
    status: text("status"), player: text("player"), banker: text("banker"), balance: text("balance"),
    staked: text("staked"), won: text("won"),
    player_cards: all("#player-cards li").map((card) => card.textContent),
    banker_cards: all("#banker-cards li").map((card) => card.textContent),
    results: all("#results li").map((mark) => mark.textContent),
    spots: Object.fromEntries(all("[data-bet]").map((spot) =>
      [spot.dataset.bet, [...spot.querySelectorAll("span")].map((said) => said.textContent)])),
  });
"""
_NOW = f"() => {{ {_LOOK} return look(); }}"
_KEEP_SETTLED = f"""() => {{ {_LOOK}
  const settled = () => all("[data-bet]").every((spot) => /wins|loses|pushes|void/.test(spot.className));
  window.settled = new Promise((resolve) => {{
    const frame = () => settled() ? resolve(look()) : requestAnimationFrame(frame);
    frame();
  }});
}}"""
SETTLED_S = 20


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A table's page at one moment. Of each spot: what it says below its limits."""

    status: str
    player: str
    banker: str
    balance: str
    staked: str
    won: str
    player_cards: list[str]
    banker_cards: list[str]
    results: list[str]
    spots: dict[str, list[str]]


class Guest:
    """A browser of its own (cookies, storage) with one page, on a screen of a size."""

    def __init__(self, browser: Browser, floor: Served, size: tuple[int, int]) -> None:
        self.floor, self.size = floor, size
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]}, base_url=floor.address, has_touch=size[0] < 500
        )
        self.page: Page = self.context.new_page()
        self.faults, self.hosts = list[str](), set[str]()
        self.page.add_init_script(
            "document.addEventListener('securitypolicyviolation',"
            " (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`));"
        )
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        self.page.on("websocket", lambda socket: self.hosts.add(urlsplit(socket.url).netloc))

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.text} ({message.location.get('url', '')})")

    # The session, as the API has it

    def api(self, path: str) -> Any:
        answer = self.context.request.get(path)
        assert answer.ok, answer.text()
        return answer.json()

    @property
    def session(self) -> str:
        return str(self.api("/api/me")["session"])

    def at(self, table: int) -> dict[str, Any]:
        """This session at a table."""
        found: dict[str, Any] = next(x for x in self.api("/api/me")["tables"] if x["table"] == f"table:{table}")
        return found

    # What can be done

    def open(self, table: int) -> None:
        self.page.goto(f"/tables/{table}")
        expect(self.page.locator("[data-bet]").first).to_be_visible()

    def sit(self, table: int) -> None:
        self.open(table)
        self.page.get_by_role("button", name="Take a seat").click()
        expect(self.page.locator("#balance")).to_have_text("1000.00")

    def redeem(self, number: str) -> None:
        self.page.get_by_label("Voucher").fill(number)
        self.page.get_by_role("button", name="Redeem").click()

    def spot(self, bet: str) -> Locator:
        return self.page.locator(f'[data-bet="{bet}"]')

    def shown(self) -> Shown:
        return Shown(**self.page.evaluate(_NOW))

    def keep_settled(self) -> None:
        """From now on, wait for the result of this round; the page may go on before it is asked."""
        self.page.evaluate(_KEEP_SETTLED)

    def settled(self) -> Shown:
        """The page as it was when every spot first showed what became of its wager."""
        late = f"new Promise((_, no) => setTimeout(() => no(new Error('no result')), {SETTLED_S * 1000}))"
        return Shown(**self.page.evaluate(f"Promise.race([window.settled, {late}])"))

    def fits(self) -> bool:
        """Whether nothing lies beyond the right edge of the screen."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    def voucher(self) -> str:
        """The number that the page shows after cashing out."""
        said = self.page.get_by_text(re.compile(r"\d{6} \d{6} \d{6}")).first
        return str(re.findall(r"\d{6} \d{6} \d{6}", said.inner_text())[0])


def wager(cents: int) -> str:
    return f"Wager {format_cents(cents)}"
