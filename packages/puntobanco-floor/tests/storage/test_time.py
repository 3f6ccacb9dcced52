"""A clock that is set forward or back: table time never runs backwards, deadlines come, and each step is on record."""

import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Entry, chained, read_entry
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside
from puntobanco_floor.store.table_clock import FOLLOWED_MS, STEP_MS, DatabaseTime, TableTime
from tests.support.patience import PATIENCE_S, wait_until

START_S = 1_700_000_000
START = START_S * 1000
HOUR = 3_600_000
DAY = 24 * HOUR
TABLE = "table:1"


class Machine:
    """A machine whose two clocks are moved by hand."""

    def __init__(self) -> None:
        self.wall_ms, self.steady_ms = START, 50_000

    def wait(self, ms: int) -> None:
        self.wall_ms += ms
        self.steady_ms += ms

    def time(self, least: int = 0) -> TableTime:
        return TableTime(
            wall=lambda: self.wall_ms / 1000, steady=lambda: self.steady_ms / 1000, least=least
        )


def test_untouched_table_time_is_the_wall_clock() -> None:
    machine = Machine()
    table = machine.time()
    for passed in (0, 1, 250, 60_000):
        machine.wait(passed)
        assert table.now() == machine.wall_ms
    assert table.steps == []


def test_a_clock_set_forward_a_little_is_followed_at_once() -> None:
    machine = Machine()
    table = machine.time()
    machine.wall_ms += FOLLOWED_MS
    assert table.now() == START + FOLLOWED_MS
    machine.wait(1_000)
    assert table.now() == START + FOLLOWED_MS + 1_000
    assert table.steps == [
        e.ClockStepped(wall_ms=START + FOLLOWED_MS, table_ms=START + FOLLOWED_MS)
    ]
    assert table.ahead_ms == 0


@pytest.mark.parametrize("jump", [FOLLOWED_MS + 1, HOUR, 31 * DAY])
def test_a_clock_set_far_forward_is_not_followed_until_it_is_right_again(jump: int) -> None:
    machine = Machine()
    table = machine.time()
    machine.wall_ms += jump
    assert (table.now(), table.ahead_ms) == (START, jump)
    machine.wait(5_000)
    assert (table.now(), table.ahead_ms) == (START + 5_000, jump)
    machine.wall_ms -= jump
    assert (table.now(), table.ahead_ms) == (START + 5_000, 0)
    assert table.steps == [
        e.ClockStepped(wall_ms=START + jump, table_ms=START),
        e.ClockStepped(wall_ms=START + 5_000, table_ms=START + 5_000),
    ]


def test_a_clock_is_not_walked_forward_in_small_steps() -> None:
    """A minute at a time, once a second, was a month in half a day: vouchers expire."""
    machine = Machine()
    table = machine.time()
    for _ in range(1_000):
        machine.wait(1_000)
        machine.wall_ms += FOLLOWED_MS - 1_000
        table.now()
    assert table.now() - START < 1_000_000 + 2 * FOLLOWED_MS
    assert table.ahead_ms


def test_a_clock_that_drifts_for_months_is_followed() -> None:
    """By 500 in a million, the most that NTP slews."""
    machine = Machine()
    table = machine.time()
    for _ in range(24 * 100):
        machine.wait(HOUR)
        machine.wall_ms += 1_800
        assert (table.now(), table.ahead_ms) == (machine.wall_ms, 0)


def test_a_clock_that_is_right_after_all_is_followed_from_the_next_start() -> None:
    machine = Machine()
    machine.time().now()
    machine.wall_ms += 31 * DAY
    again = machine.time()
    again.resume(START)
    assert (again.now(), again.ahead_ms) == (START + 31 * DAY, 0)


def test_a_desk_beside_a_floor_that_does_not_follow_its_clock_does_not_either() -> None:
    machine = Machine()
    machine.wall_ms += 31 * DAY
    desk = machine.time()
    desk.resume(START, ahead=-31 * DAY, anew=False)
    assert (desk.now(), desk.ahead_ms) == (START, 31 * DAY)
    assert desk.steps == []


