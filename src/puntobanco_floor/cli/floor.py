"""`init` and `floor`: a floor set up, stopped and started again.

Administration works on the database itself, whether a floor is served from it or not; who may read
the key ring may do it.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import click
import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import file_option, read_text
from puntobanco_floor.cli.floor_options import (
    cause_options,
    database_option,
    day_starts_option,
    zone_option,
)
from puntobanco_floor.cli.offline_admin import Desk, desk, minute, show_once, verify_name
from puntobanco_floor.domain.commands import stated
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import Cut, clock_text
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.service.passwords import new_password
from puntobanco_floor.store.engines import shown


@click.command
@database_option
@file_option("--keys", "Where the key ring goes; by default beside the database.")
@file_option("--heads", "Where the file of heads goes; by default beside the database.")
@click.option(
    "--name", "house", required=True, help="The name of the house, as reports and vouchers have it."
)
@click.option(
    "--administrator", default="admin", show_default=True, help="The first administrator's login."
)
@click.option(
    "--password-file",
    metavar="FILE",
    help='Its password until the first login, "-" for standard input; by default you are asked.',
)
@click.option(
    "--second-administrator",
    default="admin2",
    show_default=True,
    help="The second administrator's login: another person.",
)
@click.option(
    "--second-password-file",
    metavar="FILE",
    help='Its password, "-" for standard input; by default you are asked.',
)
@zone_option
@day_starts_option
def init(
    database: str,
    keys: Path | None,
    heads: Path | None,
    house: str,
    administrator: str,
    password_file: str | None,
    second_administrator: str,
    second_password_file: str | None,
    zone: str,
    day_starts: int,
) -> None:
    """Set up a floor: database, key ring, and two administrators, who choose passwords of their
    own at their first login.
    """
    name = house.strip()
    found = Desk(database, keys, heads, new=True)
    try:
        if found.house.is_open:
            raise Refusal(
                f"this floor was set up before, as {found.house.name}; begin another one in an "
                "empty folder, or name its database: --database other.db"
            )
        password, made = _password(administrator, password_file)
        other, other_made = _password(second_administrator, second_password_file)
        verify_name(administrator)
        verify_name(second_administrator)
        day = Cut(zone, day_starts)
        second = (second_administrator, other)
        opening = found.admin.open_house(name, administrator, password, second=second, day=day)
        asyncio.run(opening)
    finally:
        found.store.close()
    console.line(f"{name} is set up in {shown(database)}")
    if made:
        show_once(f"password of {administrator}", password)
    if other_made:
        show_once(f"password of {second_administrator}", other)
    console.line(
        "both choose passwords of their own: at the first login, or by puntobanco staff enrol"
    )
    console.line("next: puntobanco table add 1 six-star")
    console.line("      puntobanco terminal add T1 --table 1")
    console.line(
        "      puntobanco serve --tls-cert cert.pem --tls-key key.pem   (or --proxy behind "
        "one that has TLS)"
    )


def _password(name: str, path: str | None) -> tuple[str, bool]:
    """The password, and whether it was made here."""
    if path:
        return read_text(path).strip("\r\n"), False
    # the other password may have been read from standard input, to its end
    if not sys.stdin.closed and sys.stdin.isatty():
        typed = click.prompt(f"Password of {name}", hide_input=True, confirmation_prompt=True)
        return typed, False
    return new_password(), True


@click.group
def floor() -> None:
    """The whole floor: stop, start, its gaming day."""


@floor.command("stop")
@cause_options
@desk
async def floor_stop(found: Desk, cause: str, note: str) -> None:
    """No new round anywhere; those in play end by rule."""
    await found.do(FLOOR, h.StopFloor(by=found.by, reason=stated(cause, note)))
    console.line("no table opens a new round")


@floor.command("start")
@desk
async def floor_start(found: Desk) -> None:
    """The floor goes on."""
    await found.do(FLOOR, h.StartFloor(by=found.by))
    console.line("the floor goes on")


@floor.command("gaming-day")
@click.option("--zone", required=True, help="Such as Asia/Singapore.")
@day_starts_option
@desk
async def floor_gaming_day(found: Desk, zone: str, day_starts: int) -> None:
    """When a day starts, and by whose clocks; it holds from the end of this day on."""
    fields = {"command": "set-gaming-day", "by": found.by, "zone": zone, "day_starts": day_starts}
    # converted, not constructed: the zone's name is checked
    await found.do(FLOOR, msgspec.convert(fields, h.SetGamingDay))
    last = found.house.calendar.cuts[-1]
    starts = f"{clock_text(day_starts)} in {zone}"
    console.line(f"from {minute(last.since)} on, a day starts at {starts}")
