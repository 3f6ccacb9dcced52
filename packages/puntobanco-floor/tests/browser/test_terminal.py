"""The terminal in a real browser, against the API, the books and the rules: five games, on a wide screen and a telephone."""

import math
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import expect

from puntobanco import GAMES
from puntobanco.rules.settle import Line, Wager, settle
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.audit.round_replay import Story, story
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.events import RoundSettled
from puntobanco_floor.store.reader import reading
from tests.browser.conftest import SIZES
from tests.browser.guest import CHIP_CENTS, LONG_PRESS_MS, Guest, Shown, money, placed
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, asked, staff_tokens, with_new_table

PLAY_CREDITS_CENTS = 100_000
ENOUGH_MS = 2_500
WINS = {
    "player": "Player wins, {p} over {b}",
    "banker": "Banker wins, {b} over {p}",
    "tie": "Tie, {p} and {b}",
}
WINNERS = {"P": "player", "B": "banker", "T": "tie"}


def rounds_of(floor: Served, table: int, session: str) -> list[tuple[Story, list[Line]]]:
    """The rounds in which a session had wagers, from the journal; its lines as the rules give them, not the store."""
    name, found = f"table:{table}", list[tuple[Story, list[Line]]]()
    with reading(str(floor.database)) as reader:
        entries = [read_entry(data, stream=name, seq=seq) for seq, data in reader.entries(name)]
        for event in [
            event for entry in entries for event in entry.events if isinstance(event, RoundSettled)
        ]:
            wagers = [
                Wager(session, x.bet, x.stake_cents) for x in event.lines if x.session == session
            ]
            if wagers:
                told = story(reader, name, event.round)
                assert told.after.round is not None
                found.append((told, settle(told.game, told.after.round.play, wagers)))
    return found


def bet_on_every_spot(guest: Guest, table: int, bets: list[str]) -> Shown:
    """In one round, not too late in it; where bets close too soon all the same, in a later one. What the page then shows."""
    until = time.monotonic() + PATIENCE_S
    while True:
        there = guest.api(f"/api/tables/{table}")
        left_ms = (there["closes_at"] or math.inf) - time.time() * 1000
        if there["phase"] == "betting" and left_ms > ENOUGH_MS:
            expect(guest.meter("bet")).to_have_text("$0.00")
            guest.spot(bets[0]).click(delay=LONG_PRESS_MS)
            for bet in bets[1:]:
                guest.spot(bet).click()
            guest.answered()
            guest.keep_settled()
            shown = guest.shown()
            if shown.staked == money(CHIP_CENTS * len(bets)):
                return shown
            guest.page.keyboard.press(
                "x"
            )  # a press that took too long has cleared its spot: all of them again
        assert time.monotonic() < until, guest.shown()
        guest.page.wait_for_timeout(50)


def check_settlement(guest: Guest, before: Shown, shown: Shown, table: int) -> None:
    """Everything that the page said of the last round, against the rules, the books and the API."""
    rounds = rounds_of(guest.floor, table, guest.session)
    told, lines = rounds[-1]
    play = told.after.round.play if told.after.round else None
    assert play is not None
    assert play.winner is not None
    cards = next(event for _, event in told.events if isinstance(event, RoundSettled)).cards.split()
    slots = dict(zip(("p1", "b1", "p2", "b2"), cards, strict=False))
    assert shown.player_cards[:2] == [slots["p1"], slots["p2"]]
    assert shown.banker_cards[:2] == [slots["b1"], slots["b2"]]
    assert sorted(shown.player_cards + shown.banker_cards) == sorted(cards)
    points = {"p": play.player_points, "b": play.banker_points}
    assert (shown.player, shown.banker) == (str(points["p"]), str(points["b"]))
    assert shown.said == WINS[play.winner].format(**points)
    assert shown.status.startswith(f"{shown.said}. You "), shown.status
    won = Counter(WINNERS[result[0]] for result in told.after.results)
    assert {side: shown.counts[side] for side in WINNERS.values()} == {
        side: won[side] for side in WINNERS.values()
    }
    assert shown.spots == {
        x.wager.bet: [x.wager.stake_cents, False, x.outcome, x.paid_cents, x.clause] for x in lines
    }
    net = sum(x.paid_cents - x.wager.stake_cents for x in lines)
    assert shown.won == f"{'+' if net > 0 else ''}{money(net)}"
    cents = PLAY_CREDITS_CENTS + sum(x.net_cents for _, found in rounds for x in found)
    assert before.balance == money(cents - sum(x.paid_cents for x in lines))
    assert (shown.balance, shown.staked) == (money(cents), before.staked)
    assert guest.at(table)["balance_cents"] == cents
    with reading(str(guest.floor.database)) as reader:
        assert reader.balances(f"table:{table}")[f"session:{guest.session}"] == cents


