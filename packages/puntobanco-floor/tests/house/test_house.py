"""The house as a pure machine: staff, terminals, exclusions, patrons' own limits, the day."""

from collections.abc import Callable

import msgspec
import pytest

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.definitions import HOUSE
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.decide import WIDER_WAITS_MS, due
from puntobanco_floor.domain.house.gaming_day import DAY_MS
from puntobanco_floor.domain.house.state import (
    MAX_NODES,
    MAX_PROGRAMS,
    WRONG_TRIES,
    Bounds,
    HouseState,
    Node,
    dump,
    load,
)
from puntobanco_floor.domain.machine import Funds
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.commands import Command
from puntobanco_proof.entry.format import Fault, canonical

HASH = "0123456789abcdef" * 4
OTHER = "fedcba9876543210" * 4
PROGRAM = "0f" * 32
MORNING = 20_000 * DAY_MS + 8 * 3_600_000


class House:
    def __init__(self) -> None:
        self.state, self.now = HouseState(stream="floor"), MORNING

    def do(self, *commands: Command) -> tuple[e.Event, ...]:
        events: tuple[e.Event, ...] = ()
        for command in commands:
            events = HOUSE.decide(self.state, Funds(), command, self.now)
            before = after = self.state
            for event in events:
                after = HOUSE.evolve(after, event)
            self.state = HOUSE.stamped(before, after, before.seq + 1, self.now, events)
            assert load(msgspec.json.decode(canonical(dump(self.state)))) == self.state
        return events

    def until(self, at: int) -> list[str]:
        """What the clock does on the way there."""
        done = list[str]()
        while (owed := due(self.state)) and owed.at <= at:
            self.now = max(self.now, owed.at)
            self.do(owed.command)
            done.append(owed.command.name())
        self.now = at
        return done


@pytest.fixture
def house() -> House:
    found = House()
    found.do(h.OpenHouse(by="init", house="Marina", administrator="root", verifier=HASH))
    return found


def test_a_house_is_set_up_once_and_does_nothing_before() -> None:
    new = House()
    for command in (
        h.AddStaff(by="x", person="ann", role="dealer", verifier=HASH),
        h.StopFloor(by="x", reason="why"),
    ):
        with pytest.raises(r.NotSetUp):
            new.do(command)
    assert due(new.state) is None
    new.do(h.OpenHouse(by="init", house="Marina", administrator="root", verifier=HASH))
    assert (new.state.staff["root"].role, new.state.day) == ("administrator", 20_000)
    with pytest.raises(r.AlreadyThere):
        new.do(h.OpenHouse(by="init", house="Again", administrator="eve", verifier=HASH))


def test_staff_are_added_once_changed_disabled_and_enabled(house: House) -> None:
    house.do(h.AddStaff(by="root", person="ann", role="dealer", verifier=HASH))
    with pytest.raises(r.AlreadyThere):
        house.do(h.AddStaff(by="root", person="ann", role="cashier", verifier=HASH))
    house.do(h.ChangeStaff(by="root", person="ann", role="supervisor"))
    assert house.state.staff["ann"].role == "supervisor"
    house.do(h.ChangeStaff(by="root", person="ann", disable="left us"))
    assert not house.state.staff["ann"].may_enter
    house.do(h.ChangeStaff(by="root", person="ann", verifier=OTHER))
    assert not house.state.staff["ann"].may_enter, "a new password does not undo it"
    house.do(h.ChangeStaff(by="root", person="ann", enable=True))
    assert (house.state.staff["ann"].may_enter, house.state.staff["ann"].verifier) == (True, OTHER)
    with pytest.raises(r.Unknown):
        house.do(h.ChangeStaff(by="root", person="bob", enable=True))


