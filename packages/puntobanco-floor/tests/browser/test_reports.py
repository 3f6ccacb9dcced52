"""An auditor reads the reports in a real browser: figures as the API has them, in two languages, by day, and on paper."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from puntobanco_floor.web.request import STAFF_COOKIE
from tests.browser.guest import Guest
from tests.support.rounds import three_rounds
from tests.support.served import Served, api, staff_tokens

Come = Callable[[Served, tuple[int, int]], Guest]
PHONE, DESK = (390, 844), (1440, 900)


@pytest.fixture(scope="module")
def tokens(floor: Served) -> dict[str, str]:
    found = staff_tokens(floor, "otto", "dora", "sam", "sue", "carl", "ada")
    three_rounds(floor, found)
    return found


@pytest.fixture
def come(floor: Served, guest_of: Come, tokens: dict[str, str]) -> Callable[..., Guest]:
    def staffed(who: str, size: tuple[int, int] = DESK) -> Guest:
        guest = guest_of(floor, size)
        guest.context.add_cookies(
            [{"name": STAFF_COOKIE, "value": tokens[who], "url": floor.address}]
        )
        return guest

    return staffed


def opened(guest: Guest, path: str = "/staff/reports") -> Page:
    guest.page.goto(path)
    expect(guest.page.locator(".head h2")).to_be_visible()
    return guest.page


def test_a_day_is_read_as_the_api_has_it_and_printed(
    come: Callable[..., Guest], floor: Served, tokens: dict[str, str]
) -> None:
    page = opened(come("otto"))
    expect(page.locator(".head h2")).to_contain_text("Daily report")
    expect(page.locator(".head .ok")).to_contain_text("Ties out to the ledger")
    found = api(floor, "GET", "/api/staff/reports/daily", tokens["otto"])[1]
    played = [row for row in found["games"] if row["table"] == f"table:{floor.table}"]
    row = page.locator("#games tbody tr", has_text=f"Table {floor.table}").first
    expect(row.locator("td").nth(4)).to_have_text(f"${played[0]['wagered_cents'] / 100:,.2f}")
    assert page.locator("#events tbody tr").count() <= len(found["events"])
    page.emulate_media(media="print")
    for hidden in (".staffbar", ".ask"):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator("#games")).to_be_visible()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgb(255, 255, 255)"
    assert page.pdf(prefer_css_page_size=True).startswith(b"%PDF")


def test_another_kind_and_another_day_are_in_the_address(
    come: Callable[..., Guest], floor: Served
) -> None:
    page = opened(come("ada"))
    today = page.locator("#day").input_value()
    page.get_by_role("button", name="The day before").click()
    expect(page.locator("#day")).not_to_have_value(today)
    expect(page.locator("#games")).to_contain_text("No activity")
    yesterday = page.locator("#day").input_value()
    page.get_by_role("button", name="Month", exact=True).click()
    expect(page.locator(".head h2")).to_contain_text("Month to date")
    expect(page).to_have_url(f"{floor.address}/staff/reports?kind=month&day={yesterday}")
    page.reload()
    expect(page.locator(".head h2")).to_contain_text("Month to date")
    expect(page.locator("#day")).to_have_value(yesterday)
    expect(page.get_by_role("button", name="The day after")).to_be_enabled()


def test_it_is_read_in_chinese_on_a_telephone_too(come: Callable[..., Guest]) -> None:
    guest = come("sam", PHONE)
    page = opened(guest)
    page.locator("[data-act=language][data-lang=zh]").click()
    expect(page.locator(".head h2")).to_contain_text("日報")
    expect(page.locator("#events h2")).to_have_text("重要事項")
    assert guest.fits()


def test_a_cashier_sees_what_is_owed_and_nothing_else(come: Callable[..., Guest]) -> None:
    page = opened(come("carl"))
    expect(page.locator(".head h2")).to_contain_text("Voucher liability")
    expect(page.locator("[data-act=kind]")).to_have_count(1)


@pytest.mark.parametrize(("who", "home"), [("sam", "pit"), ("otto", "audit"), ("ada", "admin")])
def test_pit_audit_and_administration_lead_to_it(
    come: Callable[..., Guest], who: str, home: str
) -> None:
    page = come(who).page
    page.goto(f"/staff/{home}")
    page.get_by_role("link", name="Reports").click()
    expect(page.locator(".head h2")).to_contain_text("Daily report")


def test_who_is_not_logged_in_is_asked_to(guest_of: Come, floor: Served) -> None:
    guest = guest_of(floor, DESK)
    guest.page.goto("/staff/reports")
    guest.page.wait_for_url("**/staff?next=*")
    guest.faults.clear()  # the browser's own words for an answer of 401