def test_the_lobby_shows_six_tables_marked_demo_and_leads_to_them(guests: list[Guest]) -> None:
    for guest in guests:
        guest.page.goto("/")
        tables = guest.page.locator("article[data-key^='table:']")
        expect(tables).to_have_count(6)
        expect(guest.page.get_by_text("DEMO").first).to_be_visible()
        assert guest.fits(), guest.size
        titles = [str(x["title"]["en"]) for x in guest.api("/api/tables")]
        guest.page.locator("a[href='/tables/4#sit']").click()
        expect(guest.page).to_have_url(f"{guest.floor.address}/tables/4")
        expect(guest.page.get_by_role("heading", level=1)).to_have_text(titles[3])
        expect(guest.page.get_by_text("DEMO").first).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_every_spot_is_bet_on_and_settled_on_the_page_as_by_the_rules(
    guests: list[Guest], game: str
) -> None:
    table, bets = list(GAMES).index(game) + 1, [bet.id for bet in GAMES[game].bets]
    for guest in guests:
        guest.sit(table)
        assert sorted(guest.shown().spots) == sorted(bets)
    for guest, at_first in [(guest, bet_on_every_spot(guest, table, bets)) for guest in guests]:
        assert at_first.spots == {bet: placed(CHIP_CENTS) for bet in bets}
        assert guest.fits(), guest.size
        before, shown = at_first, guest.settled()
        while shown is None:  # no frame between the result and the next round: another round
            before = bet_on_every_spot(guest, table, bets)
            shown = guest.settled()
        check_settlement(guest, before, shown, table)


def test_credits_become_a_voucher_and_credits_again_at_another_table(guests: list[Guest]) -> None:
    for guest in guests:
        guest.sit(1)
        number = guest.cash_out()
        guest.page.get_by_role("button", name="I have it").click()
        expect(guest.meter("credits")).to_have_text("–")
        guest.open(2)
        expect(guest.meter("credits")).to_have_text("–")
        guest.redeem(number)
        expect(guest.meter("credits")).to_have_text("$1,000.00")
        guest.redeem(number)
        expect(guest.page.get_by_role("alert")).to_contain_text("redeemed before")
        assert guest.at(2)["balance_cents"] == PLAY_CREDITS_CENTS
        assert [fault.rpartition("(")[2] for fault in guest.faults] == [
            f"{guest.floor.address}/api/tables/2/redeem)"
        ]
        guest.faults.clear()  # the browser itself writes down an answer of 409


def test_a_voucher_is_still_shown_when_the_next_round_opens(
    guest_of: Callable[..., Guest], floor: Served
) -> None:
    guest = guest_of(with_new_table(floor))
    guest.sit(floor.table)
    number = guest.cash_out()
    deal(floor, "open-bets")
    expect(guest.page.locator("[data-status]")).to_have_attribute("data-status", "betting")
    expect(guest.page.locator("[data-paper=number]")).to_have_text(number)


