"""What the store on SQLite reads of single rows; SQLite takes any value in any column."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from puntobanco_floor.store import sqlite_sql as sql
from puntobanco_floor.store.batch import Given, Reply, Request, Stream
from puntobanco_floor.store.idempotency import answered_by, kept_answer, looked, may_have_answered
from puntobanco_proof.entry.format import Fault, entry_hash, header_of
from puntobanco_proof.entry.heads import Head

if TYPE_CHECKING:
    from puntobanco_floor.domain.machine import State


def standing(db: sqlite3.Connection) -> dict[str, int]:
    """The last entry of each stream; a row whose number somebody made a text is none."""
    rows = db.execute(sql.STREAMS).fetchall()
    return {name: seq for name, seq in rows if isinstance(seq, int)}


def last_head(db: sqlite3.Connection, stream: str) -> Head | None:
    row = db.execute(sql.LAST_HEAD, (stream,)).fetchone()
    return row and Head(*row)


def entry_at(db: sqlite3.Connection, stream: str, seq: int) -> bytes | None:
    wanted = "SELECT data FROM entries WHERE stream = ? AND seq = ?"
    for (data,) in db.execute(wanted, (stream, seq)):
        return bytes(data) if isinstance(data, bytes) else str(data).encode()
    return None


def head_of(db: sqlite3.Connection, stream: str, seq: int) -> Head | None:
    """The first signed head that covers an entry."""
    row = db.execute(sql.HEAD_OF, (stream, seq)).fetchone()
    return row and Head(*row)


def given(
    db: sqlite3.Connection, stream: Stream[State], requests: Sequence[Request]
) -> Given | None:
    """Answers that were stored before, where they are read."""
    if not may_have_answered(stream, requests):
        return None
    found = dict[tuple[str, str], tuple[bytes, Reply]]()
    name = stream.name
    for by, id_ in {request.key for request in requests}:
        for body, kept in db.execute(sql.GIVEN, (name, by, id_)).fetchall():
            seq = answered_by(kept)
            entry, head = entry_at(db, name, seq), head_of(db, name, seq)
            found[by, id_] = (body, kept_answer(by, id_, kept, entry, head))
    return looked(stream, found)


def hash_at(db: sqlite3.Connection, stream: str, seq: int) -> str | None:
    """The hash of an entry as it stands in the database."""
    data = entry_at(db, stream, seq)
    return None if data is None else entry_hash(data)


def time_of(db: sqlite3.Connection, known: Head) -> int:
    """The time of an entry that this node knows, 0 where it is not there: the row of its stream
    could say anything.
    """
    with suppress(Fault):
        data = entry_at(db, known.stream, known.seq)
        header, hash_ = header_of(data or b"")
        if hash_ == known.hash:
            return header.at
    return 0
