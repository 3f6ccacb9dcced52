"""Commands and events are defined once and passed in as a value: ours plus a throw-away command and event."""

import types
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, get_args, get_type_hints

import msgspec
import pytest

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.audit import journal_pages
from puntobanco_floor.audit.archive import read_period
from puntobanco_floor.audit.floor_audit import audit, audit_archive
from puntobanco_floor.audit.refusals import NotTold
from puntobanco_floor.audit.round_review import review_round
from puntobanco_floor.domain.commands import DEALERS, Command, CommandTraits
from puntobanco_floor.domain.definitions import OURS, rules_in, steps_in
from puntobanco_floor.domain.entries import chained, read_entry
from puntobanco_floor.domain.event import EventTraits
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import Asked as AnyAsked
from puntobanco_floor.domain.machine import Events, Funds, Machine, Rules, check
from puntobanco_floor.domain.refusals import BadCommand, NotNow
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import BETWEEN, Asked, TableState
from puntobanco_floor.service.pit.approvals import waiting
from puntobanco_floor.service.refusals import NotAllowed
from puntobanco_floor.service.roles import Person, verify_may
from puntobanco_floor.service.terminals.connections import public_events
from puntobanco_floor.store.batch import Answer, Request, Stream, state_hash
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.views.dealer_view import dealer_view, redealt
from puntobanco_proof.entry.format import Fault
from tests.house.test_two_people import enrol, new_house
from tests.support.english import english
from tests.table.notation import played
from tests.table.test_phases import DEALING, STOPPED
from tools.pages import commands_page
from tools.typescript import declarations, our_messages

TABLE = "table:1"
HouseAsked: TypeAlias = AnyAsked[HouseState]


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
        period = read_period(reader, TABLE, 1)
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
    known = declarations(our_messages(MORE))
    of_it = known.partition("export interface BellRung {")[2].partition("}")[0]
    assert 'event: "BellRung";' in of_it
    assert "times: number;" in of_it
    [union] = [line for line in known.splitlines() if line.startswith("export type PublicEvent")]
    assert " BellRung " in union
    assert "BellRung" not in declarations(our_messages())


def test_an_inspector_reads_it_in_the_journal(house: House) -> None:
    house.store.close()
    page = journal_pages.page(str(house.path), TABLE, None, text="bell", definitions=MORE)
    assert "the bell rang 3 times" in page.rows[0].says.en
    seen = journal_pages.record(str(house.path), TABLE, page.rows[0].seq, None, definitions=MORE)
    assert (seen.row.kind, seen.agrees) == ("BellRung", True)


def test_the_pit_sees_what_waits_and_what_would_follow(house: House) -> None:
    house.do(RingBell(by="dora", times=2))
    stream = house.store.table(TABLE)
    house.store.close()
    [waits] = waiting(stream.state, stream.balances, 0, stream.machine)
    assert (waits.command, waits.title) == ("ring-bell", Words("ring the bell", "搖鈴"))
    assert (waits.by, waits.refused) == ("dora", None)
    playing = msgspec.structs.replace(stream.state, phase="betting")
    [late] = waiting(playing, stream.balances, 0, stream.machine)
    assert "Cannot ring the bell now" in english(late.refused)


def test_the_dealers_view_asks_the_rules_that_the_table_plays_by() -> None:
    def no_declaring(_: Asked, __: c.DeclareIrregularity) -> Events:
        raise NotNow("call the manager")

    def no_redealing(_: Asked, __: c.Reconstruct) -> Events:
        raise NotNow("call the manager, too")

    rules: Rules = {c.DeclareIrregularity: no_declaring, c.Reconstruct: no_redealing}
    strict = OURS.table.plus(decides=rules, evolves={})
    state = played(DEALING).state
    ours = dealer_view(state, 0, demo=False)
    theirs = dealer_view(state, 0, demo=False, machine=strict)
    assert ours is not None
    assert theirs is not None
    assert any(not ground.refused for ground in ours.grounds)
    assert {english(ground.refused) for ground in theirs.grounds} == {"call the manager"}
    stopped = played(STOPPED).state
    assert english(redealt(stopped, "9f 2g").refused) != "call the manager, too"
    assert english(redealt(stopped, "9f 2g", strict).refused) == "call the manager, too"


