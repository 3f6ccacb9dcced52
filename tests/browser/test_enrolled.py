"""A floor for real money in a browser: a device is enrolled, a patron plays with bought credits and leaves with a slip."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.guest import Guest
from tests.served import Served, api, asked, login
from tests.web.test_house import command


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("real")
    database = folder / "floor.db"
    command(database, "init", "--name", "Marina", "--password-file", "-", stdin="long enough words\n")
    command(database, "table", "add", "1", "fortune-six", "--dealer")
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


def test_a_device_is_enrolled_and_a_patron_keeps_to_limits_and_leaves_with_a_slip(
    real: Served, guest_of: Callable[..., Guest]
) -> None:
    root = login(real, "admin", "long enough words")
    code = api(real, "POST", "/api/admin/terminals", root, {"name": "T1", "table": 1})[1]["secret"]
    cash = login(
        real, "carl", api(real, "POST", "/api/admin/staff", root, {"name": "carl", "role": "cashier"})[1]["secret"]
    )
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
    expect(page.get_by_text("DEMO")).to_be_hidden()

    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator("#balance")).to_have_text("0.00")
    session = guest.session
    assert session.startswith("T1:")
    assert asked(real, cash, "buy", "buy-in", 1, session=session, cents=30_000)[1]["ok"]
    expect(page.locator("#balance")).to_have_text("300.00")
    expect(page.locator("#net")).to_have_text("0.00")
    expect(page.locator("#clock")).to_have_text("0:00")

    page.get_by_text("Limits of your own").click()
    page.get_by_label("Lose at most a day").fill("15")
    page.get_by_role("button", name="Set").click()
    expect(page.locator("#own")).to_contain_text("lose at most 15.00")
    assert api(real, "POST", "/api/admin/staff", root, {"name": "dora", "role": "dealer"})[0] == 201
    dealer = login(real, "dora", api(real, "POST", "/api/admin/staff/dora", root, {"new_password": True})[1]["secret"])
    assert asked(real, dealer, "open", "open-bets", 1)[1]["ok"]
    guest.spot("player").click()
    expect(guest.spot("player")).to_contain_text("Wager 10.00")
    guest.spot("banker").click()
    expect(page.get_by_role("alert")).to_contain_text("5.00 are left of the loss limit")
    steps: list[tuple[str, dict[str, str]]] = [("close-bets", {}), *(("enter-card", {"card": x}) for x in ("2h", "9s", "3d", "Tc")), ("settle", {})]  # fmt: skip
    assert all(asked(real, dealer, f"d{n}", what, 1, **fields)[1]["ok"] for n, (what, fields) in enumerate(steps))
    expect(guest.spot("player")).to_contain_text("loses")
    expect(page.locator("#net")).to_have_text("-10.00")

    page.reload()
    expect(page.locator("#balance")).to_have_text("290.00")
    page.get_by_text("Past rounds").click()
    page.get_by_role("button", name="Show again").click()
    expect(page.locator("#recalled")).to_contain_text("REPLAY of round 1")
    expect(page.locator("#recalled")).to_contain_text("Credits before 300.00, wagered 10.00, paid 0.00, after 290.00")

    page.get_by_role("button", name="Cash out").click()
    expect(page.locator("#paper-cents")).to_have_text("290.00")
    expect(page.locator("#paper-house")).to_have_text("Marina")
    number = page.locator("#paper-number").inner_text()
    assert re.fullmatch(r"\d{6} \d{6} \d{6}", number)
    assert len(page.locator("#paper-modules").get_attribute("d") or "") > 1_000
    page.reload()
    expect(page.locator("#paper-number")).to_have_text(number)  # not put away yet: it is shown again
    page.get_by_role("button", name="I have it").click()
    expect(page.locator("#balance")).to_have_text("–")
    expect(page.locator("#paper")).to_be_hidden()
