"""Migrations: bring a database to the schema of this program; refuse one of a newer program."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from puntobanco.base.progress import Advance, Begin, silent
from puntobanco_floor.store.errors import BadDatabase

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


def upgrade(connection: Connection, *, to: str = "head", begin: Begin = silent) -> None:
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
    from alembic.util import CommandError  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["connection"] = connection
    config.attributes["advance"] = advance
    try:
        command.upgrade(config, to)
    except CommandError as error:
        raise BadDatabase(f"the database cannot be brought up to date: {error}") from None
