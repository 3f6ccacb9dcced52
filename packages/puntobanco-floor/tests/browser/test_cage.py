"""A cashier and a supervisor at a cage window, in a real browser."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from puntobanco_floor.web.request import STAFF_COOKIE
from tests.browser.clerk import pieces, press, tab
from tests.browser.guest import Guest
from tests.support.served import Served, api, open_shift, staff_tokens

Come = Callable[[Served, tuple[int, int]], Guest]


def logged_in(guest: Guest, token: str, path: str) -> Page:
    guest.context.add_cookies([{"name": STAFF_COOKIE, "value": token, "url": guest.floor.address}])
    guest.page.goto(path)
    return guest.page


def refusals(guest: Guest, path: str) -> None:
    """The browser itself writes down an answer of 4xx; these are taken out of the faults, others stay."""
    guest.faults[:] = [fault for fault in guest.faults if f"{path})" not in fault]


def said(page: Page, panel: str) -> Locator:
    return page.locator(f"[data-said={panel}]")


def no_printer(page: Page) -> None:
    page.evaluate("() => { window.printed = 0; window.print = () => { window.printed += 1; }; }")


@pytest.fixture(scope="module")
def own_floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Where no shift is open yet."""
    found = Served(tmp_path_factory.mktemp("cage"))
    yield found
    found.stop()


@pytest.fixture(scope="module")
def tokens(floor: Served) -> dict[str, str]:
    """Carl has a shift at window 2."""
    found = staff_tokens(floor, "carl", "sam", "dora")
    open_shift(floor, found["carl"], 2, 10_000)
    return found


