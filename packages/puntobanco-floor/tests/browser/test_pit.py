"""The pit in a browser: alerts, approvals by somebody else, side bets closed, tables that stop, start and close."""

import asyncio
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import expect

from puntobanco_floor.client import Terminal
from tests.browser.axe import serious_findings
from tests.browser.clerk import Clerk
from tests.browser.guest import Guest
from tests.support.served import Served, api, asked, cage, open_shift, staff_tokens

SIZE = (1440, 900)
DEALERS_TABLE = 6


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"), betting_ms=1_500, pause_ms=800)
    yield found
    found.stop()


def a_large_wager(floor: Served) -> None:
    """A guest with credits enough puts 5,000 dollars on the player, at the dealer's table."""
    carl = staff_tokens(floor, "carl")["carl"]
    open_shift(floor, carl, 1)

    async def play() -> None:
        async with Terminal(floor.address, table=DEALERS_TABLE) as terminal:
            session = (await terminal.seat()).session
            bought = await asyncio.to_thread(
                asked, floor, carl, "buy", "buy-in", session=session, cents=1_000_000
            )
            assert bought[1]["ok"], bought
            assert (await terminal.place("player", 500_000)).ok

    with ThreadPoolExecutor(1) as other:  # this thread's event loop is Playwright's
        other.submit(asyncio.run, play()).result()


