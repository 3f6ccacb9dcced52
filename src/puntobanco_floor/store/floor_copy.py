"""Copies a floor from one database to another, SQLite or PostgreSQL; proven by state hashes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from sqlalchemy import Connection, Table, func, select

from puntobanco.base.private_files import copy_private
from puntobanco.base.progress import Begin, silent
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import connected, shown, sqlite_path
from puntobanco_floor.store.errors import BadDatabase
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.sqlite_backup import hashes

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
    rows = (dict(row._mapping) for row in found)
    while part := list(islice(rows, ROWS)):
        yield part
