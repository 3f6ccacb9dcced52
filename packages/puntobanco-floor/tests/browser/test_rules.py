"""The rules of a table on a page of their own: for everybody, in both languages, at a clause, and on paper."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.guest import Guest
from tests.support.served import Served

Come = Callable[..., Guest]


def test_the_lobby_leads_to_the_rules_of_every_game(guest_of: Come, floor: Served) -> None:
    page = guest_of(floor).page
    page.goto("/")
    ways = page.get_by_role("navigation", name="Rules").get_by_role("link")
    expect(ways).to_have_text(
        ["6 Star", "Fortune Six", "Super Six Plus", "Sands Elements", "Rapid"]
    )
    ways.nth(2).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "Non-Commission Baccarat with Super Six Plus"
    )
    expect(page).to_have_title("Non-Commission Baccarat with Super Six Plus · Rules · Table 3")
    there = page.request.get("/api/tables/3/rules").json()
    expect(page.locator(".rules table:has(th.r) tbody tr")).to_have_count(
        sum(len(section["rows"]) for section in there["sections"])
    )
    page.get_by_role("button", name="繁體中文").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("超級六 Plus 免佣百家樂")
    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    page.get_by_role("link", name="前往賭枱").click()
    expect(page).to_have_url(f"{floor.address}/tables/3")


def test_a_clause_in_the_address_is_shown_and_another_follows(
    guest_of: Come, floor: Served
) -> None:
    for size in ((1280, 800), (390, 844)):
        guest = guest_of(floor, size)
        guest.page.goto("/tables/1/rules#reading%203")
        here = guest.page.locator("tr.here")
        expect(here).to_have_count(1)
        expect(here).to_contain_text("The Tie Bonus comes on top of 8 to 1.")
        expect(here).to_be_in_viewport()
        guest.page.goto("/tables/1/rules#5.2")
        expect(here.locator(".clause")).to_have_text("5.2")
        expect(here).to_be_in_viewport()
        guest.page.goto("/tables/1/rules#%E0%A4%A")  # no clause at all
        expect(here).to_have_count(0)
        assert guest.fits()


def test_on_paper_there_is_nothing_to_press(guest_of: Come, floor: Served) -> None:
    page = guest_of(floor).page
    page.goto("/tables/2/rules")
    page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")
    page.get_by_role("button", name="Print").click()
    assert page.evaluate("window.printed") == 1
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name="Print")).to_be_hidden()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".rules table").first).to_be_visible()


def test_a_table_that_is_not_there_is_said_not_to_be(guest_of: Come, floor: Served) -> None:
    guest = guest_of(floor)
    guest.page.goto("/tables/99/rules")
    expect(guest.page.get_by_role("heading")).to_have_text("There is no such page")
    guest.faults.clear()  # the browser itself writes down an answer of 404
