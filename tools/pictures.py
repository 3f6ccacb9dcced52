"""`make screenshots`: the pictures that docs/reference/screens.md shows, from a floor that plays a story.

`python -m tools.pictures --to FOLDER` makes all there are, of every screen, sheet and paper; where a screen
speaks Chinese a second one, `NAME-zh`, for which a font with Chinese characters has to be installed. A word
before `--to` makes only those whose names begin so.
"""

import argparse
import base64
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from puntobanco_proof.verifier import verify
from tests.browser import chromium
from tests.browser.clerk import press, tab
from tests.browser.conftest import ARGUMENTS
from tests.support.served import Served, api, passwords_of, rewritten, staff_tokens
from tests.verifier.made import policy, receipt, shoe_played
from tools import story, strips
from tools.story import bet, sit

OUT = Path(__file__).parents[1] / "docs" / "screens"
SHOWN = OUT.parent / "reference" / "screens.md"
WIDE, PHONE, DESK, OVERHEAD = (1280, 800), (390, 844), (1440, 900), (1920, 1080)
RAPID = 5
QUALITY = 82
"""A fifth of the size of a PNG, and text as sharp as on the screen."""

TURNED_MS = 400
TURN = """async (lang) => {
  for (let clicks = 0; clicks < 3; clicks += 1) {
    const every = [...document.querySelectorAll("[data-act=language]")];
    const button = every.find((each) => each.dataset.lang === lang) ?? every[0];
    button?.click();
    if (!button || button.dataset.lang === lang) return Boolean(button);
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  }
  return false;
}"""
"""By the screen's own button, which a sheet may cover; a lone one goes from language to language."""

Size = tuple[int, int]


class Studio:
    """A floor, a browser, and the people in front of it."""

    def __init__(self, browser: Browser, served: Served, only: str, out: Path) -> None:
        self.browser, self.served, self.only, self.out = browser, served, only, out
        self.shown = SHOWN.read_text("utf-8")
        self.tokens = staff_tokens(served)
        self.passwords = passwords_of(served)
        self.made = list[str]()

    @contextmanager
    def page(
        self, path: str, size: Size = WIDE, *, who: str = "", still: bool = True
    ) -> Iterator[Page]:
        context = self.browser.new_context(
            viewport={"width": size[0], "height": size[1]},
            base_url=self.served.address,
            has_touch=size == PHONE,
            reduced_motion="reduce" if still else "no-preference",
        )
        if who:
            self._log_in(context, who)
        page = context.new_page()
        page.goto(path)
        yield page
        context.close()

    def _log_in(self, context: BrowserContext, who: str) -> None:
        answer = context.request.post(
            "/api/staff/login", data={"name": who, "password": self.passwords[who]}
        )
        assert answer.ok, answer.text()

    def shoot(
        self, page: Page, name: str, *, ms: int = 500, again: Callable[[], None] | None = None
    ) -> None:
        """In English, and where the screen can be turned to it in Chinese; `again` opens what does not turn."""
        if not name.startswith(self.only):
            return
        page.wait_for_timeout(ms)
        self._picture(page, name)
        if page.evaluate(TURN, "zh"):
            if again:
                again()
            page.wait_for_timeout(TURNED_MS)
            self._picture(page, f"{name}-zh")
            page.evaluate(TURN, "en")

    def _picture(self, page: Page, name: str) -> None:
        if self.out == OUT and f"screens/{name}.webp" not in self.shown:
            return
        shot = page.context.new_cdp_session(page).send(
            "Page.captureScreenshot", {"format": "webp", "quality": QUALITY}
        )
        (self.out / f"{name}.webp").write_bytes(base64.b64decode(shot["data"]))
        self.made.append(name)
        print(name)

    def do(
        self, command: str, who: str = "dora", table: int = story.TABLE, **fields: object
    ) -> None:
        story.do(self.served, self.tokens[who], command, table, **fields)

    def deal(self, cards: str) -> None:
        story.deal(self.served, self.tokens["dora"], cards)


