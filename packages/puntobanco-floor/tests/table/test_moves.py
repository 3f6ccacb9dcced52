"""A session goes with its credits to another table: reserved, then arrived and settled, or refused and returned."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puntobanco.rules.causes import WORDS, Cause
from puntobanco_floor.audit.cross_stream_checks import AuditedMoves
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.entries import Entry, chained
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.ledger import MOVING, is_patron
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.sessions import FORGET_EVERY, KEPT_MS, LASTS_MS
from puntobanco_floor.service.cross_stream_rules import of_moves
from tests.table.notation import Table, play, played

SEATED = """
open-table rapid                      -> TableOpened
seat ann loss=300.00 minutes=60       -> SessionSeated
buy ann 500.00                        -> CreditsBought
seat ben                              -> SessionSeated
"""
MOVING_ON = f"""{SEATED}
move ann m1 table:2 by=ann            -> MoveReserved ann m1 to table:2 500.00
"""
SHOE = "shoe physical -> ShoeStarted\nopen -> BetsOpened\n"
NINE_TO_TWO = """
close                                 -> BetsClosed
card 9s                               -> CardDealt
card 2h                               -> CardDealt
card Td                               -> CardDealt
card Th                               -> CardDealt, TotalsAnnounced
settle                                -> RoundSettled
"""


def test_credits_leave_for_the_account_of_what_is_on_the_way() -> None:
    play(f"{MOVING_ON}credits ann 0.00\naccount moving 500.00")


def test_who_is_on_the_way_neither_bets_nor_buys_nor_leaves_nor_moves_again() -> None:
    play(f"""{MOVING_ON}{SHOE}
wager ann banker 10.00 by=ann         -> refused on-the-way because "$500 is on the way to table 2"
buy ann 10.00                         -> refused on-the-way
load ann 10.00                        -> refused on-the-way
voucher ann v1                        -> refused on-the-way
cash-out ann                          -> refused on-the-way
leave ann                             -> refused on-the-way
move ann m2 table:3 by=ann            -> refused on-the-way
""")


def test_it_is_settled_and_the_session_leaves() -> None:
    play(f"""{MOVING_ON}
settle-move ann m1 by=floor           -> MoveSettled ann m1 to table:2 500.00, SessionEnded ann
account moving 500.00
settle-move ann m1 by=floor           -> refused move-refused
return-move ann m1 move-table-full    -> refused move-refused
leave ann                             -> refused not-seated
""")


def test_the_end_at_the_old_table_tells_the_house_of_no_loss_and_no_time() -> None:
    table = played(MOVING_ON).copy()
    table.now += 60_000
    [_, ended], _ = table.do(c.SettleMove(by="floor", session="ann", move="m1"))
    assert ended == e.SessionEnded(session="ann", patron="ann", moved_to="table:2")


def test_it_is_returned_with_all_that_came_in() -> None:
    table = play(f"""{MOVING_ON}
return-move ann m1 move-table-full by=floor -> MoveReturned ann m1 500.00 move-table-full
credits ann 500.00
account moving 0.00
return-move ann m1 move-table-full by=floor -> refused move-refused
""")
    assert table.state.sessions["ann"].in_cents == 50_000
    assert not table.state.moving


@pytest.mark.parametrize("move", ["m2", "m1x"])
def test_another_move_is_not_this_one(move: str) -> None:
    play(f"""{MOVING_ON}
settle-move ann {move} by=floor       -> refused move-refused
return-move ann {move} move-too-late by=floor -> refused move-refused
settle-move ben m1 by=floor           -> refused move-refused
account moving 500.00
""")


def test_nobody_moves_with_a_wager_in_play_and_everybody_when_it_is_over() -> None:
    play(f"""{SEATED}{SHOE}
wager ann banker 100.00 by=ann        -> WagerPlaced
move ann m1 table:2 by=ann            -> refused in-play
{NINE_TO_TWO}
move ann m1 table:2 by=ann            -> MoveReserved ann m1 to table:2 400.00
""")


def test_what_cannot_be_moved_is_refused() -> None:
    play(f"""{SEATED}
