"""Backup and restore of SQLite, and copies of a floor from one database to another.

Each is proven by state hashes: every stream of the copy comes to the state it had. A backup is
consistent while tables play, and has the heads. The key ring stays out, or goes in under a
passphrase: with it, whoever has the copy reads every shoe in play.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Connection, Table, func, select

from puntobanco.base.private_files import (
    OWNER_ONLY_FOLDER,
    copy_private,
    make_private_database,
    write_private,
)
from puntobanco.base.progress import Begin, counted, silent
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.batch import Stream, state_hash
from puntobanco_floor.store.engines import connected, shown, sqlite_path
from puntobanco_floor.store.errors import BadDatabase
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.sqlite_file import beside, connect
from puntobanco_proof.entry.format import canonical
from puntobanco_proof.entry.heads import Head, read_heads

DATABASE = "floor.db"
MANIFEST = "manifest.json"
FORMAT = "puntobanco-backup-1"
PAGES = 1_000
"""Pages of the database that are copied at once."""


def hashes(reader: Reader, begin: Begin = silent) -> dict[str, str]:
    """The state hash of every stream, from its first entry on."""
    found = dict[str, str]()
    streams = reader.streams()
    advance = begin("entries", sum(row.seq for row in streams.values()))
    for name in streams:
        stream = Stream.empty(name, reader.definitions.machine_of(name))
        for entry, head in counted(reader.chain(name), advance):
            stream.follow(entry, head)
        found[name] = state_hash(stream)
    return found


def backup(
    path: Path,
    to: Path,
    *,
    keys: Path | None = None,
    passphrase: str = "",
    begin: Begin = silent,
) -> dict[str, str]:
    """Into a folder that is empty or not there; the hash of every stream's state. Where `keys` is
    given, that ring goes in too, under this passphrase.
    """
    assert not keys or passphrase, "no ring leaves the floor in the clear"
    if not path.is_file():
        raise BadDatabase(f"there is no database at {path}")
    if to.exists() and (not to.is_dir() or any(to.iterdir())):
        raise BadDatabase(f"{to} is there already; a backup goes into a folder of its own")
    try:
        to.mkdir(parents=True, exist_ok=True)
        to.chmod(OWNER_ONLY_FOLDER)
        copied = to / DATABASE
        # heads first: a head of an entry that the copy lacks would read as a tail cut off
        _copy_if_there(beside(path, "heads"), beside(copied, "heads"))
        make_private_database(copied)
        with (
            closing(connect(path, read_only=True)) as source,
            closing(sqlite3.connect(copied)) as target,
        ):
            pages = source.execute("PRAGMA page_count").fetchone()[0]
            advance = begin("pages", pages)
            source.backup(target, pages=PAGES, progress=lambda *_: advance(PAGES))
        if keys:
            # after the database: what was sealed meanwhile with a new key can be opened
            ring = KeyRing.load(keys)
            ring.passphrase = passphrase
            ring.save(beside(copied, "keys"))
        with reading(str(copied)) as reader:
            found = hashes(reader, begin)
        text = json.dumps({"format": FORMAT, "streams": found}, indent=1)
        write_private(to / MANIFEST, f"{text}\n".encode())
    except (OSError, sqlite3.Error) as error:
        raise BadDatabase(f"the backup failed: {error}") from None
    return found


def restore(source: Path, to: Path, begin: Begin = silent) -> dict[str, str]:
    """A database where none is; refused when it does not come to the same state. A ring comes with
    it if the backup has one; else the floor's own must be there. A file of heads that is there
    knows more than the backup's: it is kept, too.
    """
    kept = beside(source / DATABASE, "keys")
    ring = beside(to, "keys")
    if to.exists() or (kept.exists() and ring.exists()):
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
        copy_private(source / DATABASE, part_file)
        with reading(str(part_file)) as reader:
            found, epoch = hashes(reader, begin), reader.epoch()
        if found != expected:
            names = sorted(found.keys() | expected.keys())
            other = [name for name in names if found.get(name) != expected.get(name)]
            raise BadDatabase(f"the backup is damaged: {', '.join(other)} came to another state")
        _ask_for_epoch(beside(source / DATABASE, "heads"), beside(to, "heads"), found, epoch)
        _copy_if_there(kept, ring)
        # last: where the database stands, the restore is whole
        part_file.replace(to)
    except OSError as error:
        raise BadDatabase(f"the restore failed: {error}") from None
    finally:
        for ending in ("", "-wal", "-shm"):
            left = part_file.with_name(part_file.name + ending)
            left.unlink(missing_ok=True)
    return found


def _ask_for_epoch(kept: Path, heads: Path, streams: Iterable[str], epoch: int) -> None:
    """The heads of the backup go behind those that are there. Then every stream gets a head of the
    next epoch, without an entry: no store opens it before that epoch is begun.
    """
    known = list[Head]()
    for file in (heads, kept):
        with suppress(FileNotFoundError), file.open("rb") as lines:
            known += read_heads(lines)
    wanted = 1 + max([epoch, *(head.epoch for head in known if head.seq)])
    known += [Head(stream=name, epoch=wanted, seq=0, hash="") for name in streams]
    part = heads.with_name(f"{heads.name}.part")
    write_private(part, b"".join(canonical(head) + b"\n" for head in dict.fromkeys(known)))
    part.replace(heads)


def _copy_if_there(file: Path, to: Path) -> None:
    if file.exists():
        copy_private(file, to)


ROWS = 1_000
"""Rows that are copied at once."""


def copy(
    source: str,
    target: str,
    *,
    keys: Path | None = None,
    target_keys: Path | None = None,
    begin: Begin = silent,
) -> dict[str, str]:
    """Everything, into a database that holds nothing. No node may write to either meanwhile: it
    would not be copied.

    The key ring goes along: without it undealt cards could not be read. The new place starts its
    own file of heads.
    """
    ring, _ = files_of(source, keys=keys)
    new_ring, _ = files_of(target, keys=target_keys)
    if not ring.is_file():
        raise BadDatabase(f"there is no key ring at {ring}; name it with --keys")
    if new_ring.exists() and new_ring.read_bytes() != ring.read_bytes():
        raise BadDatabase(f"{new_ring} is there already and is another key ring")
    if not is_postgres(target) and sqlite_path(target).exists():
        raise BadDatabase(f"{shown(target)} is there already; copy to a new place")
    with reading(source) as reader:
        expected = hashes(reader, begin)
        migrate(target)
        with connected(target) as connection:
            if connection.scalar(select(func.count()).select_from(schema.streams)):
                raise BadDatabase(
                    f"{shown(target)} holds a floor already; copy to an empty database"
                )
            # the staff log in again at the new place
            tables = [each for each in schema.metadata.sorted_tables if each is not schema.logins]
            advance = begin("rows", sum(_count(reader.connection, each) for each in tables))
            for table in tables:
                for rows in _parts(reader.connection, table):
                    connection.execute(table.insert(), rows)
                    advance(len(rows))
            found = hashes(Reader(connection), begin)
            if found != expected:
                raise BadDatabase("the copy came to another state and was not kept")
    if not new_ring.exists():
        copy_private(ring, new_ring)
    return found


def _count(connection: Connection, table: Table) -> int:
    return connection.scalar(select(func.count()).select_from(table)) or 0


def _parts(connection: Connection, table: Table) -> Iterator[list[dict[str, object]]]:
    wanted = select(table).order_by(*table.primary_key.columns)
    found = connection.execution_options(yield_per=ROWS).execute(wanted)
    for rows in found.mappings().partitions():
        yield [dict(row) for row in rows]