def terminals(studio: Studio) -> None:
    """One round of the story from betting to settled, then a tie, a void, and what else a patron meets."""
    at = f"/tables/{story.TABLE}"
    studio.do("open-bets")
    with (
        studio.page(at) as page,
        studio.page(f"{at}/display", OVERHEAD) as display,
        studio.page(f"/staff/dealer/{story.TABLE}", who="dora") as console,
        studio.page(at, PHONE) as phone,
    ):
        studio.shoot(page, "terminal-no-seat")
        for patron in (page, phone):
            sit(patron)
            bet(patron, story.WAGERS)
        studio.shoot(page, "terminal-betting")
        studio.shoot(phone, "terminal-phone-betting")
        studio.shoot(display, "display-betting")
        studio.shoot(console, "dealer-betting")
        studio.do("close-bets")
        studio.deal("3w Lg 2e Lf")
        studio.shoot(page, "terminal-dealing")
        studio.shoot(phone, "terminal-phone-dealing")
        studio.shoot(display, "display-dealing")
        studio.shoot(console, "dealer-dealing")
        studio.deal("9a 6f")
        studio.shoot(console, "dealer-result")
        studio.do("settle")
        studio.shoot(page, "terminal-settled")
        studio.shoot(phone, "terminal-phone-settled")
        studio.shoot(display, "display-settled")
        for sheet in ("rules", "history", "buy", "limits"):
            page.locator(f"[data-act={sheet}]:visible").first.click()
            studio.shoot(page, f"terminal-{sheet}", ms=900)
            page.keyboard.press("Escape")
        reviewed(studio, page)
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


def squeezing(studio: Studio) -> None:
    """A card that is being turned."""
    with studio.page(f"/tables/{story.TABLE}", still=False) as page:
        page.evaluate("localStorage.setItem('squeeze', JSON.stringify({ on: true }))")
        page.reload()
        expect(page.locator("[data-bet]").first).to_be_visible()
        sit(page)
        studio.do("open-bets")
        bet(page, {"player": 10_000, "banker": 10_000})
        studio.do("close-bets")
        studio.deal("3w Lg 2e")
        page.locator("[data-turns=b1]").click()
        page.wait_for_timeout(300)
        box = page.locator("[data-turns=p1]").bounding_box()
        assert box
        page.mouse.move(box["x"] + 4, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + 100, box["y"] + box["height"] / 2 - 14, steps=5)
        studio.shoot(page, "terminal-squeeze", ms=100)
        page.mouse.up()
        studio.deal("Lf 9a 6f")
        studio.do("settle")


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


def patrons(studio: Studio) -> None:
    for name, size in (("lobby", WIDE), ("lobby-phone", PHONE)):
        with studio.page("/", size) as page:
            studio.shoot(page, name, ms=900)
    at = f"/tables/{story.TABLE}/rules"
    for name, path, size in (
        ("rules", f"{at}#5.2", WIDE),
        ("rules-bets", at, WIDE),
        ("rules-phone", at, PHONE),
    ):
        with studio.page(path, size) as page:
            page.locator(".rules table").first.wait_for()
            studio.shoot(page, name)
            if name == "rules":
                page.locator(".policy").scroll_into_view_if_needed()
                studio.shoot(page, "rules-policy")
    with studio.page("/enrol") as page:
        studio.shoot(page, "enrol")
    for number, game in enumerate(("fortune-six", "super-six-plus", "sands-elements", "rapid"), 2):
        with studio.page(f"/tables/{number}") as page:
            sit(page)
            expect(page.locator("[data-phase=betting]")).to_be_visible(timeout=30_000)
            bet(page, {"player": 1_000, "tie": 1_000, "player-pair": 1_000})
            studio.shoot(page, f"terminal-{game}")
    with studio.page(f"/tables/{RAPID}", PHONE) as page:
        sit(page)
        expect(page.locator("[data-phase=betting]")).to_be_visible(timeout=30_000)
        studio.shoot(page, "terminal-rapid-phone")


