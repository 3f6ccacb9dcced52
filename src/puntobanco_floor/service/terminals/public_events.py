"""Public events: journal events as broadcast to everybody at a table, without private fields.

Patrons' lines, what staff wrote for staff, who they are and how many cards are left stay private:
each kind says which fields (`traits.private`). What an event changes in the view, and all words, go
beside it (`views.changes`): nobody needs to know a kind to follow a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import msgspec

from puntobanco.base.record import Record
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import Event


def public_events(entries: Iterable[Entry]) -> Iterator[Record]:
    """What everybody hears of these entries, in order; the public version counts the same."""
    for entry in entries:
        for event in entry.events:
            if event.traits.public:
                yield _told(event)


@cache
def public_kind(kind: type[Event]) -> type[Record]:
    """A kind as the public hears it: itself, or without its private fields."""
    private = kind.traits.private
    if not private:
        return kind
    name = kind.__name__
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in private]
    record = msgspec.defstruct(
        f"Public{name}",
        [(field.name, field.type, _default(field)) for field in fields],
        bases=(Record,),
        tag_field="event",
        tag=name,
        frozen=True,
        omit_defaults=kind.__struct_config__.omit_defaults,
    )
    assert issubclass(record, Record)
    return record


def _default(field: msgspec.structs.FieldInfo) -> object:
    return msgspec.field(default=field.default)


def _told(event: Event) -> Record:
    record = public_kind(type(event))
    if isinstance(event, record):
        return event
    return record(**{name: getattr(event, name) for name in record.__struct_fields__})


def sessions_touched(entries: Iterable[Entry]) -> set[str]:
    """Whose own view these entries change."""
    touched = set[str]()
    for entry in entries:
        for event in entry.events:
            touched |= event.sessions()
    return touched
