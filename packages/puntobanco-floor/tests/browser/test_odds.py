"""The odds lab in a browser: its tabs, figures as the par sheet has them, tables for charts, downloads, small screens."""

import json
import re
from collections.abc import Callable, Iterator
from datetime import date
from fractions import Fraction

import pytest
from playwright.sync_api import Page, Route, expect

from puntobanco.game_files import load_game
from puntobanco.odds.par import par_sheet
from puntobanco.odds.par_report import sheet_json
from puntobanco.rules.games import GAMES, SIX_STAR
from puntobanco_floor.web.request import STAFF_COOKIE
from tests.browser.axe import serious_findings
from tests.browser.guest import Guest
from tests.browser.test_at_the_table import OWN_GAME, OWN_TABLE
from tests.support.served import Served, api, staff_tokens

SIZE = (1440, 900)
SMALL = ((390, 844), (720, 450))  # a telephone, and 1440 x 900 at 200 %


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"))
    yield found
    found.stop()


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Open to everybody, with a table of a game of one's own."""
    found = Served(
        tmp_path_factory.mktemp("public"), "--demo", "--odds-lab", "public", "--game", str(OWN_GAME)
    )
    table = {"number": OWN_TABLE, "game": load_game(OWN_GAME).id, "physical": True}
    assert (
        api(found, "POST", "/api/admin/tables", staff_tokens(found, "ada")["ada"], table)[0] == 201
    )
    yield found
    found.stop()


def tab_of(guest: Guest, tab: str, more: str = "") -> Page:
    """One of the other tabs, by its address."""
    log_in(guest)
    guest.page.goto(f"/odds?tab={tab}{more}")
    expect(guest.page.get_by_role("tab", selected=True)).to_have_attribute("data-tab", tab)
    return guest.page


def deal(page: Page, *, seed: str = "7", rounds: str = "100000", cut: str = "") -> None:
    page.get_by_label("Rounds").select_option(rounds)
    page.get_by_label("Seed", exact=True).fill(seed)
    page.get_by_label("Cut card").fill(cut)
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".verdict")).to_be_visible()  # a kernel that is new is compiled


def log_in(guest: Guest) -> None:
    """As a cashier: any role may look."""
    token = staff_tokens(guest.floor, "carl")["carl"]
    guest.context.add_cookies([{"name": STAFF_COOKIE, "value": token, "url": guest.floor.address}])


def opened(guest: Guest, address: str = "/odds") -> Page:
    log_in(guest)
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
                expect(rows).to_contain_text(
                    f"{line.probability.numerator}/{line.probability.denominator}"
                )
    tie = page.locator('.par tbody[data-bet="tie"]')
    expect(tie).to_contain_text("11.7649%")
    page.get_by_label("Tie stake").focus()
    page.keyboard.press("Home")
    expect(tie).to_contain_text("−11.1586%")
    expect(page.get_by_role("img", name="your stake $1: −11.1586%")).to_be_visible()
    page.get_by_role("button", name="Fortune Six").click()
    expect(
        page.get_by_role("img", name="Fortune Six: loses, net −1 with probability 0.946125")
    ).to_be_visible()
    expect(page.get_by_role("img", name="6 −0.4113%")).to_be_visible()
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.get_by_role("heading", name="4 decks, 260 cards")).to_be_visible()
    expect(page.get_by_text("Element Bonus: returns less than 75 % to patrons")).to_be_visible()
    assert "game=six-star&decks=4&bet=fortune-six&stake=1" in page.url
    page.reload()
    expect(page.get_by_role("heading", name="4 decks, 260 cards")).to_be_visible()
    expect(page.locator(".par tbody.chosen")).to_have_attribute("data-bet", "fortune-six")