def dealers(studio: Studio) -> None:
    at = f"/staff/dealer/{story.TABLE}"
    with studio.page("/staff") as page:
        studio.shoot(page, "login")
    with studio.page("/staff/dealer/6", who="dora") as page:
        studio.shoot(page, "dealer-52-cards")
    with studio.page(at, who="dora") as page, studio.page(f"/tables/{story.TABLE}") as patron:
        studio.do("open-bets")
        sit(patron)
        bet(patron, story.WAGERS)
        studio.do("close-bets")
        studio.deal("3w Lg 2e Lf")
        open_rules(page)
        studio.shoot(page, "dealer-rules", again=lambda: open_rules(page))
        page.keyboard.press("Escape")
        page.locator("[data-act=key][data-card='9a']").click()
        studio.shoot(page, "dealer-keyed", ms=400)
        expect(page.locator("pb-card[code='9a']").first).to_be_visible()
        page.wait_for_timeout(1_500)
        page.keyboard.press("Control+i")
        studio.shoot(page, "dealer-irregularity")
        page.keyboard.press("Escape")
        studio.do("declare-irregularity", ground="order-altered")
        studio.shoot(page, "dealer-stopped", ms=900)
        studio.do("reconstruct", order="3w Lg 2e Lf 9a")
        studio.shoot(page, "dealer-waiting", ms=900)
        with studio.page("/staff/pit", DESK, who="sam") as pit:
            studio.shoot(pit, "pit-approval", ms=2_000)
        studio.do("approve", "sam", proposal=_waiting(studio))
        studio.deal("6f")
        studio.do("settle")


def reviewed(studio: Studio, page: Page) -> None:
    """The patron asks about the last round, and the pit answers."""
    page.locator("[data-act=history]:visible").first.click()
    page.locator("[data-act=open-round]").first.click()
    page.locator("[data-act=review]").click()
    page.get_by_label("The payment is wrong").check()
    page.get_by_label("Note, if you like").fill("I think that Banker paid too little")
    studio.shoot(page, "terminal-review")
    page.get_by_role("button", name="Send").click()
    page.locator("[data-review=waits]").wait_for()
    page.keyboard.press("Escape")
    with studio.page("/staff/pit", DESK, who="sam") as pit:
        pit.locator("[data-sheet=review]").click()
        pit.get_by_label("Decision").select_option("upheld")
        pit.get_by_label("Clause", exact=True).select_option("4.1")
        pit.get_by_label("Note to the patron").fill("Banker on six pays half, as the felt says.")
        studio.shoot(pit, "pit-review")
        pit.get_by_role("button", name="Answer as sam").click()
    page.locator("[data-act=answer-read]").click()
    studio.shoot(page, "terminal-review-answered")
    page.keyboard.press("Escape")


def open_rules(page: Page) -> None:
    """From the console's prompt, over whatever lies there."""
    page.keyboard.press("Escape")
    page.locator(".prompt .clause").first.click()
    page.locator(".rulebook tr.here").first.wait_for()


def seldom(studio: Studio) -> None:
    """What patrons meet seldom: a bet closed alone, a card entered by hand, a round reopened, a session stopped."""
    at = f"/tables/{story.TABLE}"
    change = f"/api/admin/tables/{story.TABLE}"
    assert (
        api(studio.served, "POST", change, studio.tokens["ada"], {"closed": ["fortune-six"]})[0]
        == 200
    )
    with studio.page(at) as page, studio.page("/staff/pit", DESK, who="sam") as pit:
        studio.do("open-bets")
        sit(page)
        bet(page, {"banker": 20_000, "tie": 1_000})
        page.locator("[data-bet=fortune-six]").click(force=True)  # it is off, and says why
        studio.shoot(page, "terminal-spot-closed")
        pit.locator(f"[data-act=select][data-table='{story.TABLE}']").click()
        pit.get_by_role("button", name="Close side bets").click()
        studio.shoot(pit, "pit-close-bets", ms=1_500)
        studio.do("close-bets")
        studio.do("enter-card", card="3w", by_hand=True)
        studio.shoot(page, "terminal-by-hand")
        studio.deal("Lg 2e Lf 9a 6f")
        studio.do("settle")
        studio.do("reopen", ground="wrong-card-count")
        studio.do("approve", "sam", proposal=_waiting(studio))
        studio.shoot(page, "terminal-reopened")
        studio.do("resume")
        studio.do("approve", "sam", proposal=_waiting(studio))
        studio.do("settle")
        session = page.context.request.get("/api/me").json()["session"]
        studio.do(
            "stop-session",
            "sam",
            session=session,
            reason={"code": "identity-checked", "values": []},
        )
        studio.shoot(page, "terminal-stopped")
    assert api(studio.served, "POST", change, studio.tokens["ada"], {"closed": []})[0] == 200


