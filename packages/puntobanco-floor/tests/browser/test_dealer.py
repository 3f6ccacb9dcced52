"""The dealer's console in a real browser: rounds by keypad and scanner, a foreign card, a misread one, a server gone."""

import asyncio
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from puntobanco_floor.client import Terminal
from tests.browser.guest import Guest
from tests.support.served import Served, api, login, passwords_of, with_new_table
from tests.support.staffing import enrol_staff

Come = Callable[..., Guest]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("dealer"))
    yield found
    found.stop()


@pytest.fixture
def floor(served: Served) -> Served:
    """A table for each test: what a failed one leaves open is in nobody's way."""
    return with_new_table(served)


def console(guest: Guest, name: str = "dora") -> Page:
    guest.page.goto(f"/staff?next=/staff/dealer/{guest.floor.table}")
    return log_in(guest, name)


def log_in(guest: Guest, name: str) -> Page:
    page = guest.page
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(passwords_of(guest.floor)[name])
    page.get_by_role("button", name="Log in").click()
    expect(page.locator(".staff-who")).to_contain_text(name)
    expect(page.locator(".prompt h1")).not_to_have_text("Connecting…")
    return page


def seen(floor: Served) -> Any:
    return api(floor, "GET", f"/api/tables/{floor.table}")[1]


def patron(floor: Served, **stakes: int) -> Callable[[], Any]:
    """Somebody at a terminal who bets; asked later, what that terminal is told of its session and the table."""
    kept = dict[str, Any]()

    async def bet() -> None:
        async with Terminal(floor.address, table=floor.table) as terminal:
            await terminal.seat()
            await terminal.betting()
            for name, cents in stakes.items():
                assert (await terminal.place(name, cents)).ok
            kept["token"] = terminal.token

    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, bet()).result()
    return lambda: api(floor, "GET", "/api/me", kept["token"])[1]["tables"][-1]


def prompt(page: Page) -> Any:
    return expect(page.locator(".prompt h1"))


def key(page: Page, card: str) -> None:
    page.locator(f'.kp [data-card="{card}"]').click()


def begin(page: Page) -> None:
    page.locator(".prompt").get_by_role("button", name="Open bets").click()
    prompt(page).to_have_text("Announce: “No more bets”")


def close_bets(page: Page) -> None:
    page.keyboard.press("Space")
    prompt(page).to_contain_text("Card 1")


def settle(page: Page) -> None:
    page.get_by_role("button", name="Settle and pay").click()
    prompt(page).to_contain_text("Place your bets")


def burst(page: Page, text: str) -> None:
    """Keys with no time between them at all, however slow the machine that tests."""
    keys = ["Enter" if letter == "\n" else letter for letter in text]
    page.evaluate(
        "(keys) => keys.forEach((key) => document.body.dispatchEvent(new KeyboardEvent('keydown', "
        "{key, bubbles: true, cancelable: true})))",
        keys,
    )


def laid(page: Page) -> list[str]:
    """The cards on the felt, in the order in which they fall."""
    return [
        str(page.locator(f'[data-key="at-{slot}"] pb-card').get_attribute("code"))
        for slot in ("p1", "b1", "p2", "b2", "p3", "b3")
        if page.locator(f'[data-key="at-{slot}"] pb-card').count()
    ]