move ben m1 table:2 by=ben            -> refused not-enough-credits
move cyd m1 table:2 by=cyd            -> refused not-seated
move ann m1 table:1 by=ann            -> refused move-refused
move ann m1 cage:1 by=ann             -> refused move-refused
stop ann tired by=pit                 -> SessionStopped
move ann m1 table:2 by=ann            -> refused patron-limit-reached
let ann by=pit                        -> SessionRestarted
wait 3600sec                          -> nothing
move ann m1 table:2 by=ann            -> refused patron-limit-reached
""")


def test_a_hand_pay_that_waits_keeps_the_session() -> None:
    play("""
open-table rapid handpay=100.00       -> TableOpened
seat ann                              -> SessionSeated
buy ann 500.00                        -> CreditsBought
cash-out ann 200.00 by=carl           -> Proposed 1
move ann m1 table:2 by=ann            -> refused in-play
""")


@pytest.mark.parametrize(
    "between",
    [
        "halt fire-drill -> TableHalted",
        "close-table -> TableClosed, PeriodSealed",
        "stop ann tired by=pit -> SessionStopped",
        "limit ann loss=1.00 by=floor -> SessionLimited",
        "begin-epoch 2 pit lost by=sup -> EpochBegun",
    ],
)
@pytest.mark.parametrize(
    ("step", "events"),
    [
        ("settle-move ann m1", "MoveSettled, SessionEnded"),
        ("return-move ann m1 move-table-full", "MoveReturned"),
    ],
)
def test_whatever_happens_to_the_old_table_the_move_comes_to_its_end(
    between: str, step: str, events: str
) -> None:
    play(f"{MOVING_ON}{between}\n{step} by=floor -> {events}")


def test_a_stop_that_came_meanwhile_goes_along() -> None:
    table = play(f"{MOVING_ON}stop ann tired by=pit -> SessionStopped")
    [settled, _], _ = table.do(c.SettleMove(by="floor", session="ann", move="m1"))
    assert isinstance(settled, e.MoveSettled)
    assert settled.stopped == "tired"


def test_a_reopened_round_that_pays_meanwhile_keeps_the_seat() -> None:
    play(f"""{SEATED}{SHOE}
wager ann player 100.00 by=ann        -> WagerPlaced
{NINE_TO_TWO}
move ann m1 table:2 by=ann            -> MoveReserved ann m1 to table:2 600.00
reopen wrong-card-count by=sup        -> Proposed 1
approve 1 by=pit                      -> ProposalApproved, RoundReopened
settle-move ann m1 by=floor           -> MoveSettled
""")


# At the new table

ARRIVED = """
open-table rapid                      -> TableOpened
arrive ann m1 400.00 in=500.00 loss=300.00 minutes=60 -> SessionSeated ann, MoveArrived ann m1 from table:9 400.00
"""


def test_it_arrives_with_a_seat_and_its_credits() -> None:
    table = play(f"{ARRIVED}credits ann 400.00\naccount moving -400.00")
    seat = table.state.sessions["ann"]
    assert (seat.in_cents, seat.loss_cents, seat.play_ms) == (50_000, 30_000, 3_600_000)
    assert seat.since == table.now - 60_000


def test_what_was_lost_at_the_old_table_counts_at_the_new_one() -> None:
    play(f"""{ARRIVED}{SHOE}
wager ann banker 200.00 by=ann        -> WagerPlaced
wager ann tie 10.00 by=ann            -> refused patron-limit-reached because "$0 left"
""")


def test_the_time_that_was_played_at_the_old_table_counts_at_the_new_one() -> None:
    play(f"""{ARRIVED}{SHOE}
wait 3539sec                          -> nothing
wager ann banker 10.00 by=ann         -> WagerPlaced
wait 1sec                             -> nothing
wager ann tie 10.00 by=ann            -> refused patron-limit-reached because "time"
""")


def test_it_arrives_once() -> None:
    play(f"""{ARRIVED}