def windows(studio: Studio) -> None:
    """The cage at work: a shift, a voucher sold, looked up, paid, and shown again."""
    with studio.page("/staff/cage/1", WIDE, who="carl") as page:
        page.evaluate("() => { window.print = () => {}; }")
        tab(page, "Shift count")
        press(page, "4", "00")
        page.get_by_role("button", name="Open with $400.00").click()
        tab(page, "Vouchers")
        press(page, "2", "3", "5")
        page.get_by_role("button", name="Sell a voucher of $235.00").click()
        number = page.locator("main .voucher .v-number").inner_text()
        studio.shoot(page, "cage-voucher", ms=900)
        tab(page, "Counter")
        page.locator("#digits").fill(number)
        pay = page.get_by_role("button", name="Pay $235.00 cash")
        pay.wait_for()
        studio.shoot(page, "cage-valid")
        pay.click()
        page.get_by_role("button", name="Next voucher").click()
        page.locator("#digits").fill(number)
        expect(page.locator(".found .pill").first).to_have_text("Already redeemed")
        studio.shoot(page, "cage-redeemed")


def sheets(studio: Studio) -> None:
    """What opens over the screens of the staff: a shoe, a count; forms of pit and administration."""
    with studio.page(f"/staff/dealer/{story.TABLE}", who="dora") as page:
        for sheet in ("shoe", "count"):
            page.locator(f"[data-act={sheet}]:visible").first.click()
            studio.shoot(page, f"dealer-sheet-{sheet}")
            page.keyboard.press("Escape")
    with studio.page("/staff/pit", DESK, who="sam") as page:
        page.locator(f"[data-act=select][data-table='{story.TABLE}']").click()
        forms(studio, page, "pit")
    with studio.page("/staff/admin", DESK, who="ada") as page:
        forms(studio, page, "admin")
    with studio.page("/staff/cage/1", who="carl") as page:
        for name in ("counter", "vouchers", "waiting", "shift"):
            page.locator(f"[data-act=tab][data-tab={name}]").first.click()
            studio.shoot(page, f"cage-tab-{name}")


def forms(studio: Studio, page: Page, screen: str) -> None:
    """Every form that can be opened from where the page stands."""
    ready = "[data-act=ask]:visible:not([disabled])"
    page.locator(ready).first.wait_for()
    kinds = page.locator(ready).evaluate_all(
        "every => [...new Set(every.map((each) => each.dataset.sheet))]"
    )
    for kind in kinds:
        page.locator(ready).and_(page.locator(f"[data-sheet='{kind}']")).first.click()
        expect(page.locator("dialog[open]")).to_have_count(1)
        studio.shoot(page, f"{screen}-form-{kind}")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)


def papers(studio: Studio) -> None:
    """What is printed: the daily report, a dispute, a par sheet."""
    run = [sys.executable, "-m", "puntobanco"]
    round_ = f"table:{story.TABLE}:40"
    with tempfile.TemporaryDirectory() as folder:
        pack, sheet = Path(folder) / "pack", Path(folder) / "sheet.html"
        disputed = ["--database", str(studio.served.database), "--round", round_, "--to", str(pack)]
        subprocess.run([*run, "dispute", *disputed], check=True)
        subprocess.run([*run, "odds", "six-star", "--out", str(sheet)], check=True)
        for name, address in (
            ("paper-daily-report", "/api/staff/reports/daily/html"),
            ("paper-dispute", (pack / "dispute.html").as_uri()),
            ("paper-par-sheet", sheet.as_uri()),
        ):
            with studio.page(address, DESK, who="sam") as page:
                studio.shoot(page, name)


def locking(studio: Studio) -> None:
    """The console shortly before it locks: the page is told that nobody touched it for so long."""
    with studio.page(f"/staff/dealer/{story.TABLE}", who="dora") as page:
        page.locator(".prompt .clause").first.wait_for()
        page.clock.install()
        page.clock.fast_forward("04:36")
        studio.shoot(page, "dealer-locks", ms=1_500)


