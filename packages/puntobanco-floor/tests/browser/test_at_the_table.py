"""A patron's hands at the dealer's table: keys, undo and double, refusals, two languages, two terminals, one's own game."""

import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from puntobanco.game_files import load_game
from puntobanco.rules.cards import parse_card
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Wager, settle
from tests.browser.guest import HOLD_MS, Guest, placed
from tests.browser.test_terminal import deal
from tests.support.served import Served, api, asked, staff_tokens, with_new_table

OWN_GAME = Path(__file__).parents[4] / "examples" / "lucky_rapid.py"
OWN_TABLE = 9
WIDE, LOW, ZOOMED = (
    (1280, 800),
    (844, 390),
    (640, 400),
)  # a terminal, a telephone on its side, a terminal at 200 %


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """With a game of one's own."""
    found = Served(tmp_path_factory.mktemp("floor"), "--demo", "--game", str(OWN_GAME))
    yield found
    found.stop()


@pytest.fixture
def floor(served: Served) -> Served:
    """A table for each test."""
    return with_new_table(served)


@pytest.fixture
def guest(guest_of: Callable[..., Guest], floor: Served) -> Guest:
    """Seated, with bets open."""
    found = guest_of(floor, WIDE)
    found.sit(floor.table)
    open_bets(floor, found)
    return found


_TIMES = count()


def cards(ranks: str) -> list[str]:
    """Of these ranks, each time in the next suit: the shoe has eight of each card."""
    return [rank + "shdc"[n % 4] for n, rank in enumerate(ranks, next(_TIMES))]


def open_bets(floor: Served, *guests: Guest) -> None:
    deal(floor, "open-bets")
    for guest in guests:
        expect(guest.spot("tie")).to_have_attribute("aria-disabled", "false")


def test_undo_clear_hold_rebet_and_double_do_what_they_say(guest: Guest, floor: Served) -> None:
    page = guest.page
    button = {
        name: page.get_by_role("button", name=name, exact=True)
        for name in ("Undo", "Clear", "Rebet", "Double")
    }
    expect(button["Rebet"]).to_be_disabled()
    guest.spot("tie").click()
    guest.spot("banker").click()
    guest.spot("banker").click()
    guest.has("banker", 2_000)
    button["Undo"].click()
    guest.has("banker", 1_000)
    button["Double"].click()
    guest.has("banker", 2_000)
    guest.has("tie", 2_000)
    button["Undo"].click()  # the double, in one
    guest.has("banker", 1_000)
    guest.has("tie", 1_000)
    guest.spot("tie").click(delay=HOLD_MS)
    guest.has("tie", 0)
    guest.has("banker", 1_000)
    button["Clear"].click()
    guest.has("banker", 0)
    assert guest.at(guest.floor.table)["wagers"] == {}
    page.get_by_role("radio", name="$500 chip").click()
    guest.spot("player").click()
    guest.has("player", 50_000)
    button["Double"].click()
    guest.has("player", 100_000)
    button["Double"].click()
    expect(page.get_by_role("alert")).to_contain_text(
        "$1,000 is needed, which is more than your credits"
    )
    guest.has("player", 100_000)
    button["Undo"].click()
    guest.has("player", 50_000)
    deal(floor, "close-bets", *cards("9284"), "settle", "open-bets")  # player 7, banker 6
    expect(button["Rebet"]).to_be_enabled()
    button["Rebet"].click()
    guest.has("player", 50_000)
    expect(button["Rebet"]).to_be_disabled()
    assert guest.at(guest.floor.table)["wagers"] == {"player": 50_000}


