"""Moves on every kind of store: whichever node asks, and however often, each step is taken once; and the audit ties them out."""

import pytest
from msgspec.structs import replace

from puntobanco.rules.causes import Cause
from puntobanco_floor.audit.cross_stream_checks import AuditedMoves
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.ledger import MOVING, account_of
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.service.cross_stream_rules import of_moves
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker

OLD, NEW = "table:1", "table:2"
HOUSE = HouseState(stream="floor")


def begun(store: Store) -> tuple[Asker, Asker]:
    old, new = Asker(store, OLD, "old"), Asker(store, NEW, "new")
    old.open_table()
    new.open_table("six-star")
    old.seat("ann")
    return old, new


def following(stores: list[Store], stream: str, seq: int) -> list[Answer]:
    """What follows from an entry, asked by each node, twice."""
    entry = next(stores[0].decoded(stream, after=seq - 1))
    states = {name: stores[0].table(name).state for name in (OLD, NEW)}
    requests = list(of_moves(entry, HOUSE, states))
    return [store.ask(request) for request in requests for store in stores for _ in range(2)]


def moved(stores: list[Store], old: Asker) -> tuple[list[Answer], list[Answer]]:
    reserved = old.do(c.ReserveMove(by="ann", session="ann", move="m1", to=NEW))
    arrivals = following(stores, OLD, reserved.seq)
    return arrivals, following(stores, NEW, arrivals[0].seq)


@pytest.mark.parametrize("is_taken", [True, False])
def test_every_node_may_ask_each_step_and_it_is_taken_once(place: Place, is_taken: bool) -> None:
    stores = [place.open(), place.open()]
    old, new = begun(stores[0])
    if not is_taken:
        new.do(c.HaltTable(by="pit", reason="fire-drill"))
    arrivals, closings = moved(stores, old)
    for answers in (arrivals, closings):
        assert len(answers) == 4
        assert len({answer.seq for answer in answers if answer.ok}) == 1
        assert all(answer.ok for answer in answers)
    streams = {name: stores[1].table(name) for name in (OLD, NEW)}
    at = {name: stream.balances.get(account_of("ann"), 0) for name, stream in streams.items()}
    assert at == ({OLD: 0, NEW: 1_000_000} if is_taken else {OLD: 1_000_000, NEW: 0})
    assert sum(stream.balances.get(MOVING, 0) for stream in streams.values()) == 0
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=place.heads)
    assert report.sound, report.fault
    assert report.moves == 1


def test_what_is_on_the_way_is_counted_by_the_ledger_and_by_the_audit(place: Place) -> None:
    store = place.open()
    old, _ = begun(store)
    old.do(c.ReserveMove(by="ann", session="ann", move="m1", to=NEW))
    with reading(place.url) as reader:
        assert reader.total(MOVING) == 1_000_000
    place.stores.close()
    assert audit(place.url, keys=place.keys, heads=place.heads).sound


# What the audit would find

RESERVED = e.MoveReserved(
    session="ann", move="m1", to=NEW, cents=500, until=9, patron="ann", in_cents=400, since=3
)
ARRIVED = e.MoveArrived(
    session="ann", move="m1", came_from=OLD, cents=500, until=9, in_cents=400, since=3
)
REFUSED = e.MoveRefused(
    session="ann", move="m1", came_from=OLD, until=9, reason=Cause("move-too-late")
)
SETTLED = e.MoveSettled(session="ann", move="m1", to=NEW, cents=500)
RETURNED = e.MoveReturned(
    session="ann", move="m1", to=NEW, cents=500, in_cents=400, reason=Cause("move-too-late")
)
WELL = [(OLD, RESERVED), (NEW, ARRIVED), (OLD, SETTLED)]


def audited(entries: list[tuple[str, e.Event]], moving_cents: int = 0) -> list[str]:
    books, warnings = AuditedMoves(), list[str]()
    for seq, (stream, event) in enumerate(entries, start=1):
        books.see(event, stream, seq)
    books.check(moving_cents, warnings)
    return warnings


def test_a_move_that_went_well_and_one_that_went_back_tie_out() -> None:
    assert audited(WELL) == []
    assert audited([(OLD, RESERVED), (NEW, REFUSED), (OLD, RETURNED)]) == []
    assert audited([(OLD, RESERVED)], 500) == audited([(OLD, RESERVED), (NEW, REFUSED)], 500) == []
    assert audited([(OLD, RESERVED), (NEW, ARRIVED)]) == []


@pytest.mark.parametrize(
    ("entries", "moving", "why"),
    [
        ([(NEW, ARRIVED)], -500, "came from nowhere"),
        ([(OLD, RESERVED), (OLD, SETTLED)], 500, "closed undecided"),
        ([(OLD, RESERVED), (OLD, RETURNED)], 0, "closed undecided"),
        ([(OLD, RESERVED), (NEW, ARRIVED), (OLD, RETURNED)], -500, "otherwise than"),
        ([(OLD, RESERVED), (NEW, REFUSED), (OLD, SETTLED)], 500, "otherwise than"),
        ([*WELL, (NEW, ARRIVED)], -500, "decided twice"),
        ([*WELL, (OLD, RESERVED)], 500, "reserved twice"),
        ([*WELL, (OLD, RETURNED)], 0, "closed twice"),
        ([(OLD, RESERVED), (NEW, replace(ARRIVED, cents=501))], -1, "not what was reserved"),
        ([(OLD, RESERVED), (NEW, replace(ARRIVED, in_cents=0))], 0, "not what was reserved"),
        ([(OLD, RESERVED), (NEW, replace(ARRIVED, since=5))], 0, "not what was reserved"),
        ([(OLD, RESERVED), (NEW, replace(ARRIVED, session="eve"))], 0, "not what was reserved"),
        ([(OLD, RESERVED), ("table:3", ARRIVED)], 0, "not what was reserved"),
        ([(OLD, RESERVED)], 0, "cents are on the way"),
        (WELL, 500, "cents are on the way"),
    ],
)
def test_a_move_that_does_not_tie_out_is_a_fault(
    entries: list[tuple[str, e.Event]], moving: int, why: str
) -> None:
    with pytest.raises(Fault, match=why):
        audited(entries, moving)


def test_where_entries_of_the_other_table_were_set_aside_it_is_a_warning() -> None:
    aside = e.EntriesSetAside(
        first=1, last=2, digest="", reason="forged", proposed_by="sam", approved_by="pit"
    )
    [told] = audited([(NEW, ARRIVED), (OLD, aside)], -500)
    assert "entries of table:1 are set aside" in told
