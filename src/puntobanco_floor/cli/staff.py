"""`staff`: the people who may log in, their roles and passwords."""

from __future__ import annotations

import click

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import json_option
from puntobanco_floor.cli.offline_admin import (
    Desk,
    desk,
    name_argument,
    people_of,
    reason_option,
    show_list,
    show_once,
    verify_name,
)
from puntobanco_floor.cli.two_people import Verify, two_people
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.service.administration import StaffView, staff_of
from puntobanco_floor.service.roles import ROLES
from puntobanco_floor.service.staff_logins import Enrolment, Logins
from puntobanco_floor.store.batch import Answer

_PROMPT_CODE = "Code, or the password that somebody else made"


@click.group
def staff() -> None:
    """The staff of a floor: add, enrol, list, change, disable, enable, confirm."""


@staff.command("add")
@name_argument
@click.argument("role", type=click.Choice(ROLES))
@two_people
@desk
async def staff_add(found: Desk, name: str, role: Role, verify: Verify) -> None:
    """Somebody new; the code with which the owner enrols is printed this once."""
    verify_name(name)
    people = people_of(found, verify)
    asked = await found.admin.named(people.first).add_staff(name, role)
    made = await found.made_by_two(people, asked)
    show_once(f"code of {name}", made.code)


@staff.command("enrol")
@name_argument
@desk
async def staff_enrol(found: Desk, name: str) -> None:
    """By the owner of an account: a password of one's own, and a second factor."""
    shown = click.prompt(_PROMPT_CODE, hide_input=True)
    enrolment = _enrolment(found)
    begun = await enrolment.begin(name, shown, "")
    one_time = ""
    if begun.factor:
        console.line("put this into an app for one-time codes (TOTP):")
        console.line(f"  {begun.secret}")
        click.echo(f"  {begun.uri}")  # to be copied: a narrow terminal puts no line end into it
        one_time = click.prompt("The code that it shows now")
    password = click.prompt("Your own password", hide_input=True, confirmation_prompt=True)
    await enrolment.enrol(name, shown, password, factor=begun.factor, one_time=one_time)
    console.line(f"{name} has enrolled")


def _enrolment(found: Desk) -> Enrolment:
    """As a served floor has it; the login that it gives is worth nothing here."""

    async def ask(command: Command) -> Answer:
        return await found.admin.ask(FLOOR, command)

    async def caught_up(_seq: int) -> None:
        """The desk reads what it has written."""

    passwords = found.admin.passwords
    logins = Logins(lambda: found.house, found.ring, passwords, ask, now=lambda: wall_ms() / 1000)
    return Enrolment(logins, caught_up)


@staff.command("list")
@json_option
@desk
def staff_list(found: Desk, as_json: bool) -> None:
    """The staff."""
    show_list(("name", "role", "state"), staff_of(found.house), _person, as_json=as_json)


def _person(row: StaffView) -> tuple[str, ...]:
    state = ""
    if row.disabled:
        state = f"disabled: {row.disabled}"
    elif not row.enrolled:
        state = "to enrol"
    elif row.locked:
        state = "wrong passwords in a row"
    elif row.unconfirmed:
        state = "to be confirmed since the recovery"
    return row.name, row.role, state


@staff.command("change")
@name_argument
@click.option("--role", type=click.Choice(ROLES))
@click.option("--new-code", is_flag=True, help="Make one and print it this once.")
@two_people
@desk
async def staff_change(
    found: Desk, name: str, role: Role | None, new_code: bool, verify: Verify
) -> None:
    """Another role; or a new code, with which the owner enrols anew."""
    if role is None and not new_code:
        raise Refusal("nothing to change: give --role or --new-code")
    people = people_of(found, verify)
    admin = found.admin.named(people.first)
    asked = await admin.change_staff(name, role=role, new_code=new_code)
    made = await found.made_by_two(people, asked)
    if made.code:
        show_once(f"code of {name}", made.code)
    console.line(f"{name} is changed")


@staff.command("disable")
@name_argument
@reason_option
@desk
async def staff_disable(found: Desk, name: str, reason: str) -> None:
    """Somebody may no longer log in; logins that are open end."""
    await found.admin.change_staff(name, disable=reason)
    console.line(f"{name} is disabled")


@staff.command("enable")
@name_argument
@desk
async def staff_enable(found: Desk, name: str) -> None:
    """Somebody may log in again."""
    await found.admin.change_staff(name, enable=True)
    console.line(f"{name} is enabled")


@staff.command("confirm")
@name_argument
@desk
async def staff_confirm(found: Desk, name: str) -> None:
    """After a recovery: somebody is on the staff as the journal has it, and may log in."""
    await found.admin.confirm_staff(name)
    console.line(f"{name} is confirmed")
