"""The administration in a browser: tables, staff, terminals and exclusions, with refusals in words beside their field."""

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.clerk import Clerk
from tests.browser.guest import Guest
from tests.support.served import Served, api
from tests.support.staffing import enrol_staff

SIZE = (1440, 900)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"), betting_ms=1_500, pause_ms=800)
    yield found
    found.stop()


@pytest.fixture
def ada(guest_of: Callable[..., Guest], floor: Served) -> Clerk:
    found = Clerk(guest_of(floor, SIZE), "ada")
    found.page.goto("/staff/admin")
    expect(found.page.locator("table.rows")).to_be_visible()
    return found


def test_a_table_is_opened_its_limits_changed_stopped_and_started(ada: Clerk) -> None:
    page = ada.page
    page.get_by_role("button", name="Open a table").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Table number").fill("1")
    dialog.get_by_role("button", name="Open the table").click()
    expect(dialog).to_contain_text("Table 1 is open already.")
    dialog.get_by_label("Table number").fill("7")
    dialog.get_by_label("Game").select_option("rapid")
    dialog.get_by_text("Clock", exact=True).click()
    dialog.get_by_label("Betting, seconds").fill("1")
    dialog.get_by_label("Between rounds, seconds").fill("1")
    dialog.get_by_role("button", name="Open the table").click()
    seventh = page.locator("table.rows tbody tr", has_text="Table 7")
    expect(seventh).to_contain_text("Rapid")
    expect(seventh).to_contain_text("$10 to $5,000")

    page.get_by_role("button", name="Limits, table 7").click()
    dialog.get_by_label("Player, minimum").fill("7000")
    dialog.get_by_role("button", name="Change the limits").click()
    expect(dialog).to_contain_text(
        "Player: a minimum is more than zero and no more than the maximum"
    )
    dialog.get_by_label("Player, minimum").fill("20")
    dialog.get_by_role("button", name="Change the limits").click()
    expect(dialog).to_have_count(0)
    expect(seventh).to_contain_text(
        "$20 to $5,000"
    )  # at once between rounds, else when the round is over
    ada.refusals()  # a round that opened as the page asked: it asks again
    bets = api(ada.floor, "GET", "/api/tables/7")[1]["bets"]
    assert next(bet for bet in bets if bet["bet"] == "player")["limits"]["min_cents"] == 2_000

    page.get_by_role("button", name="Stop, table 7").click()
    dialog.get_by_label("Cause").select_option("table-prepared")
    dialog.get_by_label("Note").fill("new felt")
    dialog.get_by_role("button", name="Stop the table").click()
    expect(seventh).to_contain_text("Stopped: the table is being made ready, “new felt”")
    page.get_by_role("button", name="Start, table 7").click()
    dialog.get_by_role("button", name="Start the table").click()
    expect(seventh).not_to_contain_text("Stopped")


def test_a_terminal_is_added_and_enrolled_with_the_code_that_is_shown_once(ada: Clerk) -> None:
    page = ada.page
    page.get_by_role("button", name="Terminals").click()
    page.get_by_role("button", name="Add a terminal").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("no spaces")
    dialog.get_by_role("button", name="Add, and show the code").click()
    expect(dialog).to_contain_text(
        "Letters, digits, dot, hyphen and underscore; a letter or digit first."
    )
    dialog.get_by_label("Name").fill("T-07")
    dialog.get_by_label("Stands at").select_option("2")
    dialog.get_by_role("button", name="Add, and show the code").click()
    code = page.locator("#secret").inner_text()
    expect(dialog).to_contain_text("It is shown this once.")
    page.keyboard.press("Escape")  # not so easily lost
    expect(page.locator("#secret")).to_be_visible()
    page.get_by_role("button", name="put it away").click()
    device = page.locator("table.rows tbody tr", has_text="T-07")
    expect(device).to_contain_text("Waits for its code")
    assert code not in page.content()
    assert api(ada.floor, "POST", "/api/enrol", body={"code": code})[0] in (200, 201)
    expect(device).to_contain_text("Enrolled")
    expect(device).to_contain_text("Table 2")
    page.get_by_role("button", name="Disable, T-07").click()
    dialog.get_by_label("Reason").fill("a broken glass")
    dialog.get_by_role("button", name="Disable T-07").click()
    expect(device).to_contain_text("a broken glass")


