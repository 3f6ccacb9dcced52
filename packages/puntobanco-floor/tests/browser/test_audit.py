"""An auditor replays rounds, verifies the journal, and sees a changed byte, in a real browser."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from puntobanco_floor.web.request import STAFF_COOKIE
from tests.browser.guest import Guest
from tests.support.rounds import three_rounds
from tests.support.served import Served, rewritten, staff_tokens

Come = Callable[[Served, tuple[int, int]], Guest]


@pytest.fixture(scope="module")
def tokens(floor: Served) -> dict[str, str]:
    return staff_tokens(floor, "otto", "dora", "sam", "sue")


@pytest.fixture(scope="module")
def rounds(floor: Served, tokens: dict[str, str]) -> tuple[int, int, int]:
    return three_rounds(floor, tokens)


@pytest.fixture
def otto(
    floor: Served, guest_of: Come, tokens: dict[str, str], rounds: tuple[int, int, int]
) -> Page:
    guest = guest_of(floor, (1440, 900))
    guest.context.add_cookies(
        [{"name": STAFF_COOKIE, "value": tokens["otto"], "url": floor.address}]
    )
    guest.page.goto(f"/staff/audit?table=6&round={rounds[0]}")
    expect(guest.page.locator(".rounds h2")).to_have_text(f"Shoe 1, round {rounds[0]}")
    return guest.page


def test_a_round_is_replayed_card_by_card(otto: Page) -> None:
    expect(otto.locator(".e.sel b")).to_have_text("ROUND SETTLED")
    expect(otto.locator(".hand.b .hd b")).to_have_text("9")
    expect(otto.locator(".checks tbody tr").filter(has_text="Winner")).to_contain_text(
        "Banker 9 over 5"
    )
    expect(otto.locator(".checks tr.off")).to_have_count(0)
    expect(otto.locator(".s tbody tr").filter(has_text="Total")).to_contain_text("$40")
    expect(otto.locator(".l .pill")).to_have_text("sum $0.00")
    expect(otto.locator(".raw .pill")).to_have_text("hash agrees")
    for key, card in (
        ("ArrowLeft", "Card 4: Banker, 10 of Clubs"),
        ("ArrowUp", "Card 3: Player, 3 of Diamonds"),
    ):
        otto.keyboard.press(key)
        expect(otto.locator(".why h3")).to_contain_text(card)
    expect(otto.locator(".hand pb-card")).to_have_count(3)
    expect(otto.locator(".trk rect")).to_have_count(4)
    otto.keyboard.press(" ")
    expect(otto.locator(".e.sel b")).to_have_text("ROUND SETTLED")
    otto.keyboard.press("/")
    expect(otto.locator("#find")).to_be_focused()
    otto.keyboard.type("hearts?")
    expect(otto.get_by_text("No record of this kind.")).to_be_visible()
    otto.locator("#find").fill("2h")
    expect(otto.locator(".e")).to_have_count(1)


def test_a_clause_opens_the_rules_of_the_table_on_show(otto: Page) -> None:
    rules = otto.get_by_role("dialog", name="Fortune Six No Commission Baccarat")
    otto.locator(".why").get_by_role("button", name="3.10, read the rules").click()
    expect(rules.locator("tr.here").first).to_contain_text("The higher point total wins")
    otto.keyboard.press("ArrowUp")  # scrolls, and chooses no other record
    otto.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    expect(otto.locator(".e.sel b")).to_have_text("ROUND SETTLED")
    otto.locator(".s").get_by_role("button", name="4.1, read the rules").first.click()
    expect(rules.locator("tr.here").first).to_be_in_viewport()
    rules.get_by_role("button", name="Close").click()
    otto.locator(".e").filter(has_text="BETS OPENED").locator(
        ".clause"
    ).click()  # in the list, by mouse
    expect(rules.locator("tr.here")).to_contain_text("bets open")
    expect(otto.locator(".e.sel b")).to_have_text("ROUND SETTLED")


def test_a_void_shows_refunds_and_people_and_a_correction_both_hands(
    otto: Page, rounds: tuple[int, int, int]
) -> None:
    otto.get_by_role("button", name=f"Round {rounds[1]}").click()
    expect(otto.locator(".rounds .pill")).to_have_text("void")
    expect(otto.locator(".people")).to_contain_text("sam asked for void-round, sue approved")
    expect(otto.locator(".s tbody tr").filter(has_text="Total")).to_contain_text("$40")
    otto.get_by_role("button", name=f"Round {rounds[2]}").click()
    expect(otto.locator(".fix")).to_contain_text(
        "Banker's second card was 9 of Clubs, is 10 of Clubs"
    )
    expect(otto.locator(".fix pb-card")).to_have_count(8)
    expect(otto.locator(".people")).to_contain_text("dora asked for correct-card, sam approved")


def test_the_bar_is_green_after_a_recomputation_and_red_after_a_changed_byte(
    floor: Served, otto: Page
) -> None:
    expect(otto.locator(".ver h1")).to_have_text("Not verified since the server started")
    otto.get_by_role("button", name="Verify now").click()
    expect(otto.locator(".ver.sound h1")).to_have_text("Journal verified, no breaks")
    expect(otto.locator(".ver")).to_contain_text("Replay equal")
    otto.locator(".e").filter(has_text="1 Player, 2 of Hearts").click()
    heading = otto.locator("#h-raw")
    expect(otto.locator(".raw .pill")).to_have_text("hash agrees")
    seq = int(heading.inner_text().removeprefix("Record "))
    data = rewritten(floor.database, "table:6", seq, lambda data: data.replace(b"2h", b"3h"))
    try:
        otto.get_by_role("button", name="Verify again").click()
        expect(otto.locator(".ver.broken h1")).to_have_text(f"Broken at Table 6, record {seq}")
        expect(otto.locator(".ver .hashes")).to_contain_text("chain says")
        otto.get_by_role("button", name="Show the record").click()
        expect(otto.locator(".raw .pill")).to_have_text("hash does not agree")
        expect(otto.locator(".hx")).to_contain_text("the chain says")
    finally:
        rewritten(floor.database, "table:6", seq, lambda _: data)


def test_the_journal_of_the_house_withholds_secrets(otto: Page) -> None:
    otto.locator("#stream").select_option("floor")
    otto.locator(".e").filter(has_text="STAFF ADDED").first.click()
    expect(otto.get_by_text("Hashes of secrets are withheld")).to_be_visible()
    expect(otto.locator(".hx")).not_to_contain_text("argon2")
    with otto.expect_download() as file:
        otto.get_by_text("Export CSV").click()
        otto.get_by_role("button", name="The whole stream").click()
    assert file.value.suggested_filename == "floor.csv"