arrive ann m1 400.00                  -> refused move-refused
credits ann 400.00
""")


def test_credits_come_together_at_a_seat_that_is_there() -> None:
    table = play(f"""{ARRIVED}
arrive ann m2 50.00                   -> MoveArrived ann m2
credits ann 450.00
""")
    assert table.state.sessions["ann"].in_cents == 55_000


@pytest.mark.parametrize(
    ("before", "options", "code"),
    [
        ("halt fire-drill -> TableHalted", "", "move-table-halted"),
        ("halt fire-drill by_floor=yes by=floor -> TableHalted", "", "move-table-halted"),
        ("close-table -> TableClosed, PeriodSealed", "", "move-table-closed"),
        ("limits seats=1 by=pit -> LimitsChanged", "", "move-table-full"),
        ("begin-epoch 2 pit lost by=sup -> EpochBegun", "epoch=1", "move-before-recovery"),
        ("", "epoch=2", "move-before-recovery"),
        ("", "late=yes", "move-too-late"),
        ("", "objection=patron-excluded", "patron-excluded"),
        ("", "minutes=1", "move-time-over"),
        ("seat ann patron=p-22222222 -> SessionSeated", "", "move-other-patron"),
        (
            "seat ann -> SessionSeated\nbegin-epoch 2 pit lost by=sup -> EpochBegun",
            "",
            "move-awaits-payment",
        ),
        (
            "seat ann -> SessionSeated\nbuy ann 5.00 -> CreditsBought\n"
            "move ann m0 table:9 by=ann -> MoveReserved",
            "",
            "move-not-over",
        ),
    ],
)
def test_a_table_that_does_not_take_it_says_why_once(before: str, options: str, code: str) -> None:
    assert code in WORDS
    play(f"""
open-table rapid                      -> TableOpened
seat ben                              -> SessionSeated
{before}
arrive ann m1 400.00 {options}        -> MoveRefused ann m1 {code}
arrive ann m1 400.00                  -> refused move-refused
""")


def test_a_table_that_was_never_opened_refuses_too() -> None:
    play("arrive ann m1 400.00 -> MoveRefused ann m1 move-table-closed")


def test_a_full_table_seats_nobody_and_gives_a_seat_that_is_free_again() -> None:
    play("""
