"""Changes that wait for the end of a round: done once, by the clock; or replaced, withdrawn or dropped, as an event."""

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import closing, default_limits
from tests.table.notation import play, played

BETTING = """
open-table six-star                   -> TableOpened
shoe physical                         -> ShoeStarted
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
open                                  -> BetsOpened
wager ann banker 100.00               -> WagerPlaced
"""
CARDS = """
close                                 -> BetsClosed
card 9f                               -> CardDealt
card 2g                               -> CardDealt
card Tf                               -> CardDealt
card 4e                               -> CardDealt, TotalsAnnounced
"""
PLAYED = f"{CARDS}settle                -> RoundSettled\n"
VOIDED = """
declare malfunction                   -> IrregularityDeclared
void by=sup                           -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundVoided
"""


@pytest.mark.parametrize("ends", [PLAYED, VOIDED], ids=["settled", "void"])
def test_what_is_asked_for_in_a_round_is_done_by_the_clock_when_it_is_over(ends: str) -> None:
    """One entry each, in the order of asking, with who asked; the pause and the next round have the new values."""
    table = play(f"""
{BETTING}
clock betting=20sec by=sue            -> ChangeScheduled clock sue
limits tie=10.00-20.00/1.00 by=sam    -> ChangeScheduled limits sam
wager ann tie 50.00                   -> WagerPlaced
{ends}
due change-clock 0sec
wait 0sec                             -> ClockChanged asked sue, LimitsChanged asked sam
due nothing
open                                  -> BetsOpened
wager ann tie 50.00                   -> refused limit-refused
""")
    made = [entry for entry, _ in chained(table.rows, "table:1") if entry.by == "clock"]
    assert [(entry.command, len(entry.events)) for entry in made] == [
        ("change-clock", 1),
        ("change-limits", 1),
    ]
    assert table.state.clock.betting_ms == 20_000
    assert table.state.scheduled == ()


def test_everybody_can_see_what_waits_who_asked_and_when() -> None:
    table = play(f"{BETTING}\ncards decks=6 by=sue -> ChangeScheduled cards sue")
    [change] = table.state.scheduled
    assert (change.kind, change.by, change.at) == ("cards", "sue", table.now)
    assert table.state.next_round.cards == change.cards != table.state.cards


def test_a_later_change_of_the_same_kind_takes_the_place_of_the_earlier() -> None:
    play(f"""
{BETTING}
clock betting=20sec by=sue            -> ChangeScheduled clock sue
clock betting=30sec by=sam            -> ChangeDropped clock sue change-replaced, ChangeScheduled clock sam
{PLAYED}
wait 0sec                             -> ClockChanged asked sam
""")


def test_a_scheduled_change_can_be_withdrawn_by_anybody_who_may_ask_for_it() -> None:
    play(f"""
{BETTING}
withdraw-change clock by=sue          -> refused not-now because "no change of the clock is scheduled"
clock betting=20sec by=sue            -> ChangeScheduled clock sue
withdraw-change limits by=sue         -> refused not-now
withdraw-change clock by=sam          -> ChangeDropped clock sue change-withdrawn
{PLAYED}
wait 60sec                            -> nothing
""")


def test_what_is_wrong_with_a_change_is_said_when_it_is_asked_for() -> None:
    play(f"""
{BETTING}
limits tie=20.00-10.00/1.00           -> refused bad-limits
clock betting=5000sec                 -> refused bad-command
cards decks=3                         -> refused decks-refused [2.1]
""")


def test_a_table_that_closes_drops_what_waits() -> None:
    play(f"""
{BETTING}
clock betting=20sec by=sue            -> ChangeScheduled clock sue
halt end-of-shift closes=yes by=pit   -> TableHalted
{PLAYED}
due close-table 5sec
wait 5sec                             -> ShoeEnded, ChangeDropped clock sue table-closed-first, TableClosed, PeriodSealed
open-table six-star                   -> TableOpened
due nothing
""")


def test_a_table_that_is_kept_open_after_all_makes_what_waits() -> None:
    play(f"""
{BETTING}
clock betting=20sec by=sue            -> ChangeScheduled clock sue
halt end-of-shift closes=yes by=pit   -> TableHalted
{PLAYED}
restart by=pit                        -> TableRestarted
open                                  -> ClockChanged asked sue, BetsOpened
""")


def test_a_table_that_is_stopped_makes_what_waits() -> None:
    play(f"""
{BETTING}
halt spilt-drink by=pit               -> TableHalted
limits tie=10.00-20.00/1.00 by=sam    -> ChangeScheduled limits sam
{PLAYED}
wait 0sec                             -> LimitsChanged asked sam
""")


