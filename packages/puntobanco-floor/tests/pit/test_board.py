"""The pit's board: edges of rounds that are over and of no other, worst cases, proposals with their facts, the day's alerts."""

import threading
from fractions import Fraction

import msgspec
import pytest

from puntobanco.odds.par import par_sheet
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.games import FORTUNE_SIX, SIX_STAR
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.service.pit.alert_facts import Fact
from puntobanco_floor.service.pit.board import (
    ALERTS_SHOWN,
    SILENT_MS,
    PitTable,
    build_board,
    pit_table,
)
from puntobanco_floor.service.pit.protection import protection
from puntobanco_floor.service.pit.watch import LATE_ATTEMPTS
from puntobanco_floor.service.pit.watch import Pit as Room
from tests.pit.test_pit import ROUND, Pit, opened
from tests.support.english import english
from tests.support.patience import PATIENCE_S, wait_until
from tests.table.notation import play

STAR = """
open-table six-star patron=100000.00 buyin=0.00 -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
seat ben                              -> SessionSeated
buy ann 20000.00                      -> CreditsBought
buy ben 20000.00                      -> CreditsBought
"""


def table_of(pit: Pit, now: int | None = None) -> PitTable:
    at = pit.table.now if now is None else now
    return pit_table(pit.table.stream, pit.watch, connected=1, terminals=3, now=at)


def test_no_edge_is_told_of_a_round_that_is_open_or_played() -> None:
    """After every line of two rounds: the edges are of the last round that is over, with the cards as it began; and while
    bets are open nothing of the shoe in play is on the board, since it tells most of what the next round is worth.
    """
    pit, seen = opened(), list[int | None]()
    for line in (ROUND.strip() + ROUND.rstrip()).splitlines():
        pit.plays(line)
        found, state = table_of(pit).protection, pit.table.state
        if state.phase not in ("settled", "void"):
            assert protection(state) is None
        assert found is None or found.round < state.rounds or state.phase == "settled"
        assert found is None or state.phase != "betting"
        seen.append(found.round if found else None)
    first = [None] * 8 + [1]
    bets_open = [None] * 3
    assert seen == [*first, *bets_open, *[1] * 5, 2]


def test_of_a_shoe_that_is_over_the_board_may_tell_while_bets_are_open() -> None:
    pit = opened()
    pit.plays(ROUND)
    pit.plays("end-shoe -> ShoeEnded, PeriodSealed")
    pit.plays("shoe physical -> ShoeStarted")
    pit.plays("open -> BetsOpened")
    found = table_of(pit).protection
    assert pit.table.state.phase == "betting"
    assert found is not None
    assert (found.shoe, found.round) == (1, 1)


def test_what_the_edges_and_the_unseen_cards_are() -> None:
    pit = opened()
    pit.plays(ROUND + ROUND)
    found = table_of(pit).protection
    assert found is not None
    left = FORTUNE_SIX.shoe(8).without(parse_cards("9s 9h Td Th", FORTUNE_SIX.deck))
    fresh, then = par_sheet(FORTUNE_SIX, 8), par_sheet(FORTUNE_SIX, left)
    assert (found.round, found.shoe, found.decks, found.unseen) == (2, 1, 8, 412)
    assert [edge.now for edge in found.edges] == pytest.approx(
        [-float(odds.ev) for odds in then.bets]
    )
    assert [edge.fresh for edge in found.edges] == pytest.approx(
        [-float(odds.ev) for odds in fresh.bets]
    )
    assert found.points == (126, 32, 32, 32, 32, 32, 32, 32, 32, 30)
    assert sum(found.expected) == pytest.approx(412)
    assert [(each.suit, each.count) for each in found.suits] == [
        ("s", 103),
        ("h", 102),
        ("d", 103),
        ("c", 104),
    ]


def test_a_bonus_counts_at_the_tables_minimum() -> None:
    pit = Pit()
    pit.plays(
        STAR + ROUND.replace("9s", "9f").replace("9h", "9g").replace("Td", "Te").replace("Th", "Tw")
    )
    found = table_of(pit).protection
    assert found is not None
    tie = next(edge for edge in found.edges if edge.bet == "tie")
    assert tie.stake_cents == 1_000
    assert (
        tie.now
        == tie.fresh
        == pytest.approx(-float(par_sheet(SIX_STAR, 8).bet("tie").ev_at(Fraction(10))))
    )
    assert all(edge.stake_cents is None for edge in found.edges if edge.bet != "tie")


