"""Migrations: bring a database to the schema of this program; refuse one of a newer program.

On PostgreSQL an owner makes and migrates the tables, and nodes append. A node may not change or
remove what was written, nor take off the triggers that refuse it: who has taken over a node cannot
take the journal apart. Entries are set aside, and tables beside the journal put right, by commands
that connect as the owner.
"""

from __future__ import annotations

import re
from pathlib import Path

from sqlalchemy import Connection, inspect, text

from puntobanco.base.progress import Advance, Begin, silent
from puntobanco.base.refusal import Refusal
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import connected, shown
from puntobanco_floor.store.errors import BadDatabase, first_line

MIGRATIONS = Path(__file__).with_name("migrations")


def versions() -> list[str]:
    """Every version there was, the first one first: its number is in the name of its file."""
    files = (MIGRATIONS / "versions").glob("v[0-9]*.py")
    return sorted(path.stem[1:5] for path in files)


def version_of(connection: Connection) -> str | None:
    """As Alembic has written it there; none in an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def migrate(url: str, *, to: str = "head", begin: Begin = silent) -> None:
    """Make the tables, or bring them up to date."""
    with connected(url) as connection:
        try:
            if is_postgres(url):
                # a lock until the transaction ends: nodes that start together migrate one by one
                connection.exec_driver_sql("SELECT pg_advisory_xact_lock(5227310000000000001)")
                _verify_may_migrate(connection)
            _upgrade(connection, to, begin)
        except Refusal:
            raise
        except Exception as error:
            raise BadDatabase(
                f"{shown(url)} cannot be brought up to date: {first_line(error)}"
            ) from None


def _verify_may_migrate(connection: Connection) -> None:
    """Tell a node that may only append who can migrate."""
    current = version_of(connection)
    if current in (None, versions()[-1]) or is_owner(connection):
        return
    raise BadDatabase(
        f"the database is of version {current} and this program needs {versions()[-1]}; its owner "
        "runs puntobanco migrate"
    )


def _upgrade(connection: Connection, to: str, begin: Begin) -> None:
    current, newest = version_of(connection), versions()[-1]
    if current is not None and current not in versions():
        raise BadDatabase(
            f"the database is of version {current}, which is newer than this program "
            f"({newest}); run the newer program"
        )
    if current is None and inspect(connection).get_table_names():
        raise BadDatabase(
            "the database holds tables of another program; give this one a file of its own"
        )
    if current != newest:
        later = [version for version in versions() if current is None or version > current]
        _migrate(connection, to, begin("versions of the schema", len(later)))


def _migrate(connection: Connection, to: str, advance: Advance) -> None:
    # Alembic takes as long to load as SQLAlchemy, and a database that is up to date needs none
    from alembic import command  # noqa: PLC0415
    from alembic.config import Config  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["advance"] = advance
    command.upgrade(config, to)


# Roles on PostgreSQL

_ROLE = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_APPENDS = "SELECT, INSERT"
GRANTS = {
    "entries": _APPENDS,
    "transfers": _APPENDS,
    "snapshots": _APPENDS,
    "heads": _APPENDS,
    "set_aside": "SELECT",
    "vouchers": f"{_APPENDS}, UPDATE (redeemed_stream, redeemed_seq)",
    "streams": f"{_APPENDS}, UPDATE",
    "balances": f"{_APPENDS}, UPDATE, DELETE",
    "answers": f"{_APPENDS}, DELETE",
    "sealed": f"{_APPENDS}, UPDATE, DELETE",
    "logins": f"{_APPENDS}, UPDATE, DELETE",
    "patrons": f"{_APPENDS}, UPDATE, DELETE",
    "log": f"{_APPENDS}, UPDATE (size)",
    "log_places": _APPENDS,
    "log_tiles": f"{_APPENDS}, UPDATE (data)",
    "checkpoints": f"{_APPENDS}, UPDATE (note)",
    "alembic_version": "SELECT",
}
"""What a node may do to each table."""


def grant(connection: Connection, role: str) -> None:
    """So much and no more, whatever it was given before."""
    if not _ROLE.fullmatch(role):
        raise BadDatabase(f"{role!r:.60} is no name of a role; write it as floor_node")
    schema = connection.scalar(text("SELECT current_schema()"))
    connection.exec_driver_sql(f'REVOKE ALL ON ALL TABLES IN SCHEMA "{schema}" FROM "{role}"')
    connection.exec_driver_sql(f'REVOKE CREATE ON SCHEMA "{schema}" FROM PUBLIC, "{role}"')
    connection.exec_driver_sql(f'GRANT USAGE ON SCHEMA "{schema}" TO "{role}"')
    for table, rights in GRANTS.items():
        connection.exec_driver_sql(f'GRANT {rights} ON "{schema}"."{table}" TO "{role}"')


def is_owner(connection: Connection) -> bool:
    """Whether who is connected could take the tables apart. Who may become the owner could too."""
    found = text(
        "SELECT pg_has_role(tableowner, 'MEMBER') FROM pg_tables "
        "WHERE tablename = 'entries' AND schemaname = current_schema()"
    )
    return connection.scalar(found) is not False
