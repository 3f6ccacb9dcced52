"""The lobby in a real browser: every table as the API has it, in two languages, on a wide screen and a telephone."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import expect

from puntobanco import GAMES
from tests.browser.guest import Guest
from tests.browser.test_display import dealer
from tests.support.served import Served, api
from tests.support.staffing import login_real
from tests.web.test_house import command, init_house

TOUCH_PX = 56
compact = partial(json.dumps, separators=(",", ":"))


def test_the_lobby_shows_every_table_marked_demo_and_leads_to_it(guests: list[Guest]) -> None:
    for guest in guests:
        guest.page.goto("/")
        tiles = guest.page.locator("article[data-key^=table]")
        expect(tiles).to_have_count(len(GAMES) + 1)
        expect(guest.page.get_by_text("DEMO", exact=True)).to_be_visible()
        assert guest.fits(), guest.size
        for number, there in enumerate(guest.api("/api/tables"), 1):
            tile = tiles.nth(number - 1)
            link = tile.get_by_role(
                "link", name=f"Sit down, table {number}: {there['title']['en']}"
            )
            expect(link).to_have_attribute("href", f"/tables/{number}#sit")
            expect(tile.locator(".v")).to_contain_text(
                f"Table {number} · {there['rules'][:3].upper()} rules, "
            )
        small = guest.page.eval_on_selector_all(
            "a, button", "all => all.map((x) => [x.offsetWidth, x.offsetHeight]).flat()"
        )
        assert min(small) >= TOUCH_PX, guest.size
        tiles.nth(3).get_by_role("link", name="Overhead display of table 4").click()
        expect(guest.page).to_have_url(f"{guest.floor.address}/tables/4/display")
        expect(guest.page.locator("h1")).to_contain_text("Sands Elements")


def test_a_dealt_round_is_followed_in_both_languages(guests: list[Guest], floor: Served) -> None:
    deal = dealer(floor)
    for guest in guests:
        guest.page.goto("/")
    steps: list[tuple[tuple[str, ...], str, str]] = [
        (("open-bets",), "Place your bets, please", "請投注"),
        (("close-bets", "9s", "2h"), "No more bets", "截止投注"),
        (("8d", "4c", "settle"), "Player wins, 7 over 6", "閒贏，7 點對 6 點"),
    ]
    for commands, english, chinese in steps:
        deal(*commands)
        for guest in guests:
            tile = guest.page.locator(f"[data-key='table:{floor.table}']")
            expect(tile.locator(".now .pill")).to_have_text(english)
            guest.page.get_by_role("button", name="繁體中文").click()
            expect(tile.locator(".now .pill")).to_have_text(chinese)
            assert guest.fits(), guest.size
            guest.page.get_by_role("button", name="English").click()
    there = api(floor, "GET", f"/api/tables/{floor.table}")[1]
    for guest in guests:
        tile = guest.page.locator(f"[data-key='table:{floor.table}']")
        counts = {
            side: tile.locator(f"[data-count={side}]").inner_text()
            for side in ("banker", "player", "tie")
        }
        assert counts == {side: str(there["counts"][side]) for side in counts}
        expect(tile.locator("pb-road")).to_have_attribute("cells", compact(there["roads"]["big"]))
        expect(tile.locator(".round")).to_contain_text(f"round {there['round']}")


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("real")
    init_house(folder / "floor.db")
    command(folder / "floor.db", "table", "add", "1", "fortune-six", "--dealer")
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


def test_a_device_that_is_not_enrolled_sees_tables_and_how_to_enrol(
    real: Served, guest_of: Callable[..., Guest]
) -> None:
    guest = guest_of(real)
    guest.page.goto("/")
    expect(guest.page.get_by_role("status")).to_contain_text("This screen is not enrolled")
    expect(guest.page.get_by_role("link", name="Enter the code")).to_have_attribute(
        "href", "/enrol"
    )
    expect(guest.page.get_by_role("link", name="Look, table 1")).to_be_visible()
    expect(guest.page.get_by_text("DEMO")).to_have_count(0)
    root = login_real(real, "admin", "long enough words")
    code = api(real, "POST", "/api/admin/terminals", root, {"name": "T1", "table": 1})[1]["secret"]
    assert guest.context.request.post("/api/enrol", data={"code": code}).ok
    guest.page.reload()
    expect(guest.page.get_by_text("Terminal T1")).to_be_visible()
    expect(guest.page.get_by_role("link", name="Sit down, table 1")).to_be_visible()
    expect(guest.page.get_by_text("not enrolled")).to_have_count(0)
