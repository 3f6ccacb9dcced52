"""`make screenshots`: a picture of every screen and state, from a floor that plays a story, to docs/screens.

One name after the command makes only the pictures whose names begin so: `python -m tests.pictures terminal`.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import story
from tests.browser import chromium
from tests.browser.conftest import ARGUMENTS
from tests.served import Served, api, passwords_of, staff_tokens

OUT = Path(__file__).parents[1] / "docs" / "screens"
WIDE, PHONE, DESK, OVERHEAD = (1280, 800), (390, 844), (1440, 900), (1920, 1080)
RAPID = 5
Size = tuple[int, int]


class Studio:
    """A floor, a browser, and the people in front of it."""

    def __init__(self, browser: Browser, served: Served, only: str) -> None:
        self.browser, self.served, self.only = browser, served, only
        self.tokens = staff_tokens(served)
        self.passwords = passwords_of(served)
        self.made = list[str]()

    @contextmanager
    def page(
        self, path: str, size: Size = WIDE, *, who: str = "", lang: str = "en", still: bool = True
    ) -> Iterator[Page]:
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]}, base_url=self.served.address, has_touch=size == PHONE,
            reduced_motion="reduce" if still else "no-preference",
        )  # fmt: skip
        context.add_init_script(f"localStorage.setItem('language', '{lang}')")
        if who:
            self._log_in(context, who)
        page = context.new_page()
        page.goto(path)
        yield page
        context.close()

    def _log_in(self, context: BrowserContext, who: str) -> None:
        answer = context.request.post("/api/staff/login", data={"name": who, "password": self.passwords[who]})
        assert answer.ok, answer.text()

    def shoot(self, page: Page, name: str, *, ms: int = 500) -> None:
        if not name.startswith(self.only):
            return
        page.wait_for_timeout(ms)
        page.screenshot(path=OUT / f"{name}.png")
        self.made.append(name)
        print(name)

    def do(self, command: str, who: str = "dora", table: int = story.TABLE, **fields: object) -> None:
        story.do(self.served, self.tokens[who], command, table, **fields)

    def deal(self, cards: str) -> None:
        story.deal(self.served, self.tokens["dora"], cards)


def sit(page: Page) -> None:
    page.locator("[data-act=seat]").first.click()
    expect(page.locator("[data-meter=credits]")).not_to_have_text("–")


def bet(page: Page, wagers: dict[str, int]) -> None:
    """With the chips that are there, the largest first."""
    chips = [int(chip.get_attribute("data-cents") or 0) for chip in page.locator("[data-cents]").all()]
    for spot, cents in wagers.items():
        left = cents
        for chip in sorted(set(chips), reverse=True):
            while left >= chip:
                page.locator(f"[data-act=chip][data-cents='{chip}']").click()
                page.locator(f"[data-bet='{spot}']").click()
                left -= chip
        assert not left, f"no chips for {spot}"
    expect(page.locator("[data-sent]")).to_have_count(0)


def terminals(studio: Studio) -> None:
    """One round of the story from betting to settled, then a tie, a void, and what else a patron meets."""
    at = f"/tables/{story.TABLE}"
    studio.do("open-bets")
    with (
        studio.page(at) as page, studio.page(f"{at}/display", OVERHEAD) as display,
        studio.page(f"/staff/dealer/{story.TABLE}", who="dora") as console, studio.page(at, lang="zh") as chinese,
        studio.page(at, PHONE) as phone,
    ):  # fmt: skip
        studio.shoot(page, "terminal-no-seat")
        for patron in (page, chinese, phone):
            sit(patron)
            bet(patron, story.WAGERS)
        studio.shoot(page, "terminal-betting")
        studio.shoot(chinese, "terminal-betting-zh")
        studio.shoot(phone, "terminal-phone-betting")
        studio.shoot(display, "display-betting")
        studio.shoot(console, "dealer-betting")
        studio.do("close-bets")
        studio.deal("3w Lg 2e Lf")
        studio.shoot(page, "terminal-dealing")
        studio.shoot(phone, "terminal-phone-dealing")
        studio.shoot(display, "display-dealing")
        studio.shoot(console, "dealer-dealing")
        page.keyboard.press("l")
        studio.shoot(page, "terminal-dealing-zh")
        page.keyboard.press("l")
        studio.deal("9a 6f")
        studio.shoot(console, "dealer-result")
        studio.do("settle")
        studio.shoot(page, "terminal-settled")
        studio.shoot(chinese, "terminal-settled-zh")
        studio.shoot(phone, "terminal-phone-settled")
        studio.shoot(display, "display-settled")
        for sheet in ("rules", "history", "buy", "limits"):
            page.locator(f"[data-act={sheet}]:visible").first.click()
            studio.shoot(page, f"terminal-{sheet}", ms=900)
            page.keyboard.press("Escape")
        studio.do("open-bets")
        bet(page, {"player": 10_000, "tie": 1_000, "fortune-six": 1_000})
        studio.do("close-bets")
        studio.deal(story.TIE)
        studio.do("settle")
        studio.shoot(page, "terminal-tie")
        studio.do("open-bets")
        bet(page, {"player": 10_000})
        page.locator("[data-act=chip]").last.click()
        page.locator("[data-bet=element-bonus]").click()
        studio.shoot(page, "terminal-refused")
        studio.do("close-bets")
        studio.deal("3w Lg")
        studio.do("declare-irregularity", ground="foreign-card")
        studio.shoot(page, "terminal-paused")
        studio.shoot(display, "display-paused")
        studio.do("void-round")
        studio.do("approve", "sam", proposal=_waiting(studio))
        studio.shoot(page, "terminal-void")
        studio.shoot(phone, "terminal-phone-void")
        studio.shoot(display, "display-void")
        page.locator("[data-act=continue]").click()
        page.locator("[data-act=cash]:visible").first.click()
        studio.shoot(page, "terminal-cash-out")
        page.locator("[data-act=cash-out]").click()
        page.locator("[data-act=have-it]").wait_for()
        studio.shoot(page, "terminal-voucher")


def _waiting(studio: Studio) -> int:
    found = api(studio.served, "GET", f"/api/staff/tables/{story.TABLE}", studio.tokens["sam"])[1]
    return int(found["proposals"][-1]["proposal"])


def reconnecting(studio: Studio) -> None:
    """A new shoe; then the server is killed in the middle of a round, and started again."""
    with (
        studio.page(f"/tables/{story.TABLE}") as page,
        studio.page(f"/tables/{story.TABLE}/display", OVERHEAD) as display,
    ):
        studio.do("end-shoe", "sam")
        studio.shoot(page, "terminal-shoe-change")
        studio.shoot(display, "display-shoe-change")
    studio.do("new-shoe", "sam", dealing="physical", decks=8)
    story.play(studio.served, studio.tokens["dora"], 24)
    studio.do("open-bets")
    with (
        studio.page(f"/tables/{story.TABLE}") as page,
        studio.page(f"/tables/{story.TABLE}/display", OVERHEAD) as display,
    ):
        sit(page)
        bet(page, story.WAGERS)
        studio.served.kill()
        expect(page.locator("#terminal")).to_contain_text("Reconnecting")
        studio.shoot(page, "terminal-reconnecting")
        studio.shoot(display, "display-offline", ms=6_000)
        studio.served.start()
    studio.tokens = staff_tokens(studio.served)
    studio.do("close-bets")
    studio.deal("3w Lg 2e Lf 9a 6f")
    studio.do("settle")


SECTIONS: list[Callable[[Studio], None]] = [terminals, reconnecting]


def main() -> None:
    OUT.mkdir(parents=True, exist_ok=True)
    only = sys.argv[1] if len(sys.argv) > 1 else ""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder), "--demo", "--guest-credits-cents", "245000", betting_ms=8_000, pause_ms=3_000)
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=ARGUMENTS)
        try:
            studio = Studio(browser, served, only)
            story.open_table(served, studio.tokens["ada"])
            story.play(served, studio.tokens["dora"], 37)
            for section in SECTIONS:
                section(studio)
            print(f"{len(studio.made)} pictures in {OUT.name}")
        finally:
            browser.close()
            served.stop()


if __name__ == "__main__":
    main()
