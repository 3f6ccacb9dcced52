"""Lock of the one process that serves a SQLite file.

Logins, login locks and rate limits are kept in the memory of a server, so a second server on the
same file would double them. Commands that run beside a server (audit, report, staff) take no lock.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from puntobanco.base.private_files import open_private
from puntobanco_floor.store.errors import BadDatabase, first_line
from puntobanco_floor.store.sqlite_file import beside

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]


class AlreadyServed(BadDatabase):
    """Another process serves this SQLite file."""

    remedy = "Stop the other server; for several nodes use PostgreSQL."


@contextmanager
def serving(path: Path) -> Iterator[None]:
    """Hold the lock while the floor is served. The kernel releases it when the process ends, also
    by kill -9, so the file may stay.
    """
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
