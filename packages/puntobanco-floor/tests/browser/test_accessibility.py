"""Every screen in every state that can be reached cheaply: nothing serious or critical by axe-core, WCAG 2.2 A and AA."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from puntobanco_floor.web.request import STAFF_COOKIE
from tests.browser.axe import serious_findings
from tests.browser.guest import Guest
from tests.support.served import Served, staff_tokens

STAFF, DEALERS_TABLE = ("ada", "dora", "sam", "carl", "otto"), 6
TOURED = 6
DRAWN_MS = 400  # a screen has what it asked for, and has drawn it


@dataclass(frozen=True)
class State:
    """A screen, where it is, who looks (nobody: a guest), and how one gets to the state."""

    screen: str
    name: str
    address: str
    who: str = ""
    ready: str = "main"
    get_there: Callable[[Page], None] = lambda _: None
    tour: tuple[
        str, ...
    ] = ()  # whatever these select is clicked in turn, and each time looked at again
    chinese: bool = False
    size: tuple[int, int] = (1280, 800)


def pressed(key: str, wait_for: str = "main") -> Callable[[Page], None]:
    def get_there(page: Page) -> None:
        page.keyboard.press(key)
        expect(page.locator(wait_for).first).to_be_visible()

    return get_there


def clicked(name: str, wait_for: str = "main") -> Callable[[Page], None]:
    def get_there(page: Page) -> None:
        page.get_by_role("button", name=name).first.click()
        expect(page.locator(wait_for).first).to_be_visible()

    return get_there


def computing(page: Page) -> None:
    page.route("**/decks/5", lambda _: None)
    page.get_by_role("button", name="5", exact=True).click()
    expect(page.locator(".par tr.sk").first).to_be_visible()


def simulated(page: Page) -> None:
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".verdict")).to_be_visible()


def seated(page: Page) -> None:
    page.locator("[data-act=seat]").first.click()
    expect(page.locator("[data-act=seat]")).to_have_count(0)


def wrong_password(page: Page) -> None:
    page.get_by_label("Name").fill("nobody")
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_text("wrong name, password or one-time code").first).to_be_visible()


def counting(page: Page) -> None:
    """A shift of one's own, opened with nothing in the drawer; then its pieces."""
    page.get_by_role("button", name="Shift count").click()
    page.locator("[data-amount=float]").fill("0")
    page.get_by_role("button", name="Open with $0.00").click()
    page.locator("[data-piece='5000']").fill("7")
    expect(page.get_by_role("button", name="I counted $350.00")).to_be_visible()


def settled(page: Page) -> None:
    """A wager on each hand, until the round tells what they came to."""
    seated(page)
    expect(page.locator("[data-bet=player][aria-disabled=false]")).to_be_visible()
    for bet in ("player", "tie", "banker"):
        page.locator(f"[data-bet={bet}]").click()
    expect(page.locator(".net-round")).to_be_visible()


def second_person(page: Page) -> None:
    page.get_by_role("button", name="New shoe").first.click()
    page.locator("form[data-act$=-shoe] [type=submit]").click()
    page.get_by_role("button", name="Use the PIN").click()
    expect(page.get_by_label("PIN")).to_be_visible()


def how_to_play(page: Page) -> None:
    page.locator("[data-act=rules]").first.click()
    page.locator("[data-sheet=rules] [data-act=how]").click()
    expect(page.locator("[data-sheet=how]")).to_be_visible()


def acts(*names: str) -> tuple[str, ...]:
    return tuple(f"[data-act={name}]:not([disabled])" for name in names)