def test_a_shift_at_the_window(own_floor: Served, guest_of: Come) -> None:
    floor, tokens = own_floor, staff_tokens(own_floor, "carl", "sam")
    guest = guest_of(floor, (1280, 800))
    carl = logged_in(guest, tokens["carl"], "/staff/cage/1")
    no_printer(carl)

    # The shift opens with its float, typed on a keyboard without a look at where the cursor is.
    expect(carl.get_by_text("No shift open", exact=True)).to_be_visible()
    expect(
        carl.get_by_text("No shift is open at this window. Open one with its float").first
    ).to_be_visible()
    tab(carl, "Shift count")
    carl.locator("h1").click()
    carl.keyboard.type("400")
    carl.get_by_role("button", name="Open with $400.00").click()
    expect(said(carl, "shift")).to_have_text("The shift is open.")

    # A voucher is sold, and printed with its codes.
    tab(carl, "Vouchers")
    press(carl, "2", "3", "5")
    expect(carl.get_by_text("It counts in the drawer of window 1.")).to_be_visible()
    carl.get_by_role("button", name="Sell a voucher of $235.00").click()
    expect(carl.locator("main .voucher pb-barcode svg")).to_be_visible()
    expect(carl.locator("main .voucher .v-words")).to_have_text(
        "Two hundred thirty-five dollars and no cents"
    )
    number = carl.locator("main .voucher .v-number").inner_text()
    # the quiet zone of the code ends before the perforation
    code, edge = (
        carl.locator(f"main .voucher {part}").bounding_box()
        for part in ("pb-qr", ".v-edge >> nth=1")
    )
    assert code
    assert edge
    assert code["x"] + code["width"] + 4 <= edge["x"]
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

    # A large one is sold by two: the number that was asked for is kept, over a reload too.
    sam = logged_in(guest_of(floor, (1280, 800)), tokens["sam"], "/staff/cage/1")
    tab(carl, "Vouchers")
    press(carl, "1", "5", "00", "0")
    carl.get_by_role("button", name="Sell a voucher of $15,000.00").click()
    expect(said(carl, "sell")).to_contain_text("A second person decides")
    refusals(guest, "/api/staff/cage/1/sell")
    expect(carl.get_by_role("button", name="Print the voucher")).to_be_disabled()
    carl.reload()
    no_printer(carl)
    tab(sam, "Hand-pays")
    expect(sam.locator(".wait")).to_contain_text("Sell a voucher")
    expect(sam.locator(".wait")).to_contain_text("Asked by carl at ")
    sam.get_by_role("button", name="Approve $15,000.00").click()
    expect(said(sam, "waiting")).to_have_text("Approved.")
    expect(carl.locator(".told")).to_contain_text("sam approved: sell a large voucher")
    tab(carl, "Vouchers")
    carl.get_by_role("button", name="Print the voucher").click()
    expect(carl.locator("main .voucher .v-words")).to_contain_text("Fifteen thousand dollars")
    expect(carl.get_by_role("button", name="Print the voucher")).to_have_count(0)
    carl.wait_for_function("window.printed === 1")
    large = carl.locator("main .voucher .v-number").inner_text()

    # It is paid by two as well; what is turned down says by whom and why.
    tab(carl, "Counter")
    carl.locator("#digits").fill(large)
    carl.get_by_role("button", name="Ask to pay $15,000.00").click()
    expect(carl.locator(".found .pill").first).to_have_text("Waits for a second person")
    tab(carl, "Hand-pays")
    expect(carl.get_by_role("button", name="Approve $15,000.00")).to_have_count(0)
    carl.get_by_role("button", name="Withdraw").click()
    expect(carl.get_by_text("Nothing waits.")).to_be_visible()
    tab(carl, "Counter")
    carl.locator("#digits").fill("")
    carl.locator("#digits").fill(large)
    carl.get_by_role("button", name="Ask to pay $15,000.00").click()
    sam.get_by_role("button", name="Turn down …").click()
    expect(sam.get_by_label("Why it is turned down")).to_be_focused()
    sam.keyboard.type("no passport")
    sam.keyboard.press("Enter")  # a line of the reason, no decision
    expect(sam.locator(".wait")).to_have_count(1)
    sam.get_by_role("button", name="Turn down", exact=True).click()
    expect(carl.locator(".told")).to_contain_text(
        "sam rejected: pay a voucher. The reason: no passport"
    )
    carl.get_by_role("button", name="Seen").click()
    carl.locator("#digits").fill("")
    carl.locator("#digits").fill(large)
    carl.get_by_role("button", name="Ask to pay $15,000.00").click()
    sam.get_by_role("button", name="Approve $15,000.00").click()
    expect(said(sam, "waiting")).to_have_text("Approved.")

    # Two people count the drawer, each alone. They differ: both count again, and no figure is shown.
    for page in (carl, sam):
        tab(page, "Shift count")
        expect(page.locator("main")).not_to_contain_text("235.00")
    pieces(carl, c5000=7, c2000=2)
    carl.get_by_role("button", name="I counted $390.00").click()
    expect(said(carl, "shift")).to_contain_text("Somebody else counts now")
    expect(sam.locator("main")).not_to_contain_text("390")
    expect(carl.locator("[data-piece='5000']")).to_have_value("")
    pieces(sam, c10000=4)
    sam.get_by_role("button", name="I counted $400.00").click()
    for page in (carl, sam):
        expect(
            page.get_by_text("The two counts differ. Both count again, each alone.")
        ).to_be_visible()
        expect(page.locator("main")).not_to_contain_text("390")
        expect(page.locator("main")).not_to_contain_text("400")
        expect(page.locator("[data-piece='10000']")).to_have_count(int(page is carl))
    pieces(carl, c10000=3, c5000=1, c2000=2)
    carl.get_by_role("button", name="I counted $390.00").click()
    expect(said(carl, "shift")).to_contain_text("Somebody else counts now")
    pieces(sam, c10000=3, c2000=4, c500=2)
    sam.get_by_role("button", name="I counted $390.00").click()
    for page in (carl, sam):
        expect(said(page, "shift")).to_have_text("The counts agree. The shift is over.")
        slip = page.get_by_role("region", name="Shift 1 of carl, closed")
        for line in (
            "Float$400.00",
            "Should be there$400.00",
            "Counted by both$390.00",
            "Difference−$10.00, short",
        ):
            expect(slip).to_contain_text(line)


