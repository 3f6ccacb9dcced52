"""`terminal`: the terminals of a floor and the codes that enrol their devices."""

from __future__ import annotations

import time

import click

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import json_option
from puntobanco_floor.cli.offline_admin import (
    Desk,
    desk,
    name_argument,
    reason_option,
    show_list,
    show_once,
    verify_name,
)
from puntobanco_floor.service.administration import TerminalView, terminals_of


@click.group
def terminal() -> None:
    """The terminals of a floor: add, list, change, disable."""


@terminal.command("add")
@name_argument
@click.option(
    "--table", "number", type=click.IntRange(1, 1_000_000), help="The table it stands at; else any."
)
@desk
async def terminal_add(found: Desk, name: str, number: int | None) -> None:
    """A new terminal; the code that enrols its device is printed this once."""
    verify_name(name)
    if number:
        found.table(number)  # refuses one that is not there
    code = await found.admin.add_terminal(name, number)
    show_once(f"code of {name}, good for an hour", code)
    console.line("enter it on the device at /enrol")


@terminal.command("list")
@json_option
@desk
def terminal_list(found: Desk, as_json: bool) -> None:
    """The terminals."""
    now = int(time.time() * 1000)
    rows = terminals_of(found.house, now)
    show_list(("name", "table", "state"), rows, _terminal, as_json=as_json)


def _terminal(row: TerminalView) -> tuple[str, ...]:
    return row.name, row.table or "any", _state(row)


def _state(row: TerminalView) -> str:
    if row.disabled:
        return f"disabled: {row.disabled}"
    if row.enrolled:
        return "enrolled"
    return "a code waits" if row.code_waits else "not enrolled"


@terminal.command("change")
@name_argument
@click.option(
    "--table",
    "number",
    type=click.IntRange(0, 1_000_000),
    help="The table it stands at; 0 for any.",
)
@click.option("--new-code", is_flag=True, help="Make one and print it this once.")
@desk
async def terminal_change(found: Desk, name: str, number: int | None, new_code: bool) -> None:
    """Move a terminal, or enrol it anew: a new code revokes the old key."""
    if number is None and not new_code:
        raise Refusal("nothing to change: give --table or --new-code")
    if number:
        found.table(number)
    made = await found.admin.change_terminal(name, table=number, new_code=new_code)
    if made:
        show_once(f"code of {name}, good for an hour", made)
    console.line(f"{name} is changed")


@terminal.command("disable")
@name_argument
@reason_option
@desk
async def terminal_disable(found: Desk, name: str, reason: str) -> None:
    """Revoke a terminal; its connection is cut, its credits stay."""
    await found.admin.change_terminal(name, disable=reason)
    console.line(f"{name} is disabled")
