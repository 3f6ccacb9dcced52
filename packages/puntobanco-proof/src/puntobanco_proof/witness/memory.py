"""Witness database (SQLite): cosigned checkpoints, mixed shoes and evidence of contradictions.

The witness writes everything to disk before it answers. If it forgot a checkpoint that it cosigned,
it could cosign a contradictory one. For the same reason it never replaces a missing database.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from puntobanco.base.private_files import make_private_database
from puntobanco_proof.witness.identity import MEMORY
from puntobanco_proof.witness.refusals import BadWitness

BUSY_S = 10.0
MAX_EVIDENCE = 1000
"""Keep only the first contradictions; a single one convicts a log."""

_TABLES = """
CREATE TABLE seen (
    origin TEXT PRIMARY KEY, size INTEGER NOT NULL, root BLOB NOT NULL, note TEXT NOT NULL,
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE mixed (
    origin TEXT, stream TEXT, epoch INTEGER, shoe INTEGER, commitment TEXT NOT NULL,
    at INTEGER NOT NULL, PRIMARY KEY (origin, stream, epoch, shoe)
) STRICT;
CREATE TABLE evidence (
    number INTEGER PRIMARY KEY, at INTEGER NOT NULL, origin TEXT NOT NULL, why TEXT NOT NULL,
    shown TEXT NOT NULL, seen TEXT NOT NULL
) STRICT;
PRAGMA user_version = 1;
"""
VERSION = 1


class Seen(NamedTuple):
    """The checkpoint of a log that was cosigned last; `at` is in seconds."""

    size: int
    root: bytes
    note: str
    at: int


class Shoe(NamedTuple):
    """The identity of a shoe."""

    origin: str
    stream: str
    epoch: int
    shoe: int


class Committed(NamedTuple):
    """The first commitment that was mixed for a shoe, and its epoch."""

    epoch: int
    commitment: str


class Memory:
    """One connection that runs one transaction at a time, also among processes."""

    def __init__(self, folder: Path) -> None:
        path = folder / MEMORY
        if not path.is_file():
            raise BadWitness(
                f"the database {path} does not exist: restore its newest backup; if there is none, "
                "retire this witness and create another one with new keys"
            )
        make_private_database(path)  # readable by its owner only
        self._lock = threading.Lock()
        self._database = _connect(path)
        try:
            [[version]] = self._database.execute("PRAGMA user_version")
        except sqlite3.DatabaseError:
            version = 0
        if version != VERSION:
            self._database.close()
            raise BadWitness(
                f"{path} is not a witness database of version {VERSION}; restore its newest backup"
            )

    def close(self) -> None:
        self._database.close()

    # Checkpoints

    def advance(self, origin: str, decide: Callable[[Seen | None], Seen]) -> Seen:
        """Replace the last checkpoint by `decide(last)` in one transaction, on disk at return."""
        with self._transaction() as database:
            new = decide(_load_seen(database, origin))
            database.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?)", (origin, *new))
        return new

    def load_seen(self, origin: str) -> Seen | None:
        """Return the checkpoint of a log that was cosigned last."""
        with self._transaction() as database:
            return _load_seen(database, origin)

    def load_all_seen(self) -> dict[str, Seen]:
        with self._transaction() as database:
            rows = database.execute("SELECT * FROM seen ORDER BY origin").fetchall()
        return {origin: Seen(*values) for origin, *values in rows}

    # Mixes

    def commit_mix(self, shoe: Shoe, commitment: str, at: int) -> Committed:
        """Record the commitment for this shoe number, or return the one that came first."""
        which = shoe.origin, shoe.stream, shoe.shoe
        query = (
            "SELECT epoch, commitment FROM mixed WHERE (origin, stream, shoe) = (?, ?, ?) "
            "ORDER BY rowid LIMIT 1"
        )
        with self._transaction() as database:
            first = database.execute(query, which).fetchone()
            if first is not None:
                return Committed(*first)
            row = *shoe, commitment, at
            database.execute("INSERT INTO mixed VALUES (?, ?, ?, ?, ?, ?)", row)
        return Committed(shoe.epoch, commitment)

    # Contradictions

    def keep_evidence(self, origin: str, why: str, shown: str, seen: str, at: int) -> None:
        """Store a contradiction, unless MAX_EVIDENCE are stored already."""
        with self._transaction() as database:
            [[count]] = database.execute("SELECT count(*) FROM evidence")
            if count < MAX_EVIDENCE:
                row = at, origin, why, shown, seen
                database.execute(
                    "INSERT INTO evidence (at, origin, why, shown, seen) VALUES (?, ?, ?, ?, ?)",
                    row,
                )

    def list_evidence(self) -> list[tuple[str, str, str, str]]:
        """Return each contradiction: log, reason, the text shown and the text seen before."""
        with self._transaction() as database:
            found = database.execute(
                "SELECT origin, why, shown, seen FROM evidence ORDER BY number"
            )
            return [(origin, why, shown, seen) for origin, why, shown, seen in found]

    def count_evidence(self) -> int:
        with self._transaction() as database:
            [[count]] = database.execute("SELECT count(*) FROM evidence")
        return int(count)

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise


def _load_seen(database: sqlite3.Connection, origin: str) -> Seen | None:
    query = "SELECT size, root, note, at FROM seen WHERE origin = ?"
    row = database.execute(query, (origin,)).fetchone()
    return Seen(*row) if row else None


def _connect(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        # DELETE leaves one file to back up; EXTRA also syncs the folder at commit
        database.execute("PRAGMA journal_mode = DELETE").fetchall()
        database.execute("PRAGMA synchronous = EXTRA")
    except sqlite3.DatabaseError:
        database.close()
        raise BadWitness(f"{path} is not a witness database; restore its newest backup") from None
    return database


def create_memory(folder: Path) -> None:
    """Create the empty database of a new witness; refuse if one exists."""
    path = folder / MEMORY
    if path.exists():
        raise BadWitness(f"{path} already exists and will not be replaced; choose another folder")
    make_private_database(path)
    database = _connect(path)
    try:
        database.executescript(_TABLES)
    finally:
        database.close()