def staff(studio: Studio) -> None:
    for name, path, who, size in (
        ("pit", "/staff/pit", "sam", DESK),
        ("admin", "/staff/admin", "ada", DESK),
        ("cage", "/staff/cage/1", "carl", WIDE),
        ("odds-lab", "/odds", "ada", DESK),
    ):
        with studio.page(path, size, who=who) as page:
            studio.shoot(page, name, ms=5_000)
    for part, wait_for in (("compare", ".cmp"), ("simulation", ".prose"), ("method", ".cited")):
        with studio.page(f"/odds?tab={part}", DESK, who="ada") as page:
            page.locator(wait_for).first.wait_for()
            if part == "simulation":
                page.get_by_role("button", name="Deal", exact=True).click()
                page.locator(".verdict").wait_for(timeout=60_000)
            studio.shoot(page, f"odds-{part}", ms=900)
    with studio.page("/staff/admin", DESK, who="ada") as page:
        for name in ("staff", "terminals", "exclusions", "settings"):
            page.locator(f"[data-act=tab][data-tab={name}]").click()
            studio.shoot(page, f"admin-{name}", ms=900)
    with studio.page("/staff/reports", DESK, who="otto") as page:
        page.locator(".head").wait_for()
        studio.shoot(page, "reports", ms=900)
    with studio.page("/staff/audit", DESK, who="otto") as page:
        page.locator("select").first.select_option(f"table:{story.TABLE}")
        page.locator("[data-act=choose], [data-key]").first.wait_for()
        page.get_by_role("button", name="Verify now").click()
        studio.shoot(page, "audit", ms=8_000)


def closing(studio: Studio) -> None:
    """Last: a table that is halted, then closed."""
    with (
        studio.page(f"/tables/{story.TABLE}") as page,
        studio.page(f"/tables/{story.TABLE}/display", OVERHEAD) as display,
    ):
        studio.do("halt-table", "sam", reason={"code": "dealer-changes", "values": []})
        studio.shoot(page, "terminal-halted")
        studio.do("close-table", "sam")
        studio.shoot(page, "terminal-closed")
        studio.shoot(display, "display-closed")


def broken(studio: Studio) -> None:
    """Last of all: one byte of the journal is changed behind the program's back."""
    with studio.page("/staff/audit", DESK, who="otto") as page:
        page.locator("select").first.select_option(f"table:{story.TABLE}")
        rewritten(
            studio.served.database,
            f"table:{story.TABLE}",
            30,
            lambda data: data.replace(b"3", b"4", 1),
        )
        page.get_by_role("button", name="Verify again").click()
        page.locator(".ver.broken").wait_for(timeout=60_000)
        studio.shoot(page, "audit-broken")


VERIFIER = Path(verify.__file__).with_name("verify.html")


def verifying(studio: Studio) -> None:
    """The verifier, from the disk and offline: a mixed shoe that holds, and one card that does not."""
    for name, cheat in (("verifier", ""), ("verifier-refused", "card")):
        journal, what, places = shoe_played(cheat=cheat)
        data = receipt(what, journal.proven(places), house="Casino Lion")
        context = studio.browser.new_context(
            viewport={"width": WIDE[0], "height": 1120}, offline=True
        )
        page = context.new_page()
        page.goto(VERIFIER.as_uri())
        page.fill("#policy", policy())
        page.fill("#receipt", data.decode())
        page.locator(f".out[data-code='{1 if cheat else 0}']").wait_for()
        studio.shoot(page, name)
        context.close()


SECTIONS: list[Callable[[Studio], None]] = [
    strips.patrons_round,
    strips.dealers_round,
    terminals,
    reconnecting,
    squeezing,
    patrons,
    dealers,
    seldom,
    windows,
    sheets,
    locking,
    staff,
    papers,
    closing,
    broken,
    verifying,
]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="?", default="", help="how the names of the pictures begin")
    parser.add_argument("--to", type=Path, default=OUT, help="the folder, docs/screens by default")
    args = parser.parse_args()
    args.to.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(
            Path(folder),
            "--demo",
            "--guest-credits-cents",
            "245000",
            betting_ms=8_000,
            pause_ms=3_000,
        )
        browser = playwright.chromium.launch(executable_path=chromium.executable(), args=ARGUMENTS)
        try:
            studio = Studio(browser, served, args.only, args.to)
            story.open_table(served, studio.tokens["ada"])
            story.play(served, studio.tokens["dora"], 37)
            for section in SECTIONS:
                section(studio)
            print(f"{len(studio.made)} pictures in {args.to}")
        finally:
            browser.close()
            served.stop()


if __name__ == "__main__":
    main()