def test_the_worst_case_is_that_of_the_stakes_and_of_everybodys_bonus() -> None:
    pit = Pit()
    pit.plays(
        STAR
        + """
open                                  -> BetsOpened
wager ann element-bonus 35.00         -> WagerPlaced
wager ann tie 60.00                   -> WagerPlaced
wager ben tie 50.00                   -> WagerPlaced
wager ben player 100.00               -> WagerPlaced
"""
    )
    table = table_of(pit)
    worst = [(each.bet, each.patrons, each.stake_cents, each.payout_cents) for each in table.worst]
    assert worst == [
        ("element-bonus", 0, 3_500, 17_500_000),
        ("tie", 2, 11_000, 110_00 * 8 + 2 * 3_000_000),
        ("player", 0, 10_000, 12_000),
    ]
    assert table.exposure_cents == sum(each.payout_cents for each in table.worst)
    assert (table.in_play_cents, table.protection) == (24_500, None)


STOPPED = """
open                                  -> BetsOpened
wager ann player 100.00               -> WagerPlaced
close                                 -> BetsClosed
card 3s                               -> CardDealt
card Kh                               -> CardDealt
card 2d                               -> CardDealt
card Qc                               -> CardDealt, TotalsAnnounced
declare wrong-card-count              -> IrregularityDeclared
"""


def facts_of(table: PitTable, n: int = 0) -> dict[str, Fact]:
    return {fact.name: fact for fact in table.waiting[n].facts}


def test_a_reconstruction_is_looked_at_as_it_would_be() -> None:
    pit = opened()
    pit.plays(STOPPED + 'reconstruct "3s Kh 2d Qc 9h 6s 4d" by=dora -> Proposed 1')
    table = table_of(pit)
    [waiting] = table.waiting
    assert (waiting.by, waiting.command, waiting.round, waiting.clause) == (
        "dora",
        "reconstruct",
        1,
        "5.2",
    )
    assert waiting.refused is None
    facts = facts_of(table)
    assert english(facts["Stopped for"].text) == "a hand was dealt the wrong number of cards"
    assert (facts["As they lay"].cards, facts["Not needed, burned"].cards) == ("3s Kh 2d Qc", "4d")
    assert english(facts["Result"].text) == "Banker wins, 6 over 4"
    assert table.stop is not None
    assert (table.phase, table.stop.clause) == ("stopped", "5.2")


def test_a_void_says_what_goes_back_and_one_that_cannot_be_approved_says_why() -> None:
    pit = opened()
    pit.plays(STOPPED + "void by=dora -> Proposed 1\nresume by=sam -> Proposed 2")
    facts = facts_of(table_of(pit))
    assert (english(facts["Wagers returned"].text), facts["Wagers returned"].cents) == ("1", 10_000)
    assert facts["Cards on the table"].cards == "3s Kh 2d Qc"
    assert "goes on" in english(facts_of(table_of(pit), 1)["What follows"].text)
    pit.plays("approve 2 by=sue -> ProposalApproved, RoundResumed, ProposalLapsed 1")
    waits = table_of(pit).waiting
    assert waits == []


def test_a_reopening_says_what_was_paid_and_what_can_be_taken_back() -> None:
    pit = opened()
    pit.plays(ROUND + "reopen wrong-card-count by=sam -> Proposed 1")
    facts = facts_of(table_of(pit))
    assert english(facts["Settled as"].text) == "Tie, 9 all"
    paid = facts["Paid out"].cents
    assert paid == 500_000 + 90_000
    assert facts["Taken back"].cents == paid
    assert facts["No longer there"].cents == 0