def test_wrong_tries_are_counted_and_lock_nobody_out(house: House) -> None:
    wrong, right = (
        h.NoteLogin(by="door", person="root", ok=False),
        h.NoteLogin(by="door", person="root", ok=True),
    )
    house.do(wrong, wrong, right, wrong, wrong)
    assert not house.state.staff["root"].is_tried
    house.do(wrong)
    assert house.state.staff["root"].wrong == WRONG_TRIES
    assert house.state.staff["root"].is_tried
    assert house.state.staff["root"].may_enter, "where it was tried from, one waits"
    house.do(right)
    assert house.state.staff["root"].wrong == 0


def test_the_last_administrator_stays(house: House) -> None:
    for change in (
        h.ChangeStaff(by="root", person="root", role="dealer"),
        h.ChangeStaff(by="root", person="root", disable="x"),
    ):
        with pytest.raises(r.LastAdministrator):
            house.do(change)
    house.do(h.AddStaff(by="root", person="ann", role="administrator", verifier=HASH))
    house.do(h.ChangeStaff(by="root", person="root", disable="left us"))
    with pytest.raises(r.LastAdministrator):
        house.do(h.ChangeStaff(by="ann", person="ann", role="dealer"))


def test_a_code_enrols_one_terminal_once_and_in_time(house: House) -> None:
    house.do(
        h.AddTerminal(
            by="root", terminal="T1", code=HASH, expires_at=MORNING + 60_000, table="table:3"
        )
    )
    with pytest.raises(r.EnrolmentRefused):
        house.do(h.EnrolTerminal(by="device", code=OTHER, key=OTHER))
    house.do(h.EnrolTerminal(by="device", code=HASH, key=OTHER))
    assert (house.state.terminals["T1"].key, house.state.terminals["T1"].code) == (OTHER, "")
    with pytest.raises(r.EnrolmentRefused):
        house.do(h.EnrolTerminal(by="device", code=HASH, key=HASH))
    house.do(h.AddTerminal(by="root", terminal="T2", code=HASH, expires_at=MORNING + 60_000))
    house.now += 60_000
    with pytest.raises(r.EnrolmentRefused):
        house.do(h.EnrolTerminal(by="device", code=HASH, key=OTHER))


def test_a_terminal_is_moved_revoked_and_enrolled_anew(house: House) -> None:
    house.do(h.AddTerminal(by="root", terminal="T1", code=HASH, expires_at=MORNING + 60_000))
    house.do(h.EnrolTerminal(by="device", code=HASH, key=OTHER))
    house.do(h.ChangeTerminal(by="root", terminal="T1", table="table:2"))
    assert (house.state.terminals["T1"].table, house.state.terminals["T1"].key) == (
        "table:2",
        OTHER,
    )
    house.do(h.ChangeTerminal(by="root", terminal="T1", disable="stolen"))
    assert (house.state.terminals["T1"].key, house.state.terminals["T1"].disabled) == ("", "stolen")
    house.do(h.ChangeTerminal(by="root", terminal="T1", code=HASH, expires_at=MORNING + 60_000))
    house.do(h.EnrolTerminal(by="device", code=HASH, key=OTHER))
    assert (house.state.terminals["T1"].key, house.state.terminals["T1"].disabled) == (OTHER, "")
    with pytest.raises(r.Unknown):
        house.do(h.ChangeTerminal(by="root", terminal="T9", disable="x"))


def test_a_patron_is_excluded_for_a_time_or_until_readmitted(house: House) -> None:
    house.do(h.ExcludePatron(by="root", patron="p7", reason="asked for it", until=MORNING + 1_000))
    house.do(h.ExcludePatron(by="root", patron="p8", reason="a court"))
    assert house.state.excludes("p7", MORNING)
    assert not house.state.excludes("p7", MORNING + 1_000)
    assert house.state.excludes("p8", MORNING + 10**12)
    house.do(h.ReadmitPatron(by="root", patron="p8"))
    assert not house.state.excludes("p8", MORNING)
    with pytest.raises(r.Unknown):
        house.do(h.ReadmitPatron(by="root", patron="p8"))