def test_every_chart_has_a_table_and_every_game_a_sheet(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
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
        expect(page.get_by_role("group", name="Decks of").get_by_role("button")).to_have_count(
            len(game.decks)
        )
        expect(page.get_by_label("Tie stake")).to_have_count(1 if game is SIX_STAR else 0)
        expect(page.locator("svg[role=img]")).to_have_count(4)


def test_a_download_is_the_command_lines_file(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = opened(guest_of(floor, SIZE), "/odds?game=rapid&decks=6")
    for form in ("JSON", "CSV", "PDF"):
        with page.expect_download() as saved:
            page.get_by_role("button", name=form).click()
        assert saved.value.suggested_filename == f"par-rapid-6-decks.{form.lower()}"
        if form == "JSON":
            told = json.loads(saved.value.path().read_text("utf-8"))
            made = date.fromisoformat(told["made"])
            assert told == sheet_json(par_sheet(GAMES["rapid"], 6), made=made)
        expect(page.get_by_role("status")).to_contain_text("Saved")


@pytest.mark.parametrize("size", SMALL, ids=["telephone", "200 %"])
def test_it_is_usable_on_a_small_screen(
    guest_of: Callable[..., Guest], floor: Served, size: tuple[int, int]
) -> None:
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


def test_on_a_small_laptop_no_column_of_a_sheet_is_cut(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = opened(guest_of(floor, (1366, 768)))
    cut = dict[str, int]()
    for game in GAMES.values():
        page.goto(f"/odds?game={game.id}")
        expect(page.locator(".par tbody[data-bet]")).to_have_count(len(game.bets))
        over = "(one) => one.scrollWidth - one.clientWidth"
        cut[game.id] = page.locator(".scroll:has(> .par)").evaluate(over)
    assert cut == dict.fromkeys(GAMES, 0)


def test_tabs_are_walked_with_the_arrows_and_kept_in_the_address(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = opened(guest_of(floor, SIZE))
    page.get_by_role("tab", name="Par sheet").focus()
    for key, name, heading in (
        ("ArrowRight", "compare", "House edge of every game, 8 decks"),
        ("End", "method", "How the exact figures are computed"),
        ("ArrowLeft", "simulation", "Simulated and exact"),
        ("Home", "par", "Par sheet, 8 decks"),
    ):
        page.keyboard.press(key)
        chosen = page.get_by_role("tab", selected=True)
        expect(chosen).to_have_attribute("data-tab", name)
        expect(chosen).to_be_focused()
        expect(page.get_by_role("tabpanel").get_by_role("heading", name=heading)).to_be_visible()
        assert ("tab=" in page.url) == (name != "par")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("heading", name="How it is checked")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="How it is checked")).to_be_visible()


def test_games_side_by_side_have_the_par_sheets_figures_and_say_best_and_worst(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = tab_of(guest_of(floor, SIZE), "compare", "&decks=8&stake=10")
    rows = page.locator(".cmp tbody tr")
    expect(rows).to_have_count(7)
    for at, game in enumerate(GAMES.values(), 1):
        for odds in par_sheet(game, 8).bets:
            cell = (
                rows.filter(has=page.get_by_role("rowheader", name=odds.bet.title.en))
                .locator("td")
                .nth(at - 1)
            )
            edge = -odds.ev_at(Fraction(10)) if odds.bonus else -odds.ev
            expect(cell).to_contain_text(f"{float(edge) * 100:.4f}%")
            expect(cell).to_contain_text(f"{edge.numerator}/{edge.denominator}")
    player = rows.filter(has=page.get_by_role("rowheader", name="Player", exact=True)).locator("td")
    expect(player.nth(0)).to_contain_text("best")
    expect(player.nth(1)).to_contain_text("worst")
    expect(page.locator(".extremes")).to_contain_text("Best of all: Player at 6 Star")
    page.get_by_role("button", name="Hit rate").click()
    page.get_by_role("button", name="SD").click()
    expect(player.nth(0)).to_contain_text("hit rate 44.623% · SD 0.952")
    page.get_by_label("Tie stake").select_option("100")
    expect(page.locator(".extremes")).to_contain_text(
        "Best of all: Tie at 6 Star No Commission Baccarat, −11.1586%"
    )
    page.get_by_role("button", name="9", exact=True).click()
    expect(page.locator(".refused")).to_contain_text(
        "super-six-plus is played with 4 to 8 decks, not 9 2.2.1"
    )
    expect(page.get_by_role("img", name="House edge by game at 9 decks")).to_be_visible()
    page.keyboard.press("t")
    expect(page.get_by_role("region", name="House edge by game, table")).to_be_visible()
    assert page.url.endswith("?tab=compare&decks=9&stake=1")


def test_shoes_are_dealt_and_judged_and_the_same_seed_gives_the_same(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = tab_of(guest_of(floor, SIZE), "simulation", "&game=rapid&decks=8")
    expect(page.get_by_text("50,000,000 rounds at most")).to_be_visible()
    deal(page)
    expect(page.locator(".verdict")).to_contain_text("The simulation agrees with the exact odds")
    expect(page.get_by_role("heading", name="8 decks, seed 7")).to_be_visible()
    table = page.get_by_role("region", name="Simulated and exact edges")
    for odds in par_sheet(GAMES["rapid"], 8).bets:
        row = table.get_by_role("row").filter(
            has=page.get_by_role("rowheader", name=odds.bet.title.en, exact=True)
        )
        expect(row).to_contain_text(f"{float(-odds.ev) * 100:.4f}%")
        expect(row).to_contain_text(re.compile("agrees: [0-9.]+% of fair runs"))
    first = table.inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="JSON").click()
    file = json.loads(saved.value.path().read_text("utf-8"))
    assert saved.value.suggested_filename == "simulation-rapid-8-decks-seed-7.json"
    assert (file["rounds"], file["seed"], file["passed"]) == (100_031, 7, True)
    for line in file["bets"][0]["lines"]:
        expect(page.get_by_role("region", name="Every line")).to_contain_text(f"{line['count']:,}")
    page.get_by_role("button", name="New seed").click()
    expect(page.get_by_label("Seed", exact=True)).not_to_have_value("7")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.get_by_role("heading", name=re.compile("seed (?!7$)"))).to_be_visible()
    assert table.inner_text() != first
    deal(page, seed="7")
    expect(page.get_by_role("heading", name=re.compile("seed 7$"))).to_be_visible()
    assert table.inner_text() == first
    page.locator("h1, h2").first.click()
    page.keyboard.press("t")
    expect(
        page.get_by_role("region", name="How far off, in standard errors, table")
    ).to_be_visible()
    deal(page, cut="14")
    expect(page.locator(".verdict")).to_contain_text("not judged")
    assert "rounds=100000&seed=7&cut=14" in page.url


def test_what_the_simulator_refuses_is_said(guest_of: Callable[..., Guest], floor: Served) -> None:
    guest = guest_of(floor, SIZE)
    page = tab_of(guest, "simulation", "&game=rapid&seed=x")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.locator(".wrong").first).to_contain_text(
        "a seed is a whole number from 0 to 18446744073709551615"
    )
    said = "the odds lab is busy; ask again in a few seconds"
    busy = {"code": "lab-is-busy", "reason": {"en": said, "zh": said}, "clause": ""}
    page.route("**/simulation?**", lambda route: route.fulfill(status=503, json=busy))
    page.get_by_label("Seed", exact=True).fill("7")
    page.get_by_role("button", name="Deal", exact=True).click()
    expect(page.get_by_text(said).first).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".verdict")).to_be_visible()
    guest.faults = [fault for fault in guest.faults if "503" not in fault]


