"""Migrations: bring a database to the schema of this program; refuse one of a newer program."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, inspect

from puntobanco.storage.errors import BadDatabase


def _config(connection: Connection | None = None) -> Config:
    config = Config()
    folder = Path(__file__).with_name("migrations")
    config.set_main_option("script_location", str(folder).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def versions() -> list[str]:
    """Every version there was, the first one first."""
    scripts = ScriptDirectory.from_config(_config())
    newest_first = [script.revision for script in scripts.walk_revisions()]
    return newest_first[::-1]


def version_of(connection: Connection) -> str | None:
    return MigrationContext.configure(connection).get_current_revision()


def upgrade(connection: Connection, *, to: str = "head") -> None:
    current = version_of(connection)
    if current is not None and current not in versions():
        raise BadDatabase(
            f"the database is of version {current}, which is newer than this program "
            f"({versions()[-1]}); run the newer program"
        )
    if current is None and inspect(connection).get_table_names():
        raise BadDatabase(
            "the database holds tables of another program; give this one a file of its own"
        )
    try:
        command.upgrade(_config(connection), to)
    except CommandError as error:
        raise BadDatabase(f"the database cannot be brought up to date: {error}") from None
