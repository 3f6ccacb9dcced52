"""`audit`, `replay`, `export`, `archive`, `backup`, `restore`: what a database proves, and getting
it out.
"""

from __future__ import annotations

import csv
import datetime
import io
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

import click
import msgspec

from puntobanco import events as e
from puntobanco.cli import show
from puntobanco.cli.options import echo_json, json_option
from puntobanco.journal import Entry, Fault, chained
from puntobanco.keys import KeyRing
from puntobanco.rules.cards import parse_card
from puntobanco.rules.money import format_cents
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.archive import archived, read_archive
from puntobanco.storage.audit import Report, audit_archive
from puntobanco.storage.audit import audit as run_audit
from puntobanco.storage.backup import backup as make_backup
from puntobanco.storage.backup import restore as make_restore
from puntobanco.storage.copy import copy as make_copy
from puntobanco.storage.locate import sqlite_path
from puntobanco.storage.reader import Reader, reading
from puntobanco.storage.replay import Story, archived_story, story

database_option = click.option(
    "--database",
    required=True,
    metavar="URL",
    help="sqlite:///floor.db, a path, or postgresql://...",
)


@click.command(
    help="Recompute everything from the journal: chain, signatures, commitments, settlements, "
    "every cent."
)
@click.option("--database", metavar="URL", help="sqlite:///floor.db, a path, or postgresql://...")
@click.option("--archive", metavar="FILE", help="Check an archived period instead, alone.")
@click.option("--table", metavar="STREAM", help="One stream only, such as table:1.")
@click.option(
    "--heads",
    multiple=True,
    metavar="FILE",
    help="A file of heads, one a node; by default the one beside.",
)
@click.option(
    "--keys", metavar="FILE", help="The key ring; by default the one beside the database."
)
@json_option
def audit(
    database: str | None,
    archive: str | None,
    table: str | None,
    heads: Sequence[str],
    keys: str | None,
    as_json: bool,
) -> int:
    if (database is None) == (archive is None):
        raise click.UsageError("name a --database, or an --archive")
    if archive is not None:
        return _audit_archive(archive, keys, as_json=as_json)
    report = run_audit(
        str(database),
        heads=[Path(file) for file in heads],
        keys=Path(keys) if keys else None,
        table=table,
    )
    if as_json:
        echo_json(asdict(report) | {"sound": report.sound})
    else:
        _show_report(report)
    return 0 if report.sound else 1


def _audit_archive(path: str, keys: str | None, *, as_json: bool) -> int:
    public = KeyRing.load(Path(keys)).public() if keys else None
    try:
        report = audit_archive(read_archive(Path(path)), public=public)
    except Fault as fault:
        report = Report(fault=fault.reason)
    if as_json:
        echo_json(asdict(report) | {"sound": report.sound})
    else:
        _show_report(report)
    return 0 if report.sound else 1


def _show_report(report: Report) -> None:
    rows = [
        ("streams", f"{report.streams:,}"),
        ("entries", f"{report.entries:,}"),
        ("rounds settled", f"{report.rounds:,}"),
        ("rounds void", f"{report.voids:,}"),
        ("rounds reopened", f"{report.reopened:,}"),
        ("wagers settled", f"{report.wagers:,}"),
        ("staked", format_cents(report.staked_cents)),
        ("shoes ended", f"{report.shoes:,}"),
        ("signatures checked", f"{report.signatures:,}"),
    ]
    show.table(("looked at", "number"), rows, right=(1,))
    show.line()
    if report.fault:
        show.line(show.Styled("FAULT", "bold red"), f": {report.fault}")
    else:
        show.line(
            show.Styled("sound", "bold green"), ": the journal, the ledger and the rules agree"
        )
    for what in report.warnings:
        show.line(show.Styled("warning", "yellow"), f": {what}")
    for what in report.unproven:
        show.line(f"not proven: {what}")


def _round(text: str) -> tuple[str, int]:
    stream, colon, number = text.rpartition(":")
    if not colon or not number.isascii() or not number.isdigit() or len(number) > 15:
        raise Refusal(
            f"{text!r:.60} names no round; write the table and the number, such as table:1:812"
        )
    return (stream if ":" in stream else f"table:{stream}"), int(number)


