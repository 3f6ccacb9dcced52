"""Answers that were stored before, held against the journal: the table of answers alone decides
nothing.
"""

from __future__ import annotations

import msgspec
from msgspec.structs import replace

from puntobanco.journal import Fault, Head, origin_of
from puntobanco.storage.batch import Reply, read_answer
from puntobanco.storage.errors import NotStored

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