def test_a_whole_round_by_keypad(guest_of: Come, floor: Served) -> None:
    page = console(guest_of(floor))
    begin(page)
    at_terminal = patron(floor, banker=10_000)
    expect(page.locator('[data-key="s-banker"]')).to_contain_text("$100")
    expect(page.locator(".wagers .pill")).to_have_text("open, 1 of 1 seated")
    close_bets(page)
    expect(page.locator(".prompt")).to_have_class(re.compile("player"))
    key(page, "3s")
    expect(page.locator(".held .big")).to_have_text("3 of Spades")
    page.get_by_role("button", name="Undo").click()  # the wrong key
    expect(page.locator(".held")).to_have_count(0)
    assert seen(floor)["cards"] == {}
    key(page, "2s")
    prompt(page).to_have_text("Card 2: first card to BANKER")  # it counts by itself after a moment
    for card, then in (("Kh", "Card 3"), ("3d", "Card 4"), ("Jc", "Card 5: third card to PLAYER")):
        key(page, card)
        page.get_by_role("button", name="Enter now").click()
        prompt(page).to_contain_text(then)
    expect(page.locator(".prompt .say")).to_contain_text("Say: “Player 5, Banker 0”")
    page.keyboard.type("9h", delay=90)  # by hand on a keyboard
    expect(page.locator(".held .big")).to_have_text("9 of Hearts")
    page.keyboard.press("Enter")
    prompt(page).to_have_text("Card 6: third card to BANKER")
    expect(page.locator(".prompt .clause").first).to_have_text("clause 3.9.4")
    key(page, "6d")
    page.keyboard.press("Enter")
    prompt(page).to_have_text("Announce: “Banker wins, 6 over 4”")
    assert laid(page) == ["2s", "Kh", "3d", "Jc", "9h", "6d"]
    assert seen(floor)["keyed"] == ["p1", "b1", "p2", "b2", "p3", "b3"]
    settle(page)
    told = at_terminal()
    assert (told["wagers"], told["balance_cents"]) == (
        {},
        100_000 + 5_000,
    )  # a win with six pays 1 to 2
    assert seen(floor)["results"][-1].startswith("B")


def test_a_whole_round_by_scanner_and_every_card_once(guest_of: Come, floor: Served) -> None:
    page = console(guest_of(floor))
    begin(page)
    close_bets(page)
    page.keyboard.type(
        "9s\n2h\n]C1Td\n"
    )  # faster than the server answers; one with the scanner's own prefix
    prompt(page).to_contain_text("Card 4")
    burst(page, "4c\n4c\n")  # one card read twice
    page.keyboard.press("Enter")
    prompt(page).to_have_text("Announce: “Player wins, 9 over 6”")
    assert seen(floor)["cards"] == {"p1": "9s", "b1": "2h", "p2": "Td", "b2": "4c"}
    assert "b2" not in seen(floor)["keyed"]  # what a scanner reads is not entered by hand
    expect(page.locator(".note")).to_contain_text(
        "4 of Clubs was read twice at once and entered once"
    )
    burst(page, "8d\n")  # the table calls for none
    expect(page.locator(".note")).to_contain_text("the round is complete")
    expect(page.locator(".note").get_by_role("button", name="Irregularity")).to_be_enabled()
    page.get_by_role("button", name="Dismiss").click()
    settle(page)


def test_a_foreign_card_is_declared_and_a_supervisor_elsewhere_approves_the_void(
    guest_of: Come, floor: Served
) -> None:
    page, pit = console(guest_of(floor)), console(guest_of(floor), "sam")
    begin(page)
    at_terminal = patron(floor, player=20_000, tie=1_000)
    close_bets(page)
    burst(page, "9s\n")
    prompt(page).to_contain_text("Card 2")
    burst(page, "9f\n")
    expect(page.locator(".held.asks")).to_contain_text("9 of Fire cannot be")
    expect(page.locator(".held.asks")).to_contain_text("belongs to the five-element deck")
    page.get_by_role("button", name="declare a foreign card").click()
    wizard = page.get_by_role("dialog", name="Irregularity")
    expect(wizard).to_contain_text("Play is paused on every terminal")
    expect(wizard.get_by_role("radio", name="Put in order")).to_have_count(
        0
    )  # a foreign card voids the round
    wizard.get_by_role("radio", name="Void the round").click()
    wizard.get_by_role("button", name="Ask a second person").click()
    expect(wizard).to_contain_text("Proposed by dora")
    expect(wizard.get_by_role("button", name="Approve")).to_have_count(0)
    expect(pit.locator(".await")).to_contain_text("Void the round")
    assert at_terminal()["wagers"] == {"player": 20_000, "tie": 1_000}
    pit.get_by_role("button", name="Approve").click()
    for console_ in (page, pit):
        expect(console_.get_by_role("dialog")).to_have_count(0)
        prompt(console_).to_have_text("Change the shoe")  # such a shoe is not played on with
    told = at_terminal()
    assert (seen(floor)["phase"], told["wagers"], told["balance_cents"]) == ("void", {}, 100_000)
    pit.locator(".prompt").get_by_role("button").click()
    pit.get_by_role("dialog").get_by_role("button", name="End the shoe").click()
    prompt(page).to_have_text("Put a new shoe on the table")
    page.locator(".prompt").get_by_role(
        "button"
    ).click()  # a supervisor beside the dealer, by a password of their own
    page.get_by_label("Decks").select_option("6")
    page.get_by_role("dialog").get_by_role("button", name="New shoe").click()
    page.get_by_label("Name").fill("sue")
    page.get_by_label("Password").fill(passwords_of(floor)["sue"])
    page.get_by_role("dialog", name="A second person").get_by_role("button", name="Approve").click()
    prompt(page).to_contain_text("Place your bets")
    expect(page.locator(".shoe")).to_contain_text("6 decks × 52")
    expect(page.locator(".staff-who")).to_contain_text("dora")


