"""Commands and events are defined once and passed in as a value: ours plus a throw-away command and event."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import ClassVar, get_args, get_type_hints

import msgspec
import pytest
from tools import messages
from tools.pages import commands_page
from tools.typescript import declarations

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.audit import journal_pages
from puntobanco_floor.audit.archive import archived
from puntobanco_floor.audit.floor_audit import audit, audit_archive
from puntobanco_floor.domain.commands import DEALERS, Command, CommandTraits
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import chained, read_entry
from puntobanco_floor.domain.machine import Events, Funds, Machine, check
from puntobanco_floor.domain.refusals import NotNow
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.phases import BETWEEN
from puntobanco_floor.domain.table.preconditions import Asked
from puntobanco_floor.domain.table.refusals import BadCommand
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.domain.traits import EventTraits
from puntobanco_floor.service.refusals import NotAllowed
from puntobanco_floor.service.roles import Person, verify_may
from puntobanco_floor.service.terminals.broadcast import public_events
from puntobanco_floor.store.batch import Answer, Request, Stream, state_hash
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.entry.format import Fault

TABLE = "table:1"


# The throw-away definitions: nothing else in this repository knows them


class RingBell(Command):
    """Ring the bell of the table so many times; two people decide it."""

    traits: ClassVar[CommandTraits] = CommandTraits(
        title=Words("ring the bell", "搖鈴"), phases=BETWEEN, by=DEALERS, second=c.always
    )

    times: int


class BellRung(e.Event):
    traits: ClassVar[EventTraits] = EventTraits(group="table", public=True)

    times: int
    proposed_by: str
    approved_by: str

    def says(self) -> Words:
        return Words("the bell rang {} times", "鈴響 {} 次").format(self.times)


def ring_bell(asked: Asked, command: RingBell) -> Events:
    if command.times < 1:
        raise NotNow("a bell rings once at least")
    return (
        BellRung(times=command.times, proposed_by=asked.proposed_by, approved_by=asked.approved_by),
    )


def bell_rung(state: TableState, event: BellRung) -> TableState:
    check(event.times > 0, "the bell did not ring")
    return msgspec.structs.replace(state, halted=f"the bell rang {event.times} times")


MORE = replace(
    OURS, table=OURS.table.plus(decides={RingBell: ring_bell}, evolves={BellRung: bell_rung})
)


# Ours and one more


class House:
    """A store that plays with more definitions than ours."""

    def __init__(self, path: Path) -> None:
        self.path, self.sent = path, 0
        self.store = SqliteStore(path, definitions=MORE)

    def ask(self, command: Command) -> Answer:
        self.sent += 1
        return self.store.ask(Request(stream=TABLE, id=str(self.sent), command=command))

    def do(self, *commands: Command) -> None:
        for command in commands:
            answer = self.ask(command)
            assert answer.ok, answer.reason


@pytest.fixture
def house(tmp_path: Path) -> House:
    """The bell was rung by two people, and a shoe has ended since."""
    found = House(tmp_path / "floor.db")
    found.do(c.OpenTable(by="boss", game="rapid"))
    asked = found.ask(RingBell(by="dora", times=3))
    assert (asked.ok, asked.proposal) == (True, 1)
    assert found.ask(c.Approve(by="dora", proposal=1)).code == "second-person-needed"
    found.do(c.Approve(by="sue", proposal=1), c.NewShoe(by="sue"), c.EndShoe(by="sue"))
    return found


def test_a_command_is_allowed_by_its_phases() -> None:
    down = OURS.table.empty(stream=TABLE)
    waiting = msgspec.structs.replace(down, phase="waiting")
    [proposed] = MORE.table.decide(waiting, Funds(), RingBell(by="dora", times=1), 0)
    assert isinstance(proposed, e.Proposed)
    with pytest.raises(NotNow, match="Cannot ring the bell now: the table is closed"):
        MORE.table.decide(down, Funds(), RingBell(by="dora", times=1), 0)
    with pytest.raises(NotNow, match="once at least"):  # nobody is asked for what is refused
        MORE.table.decide(waiting, Funds(), RingBell(by="dora", times=0), 0)


def test_a_command_is_allowed_by_its_roles() -> None:
    verify_may(Person("dora", "dealer"), RingBell)
    assert RingBell in MORE.may("supervisor")
    assert RingBell not in MORE.may("cashier")
    with pytest.raises(NotAllowed):
        verify_may(Person("carl", "cashier"), RingBell)


def test_what_two_people_decided_is_journalled_and_replayed(house: House) -> None:
    rung: list[e.Event] = [
        event
        for seq, data in house.store.entries(TABLE)
        for event in read_entry(data, stream=TABLE, seq=seq, decode=MORE.decode).events
        if isinstance(event, BellRung)
    ]
    assert rung == [BellRung(times=3, proposed_by="dora", approved_by="sue")]
    replayed = Stream.empty(TABLE, MORE.table)
    for entry, head in chained(house.store.entries(TABLE), TABLE, decode=MORE.decode):
        replayed.follow(entry, head)
    before = state_hash(house.store.stream(TABLE))
    assert state_hash(replayed) == before
    house.store.close()
    with SqliteStore(house.path, definitions=MORE) as again:
        assert state_hash(again.stream(TABLE)) == before
        assert again.table(TABLE).state.halted == "the bell rang 3 times"


def test_it_is_audited_whole_and_period_by_period(house: House) -> None:
    house.store.close()
    report = audit(house.path, definitions=MORE)
    assert report.sound, report.fault
    with reading(str(house.path)) as reader:
        period = archived(reader, TABLE, 1)
    assert audit_archive(period, definitions=MORE).sound


def test_it_is_said_in_both_languages_and_listed_in_the_documentation(house: House) -> None:
    house.store.close()
    said = BellRung(times=3, proposed_by="dora", approved_by="sue").says()
    assert (said.en, said.zh) == ("the bell rang 3 times", "鈴響 3 次")
    assert "`ring-bell` | ring the bell | 搖鈴 | yes | yes | yes |" in commands_page(MORE)


def test_the_public_hears_it_and_not_what_is_for_staff(house: House) -> None:
    heard = list(public_events(house.store.decoded(TABLE)))
    assert BellRung(times=3, proposed_by="dora", approved_by="sue") in heard
    assert not [event for event in heard if isinstance(event, e.Proposed | e.ProposalApproved)]
    house.store.close()


def test_the_browser_has_a_type_for_what_is_heard_of_it(house: House) -> None:
    house.store.close()
    known = declarations(messages.ours(MORE))
    of_it = known.partition("export interface BellRung {")[2].partition("}")[0]
    assert 'event: "BellRung";' in of_it
    assert "times: number;" in of_it
    [union] = [line for line in known.splitlines() if line.startswith("export type PublicEvent")]
    assert " BellRung " in union
    assert "BellRung" not in declarations(messages.ours())


def test_an_inspector_reads_it_in_the_journal(house: House) -> None:
    house.store.close()
    page = journal_pages.page(str(house.path), TABLE, None, text="bell", definitions=MORE)
    assert "the bell rang 3 times" in page.rows[0].says
    seen = journal_pages.record(str(house.path), TABLE, page.rows[0].seq, None, definitions=MORE)
    assert (seen.row.kind, seen.agrees) == ("BellRung", True)


def test_our_own_definitions_know_nothing_of_it(house: House) -> None:
    house.store.close()
    assert RingBell not in OURS.commands
    assert BellRung not in OURS.events
    assert "ring-bell" not in commands_page()
    with pytest.raises(BadCommand, match="A table cannot ring the bell"):
        OURS.table.decide(OURS.table.empty(stream=TABLE), Funds(), RingBell(by="dora", times=1), 0)
    with SqliteStore(house.path) as ours, pytest.raises(Fault, match="BellRung"):
        # a snapshot would do; the journal before it is another matter
        list(chained(ours.entries(TABLE), TABLE))
    assert "BellRung" in str(audit(house.path).fault)


# Ours


MACHINES = {"table": OURS.table, "house": OURS.house, "cage": OURS.cage}


@pytest.mark.parametrize("name", MACHINES)
def test_each_function_is_of_the_kind_that_it_stands_for(name: str) -> None:
    machine: Machine[object] = MACHINES[name]  # type: ignore[type-var, assignment]
    for kind, rule in machine.decides.items():
        assert _second(rule) == kind, f"{rule.__name__} stands for {kind.__name__}"
    for event, step in machine.evolves.items():
        of = _second(step)
        is_any = of is e.Event  # what changes no state
        assert is_any or event in (get_args(of) or (of,)), (
            f"{step.__name__} stands for {event.__name__}"
        )


def _second(function: Callable[..., object]) -> object:
    """The type of its second argument."""
    hints = get_type_hints(function)
    return list(hints.values())[1]


def test_the_journal_reads_the_events_of_our_machines_and_no_others() -> None:
    assert set(get_args(e.AnyEvent)) == set(OURS.events)


@pytest.mark.parametrize("kind", OURS.commands, ids=lambda kind: kind.name())
def test_every_command_is_defined(kind: type[Command]) -> None:
    title = kind.traits.title
    assert title.en
    assert title.zh != title.en, "in both languages"


def test_what_a_table_does_says_in_which_phases() -> None:
    shared = set(OURS.table.decides) & set(OURS.cage.decides)
    without = {kind for kind in OURS.table.decides if kind.traits.phases is None}
    assert without == shared, "a proposal is decided in every phase; all else says where"