def test_the_way_out_is_on_the_screen_at_every_width(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = Clerk(guest_of(floor, SIZE), "ada").page
    page.goto("/staff/pit")
    way_out = page.get_by_role("button", name="Log out")
    for width in (390, 1024, 1280, 1366, 1440):
        page.set_viewport_size({"width": width, "height": 800})
        expect(way_out).to_be_in_viewport(ratio=1)


def test_on_a_small_laptop_the_bar_is_one_line_and_a_second_row_of_tables_is_seen(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = Clerk(guest_of(floor, (1366, 768)), "ada").page
    page.goto("/staff/pit")
    expect(page.locator(".c pb-road svg")).to_have_count(6)
    heights = page.locator(".staffbar").evaluate("(one) => one.getBoundingClientRect().height")
    assert heights <= 64
    expect(page.locator(".c pb-road").last).to_be_in_viewport(ratio=0.3)


def test_alerts_and_approvals_come_without_a_reload(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    sam, sue = (Clerk(guest_of(floor, SIZE), name) for name in ("sam", "sue"))
    page, dora = sam.page, staff_tokens(floor, "dora")["dora"]
    page.goto("/staff/pit")
    expect(page.get_by_text("No alerts today")).to_be_visible()
    expect(page.get_by_text("Nothing waits for a second person")).to_be_visible()
    page.evaluate("window.same = true")  # gone, were the page loaded again

    assert asked(floor, dora, "open", "open-bets")[1]["ok"]
    a_large_wager(floor)
    alert = page.locator("#alerts").get_by_role("button", name="Large wager")
    expect(alert).to_contain_text("put $5,000 on Player")
    expect(page.locator("article.al")).to_contain_text("Table 6")
    alert.click()
    expect(page.locator(".evidence .facts")).to_contain_text("$5,000.00")
    page.get_by_role("button", name="Edges of that round").click()
    expect(page.locator(".evidence")).to_contain_text(
        "still played; its edges are told when it is over"
    )
    assert "/edges" in sam.refusals()[0]
    page.locator("article", has_text="Table 6").get_by_role("button").click()
    expect(page.locator("aside.gp")).to_contain_text("Worst case, round 1")
    expect(page.locator("aside.gp")).to_contain_text("Bets are open: edges and unseen cards")

    assert asked(floor, dora, "close", "close-bets")[1]["ok"]
    assert asked(floor, dora, "declare", "declare-irregularity", ground="malfunction")[1]["ok"]
    assert asked(floor, dora, "void", "void-round")[1]["ok"]
    waits = page.locator("#approvals .ap")
    expect(waits).to_contain_text("Table 6, round 1: void the round")
    expect(waits).to_contain_text("Proposed by dora")
    waits.get_by_role("button", name="Approve").click()
    dialog = page.get_by_role("dialog", name="Look again")
    expect(dialog).to_contain_text("Wagers returned")
    dialog.get_by_role("button", name="read the rules").first.click()
    rules = page.get_by_role(
        "dialog", name="Fortune Six No Commission Baccarat"
    )  # of that table, over the sheet
    expect(rules.locator("table").first).to_be_visible()
    assert serious_findings(page) == []
    page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    expect(dialog).to_be_visible()
    assert serious_findings(page) == []
    expect(dialog).to_contain_text("$5,000.00")
    dialog.get_by_role("button", name="Refuse").click()
    dialog = page.get_by_role("dialog", name="Refuse this?")
    dialog.get_by_role("button", name="Refuse", exact=True).click()
    expect(dialog).to_contain_text("Say why.")
    dialog.get_by_label("Why it is refused").fill("look at the reader first")
    dialog.get_by_role("button", name="Refuse", exact=True).click()
    expect(page.get_by_text("Nothing waits for a second person")).to_be_visible()

    proposed = sam.command(DEALERS_TABLE, "own", "void-round")
    expect(waits).to_contain_text("You proposed this: somebody else must approve it.")
    expect(waits.get_by_role("button", name="Approve")).to_have_count(0)
    refused = sam.command(DEALERS_TABLE, "own-yes", "approve", proposal=proposed["proposal"])
    assert (refused["ok"], refused["code"]) == (False, "second-person-needed")
    waits.get_by_role("button", name="Withdraw").click()
    page.get_by_role("dialog", name="Withdraw this?").get_by_role("button", name="Withdraw").click()
    expect(page.get_by_text("Nothing waits for a second person")).to_be_visible()
    sam.command(DEALERS_TABLE, "own-again", "void-round")
    sue.page.goto("/staff/pit")
    sue.page.locator("#approvals .ap").get_by_role("button", name="Refuse").click()
    sue.page.get_by_label("Why it is refused").fill("the reader is checked")
    sue.page.get_by_role("dialog").get_by_role("button", name="Refuse", exact=True).click()
    # gone from her page too, or she would look at the old one again below
    expect(sue.page.get_by_text("Nothing waits for a second person")).to_be_visible()
    told = page.locator("#approvals .told")
    expect(told).to_contain_text(
        "Table 6: sue rejected: void the round. The reason: the reader is checked"
    )
    page.reload()
    expect(told).to_contain_text("sue rejected")
    told.get_by_role("button", name="Seen").click()
    expect(told).to_have_count(0)
    page.evaluate("window.same = true")
    sam.command(DEALERS_TABLE, "own-at-last", "void-round")
    sue.page.locator("#approvals .ap").get_by_role("button", name="Approve").click()
    sue.page.get_by_role("button", name="Approve as sue").click()
    expect(page.get_by_text("Nothing waits for a second person")).to_be_visible()
    expect(page.locator("article", has_text="Table 6")).to_contain_text("Void")
    expect(page.locator("aside.gp")).to_contain_text("unseen cards before round 1")
    assert page.evaluate("window.same") is True


def test_a_large_payment_at_the_cage_is_decided_in_the_pit(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page, tokens = Clerk(guest_of(floor, SIZE), "sam").page, staff_tokens(floor, "carl", "sue")
    carl = tokens["carl"]
    if not api(floor, "GET", "/api/staff/cage/1", carl)[1]["cashier"]:
        open_shift(floor, carl, 1)
    page.goto("/staff/pit")
    waits, dialog = page.locator("#approvals .ap"), page.get_by_role("dialog")
    expect(waits).to_have_count(0)
    for n, cents in enumerate((1_500_000, 1_600_000)):
        assert cage(floor, carl, "sell", f"large-{n}", cents=cents)[0] == 409
        [sale] = api(floor, "GET", "/api/staff/cage/1", carl)[1]["payments"][n:]
        expect(waits).to_have_count(n + 1)
        expect(waits.last).to_contain_text(f"Cage window 1: sell a voucher of ${cents // 100:,}.00")
        assert cage(floor, tokens["sue"], "approve", f"sold-{n}", payment=sale["payment"])[0] == 200
        paper = cage(floor, carl, "sell", f"large-{n}", cents=cents)[1]
        assert cage(floor, carl, "pay", f"pay-{n}", number=paper["number"])[0] == 200
    expect(waits).to_have_count(2)
    first = waits.filter(has_text="Cage window 1: pay a voucher of $15,000.00")
    expect(first).to_contain_text("Over $10,000. Proposed by carl")
    first.get_by_role("button", name="Refuse").click()
    expect(dialog).to_contain_text("The voucher stays good.")
    dialog.get_by_role("button", name="Refuse", exact=True).click()
    expect(dialog).to_contain_text("Say why.")
    dialog.get_by_label("Why it is refused").fill("no passport")
    dialog.get_by_role("button", name="Refuse", exact=True).click()
    expect(waits).to_have_count(1)
    waits.get_by_role("button", name="Approve").click()
    expect(dialog).to_contain_text("$16,000.00")
    dialog.get_by_role("button", name="Approve as sam").click()
    expect(page.get_by_text("Nothing waits for a second person")).to_be_visible()
    window = api(floor, "GET", "/api/staff/cage/1", carl)[1]
    told = [(one["outcome"], one["by"], one["reason"]) for one in window["decided"][-2:]]
    assert (window["payments"], told) == (
        [],
        [("rejected", "sam", "no passport"), ("approved", "sam", "")],
    )


def test_side_bets_are_closed_from_the_pit_and_the_terminal_says_so(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    """The dealer's table, so that rounds begin and end when the test says so."""
    page, guest = Clerk(guest_of(floor, SIZE), "sam").page, guest_of(floor, (1280, 800))
    dora, ids = staff_tokens(floor, "dora")["dora"], count()

    def does(*commands: str) -> None:
        for command in commands:
            name, _, code = command.partition(" ")
            fields: dict[str, Any] = {"card": code} if code else {}
            answer = asked(floor, dora, f"bets-{next(ids)}", name, **fields)
            assert answer[1]["ok"], answer

    page.goto("/staff/pit")
    card = page.locator("article", has_text="Table 6")
    card.get_by_role("button").click()
    guest.sit(DEALERS_TABLE)
    does("open-bets")
    expect(card).to_contain_text("Betting")
    page.get_by_role("button", name="Close side bets").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Side bets of Table 6")
    expect(dialog.get_by_label("Player", exact=True)).to_have_count(0)
    dialog.get_by_label("Close Fortune Six").check()
    assert serious_findings(page) == []
    dialog.get_by_role("button", name="Go on").click()
    expect(dialog).to_contain_text("this holds from the next one")
    dialog.get_by_role("button", name="Close Fortune Six").click()
    waits = "limits change after this round"
    expect(card).to_contain_text(waits)
    expect(page.locator("aside.gp")).to_contain_text(f"{waits}, asked for by sam")
    guest.spot("fortune-six").click()
    guest.has("fortune-six", 1_000)

    other = Clerk(guest_of(floor, SIZE), "sue").page
    other.goto("/staff/pit")
    theirs = other.locator("article", has_text="Table 6")
    expect(theirs).to_contain_text(waits)
    theirs.get_by_role("button").click()
    other.get_by_role("button", name="Withdraw, table 6: limits change").click()
    expect(card).not_to_contain_text("after this round")
    page.get_by_role("button", name="Close side bets").click()
    dialog.get_by_label("Close Fortune Six").check()
    dialog.get_by_role("button", name="Go on").click()
    dialog.get_by_role("button", name="Close Fortune Six").click()
    expect(theirs).to_contain_text(waits)
    assert serious_findings(other) == []
    page.goto("about:blank")  # who asked goes home: the table does it
    does("close-bets", *(f"enter-card {code}" for code in ("9s", "2h", "Td", "4h")), "settle")
    expect(theirs).not_to_contain_text("after this round")
    page.goto("/staff/pit")
    card.get_by_role("button").click()
    expect(page.locator("aside.gp tr", has_text="Fortune Six")).to_contain_text("closed")

    does("open-bets")
    spot = guest.spot("fortune-six")
    expect(spot).to_have_attribute("aria-disabled", "true")
    expect(spot.locator(".tag")).to_have_text("Closed")
    spot.click(force=True)
    expect(guest.page.get_by_role("alert")).to_contain_text("Fortune Six is closed at this table")
    expect(
        guest.page.get_by_role("button", name="Rebet")
    ).to_be_disabled()  # nothing else lay there
    assert by_the_wire(floor, "fortune-six") == "spot-closed"
    assert serious_findings(guest.page) == []
    guest.page.locator("[data-lang=zh]").click()
    expect(spot.locator(".tag")).to_have_text("已關閉")
    does("close-bets", *(f"enter-card {code}" for code in ("9h", "2s", "Tc", "4s")), "settle")

    page.get_by_role("button", name="Close side bets").click()
    dialog.get_by_label("Close Fortune Six").uncheck()
    dialog.get_by_role("button", name="Go on").click()
    dialog.get_by_role("button", name="Open Fortune Six").click()
    expect(page.locator("aside.gp tr", has_text="Fortune Six")).not_to_contain_text("closed")
    does("open-bets")
    expect(spot).to_have_attribute("aria-disabled", "false")
    spot.click()
    guest.has("fortune-six", 1_000)
    does("close-bets", *(f"enter-card {code}" for code in ("8h", "2c", "Ts", "5s")), "settle")


def by_the_wire(floor: Served, bet: str) -> str:
    """What the table answers to a wager of a terminal that has no page."""

    async def tries() -> str:
        async with Terminal(floor.address, table=DEALERS_TABLE) as terminal:
            await terminal.seat()
            return (await terminal.place(bet, 1_000)).code

    with ThreadPoolExecutor(1) as other:
        return str(other.submit(asyncio.run, tries()).result())


def test_a_table_is_stopped_started_and_closed_after_its_round(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    page = Clerk(guest_of(floor, SIZE), "sam").page
    page.goto("/staff/pit")
    card = page.locator("article", has_text="Table 2")
    card.get_by_role("button").click()
    page.get_by_role("button", name="Stop table").click()
    page.get_by_label("Cause").select_option("another-reason")
    page.get_by_role("button", name="Stop the table").click()
    expect(page.get_by_role("dialog")).to_contain_text("Say why.")
    page.get_by_label("Note").fill("a chip under the felt")
    page.get_by_role("button", name="Stop the table").click()
    expect(card).to_contain_text("a chip under the felt")
    expect(card).to_contain_text("Stopped")
    page.get_by_role("button", name="Start table").click()
    page.get_by_role("button", name="Start the table").click()
    expect(card).to_contain_text("Betting")
    page.get_by_role("button", name="Close table").click()
    page.get_by_label("Cause").select_option("play-ends")
    page.get_by_role("dialog").locator("button[type=submit]").click()
    expect(card).to_contain_text("Closed")
    expect(card).to_contain_text("last seen")
    page.get_by_role("button", name="Open table").click()
    page.get_by_role("button", name="Open the table").click()
    expect(card).not_to_contain_text("Closed")


def test_a_table_closes_after_its_round_whoever_still_looks_and_patrons_are_told(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    """The supervisor's page is loaded anew in between, and another supervisor keeps the table open at first."""
    sam, sue = (Clerk(guest_of(floor, SIZE), name).page for name in ("sam", "sue"))
    guest, dora = guest_of(floor, (1280, 800)), staff_tokens(floor, "dora")["dora"]
    for page in (sam, sue):
        page.goto("/staff/pit")
        page.locator("article", has_text="Table 6").get_by_role("button").click()
    guest.open(DEALERS_TABLE)
    strip, card = guest.page.locator(".strip"), sue.locator("article", has_text="Table 6")

    def closes(cause: str, why: str) -> None:
        sam.get_by_role("button", name="Close table").click()
        sam.get_by_label("Cause").select_option(cause)
        sam.get_by_label("Note").fill("for staff alone")
        sam.get_by_role("button", name="Close after this round").click()
        expect(strip).to_contain_text(f"This table closes after this round: {why}.")
        expect(card).to_contain_text(f"closes after this round: {why}, “for staff alone”")
        expect(guest.page.locator("body")).not_to_contain_text("for staff alone")

    assert asked(floor, dora, "last-open", "open-bets")[1]["ok"]
    closes("house-decides", "the house has decided so")
    expect(sue.get_by_role("button", name="Close table")).to_have_count(0)
    sue.get_by_role("button", name="Keep open").click()
    sue.get_by_role("button", name="Keep the table open").click()
    expect(strip).to_have_count(0)
    closes("play-ends", "play ends here for today")
    sam.goto("/staff")  # nobody who asked for it looks on
    guest.page.reload()
    expect(strip).to_contain_text("This table closes after this round: play ends here for today.")
    for n, what in enumerate(
        ["close-bets", *(f"enter-card {code}" for code in ("9s", "2h", "Td", "4h")), "settle"]
    ):
        command, _, code = what.partition(" ")
        fields: dict[str, Any] = {"card": code} if code else {}
        assert asked(floor, dora, f"last-{n}", command, **fields)[1]["ok"]
    expect(strip).to_contain_text("This table closes now: play ends here for today.")
    expect(card).to_contain_text("Closing")
    expect(card).to_contain_text("Closed")
    expect(guest.page.get_by_text("The table is closed").first).to_be_visible()


def test_the_floor_is_stopped_and_started(guest_of: Callable[..., Guest], floor: Served) -> None:
    page = Clerk(guest_of(floor, SIZE), "sam").page
    page.goto("/staff/pit")
    page.get_by_role("button", name="Stop floor").click()
    page.get_by_label("Cause").select_option("safety")
    page.get_by_label("Note").fill("fire alarm")
    page.get_by_role("button", name="Stop every table").click()
    expect(page.get_by_role("alert")).to_contain_text(
        "The floor is stopped: for everybody's safety, “fire alarm”"
    )
    page.get_by_role("button", name="Start the floor").click()
    page.get_by_role("dialog").get_by_role("button", name="Start the floor").click()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_it_fits_narrow_and_at_double_size_and_an_auditor_only_looks(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    for size in ((1440, 900), (1024, 768), (720, 450)):  # the last is 1440 x 900 at 200 %
        guest = guest_of(floor, size)
        page = Clerk(guest, "otto").page
        page.goto("/staff/pit")
        expect(page.locator("article").first).to_be_visible()
        assert guest.fits(), size
        expect(page.locator("[data-sheet]")).to_have_count(0)
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight"), (
        "stacked, it scrolls"
    )
