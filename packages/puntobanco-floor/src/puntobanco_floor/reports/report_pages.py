"""A report for people and for spreadsheets: tables, CSV, HTML, PDF."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from typing import NamedTuple

from puntobanco.base.characters import escaped
from puntobanco.base.money import format_cents
from puntobanco.document import Document, Table, html, pdf
from puntobanco_floor.reports.interval import moment
from puntobanco_floor.reports.rows import NO_ACTIVITY, Report

DEMO = "DEMO: play credits, worth nothing"
_METHOD = (
    "Every figure is counted from the entries of the journal and held against the ledger. "
    "Days are gaming days of the house; times are UTC. Won has "
    "the stakes returned in it, so that wagered less won is the win; hold is win in "
    "percent of drop."
)


def heading(report: Report) -> list[tuple[str, str]]:
    """List the facts that every report begins with."""
    since = "the beginning" if report.kind == "life" else moment(report.start)
    facts = [
        ("House", report.house or "not set up"),
        ("Report", report.title),
        ("Interval", f"{since} to {moment(report.end)} UTC"),
        ("Gaming day", f"starts at {report.day_starts}"),
        ("Made", f"{moment(report.at)} UTC"),
        ("Program", report.program),
        ("Tie-out", tie_out(report)),
    ]
    if report.demo:
        return [("Demonstration", DEMO), *facts]
    return facts


def tie_out(report: Report) -> str:
    if report.ties_out:
        return f"ties out to the ledger to the cent, {report.compared} comparisons"
    return "DOES NOT TIE OUT: " + "; ".join(report.faults)


def tables(report: Report) -> list[Table]:
    """Make the sections; one without rows says that there was no activity."""
    period = "day" if report.kind in ("daily", "month") else "month"
    exceptions = [(text,) for text in report.exceptions]
    found = [
        GAMES.table(report.games),
        VOIDS.table(report.games),
        VOIDED.table(report.voided),
        INTERRUPTED.table(report.interrupted),
        BETS.table(report.bets),
        DROP._replace(columns=f"{period}=period | {DROP.columns}").table(report.drop),
        ADJUSTMENTS.table(report.adjustments),
        METERS.table(report.meters),
        VOUCHERS.table(report.vouchers),
        DRAWERS.table(report.drawers),
        SHOES.table(report.shoes),
        EVENTS.table(report.events),
        Table("Exceptions", ("what",), exceptions, text=("what",)),
        TIES._replace(note=tie_out(report)).table(report.ties),
    ]
    return [
        table if table.rows else Table(table.title, (), [], note=NO_ACTIVITY) for table in found
    ]


def meter(amount: int) -> str:
    """Write at least eight digits, as meters are read.

    >>> meter(1234), meter(123456789012)
    ('000012.34', '1234567890.12')
    """
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100:06}.{abs(amount) % 100:02}"


class Section(NamedTuple):
    """A table of records; each column is "header=field", or one word if both are the same."""

    title: str
    columns: str
    text: tuple[str, ...] = ()  # columns of words
    note: str = ""
    only: tuple[str, ...] = ()  # fields of which a row has at least one, or is left out
    amount: Callable[[int], str] = format_cents

    def table(self, rows: Iterable[object]) -> Table:
        headers = list[str]()
        fields = list[str]()
        for column in self.columns.split(" | "):
            header, _, name = column.partition("=")
            headers.append(header)
            fields.append(name or header)
        cells = list[tuple[str, ...]]()
        for row in rows:
            if not self.only or any(getattr(row, name) for name in self.only):
                cells.append(tuple(self._cell(name, getattr(row, name)) for name in fields))
        return Table(self.title, tuple(headers), cells, text=self.text, note=self.note)

    def _cell(self, name: str, value: str | int) -> str:
        if isinstance(value, str):
            return value
        if name.endswith("cents"):
            return self.amount(value)
        if name in ("at", "since"):
            return moment(value)
        if name in ("entry", "round", "shift"):
            return str(value)
        if name == "decks":
            return str(value) if value else "no shoe yet"
        if name == "games":
            return f"{value:08}"
        return f"{value:,}"


GAMES = Section(
    "Game performance",
    "table | game | definition | decks | rounds | wagered=wagered_cents | won=won_cents | "
    "winnings=winnings_cents | bonus=bonus_cents | win=win_cents | theory %=theory | "
    "actual %=actual",
    text=("game", "definition"),
)
VOIDS = Section(
    "Voids and reopenings",
    "table | game | decks | void=voids | voided wagers=voided_cents | reopened | "
    "unrecovered=unrecovered_cents",
    text=("game",),
    note="Voided wagers were returned and are in no other figure.",
    only=("voids", "reopened", "unrecovered_cents"),
)
VOIDED = Section(
    "Voids after the first card",
    "ground | by | rounds | wagers returned=returned_cents",
    text=("ground", "by"),
    note="By ground and by the two people who decided; patrons had seen a card.",
)
INTERRUPTED = Section(
    "Interrupted games",
    "table | round | funds in play=cents",
    note="Wagers of rounds that are not finished at the end of the interval.",
    only=("cents",),
)
BETS = Section(
    "Bets",
    "table | game | decks | bet | wagers | wagered=wagered_cents | won=won_cents | "
    "theory %=theory | actual %=actual",
    text=("game", "bet"),
)
DROP = Section(
    "Drop, win and hold",
    "table | game | decks | bought=bought_cents | loaded=loaded_cents | redeemed=redeemed_cents | "
    "drop=drop_cents | out=out_cents | moved=moved_cents | win=win_cents | hold %=hold",
    text=("table", "game"),
)
ADJUSTMENTS = Section(
    "Adjustments",
    "table | game | decks | adjustments | as credits=credits_cents | in cash=cash_cents | "
    "total=total_cents",
    text=("game",),
    note="Awarded by rulings on past rounds; in no drop, win or hold.",
)
METERS = Section(
    "Meters",
    "terminal | games | wagered=wagered_cents | won=won_cents | cash in=cash_in_cents | "
    "vouchers in=vouchers_in_cents | staff loads=loads_cents | vouchers out=vouchers_out_cents | "
    "cash-outs=cash_outs_cents | hand pays=hand_pays_cents | adjustments=adjustments_cents",
    amount=meter,
)
VOUCHERS = Section(
    "Vouchers",
    "table | issued | amount=issued_cents | redeemed | amount=redeemed_cents | expired | "
    "amount=expired_cents | out at the end=out | amount=out_cents | "
    "of it expired=out_expired_cents",
)
DRAWERS = Section(
    "Cage drawers",
    "window | shift | cashier | counted with=second | opened=since | closed=at | "
    "float=float_cents | in=in_cents | out=out_cents | expected=expected_cents | "
    "counted=counted_cents | difference=difference_cents",
    text=("window", "cashier", "counted with"),
    note="Shifts closed in the interval; in and out are cash at the window and at tables.",
)
SHOES = Section(
    "Shoes",
    "table | shoes | mixed | abandoned | house alone=alone | mixed %=share",
    note="Virtual shoes; one that witnesses were to mix and nobody played is abandoned.",
)
EVENTS = Section(
    "Significant events",
    "time, UTC=at | stream | entry | who=by | kind | what",
    text=("stream", "who", "kind", "what"),
)
TIES = Section(
    "Tie-out",
    "account, all streams=what | report=report_cents | ledger=ledger_cents | "
    "difference=difference_cents",
)


def as_csv(report: Report) -> str:
    out = io.StringIO()
    write = csv.writer(out).writerow
    for fact in heading(report):
        write(fact)
    if report.note:
        write([report.note])
    for table in tables(report):
        write([])
        write([table.title])
        write(table.columns or [table.note])
        for row in table.rows:
            write([as_cell(cell) for cell in row])
    return out.getvalue()


def as_cell(text: str) -> str:
    """Keep a text that a person wrote from becoming a formula; an amount stays as it is.

    >>> as_cell("=1+1"), as_cell("-5.00"), as_cell("-x"), as_cell("a spilt drink")
    ("'=1+1", '-5.00', "'-x", 'a spilt drink')
    """
    text = escaped(text)
    is_amount = text.removeprefix("-").replace(".", "", 1).isdecimal()
    if text[:1] in tuple("=+-@\t\r") and not is_amount:
        return f"'{text}"
    return text


def document(report: Report) -> Document:
    title = f"{report.title}, {report.house or 'not set up'}"
    facts = [*heading(report), ("Activity", report.note)] if report.note else heading(report)
    return Document(
        f"DEMO: {title}" if report.demo else title,
        _METHOD,
        facts,
        tables(report),
        [],
        [],
        landscape=True,
    )


def as_html(report: Report) -> str:
    return html(document(report))


def as_pdf(report: Report) -> bytes:
    return pdf(document(report))
