"""What is true of a kind is defined with the kind: every event is whole."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.definitions import TABLE
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.stream_names import is_table
from puntobanco_floor.domain.table.evolve import stamped
from puntobanco_floor.domain.table.state import PHASES, TableState
from puntobanco_floor.reports.figures import NAMES
from puntobanco_floor.service.terminals.connections import public_events, public_kind
from puntobanco_floor.store.reader import reading
from tests.fixtures.versions import unpack
from tests.test_ledger import values

HAN = re.compile("[\u4e00-\u9fff]")


@pytest.mark.parametrize("kind", e.EVENTS, ids=lambda kind: kind.__name__)
@given(data=st.data())
@settings(max_examples=10)
def test_every_kind_says_itself_in_both_languages_and_tells_no_secret(
    kind: type[e.Event], data: st.DataObject
) -> None:
    secrets = dict.fromkeys(kind.traits.secret, "s3cret")
    event = msgspec.structs.replace(data.draw(values(kind)), **_fitting(kind), **secrets)
    said = event.says()
    assert said.en
    assert HAN.search(said.zh)
    assert "s3cret" not in f"{said} {event.reported()}"
    assert not event.reported() or kind.traits.heading
    assert {figure.name for figure in event.figures()} <= set(NAMES)


def _fitting(kind: type[e.Event]) -> dict[str, Any]:
    """What drawn values cannot be: grounds and commands that are known."""
    known = {"ground": "foreign-card", "command": {"command": "void-round"}, "slot": "p1"}
    return {name: value for name, value in known.items() if name in kind.__struct_fields__}


def test_every_trait_is_of_fields_and_phases_that_there_are() -> None:
    for kind in e.EVENTS:
        traits, fields = kind.traits, set(kind.__struct_fields__)
        assert {*traits.private, *traits.secret} <= fields, kind.__name__
        assert traits.phase in ("", *PHASES), kind.__name__
        assert traits.public or not traits.private, kind.__name__
        assert traits.anchors or not traits.seals, "the end of a period is signed"


def test_the_public_hears_each_kind_without_its_private_fields() -> None:
    for kind in e.EVENTS:
        heard = public_kind(kind)
        shown = [name for name in kind.__struct_fields__ if name not in kind.traits.private]
        assert list(heard.__struct_fields__) == shown
        assert heard.__struct_config__.tag == kind.__name__


def test_a_kind_that_names_a_phase_leaves_every_table_in_it_and_the_public_version_counts(
    tmp_path: Path,
) -> None:
    """Over all that the fixture floor has played."""
    seen = set[str]()
    with reading(str(unpack(tmp_path))) as reader:
        for stream in filter(is_table, reader.streams()):
            state = TableState(stream=stream)
            for entry, _ in chained(reader.entries(stream), stream):
                for event in entry.events:
                    state = TABLE.evolve(state, event)
                    phase = event.traits.phase
                    assert phase in ("", state.phase), type(event).__name__
                    seen |= {type(event).__name__} if phase else set()
                before = state.version
                state = stamped(state, state, entry.seq, entry.at, entry.events)
                assert state.version - before == len(list(public_events([entry])))
    assert {"BetsOpened", "CardDealt", "RoundSettled"} <= seen