class RingHouse(Command):
    """Ring the bell of the house; two people decide it."""

    traits: ClassVar[CommandTraits] = CommandTraits(
        title=Words("ring every bell", "全場搖鈴"), by=frozenset({"administrator"}), second=h.by_two
    )


def ring_house(asked: HouseAsked, _: RingHouse) -> Events:
    return (BellRung(times=1, proposed_by=asked.proposed_by, approved_by=asked.approved_by),)


def test_two_people_of_the_house_decide_a_command_that_its_rules_do_not_name() -> None:
    house = new_house()
    enrol(house, "ada")
    enrol(house, "ben")
    more = OURS.house.plus(decides={RingHouse: ring_house}, evolves={})
    [proposed] = more.decide(house.state, Funds(), RingHouse(by="ada"), house.now)
    waiting = more.evolve(house.state, proposed)
    _, rung = more.decide(waiting, Funds(), h.Agree(by="ben", proposal=1), house.now)
    assert rung == BellRung(times=1, proposed_by="ada", approved_by="ben")


def test_an_inspector_is_told_a_round_in_which_it_happened(house: House) -> None:
    house.do(c.RestartTable(by="sue"), c.NewShoe(by="sue"), c.OpenBets(by="dora"))
    house.do(c.CloseBets(by="dora"))
    while not house.store.table(TABLE).state.current.play.is_complete:
        house.do(c.DealCard(by="dora"))
    house.do(c.Settle(by="dora"), RingBell(by="dora", times=1), c.Approve(by="sue", proposal=2))
    house.store.close()
    told = review_round(str(house.path), TABLE, 1, rounds=1, definitions=MORE)
    assert "BellRung" in {record.row.kind for record in told.records}
    with pytest.raises(NotTold, match="BellRung"):
        review_round(str(house.path), TABLE, 1, rounds=1)


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
    """Each kind that a module defines has a function that gives the next state."""
    without = {kind.__name__ for kind in get_args(e.AnyEvent)} - {k.__name__ for k in OURS.events}
    assert not without, "write a function in `evolve.py` whose parameter `event` has this type"
    assert set(get_args(e.AnyEvent)) == set(OURS.events)


def test_every_command_has_a_title_in_both_languages() -> None:
    titles = {kind.name(): kind.traits.title for kind in OURS.commands}
    wrong = [name for name, title in titles.items() if not title.en or title.zh == title.en]
    assert not wrong, ", ".join(wrong)


def test_each_command_that_a_module_defines_is_decided() -> None:
    kinds = {kind for kind in _below(Command) if kind.__module__.startswith("puntobanco_floor.")}
    bases = {kind for kind in kinds if kind.__subclasses__()}
    without = {kind.__name__ for kind in kinds - bases - set(OURS.commands)}
    assert not without, "write a function whose parameter `command` has this type"


def _below(kind: type[Any]) -> set[type[Any]]:
    return {found for each in kind.__subclasses__() for found in (each, *_below(each))}


def test_one_function_decides_a_command_and_a_second_one_is_reported_with_the_first() -> None:
    rung, rung_again = (types.ModuleType(name) for name in ("rung", "rung_again"))
    for module, function in ((rung, ring_bell), (rung_again, ring_bell_again)):
        again = types.FunctionType(function.__code__, globals(), function.__name__)
        again.__annotations__, again.__module__ = function.__annotations__, module.__name__
        setattr(module, function.__name__, again)
    assert list(rules_in(rung)) == [RingBell]
    assert not steps_in(rung)
    with pytest.raises(TypeError, match=r"RingBell has two handlers: rung\.ring_bell and"):
        rules_in(rung, rung_again)


def ring_bell_again(asked: Asked, command: RingBell) -> Events:
    return ring_bell(asked, command)


def test_what_a_table_does_says_in_which_phases() -> None:
    shared = set(OURS.table.decides) & set(OURS.cage.decides)
    without = {kind for kind in OURS.table.decides if kind.traits.phases is None}
    assert without == shared, "a proposal is decided in every phase; all else says where"
