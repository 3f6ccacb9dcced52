"""Databases by their address: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import logging
from pathlib import Path

from sqlalchemy import func, inspect, select

from puntobanco.base.extras import package
from puntobanco_floor.journal.refusals import BadKeys
from puntobanco_floor.store import schema, sqlite, sqlite_file
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import connected, shown, sqlite_path
from puntobanco_floor.store.schema_upgrade import is_owner, migrate
from puntobanco_floor.store.store import Store

_log = logging.getLogger("puntobanco.storage")


def _warn_of_owner(url: str) -> None:
    with connected(url) as connection:
        if is_owner(connection):
            _log.warning(
                "%s not protected from this node: it is opened as the owner of its tables, who can "
                "take the journal apart; use a role of its own: puntobanco migrate --node ROLE",
                shown(url),
            )


def files_of(url: str, *, keys: Path | None = None, heads: Path | None = None) -> tuple[Path, Path]:
    """Key ring and file of heads: beside a SQLite file; for PostgreSQL in the working folder."""
    base = Path("puntobanco") if is_postgres(url) else sqlite_path(url)
    keys = keys or sqlite_file.beside(base, "keys")
    heads = heads or sqlite_file.beside(base, "heads")
    return keys, heads


def _verify_ring(url: str, keys: Path) -> None:
    """A floor is not opened with a fresh ring: its cards, vouchers and passwords would be lost."""
    if keys.exists() or not (is_postgres(url) or sqlite_path(url).is_file()):
        return
    with connected(url, read_only=True) as connection:
        is_made = inspect(connection).has_table(schema.streams.name)
        is_floor = is_made and connection.scalar(select(func.count()).select_from(schema.streams))
    if is_floor:
        raise BadKeys(
            f"{shown(url)} holds a floor, and its key ring is not at {keys}; put the floor's ring "
            "there, or name it with --keys"
        )


def open_store(
    url: str,
    *,
    keys: Path | None = None,
    heads: Path | None = None,
    notify: bool = True,
    clock: bool = True,
    recovering: bool = False,
    connections: int = 8,
) -> Store:
    """The store at this address, created or migrated. Without `clock` no timer runs: it only does
    what it is asked. One that is `recovering` also opens what is behind what this node has seen.
    """
    keys, heads = files_of(url, keys=keys, heads=heads)
    _verify_ring(url, keys)
    if not is_postgres(url):
        return sqlite.SqliteStore(
            sqlite_path(url),
            keys=keys,
            heads=heads,
            clock=clock,
            recovering=recovering,
        )
    package("asyncpg")
    from puntobanco_floor.store.postgres import PostgresStore  # noqa: PLC0415

    migrate(url)
    _warn_of_owner(url)
    return PostgresStore(
        url,
        keys=keys,
        heads=heads,
        notify=notify,
        clock=clock,
        recovering=recovering,
        connections=connections,
    )
