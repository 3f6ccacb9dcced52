"""The ritual: cards come face down and count once they lie face up, squeezing from every edge, payouts, and the voice."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.guest import Guest, pressed
from tests.browser.test_terminal import deal
from tests.support.patience import wait_until
from tests.support.served import Served, api, staff_tokens
from tools import story

WIDE, PHONE, OVERHEAD = (1280, 800), (390, 844), (1920, 1080)
TABLE = 21
DEALT = ["3s", "Th", "2d", "Jc", "9h", "6d"]  # Player 5 draws to 4, Banker 0 draws to 6

# At every frame: what the total says, and how far each card of the hand is turned (1 lies face up, -1 face down).
_WATCH = """(hand) => {
  const letter = hand[0], total = () => document.querySelector(`[data-total=${hand}]`)?.textContent ?? "";
  const turned = (leaf) => new DOMMatrix(getComputedStyle(leaf).transform).m11;
  window.watched = [];
  const frame = () => {
    const leaves = [...document.querySelectorAll(`[data-slot^=${letter}] .leaf`)];
    window.watched.push([total(), leaves.map(turned)]);
    requestAnimationFrame(frame);
  };
  frame();
}"""
_MOVING = """() => document.getAnimations().filter((one) => one.playState === "running")
  .map((one) => one.animationName).filter((name) => /^(deal|deal-third|turn|face-up|come|paid|taken|swept)/.test(name))"""
# A voice that says nothing and keeps what it was to say.
_VOICE = """
  window.spoken = [];
  class Said { constructor(text) { this.text = text; } }
  Object.defineProperty(window, "SpeechSynthesisUtterance", { value: Said });
  Object.defineProperty(window, "speechSynthesis", { value: {
    getVoices: () => [{ lang: "en-GB" }, { lang: "zh-HK" }], cancel() {},
    speak: (said) => window.spoken.push([said.lang, said.text]),
  } });
"""
_DUMB = """
  for (const name of ["speechSynthesis", "SpeechSynthesisUtterance", "AudioContext"]) {
    Object.defineProperty(window, name, { value: undefined });
  }
