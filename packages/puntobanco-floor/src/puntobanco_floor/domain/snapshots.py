"""Snapshots: a state as plain values, and the fields that older snapshots do not have.

A sealed period contains the hash of a snapshot, so the same state always gives the same bytes. A
field that is added to a state says so in its annotation.
"""

from __future__ import annotations

import operator
from functools import cache
from typing import Annotated, NamedTuple, TypeAlias, TypeVar, get_args, get_origin

import msgspec
from immutables import Map

SNAPSHOT = 9
"""The version of snapshots. A node does not read another one; it replays the journal instead."""

FIRST_SNAPSHOT = 7
"""The oldest version that a sealed period may still have."""

V = TypeVar("V")
T = TypeVar("T", bound=msgspec.Struct)

Plain: TypeAlias = dict[str, object]
"""A state as a snapshot has it: values of JSON."""

_OMITTED = "left out of snapshots while it is empty"

Added: TypeAlias = Annotated[V, _OMITTED]
"""A field that was added within a version: `notes: Added[int] = 0`. A snapshot leaves it out while
it is empty, so a state without it has the bytes that it always had.
"""


class Since(NamedTuple):
    """Mark a field that came with a version of snapshots: `sixes: Annotated[int, Since(9)] = 0`. An
    older version's snapshot leaves it out.
    """

    version: int


class _Field(NamedTuple):
    name: str
    type: object
    is_added: bool
    since: int  # the version of snapshots that brought it; 0: the first


@cache
def _fields(kind: type) -> tuple[_Field, ...]:
    """Return the fields of a struct; cached, since resolving annotations is slow."""
    found = list[_Field]()
    for each in msgspec.structs.fields(kind):
        marks: tuple[object, ...] = getattr(each.type, "__metadata__", ())
        since = next((mark.version for mark in marks if isinstance(mark, Since)), 0)
        found.append(_Field(each.name, each.type, _OMITTED in marks, since))
    return tuple(found)


def plain_of(value: msgspec.Struct, **special: object) -> Plain:
    """Return the fields as plain values, except those that are given; maps become sorted lists."""
    plain = dict(special)
    for field in _fields(type(value)):
        if field.is_added and not getattr(value, field.name):
            continue
        if field.name not in special:
            plain[field.name] = msgspec.to_builtins(getattr(value, field.name), enc_hook=_rows)
    return plain


def as_version(kind: type, plain: Plain, version: int) -> Plain:
    """Return a snapshot as that version of the program wrote and sealed it."""
    later = {field.name for field in _fields(kind) if field.since > version}
    fields = {name: value for name, value in plain.items() if name not in later}
    return fields | {"snapshot": version}


def struct_from(kind: type[T], plain: Plain, **special: object) -> T:
    """Build a struct from the output of `plain_of` and the fields that are given."""
    given = dict(special)
    for field in _fields(kind):
        if field.name not in plain and (field.is_added or field.since):
            continue
        if field.name not in special:
            given[field.name] = msgspec.convert(plain[field.name], field.type, dec_hook=_map)
    return kind(**given)


def _rows(value: object) -> list[list[object]]:
    """A map as rows of its key (or the parts of it) and its value, sorted by the key."""
    if not isinstance(value, Map):
        raise NotImplementedError(f"{type(value).__name__} has no place in a snapshot")
    rows = [[*key, each] if isinstance(key, tuple) else [key, each] for key, each in value.items()]
    return sorted(rows, key=operator.itemgetter(slice(None, -1)))


def _map(type_: type, rows: object) -> object:
    """The map of these rows; a value of any other type is returned as it is."""
    if get_origin(type_) is not Map:
        return rows
    key_type, value_type = get_args(type_)
    found = dict[object, object]()
    for *parts, each in msgspec.convert(rows, list[list[object]]):
        key = tuple(parts) if get_origin(key_type) is tuple else parts[0]
        found[key] = msgspec.convert(each, value_type)
    return Map(found)