open-table rapid seats=1              -> TableOpened
seat ann                              -> SessionSeated
seat ben                              -> refused not-now
leave ann                             -> SessionEnded
seat ben                              -> SessionSeated
""")


def arrival(n: int, until: int) -> c.ArriveMove:
    return c.ArriveMove(
        by="floor",
        session="ann",
        move=f"m{n}",
        came_from="table:9",
        epoch=1,
        cents=1,
        until=until,
        patron="ann",
        in_cents=1,
        since=0,
    )


def test_what_was_decided_is_known_for_a_day_and_nothing_is_decided_after_it() -> None:
    table = play("open-table rapid -> TableOpened")
    until = table.now + LASTS_MS
    for n in range(FORGET_EVERY):
        _, answer = table.do(arrival(n, until))
        assert answer is not None
        assert answer.ok
    table.now = until + KEPT_MS - 1
    again = [table.do(arrival(0, until)), table.do(arrival(-1, until))]
    assert [answer.ok for _, answer in again if answer] == [False, True], (
        "the second is too late, and goes back"
    )
    assert len(table.state.moves) == FORGET_EVERY + 1
    for n in range(1, FORGET_EVERY):  # to the next look
        table.do(arrival(1_000 + n, table.now + LASTS_MS))
    table.now += 1
    table.do(arrival(2_000, table.now + LASTS_MS))
    assert "m0" in table.state.moves, "by the time of the last entry"
    for n in range(FORGET_EVERY):
        table.do(arrival(3_000 + n, table.now + LASTS_MS))
    assert "m0" not in table.state.moves
    assert len(table.state.moves) == 2 * FORGET_EVERY
    for n in (0, -2):
        events, answer = table.do(arrival(n, until))
        assert not events
        assert answer is not None
        assert not answer.ok


# Any order of steps

NAMES = ("table:1", "table:2", "table:3")
SESSIONS = ("ann", "ben")
HOUSE = HouseState(stream="floor")


class Tables:
    """Three tables, and whoever follows them: each step may be asked at any time, and any number of times."""

    def __init__(self) -> None:
        self.tables = {name: Table(name) for name in NAMES}
        self.asked = 0
        for name, table in self.tables.items():
            play("open-table rapid seats=2 -> TableOpened", table)
            del name
        for session in SESSIONS:
            play(
                f"seat {session} -> SessionSeated\nbuy {session} 100.00 -> CreditsBought",
                self.tables["table:1"],
            )

    @property
    def states(self):  # type: ignore[no-untyped-def]
        return {name: table.state for name, table in self.tables.items()}

    def entries(self, name: str) -> Iterator[Entry]:
        return (entry for entry, _ in chained(self.tables[name].rows, name))

    def reserve(self, name: str, session: str, to: str) -> None:
        self.asked += 1
        self.tables[name].do(
            c.ReserveMove(by=session, session=session, move=f"m{self.asked}", to=to)
        )

    def steps(self) -> list[tuple[str, c.Command]]:
        """All that has ever followed from any entry, old steps too: a late node may ask for any of them."""
        found = list[tuple[str, c.Command]]()
        for name in NAMES:
            for entry in self.entries(name):
                found += [(r.stream, r.command) for r in of_moves(entry, HOUSE, self.states)]
        return found

    def verify(self) -> None:
        at_tables = on_the_way = 0
        for table in self.tables.values():
            table.verify()
            balances = table.stream.balances
            at_tables += sum(cents for account, cents in balances.items() if is_patron(account))
            on_the_way += balances.get(MOVING, 0)
        assert at_tables + on_the_way == 10_000 * len(SESSIONS), "no cent is lost or made"
        assert on_the_way >= 0
        books = AuditedMoves()
        for name in NAMES:
            for entry in self.entries(name):
                for event in entry.events:
                    books.see(event, name, entry.seq)
        books.check(on_the_way, [])


ACTS = st.one_of(
    st.tuples(
        st.just("reserve"),
        st.sampled_from(NAMES),
        st.sampled_from(SESSIONS),
        st.sampled_from(NAMES),
    ),
    st.tuples(st.just("step"), st.integers(0, 30)),
    st.tuples(st.just("wait"), st.sampled_from((1, LASTS_MS, KEPT_MS))),
    st.tuples(st.just("halt"), st.sampled_from(NAMES)),
    st.tuples(st.just("restart"), st.sampled_from(NAMES)),
    st.tuples(st.just("stop"), st.sampled_from(NAMES), st.sampled_from(SESSIONS)),
)


@settings(max_examples=60, deadline=None)
@given(acts=st.lists(ACTS, max_size=25))
def test_no_cent_is_lost_or_made_in_any_order_of_steps(acts: list[tuple]) -> None:  # type: ignore[type-arg]
    floor = Tables()
    for act in acts:
        match act:
            case "reserve", name, session, to:
                floor.reserve(name, session, to)
            case "step", which:
                if steps := floor.steps():
                    stream, command = steps[which % len(steps)]
                    floor.tables[stream].do(command)
            case "wait", ms:
                for table in floor.tables.values():
                    table.now += ms
            case "halt", name:
                floor.tables[name].do(c.HaltTable(by="pit", reason="fire-drill"))
            case "restart", name:
                floor.tables[name].do(c.RestartTable(by="pit"))
            case "stop", name, session:
                floor.tables[name].do(
                    c.StopSession(by="pit", session=session, reason=Cause("own-request"))
                )
        floor.verify()
    for _ in range(2):  # whoever follows: the arrivals, then what the old tables are told
        for stream, command in floor.steps():
            floor.tables[stream].do(command)
    floor.verify()
    assert not any(table.state.moving for table in floor.tables.values()) or any(
        act == ("wait", KEPT_MS) for act in acts
    ), "all of it has come to its end"
