"""`epoch`: what two people do after a recovery, before a floor is served again and after."""

from __future__ import annotations

from pathlib import Path

import click

from puntobanco.cage.commands import RestoreVoucher
from puntobanco.cli import show
from puntobanco.cli.desk import Desk, desk, reason_option
from puntobanco.cli.options import file_option, floor_database_option, keys_option
from puntobanco.cli.two_people import Verify, two_people
from puntobanco.floor.vouchers import Vouchers, parse_number
from puntobanco.house import commands as h
from puntobanco.house.gaming_day import DAY_MS
from puntobanco.names import CAGE, FLOOR
from puntobanco.rules.money import format_cents, parse_cents
from puntobanco.rules.refusals import Refusal
from puntobanco.storage import recovery
from puntobanco.storage.recovery import Everywhere


@click.group
def epoch() -> None:
    """After a recovery: begin an epoch, confirm vouchers and exclusions."""


@epoch.command("begin")
@floor_database_option
@keys_option
@file_option("--heads", "The file of heads; by default beside the database.")
@reason_option
@two_people
def begin(
    database: str, keys: Path | None, heads: Path | None, reason: str, verify: Verify
) -> None:
    """After a restore, a point-in-time recovery or a promoted replica, by two people; nodes are
    stopped meanwhile.

    Rounds in play are void, shoes are retired, credits at tables are paid by two people, vouchers
    from before wait to be confirmed, and so do staff and exclusions. Run again after a crash, it
    does the rest.
    """
    found = Desk(database, keys, heads, recovering=True)
    try:
        people = verify(found.house, found.admin.passwords, found.note_wrong)
        done = recovery.begin_epoch(found.store, people, reason)
    finally:
        found.store.close()
    show.line(f"epoch {done.epoch} is begun in {len(done.done)} streams")
    _verify_all(done, "puntobanco journal set-aside, then run this again")
    show.line("next: puntobanco staff confirm NAME, for everybody else who is still on the staff")
    show.line("      puntobanco epoch confirm-exclusions, once the list is complete")
    show.line("      puntobanco vouchers, then puntobanco epoch confirm-vouchers")
    show.line("      puntobanco serve; credits at tables are paid at the cage by two people")


@epoch.command("confirm-vouchers")
@click.option(
    "--doubt",
    "doubted",
    multiple=True,
    metavar="NUMBER",
    help="A voucher that stays with two people, such as one that was paid in the lost time; may "
    "be repeated.",
)
@two_people
@desk
def confirm_vouchers(found: Desk, doubted: tuple[str, ...], verify: Verify) -> None:
    """Vouchers from before the recovery are good again, but for those that somebody doubts."""
    vouchers = Vouchers(found.store.ring, found.database)
    ids = tuple(vouchers.id_of(parse_number(number)) for number in doubted)
    people = verify(found.house, found.admin.passwords, found.note_wrong)
    done = recovery.confirm_vouchers(found.store, people, ids)
    show.line(f"vouchers are confirmed in {len(done.done)} streams, {len(ids)} are doubted")
    _verify_all(done, "puntobanco journal set-aside, then run this again")


@epoch.command("restore-voucher")
@click.argument("number")
@click.argument("amount", type=parse_cents)
@click.option("--window", default=1, show_default=True, help="The cage window that will pay it.")
@click.option("--days", default=30, show_default=True, help="How long it is good.")
@reason_option
@two_people
@desk
async def restore_voucher(
    found: Desk, number: str, amount: int, window: int, days: int, reason: str, verify: Verify
) -> None:
    """A voucher on paper that the recovery has lost is known again; it is then paid as any
    other.
    """
    vouchers = Vouchers(found.store.ring, found.database)
    people = verify(found.house, found.admin.passwords, found.note_wrong)
    command = RestoreVoucher(
        by=people.first,
        second=people.second,
        voucher=vouchers.id_of(parse_number(number)),
        cents=amount,
        valid_ms=days * DAY_MS,
        reason=reason,
    )
    await found.do(f"{CAGE}{window}", command)
    show.line(f"a voucher of {format_cents(amount)} is restored; cage window {window} pays it")


@epoch.command("confirm-exclusions")
@two_people
@desk
async def confirm_exclusions(found: Desk, verify: Verify) -> None:
    """The list of exclusions is complete again: patrons can be seated."""
    people = verify(found.house, found.admin.passwords, found.note_wrong)
    command = h.ConfirmExclusions(by=people.first, second=people.second)
    await found.do(FLOOR, command)
    show.line(f"the exclusions of {len(found.house.excluded)} patrons are confirmed")


def _verify_all(done: Everywhere, then: str) -> None:
    if done.blocked:
        said = "; ".join(done.blocked.values())
        raise Refusal(f"not everywhere: {said}; {then}")