def test_a_misread_card_is_corrected_and_after_the_last_card_by_two(
    guest_of: Come, floor: Served
) -> None:
    guest = guest_of(floor)
    page = console(guest)
    begin(page)
    close_bets(page)
    burst(page, "9s\n3h\n")
    prompt(page).to_contain_text("Card 3")
    page.get_by_role("button", name="Correct 3 of Hearts").click()
    page.get_by_role("dialog").get_by_role("button", name="2 of Hearts").click()
    page.get_by_role("button", name="Correct 3 of Hearts to 2 of Hearts").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert seen(floor)["cards"] == {"p1": "9s", "b1": "2h"}
    burst(page, "Td\n4c\n")
    prompt(page).to_contain_text("Player wins, 9 over 6")
    page.get_by_role("button", name="Correct last card").click()
    burst(page, "5c\n")  # scanned again, into the sheet
    page.get_by_role("button", name="Correct 4 of Clubs to 5 of Clubs").click()
    expect(page.locator(".await")).to_contain_text("Correct 4 of Clubs to 5 of Clubs")
    expect(page.get_by_role("button", name="Settle and pay")).to_be_disabled()
    page.get_by_role("button", name="Second person here").click()
    form = page.get_by_role("dialog", name="A second person")
    form.get_by_label("Name").fill("dora")
    form.get_by_label("Password").fill(passwords_of(floor)["dora"])
    form.get_by_role("button", name="Approve").click()
    expect(form.get_by_role("alert")).to_contain_text(
        "dora did not approve it: the role dealer may not approve a proposal"
    )
    guest.faults.clear()  # the browser itself writes down an answer of 403
    form.get_by_label("Name").fill("sam")
    form.get_by_label("Password").fill(passwords_of(floor)["sam"])
    page.keyboard.press("Enter")  # it approves, and never rejects
    prompt(page).to_contain_text("Player wins, 9 over 7")
    settle(page)