def test_the_clock_of_a_database_is_followed_within_the_same_bound() -> None:
    machine = Machine()
    time_ = DatabaseTime(steady=lambda: machine.steady_ms / 1000)
    assert time_.at(START) == START
    assert time_.at(START - 3) == START - 3  # answers of two connections cross
    assert time_.at(START + FOLLOWED_MS) == START + FOLLOWED_MS
    machine.wait(1_000)
    there = START + FOLLOWED_MS + 1_000
    assert time_.at(there + 31 * DAY) == there
    assert time_.ahead_ms == 31 * DAY
    assert time_.at(there) == there
    assert time_.ahead_ms == 0


def test_a_clock_set_back_is_not_followed_and_time_runs_on_by_the_machines_own_count() -> None:
    machine = Machine()
    table = machine.time()
    machine.wall_ms -= HOUR
    assert table.now() == START
    machine.wait(1_000)
    assert table.now() == START + 1_000
    machine.wait(2 * HOUR)
    assert table.now() == START + 2 * HOUR + 1_000
    assert table.steps == [e.ClockStepped(wall_ms=START - HOUR, table_ms=START)]


def test_once_the_wall_clock_is_set_right_again_it_is_followed() -> None:
    machine = Machine()
    table = machine.time()
    machine.wall_ms -= HOUR
    table.now()
    machine.wall_ms += HOUR + 5_000
    assert table.now() == START + 5_000
    machine.wait(7)
    assert table.now() == machine.wall_ms
    assert [step.wall_ms for step in table.steps] == [START - HOUR, START + 5_000]


@pytest.mark.parametrize(
    ("moved", "steps"), [(STEP_MS, 1), (STEP_MS - 1, 0), (-STEP_MS, 1), (1 - STEP_MS, 0), (0, 0)]
)
def test_two_seconds_against_the_machines_own_count_are_a_step_and_less_is_drift(
    moved: int, steps: int
) -> None:
    machine = Machine()
    table = machine.time()
    machine.wait(10_000)
    machine.wall_ms += moved
    table.now()
    assert len(table.steps) == steps


@given(st.lists(st.tuples(st.integers(0, 10_000), st.integers(-3 * HOUR, 3 * HOUR)), max_size=30))
def test_whatever_is_done_to_the_wall_clock_table_time_goes_on_by_at_least_what_has_passed(
    moves: list[tuple[int, int]],
) -> None:
    machine = Machine()
    table = machine.time()
    before = table.now()
    for passed, jump in moves:
        machine.wait(passed)
        machine.wall_ms += jump
        now = table.now()
        assert now >= before + passed - 1  # halves of a millisecond
        assert now + table.ahead_ms >= machine.wall_ms
        before = now
    passed = sum(passed for passed, _ in moves)
    assert before - START <= passed + FOLLOWED_MS + passed // 60 + 1
    assert len(table.steps) == sum(abs(jump) >= STEP_MS for _, jump in moves)


# last entry, known to be ahead by, the wall clock now    -> a step is noted
RESTARTS = [
    (START - 60_000, 0, START, False),  # a minute down
    (START + 1_999, 0, START, False),  # drift
    (START + 2_000, 0, START, True),
    (START + HOUR, 0, START, True),  # set back an hour while nobody looked
    (START + HOUR, HOUR, START, False),  # it was noted when it happened
    (START + HOUR, HOUR, START + 60_000, False),
    (START + HOUR, HOUR, START - 60_000, True),  # and back another minute
]


@pytest.mark.parametrize(("last", "ahead", "wall", "stepped"), RESTARTS)
def test_after_a_restart_time_goes_on_from_the_last_entry(
    last: int, ahead: int, wall: int, stepped: bool
) -> None:
    machine = Machine()
    machine.wall_ms = wall
    table = machine.time()
    table.resume(last, ahead=ahead)
    assert table.now() == max(last, wall)
    machine.wait(500)
    assert table.now() == max(last, wall) + 500
    assert table.steps == ([e.ClockStepped(wall_ms=wall, table_ms=last)] if stepped else [])


# The store with a clock that is set


class Wall:
    """The real clock, set by so many seconds."""

    offset_s = 0.0

    def __call__(self) -> float:
        return time.time() + self.offset_s


