"""Entries shown in part: which parts of an entry a reader may see, and the check of what is shown.

Receipts and dispute packs show entries by these rules. A part comes with its salt, its place and a
Merkle proof: it leads to the root in the header, and the header's hash leads to a signed head. The
parts that stay hidden cannot be guessed, since each is salted.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec
from immutables import Map

import puntobanco_floor.domain.table.events as e
from puntobanco_floor.domain.entry import Decoder, Entry, entry_of, parts_of, read_with
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.journal.signing import Trust
from puntobanco_proof.entry.format import (
    NOTHING,
    UNREADABLE,
    Fault,
    Header,
    Origin,
    Part,
    canonical,
    decode_origin,
    disclose_parts,
    hash_bytes,
    hash_entry,
    verify_part,
)
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.entry.record import Record

_table = Decoder(e.TABLE_EVENTS)
_HIDDEN = Origin(by="", command="", id="")

# Choosing


class Piece(NamedTuple):
    """A part of an entry: an event without its lines, or one patron's line of it."""

    place: int
    event: e.Event
    line: e.Line | None


def list_pieces(entry: Entry) -> Iterator[Piece]:
    """All parts but the first, which says who gave the command."""
    place = 1
    for event in entry.events:
        yield Piece(place, event, None)
        place += 1
        apart = event.traits.apart
        for member in getattr(event, apart) if apart else ():
            line = member.line if isinstance(member, e.Recovery) else member
            yield Piece(place, event, line)
            place += 1


def sessions_of(entry: Entry) -> set[str]:
    """Every session that an entry names."""
    return {session for event in entry.events for session in named_in(event)}


def named_in(event: e.Event) -> set[str]:
    """Every session that an event names."""
    # of a proposal that names no session it is not known whom it is about: nobody's to see
    if event.traits.group == "decisions" and getattr(event, "session", None) == "":
        return event.sessions() | {""}
    return event.sessions()


def named_by(piece: Piece) -> set[str]:
    """Every session that this part of its entry names."""
    event, line = piece.event, piece.line
    if line is not None:
        return {line.session}
    apart = {each.session for each in event.lines} if isinstance(event, e.Reckoning) else set()
    return named_in(event) - apart


def may_see(piece: Piece, session: str) -> bool:
    """Whether a part names no session but this one."""
    return named_by(piece) <= {session}


# Showing


class Disclosed(Record):
    """An entry of which not all is shown."""

    header: msgspec.Raw  # its bytes as they were hashed
    parts: list[Part]


def row_for(session: str, data: bytes, entry: Entry) -> bytes:
    """Write an entry as this session may see it: whole, where it names no other."""
    others = sessions_of(entry) - {session}
    if not others:
        return data
    places = [piece.place for piece in list_pieces(entry) if may_see(piece, session)]
    if places and entry.by not in others:
        places.insert(0, 0)
    header, parts = disclose_parts(data, places)
    return canonical(Disclosed(header=msgspec.Raw(header), parts=parts))


# Reading and checking


class Link(NamedTuple):
    """An entry in a chain, as far as it is shown."""

    row: bytes
    hash: str
    entry: Entry  # with the events that are shown
    is_whole: bool
    is_anchored: bool = False  # a signed head holds it: its own, or one of a later entry


class Run(NamedTuple):
    """Entries in a row, each whole or in part; `prev` is the hash before the first."""

    first: int
    prev: str
    rows: Sequence[bytes]


def verify_entries(
    stream: str,
    runs: Iterable[Run],
    heads: Iterable[Head],
    trust: Trust,
    keys: Map[str, Admitted],
) -> list[list[Link]]:
    """Return the entries of each run. Raise a fault unless a node's key that counts has signed each
    head, each part is in its entry, each entry follows from the one before it, and the signed
    entries are those that are shown.
    """
    signed = dict[int, Head]()
    for head in heads:
        trust.verify(head, keys)
        if head.stream != stream:
            raise Fault(f"is a head of {head.stream}", stream=stream, seq=head.seq)
        signed[head.seq] = head
    return [_verify_run(stream, run, signed) for run in runs]


def _verify_run(stream: str, run: Run, signed: dict[int, Head]) -> list[Link]:
    if run.first == 1 and run.prev != NOTHING:
        raise Fault("does not begin with nothing", stream=stream, seq=1)
    _match_head(signed, run.first - 1, run.prev, stream)
    links, before = list[Link](), run.prev
    for seq, row in enumerate(run.rows, run.first):
        link = read_row(row, stream=stream, seq=seq)
        entry = link.entry
        if (entry.stream, entry.seq) != (stream, seq):
            raise Fault(f"says that it is {entry.stream} entry {entry.seq}", stream=stream, seq=seq)
        if entry.prev != before:
            raise Fault("does not follow from the entry before it", stream=stream, seq=seq)
        is_signed = _match_head(signed, seq, link.hash, stream)
        if is_signed and signed[seq].epoch != entry.epoch:
            raise Fault("is signed for another epoch", stream=stream, seq=seq)
        links.append(link._replace(is_anchored=is_signed))
        before = link.hash
    end = max((place for place, link in enumerate(links) if link.is_anchored), default=-1)
    return [link._replace(is_anchored=place <= end) for place, link in enumerate(links)]


def _match_head(signed: dict[int, Head], seq: int, hash_: str, stream: str) -> bool:
    """Whether a head signs this entry; raises a fault where it signs another one."""
    if seq in signed and signed[seq].hash != hash_:
        raise Fault("is not the entry that was signed", stream=stream, seq=seq)
    return seq in signed


def read_row(row: bytes, *, stream: str, seq: int) -> Link:
    """Read an entry, or the parts of it that are shown, each proven to be in it."""
    if row.startswith(b"["):
        entry = read_with(_table.read, row, stream=stream, seq=seq).entry
        return Link(row, hash_entry(row), entry, is_whole=True)
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
    origin = _HIDDEN if first is None else decode_origin(first)
    events = tuple(_table.events(list(shown.values())))
    if len(parts_of(events)) != len(shown):
        raise Fault("shows lines that are no parts of it")
    return Link(row, hash_bytes(raw), entry_of(header, origin, "", events), is_whole=False)


def event_in(part: bytes) -> e.Event:
    """Read a part that is an event of a table."""
    (event,) = _table.events([part])
    return event
