"""What the store on SQLite reads of single rows; SQLite takes any value in any column."""

from __future__ import annotations

import sqlite3
from contextlib import suppress

from puntobanco import journal
from puntobanco.storage import sqlite_sql as sql


def standing(db: sqlite3.Connection) -> dict[str, int]:
    """The last entry of each stream; a row whose number somebody made a text is none."""
    rows = db.execute(sql.STREAMS).fetchall()
    return {name: seq for name, seq in rows if isinstance(seq, int)}


def last_head(db: sqlite3.Connection, stream: str) -> journal.Head | None:
    row = db.execute(sql.LAST_HEAD, (stream,)).fetchone()
    return row and journal.Head(*row)


def entry_at(db: sqlite3.Connection, stream: str, seq: int) -> bytes | None:
    wanted = "SELECT data FROM entries WHERE stream = ? AND seq = ?"
    for (data,) in db.execute(wanted, (stream, seq)):
        return bytes(data) if isinstance(data, bytes) else str(data).encode()
    return None


def hash_at(db: sqlite3.Connection, stream: str, seq: int) -> str | None:
    """The hash of an entry as it stands in the database."""
    data = entry_at(db, stream, seq)
    return None if data is None else journal.entry_hash(data)


def time_of(db: sqlite3.Connection, known: journal.Head) -> int:
    """The time of an entry that this node knows, 0 where it is not there: the row of its stream
    could say anything.
    """
    with suppress(journal.Fault):
        data = entry_at(db, known.stream, known.seq)
        header, hash_ = journal.header_of(data or b"")
        if hash_ == known.hash:
            return header.at
    return 0