"""


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"), "--demo", "--guest-credits-cents", "500000")
    yield found
    found.stop()


@pytest.fixture
def table(floor: Served, request: pytest.FixtureRequest) -> int:
    """A dealer's table of its own, so that no test finds another's round; with the longest time to
    squeeze a card, which on a busy machine is short.
    """
    numbers = request.config.stash.setdefault(_NUMBERS, [TABLE])
    numbers[0] += 1
    ada = staff_tokens(floor, "ada")["ada"]
    story.open_table(floor, ada, "fortune-six", numbers[0], squeeze_ms=20_000)
    return numbers[0]


_NUMBERS = pytest.StashKey[list[int]]()


def seated(guest: Guest, table: int, *bets: str, squeeze: bool = False) -> Page:
    guest.open(table)
    page = guest.page
    page.get_by_role("button", name="Take a seat").click()
    if squeeze:
        pressed(page.get_by_role("button", name="Squeeze"))
    deal(guest.floor, "open-bets", table=table)
    for bet in bets:
        guest.spot(bet).click()
        guest.has(bet, 1_000)
    return page


def check_watched(page: Page, *totals: str) -> None:
    """Every total came when all the cards it counts lay face up, and each card had come face down."""
    watched: list[tuple[str, list[float]]] = page.evaluate("window.watched")
    seen = [text for text, _ in watched]
    for count, total in enumerate(totals, start=1):
        assert total in seen, (total, sorted(set(seen)))
        first = seen.index(total)
        turned = watched[first][1]
        assert len(turned) >= count
        assert all(part > 0.999 for part in sorted(turned)[-count:]), (total, turned)
        before = [part for _, parts in watched[:first] for part in parts]
        assert min(before) < 0, f"before {total} a card lay face down"


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "telephone"])
def test_a_total_changes_once_the_card_lies_face_up(
    guest_of: Callable[..., Guest], floor: Served, table: int, size: tuple[int, int]
) -> None:
    page = seated(guest_of(floor, size), table, "player")
    page.evaluate(_WATCH, "player")
    deal(floor, "close-bets", table=table)
    for card, total in zip(DEALT[:5:2], ("3", "5", "4"), strict=True):
        deal(floor, card, table=table)
        expect(page.locator("[data-total=player]")).to_have_text(total)
        if card != DEALT[4]:
            deal(floor, DEALT[DEALT.index(card) + 1], table=table)
            expect(page.locator("[data-total=banker]")).to_have_text("0")
    check_watched(page, "3", "5", "4")
    across = page.locator("[data-slot=p3] .in").evaluate("(it) => getComputedStyle(it).transform")
    assert across == "matrix(0, 1, -1, 0, 0, 0)", "the third card lies sideways"


def test_so_on_the_display(browser: Browser, floor: Served, table: int) -> None:
    context = browser.new_context(
        viewport={"width": OVERHEAD[0], "height": OVERHEAD[1]}, base_url=floor.address
    )
    page = context.new_page()
    page.goto(f"/tables/{table}/display")
    deal(floor, "open-bets", "close-bets", table=table)
    expect(page.locator(".st")).to_contain_text("No more bets")
    page.evaluate(_WATCH, "player")
    for card in DEALT[:3]:
        deal(floor, card, table=table)
        expect(page.locator(".leaf").nth(DEALT.index(card))).to_be_visible()
    expect(page.locator("[data-total=player]")).to_have_text("5")
    check_watched(page, "3", "5")
    page.reload()
    expect(page.locator("[data-total=player]")).to_have_text("5")
    assert page.evaluate(_MOVING) == []
    context.close()


def test_after_a_reload_nothing_moves(
    guest_of: Callable[..., Guest], floor: Served, table: int
) -> None:
    page = seated(guest_of(floor, WIDE), table, "player")
    deal(floor, "close-bets", *DEALT[:3], table=table)
    expect(page.locator("[data-total=player]")).to_have_text("5")
    page.reload()
    expect(page.locator("[data-total=player]")).to_have_text("5")
    assert page.evaluate(_MOVING) == []
    expect(page.locator("[data-after], .under")).to_have_count(0)


def test_with_reduced_motion_the_state_cuts(
    guest_of: Callable[..., Guest], floor: Served, table: int
) -> None:
    guest = guest_of(floor, WIDE)
    guest.page.emulate_media(reduced_motion="reduce")
    page = seated(guest, table, "banker", squeeze=True)
    page.get_by_role("button", name="Squeeze").click()  # off again
    page.evaluate(_WATCH, "player")
    deal(floor, "close-bets", *DEALT[:5], table=table)
    expect(page.locator("[data-total=player]")).to_have_text("4")
    watched: list[tuple[str, list[float]]] = page.evaluate("window.watched")
    assert all(part == 1 for _, parts in watched for part in parts), "none was seen face down"
    deal(floor, DEALT[5], "settle", table=table)
    expect(guest.spot("banker")).to_have_attribute("data-outcome", "wins")
    assert page.evaluate(_MOVING) == []
    expect(page.locator(".payout")).to_be_hidden()


EDGES = {  # where it is taken, and where it is pulled to, in parts of what is seen
    "left": ((0.05, 0.5), (0.95, 0.5)),
    "right": ((0.95, 0.5), (0.05, 0.5)),
    "top": ((0.5, 0.05), (0.5, 0.95)),
    "bottom": ((0.5, 0.95), (0.5, 0.05)),
    "lower left": ((0.05, 0.95), (0.95, 0.05)),
    "upper right": ((0.95, 0.05), (0.05, 0.95)),
    "lower right": ((0.95, 0.95), (0.05, 0.05)),
    "upper left": ((0.05, 0.05), (0.95, 0.95)),
}


def pull(page: Page, slot: str, edge: str, *, part: float) -> None:
    """A card that is held is larger: the way is measured on that."""
    (x, y), (to_x, to_y) = EDGES[edge]
    cover = page.locator(f"[data-turns={slot}]")
    box = cover.bounding_box()
    assert box
    start = box["x"] + x * box["width"], box["y"] + y * box["height"]
    page.mouse.move(*start)
    page.mouse.down()
    grown = cover.bounding_box()
    assert grown
    way = (to_x - x) * grown["width"] * part, (to_y - y) * grown["height"] * part
    page.mouse.move(start[0] + way[0], start[1] + way[1], steps=6)


@pytest.mark.parametrize("edge", EDGES)
def test_a_card_is_squeezed_from_every_edge_and_corner(
    guest_of: Callable[..., Guest], floor: Served, table: int, edge: str
) -> None:
    page = seated(guest_of(floor, WIDE), table, "player", squeeze=True)
    deal(floor, "close-bets", *DEALT[:4], table=table)
    expect(page.locator("[data-turns]")).to_have_count(2)  # not the other side's
    expect(page.locator("[data-total=banker]")).to_have_text("0")
    expect(page.locator("[data-total=player]")).to_have_text("–")
    wait_until(lambda: page.evaluate(_MOVING) == [], "rest")
    pull(page, "p1", edge, part=0.6)
    expect(page.locator("[data-turns=p1] clipPath")).to_have_count(2)  # its face is seen in part
    expect(page.locator("[data-turns=p1] text")).to_have_count(0)  # and not its name
    page.mouse.up()
    expect(page.locator("[data-turns=p1] clipPath")).to_have_count(0)  # it lies as before
    pull(page, "p1", edge, part=1)
    page.mouse.up()
    expect(page.locator("[data-slot=p1] pb-card.up")).to_have_attribute("code", DEALT[0])
    expect(page.locator("[data-total=player]")).to_have_text("3")


def test_a_third_card_on_its_side_is_squeezed_where_its_edges_are_seen(
    guest_of: Callable[..., Guest], floor: Served, table: int
) -> None:
    page = seated(guest_of(floor, WIDE), table, "player", squeeze=True)
    deal(floor, "close-bets", *DEALT[:4], table=table)
    for slot in ("p1", "p2"):
        page.locator(f"[data-turns={slot}]").click()
    expect(page.locator("[data-total=player]")).to_have_text("5")
    deal(floor, DEALT[4], table=table)
    expect(page.locator("[data-turns=p3]")).to_be_visible()
    wait_until(lambda: page.evaluate(_MOVING) == [], "rest")
    pull(page, "p3", "top", part=1)
    page.mouse.up()
    expect(page.locator("[data-total=player]")).to_have_text("4")


def test_the_house_sets_the_time_to_squeeze_and_everybody_sees_it_run(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    """At a table that the clock deals: it waits, and then goes on without anybody."""
    number = 90
    clock = {"betting_ms": 4_000, "guard_ms": 100, "card_ms": 200, "pause_ms": 2_000}
    clock |= {"squeeze_ms": 5_000, "automatic": True, "new_shoes": True}
    asked: dict[str, Any] = {"number": number, "game": "rapid", "clock": clock}
    status, answer = api(
        floor, "POST", "/api/admin/tables", staff_tokens(floor, "ada")["ada"], asked
    )
    assert status == 201, answer
    guest = guest_of(floor, WIDE)
    guest.open(number)
    page = guest.page
    expect(page.locator(".status .said")).to_contain_text("time to squeeze", timeout=60_000)
    expect(page.locator(".term[data-phase=settled]")).to_be_visible(timeout=60_000)
    asked = {"clock": clock | {"squeeze_ms": 20_001}}
    status, answer = api(
        floor, "POST", f"/api/admin/tables/{number}", staff_tokens(floor, "ada")["ada"], asked
    )
    assert (status, answer["code"]) == (409, "bad-command")
    assert "squeezed" in answer["reason"]["en"]


def test_what_won_comes_beside_the_stake_and_goes_and_the_meters_wait_for_nothing(
    guest_of: Callable[..., Guest], floor: Served, table: int
) -> None:
    guest = guest_of(floor, WIDE)
    page = seated(guest, table, "banker", "tie", "fortune-six")
    deal(floor, "close-bets", *DEALT, table=table)
    expect(page.locator("[data-total=banker]")).to_have_text("6")
    page.evaluate(
        """() => { window.first = new Promise((resolve) => {
          const frame = () => document.querySelector("[data-outcome]") ? resolve([
            document.querySelector("[data-meter=credits]").textContent, document.getAnimations()
              .filter((one) => one.playState === "running").map((one) => one.animationName),
          ]) : requestAnimationFrame(frame);
          frame();
        }); }"""
    )
    deal(floor, "settle", table=table)
    credits, moving = page.evaluate("window.first")
    assert credits == f"${guest.api('/api/me')['tables'][0]['balance_cents'] / 100:,.2f}"
    assert {"swept", "paid"} <= set(moving)
    payout = guest.spot("banker").locator(".payout")
    expect(payout).to_have_attribute("data-payout", "500")  # half on a six
    expect(guest.spot("tie").locator(".payout")).to_have_count(0)
    order = page.evaluate(
        """() => { const ends = (name) => Math.max(...document.getAnimations()
          .filter((one) => one.animationName === name).map((one) => one.effect.getComputedTiming().endTime));
          return [ends("swept"), ends("paid"), ends("taken")]; }"""
    )
    assert order == sorted(order), "what loses leaves first, then it is paid, then taken"
    opacity = "getComputedStyle(document.querySelector('.payout')).opacity"
    wait_until(lambda: page.evaluate(opacity) == "0", "the patron's hand")


def test_announcements_are_said_in_the_language_that_was_chosen_with_the_sound_on(
    guest_of: Callable[..., Guest], floor: Served, table: int
) -> None:
    guest = guest_of(floor, WIDE)
    guest.page.add_init_script(_VOICE)
    page = seated(guest, table, "player")
    deal(floor, "close-bets", *DEALT, "settle", table=table)
    expect(guest.spot("player")).to_have_attribute("data-outcome", "loses")
    assert page.evaluate("window.spoken") == [], "silent as long as nobody asks for it"
    page.get_by_role("button", name="Sound").click()
    deal(floor, "open-bets", "close-bets", *DEALT, "settle", table=table)
    heard = ["Place your bets, please", "No more bets", "Player 4, Banker 6, Banker wins"]
    wait_until(lambda: page.evaluate("window.spoken.length") >= 3, "the result")
    assert page.evaluate("window.spoken") == [["en-GB", text] for text in heard]
    page.get_by_role("button", name="繁體中文").click()
    deal(floor, "open-bets", table=table)
    wait_until(lambda: page.evaluate("window.spoken.length") >= 4, "the next round")
    assert page.evaluate("window.spoken[3]") == ["zh-HK", "請投注"]


def test_a_machine_without_voice_and_sound_plays_on(
    guest_of: Callable[..., Guest], floor: Served, table: int
) -> None:
    guest = guest_of(floor, WIDE)
    guest.page.add_init_script(_DUMB)
    page = seated(guest, table, "banker")
    page.get_by_role("button", name="Sound").click()
    deal(floor, "close-bets", *DEALT, "settle", table=table)
    expect(guest.spot("banker")).to_have_attribute("data-outcome", "wins")
    expect(page.locator("[data-total=banker]")).to_have_text("6")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "telephone"])
def test_nothing_jumps_while_cards_are_squeezed_and_chips_are_paid(
    guest_of: Callable[..., Guest], floor: Served, table: int, size: tuple[int, int]
) -> None:
    guest = guest_of(floor, size)
    guest.page.add_init_script(
        """localStorage.setItem("squeeze", JSON.stringify({ on: true })); window.shifted = 0;
        new PerformanceObserver((list) => { for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value; })
          .observe({ type: "layout-shift", buffered: true });"""
    )
    page = seated(guest, table, "banker", "tie")
    page.evaluate("window.shifted = 0")
    deal(floor, "close-bets", *DEALT[:4], table=table)
    expect(page.locator("[data-turns]")).to_have_count(2)
    page.locator("[data-turns=b1]").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-turns]")).to_have_count(1)
    deal(floor, *DEALT[4:], "settle", table=table)
    expect(guest.spot("banker")).to_have_attribute("data-outcome", "wins")
    wait_until(lambda: page.evaluate(_MOVING) == [], "rest")
    assert page.evaluate("window.shifted") < 0.01