def test_a_card_is_erased_when_nothing_protects_its_patron_any_more(house: House) -> None:
    def erase() -> tuple[e.Event, ...]:
        return house.do(h.ErasePatron(by="os:root", patron="p7", reason="asked for it"))

    house.do(h.ExcludePatron(by="root", patron="p7", reason="a court", until=MORNING + 1_000))
    with pytest.raises(r.StillNeeded, match="is excluded"):
        erase()
    house.now = MORNING + 1_000
    house.do(h.LimitPatron(by="p7", patron="p7", minutes=10))
    house.do(h.LimitPatron(by="p7", patron="p7"))
    with pytest.raises(r.StillNeeded, match="has limits"):
        erase()
    house.until(house.now + WIDER_WAITS_MS)
    assert house.state.may_play("p7", house.now)
    assert erase() == (e.PatronErased(patron="p7", reason="asked for it"),)
    known = (house.state.excluded, house.state.patrons, house.state.waiting)
    assert not any("p7" in each for each in known)
    assert not house.state.may_play("p7", house.now), "an old ticket plays no more"
    with pytest.raises(r.AlreadyThere):
        erase()


def limits(house: House, patron: str = "p7") -> tuple[int | None, int | None]:
    bounds = house.state.bounds(patron)
    return bounds.loss_cents, bounds.minutes


def test_narrower_limits_hold_at_once_and_wider_ones_wait_a_day(house: House) -> None:
    house.do(h.LimitPatron(by="p7", patron="p7", loss_cents=10_000, minutes=120))
    assert limits(house) == (10_000, 120)
    house.do(h.LimitPatron(by="p7", patron="p7", loss_cents=5_000, minutes=240))
    assert limits(house) == (5_000, 120)
    asked_at = house.now
    assert house.until(asked_at + WIDER_WAITS_MS - 1) == ["end-day"]
    assert limits(house) == (5_000, 120)
    assert house.until(asked_at + WIDER_WAITS_MS) == ["widen-limits"]
    assert limits(house) == (5_000, 240)
    house.do(h.LimitPatron(by="p7", patron="p7"))
    assert limits(house) == (5_000, 240), "no limit at all is the widest"
    house.do(h.LimitPatron(by="p7", patron="p7", loss_cents=1_000, minutes=10))
    assert house.until(house.now + 3 * DAY_MS) == ["end-day"] * 3
    assert limits(house) == (1_000, 10), "who narrows again has thought again"


def test_what_a_visit_lost_counts_for_the_rest_of_the_day(house: House) -> None:
    house.do(h.LimitPatron(by="p7", patron="p7", loss_cents=10_000, minutes=60))
    house.do(
        h.EndVisit(by="floor", patron="p7", session="s1", net_cents=-4_000, played_ms=50 * 60_000)
    )
    bounds = house.state.bounds("p7")
    assert (bounds.loss_left_cents, bounds.play_left_ms) == (6_000, 10 * 60_000)
    house.do(
        h.EndVisit(by="floor", patron="p7", session="s2", net_cents=-9_000, played_ms=20 * 60_000)
    )
    bounds = house.state.bounds("p7")
    assert (bounds.loss_left_cents, bounds.play_left_ms) == (0, 0)
    assert house.until(20_001 * DAY_MS) == ["end-day"]
    bounds = house.state.bounds("p7")
    assert (bounds.loss_left_cents, bounds.play_left_ms) == (10_000, 60 * 60_000)
    with pytest.raises(r.Unknown):
        house.do(h.EndVisit(by="floor", patron="p9", session="s1", net_cents=0, played_ms=0))
    assert Bounds().loss_left_cents is None


def test_the_day_ends_once_at_midnight_and_days_without_a_clock_end_together(house: House) -> None:
    assert due(house.state) == (20_001 * DAY_MS, h.EndDay(by="clock"))
    house.now = 20_005 * DAY_MS + 5
    [ended] = house.do(h.EndDay(by="clock"))
    assert ended == e.DayEnded(day=20_005)
    assert due(house.state) == (20_006 * DAY_MS, h.EndDay(by="clock"))


