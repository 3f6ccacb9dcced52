"""Partial disclosure: of an entry that names other patrons, its header and the parts that do not.

A part comes with its salt, its place and a Merkle proof: it leads to the root in the header, and
the header's hash leads to a signed head. What stays hidden cannot be guessed, since it is salted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

import puntobanco_floor.domain.table.events as e
from puntobanco.base.record import Record
from puntobanco_floor.domain.entry import Decoder, Entry, entry_of, parts_of, read_with
from puntobanco_floor.evidence.pack_facts import named_in, sessions_of
from puntobanco_proof.entry.format import (
    UNREADABLE,
    Fault,
    Header,
    Origin,
    canonical,
    entry_hash,
    hash_of,
    read_origin,
)
from puntobanco_proof.entry.parts import Part, shown_parts, verify_part

_table = Decoder(e.TABLE_EVENTS)

NOBODY = Origin(by="", command="", id="")
"""For a origin that is not shown."""


class Disclosed(Record):
    """A line of entries-*.jsonl that stands for an entry of which not all is shown."""

    header: msgspec.Raw  # its bytes as they were hashed
    parts: list[Part]


class Link(NamedTuple):
    """An entry in the chain, as a pack has it."""

    row: bytes
    hash: str
    entry: Entry  # with the events that are shown
    is_whole: bool


# Making


def disclosed(data: bytes, entry: Entry, session: str) -> bytes:
    """What a session may see of an entry: the bytes as they are where it names nobody else."""
    others = sessions_of(entry) - {session}
    if not others:
        return data
    places = list(_places(entry, session))
    if places and entry.by not in others:
        places.insert(0, 0)
    header, shown = shown_parts(data, places)
    return canonical(Disclosed(header=msgspec.Raw(header), parts=shown))


def _places(entry: Entry, session: str) -> Iterator[int]:
    """Of the events that name nobody else, and of the session's lines, which stand behind them."""
    place = 1  # after the origin
    for event in entry.events:
        lines = event.lines if isinstance(event, e.Reckoning) else ()
        named = named_in(event) - {line.session for line in lines}
        if named <= {session}:
            yield place
        place += 1
        for line in lines:
            if line.session == session:
                yield place
            place += 1


# Reading


def read_row(row: bytes, *, stream: str, seq: int) -> Link:
    """A line of entries-*.jsonl: an entry, or what is shown of it, each part proven to be in it."""
    if row.startswith(b"["):
        entry = read_with(_table.read, row, stream=stream, seq=seq).entry
        return Link(row, entry_hash(row), entry, is_whole=True)
    try:
        found = msgspec.json.decode(row, type=Disclosed)
        if canonical(msgspec.json.decode(row)) != row:
            raise Fault("is not written in canonical bytes")
        return _link(row, found)
    except Fault as fault:
        raise Fault(fault.reason, stream=stream, seq=seq) from None
    except (*UNREADABLE, KeyError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None


def _link(row: bytes, found: Disclosed) -> Link:
    raw = bytes(found.header)
    header = msgspec.json.decode(raw, type=Header)
    shown = {part.place: bytes(part.part) for part in found.parts}
    if [part.place for part in found.parts] != sorted(shown):
        raise Fault("shows its parts out of order")
    for part in found.parts:
        verify_part(part, header)
    first = shown.pop(0, None)
    origin = NOBODY if first is None else read_origin(first)
    events = events_of(list(shown.values()))
    if len(parts_of(events)) != len(shown):
        raise Fault("shows lines that are no parts of it")
    return Link(row, hash_of(raw), entry_of(header, origin, "", events), is_whole=False)


def events_of(parts: list[bytes]) -> tuple[e.Event, ...]:
    """The events of a table's parts, each with those of its lines that are among them."""
    return tuple(_table.events(parts))