def test_who_was_refused_learns_by_whom_and_why_and_can_withdraw(
    guest_of: Come, floor: Served
) -> None:
    page, other = console(guest_of(floor)), console(guest_of(floor), "sam")
    begin(page)
    close_bets(page)
    burst(page, "9s\n2h\n")
    prompt(page).to_contain_text("Card 3")
    page.keyboard.press("Control+i")
    wizard = page.get_by_role("dialog", name="Irregularity")
    wizard.get_by_role("radio", name="wrong number of cards").click()
    wizard.get_by_role("button", name="Declare, stop the round").click()
    wizard.get_by_role("radio", name="Void the round").click()
    wizard.get_by_role("button", name="Ask a second person").click()
    page.get_by_role("button", name="Second person here").click()
    form = page.get_by_role("dialog", name="A second person")
    form.get_by_role("button", name="Reject").click()
    form = page.get_by_role("dialog", name="Reject it")
    form.get_by_label("Name").fill("sue")
    form.get_by_label("Password").fill(passwords_of(floor)["sue"])
    page.keyboard.press("Enter")  # decides nothing
    form.get_by_role("button", name="Reject").click()
    expect(form.get_by_role("alert")).to_contain_text("Say why it is rejected")
    form.get_by_label("Why it is rejected").fill("the count was right")
    form.get_by_role("button", name="Reject").click()
    for console_ in (page, other):
        expect(console_.locator(".wiz .told")).to_contain_text(
            "sue rejected: void the round. The reason: the count was right"
        )
    other.locator("[data-lang=zh]").dispatch_event("click")  # the wizard lies over it
    expect(other.locator(".wiz .told")).to_contain_text(
        "sue 否決：該局作廢。原因：the count was right"
    )
    other.locator("[data-lang=en]").dispatch_event("click")
    page.reload()  # it is told until it is put away
    expect(page.locator(".wiz .told")).to_contain_text("sue rejected")
    page.locator(".wiz .told").get_by_role("button", name="Dismiss").click()
    expect(page.locator(".told")).to_have_count(0)
    wizard.get_by_role("radio", name="False alarm").click()
    wizard.get_by_role("button", name="Ask a second person").click()
    wizard.get_by_role("button", name="Withdraw").click()
    expect(wizard.get_by_role("radio", name="False alarm")).to_be_visible()
    expect(other.locator(".wiz .told")).to_contain_text("dora withdrew: go on with the round")
    wizard.get_by_role("radio", name="False alarm").click()
    wizard.get_by_role("button", name="Ask a second person").click()
    other.locator(".await").get_by_role(
        "button", name="Reject"
    ).click()  # at a console of their own: no password
    own = other.get_by_role("dialog", name="Reject it")
    expect(own.get_by_label("Password")).to_have_count(0)
    own.get_by_label("Why it is rejected").fill("look at it again")
    own.get_by_role("button", name="Reject").click()
    expect(page.locator(".wiz .told")).to_contain_text("sam rejected: go on with the round")
    wizard.get_by_role("radio", name="False alarm").click()
    wizard.get_by_role("button", name="Ask a second person").click()
    other.locator(".await").get_by_role("button", name="Approve").click()
    prompt(page).to_contain_text("Card 3")
    burst(page, "Td\n4c\n")
    prompt(page).to_contain_text("Player wins, 9 over 6")
    settle(page)


def test_cards_put_in_their_true_order_are_dealt_again_by_rule(
    guest_of: Come, floor: Served
) -> None:
    page = console(guest_of(floor), "sam")
    begin(page)
    close_bets(page)
    burst(page, "6s\n5h\nTd\nTc\n")
    prompt(page).to_contain_text("third card to BANKER")
    page.keyboard.press("Control+i")
    wizard = page.get_by_role("dialog", name="Irregularity")
    expect(wizard.get_by_role("radio", name="too few cards")).to_contain_text(
        "Say how many cards are left"
    )
    misread = wizard.get_by_role("radio", name="otherwise than it lies")
    expect(misread).to_contain_text("Nothing is void")
    wizard.get_by_role("radio", name="wrong number of cards").click()
    wizard.get_by_role("button", name="Declare, stop the round").click()
    wizard.get_by_role("radiogroup", name="Choose what").get_by_role(
        "radio", name="Put in order"
    ).click()
    burst(page, "3d\n9h\n")  # two cards had been drawn
    expect(wizard).to_contain_text("Player 6, Banker 8: Banker wins")
    expect(wizard).to_contain_text("Left over and burned: 9 of Hearts")
    wizard.get_by_role("button", name="6: 9 of Hearts").focus()
    page.keyboard.press("ArrowLeft")  # the nine came first
    expect(wizard).to_contain_text("Player 6, Banker 4: Player wins")
    box = wizard.get_by_role("button", name="5: 9 of Hearts").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 20, box["y"] + 40)
    page.mouse.down()
    page.mouse.move(box["x"] + 140, box["y"] + 40, steps=4)
    page.mouse.up()  # or not
    expect(wizard).to_contain_text("Player 6, Banker 8: Banker wins")
    wizard.get_by_role("button", name="Ask a second person").click()
    expect(wizard.get_by_role("button", name="Approve")).to_have_count(0)  # sam proposed it
    page.get_by_role("button", name="Second person here").click()
    page.get_by_label("Name").fill("sue")
    page.get_by_label("Password").fill(passwords_of(floor)["sue"])
    page.get_by_role("dialog", name="A second person").get_by_role("button", name="Approve").click()
    prompt(page).to_have_text("Announce: “Banker wins, 8 over 6”")
    settle(page)