def test_a_round_that_is_stopped_or_reopened_is_a_round_in_play() -> None:
    play(f"""
{BETTING}
declare malfunction                   -> IrregularityDeclared
clock guard=1sec by=sue               -> ChangeScheduled clock sue
wait 60sec                            -> nothing
resume by=sup                         -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundResumed
{PLAYED}
reopen wrong-card-count by=sup        -> ClockChanged asked sue, Proposed 2
approve 2 by=pit                      -> ProposalApproved, RoundReopened
clock guard=2sec by=sue               -> ChangeScheduled clock sue
void by=sup                           -> Proposed 3
approve 3 by=pit                      -> ProposalApproved, RoundVoided
wait 0sec                             -> ClockChanged asked sue
""")


def test_a_table_that_runs_by_itself_has_the_change_before_its_next_round() -> None:
    play("""
open-table rapid betting=15sec card=1sec pause=5sec automatic=yes -> TableOpened
shoe virtual                          -> ShoeStarted
open                                  -> BetsOpened
clock betting=20sec card=1sec pause=9sec automatic=yes by=sue -> ChangeScheduled clock sue
declare malfunction                   -> IrregularityDeclared
resume by=sup                         -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundResumed
wait 15sec                            -> BetsClosed, CardDealt
deal-out
settle                                -> RoundSettled
due change-clock 0sec
wait 0sec                             -> ClockChanged asked sue
due open-bets 9sec
""")


def test_a_recovery_in_mid_round_keeps_what_was_asked_for() -> None:
    table = play(f"""
{BETTING}
clock betting=20sec by=sue            -> ChangeScheduled clock sue
begin-epoch 2 pit disk-lost by=sup    -> IrregularityDeclared, RoundVoided, IncidentRecorded, EpochBegun
wait 0sec                             -> ClockChanged asked sue
""")
    assert table.state.clock.betting_ms == 20_000


# Whatever happens

LIMITS = default_limits(played(BETTING).state.playing)
ASKS: Sequence[Command] = (
    c.ChangeLimits(by="sue", limits=closing(LIMITS, {"tie"})),
    c.ChangeLimits(by="sam", limits=replace(LIMITS, differential_cents=50_000)),
    c.ChangeClock(by="sue", clock=e.Clock(guard_ms=1_000)),
    c.ChangeClock(by="sam", clock=e.Clock(betting_ms=5_000, closes_by_clock=True)),
    c.ChangeCards(by="sue", cards=e.Cards(dealing="physical", decks=6)),
    c.WithdrawChange(by="sam", kind="limits"),
    c.WithdrawChange(by="sue", kind="clock"),
    c.HaltTable(by="pit", reason="so"),
    c.HaltTable(by="pit", reason="so", closes=True),
    c.RestartTable(by="pit"),
    c.CloseTable(by="pit"),
    c.OpenTable(by="pit", game="six-star"),
    c.NewShoe(by="pit", dealing="physical"),
    c.EndShoe(by="pit"),
    c.OpenBets(by="dealer"),
    c.CloseBets(by="dealer"),
    c.Settle(by="dealer"),
    c.DeclareIrregularity(by="dealer", ground="malfunction"),
    c.VoidRound(by="sup"),
    c.Resume(by="sup"),
    c.Approve(by="pit", proposal=1),
    c.Approve(by="pit", proposal=2),
    *(c.EnterCard(by="dealer", card=card) for card in ("9f", "2g", "Tf", "4e")),
)
STEPS = st.lists(st.sampled_from(range(-1, len(ASKS))), min_size=5, max_size=40)


@pytest.mark.long
@settings(max_examples=150)
@given(steps=STEPS)
def test_a_scheduled_change_ends_once_and_nothing_changes_under_a_round(steps: list[int]) -> None:
    """Made, or dropped, or it waits; made as it was asked for, and before another round opens."""
    table = played(BETTING)
    waits = dict[str, e.ScheduledChange]()
    for step in steps:
        table.now += 1_000
        before = table.state
        events, _ = table.do(None if step < 0 else ASKS[step])
        for event in events:
            _follow(waits, event)
        assert {change.kind: change for change in table.state.scheduled} == waits
        if before.is_in_play and table.state.is_in_play and before.rounds == table.state.rounds:
            assert _set_up(table.state) == _set_up(before)
        table.verify()


def _set_up(state: object) -> tuple[object, ...]:
    return tuple(getattr(state, kind) for kind in e.CHANGES)


def _follow(waits: dict[str, e.ScheduledChange], event: e.Event) -> None:
    match event:
        case e.ChangeScheduled():
            assert event.change.kind not in waits
            waits[event.change.kind] = event.change
        case e.ChangeDropped():
            assert waits.pop(event.kind).by == event.asked_by
        case e.LimitsChanged() | e.ClockChanged() | e.CardsChanged():
            asked = waits.pop(event.kind, None)
            assert event.asked_by == (asked.by if asked else "")
            assert asked is None or getattr(asked, event.kind) == getattr(event, event.kind)
        case e.BetsOpened() | e.TableClosed():
            assert not waits
