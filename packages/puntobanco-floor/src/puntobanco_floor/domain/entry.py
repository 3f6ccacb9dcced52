"""One entry of the journal: its parts, its bytes, and how it is read.

An entry is one accepted command: who, when, under which rules, and the events that followed. Its
bytes are one line of JSON, `[header,salt,part,part,...]`. The first part is who gave which command;
each other one is an event, or one patron's line of the event before it, so that a receipt can show
one line alone. The header holds the Merkle root of the parts; the hash of an entry is the SHA-256
of its header's bytes, and the next entry holds it. Specification: docs/reference/journal-format.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from puntobanco_floor.domain.event import Event
from puntobanco_proof.entry.format import (
    NOT_CANONICAL,
    NOT_ITS_PARTS,
    UNREADABLE,
    VERSION,
    Fault,
    Header,
    Origin,
    WrittenHeader,
    decode_origin,
    hash_bytes,
    hash_parts,
    is_salt,
    join_pieces,
    split_entry,
)
from puntobanco_proof.entry.record import Record
from puntobanco_proof.tree import merkle


class Entry(Record):
    stream: str
    epoch: int  # from 1; another one after every recovery
    seq: int  # from 1
    at: int  # milliseconds; never less than the entry before
    by: str
    command: str  # the command's name
    id: str  # that its sender gave it; nothing for what the clock or the store did
    rules: str  # the rulebook and its version, as the table plays it
    prev: str
    salt: str  # random: what is hashed cannot be guessed from its hash
    events: tuple[Event, ...]
    v: int = VERSION


NEWER = (
    "a newer program may have written it: bring this node to the newest release that any node has, "
    "and only where it fails there too run `puntobanco audit` and `puntobanco journal set-aside`"
)
"""What to do with an entry that is whole, and holds what this program does not know."""


_encode = msgspec.json.Encoder(order="sorted").encode
_encode_ordered = msgspec.json.Encoder().encode  # what stands in order: half the time
_written_header = msgspec.json.Decoder(WrittenHeader).decode


class Written(NamedTuple):
    data: bytes
    hash: str


class Read(NamedTuple):
    entry: Entry
    hash: str


Decode: TypeAlias = Callable[[bytes], Read]


def parts_of(events: Iterable[Event]) -> list[bytes]:
    """Return what the hash covers besides the origin: events, and each patron's line."""
    parts: list[bytes] = []
    for event in events:
        apart = event.traits.apart
        if not apart:
            parts.append(_encode(event))
            continue
        parts.append(_encode(msgspec.structs.replace(event, **{apart: ()})))
        parts += map(_encode, getattr(event, apart))
    return parts


def write_entry(entry: Entry) -> Written:
    return Written(*written(entry))


def written(entry: Entry) -> tuple[bytes, str]:
    """The same without names for the two, which cost more than a hash; for every wager."""
    parts = [_encode_ordered(Origin(entry.by, entry.command, entry.id)), *parts_of(entry.events)]
    root = merkle.compute_root(hash_parts(entry.salt, parts)).hex()
    # by place: names cost more than the fields, on the way of every wager
    place = entry.rules, entry.seq, len(parts), entry.stream, entry.v
    header = _encode_ordered(WrittenHeader(entry.at, entry.epoch, entry.prev, root, *place))
    return join_pieces(header, entry.salt, parts), hash_bytes(header)


def entry_of(
    header: Header | WrittenHeader, origin: Origin, salt: str, events: tuple[Event, ...]
) -> Entry:
    # by place: names cost more than the fields
    place = header.stream, header.epoch, header.seq, header.at
    asked = origin.by, origin.command, origin.id
    return Entry(*place, *asked, header.rules, header.prev, salt, events, header.v)


class Decoder:
    """Reads entries, and parts of them, that hold events of these kinds."""

    def __init__(self, kinds: Iterable[type[Event]]) -> None:
        kinds = tuple(kinds)
        union: type[Event] = kinds[0]
        for kind in kinds[1:]:
            union |= kind  # type: ignore[assignment]
        self._event = msgspec.json.Decoder(union).decode
        whole = tuple[WrittenHeader, str, Origin, union]  # type: ignore[valid-type]
        self._whole = msgspec.json.Decoder(whole).decode
        self._lines = dict[type[Event], Callable[[bytes], tuple[object, ...]]]()
        for kind in kinds:
            if kind.traits.apart:
                fields = {field.name: field.type for field in msgspec.structs.fields(kind)}
                self._lines[kind] = msgspec.json.Decoder(fields[kind.traits.apart]).decode

    def read(self, data: bytes) -> Read:
        return self._of_one_event(data) or self._of_any(data)

    def _of_one_event(self, data: bytes) -> Read | None:
        """Read an entry of one event without lines, as nearly all are; None for any other."""
        try:
            header, salt, origin, event = self._whole(data)
        except UNREADABLE:
            return None
        if event.traits.apart:
            return None
        parts = [_encode_ordered(origin), _encode(event)]
        header_raw = _encode_ordered(header)
        if join_pieces(header_raw, salt, parts) != data or not is_salt(salt):
            return None
        if not _is_root_of(header, merkle.compute_root(hash_parts(salt, parts)).hex(), 2):
            raise Fault(NOT_ITS_PARTS)
        return Read(entry_of(header, origin, salt, (event,)), hash_bytes(header_raw))

    def _of_any(self, data: bytes) -> Read:
        header_raw, salt, raws = split_entry(data)
        header = _written_header(header_raw)
        root = merkle.compute_root(hash_parts(salt, raws)).hex()
        if not _is_root_of(header, root, len(raws)):
            raise Fault(NOT_ITS_PARTS)
        origin = decode_origin(raws[0])
        events = tuple(self.events(raws[1:]))
        # written again, all of it: there is one way to write an entry
        parts = [_encode_ordered(origin), *parts_of(events)]
        again = join_pieces(_encode_ordered(header), salt, parts)
        if not is_salt(salt) or not (again == data or _is_sorted(data)):
            raise Fault(NOT_CANONICAL)
        return Read(entry_of(header, origin, salt, events), hash_bytes(header_raw))

    def events(self, raws: Sequence[bytes]) -> Iterator[Event]:
        """An event, and behind it its lines, which are arrays."""
        place = 0
        while place < len(raws):
            event = self._event(raws[place])
            if event.traits.apart and getattr(event, event.traits.apart):
                raise Fault(NOT_CANONICAL)  # its lines belong in parts of their own
            place += 1
            end = place
            while end < len(raws) and raws[end].startswith(b"["):
                end += 1
            if end > place:
                lines = self._lines[type(event)](b"[" + b",".join(raws[place:end]) + b"]")
                event = msgspec.structs.replace(event, **{event.traits.apart: lines})
                place = end
            yield event


def read_with(decode: Decode, data: bytes, *, stream: str = "", seq: int = 0) -> Read:
    """The entry that these bytes are, and its hash; raises a fault where they are none."""
    try:
        return decode(data)
    except Fault as fault:
        raise Fault(fault.reason, stream=stream, seq=seq) from None
    except msgspec.ValidationError as error:  # JSON, but of a kind or with a field unknown here
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq, advice=NEWER) from error
    except Exception as error:  # whatever forged bytes do to a decoder
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from error


def _is_sorted(data: bytes) -> bool:
    """Return whether the bytes lack only fields that came later: an earlier program wrote them."""
    return _encode(msgspec.json.decode(data)) == data


def _is_root_of(header: Header | WrittenHeader, root: str, size: int) -> bool:
    return (header.root, header.size) == (root, size)