class Floor:
    """A store whose wall clock can be set; the machine's own count is real, so that deadlines come by themselves."""

    def __init__(self, path: Path, wall: Wall) -> None:
        self.wall, self.store = wall, SqliteStore(path, time=TableTime(wall=wall))
        self.seen, self.arrived = list[str](), threading.Condition()
        self.store.watchers.append(self._see)

    def _see(self, _: str, entries: object) -> None:
        with self.arrived:
            assert isinstance(entries, list)
            self.seen += [type(event).__name__ for entry in entries for event in entry.events]
            self.arrived.notify_all()

    def comes(self, event: str) -> bool:
        with self.arrived:
            return self.arrived.wait_for(lambda: event in self.seen, timeout=PATIENCE_S)

    def ask(self, command: Command, id_: str, stream: str = TABLE) -> Answer:
        return self.store.ask(Request(stream=stream, id=id_, command=command))

    def entries(self, stream: str) -> list[Entry]:
        """The chain holds and no entry is earlier than the one before: `chained` refuses it otherwise."""
        return [entry for entry, _ in chained(self.store.entries(stream), stream)]

    def steps(self) -> list[e.ClockStepped]:
        found = [event for entry in self.entries(FLOOR) for event in entry.events]
        return [event for event in found if isinstance(event, e.ClockStepped)]


def _betting(floor: Floor, betting_ms: int = 200) -> None:
    commands: list[Command] = [
        c.OpenTable(
            by="boss", game="rapid", clock=Clock(betting_ms=betting_ms, closes_by_clock=True)
        ),
        c.SeatSession(by="ann", session="ann"),
        c.BuyIn(by="cage", session="ann", cents=100_000),
        c.NewShoe(by="dealer", dealing="physical"),
        c.OpenBets(by="dealer"),
    ]
    for n, command in enumerate(commands):
        assert floor.ask(command, f"start-{n}").ok


def _wager(bet: str = "tie") -> c.PlaceWager:
    return c.PlaceWager(by="ann", round=1, session="ann", bet=bet, stake_cents=1_000)


def test_a_clock_set_back_an_hour_while_bets_are_open_closes_them_at_their_time(
    tmp_path: Path,
) -> None:
    floor = Floor(tmp_path / "floor.db", Wall())
    with floor.store:
        _betting(floor)
        floor.wall.offset_s = -3_600
        assert floor.ask(_wager(), "in time").ok
        assert floor.comes("BetsClosed")
        assert floor.ask(_wager("player"), "late").code == "bets-are-closed"
        opened, closed = (
            next(x.at for x in floor.entries(TABLE) if isinstance(x.events[0], kind))
            for kind in (e.BetsOpened, e.BetsClosed)
        )
        assert 200 <= closed - opened < 5_000
        [step] = floor.steps()
        assert abs(step.table_ms - step.wall_ms - HOUR) < STEP_MS
    assert audit(tmp_path / "floor.db").sound