def test_somebody_is_added_who_can_log_in_and_is_disabled(
    ada: Clerk, guest_of: Callable[..., Guest]
) -> None:
    page = ada.page
    page.get_by_role("button", name="Staff").click()
    page.get_by_role("button", name="Add somebody").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Name").fill("store")
    dialog.get_by_role("button", name="Add, and show the code").click()
    expect(dialog.locator("#f-name-wrong")).to_contain_text(
        "store is a name that the house has for itself"
    )
    assert len(ada.refusals()) == 1
    dialog.get_by_label("Name").fill("nina")
    dialog.get_by_label("Role").select_option("supervisor")
    dialog.get_by_role("button", name="Add, and show the code").click()
    code = page.locator("#secret").inner_text()
    enrol_staff(ada.floor, "nina", code)
    page.get_by_role("button", name="put it away").click()
    nina = Clerk(guest_of(ada.floor, SIZE), "nina", "own words of nina")
    nina.page.goto("/staff/admin")
    expect(nina.page.get_by_role("button", name="Staff")).to_have_count(0)
    expect(nina.page.locator("table.rows")).to_contain_text("Table 1")
    person = page.locator("table.rows tbody tr", has_text="nina")
    page.get_by_role("button", name="Role, nina").click()
    dialog.get_by_label("Role").select_option("auditor")
    dialog.get_by_role("button", name="Change the role").click()
    expect(person).to_contain_text("auditor")
    page.get_by_role("button", name="Disable, nina").click()
    dialog.get_by_label("Reason").fill("has left")
    dialog.get_by_role("button", name="Disable nina").click()
    expect(person).to_contain_text("has left")
    page.get_by_role("button", name="Disable, ada").click()
    dialog.get_by_label("Reason").fill("has left too")
    dialog.get_by_role("button", name="Disable ada").click()
    expect(dialog).to_contain_text("ada is the only administrator; add another one first")
    assert len(ada.refusals()) == 1
    nina.refusals()  # the page of somebody who is disabled goes to the login


def test_a_patron_is_excluded_and_readmitted(ada: Clerk) -> None:
    page = ada.page
    page.get_by_role("button", name="Exclusions").click()
    expect(page.get_by_text("Nobody is excluded")).to_be_visible()
    page.get_by_role("button", name="Exclude a patron").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Patron").fill("card-88")
    dialog.get_by_label("Reason").fill("asked for it")
    dialog.get_by_label("Until").fill("2020-01-01T00:00")
    dialog.get_by_role("button", name="Exclude", exact=True).click()
    expect(dialog).to_contain_text("A moment that is still to come.")
    dialog.get_by_label("Until").fill("")
    dialog.get_by_role("button", name="Exclude", exact=True).click()
    expect(page.locator("table.rows")).to_contain_text(re.compile("p-[2-9a-z]{8}"))
    expect(page.locator("table.rows")).not_to_contain_text("card-88")
    page.get_by_role("button", name="End the exclusion of p-").click()
    dialog.get_by_label("I have checked").check()
    dialog.get_by_role("button", name="End the exclusion").click()
    expect(page.get_by_text("Nobody is excluded")).to_be_visible()


def test_it_fits_narrow_and_at_double_size(guest_of: Callable[..., Guest], floor: Served) -> None:
    for size in ((1024, 768), (720, 450)):
        guest = guest_of(floor, size)
        Clerk(guest, "ada").page.goto("/staff/admin")
        expect(guest.page.locator("table.rows")).to_be_visible()
        assert guest.fits(), size
        guest.page.get_by_role("button", name="Settings").click()
        expect(guest.page.locator("table.rows")).to_contain_text("voucher_days")
        assert guest.fits(), size
