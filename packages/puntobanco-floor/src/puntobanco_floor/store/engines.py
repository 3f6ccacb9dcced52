"""Connections by address, for all that is not on the way of a wager: migrations, audits, copies."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError
from sqlalchemy.pool import NullPool

from puntobanco.base.extras import package
from puntobanco_floor.store import sqlite_file
from puntobanco_floor.store.addresses import is_postgres, shown_postgres, verify_private
from puntobanco_floor.store.errors import BadDatabase, first_line

SQLITE = "sqlite:///"


def sqlite_path(url: str) -> Path:
    """The file that `sqlite:///floor.db`, or simply `floor.db`, names."""
    if is_postgres(url):
        raise BadDatabase(
            "this is for SQLite; PostgreSQL has its own tools for it (docs/how-to/operations.md)"
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
    """Make a SQLAlchemy engine; by default without a connection pool."""
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
    # the driver's own BEGIN would leave changes of the schema outside the transaction
    begin = "BEGIN" if read_only else "BEGIN IMMEDIATE"
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine


def _postgres_engine(url: str, *, read_only: bool, pooled: bool) -> Engine:
    package("psycopg")
    verify_private(url)
    address = _address(url)
    # one snapshot for all that a reader asks, while others write
    isolation = "REPEATABLE READ" if read_only else None
    if pooled:
        engine = create_engine(
            address, pool_size=2, max_overflow=6, pool_pre_ping=True, isolation_level=isolation
        )
    else:
        engine = create_engine(address, poolclass=NullPool, isolation_level=isolation)
    event.listen(engine, "do_connect", _connect_patiently)
    return engine


def _connect_patiently(
    _: object, __: object, args: list[str], options: dict[str, object]
) -> object:
    from puntobanco_floor.store.patient_connection import PatientConnection  # noqa: PLC0415 - it needs psycopg

    return PatientConnection.connect(*args, **options)  # type: ignore[arg-type]


@contextmanager
def connected(url: str, *, read_only: bool = False) -> Iterator[Connection]:
    """One transaction."""
    engine = engine_for(url, read_only=read_only)
    try:
        with shorten_errors(url), engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def shorten_errors(url: str) -> Iterator[None]:
    """Raise what the database refuses as one line."""
    try:
        yield
    except DBAPIError as error:
        raise BadDatabase(f"{shown(url)} cannot be used: {first_line(error)}") from None


def find_damage(connection: Connection) -> str:
    """Return the first fault that SQLite finds in the pages of its file; nothing on PostgreSQL,
    which has checksums of its own. Every page is read.
    """
    if connection.dialect.name != "sqlite":
        return ""
    try:
        found = connection.exec_driver_sql("PRAGMA quick_check(1)").scalars().all()
    except DBAPIError as error:
        return first_line(error)
    # SQLite names the database on a first line, and the damage on the next
    said = " ".join(str(found[0] if found else "no answer").split())
    return "" if said == "ok" else said.removeprefix("*** in database main *** ")


RESTORE = (
    "keep the file as it is, and bring back a backup with `puntobanco restore`; if only an index "
    "is damaged, `puntobanco copy` writes a whole file"
)
"""The advice for a damaged file of SQLite."""
