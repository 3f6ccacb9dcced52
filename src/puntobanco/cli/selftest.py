"""`selftest`: what `serve` checks before its port opens, without serving."""

from __future__ import annotations

from pathlib import Path

import click

from puntobanco.cli import show
from puntobanco.cli.options import echo_json, json_option
from puntobanco.storage.selftest import CLOCK_TOLERANCE_S
from puntobanco.storage.selftest import selftest as run


@click.command(
    help="Check code, schema, chain and clock, as serve does before its port opens. Nothing is "
    "written."
)
@click.option(
    "--database",
    default="floor.db",
    show_default=True,
    metavar="URL",
    help="SQLite, or postgresql://...",
)
@click.option("--keys", metavar="FILE", help="The key ring; by default beside the database.")
@click.option(
    "--heads",
    metavar="FILE",
    help="The file of heads of this node; by default beside the database.",
)
@click.option(
    "--clock-tolerance-s", default=CLOCK_TOLERANCE_S, show_default=True, type=click.IntRange(min=0)
)
@click.option(
    "--demo", is_flag=True, help="As serve --demo has it: changed code is only a warning."
)
@json_option
def selftest(
    database: str,
    keys: str | None,
    heads: str | None,
    clock_tolerance_s: int,
    demo: bool,
    as_json: bool,
) -> None:
    result = run(
        database,
        keys=Path(keys) if keys else None,
        heads=Path(heads) if heads else None,
        demo=demo,
        clock_tolerance_s=clock_tolerance_s,
    )
    if as_json:
        echo_json({"outcome": result.outcome, "checks": result.as_fields()})
    else:
        show.table(
            ("check", "", ""), [(check.name, check.outcome, check.said) for check in result.checks]
        )
    result.verify()
