"""`staff`, `terminal` and `patron`: who may work, which devices serve, who may not play."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import file_option, json_option
from puntobanco_floor.cli.floor_options import other_database
from puntobanco_floor.cli.offline_admin import (
    Desk,
    Verify,
    desk,
    minute,
    name_argument,
    people_of,
    reason_option,
    show_list,
    show_once,
    two_people,
    verify_bounds,
    verify_name,
)
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR, is_session, is_table
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.service.administration import (
    ExclusionView,
    Made,
    StaffView,
    TerminalView,
    exclusions_of,
    staff_of,
    terminals_of,
)
from puntobanco_floor.service.patron_lookup import verify_gone
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


# Terminals


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
    rows = terminals_of(found.house, wall_ms())
    show_list(("name", "table", "state"), rows, _terminal, as_json=as_json)


def _terminal(row: TerminalView) -> tuple[str, ...]:
    state = "a code waits" if row.code_waits else "not enrolled"
    if row.disabled:
        state = f"disabled: {row.disabled}"
    elif row.enrolled:
        state = "enrolled"
    return row.name, row.table or "any", state


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


# Patrons

card_argument = click.argument("card", metavar="CARD")


@click.group
def patron() -> None:
    """Patrons, by card or by id (p-7f3k9m2q): exclude, readmit, list, find, erase, mend."""


@patron.command("exclude")
@card_argument
@reason_option
@click.option("--until", type=click.DateTime(), help="In UTC; by default until readmitted.")
@desk
async def patron_exclude(found: Desk, card: str, reason: str, until: datetime | None) -> None:
    """Stop a patron everywhere; wagers in play are settled, credits can be cashed out."""
    until_ms = None
    if until:
        until_ms = int(until.replace(tzinfo=UTC).timestamp() * 1000)
        if until_ms <= wall_ms():
            raise Refusal(f"{until:%Y-%m-%d %H:%M} UTC is over: nobody would be excluded")
    # after what may be refused: a card that is new gets a patron's id
    name = await found.patrons.named(card)
    exclude = h.ExcludePatron(by=found.by, patron=name, reason=reason, until=until_ms)
    await found.do(FLOOR, verify_bounds(exclude))
    console.line(f"{_shown(card, name)} may not play")


@patron.command("readmit")
@card_argument
@two_people
@desk
async def patron_readmit(found: Desk, card: str, verify: Verify) -> None:
    """A patron may play again; where the house decides by two people, both give their password."""
    name = await found.patrons.find(card)
    people = people_of(found, verify)
    readmit = h.ReadmitPatron(by=people.first, patron=name)
    made = Made(name=name, proposal=await found.do(FLOOR, readmit))
    await found.made_by_two(people, made)
    console.line(f"{_shown(card, name)} may play")


@patron.command("list")
@json_option
@desk
def patron_list(found: Desk, as_json: bool) -> None:
    """Patrons who may not play."""
    rows = exclusions_of(found.house)
    show_list(("patron", "reason", "until"), rows, _exclusion, as_json=as_json)


@patron.command("find")
@card_argument
@desk
async def patron_find(found: Desk, card: str) -> None:
    """The id that the journal has for who holds a card."""
    console.line(await found.patrons.find(card))


@patron.command("erase")
@card_argument
@reason_option
@desk
async def patron_erase(found: Desk, card: str, reason: str) -> None:
    """Erase what leads from a card to its patron. Refused while the patron sits at a table, is
    excluded or has limits.
    """
    name = await found.patrons.find(card)
    if is_session(name):
        raise Refusal(f"{name} is a session of nobody: there is no card to erase")
    tables = found.tables()
    unread = {table for table in found.store.names() if is_table(table)} - tables.keys()
    if unread:
        raise Refusal(f"{', '.join(sorted(unread))} cannot be read: who sits there is not known")
    verify_gone(name, tables.values())
    # First the journal, where it may be refused. Asked again after a crash it only erases the row.
    if name not in found.house.erased:
        erase = h.ErasePatron(by=found.by, patron=name, reason=reason)
        await found.do(FLOOR, verify_bounds(erase))
    await found.patrons.erase(name)
    console.line(f"the card of {name} is erased")


@patron.command("mend")
@click.option(
    "--from",
    "backup",
    metavar="DATABASE",
    help="A backup, from which rows that are missing are put back.",
)
@file_option("--from-file", "A file that holds its address, where it has a password.")
@desk
async def patron_mend(found: Desk, backup: str | None, from_file: Path | None) -> None:
    """Mend the table of patrons' cards: rows that this floor did not write are taken out, and those
    of a backup that it did write are put back where they are missing.
    """
    false, back = await found.patrons.mend(other_database(backup, from_file))
    console.line(
        f"{false} rows were not written by this floor and are taken out, {back} are put back"
    )
    lost = await found.patrons.look()
    if lost:
        raise Refusal(
            f"no card leads to {', '.join(lost)}: mend from an older backup, or exclude the person "
            "by card and then run `puntobanco patron give-up`; no new card is taken until then"
        )


@patron.command("give-up")
@click.argument("name", metavar="ID")
@reason_option
@two_people
@desk
async def patron_give_up(found: Desk, name: str, reason: str, verify: Verify) -> None:
    """Give up what protects a patron to whom no card leads any more; by two people. Exclude the
    person by card first.
    """
    if name not in await found.patrons.look():
        raise Refusal(f"{name} is none to whom no card leads: nothing is given up")
    people = verify(found.house, found.admin.passwords, found.note_try)
    erase = h.ErasePatron(by=people.first, second=people.second, patron=name, reason=reason)
    await found.do(FLOOR, verify_bounds(erase))
    await found.patrons.erase(name)
    console.line(f"{name} is given up")


def _shown(card: str, name: str) -> str:
    """The patron, and the card as it was typed."""
    return name if card == name else f"{name} ({card})"


def _exclusion(row: ExclusionView) -> tuple[str, ...]:
    until = minute(row.until) if row.until else ""
    return row.patron, row.reason, until
