"""What a ruling awards, on the screens: asked for in the pit, told on the terminal; for who has left, paid at the cage."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import serious_findings
from tests.browser.clerk import Clerk, tab
from tests.browser.guest import Guest
from tests.support.served import Served, api, asked, open_shift, staff_tokens

TABLE = 6
CARDS = ("2h", "9s", "3d", "Tc")  # Banker wins, 9 over 5
DESK = (1440, 900)
IDS = count()


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("adjustments"))
    yield found
    found.stop()


def does(floor: Served, token: str, command: str, **fields: Any) -> Any:
    status, answer = asked(floor, token, f"j-{next(IDS)}", command, **fields)
    assert (status, answer["ok"]) == (200, True), answer
    return answer


def play(guest: Guest, tokens: dict[str, str]) -> tuple[int, str]:
    """A round in which the guest loses ten dollars on Player: its number, and the session."""
    floor, dora = guest.floor, tokens["dora"]
    does(floor, dora, "open-bets")
    guest.spot("player").click()
    guest.has("player", 1_000)
    does(floor, dora, "close-bets")
    for card in CARDS:
        does(floor, dora, "enter-card", card=card)
    does(floor, dora, "settle")
    return int(api(floor, "GET", f"/api/tables/{TABLE}")[1]["round"]), guest.session


def award(floor: Served, tokens: dict[str, str], round_: int, session: str) -> None:
    """A review that the desk asks for, and a supervisor answers in the patron's favour."""
    wants = {"round": round_, "session": session, "complaint": "wrong-result"}
    does(floor, tokens["carl"], "ask-review", **wants)
    board = api(floor, "GET", "/api/staff/pit", tokens["sam"])[1]
    [table] = [each for each in board["tables"] if each["number"] == TABLE]
    [review] = table["reviews"]
    answer = {"decision": "corrected", "clause": "3.10", "note": "a card was misread"}
    does(floor, tokens["sam"], "answer-review", review=review["review"], **answer)


def ask_payment(pit: Page, amount: str, note: str) -> None:
    pit.get_by_label("Amount in dollars").fill(amount)
    pit.get_by_label("Note to the patron").fill(note)
    pit.get_by_role("button", name="Ask for the payment").click()


def test_an_award_is_asked_for_in_the_pit_and_told_on_the_terminal(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    tokens = staff_tokens(floor, "dora", "sam", "sue", "carl")
    guest = guest_of(floor)
    page = guest.page
    guest.sit(TABLE)
    number, session = play(guest, tokens)
    award(floor, tokens, number, session)
    strip = page.locator(".strip")
    expect(strip).to_contain_text("is answered")

    pit = Clerk(guest_of(floor, DESK), "sam").page
    pit.goto("/staff/pit")
    listed = pit.locator("[data-key^=award-6-]")
    expect(listed).to_contain_text("as credits")
    listed.get_by_role("button", name="Pay").click()
    dialog = pit.get_by_role("dialog")
    assert serious_findings(pit) == []
    dialog.get_by_role("button", name="Ask for the payment").click()
    expect(dialog.locator(".wrong").first).to_contain_text("Dollars and cents, more than zero.")
    ask_payment(pit, "20.50", "the wager on Player had won")
    expect(dialog).to_have_count(0)
    expect(listed).to_have_count(0)
    waits = pit.locator("[data-key^=waiting-6-]")
    expect(waits).to_contain_text("pay $20.50 to")
    expect(waits).to_contain_text("You proposed this: somebody else must approve it.")

    sue = Clerk(guest_of(floor, DESK), "sue").page
    sue.goto("/staff/pit")
    sue.locator("[data-key^=waiting-6-]").get_by_role("button", name="Approve").click()
    look = sue.get_by_role("dialog")
    expect(look).to_contain_text("as credits")
    assert serious_findings(sue) == []
    look.get_by_role("button", name="Approve as sue").click()
    expect(look).to_have_count(0)
    expect(waits).to_have_count(0)

    expect(strip).to_contain_text(f"The house has paid you $20.50 for round {number}.")
    expect(guest.meter("credits")).to_have_text("$1,010.50")
    strip.get_by_role("button", name="Continue").click()
    guest.replay()
    paid = page.locator("[data-review=paid]")
    expect(paid).to_contain_text("Paid for this round: $20.50")
    expect(paid).to_contain_text("the wager on Player had won")
    assert serious_findings(page) == []


def test_who_has_left_is_paid_at_the_cage(guest_of: Callable[..., Guest], floor: Served) -> None:
    tokens = staff_tokens(floor, "dora", "sam", "carl")
    guest = guest_of(floor)
    guest.sit(TABLE)
    number, session = play(guest, tokens)
    address = guest.page.evaluate(
        """async ([table, number]) => {
          const { csrf } = await (await fetch("/api/me")).json();
          const headers = { "content-type": "application/json", "x-csrf-token": csrf };
          const body = JSON.stringify({ kind: "round", number });
          const answer = await fetch(`/api/tables/${table}/receipts`, { method: "POST", headers, body });
          return (await answer.json()).url;
        }""",
        [TABLE, number],
    )
    guest.cash_out()
    award(floor, tokens, number, session)

    pit = Clerk(guest_of(floor, DESK), "sam").page
    pit.goto("/staff/pit")
    listed = pit.locator("[data-key^=award-6-]")
    expect(listed).to_contain_text("who has left: a cashier pays cash against the receipt")
    listed.get_by_role("button", name="Pay").click()
    ask_payment(pit, "20", "the wager on Player had won")
    expect(pit.locator("[data-key^=waiting-6-]")).to_contain_text("The patron has left this table")

    open_shift(floor, tokens["carl"], 1, 100_000)
    cage = Clerk(guest_of(floor, DESK), "carl").page
    cage.goto("/staff/cage/1")
    tab(cage, "Hand-pays")
    waits = cage.locator("article.wait")
    expect(waits).to_contain_text(f"it names round {number} and session {session}")
    expect(waits).to_contain_text("compare it with the receipt")
    cage.locator("#receipt").fill(address)
    expect(waits).to_contain_text("the receipt is of this round and session")
    assert serious_findings(cage) == []
    waits.get_by_role("button", name="Approve $20.00").click()
    expect(waits).to_have_count(0)
    expect(listed).to_have_count(0)