def approve_here(page: Page, floor: Served, name: str) -> None:
    """A second person beside the dealer, by a password of their own."""
    page.get_by_role("button", name="Second person here").click()
    form = page.get_by_role("dialog", name="A second person")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password").fill(passwords_of(floor)[name])
    form.get_by_role("button", name="Approve").click()
    expect(form).to_have_count(0)


def test_an_empty_shoe_is_declared_by_a_count_or_by_a_word(guest_of: Come, floor: Served) -> None:
    """By the book it holds hundreds; the dealer looks into it."""
    page = console(guest_of(floor))
    begin(page)
    at_terminal = patron(floor, player=20_000)
    close_bets(page)
    burst(page, "9s\n2h\n")
    prompt(page).to_contain_text("Card 3")
    page.keyboard.press("Control+i")
    wizard = page.get_by_role("dialog", name="Irregularity")
    wizard.get_by_role("radio", name="too few cards").click()
    declare = wizard.get_by_role("button", name="Declare, stop the round")
    declare.click()
    expect(wizard.get_by_role("alert")).to_contain_text("Count the cards left in the shoe")
    wizard.get_by_label("Cards left, as counted").fill("3")
    declare.click()
    expect(wizard.get_by_role("alert")).to_contain_text("the shoe holds 3")
    wizard.get_by_role("button", name="The shoe is empty").click()
    declare.click()
    wizard.get_by_role("radio", name="Void the round").click()
    wizard.get_by_role("button", name="Ask a second person").click()
    approve_here(page, floor, "sam")
    prompt(page).to_contain_text("Place your bets")
    assert (seen(floor)["phase"], at_terminal()["balance_cents"]) == ("void", 100_000)
    assert seen(floor)["stop"]["ground"] == "insufficient-cards"


def test_a_card_found_misread_after_payment_is_corrected_and_patrons_are_told(
    guest_of: Come, floor: Served
) -> None:
    page, watching = console(guest_of(floor)), guest_of(floor).page
    watching.goto(f"/tables/{floor.table}")
    begin(page)
    at_terminal = patron(floor, player=20_000)
    close_bets(page)
    burst(page, "9s\n2h\nTd\n4h\n")
    prompt(page).to_contain_text("Player wins, 9 over 6")
    settle(page)
    assert at_terminal()["balance_cents"] == 120_000
    page.get_by_role("button", name="Irregularity").click()
    wizard = page.get_by_role("dialog", name="Irregularity")
    wizard.get_by_label("What happened").fill("a six upside down")
    wizard.get_by_role("radio", name="otherwise than it lies").click()  # what was written stays
    wizard.get_by_role("button", name="Ask to reopen the round").click()
    expect(page.locator(".await")).to_contain_text("otherwise than it lies")
    approve_here(page, floor, "sam")
    expect(wizard).to_contain_text("a six upside down")
    expect(watching.locator(".callout")).to_contain_text(
        "A card was entered otherwise than it lies"
    )
    expect(wizard.get_by_role("radio", name="Void the round")).to_have_count(0)
    wizard.get_by_role("radio", name="Correct the card").click()
    wizard.get_by_role("radio", name="Player: 9 of Spades").click()
    burst(page, "6s\n")
    wizard.get_by_role("button", name="Ask a second person").click()
    expect(page.locator(".await")).to_contain_text("Correct 9 of Spades to 6 of Spades")
    approve_here(page, floor, "sue")
    prompt(page).to_contain_text("Tie, 6 each")
    told = (
        "Corrected: Player’s first card is the 6 of Spades; it had been entered as the 9 of Spades."
    )
    expect(watching.locator(".strip")).to_have_text(told)
    watching.reload()  # who comes back is told as well
    expect(watching.locator(".strip")).to_have_text(told)
    settle(page)
    assert at_terminal()["balance_cents"] == 100_000
    begin(page)
    expect(watching.locator(".strip")).to_have_count(0)
    close_bets(page)
    burst(page, "9s\n2h\nTd\n4h\n")
    settle(page)


