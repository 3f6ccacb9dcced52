"""One transaction on SQLite: its statements, what it reads and writes, and how it commits.

After an error in COMMIT it says whether the transaction is known not to be stored. A full disk is
known: SQLite rolls back, and nothing of the transaction is in the file. After any other I/O error
the frames may be in the write-ahead log, and the next process to open the file would replay them.
Only that process can tell, so the one that met the error must stop.

SQLite takes any value in any column: what is read of single rows is checked.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from itertools import chain

from msgspec.structs import astuple
from sqlalchemy import Table
from sqlalchemy.dialects import sqlite as dialect

from puntobanco_floor.domain.machine import State
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.sealed_shoes import seal
from puntobanco_floor.store import schema
from puntobanco_floor.store.batch import (
    Batch,
    Given,
    Reply,
    Request,
    Stream,
    ToWrite,
    answered_by,
    kept_answer,
)
from puntobanco_floor.store.errors import AskedBefore, BadDatabase, InDoubt, first_line
from puntobanco_proof.entry.format import Fault, hash_entry, read_header
from puntobanco_proof.entry.heads import Head

AT_ONCE = 16
"""Rows of one statement: a row by itself costs half as much again, and more at once gain little."""


def _insert(table: Table, *, replace: bool = False) -> str:
    sql = str(table.insert().compile(dialect=dialect.dialect(paramstyle="qmark")))
    return sql.replace("INSERT", "INSERT OR REPLACE", 1) if replace else sql


def _as_sqlite(sql: str) -> str:
    """Write the parameters of a statement, which are in order, as SQLite has them."""
    return re.sub(r"\$\d", "?", sql)


ENTRIES_AFTER, ENTRIES_UPTO = _as_sqlite(schema.ENTRIES_AFTER), _as_sqlite(schema.ENTRIES_UPTO)
ENTRY_DATA, LAST_SNAPSHOT = _as_sqlite(schema.ENTRY_DATA), _as_sqlite(schema.LAST_SNAPSHOT)
LAST_HEAD, HEAD_OF = _as_sqlite(schema.LAST_HEAD), _as_sqlite(schema.HEAD_OF)
ISSUED, REDEEMED = _as_sqlite(schema.ISSUED), _as_sqlite(schema.REDEEMED)
SEALED_AGAIN, FORGET = _as_sqlite(schema.SEALED_AGAIN), _as_sqlite(schema.FORGET)
ENTRY, TRANSFER = _insert(schema.entries), _insert(schema.transfers)
ANSWER = _insert(schema.answers)
GIVEN = "SELECT body, answer FROM answers WHERE stream = ? AND asked_by = ? AND command_id = ?"
# a name is a text, whatever else somebody has put there
STREAMS = "SELECT stream, seq FROM streams WHERE typeof(stream) = 'text'"
# not REPLACE, which takes the row away first: this one changes it where it lies
BALANCE = f"{_insert(schema.balances)} ON CONFLICT DO UPDATE SET cents = excluded.cents"
STREAM = _insert(schema.streams, replace=True)
SNAPSHOT, SEALED = _insert(schema.snapshots), _insert(schema.sealed)
HEAD = "INSERT INTO heads (stream, epoch, seq, hash, key, signature) VALUES (?, ?, ?, ?, ?, ?)"
VOUCHER = (
    "SELECT cents, expires_at, issued_stream, issued_seq, redeemed_seq IS NOT NULL FROM vouchers "
    "WHERE voucher = ?"
)


@cache
def _at_once(statement: str) -> str:
    before, _, after = statement.partition("VALUES ")
    row, end, rest = after.partition(")")
    rows = ", ".join([row + end] * AT_ONCE)
    return f"{before}VALUES {rows}{rest}"


def put(db: sqlite3.Connection, statement: str, rows: Sequence[tuple[object, ...]]) -> None:
    together = len(rows) - len(rows) % AT_ONCE
    for first in range(0, together, AT_ONCE):
        some = rows[first : first + AT_ONCE]
        db.execute(_at_once(statement), list(chain.from_iterable(some)))
    db.executemany(statement, rows[together:])


# Reads


def standing(db: sqlite3.Connection) -> dict[str, int]:
    """The last entry of each stream; a row whose number somebody made a text is none."""
    rows = db.execute(STREAMS).fetchall()
    return {name: seq for name, seq in rows if isinstance(seq, int)}


def last_head(db: sqlite3.Connection, stream: str) -> Head | None:
    row = db.execute(LAST_HEAD, (stream,)).fetchone()
    return row and Head(*row)


def entry_at(db: sqlite3.Connection, stream: str, seq: int) -> bytes | None:
    for (data,) in db.execute(ENTRY_DATA, (stream, seq)):
        return bytes(data) if isinstance(data, bytes) else str(data).encode()
    return None


def head_of(db: sqlite3.Connection, stream: str, seq: int) -> Head | None:
    """The first signed head that covers an entry."""
    row = db.execute(HEAD_OF, (stream, seq)).fetchone()
    return row and Head(*row)


def given(
    db: sqlite3.Connection, stream: Stream[State], requests: Sequence[Request]
) -> Given | None:
    """Answers that were stored before, where they are read."""
    if not stream.may_have_answered(requests):
        return None
    found = dict[tuple[str, str], tuple[bytes, Reply]]()
    name = stream.name
    for by, id_ in {request.key for request in requests}:
        for body, kept in db.execute(GIVEN, (name, by, id_)).fetchall():
            seq = answered_by(kept)
            entry, head = entry_at(db, name, seq), head_of(db, name, seq)
            found[by, id_] = (body, kept_answer(by, id_, kept, entry, head))
    return stream.note_answers(found)


def hash_at(db: sqlite3.Connection, stream: str, seq: int) -> str | None:
    data = entry_at(db, stream, seq)
    return None if data is None else hash_entry(data)


def time_of(db: sqlite3.Connection, known: Head) -> int:
    """The time of an entry that this node knows; 0 if it is not there. Rows are not trusted."""
    with suppress(Fault):
        data = entry_at(db, known.stream, known.seq)
        header, hash_ = read_header(data or b"")
        if hash_ == known.hash:
            return header.at
    return 0


# Writes


def write(
    db: sqlite3.Connection,
    batch: Batch[State],
    written: ToWrite,
    ring: KeyRing,
    point: Callable[[str], object],
) -> None:
    """Write a batch into the open transaction: answers, entries, money, cards, signed heads."""
    name = batch.stream.name
    if written.answers:
        try:
            put(db, ANSWER, written.answers)
        except sqlite3.IntegrityError as error:
            raise AskedBefore from error
        if written.forgotten:
            db.execute(FORGET, (name, written.forgotten))
        point("answers")
    if not written.entries:
        return
    put(db, ENTRY, written.entries)
    point("entries")
    put(db, TRANSFER, written.transfers)
    changed = batch.balances
    balances = [(name, account, cents) for account, cents in changed.items() if cents]
    put(db, BALANCE, balances)
    db.executemany(
        "DELETE FROM balances WHERE stream = ? AND account = ?",
        [(name, a) for a, cents in changed.items() if not cents],
    )
    point("money")
    db.executemany(
        ISSUED,
        [(v, cents, expires, name, seq) for v, cents, expires, seq in written.issued],
    )
    for voucher, seq in written.redeemed:
        if db.execute(REDEEMED, (name, seq, voucher)).rowcount != 1:
            raise sqlite3.IntegrityError(f"voucher {voucher} was redeemed before")
    for place, order in written.sealed:
        sealed = seal(order, ring, place=place)
        db.execute(SEALED, (name, place, *astuple(sealed)))
    db.executemany(
        "DELETE FROM sealed WHERE stream = ? AND place = ?",
        [(name, place) for place in written.opened],
    )
    db.executemany(SNAPSHOT, [(name, *row) for row in written.snapshots])
    db.executemany(HEAD, map(astuple, batch.sign()))
    db.execute(STREAM, (name, batch.state.seq, batch.head, batch.state.at, batch.due_at))
    point("head")


# Commits

ROLLED_BACK = (sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY)
"""Primary error codes of a COMMIT that stored nothing."""


DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def is_damage(error: BaseException) -> bool:
    """Whether SQLite found a page that is not what it wrote."""
    return _primary_code(error) in DAMAGED


def _primary_code(error: BaseException) -> int:
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF


def commit(db: sqlite3.Connection, heads: Mapping[str, int]) -> None:
    """Commit the open transaction. `heads` is the last entry of each stream before it.

    Raises SQLite's own error if nothing was stored, and `InDoubt` if that is not known.
    """
    try:
        db.execute("COMMIT")
    except Exception as error:  # MemoryError among them
        if _is_rolled_back(db, error, heads):
            raise
        raise InDoubt from error


def _is_rolled_back(db: sqlite3.Connection, error: Exception, heads: Mapping[str, int]) -> bool:
    """Check that the error is one that stores nothing, and that every head is where it was."""
    if _primary_code(error) not in ROLLED_BACK:
        return False
    try:
        if db.in_transaction:
            db.execute("ROLLBACK")
        stored = dict(db.execute("SELECT stream, seq FROM streams").fetchall())
    except sqlite3.Error:
        return False
    return all(stored.get(stream, 0) == seq for stream, seq in heads.items())


def probe(db: sqlite3.Connection) -> None:
    """Write one page without changing it: raises SQLite's error while the disk takes nothing."""
    db.execute("BEGIN IMMEDIATE")
    try:
        [[version]] = db.execute("PRAGMA user_version")
        db.execute(f"PRAGMA user_version = {version}")
        commit(db, {})
    finally:
        with suppress(sqlite3.Error):
            if db.in_transaction:
                db.execute("ROLLBACK")


def copy_log_to_database(db: sqlite3.Connection) -> None:
    """Copy the write-ahead log into the database file and sync it.

    If the last process stopped after a failed fsync, part of the log may exist only in the memory
    of the operating system. What this process reads there must not be lost later.
    """
    try:
        db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    except sqlite3.Error as error:
        if _primary_code(error) == sqlite3.SQLITE_FULL:
            return  # nothing is in doubt; writes are refused until there is space
        raise BadDatabase(
            f"cannot write the database file: {first_line(error)}; check the disk, then start again"
        ) from None
