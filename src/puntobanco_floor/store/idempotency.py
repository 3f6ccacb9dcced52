"""Answers that were stored before: when they are looked for, and how they are held against the
journal. The table of answers alone decides nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from puntobanco_floor.store.batch import Given, Reply, Request, Stream, read_answer
from puntobanco_floor.store.errors import NotStored
from puntobanco_proof.entry.format import Fault, origin_of
from puntobanco_proof.entry.heads import Head

if TYPE_CHECKING:
    from puntobanco_floor.domain.machine import State

LOOKS_BACK = 100
"""Who sends a refused command again and again makes one batch of so many be decided twice."""

MAX_SEQ = 2**53
"""More entries than any stream has, and a number that every database holds."""


def answered_by(kept: bytes) -> int:
    """The entry that a stored answer names; 0 where somebody made it unreadable."""
    try:
        seq = read_answer(kept).seq
    except (msgspec.MsgspecError, UnicodeDecodeError, TypeError):
        return 0
    return seq if abs(seq) < MAX_SEQ else 0


def kept_answer(by: str, id_: str, kept: bytes, entry: bytes | None, head: Head | None) -> Reply:
    """An answer that was stored before, with the head of its commit. `entry` is what the journal
    has at its number: the table of answers alone decides nothing.
    """
    other = NotStored(f"the answer kept for command {id_} is not what the journal has; ask staff")
    try:
        answer = read_answer(kept)
        written = None if entry is None else origin_of(entry)
    except (Fault, msgspec.MsgspecError, UnicodeDecodeError, TypeError):
        return other
    if not answer.ok:
        return answer
    if written is None or (written.by, written.id) != (by, id_):
        return other
    return replace(answer, head=head)


def may_have_answered(stream: Stream[State], requests: Sequence[Request]) -> bool:
    """Whether answers given before are read. Hardly a command comes twice: one that nobody
    remembers is found by the key of its answer when that is written (`AskedBefore`).
    """
    if stream.looks_back:
        return bool(requests)
    return any(stream.has_done(request.key) for request in requests)


def looked(stream: Stream[State], found: Given) -> Given:
    """After answers were read: for how long that goes on."""
    stream.looks_back = LOOKS_BACK if found else max(0, stream.looks_back - 1)
    return found


def look_back(streams: Mapping[str, Stream[State]], names: Iterable[str]) -> None:
    """Something came again in one of these: the next batch of each reads the answers."""
    for name in names:
        if name in streams:
            streams[name].looks_back = LOOKS_BACK