def test_cards_that_left_the_shoe_are_counted_out_by_two(guest_of: Come, floor: Served) -> None:
    page = console(guest_of(floor))
    left = page.locator(".shoe .n")
    before = int(left.inner_text())
    page.get_by_role("button", name="Burn cards").click()
    sheet = page.get_by_role("dialog", name="Cards that left the shoe")
    burst(page, "8c\n")
    sheet.get_by_role("button", name="8 of Hearts").click()
    sheet.get_by_role("button", name="Take 8 of Hearts out again").click()
    sheet.get_by_label("Besides, unseen").fill("2")
    sheet.get_by_role("button", name="Ask a second person").click()
    expect(page.locator(".await")).to_contain_text("Count out of the shoe: 8 of Clubs; unseen: 2")
    approve_here(page, floor, "sam")
    expect(left).to_have_text(str(before - 3))


def test_a_joker_is_questioned_and_leads_to_the_foreign_card(guest_of: Come, floor: Served) -> None:
    page = console(guest_of(floor))
    begin(page)
    close_bets(page)
    burst(page, "JOKER\n")
    expect(page.locator(".held.asks")).to_contain_text("JOKER cannot be")
    expect(page.locator(".held.asks")).to_contain_text("a card of no deck")
    page.get_by_role("button", name="declare a foreign card").click()
    wizard = page.get_by_role("dialog", name="Irregularity")
    expect(wizard).to_contain_text("a card that does not belong to the set")
    wizard.get_by_role("radio", name="False alarm, go on").click()
    wizard.get_by_role("button", name="Ask a second person").click()
    approve_here(page, floor, "sam")
    prompt(page).to_contain_text("Card 1")
    burst(page, "9s\n2h\nTd\n4h\n")
    settle(page)


def test_a_clause_opens_the_rules_there_and_a_card_that_is_read_brings_the_table_back(
    guest_of: Come, floor: Served
) -> None:
    page = console(guest_of(floor))
    begin(page)
    close_bets(page)
    rules = page.get_by_role("dialog", name="Fortune Six No Commission Baccarat")
    page.locator(".prompt").get_by_role("button", name="clause 3.7.1").focus()
    page.keyboard.press("Enter")
    expect(rules.locator("tr.here").first).to_be_focused()
    expect(rules.locator("tr.here .clause").first).to_have_text("3.7.1")
    expect(rules.locator("tr.here").first).to_be_in_viewport()
    page.keyboard.press("Space")  # it scrolls, and does nothing at the table
    page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    expect(page.locator(".prompt").get_by_role("button", name="clause 3.7.1")).to_be_focused()
    page.get_by_role("button", name="5.6, read the rules").click()
    expect(rules.locator("tr.here")).to_contain_text("A later wager or raise is refused")
    burst(page, "9d\n")  # the scanner is heard all the same
    expect(rules).to_have_count(0)
    prompt(page).to_contain_text("Card 2")
    burst(page, "2d\n")
    prompt(page).to_contain_text("Card 3")
    page.keyboard.press("Control+i")
    wizard = page.get_by_role("dialog", name="Irregularity")
    wizard.locator(".g .clause").last.click()  # our own reading, which is not on the page
    expect(rules).to_contain_text("“house procedure 45” has no line of its own on this page.")
    expect(rules.locator("tr.here")).to_have_count(0)
    assert rules.locator(".rules").evaluate("(it) => it.scrollTop") == 0
    rules.get_by_role("button", name="Close").click()
    expect(rules).to_have_count(0)
    wizard.get_by_role("button").first.press("Escape")
    expect(wizard).to_have_count(0)
    page.get_by_role("button", name="繁體中文").click()
    page.locator(".wagers .clause").click()
    expect(page.get_by_role("dialog", name="幸運六免佣百家樂").locator("tr.here")).to_contain_text(
        "截止後投注或加注不獲接受"
    )
    page.keyboard.press("Escape")
    page.get_by_role("button", name="English").click()
    burst(page, "Th\n4s\n")
    prompt(page).to_contain_text("Player wins, 9 over 6")
    settle(page)


def test_the_idle_lock_is_counted_down_and_a_touch_stays(guest_of: Come, tmp_path: Path) -> None:
    floor = Served(tmp_path, "--demo", "--dealer-idle-s", "32")
    guest = guest_of(floor)
    try:
        page = console(guest)
        locks = page.get_by_role("timer")
        expect(locks).to_have_text(re.compile(r"Locks in 0:(29|30), touch to stay"))
        expect(locks).to_have_text(re.compile(r"Locks in 0:2\d"))
        page.keyboard.press("Shift")
        expect(locks).to_have_count(0)
        expect(locks).to_have_text(re.compile(r"Locks in 0:(29|30)"))
        page.locator("main").click(position={"x": 4, "y": 4})
        expect(locks).to_have_count(0)
        guest.server_may_go = True
    finally:
        floor.stop()


