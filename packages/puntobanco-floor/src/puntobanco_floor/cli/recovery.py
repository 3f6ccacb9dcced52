"""`epoch` and `journal`: what two people do after a recovery, and about entries that fail."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path

import click

from puntobanco.base.money import dollars, parse_cents
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import file_option
from puntobanco_floor.cli.audit import seen_by_others
from puntobanco_floor.cli.floor_options import database_option, keys_option
from puntobanco_floor.cli.offline_admin import (
    Desk,
    Verify,
    desk,
    note_try,
    reason_option,
    two_people,
    verify_bounds,
)
from puntobanco_floor.domain.cage.commands import RestoreVoucher
from puntobanco_floor.domain.commands import MAX_CENTS
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import DAY_MS
from puntobanco_floor.domain.stream_names import CAGE, FLOOR
from puntobanco_floor.environment import World
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.recovery import epochs, log_recovery
from puntobanco_floor.recovery import quarantine as aside
from puntobanco_floor.recovery.epochs import Everywhere
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.voucher_numbers import Vouchers, parse_number
from puntobanco_floor.store.nodes import nodes_stopped
from puntobanco_floor.store.open_store import files_of, open_store
from puntobanco_floor.transparency.publication import Publication, folder_of
from puntobanco_proof.tree.checkpoints import open_checkpoint

MAX_WINDOW, MAX_VALID_DAYS = 1_000, 10_000
"""Of a voucher that is restored."""


@click.group
def epoch() -> None:
    """After a recovery: begin an epoch, confirm vouchers and exclusions."""


@epoch.command("begin")
@database_option
@keys_option
@file_option("--heads", "The file of heads; by default beside the database.")
@click.option(
    "--publication",
    default="",
    metavar="FOLDER",
    help="The folder that the log is published to; by default beside the file of heads.",
)
@reason_option
@file_option("--witness", "A policy: its witnesses are asked how long the log was.")
@click.option(
    "--nothing-is-lost",
    "--another",
    "nothing_lost",
    is_flag=True,
    help="Begin one although no file of heads, publication folder or witness knows more than the "
    "database.",
)
@click.option(
    "--nodes-are-stopped",
    is_flag=True,
    help="Begin one although a program has the database open, such as a connection that a crashed "
    "node left behind.",
)
@click.option(
    "--without",
    multiple=True,
    metavar="STREAM",
    help="A stream whose entries are to be set aside afterwards, which joins the epoch by that; "
    "may be repeated.",
)
@two_people
def begin(
    database: str,
    keys: Path | None,
    heads: Path | None,
    publication: str,
    reason: str,
    witness: Path | None,
    nothing_lost: bool,
    nodes_are_stopped: bool,
    without: tuple[str, ...],
    verify: Verify,
) -> None:
    """After a restore, a point-in-time recovery or a promoted replica, by two people; nodes are
    stopped meanwhile.

    Rounds in play are void, shoes are retired, credits at tables are paid by two people, vouchers
    from before wait to be confirmed, and so do staff and exclusions. Run again after a crash, it
    does the rest.

    Refused while a node runs, and where nothing is lost: the file of heads, the publication folder
    or a witness must know more than the database.
    """
    tries = list[h.NoteLogin]()
    stopped = nullcontext() if nodes_are_stopped else nodes_stopped(database)
    with stopped, Desk(database, keys, heads, recovering=True) as found:
        store = found.store
        folder = Publication(folder_of(store.heads_file, publication))
        is_lost = _is_ahead(found, witness) or log_recovery.lost_leaves(store.log, folder) > 0
        if not (nothing_lost or is_lost):
            epochs.verify_loss(store, without)
        console.line(f"a new epoch: {epochs.consequences(store).describe()}")
        people = verify(found.house, found.admin.passwords, tries.append)
        lost = log_recovery.go_on(store.log, folder)
        done = epochs.begin_epoch(
            store,
            people,
            reason,
            nothing_lost=nothing_lost,
            without=without,
            lost_leaves=lost,
            is_lost=is_lost,
        )
        # only now: before the epoch an entry could stand where a lost one was signed
        if FLOOR not in done.blocked:
            for command in tries:
                found.note_try(command)
    console.line(f"epoch {done.epoch} is begun in {len(done.done)} streams")
    if lost:
        console.line(
            f"the log goes on from {folder.folder}: {lost} of its leaves have no entry now"
        )
    _verify_all(done, "puntobanco journal set-aside, by which the stream joins this epoch")
    console.line(
        "next: puntobanco staff confirm NAME, for everybody else who is still on the staff"
    )
    console.line("      puntobanco epoch confirm-exclusions, once the list is complete")
    console.line("      puntobanco vouchers, then puntobanco epoch confirm-vouchers")
    console.line("      puntobanco serve; credits at tables are paid at the cage by two people")


def _is_ahead(found: Desk, policy: Path | None) -> bool:
    """Whether a witness has seen a longer log than the database has."""
    seen = seen_by_others(found.database, policy, ()).seen
    size, verifiers = found.store.log.size(), found.store.log.verifiers()
    return any(open_checkpoint(note, verifiers).checkpoint.size > size for note in seen.values())


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
    people = verify(found.house, found.admin.passwords, found.note_try)
    done = epochs.confirm_vouchers(found.store, people, ids)
    if done.done:
        console.line(f"vouchers are confirmed in {len(done.done)} streams, {len(ids)} are doubted")
    else:
        console.line("no voucher waits to be confirmed; nothing was changed")
    _verify_all(done, "puntobanco journal set-aside, then run this again")


@epoch.command("restore-voucher")
@click.argument("number")
@click.argument("amount", type=parse_cents)
@click.option(
    "--window",
    type=click.IntRange(1, MAX_WINDOW),
    default=1,
    show_default=True,
    help="The cage window that will pay it.",
)
@click.option(
    "--days",
    type=click.IntRange(1, MAX_VALID_DAYS),
    default=30,
    show_default=True,
    help="How long it is good.",
)
@reason_option
@two_people
@desk
async def restore_voucher(
    found: Desk, number: str, amount: int, window: int, days: int, reason: str, verify: Verify
) -> None:
    """A voucher on paper that the recovery has lost is known again; it is then paid as any
    other.
    """
    if not 0 < amount <= MAX_CENTS:
        most = dollars(MAX_CENTS)
        raise Refusal(f"a voucher is worth more than nothing, and {most} at most")
    vouchers = Vouchers(found.store.ring, found.database)
    people = verify(found.house, found.admin.passwords, found.note_try)
    command = RestoreVoucher(
        by=people.first,
        second=people.second,
        voucher=vouchers.id_of(parse_number(number)),
        cents=amount,
        valid_ms=days * DAY_MS,
        reason=reason,
    )
    await found.do(f"{CAGE}{window}", verify_bounds(command))
    console.line(f"a voucher of {dollars(amount)} is restored; cage window {window} pays it")


@epoch.command("confirm-exclusions")
@two_people
@desk
async def confirm_exclusions(found: Desk, verify: Verify) -> None:
    """The list of exclusions is complete again: patrons can be seated."""
    people = verify(found.house, found.admin.passwords, found.note_try)
    command = h.ConfirmExclusions(by=people.first, second=people.second)
    await found.do(FLOOR, command)
    console.line(f"the exclusions of {len(found.house.excluded)} patrons are confirmed")


def _verify_all(done: Everywhere, then: str) -> None:
    if done.blocked:
        said = "; ".join(done.blocked.values())
        raise Refusal(f"not everywhere: {said}; {then}")


# Entries that fail


@click.group
def journal() -> None:
    """The journal: set entries aside that fail."""


@journal.command("set-aside")
@click.argument("stream")
@database_option
@keys_option
@file_option("--heads", "The file of heads; by default beside the database.")
@reason_option
@click.option(
    "--forged-root",
    multiple=True,
    metavar="ID",
    help="A root key that an entry names and no key ring of this floor has; may be repeated.",
)
@two_people
def set_aside(
    stream: str,
    database: str,
    keys: Path | None,
    heads: Path | None,
    reason: str,
    forged_root: tuple[str, ...],
    verify: Verify,
) -> None:
    """What comes after the last entry of STREAM that a node has signed is set aside, and kept; the
    round in play is void, and the stream goes on. Other tables play on meanwhile.
    """
    ring, filed = files_of(database, keys=keys, heads=heads)
    house = aside.house_of(database, ring, filed)

    def note(command: h.NoteLogin) -> None:
        with open_store(database, keys=ring, heads=filed, clock=False) as store:
            note_try(store, command)

    people = verify(house, Passwords(KeyRing.load(ring), World().hasher), note)
    done = aside.set_aside(
        database, stream, people, reason, keys=ring, heads=filed, forged_roots=forged_root
    )
    if done.last >= done.first:
        console.line(f"{stream}: entries {done.first} to {done.last} are set aside; it goes on")
    elif done.epoch:
        console.line(
            f"{stream}: entries are gone after {done.last}; it goes on in epoch {done.epoch}"
        )
    else:
        console.line(
            f"{stream}: what stands beside the journal is put right; no entry is set aside"
        )
    if done.epoch and stream == FLOOR:
        console.line("next: puntobanco epoch begin, since nodes had signed some of them")