def test_the_floor_is_stopped_and_started(house: House) -> None:
    house.do(h.StopFloor(by="root", reason="fire"))
    assert house.state.stopped == "fire"
    with pytest.raises(r.AlreadyThere):
        house.do(h.StopFloor(by="root", reason="again"))
    house.do(h.StartFloor(by="root"))
    with pytest.raises(r.AlreadyThere):
        house.do(h.StartFloor(by="root"))


def test_the_cause_of_a_stop_is_kept_with_its_note(house: House) -> None:
    cause = Cause("safety", ("smoke in hall 2",))
    [stopped] = house.do(h.StopFloor(by="root", reason=cause))
    assert stopped == e.FloorStopped(reason="", cause=cause)
    assert house.state.stopped == cause
    with pytest.raises(r.AlreadyThere, match="for everybody's safety, “smoke in hall 2”"):
        house.do(h.StopFloor(by="root", reason=cause))


def test_commands_of_a_table_are_refused(house: House) -> None:
    with pytest.raises(r.NotOfTheHouse, match="the house cannot open bets"):
        house.do(c.OpenBets(by="root"))


# The program


def checked(
    node: str, program: str, *, started: bool = False, configuration: str = HASH, fault: str = ""
) -> h.CheckProgram:
    return h.CheckProgram(
        by="floor",
        node=node,
        version="1.0",
        program=program,
        configuration=configuration,
        files=3,
        fault=fault,
        started=started,
    )


def test_the_first_program_is_accepted_by_its_start_and_the_next_by_two(house: House) -> None:
    first, accepted = house.do(checked("n1", PROGRAM, started=True))
    assert isinstance(first, e.ProgramChecked)
    assert accepted == e.ProgramAccepted(version="1.0", program=PROGRAM, files=3)
    assert len(house.do(checked("n1", OTHER, fault="digest was not accepted"))) == 1
    assert [*house.state.programs] == [PROGRAM]
    alone = h.AcceptProgram(by="root", second="root", version="1.1", program=OTHER, files=3)
    with pytest.raises(Refusal, match="cannot be both people"):
        house.do(alone)
    house.do(h.AcceptProgram(by="root", second="sue", version="1.1", program=OTHER, files=3))
    assert house.state.programs == (PROGRAM, OTHER), "nodes are brought to it one by one"
    with pytest.raises(r.AlreadyThere):
        house.do(h.AcceptProgram(by="root", second="sue", version="1.1", program=OTHER, files=3))
    for n in range(MAX_PROGRAMS):
        house.do(
            h.AcceptProgram(by="root", second="sue", version="2", program=f"{n:064x}", files=3)
        )
    assert (len(house.state.programs), OTHER in house.state.programs) == (MAX_PROGRAMS, False)


def test_a_start_after_a_run_without_a_stop_says_so_once(house: House) -> None:
    began = house.now
    house.do(checked("n1", "", started=True), h.StopNode(by="floor", node="n1"))
    [clean] = house.do(checked("n1", "", started=True))
    assert isinstance(clean, e.ProgramChecked)
    assert (clean.unclean_since, "starts" in clean.reported()) == (0, True)
    house.now += 60_000
    [daily] = house.do(checked("n1", ""))
    assert daily.reported() == "", "a check that finds nothing is no significant event"
    house.now += 60_000
    [unclean] = house.do(checked("n1", "", started=True))
    assert isinstance(unclean, e.ProgramChecked)
    assert unclean.unclean_since == began + 60_000, "when it was last heard of"
    assert "ended without a stop" in unclean.reported()
    house.do(h.StopNode(by="floor", node="n1"))
    with pytest.raises(r.AlreadyThere):
        house.do(h.StopNode(by="floor", node="n1"))


def test_other_settings_than_at_the_last_check_are_a_significant_event(house: House) -> None:
    house.do(checked("n1", "", started=True))
    [changed] = house.do(checked("n1", "", configuration=OTHER))
    assert "its settings have changed" in changed.reported()
    [other] = house.do(checked("n2", "", configuration=HASH))
    assert other.reported() == "", "each node has its own"


