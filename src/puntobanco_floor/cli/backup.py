"""`archive`, `backup`, `restore` and `copy`: a floor's data elsewhere, each proved the same."""

from __future__ import annotations

from pathlib import Path

import click

from puntobanco.base.private_files import write_private
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import file_option
from puntobanco_floor.audit.archive import archived
from puntobanco_floor.audit.floor_audit import audit_archive
from puntobanco_floor.cli.floor_options import database_option, keys_option, other_database
from puntobanco_floor.journal.key_files import new_passphrase
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.backup import backup as make_backup
from puntobanco_floor.store.backup import copy as make_copy
from puntobanco_floor.store.backup import restore as make_restore
from puntobanco_floor.store.engines import sqlite_path
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import reading

stream_option = click.option("--table", required=True, metavar="STREAM", help="Such as table:1.")
period_option = click.option(
    "--period",
    required=True,
    type=click.IntRange(1),
    help="Its number; a shoe's end seals a period.",
)


@click.command
@database_option
@stream_option
@period_option
@click.option("--to", "target", required=True, metavar="FILE")
def archive(database: str, table: str, period: int, target: str) -> None:
    """Write a sealed period of a table to a file that can be checked and replayed alone."""
    with console.stages(left=f"{target} was not written") as begin:
        with reading(database) as reader:
            held = archived(reader, table, period)
        report = audit_archive(held, begin=begin)
    if report.fault:
        raise Refusal(f"the period is not sound: {report.fault}")
    path = Path(target)
    if path.exists():
        raise Refusal(f"{target} is there already")
    write_private(path, held.bytes())
    entries = f"entries {held.header.first} to {held.header.last}"
    console.line(f"wrote {target}: {table} period {period}, {entries}")


@click.command
@database_option
@click.option("--to", "target", required=True, metavar="FOLDER")
@click.option("--with-keys", is_flag=True, help="The key ring too, under a passphrase.")
@keys_option
def backup(database: str, target: str, *, with_keys: bool, keys: Path | None) -> None:
    """Copy a database and its heads to a folder, while tables play. The key ring stays out: keep it
    apart.
    """
    path, ring, passphrase = sqlite_path(database), None, ""
    said = "without the key ring, which you keep elsewhere"
    if with_keys:
        ring, _ = files_of(database, keys=keys)
        # asked for before anything is copied
        passphrase = KeyRing.load(ring).passphrase or new_passphrase(Path(target))
        said = "with the key ring under its passphrase"
    with console.stages(left=f"{target} is not a whole backup: remove it") as begin:
        states = make_backup(path, Path(target), keys=ring, passphrase=passphrase, begin=begin)
    _show(states)
    console.line(f"wrote {target}, {said}")


@click.command
@click.option("--from", "source", required=True, metavar="FOLDER")
@database_option
def restore(source: str, database: str) -> None:
    """Bring a backup back; refused unless every stream comes to the state it had."""
    with console.stages(left=f"{database} was not made") as begin:
        states = make_restore(Path(source), sqlite_path(database), begin)
    _show(states)
    console.line(f"restored {database}; all {len(states)} streams came to the state they had")
    ring, _ = files_of(database)
    if not ring.exists():
        console.line(
            f"no key ring was in the backup: put the floor's at {ring} before you serve it"
        )
    console.line(
        f"next: puntobanco epoch begin --database {database} --reason ... --first ... "
        "--second ...; nothing is served before it"
    )


@click.command
@click.option("--from", "source", metavar="URL")
@file_option("--from-file", "A file that holds that address, where it has a password.")
@click.option("--to", "target", metavar="URL")
@file_option("--to-file", "A file that holds that address, where it has a password.")
@file_option("--keys", "The key ring of the source; by default the one beside it.")
@file_option("--to-keys", "Where the key ring goes.")
def copy(
    source: str | None,
    from_file: Path | None,
    target: str | None,
    to_file: Path | None,
    keys: Path | None,
    to_keys: Path | None,
) -> None:
    """Copy a whole floor from one database to another, SQLite or PostgreSQL, and prove it the
    same.
    """
    first = _named("--from", source, from_file)
    second = _named("--to", target, to_file)
    with console.stages(left="nothing was copied: the new database is empty") as begin:
        states = make_copy(first, second, keys=keys, target_keys=to_keys, begin=begin)
    _show(states)
    console.line(f"copied; all {len(states)} streams came to the state they had")


def _named(option: str, database: str | None, file: Path | None) -> str:
    found = other_database(database, file)
    if found is None:
        raise click.UsageError(f"Missing option '{option}'.")
    return found


def _show(states: dict[str, str]) -> None:
    """The hash of every stream's state."""
    console.table(("stream", "state"), states.items())
