"""A hand pay as its patron meets it: it waits, over a reload; it is given back, and it is paid. Nothing stays behind."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.guest import Guest
from tests.support.served import Served, asked, open_shift, staff_tokens

TABLE = 6
BANKER_WINS = ("2h", "9s", "3d", "Tc", "2c")


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("handpay"))
    yield found
    found.stop()


def test_a_hand_pay_waits_comes_back_and_is_paid(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    tokens, ids = staff_tokens(floor, "carl", "sam", "dora"), count()
    open_shift(floor, tokens["carl"], 1)

    def does(name: str, command: str, **fields: Any) -> Any:
        status, answer = asked(floor, tokens[name], f"h-{next(ids)}", command, **fields)
        assert (status, answer["ok"]) == (200, True), answer
        return answer

    guest = guest_of(floor)
    page = guest.page
    guest.sit(TABLE)
    does("carl", "buy-in", session=guest.session, cents=1_000_000)
    told = page.locator(".strip")
    expect(told).to_contain_text("The staff have loaded $10,000.00. It is in your credits.")
    told.get_by_role("button", name="Continue").click()
    expect(told).to_have_count(0)
    does("carl", "buy-in", session=guest.session, cents=500_000)
    does("dora", "open-bets")
    guest.spot("banker").click()
    guest.has("banker", 1_000)
    does("dora", "close-bets")
    for card in BANKER_WINS[:4]:
        does("dora", "enter-card", card=card)
    does("dora", "settle")
    expect(guest.spot("banker").locator(".tag")).to_be_visible()
    credits, net = guest.meter("credits").inner_text(), guest.meter("net").inner_text()
    assert net == "+$10.00"

    strip, waits = page.locator(".strip"), f"A hand pay of {credits} waits for the staff."
    proposal = does("carl", "cash-out", session=guest.session)["proposal"]
    expect(strip).to_contain_text(waits)
    expect(guest.meter("credits")).to_have_text("$0.00")
    expect(guest.meter("net")).to_have_text(net)
    page.reload()
    expect(strip).to_contain_text(waits)
    guest.act("cash")
    expect(page.get_by_role("dialog")).to_contain_text(waits)
    page.keyboard.press("Escape")
    page.locator("[data-lang=zh]").click()
    expect(strip).to_contain_text("的人手支付正等候職員處理")
    page.locator("[data-lang=en]").click()

    does("sam", "reject", proposal=proposal, reason="no passport")
    expect(strip).to_contain_text(
        f"The hand pay of {credits} was not made. It is back in your credits."
    )
    expect(guest.meter("credits")).to_have_text(credits)
    expect(guest.meter("net")).to_have_text(net)
    strip.get_by_role("button", name="Continue").click()
    expect(strip).to_have_count(0)

    proposal = does("carl", "cash-out", session=guest.session)["proposal"]
    expect(strip).to_contain_text(waits)
    does("sam", "approve", proposal=proposal)
    expect(strip).to_contain_text(f"The staff have paid {credits} by hand.")

    # The felt is the next patron's: no chips, no tags, nothing to repeat.
    expect(page.locator(".spot .tag")).to_have_count(0)
    expect(page.locator(".spot pb-stack")).to_have_count(0)
    page.get_by_role("button", name="Take a seat").click()
    expect(strip).to_have_count(0)
    # another session, which has play credits of its own
    expect(guest.meter("credits")).to_have_text("$1,000.00")
    does("carl", "buy-in", session=guest.session, cents=50_000)
    expect(guest.meter("credits")).to_have_text("$1,500.00")
    does("dora", "open-bets")
    expect(page.get_by_role("button", name="Rebet")).to_be_disabled()
    does("dora", "close-bets")
    for card in BANKER_WINS[:4]:
        does("dora", "enter-card", card=card)
    does("dora", "settle")