def test_a_round_is_played_with_the_keyboard_alone(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    guest = guest_of(floor, WIDE)
    guest.open(floor.table)
    page, keys = guest.page, guest.page.keyboard
    page.get_by_role("button", name="Take a seat").focus()
    keys.press("Enter")
    expect(guest.meter("credits")).to_have_text("$1,000.00")
    open_bets(floor, guest)
    page.get_by_role("radio", checked=True).focus()
    keys.press("ArrowRight")
    expect(page.get_by_role("radio", name="$25 chip")).to_be_checked()
    expect(page.get_by_role("radio", name="$25 chip")).to_be_focused()
    spots = [str(x.get_attribute("data-bet")) for x in page.locator("[data-bet]").all()]
    for number, bet in enumerate(spots, 1):
        keys.press(str(number))
        guest.has(bet, 2_500)
    keys.press("z")
    guest.has(spots[-1], 0)
    keys.press("d")
    guest.has(spots[0], 5_000)
    guest.spot(spots[0]).focus()
    keys.press("Delete")
    guest.has(spots[0], 0)
    keys.press("Enter")
    guest.has(spots[0], 2_500)
    keys.press("l")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    guest.has(spots[1], 5_000)
    keys.press("L")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hans")
    expect(page.locator(".now")).to_have_text("请投注")
    keys.press("l")
    keys.press("x")
    expect(guest.meter("bet")).to_have_text("$0.00")
    page.get_by_role("button", name="Rules", exact=True).focus()
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Table of play")
    keys.press("1")  # not while a sheet is open
    keys.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Rules", exact=True)).to_be_focused()
    expect(guest.meter("bet")).to_have_text("$0.00")


def test_a_refused_wager_goes_back_with_its_reason_and_clause_which_leads_to_the_rule(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    """The terminal is kept from hearing that bets are closed, as it may be for a moment."""
    guest = guest_of(floor, WIDE)

    def deaf(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda message: None if b"BetsClosed" in _bytes(message) else socket.send(message)
        )

    guest.page.route_web_socket(f"**/ws/{floor.table}", deaf)
    guest.sit(floor.table)
    open_bets(floor, guest)
    deal(floor, "close-bets")
    guest.spot("tie").click()
    said = guest.page.get_by_role("alert")
    expect(said).to_contain_text("Bets are closed")
    guest.has("tie", 0)
    said.get_by_role("button", name="5.6").click()
    expect(guest.page.get_by_role("dialog")).to_be_visible()
    expect(guest.page.locator("#clause-5-6.here")).to_be_in_viewport()
    guest.page.keyboard.press("Escape")
    guest.page.get_by_role("button", name="繁體中文").click()
    guest.spot("tie").click()
    expect(guest.page.get_by_role("alert")).to_contain_text("已截止投注")
    deal(floor, *cards("9284"), "settle")


def _bytes(message: str | bytes) -> bytes:
    return message.encode() if isinstance(message, str) else message


def test_another_language_in_mid_round_keeps_wagers_and_two_terminals_agree(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    one, two = guest_of(floor, WIDE), guest_of(floor, LOW)
    for guest in (one, two):
        guest.sit(floor.table)
    open_bets(floor, one, two)
    one.spot("banker").click()
    two.spot("tie").click()
    one.page.get_by_role("button", name="繁體中文").click()
    one.has("banker", 1_000)
    expect(one.page.locator(".now")).to_have_text("請投注")
    expect(one.page.locator(".said")).to_contain_text("Place your bets, please")
    deal(floor, "close-bets", "9s", "2h", "8d", "4c")
    for guest, bet in ((one, "banker"), (two, "tie")):
        expect(guest.page.locator("[data-slot=b2] pb-card")).to_have_attribute("code", "4c")
        guest.has(bet, 1_000)
    one.page.get_by_role("button", name="English").click()
    expect(one.page.locator(".callout")).to_contain_text(
        "Banker has 6 against a Player who stood: stands"
    )
    deal(floor, "settle")
    for guest, bet in ((one, "banker"), (two, "tie")):
        expect(guest.spot(bet)).to_have_attribute("data-outcome", "loses")
        expect(guest.page.get_by_role("status")).to_have_text(
            "Player wins, 7 over 6. You are 10 dollars behind."
        )
    seen = [guest.shown() for guest in (one, two)]
    assert seen[0].player_cards == seen[1].player_cards == ["9s", "8d"]
    assert (seen[0].banker_cards, seen[0].player, seen[0].banker) == (
        seen[1].banker_cards,
        "7",
        "6",
    )
    roads = [x.page.locator("pb-road").first.get_attribute("cells") for x in (one, two)]
    assert roads[0] == roads[1]


def test_a_game_of_ones_own_is_played_on_its_own_spots(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    game, dealt = load_game(OWN_GAME), ["9h", "8s", "Th", "Ts"]  # two naturals, a suited player
    ada = staff_tokens(floor, "ada")["ada"]
    body = {"number": OWN_TABLE, "game": game.id, "physical": True}
    assert api(floor, "POST", "/api/admin/tables", ada, body)[0] == 201
    guest = guest_of(floor, WIDE)
    guest.sit(OWN_TABLE)
    deal(floor, "open-bets", table=OWN_TABLE)
    own = ["both-natural", "big-banker", "suited-player"]
    for bet in own:
        expect(guest.spot(bet)).to_have_attribute("aria-disabled", "false")
        guest.spot(bet).click()
        guest.has(bet, 1_000)
    deal(floor, "close-bets", *dealt, "settle", table=OWN_TABLE)
    for bet in own:
        expect(guest.spot(bet)).to_have_attribute(
            "data-outcome", "wins" if bet != "big-banker" else "loses"
        )
    play = Round.start(game, game.default_decks).deal_all(parse_card(card) for card in dealt)
    lines = settle(game, play, [Wager("me", bet, 1_000) for bet in own])
    shown = guest.shown().spots
    assert {bet: shown[bet] for bet in own} == {
        x.wager.bet: [1_000, False, x.outcome, x.paid_cents, x.clause] for x in lines
    }
    guest.act("rules")
    expect(guest.page.get_by_role("dialog")).to_contain_text(
        "Both Natural wins when both hands have a natural"
    )


def test_a_table_that_is_not_there_says_so_and_leads_on(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    guest = guest_of(floor, WIDE)
    guest.page.goto("/tables/77")
    expect(guest.page.get_by_role("heading")).to_have_text("There is no such page")
    expect(guest.page.get_by_role("link", name="All tables")).to_have_attribute("href", "/")
    guest.faults.clear()  # the browser itself writes down what is refused


def test_a_void_round_needs_continue_and_says_what_came_back(guest: Guest, floor: Served) -> None:
    guest.spot("banker").click()
    guest.has("banker", 1_000)
    deal(floor, "close-bets", *cards("92"))
    staff = staff_tokens(floor, "dora", "sam", "sue")
    said: dict[str, Any] = {"ground": "cards-drawn-together", "detail": "two at once"}
    assert asked(
        floor, staff["dora"], f"stop-{time.monotonic_ns()}", "declare-irregularity", **said
    )[1]["ok"]
    expect(guest.page.get_by_role("status")).to_contain_text("Play is paused")
    proposed = asked(floor, staff["sam"], f"void-{time.monotonic_ns()}", "void-round")[1]
    assert asked(
        floor, staff["sue"], f"yes-{time.monotonic_ns()}", "approve", proposal=proposed["proposal"]
    )[1]["ok"]
    notice = guest.page.get_by_role("alertdialog")
    expect(notice).to_contain_text("All wagers returned$10.00")
    expect(notice.get_by_role("button", name="Clause 5.3")).to_be_visible()
    expect(notice.get_by_role("button", name="Continue")).to_be_focused()
    guest.page.keyboard.press("Escape")
    expect(notice).to_be_visible()
    deal(floor, "open-bets")  # the next round does not wipe it away
    expect(notice).to_contain_text("cards drawn together")
    guest.page.keyboard.press("Enter")
    expect(notice).to_have_count(0)
    expect(guest.meter("credits")).to_have_text("$1,000.00")
    guest.page.reload()
    expect(guest.spot("banker")).to_have_attribute("aria-disabled", "false")
    expect(notice).to_have_count(0)


def test_nothing_shifts_and_nothing_grows_while_rounds_are_played(
    guest: Guest, floor: Served
) -> None:
    page = guest.page
    page.evaluate(
        "window.shifts = []; new PerformanceObserver((list) => list.getEntries().forEach((x) => shifts.push(x.value)))"
        ".observe({ type: 'layout-shift' })"
    )
    sizes = list[int]()
    for _ in range(3):
        for bet in ("banker", "tie", "fortune-six"):
            guest.spot(bet).click()
            guest.has(bet, 1_000)
        deal(floor, "close-bets", *cards("926468"), "settle")  # third cards for both
        expect(guest.spot("tie")).to_have_attribute("data-outcome", "loses")
        page.wait_for_timeout(600)
        deal(floor, "open-bets")
        expect(guest.meter("bet")).to_have_text("$0.00")
        sizes.append(int(page.evaluate("document.querySelectorAll('*').length")))
    assert sum(page.evaluate("shifts")) < 0.01
    assert sizes[-1] <= sizes[0] + 2, sizes  # a mark on the road


_OVERLAPS = """() => {
  const all = [...document.querySelectorAll("[data-bet], .acts .btn")].map((one) => [one, one.getBoundingClientRect()]);
  const meets = ([, a], [, b]) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const pairs = all.flatMap((one, i) => all.slice(i + 1).filter((other) => meets(one, other)).map((other) => [one, other]));
  return pairs.map((pair) => pair.map(([element]) => element.dataset.bet ?? element.dataset.act).join(" "));
}"""


@pytest.mark.parametrize(
    "size", [LOW, ZOOMED, (195, 422), (1280, 720), (768, 1024), (820, 1180), (1920, 1080)], ids=str
)
def test_every_size_has_its_spots_chips_and_buttons_within_reach(
    guest_of: Callable[..., Guest], floor: Served, size: tuple[int, int]
) -> None:
    deal(floor, "open-bets", "close-bets", *cards("9284"), "settle")  # a round to look back at
    guest = guest_of(floor, size)
    guest.sit(floor.table)
    open_bets(floor, guest)
    assert guest.fits()
    assert guest.page.evaluate(_OVERLAPS) == []
    for bet in ("player-pair", "banker"):
        guest.spot(bet).click()
        guest.has(bet, 1_000)
    guest.page.get_by_role("button", name="Clear", exact=True).click()
    guest.has("banker", 0)
    guest.act("rules")
    expect(guest.page.get_by_role("dialog")).to_be_visible()
    guest.page.keyboard.press("Escape")
    guest.replay()
    expect(guest.page.get_by_role("dialog")).to_contain_text("REPLAY")
    assert guest.shown().spots["banker"] == [0, *placed(0)[1:]]
