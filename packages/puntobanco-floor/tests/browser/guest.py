"""A guest in a browser: what can be done with the pages, and what they show."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from tests.support.patience import PATIENCE_MS
from tests.support.served import Served

CHIP_CENTS = 1_000  # the first chip, chosen when a page opens
# longer than the page takes between two drawings of its clock, shorter than a hold
LONG_PRESS_MS = 400
HOLD_MS = 800  # longer than the 600 ms that clear a spot
NUMBER = re.compile(r"\d\d(-\d{4}){4}")

# A server ends an idle connection at the moment at which a crowded machine sends on it: one connection for each request.
ONE_CONNECTION = {"connection": "close"}

# All of a table's page at one moment; `settled` keeps the first frame in which every spot shows a result, or none where a
# crowded machine drew no frame between the result and the next round.
_LOOK = """
  const all = (selector) => [...document.querySelectorAll(selector)];
  const text = (selector) => document.querySelector(selector)?.textContent ?? "";
  const cards = (hand) => ["1", "2", "3"].map((n) => document.querySelector(`[data-slot="${hand}${n}"] pb-card`)?.getAttribute("code"));
  const look = () => ({
    status: text("[role=status]"), said: text(".now"), player: text("[data-total=player]"), banker: text("[data-total=banker]"),
    balance: text("[data-meter=credits]"), staked: text("[data-meter=bet]"), won: text("[data-meter=win]"),
    player_cards: cards("p").filter(Boolean), banker_cards: cards("b").filter(Boolean),
    counts: Object.fromEntries(all("[data-count]").map((one) => [one.dataset.count, Number(one.textContent)])),
    spots: Object.fromEntries(all("[data-bet]").map(({ dataset: d }) =>
      [d.bet, [Number(d.stake), "sent" in d, d.outcome ?? "", Number(d.paid ?? 0), d.clauseOf ?? ""]])),
  });
"""
_NOW = f"() => {{ {_LOOK} return look(); }}"
_KEEP_SETTLED = f"""() => {{ {_LOOK}
  const settled = () => all("[data-bet]").every((spot) => spot.dataset.outcome);
  const missed = () => all("[data-bet]").every((spot) => !spot.dataset.outcome && spot.dataset.stake === "0");
  window.settled = new Promise((resolve) => {{
    const frame = () => settled() ? resolve(look()) : missed() ? resolve(null) : requestAnimationFrame(frame);
    frame();
  }});
}}"""


TAGS = {"en": "en", "zh": "zh-Hant", "zh-Hans": "zh-Hans"}


def turned(page: Page, language: str) -> None:
    """To that language by the page's own buttons; a lone one goes from each to the next."""
    buttons = page.locator("[data-act=language]")
    for _ in TAGS:
        if page.locator("html").get_attribute("lang") == TAGS[language]:
            return
        offered = {button.get_attribute("data-lang") for button in buttons.all()}
        goes_to = language if language in offered else str(buttons.first.get_attribute("data-lang"))
        chosen = page.locator(f"[data-act=language][data-lang={goes_to}]").first
        chosen.dispatch_event("click")  # a sheet may lie over it
        expect(page.locator("html")).to_have_attribute("lang", TAGS[goes_to])
        if len(offered) == 1:  # drawn anew, under the language that the next tap goes to
            expect(buttons.first).not_to_have_attribute("data-lang", goes_to)


def pressed(button: Locator) -> None:
    """Without a finger: a page that is drawn between its way down and its way up moves the button from under it."""
    button.dispatch_event("click")
    expect(button).to_have_attribute("aria-pressed", "true")


def answered(page: Page) -> None:
    """All that was tapped is on the page, which is drawn a frame later, and the table has answered it."""
    page.evaluate("() => new Promise(requestAnimationFrame)")
    expect(page.locator("[data-sent]")).to_have_count(0)


@dataclass(frozen=True, kw_only=True)
class Shown:
    """A table's page at one moment. Of each spot: stake, whether it waits for its answer, outcome, paid, clause."""

    status: str
    said: str
    player: str
    banker: str
    balance: str
    staked: str
    won: str
    player_cards: list[str]
    banker_cards: list[str]
    counts: dict[str, int]
    spots: dict[str, list[Any]]


