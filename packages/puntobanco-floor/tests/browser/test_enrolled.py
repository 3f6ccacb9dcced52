"""A floor for real money in a browser: a device is enrolled, a patron plays with bought credits and leaves with a slip."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.guest import NUMBER, Guest
from tests.support.served import Served, api, asked, open_shift, staff_tokens
from tests.support.staffing import login_real, staffed
from tests.web.test_house import command, init_house


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("real")
    database = folder / "floor.db"
    init_house(database)
    command(database, "table", "add", "1", "fortune-six", "--dealer")
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


def test_a_device_is_enrolled_and_a_patron_keeps_to_limits_and_leaves_with_a_slip(
    real: Served, guest_of: Callable[..., Guest]
) -> None:
    root = login_real(real, "admin", "long enough words")
    code = api(real, "POST", "/api/admin/terminals", root, {"name": "T1", "table": 1})[1]["secret"]
    cash = staffed(real, root, "carl", "cashier")
    open_shift(real, cash, 1)
    guest = guest_of(real)
    page = guest.page

    page.goto("/enrol")
    page.get_by_label("Code").fill("WRONG-CODE-HERE")
    page.get_by_role("button", name="Enrol").click()
    expect(page.get_by_role("alert")).to_contain_text("letters and digits")
    assert guest.faults.pop().endswith("/api/enrol)")  # the browser itself writes down a refusal
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Enrol").click()
    expect(page).to_have_url(f"{real.address}/tables/1")
    expect(page.get_by_role("heading", level=1)).to_have_text("Fortune Six No Commission Baccarat")
    expect(page.get_by_text("DEMO")).to_be_hidden()

    page.get_by_role("button", name="Take a seat").click()
    expect(guest.meter("credits")).to_have_text("$0.00")
    session = guest.session
    assert session.startswith("T1:")
    guest.act("buy")
    expect(page.get_by_role("dialog")).to_contain_text(f"quote {session}")
    expect(page.get_by_text("Take play credits")).to_have_count(0)
    assert asked(real, cash, "buy", "buy-in", 1, session=session, cents=30_000)[1]["ok"]
    page.keyboard.press("Escape")
    expect(guest.meter("credits")).to_have_text("$300.00")
    expect(guest.meter("net")).to_have_text("$0.00")
    expect(page.locator(".sess")).to_contain_text("Session 0:00")
    expect(page.locator(".sess")).to_contain_text("Terminal T1 · connected")

    guest.act("limits")
    page.get_by_label("Lose at most a day").fill("much")
    page.get_by_role("button", name="Set limits").click()
    expect(page.get_by_role("alert")).to_contain_text("such as 100 or 2.50")
    page.get_by_label("Lose at most a day").fill("15")
    page.get_by_role("button", name="Set limits").click()
    expect(page.locator("[data-own]")).to_contain_text("lose at most $15.00")
    page.keyboard.press("Escape")
    dealer = staffed(real, root, "dora", "dealer")
    assert asked(real, dealer, "open", "open-bets", 1)[1]["ok"]
    expect(guest.spot("player")).to_have_attribute("aria-disabled", "false")
    guest.spot("player").click()
    guest.has("player", 1_000)
    expect(page.locator(".side [data-act=cash]")).to_be_disabled()
    guest.spot("banker").click()
    expect(page.get_by_role("alert")).to_contain_text("Only $5 left of your limit today")
    guest.has("banker", 0)
    steps: list[tuple[str, dict[str, str]]] = [
        ("close-bets", {}),
        *(("enter-card", {"card": x}) for x in ("2h", "9s", "3d", "Tc")),
        ("settle", {}),
    ]
    assert all(
        asked(real, dealer, f"d{n}", what, 1, **fields)[1]["ok"]
        for n, (what, fields) in enumerate(steps)
    )
    expect(guest.spot("player")).to_have_attribute("data-outcome", "loses")
    expect(guest.spot("player")).to_contain_text("✕ Lose $10")
    expect(guest.meter("net")).to_have_text("−$10.00")

    page.reload()
    expect(guest.meter("credits")).to_have_text("$290.00")
    guest.replay()
    replay = page.get_by_role("dialog")
    expect(replay).to_contain_text("REPLAY")
    expect(replay.get_by_role("heading")).to_contain_text("Round 1")
    funds = {"before": "$300.00", "wagered": "$10.00", "paid_back": "$0.00", "after": "$290.00"}
    assert {x: page.locator(f"[data-fund={x}]").inner_text() for x in funds} == funds
    page.keyboard.press("Escape")

    number = guest.cash_out()
    assert NUMBER.fullmatch(number)
    expect(page.locator("[data-paper=cents]")).to_have_text("$290.00")
    expect(page.locator("[data-paper=house]")).to_have_text("Marina")
    slip = page.get_by_role("article", name="Voucher")
    expect(slip).to_contain_text(number)
    expect(slip).to_contain_text("Two hundred ninety dollars and no cents")
    assert len(slip.locator("pb-qr path").first.get_attribute("d") or "") > 1_000
    page.keyboard.press("Escape")  # a slip is not put away by a slip of the hand
    page.emulate_media(media="print")
    page.evaluate("window.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print").dispatch_event("click")
    expect(page.locator("#printout .voucher")).to_be_visible()
    expect(guest.meter("credits")).to_be_hidden()
    page.emulate_media(media="screen")
    page.reload()
    expect(page.locator("[data-paper=number]")).to_have_text(
        number
    )  # not put away yet: it is shown again
    page.get_by_role("button", name="I have it").click()
    expect(guest.meter("credits")).to_have_text("–")
    expect(page.locator("[data-paper=number]")).to_have_count(0)

    # The device is taken away: the page says why, and does not go on trying.
    assert api(real, "POST", "/api/admin/terminals/T1", root, {"disable": "sold"})[0] == 200
    expect(page.locator(".now")).to_have_text("This terminal is not connected")
    expect(page.get_by_role("alertdialog")).to_contain_text("not enrolled")
    assert all("/api/" in fault or "/ws/1" in fault for fault in guest.faults), guest.faults
    guest.faults.clear()  # the browser itself writes down what is refused


def test_a_device_keeps_its_name_in_a_demonstration(
    floor: Served, guest_of: Callable[..., Guest]
) -> None:
    root = staff_tokens(floor, "ada")["ada"]
    code = api(floor, "POST", "/api/admin/terminals", root, {"name": "T7", "table": 1})[1]["secret"]
    guest = guest_of(floor)
    assert guest.context.request.post("/api/enrol", data={"code": code}).ok
    guest.sit(1)
    expect(guest.page.locator(".sess")).to_contain_text("Terminal T7 · connected")


def test_a_device_that_is_taken_away_while_its_page_begins_says_why(
    real: Served, guest_of: Callable[..., Guest]
) -> None:
    root = login_real(real, "admin", "long enough words")
    code = api(real, "POST", "/api/admin/terminals", root, {"name": "T2", "table": 1})[1]["secret"]
    guest = guest_of(real)
    page = guest.page

    def taken_away(route: Route) -> None:
        begun = route.fetch()
        assert api(real, "POST", "/api/admin/terminals/T2", root, {"disable": "sold"})[0] == 200
        route.fulfill(response=begun)

    page.goto("/enrol")
    page.get_by_label("Code").fill(code)
    page.route("**/api/session", taken_away, times=1)
    page.get_by_role("button", name="Enrol").click()
    expect(page.locator(".now")).to_have_text("This terminal is not connected")
    expect(page.get_by_text("not enrolled").first).to_be_visible()
    assert all("/api/" in fault or "/ws/1" in fault for fault in guest.faults), guest.faults
    guest.faults.clear()  # the browser itself writes down what is refused
