"""A review from the finger to the decision and back: asked on the terminal, answered in the pit, read on the terminal."""

from collections.abc import Callable, Iterator
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import serious_findings
from tests.browser.clerk import Clerk
from tests.browser.guest import Guest
from tests.support.served import Served, api, asked, staff_tokens

TABLE = 6
CARDS = ("2h", "9s", "3d", "Tc")  # Banker wins, 9 over 5
PIT = (1440, 900)
PHONE = (390, 844)
IDS = count()


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("reviews"))
    yield found
    found.stop()


def a_round(guest: Guest, tokens: dict[str, str]) -> None:
    """In which the guest loses ten dollars on Player."""

    def does(command: str, **fields: Any) -> None:
        status, answer = asked(guest.floor, tokens["dora"], f"v-{next(IDS)}", command, **fields)
        assert (status, answer["ok"]) == (200, True), answer

    does("open-bets")
    guest.spot("player").click()
    guest.has("player", 1_000)
    does("close-bets")
    for card in CARDS:
        does("enter-card", card=card)
    does("settle")
    expect(guest.spot("player").locator(".tag")).to_be_visible()


def answer(page: Page, decision: str, clause: str, note: str) -> None:
    page.get_by_label("Decision").select_option(decision)
    page.get_by_label("Clause", exact=True).select_option(clause)
    page.get_by_label("Note to the patron").fill(note)
    page.get_by_role("button", name="Answer as sam").click()


def test_a_review_is_asked_on_the_terminal_answered_in_the_pit_and_read_again(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    tokens = staff_tokens(floor, "dora", "sam")
    guest = guest_of(floor)
    page = guest.page
    guest.sit(TABLE)
    a_round(guest, tokens)

    guest.replay()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="Ask for a review").click()
    assert serious_findings(page) == []
    sheet.get_by_role("button", name="Send").click()
    expect(sheet.get_by_role("alert")).to_contain_text("Choose what it is about.")
    sheet.get_by_label("The payment is wrong").check()
    sheet.get_by_label("Note, if you like").fill("Player had nine")
    sheet.get_by_role("button", name="Send").click()
    expect(sheet.locator("[data-review=waits]")).to_contain_text("Review 1 asked, waiting")
    expect(sheet.get_by_role("button", name="Ask for a review")).to_have_count(0)
    page.keyboard.press("Escape")

    sam = Clerk(guest_of(floor, PIT), "sam")
    pit = sam.page
    pit.goto("/staff/pit")
    waits = pit.locator("[data-key=review-6-1]")
    expect(waits).to_contain_text("Table 6, round 1: review 1, the payment is wrong")
    expect(waits).to_contain_text("“Player had nine”")
    waits.get_by_role("button", name="Open").click()
    dialog = pit.get_by_role("dialog")
    expect(dialog).to_contain_text("Banker wins, 9 over 5")
    expect(dialog).to_contain_text("staked $10, loses, paid")
    assert serious_findings(pit) == []
    with pit.expect_download() as pack:
        dialog.get_by_role("link", name="Evidence of round 1, signed").click()
    assert pack.value.suggested_filename == "dispute-table-6-round-1.zip"
    dialog.get_by_role("button", name="Answer as sam").click()
    expect(dialog.locator(".wrong").first).to_contain_text("Choose.")
    answer(pit, "upheld", "3.10", "Nine was Banker's; the cards are on the record.")
    expect(dialog).to_have_count(0)
    expect(waits).to_have_count(0)

    strip = page.locator(".strip")
    expect(strip).to_contain_text("Review 1, of round 1, is answered.")
    page.locator("[data-lang=zh]").click()
    expect(strip).to_contain_text("第 1 局的覆核 1 已有答覆。")
    strip.get_by_role("button", name="閱讀").click()
    told = page.locator("[data-review=answered]")
    expect(told).to_contain_text("覆核 1：該局維持原有結果")
    expect(told).to_contain_text("「Nine was Banker's; the cards are on the record.」")
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    expect(strip).to_have_count(0)
    page.reload()
    expect(page.locator("[data-bet]").first).to_be_visible()
    expect(strip).to_have_count(0)
    page.locator("[data-lang=en]").click()
    guest.replay()
    expect(told).to_contain_text("Review 1: The round stands as it was played")
    told.locator(".clause").click()
    expect(page.locator("[data-sheet=rules] .here").first).to_be_visible()
    # who is not content may ask again
    page.keyboard.press("Escape")
    guest.replay()
    expect(page.get_by_role("button", name="Ask for a review")).to_be_visible()


def test_the_desk_asks_for_a_review_in_the_pit(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    tokens = staff_tokens(floor, "dora", "sam")
    guest = guest_of(floor)
    guest.sit(TABLE)
    a_round(guest, tokens)
    played = api(floor, "GET", f"/api/tables/{TABLE}")[1]["round"]
    path = f"/api/staff/audit/tables/{TABLE}/rounds/{played}"
    rows = [each["row"] for each in api(floor, "GET", path, tokens["sam"])[1]["records"]]
    [session] = [row["by"] for row in rows if row["kind"] == "WagerPlaced"]
    pit = Clerk(guest_of(floor, PIT), "sam").page
    pit.goto("/staff/pit")
    pit.locator("article", has_text=f"Table {TABLE}").get_by_role("button").click()
    pit.get_by_role("button", name="Ask for a review").click()
    dialog = pit.get_by_role("dialog")
    dialog.get_by_role("button", name="Ask for the review").click()
    expect(dialog.locator(".wrong").first).to_contain_text("A whole number.")
    assert serious_findings(pit) == []
    dialog.get_by_label("Round").fill(str(played))
    dialog.get_by_label("Session").fill(session)
    dialog.get_by_label("What about").select_option("wrong-payment")
    dialog.get_by_label("Note").fill("came back from the car park")
    dialog.get_by_role("button", name="Ask for the review").click()
    expect(dialog).to_have_count(0)
    waits = pit.locator(".ap", has_text="came back from the car park")
    expect(waits).to_contain_text(f"round {played}")
    waits.get_by_role("button", name="Open").click()
    expect(dialog).to_contain_text("ruled on it or asked: somebody else must answer")


def test_on_a_telephone_the_form_fits_and_a_round_without_a_wager_has_one_thing_to_ask(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    tokens = staff_tokens(floor, "dora", "sam")
    watcher = guest_of(floor, PHONE)
    watcher.sit(TABLE)
    guest = guest_of(floor)
    guest.sit(TABLE)
    a_round(guest, tokens)
    page = watcher.page
    page.locator("[data-lang=zh]").click()
    watcher.replay()
    page.get_by_role("button", name="要求覆核").click()
    choices = page.get_by_role("radio")
    expect(choices).to_have_count(1)
    expect(choices).to_be_checked()
    assert watcher.fits()
    page.get_by_role("button", name="提交").click()
    expect(page.locator("[data-review=waits]")).to_contain_text("等候答覆 投注未獲接受")
    assert watcher.fits()
    page.keyboard.press("Escape")
    number = watcher.at(TABLE)["reviews"][0]["review"]
    status, found = asked(
        floor,
        tokens["sam"],
        f"v-{next(IDS)}",
        "answer-review",
        review=number,
        decision="referred",
        clause="house",
        note="督察會聯絡你",
    )
    assert (status, found["ok"]) == (200, True), found
    page.locator(".strip").get_by_role("button", name="閱讀").click()
    expect(page.locator("[data-review=answered]")).to_contain_text("已轉交督察處理")
    assert watcher.fits()