@click.command(help="Show a past round: card by card, each wager, each line with its clause.")
@click.option("--database", metavar="URL", help="sqlite:///floor.db, a path, or postgresql://...")
@click.option("--archive", metavar="FILE", help="Read an archived period instead.")
@click.option(
    "--round", "round_", required=True, metavar="TABLE:NUMBER", help="Such as table:1:812."
)
@json_option
def replay(database: str | None, archive: str | None, round_: str, as_json: bool) -> None:
    stream, number = _round(round_)
    if (database is None) == (archive is None):
        raise click.UsageError("name a --database, or an --archive")
    if archive is not None:
        held = read_archive(Path(archive))
        if held.header.stream != stream:
            raise Refusal(f"{archive} holds {held.header.stream}, not {stream}")
        told = archived_story(held, number)
    else:
        with reading(str(database)) as reader:
            told = story(reader, stream, number)
    if as_json:
        echo_json(_story_json(told))
    else:
        _show_story(told)


def _story_json(told: Story) -> dict[str, object]:
    return {
        "stream": told.stream,
        "round": told.number,
        "game": told.game.id,
        "rules": told.rules,
        "entries": [msgspec.to_builtins(entry) for entry in told.entries],
    }


def _show_story(told: Story) -> None:
    show.heading(f"{told.stream} round {told.number}: {told.game.title.en}")
    show.line(f"rules {told.rules}")
    show.table(("entry", "time, UTC", "who", "what"), list(_told(told)))
    for entry, event in told.events:
        if isinstance(event, e.Outcome):
            show.line()
            show.heading(f"{'settlement' if event.settles else 'void'}, entry {entry.seq}")
            if event.settles:
                show.line("cards ", *show.cards([parse_card(c) for c in event.cards.split()]))
            _show_lines(event.lines)


def _told(told: Story) -> Iterator[tuple[str, str, str, str]]:
    for entry, event in told.events:
        yield str(entry.seq), _time(entry.at), entry.by, event.says().en


def _time(ms: int) -> str:
    moment = datetime.datetime.fromtimestamp(ms / 1000, datetime.UTC)
    return moment.isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")


def _show_lines(lines: Sequence[e.Line]) -> None:
    if not lines:
        show.line("no wagers")
        return
    rows = [
        (
            x.session,
            x.bet,
            format_cents(x.stake_cents),
            x.outcome,
            format_cents(x.winnings_cents),
            format_cents(x.returned_cents),
            format_cents(x.bonus_cents),
            f"{x.clause}{' ' + x.bonus_clause if x.bonus_clause else ''}",
        )
        for x in lines
    ]
    header = ("session", "bet", "stake", "outcome", "winnings", "returned", "bonus", "clause")
    show.table(header, rows, right=(2, 4, 5, 6))


@click.command(
    help="Write the journal as JSON lines, or every settled wager or transfer as CSV, to "
    "standard output."
)
@database_option
@click.option("--format", "format_", type=click.Choice(["csv", "jsonl"]), required=True)
@click.option(
    "--what",
    type=click.Choice(["journal", "wagers", "transfers"]),
    help="By default the journal, or wagers.",
)
@click.option("--table", metavar="STREAM", help="One stream only, such as table:1.")
def export(database: str, format_: str, what: str | None, table: str | None) -> None:
    what = what or ("journal" if format_ == "jsonl" else "wagers")
    if what == "journal" and format_ == "csv":
        raise click.UsageError("the journal goes out as jsonl; csv is for wagers and transfers")
    with reading(database) as reader:
        names = list(reader.streams())
        if table is not None and table not in names:
            raise Refusal(f"there is no stream {table}; there are {', '.join(names) or 'none'}")
        wanted = [table] if table is not None else names
        if what == "journal":
            for name in wanted:
                for _, data in reader.entries(name):
                    click.echo(data.decode())
            return
        rows = (
            row
            for name in wanted
            for row in (_wagers(reader, name) if what == "wagers" else _moved(reader, name))
        )
        header = _WAGERS if what == "wagers" else _TRANSFERS
        _write_rows(header, rows, as_csv=format_ == "csv")


