"""Commits on SQLite: after an error, whether the transaction is known not to be stored.

A full disk is known: SQLite rolls back, and nothing of the transaction is in the file. After any
other I/O error the frames may be in the write-ahead log, and the next process to open the file
would replay them. Only that process can tell, so the one that met the error must stop.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import suppress

from puntobanco_floor.store.errors import BadDatabase, InDoubt, first_line

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
