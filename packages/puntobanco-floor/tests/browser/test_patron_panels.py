"""What a patron opens beside the game: five roads, refusals beside their spots, limits and keys, the reality check, past
rounds, how to play; in both languages, by keyboard and by finger, and clean by axe.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.axe import serious_findings
from tests.browser.guest import Guest, money
from tests.support.served import Served, staff_tokens
from tools import story

WIDE, PHONE = (1280, 800), (390, 844)
TABLE, ROUNDS = story.TABLE, 40
TABLES = count(201)
SUITS = iter("fgewa" * 9)
# The right edge of the newest column, in the place where the road is seen.
NEWEST_IN_SIGHT = """(road) => {
  const cells = JSON.parse(road.querySelector("pb-road").getAttribute("cells"));
  const columns = Math.max(...cells.map(([, column]) => column + 1)), cell = road.querySelector("svg").clientHeight / 6;
  const edge = columns * cell - road.scrollLeft;
  return edge > 0 && edge <= road.clientWidth + 8;
}"""
GuestOf = Callable[..., Guest]


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A dealer's table with a shoe half played; a reality check every minute."""
    found = Served(tmp_path_factory.mktemp("floor"), "--demo", "--reality-check-minutes", "1")
    story.open_table(found, staff_tokens(found, "ada")["ada"])
    dealer = staff_tokens(found, "dora")["dora"]
    story.play(found, dealer, ROUNDS)
    yield found
    found.stop()


class Dealer:
    """Who deals at a table."""

    def __init__(self, floor: Served, table: int) -> None:
        self.floor, self.table = floor, table
        self.token = staff_tokens(floor, "dora")["dora"]

    def opens(self) -> None:
        story.do(self.floor, self.token, "open-bets", self.table)

    def plays(self) -> None:
        """Bets close, and Player wins, nine over six; of a shoe each card can be dealt eight times."""
        suit = next(SUITS)
        story.do(self.floor, self.token, "close-bets", self.table)
        story.deal(self.floor, self.token, f"9{suit} 2{suit} T{suit} 4{suit}", self.table)
        story.do(self.floor, self.token, "settle", self.table)


@pytest.fixture
def dealer(floor: Served) -> Dealer:
    """At a table of one's own: no round of a test that failed is open there."""
    table = next(TABLES)
    story.open_table(floor, staff_tokens(floor, "ada")["ada"], "six-star", table)
    return Dealer(floor, table)


def comes(
    guest_of: GuestOf,
    floor: Served,
    size: tuple[int, int] = WIDE,
    lang: str = "en",
    table: int = TABLE,
) -> Guest:
    guest = guest_of(floor, size)
    guest.page.add_init_script(f"localStorage.setItem('language', '{lang}')")
    guest.page.emulate_media(reduced_motion="reduce")
    guest.open(table)
    guest.page.locator("[data-act=seat]").first.click()
    expect(guest.meter("credits")).to_have_text("$1,000.00")
    return guest


def at_newest(road: Locator) -> bool:
    return bool(road.evaluate(NEWEST_IN_SIGHT))


def cells_of(road: Locator) -> list[Any]:
    found: list[Any] = road.evaluate(
        "(e) => JSON.parse(e.querySelector('pb-road').getAttribute('cells'))"
    )
    return found


