"""`staff`: the people who may log in, their roles and passwords."""

from __future__ import annotations

import click

from puntobanco.cli import show
from puntobanco.cli.desk import (
    Desk,
    desk,
    name_argument,
    reason_option,
    show_list,
    show_once,
    verify_name,
)
from puntobanco.cli.options import json_option
from puntobanco.events import Role
from puntobanco.floor.admin import StaffView, staff_of
from puntobanco.floor.roles import ROLES
from puntobanco.rules.refusals import Refusal


@click.group
def staff() -> None:
    """The staff of a floor: add, list, change, disable, enable, confirm."""


@staff.command("add")
@name_argument
@click.argument("role", type=click.Choice(ROLES))
@desk
async def staff_add(found: Desk, name: str, role: Role) -> None:
    """Somebody new; the password is printed this once."""
    verify_name(name)
    password = await found.admin.add_staff(name, role)
    show_once(f"password of {name}", password)


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
    elif row.locked:
        state = "locked"
    elif row.unconfirmed:
        state = "to be confirmed since the recovery"
    return row.name, row.role, state


@staff.command("change")
@name_argument
@click.option("--role", type=click.Choice(ROLES))
@click.option("--new-password", is_flag=True, help="Make one and print it this once.")
@desk
async def staff_change(found: Desk, name: str, role: Role | None, new_password: bool) -> None:
    """Another role, or a new password, which also unlocks."""
    if role is None and not new_password:
        raise Refusal("nothing to change: give --role or --new-password")
    made = await found.admin.change_staff(name, role=role, new=new_password)
    if made:
        show_once(f"password of {name}", made)
    show.line(f"{name} is changed")


@staff.command("disable")
@name_argument
@reason_option
@desk
async def staff_disable(found: Desk, name: str, reason: str) -> None:
    """Somebody may no longer log in; logins that are open end."""
    await found.admin.change_staff(name, disable=reason)
    show.line(f"{name} is disabled")


@staff.command("enable")
@name_argument
@desk
async def staff_enable(found: Desk, name: str) -> None:
    """Somebody may log in again."""
    await found.admin.change_staff(name, enable=True)
    show.line(f"{name} is enabled")


@staff.command("confirm")
@name_argument
@desk
async def staff_confirm(found: Desk, name: str) -> None:
    """After a recovery: somebody is on the staff as the journal has it, and may log in."""
    await found.admin.confirm_staff(name)
    show.line(f"{name} is confirmed")
