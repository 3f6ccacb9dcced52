"""A state declares at each field since when snapshots contain it; a field that is added changes no hash while it is empty."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any, get_args

import msgspec
import pytest
from immutables import Map

from puntobanco_floor.domain.cage.state import CageState
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.events import Clock, Limits
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.snapshots import (
    FIRST_SNAPSHOT,
    SNAPSHOT,
    Added,
    Since,
    _fields,
    as_version,
    plain_of,
    struct_from,
)
from puntobanco_floor.domain.table.state import ShoeState, TableState
from puntobanco_floor.store.reader import reading
from puntobanco_proof.entry.format import canonical
from tests.fixtures.versions import unpack

STATES: dict[str, type[Any]] = {"table:1": TableState, "floor": HouseState, "cage:1": CageState}


@cache
def state_at_the_end(stream: str) -> State:
    """A state of the fixture floor."""
    with TemporaryDirectory() as folder, reading(str(unpack(Path(folder)))) as reader:
        machine = OURS.machine_of(stream)
        state = machine.empty(stream=stream)
        for entry, _ in chained(reader.entries(stream), stream):
            state = machine.follow(state, entry)
    return state


def planted(kind: type[Any], type_: object, default: object) -> type[Any]:
    """The struct with one more field."""
    field = ("planted", type_, default)
    return msgspec.defstruct(kind.__name__, [field], bases=(kind,), frozen=True, kw_only=True)


def with_field(state: object, kind: type[Any], **more: object) -> Any:
    """The same values as another struct."""
    assert isinstance(state, msgspec.Struct)
    return kind(**{name: getattr(state, name) for name in state.__struct_fields__}, **more)


def dumped(stream: str, state: State) -> bytes:
    return canonical(OURS.machine_of(stream).dump(state))


@pytest.mark.parametrize("stream", STATES)
@pytest.mark.parametrize(
    ("type_", "empty", "full"),
    [
        (int, 0, 3),
        (str, "", "so"),
        (Map[str, int], Map(), Map(a=1)),
        (tuple[str, ...], (), ("a",)),
        (int | None, None, 1),
    ],
    ids=str,
)
def test_a_planted_field_changes_no_bytes_while_it_is_empty(
    stream: str, type_: Any, empty: object, full: object
) -> None:
    state = state_at_the_end(stream)
    kind = planted(STATES[stream], Added[type_], empty)  # type: ignore[misc]
    before = dumped(stream, state)
    assert dumped(stream, with_field(state, kind)) == before
    assert dumped(stream, with_field(state, kind, planted=full)) != before
    unmarked = planted(STATES[stream], type_, empty)
    assert dumped(stream, with_field(state, unmarked)) != before


@pytest.mark.parametrize("stream", STATES)
def test_a_field_of_a_later_version_is_left_out_of_an_earlier_one(stream: str) -> None:
    state = state_at_the_end(stream)
    kind = planted(STATES[stream], Annotated[int, Since(SNAPSHOT + 1)], 0)
    plain = OURS.machine_of(stream).dump(with_field(state, kind, planted=5))
    own = OURS.machine_of(stream).dump(state)
    assert plain["planted"] == 5
    for version in range(FIRST_SNAPSHOT, SNAPSHOT + 1):
        assert as_version(kind, plain, version) == as_version(STATES[stream], own, version)
    assert as_version(kind, plain, SNAPSHOT + 1)["planted"] == 5


def test_a_planted_field_reads_back_and_an_older_snapshot_reads_without_it() -> None:
    kind = planted(CageState, Added[Map[str, int]], Map())
    full = kind(stream="cage:1", planted=Map(a=1))
    assert struct_from(kind, plain_of(full)) == full
    old = plain_of(CageState(stream="cage:1"))
    assert struct_from(kind, old) == kind(stream="cage:1")
    with pytest.raises(KeyError, match="planted"):
        struct_from(planted(CageState, int, 0), old)


def test_only_structs_that_a_snapshot_writes_field_by_field_mark_their_fields() -> None:
    """In any other struct, `Added` and `Since` would have no effect."""
    marked = {
        kind
        for state in STATES.values()
        for kind in _reached(state, set())
        if any(field.is_added or field.since for field in _fields(kind))
    }
    assert marked == {TableState, HouseState, CageState, ShoeState, Clock, Limits}


def _reached(type_: Any, seen: set[object]) -> Iterator[type[msgspec.Struct]]:
    """Every struct that a value of this type can contain."""
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        if type_ not in seen:
            seen.add(type_)
            yield type_
            for field in msgspec.structs.fields(type_):
                yield from _reached(field.type, seen)
        return
    for part in get_args(type_):
        yield from _reached(part, seen)
