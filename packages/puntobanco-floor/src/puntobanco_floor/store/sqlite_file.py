"""A floor's SQLite file: how it is opened, what lies beside it, and the lock of the process that
serves it.

Logins, login locks and rate limits are kept in the memory of a server, so a second server on the
same file would double them. Commands that run beside a server (audit, report, staff) take no lock.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from time import monotonic, sleep

from puntobanco.base.private_files import make_private_database, open_private
from puntobanco_floor.store.errors import BadDatabase, first_line

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

BUSY_MS = 5_000
"""So long one process waits for another's write."""

CHECKPOINT_PAGES = 2_048
"""Of the write-ahead log, 8 MiB: at SQLite's own 1,000 a busy table checkpoints every eight
commits, and a file that grows takes longer to reach the disk than one that is written over.
"""


def connect(path: Path, *, read_only: bool = False, wal: bool = True) -> sqlite3.Connection:
    """Open a connection as all parts want it; without `wal` the file's mode stays as it is."""
    uri = f"{path.absolute().as_uri()}{'?mode=ro' if read_only else ''}"
    connection: sqlite3.Connection | None = None
    if not read_only:
        make_private_database(path)
    try:
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, timeout=BUSY_MS / 1000, check_same_thread=False
        )
        # a forged text that is no UTF-8 equals nothing; it is no reason to stop reading
        connection.text_factory = partial(str, encoding="utf-8", errors="replace")
        if not read_only:
            if wal:
                _to_wal(connection)
            connection.execute("PRAGMA synchronous = FULL")
            # a page that many commits write is carried over to the database once
            connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
            # so that REPLACE is a DELETE to append-only tables
            connection.execute("PRAGMA recursive_triggers = ON")
        connection.execute("SELECT count(*) FROM sqlite_master")
    except sqlite3.Error as error:
        if connection is not None:
            connection.close()
        raise BadDatabase(f"cannot open the database {path}: {error}") from None
    return connection


def _to_wal(connection: sqlite3.Connection) -> None:
    """Change the file at the first start; SQLite itself does not wait where several start."""
    until = monotonic() + BUSY_MS / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or monotonic() > until:
                raise
            sleep(0.01)
        else:
            return


def beside(path: Path, what: str) -> Path:
    return path.with_name(f"{path.name}.{what}")


# The lock of the process that serves it


class AlreadyServed(BadDatabase):
    """Another process serves this SQLite file."""

    remedy = "Stop the other server; for several nodes use PostgreSQL."


@contextmanager
def serving(path: Path) -> Iterator[None]:
    """Hold the lock while the floor is served; the kernel releases it even after kill -9."""
    lock = beside(path, "lock")
    try:
        descriptor = open_private(lock, os.O_RDWR)
    except OSError as error:
        raise BadDatabase(f"cannot open the lock file {lock}: {first_line(error)}") from None
    try:
        _take(descriptor, path)
        yield
    finally:
        os.close(descriptor)


def _take(descriptor: int, path: Path) -> None:
    if fcntl is None:
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.pread(descriptor, 20, 0).decode(errors="replace").strip()
        raise AlreadyServed(
            f"{path} is already served by process {holder or 'unknown'}: stop that server first, "
            "or use PostgreSQL for several nodes"
        ) from None
    except OSError:  # a file system without locks, as some network file systems
        return
    with suppress(OSError):  # a full disk: the number is for people
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"{os.getpid()}\n".encode(), 0)
