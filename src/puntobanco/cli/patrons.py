"""`patron`: patrons who may not play."""

from __future__ import annotations

from datetime import UTC, datetime

import click
import msgspec

from puntobanco.cli import show
from puntobanco.cli.desk import Desk, desk, minute, name_argument, reason_option, show_list
from puntobanco.cli.options import json_option
from puntobanco.floor.admin import ExclusionView, exclusions_of
from puntobanco.house import commands as h
from puntobanco.names import FLOOR

until_option = click.option(
    "--until", type=click.DateTime(), help="In UTC; by default until readmitted."
)


@click.group
def patron() -> None:
    """Patrons who may not play: exclude, readmit, list."""


@patron.command("exclude")
@name_argument
@reason_option
@until_option
@desk
async def patron_exclude(found: Desk, name: str, reason: str, until: datetime | None) -> None:
    """Stop a patron everywhere; wagers in play are settled, credits can be cashed out."""
    fields: dict[str, object] = {"by": found.by, "patron": name, "reason": reason}
    if until:
        seconds = until.replace(tzinfo=UTC).timestamp()
        fields["until"] = int(seconds * 1000)
    # converted, not constructed: the lengths of its texts are checked
    command = msgspec.convert({"command": "exclude-patron", **fields}, h.ExcludePatron)
    await found.do(FLOOR, command)
    show.line(f"{name} may not play")


@patron.command("readmit")
@name_argument
@desk
async def patron_readmit(found: Desk, name: str) -> None:
    """A patron may play again."""
    await found.do(FLOOR, h.ReadmitPatron(by=found.by, patron=name))
    show.line(f"{name} may play")


@patron.command("list")
@json_option
@desk
def patron_list(found: Desk, as_json: bool) -> None:
    """Patrons who may not play."""
    rows = exclusions_of(found.house)
    show_list(("patron", "reason", "until"), rows, _exclusion, as_json=as_json)


def _exclusion(row: ExclusionView) -> tuple[str, ...]:
    until = minute(row.until) if row.until else ""
    return row.patron, row.reason, until
