"""`report`: what tables, games and terminals did in a day, a month, a year or altogether."""

from __future__ import annotations

import time
from pathlib import Path

import click
import msgspec

from puntobanco.base.money import parse_cents
from puntobanco.base.private_files import write_private
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.document import Table
from puntobanco_floor.cli.floor_options import database_option
from puntobanco_floor.reports import report_pages
from puntobanco_floor.reports.interval import KINDS, Kind, parse_day
from puntobanco_floor.reports.report import report as make_report
from puntobanco_floor.reports.rows import Report
from puntobanco_floor.reports.significant_events import Thresholds

_LARGE = "10000"


@click.command
@click.argument("kind", type=click.Choice(KINDS))
@database_option
@click.option(
    "--day", metavar="DATE", help="The last gaming day, such as 2026-11-15; by default today."
)
@click.option(
    "--format", "form", type=click.Choice(["table", "csv", "json", "html", "pdf"]), default="table"
)
@click.option(
    "--to", "target", metavar="FILE", help="Write it there instead of to standard output."
)
@click.option(
    "--large-wager",
    default=_LARGE,
    show_default=True,
    metavar="AMOUNT",
    help="A wager is large from here.",
)
@click.option(
    "--large-win",
    default=_LARGE,
    show_default=True,
    metavar="AMOUNT",
    help="A win is large from here.",
)
def report(
    kind: Kind,
    database: str,
    day: str | None,
    form: str,
    target: str | None,
    large_wager: str,
    large_win: str,
) -> int:
    """A report of the day, the month, the year or the whole life up to a day, from the journal."""
    over = Thresholds(
        large_wager_cents=parse_cents(large_wager), large_win_cents=parse_cents(large_win)
    )
    now = int(time.time() * 1000)
    last_day = parse_day(day) if day else None
    found = make_report(database, kind, now=now, day=last_day, over=over)
    if form != "table":
        _put(_made(found, form), target, form)
    elif target is None:
        _show(found)
    else:
        raise click.UsageError("a table goes to the screen; --to is for csv, json, html and pdf")
    # a status for scripts: 1 where the report does not tie out
    return 0 if found.ties_out else 1


def _made(found: Report, form: str) -> bytes:
    match form:
        case "csv":
            return report_pages.as_csv(found).encode()
        case "json":
            return msgspec.json.encode(found) + b"\n"
        case "html":
            return report_pages.as_html(found).encode()
    return report_pages.as_pdf(found)


def _put(data: bytes, target: str | None, form: str) -> None:
    """To a file that is not there yet, or to standard output."""
    if target is None:
        if form == "pdf":
            raise click.UsageError("a PDF goes to a file; add --to report.pdf")
        click.echo(data, nl=False)
        return
    if Path(target).exists():
        raise Refusal(f"{target} is there already")
    try:
        write_private(Path(target), data)
    except OSError as error:
        raise Refusal(f"cannot write {target}: {console.why(error)}") from None
    console.line(f"wrote {target}")


def _show(found: Report) -> None:
    for name, text in report_pages.heading(found):
        console.line(f"{name}: {text}")
    if found.note:
        console.line(found.note)
    for table in report_pages.tables(found):
        console.line()
        console.heading(table.title)
        _show_table(table)


def _show_table(table: Table) -> None:
    if not table.columns:
        console.line(table.note)
        return
    words = (table.columns[0], "what", *table.text)
    right = [i for i, name in enumerate(table.columns) if name not in words]
    fold = [i for i, name in enumerate(table.columns) if name == "what"]
    console.table(table.columns, table.rows, right=right, fold=fold)
