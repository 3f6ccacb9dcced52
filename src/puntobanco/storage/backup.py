"""Backup and restore of SQLite: a consistent copy while tables play, with keys and heads.

Either is proven by state hashes: every stream of the copy comes to the state it had.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from puntobanco.journal import chained
from puntobanco.storage.batch import Stream, state_hash
from puntobanco.storage.errors import BadDatabase
from puntobanco.storage.reader import Reader, reading
from puntobanco.storage.sqlite import beside, connect

DATABASE = "floor.db"
MANIFEST = "manifest.json"
FORMAT = "puntobanco-backup-1"
PARTS = ("keys", "heads")


def hashes(reader: Reader) -> dict[str, str]:
    """The state hash of every stream, from its first entry on."""
    found = dict[str, str]()
    for name in reader.streams():
        stream = Stream.empty(name)
        for entry, head in chained(reader.entries(name), name):
            stream.follow(entry, head)
        found[name] = state_hash(stream)
    return found


def backup(path: Path, to: Path) -> dict[str, str]:
    """Into a folder that is empty or not there; the hash of every stream's state."""
    if not path.is_file():
        raise BadDatabase(f"there is no database at {path}")
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise BadDatabase(f"{to} is there already; a backup goes into a folder of its own")
    try:
        to.mkdir(parents=True, exist_ok=True)
        to.chmod(0o700)  # it holds the keys
        copied = to / DATABASE
        # heads first: a head of an entry that the copy lacks would read as a tail cut off
        _copy_parts(path, copied)
        with (
            closing(connect(path, read_only=True)) as source,
            closing(sqlite3.connect(copied)) as target,
        ):
            source.backup(target, pages=1_000)
        with reading(str(copied)) as reader:
            found = hashes(reader)
        text = json.dumps({"format": FORMAT, "streams": found}, indent=1)
        (to / MANIFEST).write_text(text + "\n", "utf-8")
    except (OSError, sqlite3.Error) as error:
        raise BadDatabase(f"the backup failed: {error}") from None
    return found


def restore(source: Path, to: Path) -> dict[str, str]:
    """A database where none is; refused when it does not come to the same state."""
    if to.exists() or any(beside(to, part).exists() for part in PARTS):
        raise BadDatabase(
            f"{to} is there already; restore to a new place, or move the old files away first"
        )
    try:
        manifest = json.loads((source / MANIFEST).read_text("utf-8"))
        if manifest["format"] != FORMAT:
            raise ValueError
        expected: dict[str, str] = manifest["streams"]
    except (OSError, ValueError, KeyError, TypeError):
        raise BadDatabase(f"{source} is no backup") from None
    part_file = to.with_name(f"{to.name}.part")
    try:
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / DATABASE, part_file)
        with reading(str(part_file)) as reader:
            found = hashes(reader)
        if found != expected:
            names = sorted(found.keys() | expected.keys())
            other = [name for name in names if found.get(name) != expected.get(name)]
            raise BadDatabase(f"the backup is damaged: {', '.join(other)} came to another state")
        _copy_parts(source / DATABASE, to)
        # last: where the database stands, the restore is whole
        part_file.replace(to)
    except OSError as error:
        raise BadDatabase(f"the restore failed: {error}") from None
    finally:
        for ending in ("", "-wal", "-shm"):
            left = part_file.with_name(part_file.name + ending)
            left.unlink(missing_ok=True)
    return found


def _copy_parts(database: Path, to: Path) -> None:
    """The key ring and the file of heads, where there are any."""
    for part in PARTS:
        file = beside(database, part)
        if file.exists():
            shutil.copy2(file, beside(to, part))
