"""`selftest`: what `serve` checks before its port opens, without serving."""

from __future__ import annotations

from pathlib import Path

import click

from puntobanco.cli import console
from puntobanco.cli.options import file_option, json_option
from puntobanco_floor.cli.floor_options import database_option, keys_option, release_options
from puntobanco_floor.integrity.self_test import CLOCK_TOLERANCE_S
from puntobanco_floor.integrity.self_test import selftest as run
from puntobanco_floor.settings import PREFIX


@click.command
@database_option
@keys_option
@file_option("--heads", "The file of heads of this node; by default beside the database.")
@click.option(
    "--publication",
    default="",
    metavar="FOLDER",
    envvar=f"{PREFIX}PUBLICATION",
    help="The folder that the log is published to; by default beside the file of heads.",
)
@click.option(
    "--clock-tolerance-s", default=CLOCK_TOLERANCE_S, show_default=True, type=click.IntRange(min=0)
)
@click.option(
    "--demo", is_flag=True, help="As serve --demo has it: changed code is only a warning."
)
@release_options
@json_option
def selftest(
    database: str,
    keys: Path | None,
    heads: Path | None,
    publication: str,
    clock_tolerance_s: int,
    demo: bool,
    release_list: str,
    release_key: str,
    as_json: bool,
) -> None:
    """Check code, schema, chain and clock, as serve does before its port opens. Nothing is
    written.
    """
    with console.stages(left="no check has failed so far") as begin:
        result = run(
            database,
            keys=keys,
            heads=heads,
            demo=demo,
            clock_tolerance_s=clock_tolerance_s,
            release_list=release_list,
            release_key=release_key,
            publication=publication,
            begin=begin,
        )
    if as_json:
        console.echo_json({"outcome": result.outcome, "checks": result.as_fields()})
    else:
        rows = [(check.name, check.outcome, check.said) for check in result.checks]
        console.table(("check", "", ""), rows)
    result.verify()
