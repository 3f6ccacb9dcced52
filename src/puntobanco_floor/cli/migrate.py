"""`migrate`: the tables of a database made or brought up to date, by who owns them."""

from __future__ import annotations

import click

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco_floor.cli.floor_options import database_option
from puntobanco_floor.store import engines, schema_upgrade
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.schema_upgrade import grant


@click.command
@database_option
@click.option(
    "--node",
    "nodes",
    multiple=True,
    metavar="ROLE",
    help="On PostgreSQL: a role that may append and no more; may be repeated.",
)
def migrate(database: str, nodes: tuple[str, ...]) -> None:
    """Bring a database up to date, as its owner. Nodes that connect as another role cannot do it
    themselves, and cannot take off what keeps the journal.
    """
    if nodes and not is_postgres(database):
        raise Refusal("--node is for PostgreSQL; a SQLite file has no roles")
    with console.stages(left="nothing was changed") as begin:
        schema_upgrade.migrate(database, begin=begin)
    if nodes:
        with engines.connected(database) as connection:
            for role in nodes:
                grant(connection, role)
    console.line(f"{engines.shown(database)} is of version {schema_upgrade.versions()[-1]}")
    for role in nodes:
        console.line(f"{role} may append")
