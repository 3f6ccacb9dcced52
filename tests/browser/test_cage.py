"""A cashier and a supervisor at a cage window, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from puntobanco.web.safety import STAFF_COOKIE
from tests.browser.clerk import press, tab
from tests.browser.guest import Guest
from tests.served import Served, api, staff_tokens

Come = Callable[[Served, tuple[int, int]], Guest]


def logged_in(guest: Guest, token: str, path: str) -> Page:
    guest.context.add_cookies([{"name": STAFF_COOKIE, "value": token, "url": guest.floor.address}])
    guest.page.goto(path)
    return guest.page


def with_a_shift(page: Page) -> Page:
    """Opened with a float of a hundred dollars, at the counter."""
    tab(page, "Shift count")
    press(page, "+100")
    page.get_by_role("button", name="Open with $100.00").click()
    expect(page.locator(".said")).to_have_text("The shift is open.")
    tab(page, "Counter")
    return page


@pytest.fixture(scope="module")
def tokens(floor: Served) -> dict[str, str]:
    return staff_tokens(floor, "carl", "sam", "dora")


def test_a_shift_at_the_window(floor: Served, guest_of: Come, tokens: dict[str, str]) -> None:
    carl = logged_in(guest_of(floor, (1280, 800)), tokens["carl"], "/staff/cage/1")
    carl.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")

    # The shift opens with its float.
    expect(carl.get_by_text("No shift open", exact=True)).to_be_visible()
    tab(carl, "Shift count")
    press(carl, "4", "00")
    carl.get_by_role("button", name="Open with $400.00").click()
    expect(carl.locator(".said")).to_have_text("The shift is open.")

    # A voucher is sold, and printed with its codes.
    tab(carl, "Vouchers")
    press(carl, "2", "3", "5")
    carl.get_by_role("button", name="Sell a voucher of $235.00").click()
    expect(carl.locator("main .voucher pb-barcode svg")).to_be_visible()
    expect(carl.locator("main .voucher .v-words")).to_have_text("Two hundred thirty-five dollars and no cents")
    number = carl.locator("main .voucher .v-number").inner_text()
    carl.get_by_role("button", name="Print a duplicate").click()
    expect(carl.locator("#printout .v-copy")).to_contain_text("DUPLICATE")
    assert number not in carl.locator("#printout").inner_html()

    # It is looked up, and paid once; the second time it is refused in words.
    tab(carl, "Counter")
    carl.locator("#digits").fill(number)
    expect(carl.locator(".found .pill").first).to_have_text("Valid, not yet redeemed")
    carl.get_by_role("button", name="Pay $235.00 cash").click()
    expect(carl.locator(".found .pill").first).to_have_text("Paid")
    carl.get_by_role("button", name="Next voucher").click()
    carl.locator("h1").click()  # away from the field: a scanner types all the same
    carl.keyboard.type(number.replace("-", ""))
    expect(carl.locator(".found .pill").first).to_have_text("Already redeemed")
    expect(carl.locator(".found")).to_contain_text("Cage window 1")
    expect(carl.locator("[data-act=pay]")).to_have_count(0)
    carl.locator("#digits").fill(number[:-1] + ("0" if number[-1] != "0" else "1"))
    expect(carl.locator(".found .pill").first).to_have_text("Check digits are wrong")
    carl.wait_for_function("window.printed === 3")  # voucher, duplicate, receipt

    # A large one waits for another person.
    body = {"id": "large", "cents": 1_500_000}
    large = api(floor, "POST", "/api/staff/cage/1/sell", tokens["carl"], body)[1]["number"]
    carl.locator("#digits").fill(large)
    carl.get_by_role("button", name="Ask to pay $15,000.00").click()
    expect(carl.locator(".found .pill").first).to_have_text("Waits for a second person")
    tab(carl, "Hand-pays")
    expect(carl.get_by_role("button", name="Approve $15,000.00")).to_be_disabled()
    sam = logged_in(guest_of(floor, (1280, 800)), tokens["sam"], "/staff/cage/1")
    tab(sam, "Hand-pays")
    sam.get_by_role("button", name="Approve $15,000.00").click()
    expect(sam.locator(".said")).to_have_text("Approved.")
    expect(carl.get_by_text("Nothing waits.")).to_be_visible()

    # Two people count the drawer.
    tab(carl, "Shift count")
    press(carl, "4", "00")
    carl.get_by_role("button", name="I counted $400.00").click()
    expect(carl.locator(".said")).to_contain_text("Somebody else counts now")
    tab(sam, "Shift count")
    press(sam, "4", "00")
    sam.get_by_role("button", name="I counted $400.00").click()
    expect(sam.locator(".said")).to_have_text("The counts agree. The shift is over.")


def test_cash_becomes_credits_of_the_session_that_is_chosen(
    floor: Served, guest_of: Come, tokens: dict[str, str]
) -> None:
    guest = api(floor, "POST", "/api/guest")[1]["token"]
    session = api(floor, "POST", "/api/tables/6/seat", guest)[1]["session"]
    carl = with_a_shift(logged_in(guest_of(floor, (1280, 800)), tokens["carl"], "/staff/cage/2"))
    carl.locator(f"[data-session='{session}']").click()
    press(carl, "5", "0")
    name = f"Guest {session[1:5]}"
    expect(
        carl.get_by_text("Balance now $1,000.00, after $1,050.00. Loss limit on this session: none set.")
    ).to_be_visible()
    carl.get_by_role("button", name=f"Load $50.00 to {name}").click()
    expect(carl.locator(".said")).to_have_text(f"$50.00 loaded to {name}.")
    expect(carl.locator("tr.chosen")).to_contain_text("$1,050.00")
    expect(carl.locator(".subbar")).to_contain_text("drawer $150.00")


def test_a_table_that_refuses_cites_its_rules(floor: Served, guest_of: Come, tokens: dict[str, str]) -> None:
    guest = api(floor, "POST", "/api/guest")[1]["token"]
    session = api(floor, "POST", "/api/tables/3/seat", guest)[1]["session"]
    carl = with_a_shift(logged_in(guest_of(floor, (1280, 800)), tokens["carl"], "/staff/cage/4"))
    refusal = {"ok": False, "seq": 1, "reason": "not while the round is checked", "clause": "5.1.1"}
    carl.route("**/api/staff/tables/3/commands", lambda route: route.fulfill(json=refusal))
    carl.locator(f"[data-session='{session}']").click()
    press(carl, "5", "0")
    carl.get_by_role("button", name="Load $50.00").click()
    expect(carl.locator(".said").first).to_contain_text("not while the round is checked 5.1.1")
    carl.get_by_role("button", name="5.1.1, read the rules").first.click()
    rules = carl.get_by_role("dialog", name="Non-Commission Baccarat with Super Six Plus")
    expect(rules.locator("tr.here").first).to_be_in_viewport()
    carl.keyboard.press("Escape")
    expect(rules).to_have_count(0)


def test_who_may_not_handle_cash_is_told_so(floor: Served, guest_of: Come, tokens: dict[str, str]) -> None:
    sam = logged_in(guest_of(floor, (640, 400)), tokens["sam"], "/staff/cage/3")  # as enlarged to 200 %
    expect(sam.get_by_text("Read only: the role supervisor handles no cash.")).to_be_visible()
    assert sam.evaluate("document.documentElement.scrollWidth") <= 640