def test_the_method_is_of_the_game_and_decks_that_are_chosen(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = tab_of(guest_of(floor, SIZE), "method", "&game=super-six-plus&decks=6")
    expect(page.get_by_text("rws-super-six-plus-2019-05-10").first).to_be_visible()
    expect(page.get_by_text("6 whole decks of 52 cards")).to_be_visible()
    edge = -par_sheet(GAMES["super-six-plus"], 6).bet("banker").ev
    expect(page.get_by_role("region", name="A sum in full", exact=True)).to_contain_text(
        f"-{edge.numerator}/{edge.denominator}"
    )
    page.get_by_role("button", name="4", exact=True).click()
    expect(page.get_by_text("4 whole decks of 52 cards")).to_be_visible()


@pytest.mark.parametrize("size", [*SMALL, SIZE], ids=["telephone", "200 %", "desk"])
def test_every_tab_fits_the_screen(
    guest_of: Callable[..., Guest], floor: Served, size: tuple[int, int]
) -> None:
    guest = guest_of(floor, size)
    page = tab_of(guest, "compare")
    expect(page.locator(".cmp tbody tr")).to_have_count(7)
    assert guest.fits()
    for name in ("Method", "Simulation"):
        page.get_by_role("tab", name=name).click()
        expect(page.get_by_role("tab", name=name)).to_have_attribute("aria-selected", "true")
        assert guest.fits()
    deal(page)
    assert guest.fits()
    tall = page.evaluate("document.documentElement.scrollHeight")
    assert size != SIZE or tall <= size[1]


def test_a_stranger_reads_the_public_lab_with_a_designers_own_game(
    guest_of: Callable[..., Guest], public: Served
) -> None:
    """Nobody is logged in; the bar has no way to the staff's screens."""
    page = guest_of(public, SIZE).page
    own = load_game(OWN_GAME)
    page.goto(f"/odds?game={own.id}")
    expect(page.locator(".par tbody[data-bet]")).to_have_count(len(own.bets))
    expect(page.get_by_role("link")).to_have_count(0)
    for odds in par_sheet(own, 8).bets:
        expect(page.locator(f'.par tbody[data-bet="{odds.bet.id}"]')).to_contain_text(
            f"{float(-odds.ev) * 100:.4f}%"
        )
    page.get_by_role("tab", name="Compare games").click()
    last = page.locator(".cmp tbody tr").filter(has_text="Suited Player").locator("td").last
    expect(last).to_contain_text("only here")
    assert serious_findings(page) == []
    page.get_by_role("tab", name="Simulation").click()
    expect(
        page.get_by_text("1,000,000 rounds at most: this lab is open to everybody.")
    ).to_be_visible()
    deal(page)
    expect(page.get_by_role("region", name="Simulated and exact edges")).to_contain_text(
        "Big Banker"
    )
    page.get_by_role("tab", name="Method").click()
    expect(page.get_by_role("region", name="Clauses and readings")).to_contain_text(
        "Suited Player wins 3 to 1"
    )
    assert serious_findings(page) == []


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
    said = "the odds lab is busy; ask again in a few seconds"
    busy = {"code": "lab-is-busy", "reason": {"en": said, "zh": said}, "clause": ""}
    page.route("**/decks/6", lambda route: route.fulfill(status=503, json=busy))
    page.get_by_role("button", name="6", exact=True).click()
    expect(page.get_by_text(said)).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", name="6 decks, 390 cards")).to_be_visible()
    assert all("503" in fault for fault in guest.faults)
    guest.faults.clear()


def test_a_tab_chosen_before_the_games_are_known_is_filled_when_they_are(
    guest_of: Callable[..., Guest], public: Served
) -> None:
    guest = guest_of(public, SIZE)
    page = guest.page
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/api/odds/games", hold)
    page.goto("/odds")
    page.get_by_role("tab", name="Method").click()
    expect(page.get_by_role("tab", selected=True)).to_have_attribute("data-tab", "method")
    held[0].continue_()
    expect(page.locator("#panel .col").first).to_be_visible()