class Guest:
    """A browser of its own (cookies, storage) with one page, on a screen of a size."""

    def __init__(self, browser: Browser, floor: Served, size: tuple[int, int]) -> None:
        self.floor, self.size = floor, size
        self.context = browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            base_url=floor.address,
            has_touch=size[0] < 500,
        )
        self.context.set_default_timeout(PATIENCE_MS)  # of clicks; answers have conftest's
        self.page: Page = self.context.new_page()
        self.faults, self.hosts = list[str](), set[str]()
        self.server_may_go = False
        self.page.add_init_script(
            "document.addEventListener('securitypolicyviolation',"
            " (e) => console.error(`policy: ${e.violatedDirective} ${e.blockedURI}`));"
        )
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: self.hosts.add(urlsplit(request.url).netloc))
        self.page.on("websocket", lambda socket: self.hosts.add(urlsplit(socket.url).netloc))

    def _said(self, message: ConsoleMessage) -> None:
        if self.server_may_go and (
            "net::ERR_" in message.text or message.text.startswith("WebSocket connection to")
        ):
            return  # the browser itself writes down that nobody answers
        if message.type in ("error", "warning"):
            self.faults.append(f"{message.text} ({message.location.get('url', '')})")

    # The session, as the API has it

    def api(self, path: str) -> Any:
        answer = self.context.request.get(path, headers=ONE_CONNECTION)
        assert answer.ok, answer.text()
        return answer.json()

    @property
    def session(self) -> str:
        return str(self.api("/api/me")["session"])

    def at(self, table: int) -> dict[str, Any]:
        """This session at a table."""
        found: dict[str, Any] = next(
            x for x in self.api("/api/me")["tables"] if x["table"] == f"table:{table}"
        )
        return found

    # What can be done

    def open(self, table: int) -> None:
        self.page.goto(f"/tables/{table}")
        expect(self.page.locator("[data-bet]").first).to_be_visible()

    def sit(self, table: int) -> None:
        self.open(table)
        self.page.get_by_role("button", name="Take a seat").click()
        expect(self.meter("credits")).to_have_text("$1,000.00")

    def act(self, name: str) -> None:
        """A button by what it does; on a telephone some are behind the menu."""
        self.answered()  # a menu or sheet that the step before closed is gone
        if not self.page.locator(f"[data-act={name}]:visible").count():
            self.page.locator("[data-act=menu]").click()
        self.page.locator(f"[data-act={name}]:visible").first.click()

    def replay(self) -> None:
        """The newest round in the list of all, as it is replayed."""
        self.act("history")
        self.page.locator("[data-act=rounds][data-mine=false]").click()
        self.page.locator("[data-act=open-round]").first.click()

    def cash_out(self) -> str:
        """The number of the voucher."""
        self.act("cash")
        self.page.get_by_role("button", name="Print the voucher").click()
        expect(self.page.locator("[data-paper=number]")).to_have_text(NUMBER)
        return self.page.locator("[data-paper=number]").inner_text()

    def redeem(self, number: str) -> None:
        if not self.page.locator("[data-sheet=buy]").count():
            self.act("buy")
        self.page.get_by_label("Voucher number").fill(number)
        self.page.get_by_role("button", name="Redeem").click()

    def spot(self, bet: str) -> Locator:
        return self.page.locator(f'[data-bet="{bet}"]')

    def meter(self, name: str) -> Locator:
        return self.page.locator(f"[data-meter={name}]").first

    def has(self, bet: str, cents: int) -> None:
        """The spot holds so much, and the table has said so."""
        expect(
            self.page.locator(f'[data-bet="{bet}"][data-stake="{cents}"]:not([data-sent])')
        ).to_have_count(1)

    def answered(self) -> None:
        answered(self.page)

    def shown(self) -> Shown:
        return Shown(**self.page.evaluate(_NOW))

    def keep_settled(self) -> None:
        """From now on, wait for the result of this round; the page may go on before it is asked."""
        self.page.evaluate(_KEEP_SETTLED)

    def settled(self) -> Shown | None:
        """The page as it was when every spot first showed what became of its wager. None if it drew the next round
        before it drew this result.
        """
        late = (
            f"new Promise((_, no) => setTimeout(() => no(new Error('no result')), {PATIENCE_MS}))"
        )
        shown = self.page.evaluate(f"Promise.race([window.settled, {late}])")
        return shown and Shown(**shown)

    def fits(self) -> bool:
        """Whether nothing lies beyond the right edge of the screen."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


def money(cents: int) -> str:
    """As the meters write it."""
    return f"{'−' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def placed(cents: int) -> list[Any]:
    """A spot with a wager that the table has taken."""
    return [cents, False, "", 0, ""]