def test_a_clock_set_forward_a_little_passes_the_deadline(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db", Wall())
    with floor.store:
        _betting(floor, betting_ms=30_000)
        floor.wall.offset_s = 55
        assert floor.ask(_wager(), "late").code == "bets-are-closed"
        assert floor.store.table(TABLE).state.phase == "closed"
        assert [step.table_ms - step.wall_ms for step in floor.steps()] == [0]


def test_a_clock_set_forward_a_month_decides_nothing_until_it_is_right(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "floor.db"
    floor = Floor(path, Wall())
    with floor.store as store:
        _betting(floor, betting_ms=60_000)
        ben: list[Command] = [
            c.SeatSession(by="ben", session="ben"),
            c.BuyIn(by="cage", session="ben", cents=5_000),
            c.IssueVoucher(by="ben", session="ben", voucher="v1", valid_ms=30 * DAY),
            c.SeatSession(by="ben", session="ben"),
        ]
        for n, command in enumerate(ben):
            assert floor.ask(command, f"ben-{n}").ok
        floor.wall.offset_s = 31 * 86_400
        wait_until(lambda: store.clock_ahead_ms, "the clock to be looked at")
        assert "restart this node if it is right" in caplog.text
        month_ms = store.clock_ahead_ms
        assert abs(store.corrected(START + month_ms) - START) < STEP_MS
        # people go on: vouchers are good, and bets are still open
        redeemed = c.RedeemVoucher(by="ben", session="ben", voucher="v1")
        assert floor.ask(redeemed, "redeemed").ok
        assert floor.ask(_wager(), "in time").ok
        assert store.table(TABLE).state.phase == "betting"
        floor.wall.offset_s = 0
        wait_until(lambda: not store.clock_ahead_ms, "the clock to be right")
    assert audit(path).sound
    clock = selftest(str(path), keys=beside(path, "keys"), heads=beside(path, "heads"))
    assert {check.name: check.outcome for check in clock.checks}["clock"] == "passed"


def test_while_the_clock_is_not_followed_what_is_due_waits(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db", Wall())
    with floor.store as store:
        _betting(floor, betting_ms=1_500)
        floor.wall.offset_s = 31 * 86_400
        wait_until(lambda: store.clock_ahead_ms, "the clock to be looked at")
        time.sleep(2)  # past the deadline, by the machine's own count
        assert "BetsClosed" not in floor.seen
        floor.wall.offset_s = 0
        assert floor.comes("BetsClosed")


def test_every_step_is_noted_once_and_in_order_of_the_journal(tmp_path: Path) -> None:
    floor = Floor(tmp_path / "floor.db", Wall())
    with floor.store:
        _betting(floor, betting_ms=0)
        for n, offset in enumerate((50, 50, -3_600, 0, 0, -10)):
            floor.wall.offset_s = offset
            assert floor.ask(c.BuyIn(by="cage", session="ann", cents=100), f"buy-{n}").ok
            assert floor.ask(c.BuyIn(by="cage", session="ann", cents=100), f"again-{n}").ok
        assert [round((step.table_ms - step.wall_ms) / 1000, -1) for step in floor.steps()] == [
            0,
            3_650,
            50,
            60,
        ]
        at = [entry.at for entry in floor.entries(TABLE)]
        assert at == sorted(at)
        assert [entry.seq for entry in floor.entries(TABLE)] == list(range(1, len(at) + 1))


def test_a_restart_after_the_clock_was_set_back_goes_on_and_notes_it_once(tmp_path: Path) -> None:
    path, wall = tmp_path / "floor.db", Wall()
    floor = Floor(path, wall)
    with floor.store:
        _betting(floor, betting_ms=300)
        last = floor.entries(TABLE)[-1].at
    wall.offset_s = -3_600
    floor = Floor(path, wall)
    with floor.store:
        assert floor.comes("BetsClosed"), "the deadline of before the restart comes"
        assert floor.ask(c.BuyIn(by="cage", session="ann", cents=100), "after").at >= last
        assert len(floor.steps()) == 1
    for n in range(3):  # every further start finds what is known
        floor = Floor(path, wall)
        with floor.store:
            assert floor.ask(c.BuyIn(by="cage", session="ann", cents=100), f"start {n}").at >= last
            assert len(floor.steps()) == 1
    wall.offset_s = -7_200
    floor = Floor(path, wall)
    with floor.store:
        assert floor.ask(c.BuyIn(by="cage", session="ann", cents=100), "another hour").at >= last
        assert len(floor.steps()) == 2
    assert audit(path).sound


def test_a_step_that_was_noted_while_running_is_not_noted_again_by_a_restart(
    tmp_path: Path,
) -> None:
    path, wall = tmp_path / "floor.db", Wall()
    floor = Floor(path, wall)
    with floor.store:
        _betting(floor, betting_ms=0)
        wall.offset_s = -3_600
        assert floor.ask(_wager(), "one").ok
    floor = Floor(path, wall)
    with floor.store:
        assert floor.ask(_wager("player"), "two").ok
        assert len(floor.steps()) == 1


def test_a_step_that_could_not_be_written_is_written_when_it_can(tmp_path: Path) -> None:
    machine = Machine()
    with SqliteStore(tmp_path / "floor.db", time=machine.time()) as store:

        def seat(session: str) -> Answer:
            return store.ask(
                Request(
                    stream=TABLE, id=session, command=c.SeatSession(by="dealer", session=session)
                )
            )

        store.ask(Request(stream=TABLE, id="1", command=c.OpenTable(by="boss", game="rapid")))
        store._db.execute("PRAGMA query_only = ON")
        machine.wall_ms -= HOUR
        with pytest.raises(NotStored):
            seat("ann")
        store._db.execute("PRAGMA query_only = OFF")
        machine.wait(5_000)
        assert seat("ann").ok
        assert seat("ben").ok
        _, (_, data) = store.entries(FLOOR)  # after the node's key
        assert read_entry(data).events == (e.ClockStepped(wall_ms=START - HOUR, table_ms=START),)
