"""`report`, `vouchers` and `staffing`: what the journal says of a day, of vouchers, of work."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from puntobanco.base.money import format_cents, parse_cents
from puntobanco.base.private_files import write_private
from puntobanco.base.refusal import Refusal
from puntobanco.cli import console
from puntobanco.cli.options import json_option
from puntobanco.document import Table
from puntobanco_floor.cli.floor_options import database_option
from puntobanco_floor.cli.offline_admin import Desk, desk, minute, show_list
from puntobanco_floor.domain.house.gaming_day import date_of
from puntobanco_floor.domain.stream_names import place_words
from puntobanco_floor.environment import wall_ms
from puntobanco_floor.reports import report_pages
from puntobanco_floor.reports.figures import Thresholds
from puntobanco_floor.reports.interval import KINDS, Kind, interval, parse_day
from puntobanco_floor.reports.liability import Liability, VoucherRow, liability
from puntobanco_floor.reports.liability import as_csv as liability_csv
from puntobanco_floor.reports.report import report as make_report
from puntobanco_floor.reports.rows import Report
from puntobanco_floor.reports.staffing_log import Spell
from puntobanco_floor.reports.staffing_log import staffing as staffing_of
from puntobanco_floor.store.reader import reading

LARGE = "10000"


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
    default=LARGE,
    show_default=True,
    metavar="AMOUNT",
    help="A wager is large from here.",
)
@click.option(
    "--large-win",
    default=LARGE,
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
    last_day = parse_day(day) if day else None
    found = make_report(database, kind, now=wall_ms(), day=last_day, over=over)
    if form != "table":
        _put(_render(found, form), target, form)
    elif target is None:
        _show(found)
    else:
        raise click.UsageError("a table goes to the screen; --to is for csv, json, html and pdf")
    # a status for scripts: 1 where the report does not tie out
    return 0 if found.ties_out else 1


def _render(found: Report, form: str) -> bytes:
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


# Vouchers


@click.command
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@desk
def vouchers(found: Desk, as_csv: bool, as_json: bool) -> int:
    """What the house owes on vouchers, tied out to the ledger."""
    house = found.house
    report = liability(found.database, house=house.name, demo=house.demo, now=wall_ms())
    if as_csv:
        click.echo(liability_csv(report), nl=False)
    elif as_json:
        console.echo_json(msgspec.to_builtins(report))
    else:
        _show_liability(report)
    return 0 if report.ties_out else 1


def _show_liability(report: Liability) -> None:
    if report.demo:
        console.line(console.Styled("DEMO", "bold red"), ": play credits only, worth nothing")
    at = minute(report.at)
    console.line(f"{report.title}, {report.house}, {at}")
    rows = [_voucher_cells(row) for row in report.rows]
    amount = format_cents(report.open_cents)
    expired_amount = format_cents(report.expired_cents)
    rows.append(("total", "", amount, "", expired_amount))
    console.table(("table", "open", "amount", "expired", "amount"), rows, right=(1, 2, 3, 4))
    if report.note:
        console.line(report.note)
    verdict = "ties out" if report.ties_out else "DOES NOT TIE OUT"
    console.line(f"ledger {format_cents(report.ledger_cents)}: {verdict}")


def _voucher_cells(row: VoucherRow) -> tuple[str, ...]:
    number = f"{row.open:,}"
    amount = format_cents(row.open_cents)
    expired = f"{row.expired:,}"
    expired_amount = format_cents(row.expired_cents)
    return row.table, number, amount, expired, expired_amount


# Staffing

STAFFING_COLUMNS = ("from", "to", "who", "role", "where", "what", "entries")


@click.command
@click.option("--day", metavar="DAY", help="A gaming day, as 2026-11-15; by default today.")
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@desk
def staffing(found: Desk, day: str | None, as_csv: bool, as_json: bool) -> None:
    """The staffing log of a gaming day: who dealt, supervised, counted, where and when."""
    calendar = found.house.calendar
    wanted = parse_day(day) if day else date_of(calendar.day_at(wall_ms()))
    span = interval("daily", wanted, calendar)
    staff = {name: person.role for name, person in found.house.staff.items()}
    with reading(found.database) as reader:
        spells = staffing_of(reader, staff, start=span.start, end=span.end)
    if as_csv:
        text = console.csv_text(STAFFING_COLUMNS, map(_spell_cells, spells))
        click.echo(text, nl=False)
    else:
        show_list(STAFFING_COLUMNS, spells, _spell_cells, as_json=as_json)


def _spell_cells(spell: Spell) -> tuple[str, ...]:
    place = place_words(spell.place).en
    since = console.utc(spell.since)
    until = console.utc(spell.until)
    return since, until, spell.person, spell.role, place, spell.work, f"{spell.acts}"