@pytest.mark.parametrize(("size", "lang"), [(WIDE, "en"), (PHONE, "zh")])
def test_all_five_roads_by_keyboard_and_back_to_the_first_round(
    guest_of: GuestOf, floor: Served, size: tuple[int, int], lang: str
) -> None:
    guest = comes(guest_of, floor, size, lang)
    page = guest.page
    if size == PHONE:
        page.locator(".past-open").click()
    panel = page.locator(
        "[data-sheet=panel] .roads-panel" if size == PHONE else ".side .roads-panel"
    )
    view = guest.api(f"/api/tables/{TABLE}")
    road = panel.locator(".road-scroll")
    panel.locator("[role=tab][aria-selected=true]").focus()
    for kind in ("eye", "small", "pig", "bead", "big"):
        page.keyboard.press("ArrowRight")
        expect(panel.locator(f"[data-road={kind}]")).to_have_attribute("aria-selected", "true")
        expect(panel.locator(f"[data-road={kind}]")).to_be_focused()
        expect(road).to_have_attribute("data-road-kind", kind)
        assert cells_of(road) == view["roads"][kind]
        assert at_newest(road), f"{kind} begins at its newest result"
    counts = {
        key: int(panel.locator(f"[data-count={key}]").inner_text())
        for key in (
            "player",
            "banker",
            "tie",
            "player_pair",
            "banker_pair",
            "natural",
            "banker_six",
        )
    }
    assert counts == {key: view["counts"][key] for key in counts}
    assert counts["banker_six"] > 0, "or the story has no such round any more"

    page.keyboard.press("Tab")
    expect(road).to_be_focused()
    page.keyboard.press("Home")
    assert road.evaluate("(e) => e.scrollLeft") == 0, "back to the first round"
    page.keyboard.press("ArrowRight")
    page.wait_for_function("(e) => e.scrollLeft > 0", arg=road.element_handle())
    page.keyboard.press("Home")
    road.hover()
    page.mouse.wheel(0, 60)
    page.wait_for_function("(e) => e.scrollLeft > 0", arg=road.element_handle())
    page.keyboard.press("End")
    page.wait_for_function(
        NEWEST_IN_SIGHT,
        arg=road.element_handle(),
    )
    said = {"en": "Past results say nothing of the next.", "zh": "過往結果，不能預測下一局。"}
    expect(panel).to_contain_text(said[lang])
    assert guest.fits()
    assert serious_findings(page) == []


def test_who_has_scrolled_back_is_left_there_by_the_next_result(
    guest_of: GuestOf, floor: Served
) -> None:
    guest = comes(guest_of, floor)
    road = guest.page.locator(".side .road-scroll")
    road.evaluate("(e) => e.scrollTo({ left: 0 })")
    before = len(cells_of(road))
    dealer = Dealer(floor, TABLE)
    dealer.opens()
    dealer.plays()
    expect(guest.page.locator(".term")).to_have_attribute("data-phase", "settled")
    expect(guest.page.locator(".side .roads-panel h2")).to_contain_text(f"{ROUNDS + 1} rounds")
    assert len(cells_of(road)) >= before
    assert road.evaluate("(e) => e.scrollLeft") == 0


@pytest.mark.parametrize(("lang", "said"), [("en", "Max $50 here"), ("zh", "此處上限 $50")])
def test_a_refusal_stands_beside_its_spot(
    guest_of: GuestOf, floor: Served, dealer: Dealer, lang: str, said: str
) -> None:
    guest = comes(guest_of, floor, lang=lang, table=dealer.table)
    page = guest.page
    dealer.opens()
    page.locator("[data-act=chip][data-cents='10000']").click()
    guest.spot("element-bonus").click()
    why = page.locator(".why-not")
    expect(why).to_have_text(said)
    expect(why).to_have_count(1)
    box, spot = why.bounding_box(), guest.spot("element-bonus").bounding_box()
    assert box
    assert spot
    assert spot["x"] <= box["x"], "within the width of its own spot"
    assert box["x"] + box["width"] <= spot["x"] + spot["width"]
    assert abs(box["y"] - spot["y"]) < 30, "on its upper edge"
    expect(page.get_by_role("alert")).to_contain_text(said)
    assert serious_findings(page) == []
    dealer.plays()