def test_a_table_that_its_clock_owes_a_step_is_not_heard_of_any_more() -> None:
    pit = Pit()
    pit.plays("""
open-table fortune-six automatic=yes betting=10sec pause=2sec -> TableOpened
shoe virtual                          -> ShoeStarted
open                                  -> BetsOpened
""")
    closes = table_of(pit).closes_at
    assert closes is not None
    assert not table_of(pit, closes + SILENT_MS).silent
    assert table_of(pit, closes + SILENT_MS + 1).silent
    assert table_of(pit).last_seen == pit.table.state.at


def test_the_room_knows_when_something_was_proposed_and_shows_the_newest_alerts() -> None:
    pit = opened()
    room = Room("", wall_ms, {"table:1": pit.table.stream})
    pit.plays(STOPPED + "void by=dora -> Proposed 1")
    entries = [read_entry(data, stream="table:1", seq=seq) for seq, data in pit.table.rows]
    room.show("table:1", entries)
    for n in range(ALERTS_SHOWN + 5):
        for _ in range(LATE_ATTEMPTS):
            room.watch.was_late("table:1", n, "T-07:0123456789ab", at=1)
    house, streams = HouseState(stream="floor", name="House"), [pit.table.stream]
    board = build_board(room.watch, house, streams, {"table:1": 2}, now=wall_ms())
    [table] = board.tables
    assert [(waiting.proposal, waiting.at) for waiting in table.waiting] == [(1, entries[-1].at)]
    assert (table.connected, table.seats, table.number, table.title) == (
        2,
        2,
        1,
        FORTUNE_SIX.title,
    )
    assert (len(board.alerts), board.alerts_in_all) == (ALERTS_SHOWN, ALERTS_SHOWN + 5)
    assert [alert.number for alert in board.alerts[:2]] == [ALERTS_SHOWN + 5, ALERTS_SHOWN + 4]
    assert board.alerts[0].text.en == f"T-07: {LATE_ATTEMPTS} wagers refused after the close"
    assert msgspec.json.decode(msgspec.json.encode(board))["tables"][0]["big"] == []


def test_an_alert_waits_for_no_odds_but_those_in_work(monkeypatch: pytest.MonkeyPatch) -> None:
    opened().plays(ROUND)  # work out the odds of the game before anything waits
    table, go_on = opened().table, threading.Event()
    room = Room("", wall_ms, {"table:1": table.stream})
    raised_before = list[int]()

    def slow(_: TableState) -> None:
        assert go_on.wait(PATIENCE_S)
        raised_before.append(len(room.watch.alerts))

    monkeypatch.setattr("puntobanco_floor.service.pit.watch.protection", slow)
    for line in filter(None, (ROUND.replace("5000.00", "4000.00") * 3 + ROUND).splitlines()):
        play(line, table)
        seq, data = table.rows[-1]
        room.show("table:1", [read_entry(data, stream="table:1", seq=seq)])
    go_on.set()
    wait_until(lambda: len(raised_before) == 5)
    assert raised_before[1:] == [1, 1, 1, 1]


def test_a_large_win_has_its_evidence() -> None:
    pit = opened()
    pit.plays(ROUND.replace("ann tie 100.00", "ann tie 1500.00"))
    won = next(alert for alert in pit.watch.alerts if alert.kind == "large-win")
    assert won.text.en == "ann won $12,000 on Tie"
    facts = {fact.name: fact for fact in won.facts}
    assert (facts["Stake"].cents, facts["Winnings"].cents, facts["Winnings"].clause) == (
        150_000,
        1_200_000,
        "4.1",
    )
    assert (english(facts["Result"].text), facts["Result"].cards) == ("Tie, 9 all", "9s 9h Td Th")


def test_a_watch_that_begins_late_takes_up_the_days_returns_and_large_wins() -> None:
    pit, later = opened(), Pit()
    pit.plays(ROUND + ROUND.replace("ann tie 100.00", "ann tie 1500.00"))
    later.watch.took_up(
        pit.table.state, [read_entry(d, stream="table:1", seq=n) for n, d in pit.table.rows]
    )
    later.watch.put_in_order()
    assert later.watch.returns("table:1") == pit.watch.returns("table:1")
    assert later.watch.figures("table:1", pit.table.now) == pit.watch.figures(
        "table:1", pit.table.now
    )
    assert list(later.watch.alerts) == list(pit.watch.alerts)