_WAGERS = (
    "stream",
    "round",
    "entry",
    "time",
    "game",
    "result",
    "cards",
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
_TRANSFERS = ("stream", "entry", "n", "debit", "credit", "cents")


def _wagers(reader: Reader, name: str) -> Iterator[tuple[object, ...]]:
    for entry, _ in chained(reader.entries(name), name):
        for event in entry.events:
            if isinstance(event, e.Reckoning):
                yield from _lines_of(entry, event)


def _lines_of(entry: Entry, event: e.Reckoning) -> Iterator[tuple[object, ...]]:
    """A reopening takes its lines back: the same rows, marked."""
    result = event.result or "REOPENED"
    for x in event.lines:
        yield (
            entry.stream,
            event.round,
            entry.seq,
            _time(entry.at),
            entry.rules.split(" ")[0],
            result,
            event.cards,
            x.session,
            x.bet,
            x.stake_cents,
            x.outcome,
            x.winnings_cents,
            x.returned_cents,
            x.bonus_cents,
            x.clause,
            x.bonus_clause,
        )


def _moved(reader: Reader, name: str) -> Iterator[tuple[object, ...]]:
    for seq, n, debit, credit, cents in reader.transfers(name):
        yield name, seq, n, debit, credit, cents


def _write_rows(header: Sequence[str], rows: Iterator[tuple[object, ...]], *, as_csv: bool) -> None:
    if not as_csv:
        for row in rows:
            echo_json(dict(zip(header, row, strict=True)))
        return
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(row)
        if buffer.tell() > 1 << 16:
            sys.stdout.write(buffer.getvalue())
            buffer.seek(0)
            buffer.truncate()
    sys.stdout.write(buffer.getvalue())


@click.command(
    help="Write a sealed period of a table to a file that can be checked and replayed alone."
)
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
    with reading(database) as reader:
        held = archived(reader, table, period)
    report = audit_archive(held)
    if report.fault:
        raise Refusal(f"the period is not sound: {report.fault}")
    if Path(target).exists():
        raise Refusal(f"{target} is there already")
    Path(target).write_bytes(held.bytes())
    show.line(
        f"wrote {target}: {table} period {period}, entries {held.header.first} to "
        f"{held.header.last}"
    )


@click.command(help="Copy a database, its keys and its heads to a folder, while tables play.")
@database_option
@click.option("--to", "target", required=True, metavar="FOLDER")
def backup(database: str, target: str) -> None:
    found = make_backup(sqlite_path(database), Path(target))
    show.table(("stream", "state"), [(name, hash_) for name, hash_ in found.items()])
    show.line(f"wrote {target}; it holds the keys, so keep it as you keep them")


@click.command(help="Bring a backup back; refused unless every stream comes to the state it had.")
@click.option("--from", "source", required=True, metavar="FOLDER")
@database_option
def restore(source: str, database: str) -> None:
    found = make_restore(Path(source), sqlite_path(database))
    show.table(("stream", "state"), [(name, hash_) for name, hash_ in found.items()])
    show.line(f"restored {database}; all {len(found)} streams came to the state they had")


@click.command(
    help="Copy a whole floor from one database to another, SQLite or PostgreSQL, and prove it "
    "the same."
)
@click.option("--from", "source", required=True, metavar="URL")
@click.option("--to", "target", required=True, metavar="URL")
@click.option(
    "--keys", metavar="FILE", help="The key ring of the source; by default the one beside it."
)
@click.option("--to-keys", metavar="FILE", help="Where the key ring goes.")
def copy(source: str, target: str, keys: str | None, to_keys: str | None) -> None:
    found = make_copy(
        source,
        target,
        keys=Path(keys) if keys else None,
        target_keys=Path(to_keys) if to_keys else None,
    )
    show.table(("stream", "state"), [(name, hash_) for name, hash_ in found.items()])
    show.line(f"copied; all {len(found)} streams came to the state they had")
