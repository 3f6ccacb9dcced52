"""The odds lab in a browser: figures as the par sheet has them, tables for charts, downloads, small screens."""

import json
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, expect

from puntobanco.odds.figures import sheet_json
from puntobanco.odds.par import par_sheet
from puntobanco.rules.games import GAMES, SIX_STAR
from puntobanco.web.safety import STAFF_COOKIE
from tests.browser.guest import Guest
from tests.served import Served, staff_tokens

SIZE = (1440, 900)
SMALL = ((390, 844), (720, 450))  # a telephone, and 1440 x 900 at 200 %


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"))
    yield found
    found.stop()


def opened(guest: Guest, address: str = "/odds") -> Page:
    """Logged in as a cashier: any role may look."""
    token = staff_tokens(guest.floor, "carl")["carl"]
    guest.context.add_cookies([{"name": STAFF_COOKIE, "value": token, "url": guest.floor.address}])
    guest.page.goto(address)
    expect(guest.page.locator(".par tbody.chosen")).to_be_visible()
    expect(guest.page.locator("svg[role=img]")).to_have_count(4)
    return guest.page


def test_the_page_has_the_par_sheets_figures_and_follows_wager_stake_and_decks(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = opened(guest_of(floor, SIZE))
    sheet = par_sheet(SIX_STAR, 8)
    for odds in sheet.bets:
        rows = page.locator(f'.par tbody[data-bet="{odds.bet.id}"]')
        if not odds.bonus:
            expect(rows).to_contain_text(f"{float(-odds.ev) * 100:.4f}%")
            for line in odds.lines:
                expect(rows).to_contain_text(f"{line.probability.numerator}/{line.probability.denominator}")
    tie = page.locator('.par tbody[data-bet="tie"]')
    expect(tie).to_contain_text("11.7649%")
    page.get_by_label("Tie stake").focus()
    page.keyboard.press("Home")
    expect(tie).to_contain_text("−11.1586%")
    expect(page.get_by_role("img", name="your stake $1: −11.1586%")).to_be_visible()
    page.get_by_role("button", name="Fortune Six").click()
    expect(page.get_by_role("img", name="Fortune Six: net −1 with probability 0.946125")).to_be_visible()
    expect(page.get_by_role("img", name="6 −0.4113%")).to_be_visible()
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.get_by_role("heading", name="4 decks, 260 cards")).to_be_visible()
    expect(page.get_by_text("Element Bonus: returns less than 75 % to patrons")).to_be_visible()
    assert "game=six-star&decks=4&bet=fortune-six&stake=1" in page.url
    page.reload()
    expect(page.get_by_role("heading", name="4 decks, 260 cards")).to_be_visible()
    expect(page.locator(".par tbody.chosen")).to_have_attribute("data-bet", "fortune-six")


def test_every_chart_has_a_table_and_every_game_a_sheet(guest_of: Callable[..., Guest], floor: Served) -> None:
    page = opened(guest_of(floor, SIZE))
    page.keyboard.press("t")
    expect(page.get_by_role("region", name="table")).to_have_count(4)
    expect(page.get_by_role("rowheader", name="$1.78 break-even")).to_be_visible()
    expect(page.locator("svg[role=img]")).to_have_count(0)
    page.keyboard.press("t")
    page.get_by_role("button", name="Return distribution as a Table").click()
    expect(page.get_by_role("region", name="table")).to_have_count(1)
    page.keyboard.press("t")  # of the chart that has the focus
    expect(page.get_by_role("region", name="table")).to_have_count(0)
    for game in GAMES.values():
        page.get_by_label("Game").select_option(game.id)
        expect(page.locator(".par tbody[data-bet]")).to_have_count(len(game.bets))
        expect(page.get_by_role("group", name="Decks of").get_by_role("button")).to_have_count(len(game.decks))
        expect(page.get_by_label("Tie stake")).to_have_count(1 if game is SIX_STAR else 0)
        expect(page.locator("svg[role=img]")).to_have_count(4)


def test_a_download_is_the_command_lines_file(guest_of: Callable[..., Guest], floor: Served) -> None:
    page = opened(guest_of(floor, SIZE), "/odds?game=rapid&decks=6")
    for form in ("JSON", "CSV", "PDF"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=form).click()
        assert saved.value.suggested_filename == f"par-rapid-6-decks.{form.lower()}"
        if form == "JSON":
            assert json.loads(saved.value.path().read_text("utf-8")) == sheet_json(par_sheet(GAMES["rapid"], 6))
        expect(page.get_by_role("status")).to_contain_text("Saved")


@pytest.mark.parametrize("size", SMALL, ids=["telephone", "200 %"])
def test_it_is_usable_on_a_small_screen(guest_of: Callable[..., Guest], floor: Served, size: tuple[int, int]) -> None:
    guest = guest_of(floor, size)
    page = opened(guest)
    assert guest.fits()
    page.get_by_role("button", name="Element Bonus").click()
    for chart in page.locator("svg[role=img]").all():
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        assert box
        assert box["width"] > 250
        assert box["x"] + box["width"] <= size[0]


def test_a_stranger_is_led_to_the_login(guest_of: Callable[..., Guest], floor: Served) -> None:
    guest = guest_of(floor, SIZE)
    guest.page.goto("/odds")
    guest.page.wait_for_url("**/staff?next=%2Fodds*")
    assert "401" in guest.faults[0]  # the browser's own line about the answer
    guest.faults.clear()


def test_computing_and_refusals_are_said(guest_of: Callable[..., Guest], floor: Served) -> None:
    guest = guest_of(floor, SIZE)
    page = opened(guest)
    page.route("**/decks/5", lambda _: None)  # never answered
    page.get_by_role("button", name="5", exact=True).click()
    expect(page.locator(".par tr.sk")).to_have_count(17)
    expect(page.get_by_text("exact, about 2 s")).to_be_visible()
    busy = {"code": "lab-is-busy", "reason": "the odds lab is busy; ask again in a few seconds", "clause": ""}
    page.route("**/decks/6", lambda route: route.fulfill(status=503, json=busy))
    page.get_by_role("button", name="6", exact=True).click()
    expect(page.get_by_text(busy["reason"])).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="6 decks, 390 cards")).to_be_visible()
    assert all("503" in fault for fault in guest.faults)
    guest.faults.clear()
