"""Commands whose replies are lost, in a real browser: each has one effect, and the page ends with its outcome."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser.clerk import Clerk, press
from tests.browser.guest import CHIP_CENTS, NUMBER, Guest
from tests.browser.losses import IN_DOUBT, Losses, aborted, in_doubt, not_stored
from tests.browser.test_cage import no_printer, said
from tests.support.served import Served, api, open_shift, staff_tokens

Come = Callable[[Served, tuple[int, int]], Guest]
Lose = Callable[[Route], None]
WIDE = (1280, 800)
NOT_KNOWN = "It is not yet known whether this was recorded."
ANSWER = {key: IN_DOUBT[key] for key in ("code", "reason", "clause")}
WAYS = pytest.mark.parametrize(
    "lose", [in_doubt, aborted, not_stored], ids=["in-doubt", "cut", "not-stored"]
)


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("doubt"), betting_ms=5_000, pause_ms=1_500)
    open_shift(found, staff_tokens(found, "carl")["carl"], 1, 100_000)
    yield found
    found.stop()


def forgiven(guest: Guest) -> None:
    """The browser itself writes down each reply that was lost."""
    guest.faults[:] = [fault for fault in guest.faults if "Failed to load resource" not in fault]


def asked_again(page: Page, path: str) -> None:
    """The page sends it by itself."""
    with page.expect_request(f"**{path}"):
        pass


def open_vouchers(floor: Served, token: str) -> int:
    """Vouchers that nobody has redeemed, by the books."""
    status, found = api(floor, "GET", "/api/staff/cage/1", token)
    assert status == 200, found
    return int(found["vouchers_open"])


def cash_out_is_lost(floor: Served, guest: Guest, lose: Lose, *, reloads: bool) -> None:
    """The voucher is on the screen at the end, and was issued once."""
    path, carl = "/api/tables/1/cash-out", staff_tokens(floor, "carl")["carl"]
    guest.sit(1)
    before = open_vouchers(floor, carl)
    losses = Losses(guest.page, path, lose)
    guest.act("cash")
    guest.page.get_by_role("button", name="Print the voucher").click()
    expect(guest.page.get_by_text(NOT_KNOWN).first).to_be_visible()
    if reloads:
        guest.page.reload()
    asked_again(guest.page, path)
    losses.are_lost = False
    expect(guest.page.locator("[data-paper=number]")).to_have_text(NUMBER)
    assert len(set(losses.ids)) == 1
    assert len(losses.ids) > 1
    assert open_vouchers(floor, carl) == before + 1
    forgiven(guest)


@pytest.mark.slice
def test_a_cash_out_whose_reply_is_lost_ends_with_the_voucher(
    floor: Served, guest_of: Come
) -> None:
    cash_out_is_lost(floor, guest_of(floor, WIDE), in_doubt, reloads=True)


@pytest.mark.parametrize("reloads", [False, True], ids=["stays", "reloaded"])
@WAYS
def test_a_cash_out_ends_with_the_voucher_however_its_reply_is_lost(
    floor: Served, guest_of: Come, lose: Lose, *, reloads: bool
) -> None:
    cash_out_is_lost(floor, guest_of(floor, WIDE), lose, reloads=reloads)


def test_a_cash_out_that_never_arrived_and_is_refused_later_leaves_no_id(
    floor: Served, guest_of: Come
) -> None:
    """Another page has cashed out meanwhile: the repeat is refused, and the journal has no such command."""
    path = "/api/tables/1/cash-out"
    guest = guest_of(floor, WIDE)
    guest.sit(1)
    losses = Losses(guest.page, path)
    losses.arrive = False
    guest.act("cash")
    guest.page.get_by_role("button", name="Print the voucher").click()
    expect(guest.page.get_by_text(NOT_KNOWN).first).to_be_visible()
    headers = {"x-csrf-token": guest.api("/api/me")["csrf"]}
    done = guest.context.request.post(path, data={"id": "elsewhere"}, headers=headers)
    assert done.ok, done.text()
    losses.are_lost = False
    guest.page.wait_for_function(
        "() => !Object.keys(localStorage).some((key) => /^(pending|cash-out)/.test(key))"
    )
    expect(guest.page.get_by_text(NOT_KNOWN)).to_have_count(0)
    expect(guest.page.locator("[data-paper=number]")).to_have_count(0)
    forgiven(guest)


# Over the socket


def test_a_raise_whose_answer_is_lost_is_taken_once(guest_of: Come, tmp_path: Path) -> None:
    """The floor has taken it and says `in-doubt`; the terminal sends the same id until it hears the outcome."""
    slow = Served(tmp_path, betting_ms=60_000)
    try:
        guest = guest_of(slow, WIDE)
        raises = list[str]()
        page, lost = guest.page, True

        def between(socket: WebSocketRoute) -> None:
            server = socket.connect_to_server()

            def to_floor(text: str | bytes) -> None:
                message = json.loads(text)
                if message["t"] == "raise":
                    raises.append(message["id"])
                server.send(text)

            def to_terminal(text: str | bytes) -> None:
                message = json.loads(text)
                if lost and message["t"] == "answered" and message["id"] in raises:
                    text = json.dumps({"t": "answered", "ok": False, "id": message["id"], **ANSWER})
                socket.send(text)

            socket.on_message(to_floor)
            server.on_message(to_terminal)

        page.route_web_socket("**/ws/1", between)
        guest.sit(1)
        guest.spot("banker").click()
        guest.has("banker", CHIP_CENTS)
        guest.spot("banker").click()
        expect(page.get_by_text(NOT_KNOWN).first).to_be_visible()
        guest.spot("banker").click()  # a second tap adds none
        page.reload()
        expect(guest.spot("banker")).to_have_attribute("data-sent", "")
        page.wait_for_function("() => sessionStorage.getItem('terminal 1').includes('againAt')")
        lost = False
        guest.has("banker", 2 * CHIP_CENTS)
        assert len(set(raises)) == 1
        assert len(raises) > 1
        assert guest.at(1)["balance_cents"] == 100_000 - 2 * CHIP_CENTS
    finally:
        slow.stop()


# At the cage


def balance(floor: Served, token: str, session: str) -> int:
    status, found = api(floor, "GET", "/api/staff/cage/1", token)
    assert status == 200, found
    return next(int(row["balance_cents"]) for row in found["sessions"] if row["session"] == session)


def buy_in_is_lost(floor: Served, guest_of: Come, lose: Lose, *, reloads: bool) -> None:
    """The buy-in is booked once, however often it is tapped and sent."""
    patron = guest_of(floor, WIDE)
    patron.sit(1)
    session, carl = patron.session, Clerk(guest_of(floor, WIDE), "carl")
    token = staff_tokens(floor, "carl")["carl"]
    page = carl.page
    page.goto("/staff/cage/1")
    no_printer(page)
    page.locator(f"[data-act=choose][data-session='{session}']").click()
    press(page, "5", "00")
    path = "/api/staff/tables/1/commands"
    losses = Losses(page, path, lose)
    page.locator("[data-act=buy]").click()
    expect(page.locator("[data-doubt=buy]")).to_be_visible()
    expect(page.locator("[data-act=buy]")).to_be_disabled()
    page.locator("[data-act=buy]").dispatch_event("click")  # a second tap
    if reloads:
        page.reload()
        no_printer(page)
        expect(page.locator("[data-doubt=buy]")).to_be_visible()
        page.locator(f"[data-act=choose][data-session='{session}']").click()
        press(page, "5", "00")
        expect(page.locator("[data-act=buy]")).to_be_disabled()
        page.locator("[data-act=buy]").dispatch_event("click")
    asked_again(page, path)
    losses.are_lost = False
    expect(said(page, "buy")).to_contain_text("$500.00 loaded to")
    expect(page.locator("[data-doubt]")).to_have_count(0)
    page.wait_for_function("window.printed === 1")
    assert len(set(losses.ids)) == 1
    assert balance(floor, token, session) == 150_000
    forgiven(carl.guest)


@pytest.mark.slice
def test_a_buy_in_tapped_twice_and_sent_again_is_booked_once(floor: Served, guest_of: Come) -> None:
    buy_in_is_lost(floor, guest_of, not_stored, reloads=False)


@pytest.mark.parametrize("reloads", [False, True], ids=["stays", "reloaded"])
@WAYS
def test_a_buy_in_is_booked_once_however_its_reply_is_lost(
    floor: Served, guest_of: Come, lose: Lose, *, reloads: bool
) -> None:
    buy_in_is_lost(floor, guest_of, lose, reloads=reloads)
