"""What the house owes on vouchers now, tied out to the ledger."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

from puntobanco.base.money import format_cents
from puntobanco_floor.domain.ledger import MOVING, VOUCHERS
from puntobanco_floor.store.reader import reading
from puntobanco_proof.entry.record import Record


class VoucherRow(Record):
    """Vouchers that a table issued and nobody has redeemed."""

    table: str
    open: int
    open_cents: int
    expired: int
    expired_cents: int


class Liability(Record):
    """Every header that a report has; `ties_out` is whether the vouchers come to what the ledger
    owes on them.
    """

    title: str
    house: str
    demo: bool
    at: int
    rows: list[VoucherRow]
    open_cents: int
    expired_cents: int
    ledger_cents: int
    ties_out: bool
    moving_cents: int  # credits on the way between tables, which no voucher is for
    note: str  # "no activity", where there is none


def liability(database: str, *, house: str, demo: bool, now: int) -> Liability:
    with reading(database) as reader:
        rows = [VoucherRow(*row) for row in reader.open_vouchers(now)]
        ledger = reader.total(VOUCHERS)
        moving = reader.total(MOVING)
    open_cents = sum(row.open_cents for row in rows)
    expired_cents = sum(row.expired_cents for row in rows)
    return Liability(
        title="Voucher liability",
        house=house,
        demo=demo,
        at=now,
        rows=rows,
        open_cents=open_cents,
        expired_cents=expired_cents,
        ledger_cents=ledger,
        ties_out=open_cents + expired_cents == ledger,
        moving_cents=moving,
        note="" if rows else "no activity",
    )


def as_csv(report: Liability) -> str:
    out = io.StringIO()
    write = csv.writer(out).writerow
    if report.demo:
        write(["DEMO: play credits, worth nothing"])
    at = datetime.fromtimestamp(report.at / 1000, UTC)
    write([report.title, report.house, at.isoformat(timespec="seconds")])
    write(["table", "open", "open amount", "expired", "expired amount"])
    for row in report.rows:
        open_ = format_cents(row.open_cents)
        expired = format_cents(row.expired_cents)
        write([row.table, row.open, open_, row.expired, expired])
    if report.note:
        write([report.note])
    open_ = format_cents(report.open_cents)
    expired = format_cents(report.expired_cents)
    write(["total", "", open_, "", expired])
    verdict = "ties out" if report.ties_out else "DOES NOT TIE OUT"
    write(["ledger", "", format_cents(report.ledger_cents), "", verdict])
    write(["credits on the way between tables", "", format_cents(report.moving_cents), "", ""])
    return out.getvalue()
