"""From table to table in a real browser: one tap to sit, one to move with all credits, and a Leave that leaves."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.guest import NUMBER, Guest, money
from tests.support.served import Served, api
from tests.support.staffing import login_real
from tests.web.test_house import command, init_house


def sit_down(guest: Guest, table: int) -> None:
    """One tap in the lobby; at the table there is nothing more to tap."""
    guest.page.goto("/")
    guest.page.get_by_role("link", name=f"Sit down, table {table}:").click()
    expect(guest.meter("credits")).to_have_text("$1,000.00")
    expect(guest.page.get_by_role("button", name="Take a seat")).to_have_count(0)
    expect(guest.page).to_have_url(f"{guest.floor.address}/tables/{table}")


def test_sit_bet_move_and_leave_each_by_one_tap(guests: list[Guest]) -> None:
    for guest in guests:
        page = guest.page
        sit_down(guest, 5)
        expect(guest.spot("banker")).to_have_attribute("aria-disabled", "false")
        guest.spot("banker").click()
        guest.has("banker", 1_000)
        page.goto("/")
        mine = page.get_by_role("region", name="Your table: 5")
        expect(mine.get_by_role("button", name="Leave after this round")).to_be_disabled()
        move = page.get_by_role("button", name="Move here, table 2:")
        expect(move).to_be_disabled()
        expect(move).to_be_enabled()  # when the round is over
        cents = int(guest.at(5)["balance_cents"])
        expect(mine.locator("[data-credits]")).to_have_text(money(cents))
        assert guest.fits(), guest.size
        move.click()
        expect(page).to_have_url(f"{guest.floor.address}/tables/2")
        expect(guest.meter("credits")).to_have_text(money(cents))
        assert [seat["table"] for seat in guest.api("/api/me")["tables"]] == ["table:2"]
        guest.act("leave")
        sheet = page.get_by_role("dialog")
        expect(sheet).to_contain_text(f"You have {money(cents)}. Cash out, or take it to another")
        expect(sheet.get_by_role("link", name="Move to another table")).to_have_attribute(
            "href", "/"
        )
        sheet.get_by_role("button", name="Cash out").click()
        page.get_by_role("button", name="Print the voucher").click()
        expect(page.locator("[data-paper=number]")).to_have_text(NUMBER)
        page.get_by_role("button", name="I have it").click()
        page.goto("/")
        expect(page.get_by_role("link", name="Sit down, table 5:")).to_be_visible()
        expect(page.get_by_text("Your table")).to_have_count(0)


def test_a_move_by_the_keyboard_alone(guest_of: Callable[..., Guest], floor: Served) -> None:
    guest = guest_of(floor)
    page, keys = guest.page, guest.page.keyboard
    page.goto("/")
    page.get_by_role("link", name="Sit down, table 4:").focus()
    keys.press("Enter")
    expect(guest.meter("credits")).to_have_text("$1,000.00")
    page.goto("/")
    page.get_by_role("button", name="Move here, table 3:").focus()
    keys.press("Enter")
    expect(page).to_have_url(f"{floor.address}/tables/3")
    expect(guest.meter("credits")).to_have_text("$1,000.00")
    page.goto("/")
    mine = page.get_by_role("region", name="Your table: 3")
    mine.get_by_role("button", name="Leave").focus()
    keys.press("Enter")
    mine.get_by_role("link", name="Cash out").focus()
    keys.press("Enter")
    expect(page.get_by_role("dialog")).to_contain_text("Cash out $1,000.00?")
    expect(page.get_by_role("button", name="Print the voucher")).to_be_focused()
    keys.press("Enter")
    expect(page.locator("[data-paper=number]")).to_have_text(NUMBER)


def test_the_lobby_says_it_in_chinese_and_why_a_table_takes_nobody(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    guest = guest_of(floor)
    page = guest.page
    sit_down(guest, 1)
    page.goto("/")
    page.get_by_role("button", name="繁體中文").click()
    mine = page.get_by_role("region", name="你的賭枱：1")
    expect(mine).to_contain_text("$1,000.00 餘額")
    expect(page.get_by_role("button", name="轉到此賭枱，賭枱 2")).to_be_enabled()
    mine.get_by_role("button", name="離座").click()
    expect(mine).to_contain_text("請兌現，或在另一賭枱按「轉到此賭枱」")
    mine.get_by_role("button", name="留座").click()
    expect(mine.get_by_role("button", name="離座")).to_be_visible()


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("real")
    database = folder / "floor.db"
    init_house(database)
    for number in ("1", "2"):
        command(database, "table", "add", number, "fortune-six", "--dealer")
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


def test_who_has_no_credits_leaves_at_once_and_sits_elsewhere_by_one_tap(
    real: Served, guest_of: Callable[..., Guest]
) -> None:
    root = login_real(real, "admin", "long enough words")
    code = api(real, "POST", "/api/admin/terminals", root, {"name": "T1"})[1]["secret"]
    guest = guest_of(real)
    page = guest.page
    assert guest.context.request.post("/api/enrol", data={"code": code}).ok
    page.goto("/")
    page.get_by_role("link", name="Sit down, table 1:").click()
    expect(guest.meter("credits")).to_have_text("$0.00")
    page.goto("/")
    page.get_by_role("button", name="Move here, table 2:").click()
    expect(page).to_have_url(f"{real.address}/tables/2")
    expect(guest.meter("credits")).to_have_text("$0.00")
    assert [seat["table"] for seat in guest.api("/api/me")["tables"]] == ["table:2"]
    guest.act("leave")
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(page).to_have_url(f"{real.address}/")
    expect(page.get_by_role("link", name="Sit down, table 1:")).to_be_visible()
    assert guest.api("/api/floor")["session"]