def test_cash_becomes_credits_of_the_session_that_is_chosen(
    floor: Served, guest_of: Come, tokens: dict[str, str]
) -> None:
    guest = api(floor, "POST", "/api/guest")[1]["token"]
    session = api(floor, "POST", "/api/tables/6/seat", guest)[1]["session"]
    carl = logged_in(guest_of(floor, (1280, 800)), tokens["carl"], "/staff/cage/2")
    no_printer(carl)
    carl.locator(f"[data-session='{session}']").click()
    press(carl, "5", "0")
    name = f"Guest {session[1:5]}"
    expect(
        carl.get_by_text(
            "Balance now $1,000.00, after $1,050.00. Loss limit on this session: none set."
        )
    ).to_be_visible()
    carl.get_by_role("button", name=f"Load $50.00 to {name}").click()
    expect(said(carl, "buy")).to_have_text(f"$50.00 loaded to {name}.")
    expect(said(carl, "redeem")).to_be_empty()
    expect(carl.locator("tr.chosen")).to_contain_text("$1,050.00")
    expect(carl.locator(".subbar")).not_to_contain_text("$")
    press(carl, "1", "5", "00", "0")
    carl.get_by_role("button", name=f"Load $15,000.00 to {name}").click()
    expect(said(carl, "buy")).to_have_text("A buy-in of $15,000.00 waits for a second person.")
    sam = logged_in(guest_of(floor, (1280, 800)), tokens["sam"], "/staff/cage/2")
    tab(sam, "Hand-pays")
    expect(sam).to_have_title("(1) Cage window 2 · puntobanco")
    expect(carl).to_have_title("Cage window 2 · puntobanco")
    expect(sam.locator(".wait")).to_contain_text("Large buy-in")
    sam.get_by_role("button", name="Approve $15,000.00").click()
    expect(carl.locator("tr.chosen")).to_contain_text("$16,050.00")
    expect(carl.locator(".told")).to_contain_text("Table 6: sam approved: a large buy-in")

    # All of it leaves by hand: it is set apart at once, and turned down it comes back.
    tab(carl, "Hand-pays")
    carl.get_by_role("button", name=f"Pay $16,050.00 to {name}").click()
    confirm = carl.get_by_role("group", name="Confirm the hand pay")
    expect(confirm).to_contain_text(f"Pay $16,050.00 in cash to {name} at Table 6?")
    confirm.get_by_role("button", name="Back").click()
    expect(confirm).to_have_count(0)
    expect(carl.locator("tr.chosen")).to_contain_text("$16,050.00")
    carl.get_by_role("button", name=f"Pay $16,050.00 to {name}").click()
    confirm.get_by_role("button", name="I pay $16,050.00").click()
    expect(said(carl, "hand")).to_have_text("$16,050.00 is set apart. A second person decides.")
    expect(carl.locator("tr.chosen")).to_contain_text("$0.00")
    sam.get_by_role("button", name="Turn down …").click()
    sam.get_by_label("Why it is turned down").fill("no passport")
    sam.get_by_role("button", name="Turn down", exact=True).click()
    expect(carl.locator("tr.chosen")).to_contain_text("$16,050.00")
    expect(carl.locator(".told")).to_contain_text(
        "Table 6: sam rejected: a hand pay. The reason: no passport"
    )


def test_a_window_has_one_cashier_and_that_is_said(
    floor: Served, guest_of: Come, tokens: dict[str, str]
) -> None:
    guest = guest_of(floor, (1280, 800))
    carl = logged_in(guest, tokens["carl"], "/staff/cage/5")
    tab(carl, "Shift count")
    press(carl, "1", "00")
    carl.get_by_role("button", name="Open with $100.00").click()
    expect(said(carl, "shift")).to_have_text("carl has cage window 2; that shift is counted first")
    refusals(guest, "/api/staff/cage/5/open")


def test_a_table_that_refuses_cites_its_rules(
    floor: Served, guest_of: Come, tokens: dict[str, str]
) -> None:
    guest = api(floor, "POST", "/api/guest")[1]["token"]
    session = api(floor, "POST", "/api/tables/3/seat", guest)[1]["session"]
    carl = logged_in(guest_of(floor, (1280, 800)), tokens["carl"], "/staff/cage/2")
    reason = {"en": "not while the round is checked", "zh": "覆核期間不可"}
    refusal = {"ok": False, "seq": 1, "reason": reason, "clause": "5.1.1"}
    carl.route("**/api/staff/tables/3/commands", lambda route: route.fulfill(json=refusal))
    carl.locator(f"[data-session='{session}']").click()
    press(carl, "5", "0")
    carl.get_by_role("button", name="Load $50.00").click()
    expect(said(carl, "buy")).to_contain_text("not while the round is checked 5.1.1")
    carl.get_by_role("button", name="5.1.1, read the rules").first.click()
    rules = carl.get_by_role("dialog", name="Non-Commission Baccarat with Super Six Plus")
    expect(rules.locator("tr.here").first).to_be_in_viewport()
    carl.keyboard.press("Escape")
    expect(rules).to_have_count(0)


def test_who_may_not_handle_cash_is_told_so(
    floor: Served, guest_of: Come, tokens: dict[str, str]
) -> None:
    sam = logged_in(
        guest_of(floor, (640, 400)), tokens["sam"], "/staff/cage/3"
    )  # as enlarged to 200 %
    expect(sam.get_by_text("Read only: the role supervisor handles no cash.")).to_be_visible()
    assert sam.evaluate("document.documentElement.scrollWidth") <= 640
