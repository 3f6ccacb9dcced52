"""Every screen, and each state of it that people stand before: what `make screenshots ALL=1` shows and the test of sizes measures.

A walk takes pages of one screen (in several languages, say) through its states, all at once, and stops in each.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count

from playwright.sync_api import Browser, BrowserContext, Page, expect

from puntobanco import GAMES
from puntobanco_floor.web.request import STAFF_COOKIE
from tests.browser.guest import answered
from tests.support.served import Served, api, staff_tokens
from tools import story
from tools.story import bet, sit

CREDITS = ("--demo", "--guest-credits-cents", "245000")
OTHER_GAMES = ("fortune-six", "super-six-plus", "sands-elements", "rapid")


class Stage:
    """A floor with a shoe half played and more tables than a lobby shows at once, and pages before it."""

    def __init__(self, browser: Browser, served: Served) -> None:
        self.browser, self.served = browser, served
        self.tokens = staff_tokens(served)
        self.contexts = list[BrowserContext]()
        self._numbers = count(story.TABLE)

    def table(self, game: str, rounds: int) -> int:
        """A dealer's table of its own, with so many rounds played: it stands still while it is looked at."""
        number = next(self._numbers)
        story.open_table(self.served, self.tokens["ada"], game, number)
        story.play(self.served, self.tokens["dora"], rounds, game=GAMES[game], table=number)
        return number

    def page(self, path: str, *, who: str = "", language: str = "en", **kept: object) -> Page:
        """What is kept is in the browser's storage before the page opens, as a setting that was made before."""
        context = self.browser.new_context(
            base_url=self.served.address, reduced_motion="reduce", locale="en-US"
        )
        self.contexts.append(context)
        if who:
            cookie = {"name": STAFF_COOKIE, "value": self.tokens[who], "url": self.served.address}
            context.add_cookies([cookie])  # type: ignore[list-item]
        lines = [f"localStorage.setItem('language', '{language}')"]
        lines += [f"localStorage.setItem('{name}', '{value}')" for name, value in kept.items()]
        page = context.new_page()
        page.add_init_script(";".join(lines))
        page.goto(path)
        return page

    def leave(self) -> None:
        for context in self.contexts:
            context.close()
        self.contexts.clear()

    def do(self, table: int, command: str, who: str = "dora", **fields: object) -> None:
        story.do(self.served, self.tokens[who], command, table, **fields)

    def deal(self, table: int, cards: str) -> None:
        story.deal(self.served, self.tokens["dora"], cards, table)

    def proposal(self, table: int) -> int:
        path = f"/api/staff/tables/{table}"
        return int(
            api(self.served, "GET", path, self.tokens["sam"])[1]["proposals"][-1]["proposal"]
        )


Walk = Callable[[Stage, int, list[Page]], Iterator[str]]


def as_it_is(_stage: Stage, _table: int, _pages: list[Page]) -> Iterator[str]:
    yield ""


def _every(pages: list[Page], selector: str) -> None:
    for page in pages:
        expect(page.locator(selector).first).to_be_visible()