def test_who_was_not_heard_of_longest_is_forgotten(house: House) -> None:
    for n in range(MAX_NODES):
        node = Node(seen=n, configuration=HASH)
        nodes = house.state.nodes.set(f"n{n}", node)
        house.state = msgspec.structs.replace(house.state, nodes=nodes)
    house.do(checked("another", "", started=True))
    assert (len(house.state.nodes), "n0" in house.state.nodes) == (MAX_NODES, False)


IMPOSSIBLE: list[e.Event] = [
    e.HouseOpened(house="Twice", demo=False),
    e.StaffAdded(person="root", role="dealer", verifier=HASH),
    e.StaffChanged(person="bob", role="dealer", verifier=HASH, disabled=""),
    e.LoginNoted(person="bob", ok=True),
    e.TerminalEnrolled(terminal="T1", key=HASH),
    e.TerminalChanged(terminal="T1", table="", code="", expires_at=0, key="", disabled=""),
    e.PatronReadmitted(patron="p1"),
    e.CardsBound(cards=1),
    e.PatronErased(patron="p1", reason="lost", proposed_by="sue", approved_by="sue"),
    e.VisitEnded(patron="p1", session="s1", net_cents=0, played_ms=0),
    e.NodeStopped(node="n1"),
    e.ProgramAccepted(version="1", program=PROGRAM, files=1),
    e.ProgramAccepted(version="1", program=OTHER, files=1, proposed_by="a", approved_by="a"),
    e.DayEnded(day=20_000),
    e.GamingDaySet(zone="UTC", day_starts=60, day=20_000, since=20_000 * DAY_MS),
    e.PatronErased(patron="gone", reason="twice"),
    e.PeriodSealed(period=7, snapshot=HASH),
    e.BetsOpened(round=1, shoe=1, announcement="", closes_at=None),
]


@pytest.mark.parametrize("event", IMPOSSIBLE, ids=lambda event: type(event).__name__)
def test_an_event_that_cannot_follow_is_a_fault(house: House, event: e.Event) -> None:
    house.do(h.ErasePatron(by="os:root", patron="gone", reason="once"))
    house.do(checked("n0", PROGRAM, started=True))
    with pytest.raises(Fault):
        HOUSE.evolve(house.state, event)


BAD: list[Callable[[], dict[str, object]]] = [
    lambda: {
        "command": "add-staff",
        "by": "root",
        "person": "a b",
        "role": "dealer",
        "verifier": HASH,
    },
    lambda: {
        "command": "add-staff",
        "by": "root",
        "person": "ann",
        "role": "king",
        "verifier": HASH,
    },
    lambda: {
        "command": "add-terminal",
        "by": "root",
        "terminal": "T1",
        "code": "short",
        "expires_at": 5,
    },
    lambda: {
        "command": "add-terminal",
        "by": "root",
        "terminal": "T1",
        "code": HASH,
        "expires_at": 5,
        "table": "x",
    },
    lambda: {"command": "limit-patron", "by": "p", "patron": "p", "minutes": 0},
    lambda: {"command": "exclude-patron", "by": "root", "patron": "p", "reason": ""},
]


@pytest.mark.parametrize("make", BAD)
def test_what_makes_no_sense_is_not_read(make: Callable[[], dict[str, object]]) -> None:
    with pytest.raises((msgspec.ValidationError, Refusal)):
        msgspec.convert(make(), HOUSE.any_command)


def test_the_clock_looks_only_at_patrons_whose_wider_limits_wait(house: House) -> None:
    for n in range(50):
        house.do(h.LimitPatron(by="x", patron=f"p{n}", loss_cents=1_000))
    house.do(h.LimitPatron(by="x", patron="p7", loss_cents=2_000))
    assert dict(house.state.waiting) == {"p7": MORNING + WIDER_WAITS_MS}
    house.do(h.LimitPatron(by="x", patron="p7", loss_cents=500))
    assert not house.state.waiting
