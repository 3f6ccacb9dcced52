"""`selftest`, `accept` and `check-program`: check the installed program and compare it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import click

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco.cli import console
from puntobanco.cli.options import file_option, json_option, optional_path
from puntobanco_floor.cli.floor_options import (
    config_file,
    database_option,
    keys_option,
    release_options,
    with_settings,
)
from puntobanco_floor.cli.offline_admin import Desk, Verify, desk, minute, two_people
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import DAY_MS
from puntobanco_floor.domain.house.program_faults import fault_words
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.integrity import release
from puntobanco_floor.integrity.self_check import command_of, configuration_digest
from puntobanco_floor.integrity.self_test import CLOCK_TOLERANCE_S, SelfTestFailed
from puntobanco_floor.integrity.self_test import selftest as run
from puntobanco_floor.settings import PREFIX, Settings
from puntobanco_floor.store.reader import Reader, reading


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
def selftest(database: str, as_json: bool, **options: Any) -> None:
    """Check code, schema, chain and clock, as serve does before its port opens. Nothing is
    written.
    """
    with console.stages(left="no check has failed so far") as begin:
        result = run(database, begin=begin, **options)
    if as_json:
        console.echo_json({"outcome": result.outcome, "checks": result.as_fields()})
    else:
        rows = [(check.name, check.outcome, check.said) for check in result.checks]
        console.table(("check", "", ""), rows, fold=(2,))
    result.verify()


# Accepted programs

KEPT_DAYS = 90
"""How far back results are listed; the journal keeps them for ever."""


@click.command
@two_people
@release_options
@desk
async def accept(found: Desk, verify: Verify, release_list: str, release_key: str) -> None:
    """Accept the installed program, by two people: after an upgrade no node is served before."""
    program = release.program(release_list, release_key)
    if not program.release:
        raise Refusal("this is a checkout, not a release: there is nothing to accept")
    if program.fault:
        raise Refusal(f"{program.fault}; install puntobanco {program.release} again")
    console.line(f"puntobanco {program.release}, {program.files} files, digest {program.digest}")
    people = verify(found.house, found.admin.passwords, found.note_try)
    command = h.AcceptProgram(
        by=people.first,
        second=people.second,
        version=__version__,
        program=program.digest,
        files=program.files,
    )
    await found.do(FLOOR, command)
    console.line("the program is accepted; nodes with it may be served")


@click.command
@click.option(
    "--past", is_flag=True, help=f"List the results of the last {KEPT_DAYS} days instead."
)
@with_settings
def check_program(settings: Settings, *, past: bool) -> None:
    """Compare the program with the one that was accepted, and the settings with the last check.

    Give it the settings of `serve`. It keeps the result. It ends with status 2 if the program
    differs; changed settings are shown, and the next check compares with them.
    """
    if past:
        _list_past(settings.database)
        return
    keys = optional_path(settings.keys)
    heads = optional_path(settings.heads)
    with Desk(settings.database, keys, heads) as found:
        asyncio.run(_verify(found, settings))


async def _verify(found: Desk, settings: Settings) -> None:
    program = release.program(settings.release_list, settings.release_key)
    node = found.store.node.id
    configuration = configuration_digest(settings, config_file())
    command = command_of(program, found.house, node=node, configuration=configuration)
    known = found.house.nodes.get(node)
    await found.do(FLOOR, command)
    what = "a checkout, compared with nothing"
    if program.release:
        what = f"{program.files} files of release {program.release}, digest {program.digest}"
    console.line(f"program        {what}")
    is_same = known is None or known.configuration == configuration
    same = "as at the last check" if is_same else "CHANGED since the last check"
    console.line(f"configuration  digest {configuration}, {same}")
    if command.fault:
        said = fault_words(command.fault).en
        raise SelfTestFailed(f"{said}; compare it from outside with checkfiles.py")


def _list_past(database: str) -> None:
    since = wall_ms() - KEPT_DAYS * DAY_MS
    with reading(database) as reader:
        rows = [_cells(event) for event in _checks(reader, since)]
    if rows:
        console.table(("when (UTC)", "node", "version", "digest", "result"), rows, fold=(4,))
    else:
        console.line("none")


def _checks(reader: Reader, since: int) -> Iterator[e.ProgramChecked]:
    first = reader.first_at(FLOOR, since)
    for entry in reader.decoded(FLOOR, after=first - 1):
        yield from (event for event in entry.events if isinstance(event, e.ProgramChecked))


def _cells(event: e.ProgramChecked) -> tuple[str, ...]:
    said = event.says().en if event.fault or event.reconfigured or event.started else "as accepted"
    digest = event.program[:16] or "checkout"
    return minute(event.at), event.node, event.version, digest, said