def test_the_console_stops_without_its_server_and_goes_on_with_it(
    guest_of: Come, tmp_path: Path
) -> None:
    floor = Served(tmp_path)
    try:
        guest = guest_of(floor)
        page = console(guest)
        begin(page)
        close_bets(page)
        burst(page, "9s\n2h\n")
        prompt(page).to_contain_text("Card 3")
        guest.server_may_go = True
        floor.kill()
        prompt(page).to_have_text("Stop dealing")
        enabled = page.locator("main button:not([disabled])")
        expect(enabled).to_have_count(0)
        burst(page, "Td\n")  # nothing of it counts
        floor.start()
        page.wait_for_url(re.compile(r"/staff\?next="))  # the logins of one process end with it
        log_in(guest, "dora")
        prompt(page).to_contain_text("Card 3")
        assert laid(page) == ["9s", "2h"]
        burst(page, "Td\n4c\n")
        prompt(page).to_contain_text("Player wins, 9 over 6")
        settle(page)
        # The browser itself writes down an answer of 401; nothing else may be said.
        assert all("/api/staff/me" in fault for fault in guest.faults), guest.faults
        guest.faults.clear()
    finally:
        floor.stop()


def test_a_login_says_what_is_wrong_and_leads_to_the_roles_screen(
    guest_of: Come, floor: Served
) -> None:
    guest = guest_of(floor)
    page = guest.page
    page.goto("/staff?next=//example.org/")
    expect(page.get_by_text("A demonstration")).to_be_visible()
    page.get_by_role("button", name="dora dealer").click()
    expect(page.get_by_label("Name")).to_have_value("dora")
    page.get_by_label("Password").fill("wrong words")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_contain_text("Wrong name, password or one-time code")
    guest.faults.clear()  # the browser itself writes down an answer of 401
    page.get_by_label("Password").fill(passwords_of(floor)["dora"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{floor.address}/staff/dealer")
    tables = api(floor, "GET", "/api/tables")[1]
    expect(page.locator(".pickt")).to_have_count(len(tables))
    page.get_by_role("link", name=f"Table {floor.table}").click()
    expect(page.locator(".prompt h1")).to_contain_text("Place your bets")
    page.get_by_role("button", name="繁體中文").click()
    expect(page.locator(".prompt h1")).to_contain_text("宣布")
    expect(page.get_by_role("button", name="異常情況")).to_be_visible()
    page.get_by_role("button", name="登出").click()
    expect(page).to_have_url(re.compile(r"/staff\?next="))
    page.evaluate("localStorage.clear()")


def test_a_new_shoe_comes_with_its_set_and_its_count_and_is_counted_again(
    guest_of: Come, floor: Served
) -> None:
    """A count that differs retires the shoe before it is played; the next one is right, and is counted in play."""
    number, ada = 16, login(floor, "ada", passwords_of(floor)["ada"])
    cards = {"decks": 4, "count_shoes": True, "burn": "first-card"}
    body = {"number": number, "game": "super-six-plus", "physical": True, "cards": cards}
    assert api(floor, "POST", "/api/admin/tables", ada, body)[0] == 201
    guest = guest_of(floor)
    guest.page.goto(f"/staff?next=/staff/dealer/{number}")
    page = log_in(guest, "sam")
    prompt(page).to_have_text("Put a new shoe on the table")
    _put_on(page, set_id="B-7", counted=207)
    prompt(page).to_have_text("Change the shoe")
    page.locator(".prompt .act").click()
    page.get_by_role("dialog").get_by_role("button", name="End the shoe").click()
    prompt(page).to_have_text("Put a new shoe on the table")
    _put_on(page, set_id="B-8", counted=208)
    prompt(page).to_contain_text("Place Your Bets")
    expect(page.locator(".prompt")).to_contain_text("Burn 9 cards unseen")
    for told in ("Set B-8", "counted: 208", "first card:", "9 burned", "198"):
        expect(page.locator(".shoe")).to_contain_text(told)
    page.locator(".prompt .act").click()
    prompt(page).to_contain_text("No More Bets")
    page.get_by_role("button", name="Count the cards").click()
    sheet = page.get_by_role("dialog", name="Count the cards")
    expect(sheet).to_contain_text("208 are expected")
    sheet.get_by_label("All cards, as counted").fill("209")
    sheet.get_by_role("button", name="Count the cards").click()
    wizard = page.get_by_role("dialog", name="Irregularity")
    expect(wizard).to_contain_text("5.1.2")
    assert api(floor, "GET", f"/api/tables/{number}")[1]["stop"]["ground"] == "wrong-deck-count"


def _put_on(page: Page, *, set_id: str, counted: int) -> None:
    page.locator(".prompt .act").click()
    sheet = page.get_by_role("dialog", name="The shoe")
    sheet.get_by_label("First card, turned").fill("9s")
    sheet.get_by_label("Set id of the cards").fill(set_id)
    sheet.get_by_label("All cards, as counted").fill(str(counted))
    sheet.get_by_role("button", name="New shoe").click()
    expect(sheet).to_have_count(0)


def test_one_pin_ends_a_shoe_and_puts_on_the_next(guest_of: Come, tmp_path: Path) -> None:
    """In a demonstration nobody has a PIN, so that the password is asked for first; sam has set one."""
    floor = with_new_table(Served(tmp_path))
    try:
        enrol_staff(floor, "sam", passwords_of(floor)["sam"], pin="2580")
        guest = guest_of(floor)
        page = console(guest)
        expect(page.locator(".shoe")).to_contain_text("Shoe 1")
        page.get_by_role("button", name="New shoe").click()
        sheet = page.get_by_role("dialog", name="The shoe")
        expect(sheet).to_contain_text("One approval ends it and puts on the next.")
        sheet.get_by_role("button", name="End it and put on the new one").click()
        second = page.get_by_role("dialog", name="A second person")
        expect(second).to_contain_text("End the shoe, then: New shoe")
        second.get_by_role("button", name="Use the PIN").click()
        expect(second.get_by_label("Password")).to_have_count(0)
        for pin, says in (("1111", "wrong name or PIN"), ("2580", "")):
            second.get_by_label("Name").fill("sam")
            second.get_by_label("PIN").fill(pin)
            page.keyboard.press("Enter")
            if says:
                expect(second.get_by_role("alert")).to_contain_text(says)
        expect(second).to_have_count(0)
        expect(page.locator(".shoe")).to_contain_text("Shoe 2")
        expect(page.locator(".staff-who")).to_contain_text("dora")
        page.close()  # before its server goes
        guest.faults.clear()  # the browser itself writes down the refusal
    finally:
        floor.stop()


def test_a_laptop_shows_every_key_and_the_way_out_of_a_correction(
    guest_of: Come, floor: Served
) -> None:
    page = console(guest_of(floor, (1366, 768)))
    key = page.get_by_role("region", name="Card entry").get_by_label
    page.get_by_role("button", name="Open bets").first.click()
    expect(page.locator(".prompt h1")).to_contain_text("No more bets")
    page.keyboard.press("Space")
    expect(page.locator(".prompt h1")).to_contain_text("Card 1")
    for card in ("Ace of Spades", "King of Clubs"):
        expect(key(card)).to_be_in_viewport(ratio=1)
    key("King of Clubs").click()
    page.get_by_role("button", name="Correct last card").click()
    sheet = page.get_by_role("dialog", name="Correct a card")
    for way in ("Cancel", "Correct a card"):
        expect(sheet.get_by_role("button", name=way)).to_be_in_viewport(ratio=1)


def test_what_waiting_patrons_read_does_not_run_into_the_clock(
    guest_of: Come, floor: Served
) -> None:
    page = guest_of(floor, (1280, 800)).page
    page.goto(f"/tables/{floor.table}")
    now = page.locator(".top .now")
    expect(now).to_have_text("The next round is about to begin")
    said, clock = now.bounding_box(), page.locator(".top .clock").bounding_box()
    assert said
    assert clock
    assert said["x"] + said["width"] <= clock["x"]
    assert said["height"] < 40  # one line
