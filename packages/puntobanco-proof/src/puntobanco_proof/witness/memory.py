"""What a witness remembers, in a SQLite database of its own: of each log the last checkpoint that
it cosigned, the shoes that it mixed, and what contradicted them.

Everything is on disk before an answer leaves: what was cosigned and is forgotten could be
contradicted. For the same reason a database that is not there is not made anew.
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
MOST_EVIDENCE = 1000
"""Contradictions that are kept, the first ones: one is enough to convict a log."""

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
    """The last checkpoint of a log that was cosigned; `at` is in seconds."""

    size: int
    root: bytes
    note: str
    at: int


class Shoe(NamedTuple):
    """One shoe, wherever it is asked for."""

    origin: str
    stream: str
    epoch: int
    shoe: int


class Committed(NamedTuple):
    """What a shoe was mixed with first."""

    epoch: int
    commitment: str


class Memory:
    """One connection, and one step at a time: steps of other processes wait for it as well."""

    def __init__(self, folder: Path) -> None:
        path = folder / MEMORY
        if not path.is_file():
            raise BadWitness(
                f"there is no memory {path}: bring it back from its newest backup; if it is lost, "
                "retire this witness and make another, with other keys"
            )
        make_private_database(path)  # only its owner reads it
        self._lock = threading.Lock()
        self._database = _connected(path)
        try:
            [[version]] = self._database.execute("PRAGMA user_version")
        except sqlite3.DatabaseError:
            version = 0
        if version != VERSION:
            self._database.close()
            raise BadWitness(f"{path} is no memory of a witness that this program can read")

    def close(self) -> None:
        self._database.close()

    # Checkpoints

    def advance(self, origin: str, decide: Callable[[Seen | None], Seen]) -> Seen:
        """Store in one step what `decide` makes of the last one; it is on disk at return."""
        with self._step() as database:
            new = decide(_seen(database, origin))
            database.execute("INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?, ?)", (origin, *new))
        return new

    def seen(self, origin: str) -> Seen | None:
        with self._step() as database:
            return _seen(database, origin)

    def all_seen(self) -> dict[str, Seen]:
        with self._step() as database:
            rows = database.execute("SELECT * FROM seen ORDER BY origin").fetchall()
        return {origin: Seen(*values) for origin, *values in rows}

    # Mixes

    def commit_mix(self, shoe: Shoe, commitment: str, at: int) -> Committed:
        """What a shoe of this number is mixed with: this commitment, unless another came first."""
        which = shoe.origin, shoe.stream, shoe.shoe
        query = (
            "SELECT epoch, commitment FROM mixed WHERE (origin, stream, shoe) = (?, ?, ?) "
            "ORDER BY rowid LIMIT 1"
        )
        with self._step() as database:
            first = database.execute(query, which).fetchone()
            if first is not None:
                return Committed(*first)
            row = *shoe, commitment, at
            database.execute("INSERT INTO mixed VALUES (?, ?, ?, ?, ?, ?)", row)
        return Committed(shoe.epoch, commitment)

    # Contradictions

    def keep_evidence(self, origin: str, why: str, shown: str, seen: str, at: int) -> None:
        with self._step() as database:
            [[count]] = database.execute("SELECT count(*) FROM evidence")
            if count < MOST_EVIDENCE:
                row = at, origin, why, shown, seen
                database.execute(
                    "INSERT INTO evidence (at, origin, why, shown, seen) VALUES (?, ?, ?, ?, ?)",
                    row,
                )

    def evidence(self) -> list[tuple[str, str, str, str]]:
        """Of each contradiction the log, what it is, what was shown and what was seen before."""
        with self._step() as database:
            found = database.execute(
                "SELECT origin, why, shown, seen FROM evidence ORDER BY number"
            )
            return [(origin, why, shown, seen) for origin, why, shown, seen in found]

    def refused(self) -> int:
        with self._step() as database:
            [[count]] = database.execute("SELECT count(*) FROM evidence")
        return int(count)

    @contextmanager
    def _step(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield self._database
                self._database.execute("COMMIT")
            except BaseException:
                self._database.execute("ROLLBACK")
                raise


def _seen(database: sqlite3.Connection, origin: str) -> Seen | None:
    query = "SELECT size, root, note, at FROM seen WHERE origin = ?"
    row = database.execute(query, (origin,)).fetchone()
    return Seen(*row) if row else None


def _connected(path: Path) -> sqlite3.Connection:
    database = sqlite3.connect(path, BUSY_S, isolation_level=None, check_same_thread=False)
    try:
        # one file to back up; with EXTRA the folder is on disk too when a step is done
        database.execute("PRAGMA journal_mode = DELETE").fetchall()
        database.execute("PRAGMA synchronous = EXTRA")
    except sqlite3.DatabaseError:
        database.close()
        raise BadWitness(f"{path} is no memory of a witness") from None
    return database


def make_memory(folder: Path) -> None:
    """Empty, for a new witness alone."""
    path = folder / MEMORY
    if path.exists():
        raise BadWitness(f"{path} is there already; what it remembers is not removed")
    make_private_database(path)
    database = _connected(path)
    try:
        database.executescript(_TABLES)
    finally:
        database.close()
