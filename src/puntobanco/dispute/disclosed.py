"""Partial disclosure: of an entry that names other patrons, its header and the parts that do not.

A part comes with its salt, its place and a Merkle proof: it leads to the root in the header, and
the header's hash leads to a signed head. What stays hidden cannot be guessed, since it is salted.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

import puntobanco.events as e
from puntobanco import merkle
from puntobanco.dispute.facts import named_in, sessions_of
from puntobanco.events import Record
from puntobanco.journal import (
    SALT_BYTES,
    UNREADABLE,
    Entry,
    Fault,
    Header,
    Origin,
    canonical,
    entry_hash,
    entry_of,
    events_of,
    hash_of,
    leaves_of,
    parts_of,
    pieces_of,
    read_entry,
    read_origin,
    salt_of,
)

HASH_BYTES = 32
NOBODY = Origin(by="", command="", id="")
"""For a origin that is not shown."""


class Part(Record):
    """Who gave the command, an event without its lines, or one line of it."""

    part: msgspec.Raw  # its bytes as they were hashed
    place: int  # among the parts of its entry, from 0
    proof: list[str]  # the hashes beside the way to the root, the lowest first
    salt: str


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
    header, salt, parts = pieces_of(data)
    leaves = leaves_of(salt, parts)
    places = list(_places(entry, session))
    if places and entry.by not in others:
        places.insert(0, 0)
    shown = list[Part]()
    for place in places:
        proof = [hash_.hex() for hash_ in merkle.proof(leaves, place)]
        part = msgspec.Raw(parts[place])
        shown.append(Part(part=part, place=place, proof=proof, salt=salt_of(salt, place)))
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
        entry = read_entry(row, stream=stream, seq=seq)
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
        _verify(part, header)
    first = shown.pop(0, None)
    origin = NOBODY if first is None else read_origin(first)
    events = events_of(list(shown.values()))
    if len(parts_of(events)) != len(shown):
        raise Fault("shows lines that are no parts of it")
    return Link(row, hash_of(raw), entry_of(header, origin, "", events), is_whole=False)


def _verify(part: Part, header: Header) -> None:
    leaf = merkle.leaf(_bytes(part.salt, SALT_BYTES) + bytes(part.part))
    beside = [_bytes(hash_, HASH_BYTES) for hash_ in part.proof]
    root = merkle.root_by(leaf, part.place, header.size, beside)
    if root is None or root.hex() != header.root:
        raise Fault(f"part {part.place} is not in it")


def _bytes(text: str, length: int) -> bytes:
    """From hexadecimal; there is one way to write it."""
    found = bytes.fromhex(text)
    if found.hex() != text or len(found) != length:
        raise Fault(f"has {text:.40} where {length} bytes belong")
    return found
