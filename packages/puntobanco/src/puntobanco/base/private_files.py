"""Private files: what the program writes, only its owner reads, whatever the umask says."""

from __future__ import annotations

import logging
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

OWNER_ONLY = 0o600
OWNER_ONLY_FOLDER = 0o700

_log = logging.getLogger("puntobanco.private_files")


def open_private(path: Path, flags: int) -> int:
    """A descriptor; a file that others could read is theirs no longer."""
    descriptor = os.open(path, flags | os.O_CREAT, OWNER_ONLY)
    # another user's file keeps its mode: we may write there, and are not the ones to change it
    with suppress(OSError, AttributeError):
        os.fchmod(descriptor, OWNER_ONLY)
    return descriptor


def write_private(path: Path, data: bytes) -> None:
    with os.fdopen(open_private(path, os.O_WRONLY | os.O_TRUNC), "wb") as file:
        file.write(data)


def copy_private(source: Path, target: Path) -> None:
    """The mode first: nobody reads it while it is copied."""
    os.close(open_private(target, os.O_WRONLY))
    shutil.copyfile(source, target)


def make_private_database(path: Path) -> None:
    """Before SQLite opens it: what SQLite makes beside it then has the same mode. An error is left
    for SQLite to report.
    """
    with suppress(OSError):
        # only a new one is opened here: to close a file that SQLite has open in this process would
        # let go of SQLite's locks on it
        os.close(open_private(path, os.O_RDWR | os.O_EXCL))
    for ending in ("", "-wal", "-shm"):
        narrow(path.with_name(path.name + ending))


def narrow(path: Path) -> None:
    """A file that is there, from now on its owner's alone."""
    with suppress(OSError):
        path.chmod(OWNER_ONLY)


def warn_of_readers(path: Path) -> None:
    """A file with a secret that somebody else made: it is used, but not without a word."""
    with suppress(OSError):  # whoever reads it says what is wrong
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & stat.S_IROTH:
            _log.warning("secret not private: everybody may read %s; run chmod 600 on it", path)