STATES = [
    State("lobby", "tables", "/"),
    State("lobby", "tables in Chinese", "/", chinese=True),
    State("lobby", "on a telephone", "/", size=(390, 844)),
    State("display", "a round", "/tables/1/display", size=(1920, 1080)),
    State("display", "in Chinese", "/tables/2/display", chinese=True, size=(1920, 1080)),
    State(
        "display", "before the first shoe", f"/tables/{DEALERS_TABLE}/display", size=(1920, 1080)
    ),
    State("rules", "of a table", "/tables/1/rules", ready=".rules table"),
    State("rules", "in Chinese", "/tables/3/rules", ready=".rules table", chinese=True),
    State(
        "rules",
        "on a telephone, at a clause",
        "/tables/5/rules#5.2",
        ready=".rules .here",
        size=(390, 844),
    ),
    State("terminal", "no seat", "/tables/1"),
    State(
        "terminal",
        "seated, and its sheets",
        "/tables/2",
        get_there=seated,
        tour=acts("rules", "history", "buy", "cash", "limits"),
    ),
    State(
        "terminal",
        "sheets on a telephone",
        "/tables/3",
        get_there=seated,
        tour=acts("menu"),
        size=(390, 844),
    ),
    State("terminal", "what a round came to", "/tables/4", get_there=settled),
    State(
        "terminal",
        "what a round came to, on a telephone",
        "/tables/5",
        get_there=settled,
        size=(390, 844),
    ),
    State("terminal", "in Chinese", "/tables/1", chinese=True),
    State(
        "terminal",
        "its sheets in Chinese",
        "/tables/2",
        get_there=seated,
        tour=acts("road", "rules", "history", "buy", "limits"),
        chinese=True,
    ),
    State("terminal", "how to play", "/tables/3", get_there=how_to_play),
    State("terminal", "how to play in Chinese", "/tables/1", get_there=how_to_play, chinese=True),
    State(
        "terminal",
        "roads on a telephone",
        "/tables/4",
        tour=("[data-act=panel]",),
        size=(390, 844),
    ),
    State("terminal", "on a telephone", "/tables/5", size=(390, 844)),
    State("enrol", "asks for a code", "/enrol"),
    State("login", "asks", "/staff"),
    State("login", "refused", "/staff", get_there=wrong_password),
    State("dealer", "choose a table", "/staff/dealer", "dora"),
    State(
        "dealer",
        "at a table",
        f"/staff/dealer/{DEALERS_TABLE}",
        "dora",
        tour=acts("clause", "irregularity"),
    ),
    State("dealer", "in Chinese", f"/staff/dealer/{DEALERS_TABLE}", "dora", chinese=True),
    State(
        "pit", "tables", "/staff/pit", "sam", tour=acts("select", "tab", "ask"), size=(1440, 900)
    ),
    State("cage", "a window", "/staff/cage/1", "carl", tour=acts("tab")),
    State("cage", "a count", "/staff/cage/2", "carl", get_there=counting),
    State("dealer", "a PIN", f"/staff/dealer/{DEALERS_TABLE}", "dora", get_there=second_person),
    State(
        "audit",
        "the journal",
        "/staff/audit",
        "otto",
        tour=acts("choose", "mode", "clause"),
        size=(1440, 900),
    ),
    State(
        "reports",
        "a day",
        "/staff/reports",
        "otto",
        ".head",
        tour=acts("kind"),
        chinese=True,
        size=(1440, 900),
    ),
    State("admin", "tables", "/staff/admin", "ada", tour=acts("tab", "ask"), size=(1440, 900)),
    State("odds", "charts", "/odds", "otto", ".par tbody.chosen", size=(1440, 900)),
    State(
        "odds",
        "tables for charts",
        "/odds",
        "otto",
        ".par tbody.chosen",
        pressed("t", ".t"),
        size=(1440, 900),
    ),
    State("odds", "computing", "/odds", "otto", ".par tbody.chosen", computing, size=(1440, 900)),
    State(
        "odds", "on a telephone", "/odds?game=rapid", "carl", ".par tbody.chosen", size=(390, 844)
    ),
    State(
        "odds",
        "games side by side",
        "/odds?tab=compare",
        "otto",
        ".cmp",
        tour=acts("show", "table"),
        size=(1440, 900),
    ),
    State(
        "odds",
        "nine decks, one refused",
        "/odds?tab=compare&decks=9",
        "otto",
        ".refused",
        size=(390, 844),
    ),
    State(
        "odds", "before a simulation", "/odds?tab=simulation", "otto", ".prose", size=(1440, 900)
    ),
    State(
        "odds",
        "a simulation",
        "/odds?tab=simulation",
        "otto",
        ".prose",
        simulated,
        acts("table"),
        size=(1440, 900),
    ),
    State(
        "odds",
        "a run on a telephone",
        "/odds?tab=simulation&cut=14",
        "otto",
        ".prose",
        simulated,
        size=(390, 844),
    ),
    State(
        "odds",
        "a seed refused",
        "/odds?tab=simulation&seed=x",
        "otto",
        ".prose",
        clicked("Deal", ".wrong"),
    ),
    State("odds", "the method", "/odds?tab=method", "otto", ".cited", size=(1440, 900)),
    State(
        "odds",
        "the method on a telephone",
        "/odds?tab=method&game=rapid",
        "otto",
        ".cited",
        size=(390, 844),
    ),
]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"), betting_ms=4_000, pause_ms=1_000)
    yield found
    found.stop()


@pytest.fixture(scope="module")
def tokens(floor: Served) -> dict[str, str]:
    return staff_tokens(floor, *STAFF)


def named(state: State) -> str:
    return f"{state.screen}: {state.name}"


@pytest.mark.parametrize("state", STATES, ids=named)
def test_axe_finds_nothing_serious(
    guest_of: Callable[..., Guest], floor: Served, tokens: dict[str, str], state: State
) -> None:
    guest = guest_of(floor, state.size)
    if state.who:
        guest.context.add_cookies(
            [{"name": STAFF_COOKIE, "value": tokens[state.who], "url": floor.address}]
        )
    if state.chinese:
        guest.page.add_init_script("localStorage.setItem('language', 'zh')")
    page = guest.page
    # what fades in has not its contrast yet: a page that stands still is looked at
    page.emulate_media(reduced_motion="reduce")
    page.goto(state.address)
    expect(page.locator(state.ready).first).to_be_visible()
    page.wait_for_timeout(DRAWN_MS)
    state.get_there(page)
    if state.chinese:
        expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    assert serious_findings(page) == []
    toured = 0
    for selector in state.tour:
        for i in range(min(TOURED, page.locator(selector).count())):
            if not page.locator(selector).nth(i).is_visible():
                continue
            page.locator(selector).nth(i).click()
            page.wait_for_timeout(DRAWN_MS)
            assert serious_findings(page) == [], f"after {selector}, number {i + 1}"
            page.keyboard.press("Escape")
            toured += 1
    assert toured or not state.tour, "nothing of the tour was there"
    if state.name == "refused":
        guest.faults = [
            fault for fault in guest.faults if "401" not in fault
        ]  # the browser's own line about it


def test_a_page_with_faults_is_noticed(guest_of: Callable[..., Guest], floor: Served) -> None:
    """The check, checked: a picture without words, letters that nobody can read, a button without a name."""
    guest = guest_of(floor)
    guest.page.goto("/")
    guest.page.evaluate(
        """() => {
          const faults = "<main><p id=pale>pale</p><button id=nameless></button><img id=silent></main>";
          document.body.insertAdjacentHTML("beforeend", faults);
          const pale = document.getElementById("pale");
          pale.style.setProperty("color", "#111"), pale.style.setProperty("background", "#000");
        }"""
    )
    found = "\n".join(serious_findings(guest.page))
    assert "color-contrast (serious)" in found
    assert "#pale" in found
    assert "button-name (critical)" in found
    assert "image-alt (critical)" in found
