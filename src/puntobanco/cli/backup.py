"""`archive`, `backup`, `restore` and `copy`: a floor's data elsewhere, each proved the same."""

from __future__ import annotations

from pathlib import Path

import click

from puntobanco.base.refusal import Refusal
from puntobanco.cli import show
from puntobanco.cli.options import (
    database_option,
    file_option,
    keys_option,
    other_database,
)
from puntobanco.keys import KeyRing
from puntobanco.passphrase import new_passphrase
from puntobanco.private_files import write_private
from puntobanco.storage.archive import archived
from puntobanco.storage.audit import audit_archive
from puntobanco.storage.backup import backup as make_backup
from puntobanco.storage.backup import restore as make_restore
from puntobanco.storage.copy import copy as make_copy
from puntobanco.storage.engines import sqlite_path
from puntobanco.storage.locate import files_of
from puntobanco.storage.reader import reading

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
    with show.stages(left=f"{target} was not written") as begin:
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
    show.line(f"wrote {target}: {table} period {period}, {entries}")


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
    with show.stages(left=f"{target} is not a whole backup: remove it") as begin:
        states = make_backup(path, Path(target), keys=ring, passphrase=passphrase, begin=begin)
    _show(states)
    show.line(f"wrote {target}, {said}")


@click.command
@click.option("--from", "source", required=True, metavar="FOLDER")
@database_option
def restore(source: str, database: str) -> None:
    """Bring a backup back; refused unless every stream comes to the state it had."""
    with show.stages(left=f"{database} was not made") as begin:
        states = make_restore(Path(source), sqlite_path(database), begin)
    _show(states)
    show.line(f"restored {database}; all {len(states)} streams came to the state they had")
    ring, _ = files_of(database)
    if not ring.exists():
        show.line(f"no key ring was in the backup: put the floor's at {ring} before you serve it")
    show.line(
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
    with show.stages(left="nothing was copied: the new database is empty") as begin:
        states = make_copy(first, second, keys=keys, target_keys=to_keys, begin=begin)
    _show(states)
    show.line(f"copied; all {len(states)} streams came to the state they had")


def _named(option: str, database: str | None, file: Path | None) -> str:
    found = other_database(database, file)
    if found is None:
        raise click.UsageError(f"Missing option '{option}'.")
    return found


def _show(states: dict[str, str]) -> None:
    """The hash of every stream's state."""
    show.table(("stream", "state"), states.items())