def press(page: Page, keys: str) -> None:
    for key in keys:
        page.locator(f"[data-press='{key}']").click()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_limits_by_keys_on_glass_and_what_is_left_until_one_is_reached(
    guest_of: GuestOf, floor: Served, dealer: Dealer, lang: str
) -> None:
    guest = comes(guest_of, floor, lang=lang, table=dealer.table)
    page = guest.page
    guest.act("limits")
    loss, minutes = page.locator("input[name=loss]"), page.locator("input[name=minutes]")
    press(page, "57⌫")
    expect(loss).to_have_value("5")
    minutes.click()
    press(page, "9")
    page.keyboard.type("0")
    expect(minutes).to_have_value("90")
    expect(minutes).to_be_focused()
    page.locator("[data-field=minutes][data-value='120']").click()
    expect(minutes).to_have_value("120")
    page.locator("[data-act=set-limits] [type=submit]").click()
    used = page.locator("[data-used=loss]")
    expect(used).to_contain_text(
        {"en": "$0 of $5 used, $5 left", "zh": "已用 $0（上限 $5），尚餘 $5"}[lang]
    )
    assert serious_findings(page) == []
    page.keyboard.press("Escape")

    dealer.opens()
    guest.spot("tie").click()
    guest.has("tie", 500)
    guest.spot("tie").click()
    expect(page.locator(".why-not")).to_have_text(
        {"en": "Only $0 left of your limit today", "zh": "你今日的自訂輸額上限只餘 $0"}[lang]
    )
    expect(page.locator(".tray.reached")).to_have_count(0)  # what lies there may be taken back
    dealer.plays()
    expect(page.locator("[data-reached=loss]")).to_be_visible()
    dealer.opens()
    expect(page.locator(".term")).to_have_attribute("data-phase", "betting")
    expect(page.locator(".term")).to_have_attribute("data-limit", "loss")
    expect(page.locator("[data-bet][aria-disabled=false]")).to_have_count(0)
    expect(page.locator(".cbtn")).to_have_count(0)
    assert serious_findings(page) == []
    guest.act("limits")
    expect(page.locator("[data-used=loss].none-left")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".tray.reached [data-act=cash]").click()
    expect(page.locator("[data-sheet=cash]")).to_be_visible()
    dealer.plays()


def test_a_vouchers_number_is_typed_on_the_same_keys(guest_of: GuestOf, floor: Served) -> None:
    guest = comes(guest_of, floor)
    guest.act("buy")
    press(guest.page, "12345C6780")
    expect(guest.page.locator("input[name=number]")).to_have_value("6780")
    assert serious_findings(guest.page) == []


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_reality_check_waits_for_the_end_of_ones_round_and_for_an_answer(
    guest_of: GuestOf, floor: Served, dealer: Dealer, lang: str
) -> None:
    guest = guest_of(floor)
    guest.page.clock.install()
    guest.page.add_init_script(f"localStorage.setItem('language', '{lang}')")
    guest.open(dealer.table)
    page = guest.page
    page.locator("[data-act=seat]").first.click()
    dealer.opens()
    expect(guest.spot("tie")).to_have_attribute("aria-disabled", "false")
    guest.spot("tie").click()
    guest.has("tie", 500)
    check = page.locator("[data-sheet=reality]")
    page.clock.fast_forward(61_000)
    expect(page.locator(".sess [data-meter-line=time]")).to_contain_text("0:01")
    expect(check).to_have_count(0)
    dealer.plays()
    expect(page.locator("[data-bet=tie][data-outcome]")).to_be_visible()
    expect(check).to_have_count(0)  # nor over what the round came to
    dealer.opens()
    expect(check).to_be_visible()
    expect(check.locator("[data-check=check_net]")).to_have_text("−$5.00")
    expect(check).to_contain_text({"en": "You have played for", "zh": "你已玩"}[lang])
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    expect(check).to_be_visible()
    check.locator("[data-act=check-read]").click()
    expect(check).to_have_count(0)
    page.reload()
    expect(page.locator("[data-bet]").first).to_be_visible()
    expect(page.locator(".term")).to_have_attribute("data-phase", "betting")
    expect(check).to_have_count(0)  # it was read, and that is kept
    page.clock.fast_forward(61_000)
    expect(check).to_be_visible()
    check.locator("[data-act=check-leave]").click()
    expect(page.locator("[data-sheet=leave]")).to_be_visible()
    dealer.plays()


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_past_rounds_are_a_list_of_ones_own_and_of_all(
    guest_of: GuestOf, floor: Served, lang: str
) -> None:
    guest, dealer = comes(guest_of, floor, lang=lang), Dealer(floor, TABLE)
    page, sheet = guest.page, guest.page.locator("[data-sheet=history]")
    guest.act("history")
    expect(sheet).to_contain_text(
        {"en": "You have had no wager here yet.", "zh": "你在此尚未投注。"}[lang]
    )
    page.keyboard.press("Escape")
    dealer.opens()
    page.locator("[data-act=chip][data-cents='2500']").click()
    for bet in ("player", "player", "tie"):
        guest.spot(bet).click()
    guest.answered()
    dealer.plays()
    dealer.opens()
    dealer.plays()
    last = guest.api(f"/api/tables/{TABLE}")["round"]

    guest.act("history")
    rows = sheet.locator("[data-listed]")
    expect(rows).to_have_count(1)
    expect(rows).to_have_attribute("data-listed", str(last - 1))
    past = guest.api(f"/api/tables/{TABLE}/rounds/{last - 1}")
    net = past["paid_cents"] - past["wagered_cents"]
    assert net > 0
    expect(rows).to_contain_text(
        f"{money(past['wagered_cents'])}{money(past['paid_cents'])}+{money(net)}"
    )
    assert serious_findings(page) == []
    sheet.locator("[data-act=open-round]").click()
    expect(sheet.locator(".replay")).to_have_attribute("data-round", str(last - 1))
    sheet.locator("[data-act=history]").click()
    expect(rows).to_have_count(1)
    sheet.locator("[data-act=rounds][data-mine=false]").click()
    expect(rows).to_have_count(20)
    expect(rows.first).to_have_attribute("data-listed", str(last))
    sheet.locator("[data-act=rounds-older]").click()
    expect(rows).to_have_count(40)
    expect(rows.nth(39)).to_have_attribute("data-listed", str(last - 39))
    assert serious_findings(page) == []


