"""The chain of a stream by its headers, up to a head that a node has signed: what the log takes.

The parts of entries are not read, but for those that admit or retire a node's key: the hash of an
entry is the hash of its header.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from hashlib import sha256
from typing import NamedTuple

import msgspec
from immutables import Map

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.definitions import Definitions
from puntobanco_floor.domain.node_keys import Admitted, keys_after
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.batch import is_sealed_by
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry.format import NOTHING, VERSION, Fault, Row, read_header
from puntobanco_proof.entry.heads import Head

_OF_KEYS = tuple(f'"{kind.__name__}"'.encode() for kind in (e.KeyAdmitted, e.KeyRetired))
_OF_A_KEY = b'"Key'
"""The beginning of them all."""

_EPOCH = len('[{"at":1000000000000')
"""Where it stands in an entry of this century; one that is not written so is decoded."""

_PREV = _EPOCH + len(',"epoch":1,"prev":"')


class Cursor(NamedTuple):
    """An entry of a stream: its hash, and the nodes' keys after it."""

    stream: str
    epoch: int = 1
    seq: int = 0
    hash: str = NOTHING
    keys: Map[str, Admitted] = Map()


def follow(cursor: Cursor, rows: Iterable[Row], definitions: Definitions) -> Iterator[Cursor]:
    """Each entry after it; raises a fault where one does not follow from the one before."""
    stream, epoch, seq, before, keys = cursor
    for numbered, data in rows:
        seq += 1
        header, hash_ = read_header(data, stream=stream, seq=seq)
        if (numbered, header.seq, header.stream) != (seq, seq, stream):
            raise Fault("is missing, or another stands there", stream=stream, seq=seq)
        if header.prev != before or header.epoch < epoch:
            raise Fault("does not follow from the entry before it", stream=stream, seq=seq)
        if any(kind in data for kind in _OF_KEYS):
            entry = definitions.read(data, stream=stream, seq=seq)
            keys = keys_after(keys, entry)
        epoch, before = header.epoch, hash_
        yield Cursor(stream, epoch, seq, before, keys)


class Run(NamedTuple):
    """Entries of one epoch, one after the other, by their hashes."""

    epoch: int
    first: int
    hashes: list[str]


def runs(cursor: Cursor, rows: Iterable[Row], definitions: Definitions) -> tuple[list[Run], Cursor]:
    """All entries after it, as `follow` gives them, and the last one; most by their bytes alone."""
    found, left = list[Run](), iter(rows)
    while True:
        hashes, odd = _plain(cursor, left)
        if hashes:
            _append(found, cursor.epoch, cursor.seq + 1, hashes)
            cursor = cursor._replace(seq=cursor.seq + len(hashes), hash=hashes[-1])
        if odd is None:
            return found, cursor
        for each in follow(cursor, [odd], definitions):
            _append(found, each.epoch, each.seq, [each.hash])
            cursor = each


def _append(found: list[Run], epoch: int, first: int, hashes: list[str]) -> None:
    if found and found[-1].epoch == epoch:
        found[-1].hashes.extend(hashes)
    else:
        found.append(Run(epoch, first, hashes))


def _plain(cursor: Cursor, rows: Iterator[Row]) -> tuple[list[str], Row | None]:
    """The hashes of the entries that follow from it in its epoch and are of no key; and the first
    entry that is another, or is not written as they all are.

    A header is found by the bytes around it. What is found is the header, or its hash leads to no
    head that a node has signed. No string in it can hold what stands behind it: the quotes of
    strings are escaped.
    """
    before, hashes = cursor.hash.encode(), list[str]()
    named = msgspec.json.encode(cursor.stream)
    behind = b',"stream":%b,"v":%d},"' % (named, VERSION)
    width = len(behind) - len(b',"')
    ahead = b',"epoch":%d,"prev":"' % cursor.epoch
    seq = cursor.seq
    for row in rows:
        numbered, data = row
        seq += 1
        end = data.find(behind, _PREV)
        if end < 0 or numbered != seq or not data.startswith(ahead + before, _EPOCH):
            return hashes, row
        if data.find(_OF_A_KEY, end) >= 0:
            return hashes, row
        hash_ = sha256(data[1 : end + width]).hexdigest()
        hashes.append(hash_)
        before = hash_.encode()
    return hashes, None


def cursor_at(reader: Reader, stream: str, seq: int, known: Cursor | None = None) -> Cursor:
    """Follow the stream up to this entry, from its last snapshot or from where it is known."""
    cursor = _sealed(reader, stream, reader.last_snapshot(stream, upto=seq - 1))
    if known is not None and cursor.seq < known.seq <= seq:
        cursor = known
    rows = reader.entries(stream, after=cursor.seq, upto=seq)
    for each in follow(cursor, rows, reader.definitions):
        cursor = each
    if cursor.seq != seq:
        raise Fault("is missing", stream=stream, seq=seq)
    return cursor


def _sealed(reader: Reader, stream: str, seq: int) -> Cursor:
    """At a snapshot whose hash the journal has; the beginning where this one cannot be used."""
    start = Cursor(stream)
    if not seq:
        return start
    rows = list(reader.entries(stream, after=seq - 1, upto=seq + 1))
    if len(rows) != 2 or not is_sealed_by(reader.snapshot_data(stream, seq), rows[1][1]):
        return start
    before, _ = read_header(rows[0][1], stream=stream, seq=seq)
    after, _ = read_header(rows[1][1], stream=stream, seq=seq + 1)
    try:
        keys = reader.keys_at(stream, seq)
    except (msgspec.MsgspecError, ValueError, TypeError):
        return start
    # what follows must name this hash: the entry that seals it is a part of the chain
    return start if keys is None else Cursor(stream, before.epoch, seq, after.prev, keys)


def first_after_epoch(reader: Reader, stream: str, last: int, epoch: int) -> int:
    """The first entry of a later epoch; one past the last where there is none."""

    def epoch_of(seq: int) -> int:
        for number, data in reader.entries(stream, after=seq - 1, upto=seq):
            return read_header(data, stream=stream, seq=number)[0].epoch
        raise Fault("is missing", stream=stream, seq=seq)

    return 1 + bisect_right(range(1, last + 1), epoch, key=epoch_of)


def verify_head(trust: Trust, head: Head, end: Cursor, seen: Head | None, *, is_last: bool) -> None:
    """Raises a fault unless a node has signed the stream as it stands there."""
    if (head.seq, head.hash, head.epoch) != (end.seq, end.hash, end.epoch):
        raise Fault(
            "is not the entry whose head was signed", stream=end.stream, seq=min(head.seq, end.seq)
        )
    trust.verify(head, end.keys)
    if is_last and not trust.is_current(head, end.keys, seen):
        raise Fault(
            f"is signed with key {head.key}, whose root key was replaced",
            stream=head.stream,
            seq=head.seq,
        )
