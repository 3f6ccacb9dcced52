"""`archive`, `backup`, `restore`, `copy`, `migrate`, `export`: a floor and copies of its data."""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import click

from puntobanco.base.private_files import write_private
from puntobanco.base.progress import AT_ONCE, Advance, counted
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import file_option
from puntobanco_floor.audit.archive import read_period
from puntobanco_floor.audit.floor_audit import audit_archive
from puntobanco_floor.cli.floor_options import (
    database_option,
    keys_option,
    other_database,
    stream_option,
)
from puntobanco_floor.domain import events as e
from puntobanco_floor.journal.key_files import new_passphrase
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.reports.report_pages import as_cell
from puntobanco_floor.store import engines, schema_upgrade
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.backup import backup as make_backup
from puntobanco_floor.store.backup import copy as make_copy
from puntobanco_floor.store.backup import restore as make_restore
from puntobanco_floor.store.engines import sqlite_path
from puntobanco_floor.store.open_store import files_of
from puntobanco_floor.store.reader import Reader, StreamRow, reading
from puntobanco_floor.store.schema_upgrade import grant, versions


@click.command
@database_option
@click.option("--table", required=True, metavar="STREAM", help="Such as table:1.")
@click.option(
    "--period",
    required=True,
    type=click.IntRange(1),
    help="Its number; a shoe's end seals a period.",
)
@click.option("--to", "target", required=True, metavar="FILE")
def archive(database: str, table: str, period: int, target: str) -> None:
    """Write a sealed period of a table to a file that can be checked and replayed alone."""
    with console.stages(left=f"{target} was not written") as begin:
        with reading(database) as reader:
            held = read_period(reader, table, period)
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


@click.command
@database_option
@click.option(
    "--node",
    "nodes",
    multiple=True,
    metavar="ROLE",
    help="On PostgreSQL: a role that may append and no more; may be repeated.",
)
def migrate(database: str, nodes: tuple[str, ...]) -> None:
    """Bring a database up to date, as its owner. Nodes that connect as another role cannot do it
    themselves, and cannot take off what keeps the journal.
    """
    if nodes and not is_postgres(database):
        raise Refusal("--node is for PostgreSQL; a SQLite file has no roles")
    with console.stages(left="nothing was changed") as begin:
        schema_upgrade.migrate(database, begin=begin)
    if nodes:
        with engines.connected(database) as connection:
            for role in nodes:
                grant(connection, role)
    console.line(f"{engines.shown(database)} is of version {versions()[-1]}")
    for role in nodes:
        console.line(f"{role} may append")


# Export

TRANSFER_COLUMNS = ("stream", "entry", "n", "debit", "credit", "cents")
ROUND_COLUMNS = ("stream", "round", "entry", "time", "game", "result", "cards")
LINE_COLUMNS = (
    "session",
    "bet",
    "stake_cents",
    "outcome",
    "winnings_cents",
    "returned_cents",
    "bonus_cents",
    "clause",
    "bonus_clause",
)
WAGER_COLUMNS = ROUND_COLUMNS + LINE_COLUMNS

ADJUSTMENT_COLUMNS = (
    "stream",
    "entry",
    "time",
    "session",
    "round",
    "review",
    "cents",
    "clause",
    "direction",
    "note",
    "window",
    "shift",
    "proposed_by",
    "approved_by",
)


@click.command
@database_option
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), required=True)
@click.option(
    "--what",
    type=click.Choice(["journal", "wagers", "transfers", "adjustments"]),
    help="By default the journal, or wagers.",
)
@stream_option
def export(database: str, form: str, what: str | None, table: str | None) -> None:
    """Write the journal as JSON lines, or every settled wager, transfer or adjustment as CSV, to
    standard output.
    """
    as_csv = form == "csv"
    if what == "journal" and as_csv:
        raise click.UsageError(
            "the journal goes out as jsonl; csv is for wagers, transfers and adjustments"
        )
    left = "the output is not whole"
    with console.stages(left=left, writes_output=True) as begin, reading(database) as reader:
        streams = _streams(reader, table)
        advance = begin("entries", sum(row.seq for row in streams.values()))
        if what == "transfers":
            _write(TRANSFER_COLUMNS, _transfers(reader, streams, advance), as_csv=as_csv)
        elif what == "adjustments":
            rows = _adjustments(reader, streams, advance)
            if as_csv:
                rows = (tuple(map(_plain, row)) for row in rows)
            _write(ADJUSTMENT_COLUMNS, rows, as_csv=as_csv)
        elif what == "wagers" or as_csv:
            _write(WAGER_COLUMNS, _wagers(reader, streams, advance), as_csv=as_csv)
        else:
            _write_journal(reader, streams, advance)


def _streams(reader: Reader, table: str | None) -> dict[str, StreamRow]:
    streams = reader.streams()
    if table is None:
        return streams
    if table not in streams:
        raise Refusal(f"there is no stream {table}; there are {', '.join(streams) or 'none'}")
    return {table: streams[table]}


def _write_journal(reader: Reader, streams: Iterable[str], advance: Advance) -> None:
    for name in streams:
        for _, data in counted(reader.entries(name), advance):
            click.echo(data.decode())


def _transfers(
    reader: Reader, streams: Mapping[str, StreamRow], advance: Advance
) -> Iterator[tuple[object, ...]]:
    for name, last in streams.items():
        told = 0
        for row in reader.transfers(name):
            yield name, *row
            if row.seq >= told + AT_ONCE:
                advance(row.seq - told)
                told = row.seq
        advance(last.seq - told)


def _adjustments(
    reader: Reader, streams: Iterable[str], advance: Advance
) -> Iterator[tuple[object, ...]]:
    """What rulings on past rounds have awarded; `window` is 0 where it was paid as credits."""
    for name in streams:
        for entry, _ in counted(reader.chain(name), advance):
            for event in entry.events:
                if isinstance(event, e.CreditsAdjusted):
                    values = (getattr(event, field) for field in ADJUSTMENT_COLUMNS[3:])
                    yield name, entry.seq, console.utc(entry.at), *values


def _plain(value: object) -> object:
    """Keep a note from being read as a formula."""
    return as_cell(value) if isinstance(value, str) else value


def _wagers(
    reader: Reader, streams: Iterable[str], advance: Advance
) -> Iterator[tuple[object, ...]]:
    """The lines of every settlement and void; a reopening takes its lines back: the same rows,
    marked.
    """
    for name in streams:
        for entry, _ in counted(reader.chain(name), advance):
            for event in entry.events:
                if isinstance(event, e.Reckoning):
                    time = console.utc(entry.at)
                    game, *_ = entry.rules.split(" ")
                    result = event.result or "REOPENED"
                    begin = (name, event.round, entry.seq, time, game, result, event.cards)
                    for line in event.lines:
                        cells = (getattr(line, column) for column in LINE_COLUMNS)
                        yield *begin, *cells


def _write(columns: Sequence[str], rows: Iterable[tuple[object, ...]], *, as_csv: bool) -> None:
    if not as_csv:
        for row in rows:
            console.echo_json(dict(zip(columns, row, strict=True)))
        return
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
