"""`export`: the journal as JSON lines, and settled wagers, transfers or adjustments as rows."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from puntobanco.base.progress import AT_ONCE, Advance, counted
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco_floor.cli.floor_options import database_option, stream_option
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.reports.report_pages import as_cell
from puntobanco_floor.store.reader import Reader, StreamRow, reading

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

BUFFER = 1 << 16
"""Characters of CSV that are written at once."""


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
                    result = event.result or "REOPENED"
                    begin = _round(entry, event.round, result, event.cards)
                    for line in event.lines:
                        yield *begin, *(getattr(line, name) for name in LINE_COLUMNS)


def _round(entry: Entry, number: int, result: str, cards: str) -> tuple[object, ...]:
    game = entry.rules.split(" ")[0]
    return entry.stream, number, entry.seq, console.utc(entry.at), game, result, cards


def _write(columns: Sequence[str], rows: Iterable[tuple[object, ...]], *, as_csv: bool) -> None:
    if not as_csv:
        for row in rows:
            console.echo_json(dict(zip(columns, row, strict=True)))
        return
    # a buffer that is emptied now and then: a journal may be larger than memory
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow(row)
        if buffer.tell() > BUFFER:
            sys.stdout.write(buffer.getvalue())
            buffer.seek(0)
            buffer.truncate()
    sys.stdout.write(buffer.getvalue())