@pytest.mark.parametrize("size", [WIDE, PHONE])
def test_a_list_that_comes_moves_no_button_from_under_a_finger(
    guest_of: GuestOf, floor: Served, size: tuple[int, int]
) -> None:
    guest = comes(guest_of, floor, size)
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    guest.page.route("**/rounds?*", hold)
    all_rounds = guest.page.locator("[data-act=rounds][data-mine=false]")
    guest.act("history")
    all_rounds.click()
    before = all_rounds.bounding_box()
    for route in held:
        route.continue_()
    expect(guest.page.locator("[data-listed]")).to_have_count(20)
    assert all_rounds.bounding_box() == before


@pytest.mark.parametrize(("size", "lang"), [(WIDE, "en"), (PHONE, "zh")])
def test_a_first_visit_has_three_hints_and_how_to_play(
    guest_of: GuestOf, floor: Served, dealer: Dealer, size: tuple[int, int], lang: str
) -> None:
    guest = comes(guest_of, floor, size, lang, dealer.table)
    page = guest.page
    dealer.opens()
    hint = page.locator(".first-visit")
    for _ in range(3):
        expect(hint).to_be_visible()
        assert serious_findings(page) == []
        assert guest.fits()
        said = hint.inner_text()
        hint.locator("[data-act=hint-read]").click()
        expect(page.get_by_text(said, exact=True)).to_have_count(0)
    expect(hint).to_have_count(0)
    page.reload()
    expect(guest.spot("tie")).to_have_attribute("aria-disabled", "false")
    expect(hint).to_have_count(0)
    guest.act("rules")
    first = page.locator("[data-sheet=rules] .rules section h3").first
    expect(first).to_have_text({"en": "Bets", "zh": "投注"}[lang])
    page.locator("[data-sheet=rules] [data-act=how]").click()
    expect(page.locator("[data-sheet=how] .how-picture")).to_have_count(5)
    assert serious_findings(page) == []
    assert guest.fits()
    dealer.plays()