def a_round(stage: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    """A patron's terminal, from no seat to a round that is void, with two of its sheets."""
    stage.do(table, "open-bets")
    _every(pages, "[data-act=seat]")
    yield "no seat"
    for page in pages:
        sit(page)
        bet(page, story.WAGERS)
    yield "betting"
    stage.do(table, "close-bets")
    stage.deal(table, "3w Lg 2e Lf")
    _every(pages, "[data-slot=b2] pb-card")
    yield "dealing"
    stage.deal(table, "9a 6f")
    stage.do(table, "settle")
    _every(pages, "[data-bet=banker][data-outcome=wins]")
    yield "settled"
    for sheet in ("buy", "limits", "menu"):
        for page in pages:
            open_sheet(page, sheet)
        yield f"sheet {sheet}"
        for page in pages:
            page.keyboard.press("Escape")
            expect(page.locator("[data-sheet]")).to_have_count(0)
    stage.do(table, "open-bets")
    for page in pages:
        bet(page, {"player": 10_000, "tie": 1_000})
    stage.do(table, "close-bets")
    stage.deal(table, "3w Lg")
    stage.do(table, "declare-irregularity", ground="foreign-card")
    stage.do(table, "void-round")
    stage.do(table, "approve", "sam", proposal=stage.proposal(table))
    _every(pages, "[data-act=continue]")
    yield "void"


def open_sheet(page: Page, name: str) -> None:
    """Whatever the size: by its own door, or through the menu."""
    door = page.locator(f"#terminal [data-act={name}]")
    if not door.count():
        page.locator("#terminal [data-act=menu]").dispatch_event("click")
    door.first.dispatch_event("click")
    expect(page.locator(f"[data-sheet={name}]")).to_be_visible()


def a_felt(stage: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    """A game's own spots, each with a wager on it."""
    stage.do(table, "open-bets")
    for page in pages:
        sit(page)
        spots = page.locator("[data-bet][aria-disabled=false]")
        expect(spots.first).to_be_visible()
        for spot in spots.all():
            spot.click()
        answered(page)
    yield "betting"


def overhead(stage: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    stage.do(table, "open-bets")
    _every(pages, "pb-road")
    yield "betting"
    stage.do(table, "close-bets")
    stage.deal(table, story.CARDS)
    stage.do(table, "settle")
    _every(pages, ".res.b")
    yield "settled"


def console(stage: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    stage.do(table, "open-bets")
    for page in pages:
        expect(page.locator(".hands pb-card")).to_have_count(0)
    yield "betting"
    stage.do(table, "close-bets")
    stage.deal(table, "3w Lg 2e Lf")
    _every(pages, "pb-card[code=Lf]")
    yield "dealing"
    stage.deal(table, "9a 6f")
    _every(pages, "pb-card[code='6f']")
    yield "dealt"
    stage.do(table, "settle")


def watched(_: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    """The pit with a table chosen, and what its shoe gives away."""
    for page in pages:
        page.locator(f"[data-act=select][data-table='{table}']").click()
        expect(page.locator(".gp .edges")).to_be_visible()
    yield ""


def journal(_: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    for page in pages:
        page.locator("select").first.select_option(f"table:{table}")
        page.locator("[data-act=choose]").first.wait_for()
    yield ""


def counted(stage: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    """The reports of a day on which was played, with its charts, then what the house owes."""
    patron = stage.page(f"/tables/{table}")
    stage.do(table, "open-bets")
    sit(patron)
    bet(patron, story.WAGERS)
    stage.do(table, "close-bets")
    stage.deal(table, story.CARDS)
    stage.do(table, "settle")
    for page in pages:
        page.reload()
        expect(page.locator(".charts figure").first).to_be_visible()
    yield "day"
    expect(patron.locator("[data-act=cash]:visible").first).to_be_enabled()
    patron.locator("[data-act=cash]:visible").first.click()
    patron.locator("[data-act=cash-out]").click()
    expect(patron.locator("[data-paper=number]")).to_be_visible()
    for page in pages:
        page.locator("[data-kind=liability]").click()
        page.locator("[data-kind=liability][aria-pressed=true]").wait_for()
        expect(page.locator(".rep[aria-busy=false] tr.sum")).to_be_visible()
    yield "owed"


def proof(stage: Stage, table: int, pages: list[Page]) -> Iterator[str]:
    """The receipt of a session, behind the link that its terminal gives."""
    patron = stage.page(f"/tables/{table}")
    sit(patron)
    patron.locator("[data-act=history]:visible").first.click()
    patron.locator("[data-act=rounds][data-mine=false]").click()
    patron.locator("[data-act=rounds][data-mine=false][aria-pressed=true]").wait_for()
    patron.locator("[data-act=open-round]").first.click()
    patron.locator("[data-act=receipt]").first.click()
    link = patron.locator(".receipt a").first
    expect(link).to_be_visible()
    path = link.get_attribute("href")
    assert path
    for page in pages:
        page.goto(path)
        expect(page.locator(".facts")).to_be_visible()
    yield ""


TO_READ = ("[data-meter=credits]", ".status .now", ":is([data-act=cash], [data-act=menu])")
TO_SIT = ("[data-bet]", "[data-act=seat]", ".status .now", "[data-meter=credits]")
TO_UNDO = ("[data-act=undo]", "[data-act=clear]", "[data-act=rebet]", "[data-act=double]")
TO_WATCH = (*TO_READ, *TO_UNDO, "[data-bet]", ".status .sign")
TO_BET = (*TO_WATCH, "[data-act=chip]")


@dataclass(frozen=True)
class Screen:
    path: str
    who: str = ""
    game: str = ""
    """What is played at a table of its own that the screen is about, where there is one."""
    ready: str = "main"
    walk: Walk = as_it_is
    needed: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """By state, what must be seen without scrolling."""


SCREENS = {
    "terminal": Screen(
        "/tables/{table}",
        game="six-star",
        ready="[data-bet]",
        walk=a_round,
        needed={
            "no seat": TO_SIT,
            "betting": TO_BET,
            "dealing": TO_WATCH,
            "settled": TO_WATCH,
            "void": TO_READ,
        },
    ),
    **{
        f"terminal-{game}": Screen(
            "/tables/{table}",
            game=game,
            ready="[data-bet]",
            walk=a_felt,
            needed={"betting": TO_BET},
        )
        for game in OTHER_GAMES
    },
    "lobby": Screen("/", ready="article"),
    "display": Screen("/tables/{table}/display", game="six-star", walk=overhead),
    "rules": Screen("/tables/{table}/rules", game="six-star", ready=".rules table"),
    "receipt": Screen("/", game="six-star", walk=proof),
    "enrol": Screen("/enrol"),
    "login": Screen("/staff", ready="form"),
    "dealer": Screen("/staff/dealer/{table}", "dora", "six-star", ".prompt", console),
    "pit": Screen("/staff/pit", "sam", "six-star", ".c h3", watched),
    "cage": Screen("/staff/cage/1", "carl", ready=".cage"),
    "audit": Screen("/staff/audit", "otto", "six-star", "select", journal),
    "admin": Screen("/staff/admin", "ada", ready=".panel"),
    "reports": Screen("/staff/reports", "otto", "six-star", ".rep .tiles", counted),
    "odds": Screen("/odds", "ada", ready=".par tbody.chosen"),
}
