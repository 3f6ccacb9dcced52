"""`patron`: patrons who may not play, and the cards that lead to patrons."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import click
import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import file_option, json_option
from puntobanco_floor.cli.floor_options import other_database
from puntobanco_floor.cli.offline_admin import (
    Desk,
    desk,
    minute,
    people_of,
    reason_option,
    show_list,
)
from puntobanco_floor.cli.two_people import Verify, two_people
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR, is_session, is_table
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.service.administration import ExclusionView, Made, exclusions_of
from puntobanco_floor.service.patron_lookup import verify_gone

card_argument = click.argument("card", metavar="CARD")
until_option = click.option(
    "--until", type=click.DateTime(), help="In UTC; by default until readmitted."
)


@click.group
def patron() -> None:
    """Patrons, by card or by id (p-7f3k9m2q): exclude, readmit, list, find, erase, mend."""


@patron.command("exclude")
@card_argument
@reason_option
@until_option
@desk
async def patron_exclude(found: Desk, card: str, reason: str, until: datetime | None) -> None:
    """Stop a patron everywhere; wagers in play are settled, credits can be cashed out."""
    fields: dict[str, object] = {"by": found.by, "reason": reason}
    if until:
        until_ms = int(until.replace(tzinfo=UTC).timestamp() * 1000)
        if until_ms <= wall_ms():
            raise Refusal(f"{until:%Y-%m-%d %H:%M} UTC is over: nobody would be excluded")
        fields["until"] = until_ms
    # after what may be refused: a card that is new gets a patron's id
    name = fields["patron"] = await found.patrons.named(card)
    # converted, not constructed: the lengths of its texts are checked
    command = msgspec.convert({"command": "exclude-patron", **fields}, h.ExcludePatron)
    await found.do(FLOOR, command)
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
        fields = {"command": "erase-patron", "by": found.by, "patron": name, "reason": reason}
        await found.do(FLOOR, msgspec.convert(fields, h.ErasePatron))
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
    fields = {"command": "erase-patron", "by": people.first, "second": people.second}
    command = msgspec.convert({**fields, "patron": name, "reason": reason}, h.ErasePatron)
    await found.do(FLOOR, command)
    await found.patrons.erase(name)
    console.line(f"{name} is given up")


def _shown(card: str, name: str) -> str:
    """The patron, and the card as it was typed."""
    return name if card == name else f"{name} ({card})"


def _exclusion(row: ExclusionView) -> tuple[str, ...]:
    until = minute(row.until) if row.until else ""
    return row.patron, row.reason, until
