"""`journal`: what two people do about a stream whose entries fail."""

from __future__ import annotations

from pathlib import Path

import click

from puntobanco.cli import console
from puntobanco.cli.options import file_option
from puntobanco_floor.cli.floor_options import database_option, keys_option
from puntobanco_floor.cli.offline_admin import note_try, reason_option
from puntobanco_floor.cli.two_people import Verify, two_people
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.environment import World
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.recovery import quarantine as aside
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.store.open_store import files_of, open_store


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