def test_a_reload_and_a_killed_server_in_mid_round_lose_nothing(
    guest_of: Callable[..., Guest], tmp_path: Path
) -> None:
    """At the dealer's table, where the clock does nothing: killed between the second card and the third."""
    floor = Served(tmp_path)
    try:
        guests = [guest_of(floor, size) for size in SIZES]
        bets = [bet.id for bet in GAMES["fortune-six"].bets]
        deal(floor, "open-bets")
        for guest in guests:
            guest.sit(floor.table)
            bet_on_every_spot(guest, floor.table, bets)
        deal(floor, "close-bets", "9s", "2h")
        for guest in guests:
            expect(guest.page.locator("[data-slot=b1] pb-card")).to_have_attribute("code", "2h")
            expect(guest.page.locator("[data-total=banker]")).to_have_text("2")  # it lies face up
        before = [guest.shown() for guest in guests]
        for guest, was in zip(guests, before, strict=True):
            assert was.spots == {bet: placed(CHIP_CENTS) for bet in bets}
            assert guest.at(floor.table)["wagers"] == dict.fromkeys(bets, CHIP_CENTS)
            assert was.balance == money(PLAY_CREDITS_CENTS - CHIP_CENTS * len(bets))
            assert was.balance == money(guest.at(floor.table)["balance_cents"])
            guest.page.reload()
            expect(guest.page.locator("[data-slot=b1] pb-card")).to_have_attribute("code", "2h")
            assert stands(guest.shown()) == stands(was)
        for guest in guests:
            guest.server_may_go = True
        floor.kill()
        for guest in guests:
            lost = guest.page.get_by_role("alertdialog")
            expect(lost).to_contain_text(
                f"Accepted before the break{money(CHIP_CENTS * len(bets))}"
            )
            expect(guest.page.get_by_role("status")).to_contain_text("Reconnecting")
            assert guest.spot(bets[0]).get_attribute("aria-disabled") == "true"
        floor.start()
        for guest, was in zip(guests, before, strict=True):
            expect(guest.page.get_by_role("alertdialog")).to_have_count(0)
            assert stands(guest.shown()) == stands(was)
            guest.keep_settled()
        deal(floor, "8d", "4c", "settle")
        for guest, was in zip(guests, before, strict=True):
            shown = guest.settled()
            assert shown is not None, (
                "a dealer's table shows a result until the next round is opened"
            )
            check_settlement(guest, was, shown, floor.table)
    finally:
        floor.stop()
    assert audit(floor.database).fault is None


_DORA = dict[int, str]()
"""Her token, by the server's process: she logs in once at each."""


def deal(floor: Served, *steps: str, table: int | None = None) -> None:
    """The dealer's work: a command, or a card by its code."""
    if floor.process.pid not in _DORA:
        _DORA[floor.process.pid] = staff_tokens(floor, "dora")["dora"]
    dora = _DORA[floor.process.pid]
    for step in steps:
        command, fields = ("enter-card", {"card": step}) if len(step) == 2 else (step, {})
        status, answer = asked(
            floor, dora, f"{step}-{time.monotonic_ns()}", command, table=table, **fields
        )
        assert (status, answer["ok"]) == (200, True), answer


def stands(shown: Shown) -> Shown:
    """Without what is said: a page that saw it happen announces other words than one that is loaded anew."""
    return replace(shown, status="", said="")


def test_a_page_that_misbehaves_is_noticed(guest_of: Callable[..., Guest], floor: Served) -> None:
    """The watch over faults and hosts, watched: a script of another host, an error, and a request elsewhere."""
    guest = guest_of(floor)
    guest.page.goto("/")
    assert (guest.faults, guest.hosts) == ([], {f"127.0.0.1:{floor.port}"})
    guest.page.evaluate("setTimeout(() => { throw new Error('slip'); })")
    guest.page.evaluate("fetch('http://localhost:9/').catch(() => 0)")
    guest.page.wait_for_timeout(300)
    assert any("slip" in fault for fault in guest.faults)
    assert any("policy: connect-src http://localhost:9/" in fault for fault in guest.faults)
    guest.page.goto("data:text/html,<img src='http://localhost:9/'>")
    assert "localhost:9" in guest.hosts
    guest.faults.clear()
    guest.hosts -= {"localhost:9", ""}
