"""Databases by their address: SQLite in a file, or PostgreSQL."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    create_engine,
    event,
    func,
    inspect,
    make_url,
    select,
)
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from puntobanco.definitions import OURS, Definitions
from puntobanco.keys import BadKeys
from puntobanco.rules.refusals import Refusal
from puntobanco.storage import schema, sqlite, sqlite_file
from puntobanco.storage.address import is_postgres, shown_postgres, verify_private
from puntobanco.storage.errors import BadDatabase, first_line
from puntobanco.storage.migrate import upgrade, version_of, versions
from puntobanco.storage.roles import is_owner
from puntobanco.storage.store import Store

SQLITE = "sqlite:///"
_log = logging.getLogger("puntobanco.storage")


def sqlite_path(url: str) -> Path:
    """The file that `sqlite:///floor.db`, or simply `floor.db`, names."""
    if is_postgres(url):
        raise BadDatabase(
            "this is for SQLite; PostgreSQL has its own tools for it (docs/operations.md)"
        )
    if "://" in url and not url.startswith(SQLITE):
        scheme = url.partition("://")[0]
        raise BadDatabase(
            f"{scheme} is no database that this program knows; write sqlite:///floor.db, a "
            "path, or postgresql://..."
        )
    return Path(url.removeprefix(SQLITE))


def shown(url: str) -> str:
    """The address without its password, wherever that stands in it."""
    if is_postgres(url):
        return shown_postgres(url)
    return str(sqlite_path(url))


def _address(url: str) -> URL:
    _, _, place = url.partition("://")
    try:
        return make_url(f"postgresql+psycopg://{place}")
    except (ArgumentError, ValueError):
        raise BadDatabase(
            "this is no address of a database; write postgresql://user@host/name"
        ) from None


def engine_for(url: str, *, read_only: bool = False, pooled: bool = False) -> Engine:
    """A SQLAlchemy engine for what is not on the hot path: migrations, audits, copies. By default
    without a connection pool.
    """
    if is_postgres(url):
        return _postgres_engine(url, read_only=read_only, pooled=pooled)
    path = sqlite_path(url)
    if read_only and not path.is_file():
        raise BadDatabase(f"there is no database at {path}")
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite_file.connect(path, read_only=read_only, wal=False),
        poolclass=NullPool,
    )
    event.listen(engine, "begin", _begin if read_only else _begin_to_write)
    return engine


def _postgres_engine(url: str, *, read_only: bool, pooled: bool) -> Engine:
    verify_private(url)
    address = _address(url)
    if pooled:
        return create_engine(address, pool_size=2, max_overflow=6, pool_pre_ping=True)
    # one snapshot for all that a reader asks, while others write
    isolation = "REPEATABLE READ" if read_only else None
    return create_engine(address, poolclass=NullPool, isolation_level=isolation)


def _begin(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN")


def _begin_to_write(connection: Connection) -> None:
    # the driver's own BEGIN would leave changes of the schema outside the transaction
    connection.exec_driver_sql("BEGIN IMMEDIATE")


@contextmanager
def connected(url: str, *, read_only: bool = False) -> Iterator[Connection]:
    """One transaction; what the database refuses is raised as one line."""
    engine = engine_for(url, read_only=read_only)
    try:
        with engine.begin() as connection:
            yield connection
    except DBAPIError as error:
        raise BadDatabase(f"{shown(url)} cannot be used: {first_line(error)}") from None
    finally:
        engine.dispose()


def migrate(url: str) -> None:
    """Make the tables, or bring them up to date."""
    if not is_postgres(url):
        sqlite_file.migrated(sqlite_path(url))
        return
    try:
        with connected(url) as connection:
            # a lock until the transaction ends: nodes that start together migrate one by one
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5227310000000000001)")
            _verify_may_migrate(connection)
            upgrade(connection)
    except Refusal:
        raise
    except Exception as error:
        raise BadDatabase(
            f"{shown(url)} cannot be brought up to date: {first_line(error)}"
        ) from None


def _verify_may_migrate(connection: Connection) -> None:
    """A node that may only append is told who can."""
    current = version_of(connection)
    if current in (None, versions()[-1]) or is_owner(connection):
        return
    raise BadDatabase(
        f"the database is of version {current} and this program needs {versions()[-1]}; its owner "
        "runs puntobanco migrate"
    )


def _warn_of_owner(url: str) -> None:
    with connected(url) as connection:
        if is_owner(connection):
            _log.warning(
                "%s not protected from this node: it is opened as the owner of its tables, who can "
                "take the journal apart; use a role of its own: puntobanco migrate --node ROLE",
                shown(url),
            )


def files_of(url: str, *, keys: Path | None = None, heads: Path | None = None) -> tuple[Path, Path]:
    """The key ring and the file of heads: beside a SQLite file, in the working folder for
    PostgreSQL.
    """
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
    definitions: Definitions = OURS,
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
            definitions=definitions,
        )
    try:
        from puntobanco.storage.postgres import PostgresStore  # noqa: PLC0415
    except ImportError as error:
        raise BadDatabase(
            f"PostgreSQL needs asyncpg and psycopg: pip install 'puntobanco[postgres]' ({error})"
        ) from None
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
        definitions=definitions,
    )
