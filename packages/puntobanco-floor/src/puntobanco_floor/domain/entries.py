"""Entries with all kinds of events: one by one, or as a chain in which each is checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from puntobanco_floor.domain.entry import Decode, Decoder, Entry, read_with
from puntobanco_floor.domain.events import EVENTS
from puntobanco_proof.entry.format import NOTHING, VERSION, Fault, Row

__all__ = ["Chain", "Decode", "Entry", "chained", "read_entry"]

Chain: TypeAlias = Iterator[tuple[Entry, str]]
"""Entries with their hashes, each checked against the one before."""


_ours = Decoder(EVENTS).read


def read_entry(data: bytes, *, stream: str = "", seq: int = 0, decode: Decode = _ours) -> Entry:
    return read_with(decode, data, stream=stream, seq=seq).entry


def _is_linked(entry: Entry, head: str) -> bool:
    return entry.prev == head


def chained(
    rows: Iterable[Row],
    stream: str,
    *,
    seq: int = 0,
    head: str = NOTHING,
    at: int = 0,
    epoch: int = 1,
    decode: Decode = _ours,
) -> Chain:
    """Yield entries and hashes from after `seq`, whose hash is `head`."""
    for numbered, data in rows:
        seq += 1
        if numbered != seq:
            raise Fault(f"is missing; the next one is {numbered}", stream=stream, seq=seq)
        entry, hash_ = read_with(decode, data, stream=stream, seq=seq)
        if entry.v != VERSION:
            raise Fault(
                f"is of version {entry.v}; this program reads version {VERSION}",
                stream=stream,
                seq=seq,
            )
        if (entry.stream, entry.seq) != (stream, seq):
            raise Fault(f"says that it is {entry.stream} entry {entry.seq}", stream=stream, seq=seq)
        if not _is_linked(entry, head):
            raise Fault("does not follow from the entry before it", stream=stream, seq=seq)
        if entry.at < at:
            raise Fault("is earlier than the entry before it", stream=stream, seq=seq)
        if not entry.events:
            raise Fault("holds no event", stream=stream, seq=seq)
        if entry.epoch < epoch:
            raise Fault("is of an earlier epoch than the entry before it", stream=stream, seq=seq)
        head, at, epoch = hash_, entry.at, entry.epoch
        yield entry, head
