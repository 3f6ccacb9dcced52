"""`vouchers`: what the house owes on vouchers."""

from __future__ import annotations

import time

import click
import msgspec

from puntobanco.base.money import format_cents
from puntobanco.cli import console
from puntobanco.cli.options import json_option
from puntobanco_floor.cli.offline_admin import Desk, desk, minute
from puntobanco_floor.reports.liability import Liability, VoucherRow, liability
from puntobanco_floor.reports.liability import as_csv as liability_csv


@click.command
@click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
@json_option
@desk
def vouchers(found: Desk, as_csv: bool, as_json: bool) -> int:
    """What the house owes on vouchers, tied out to the ledger."""
    house = found.house
    now = int(time.time() * 1000)
    report = liability(found.database, house=house.name, demo=house.demo, now=now)
    if as_csv:
        click.echo(liability_csv(report), nl=False)
    elif as_json:
        console.echo_json(msgspec.to_builtins(report))
    else:
        _show(report)
    return 0 if report.ties_out else 1


def _show(report: Liability) -> None:
    if report.demo:
        console.line(console.Styled("DEMO", "bold red"), ": play credits only, worth nothing")
    at = minute(report.at)
    console.line(f"{report.title}, {report.house}, {at}")
    rows = [_cells(row) for row in report.rows]
    rows.append(_total(report))
    console.table(("table", "open", "amount", "expired", "amount"), rows, right=(1, 2, 3, 4))
    if report.note:
        console.line(report.note)
    verdict = "ties out" if report.ties_out else "DOES NOT TIE OUT"
    console.line(f"ledger {format_cents(report.ledger_cents)}: {verdict}")


def _cells(row: VoucherRow) -> tuple[str, ...]:
    number = f"{row.open:,}"
    amount = format_cents(row.open_cents)
    expired = f"{row.expired:,}"
    expired_amount = format_cents(row.expired_cents)
    return row.table, number, amount, expired, expired_amount


def _total(report: Liability) -> tuple[str, ...]:
    return "total", "", format_cents(report.open_cents), "", format_cents(report.expired_cents)
