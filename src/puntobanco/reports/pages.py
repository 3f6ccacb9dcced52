"""A report for people and for spreadsheets: tables, CSV, HTML, PDF."""

from __future__ import annotations

import csv
import io

from puntobanco.document import Document, Table, html, pdf
from puntobanco.reports.interval import moment
from puntobanco.reports.rows import NO_ACTIVITY, Report
from puntobanco.rules.money import format_cents as cents
from puntobanco.rules.refusals import Refusal

DEMO = "DEMO: play credits, worth nothing"
_METHOD = (
    "Every figure is counted from the entries of the journal and held against the ledger. "
    "Days are UTC days. Won has "
    "the stakes returned in it, so that wagered less won is the win; hold is win in "
    "percent of drop."
)


def heading(report: Report) -> list[tuple[str, str]]:
    """What every report begins with."""
    since = "the beginning" if report.kind == "life" else moment(report.start)
    facts = [
        ("House", report.house or "not set up"),
        ("Report", report.title),
        ("Interval", f"{since} to {moment(report.end)} UTC"),
        ("Made", f"{moment(report.at)} UTC"),
        ("Program", report.program),
        ("Tie-out", tie_out(report)),
    ]
    return [("Demonstration", DEMO), *facts] if report.demo else facts


def tie_out(report: Report) -> str:
    if report.ties_out:
        return f"ties out to the ledger to the cent, {report.compared} comparisons"
    return "DOES NOT TIE OUT: " + "; ".join(report.faults)


def tables(report: Report) -> list[Table]:
    """Its sections; one without rows says that there was no activity."""
    found = [
        Table(
            "Game performance",
            (
                "table",
                "game",
                "definition",
                "decks",
                "rounds",
                "wagered",
                "won",
                "winnings",
                "bonus",
                "win",
                "theory %",
                "actual %",
            ),
            [
                (
                    r.table,
                    r.game,
                    r.definition,
                    _decks(r.decks),
                    f"{r.rounds:,}",
                    cents(r.wagered_cents),
                    cents(r.won_cents),
                    cents(r.winnings_cents),
                    cents(r.bonus_cents),
                    cents(r.win_cents),
                    r.theory,
                    r.actual,
                )
                for r in report.games
            ],
            text=("game", "definition"),
        ),
        Table(
            "Voids and reopenings",
            ("table", "game", "decks", "void", "voided wagers", "reopened", "unrecovered"),
            [
                (
                    r.table,
                    r.game,
                    _decks(r.decks),
                    f"{r.voids:,}",
                    cents(r.voided_cents),
                    f"{r.reopened:,}",
                    cents(r.unrecovered_cents),
                )
                for r in report.games
                if r.voids or r.reopened or r.unrecovered_cents
            ],
            text=("game",),
            note="Voided wagers were returned and are in no other figure.",
        ),
        Table(
            "Interrupted games",
            ("table", "round", "funds in play"),
            [(r.table, str(r.round), cents(r.cents)) for r in report.interrupted if r.cents],
            note="Wagers of rounds that are not finished at the end of the interval.",
        ),
        Table(
            "Bets",
            ("table", "game", "decks", "bet", "wagers", "wagered", "won", "theory %", "actual %"),
            [
                (
                    r.table,
                    r.game,
                    _decks(r.decks),
                    r.bet,
                    f"{r.wagers:,}",
                    cents(r.wagered_cents),
                    cents(r.won_cents),
                    r.theory,
                    r.actual,
                )
                for r in report.bets
            ],
            text=("game", "bet"),
        ),
        Table(
            "Drop, win and hold",
            (
                "day" if report.kind in ("daily", "month") else "month",
                "table",
                "game",
                "decks",
                "bought",
                "loaded",
                "redeemed",
                "drop",
                "out",
                "win",
                "hold %",
            ),
            [
                (
                    r.period,
                    r.table,
                    r.game,
                    _decks(r.decks),
                    cents(r.bought_cents),
                    cents(r.loaded_cents),
                    cents(r.redeemed_cents),
                    cents(r.drop_cents),
                    cents(r.out_cents),
                    cents(r.win_cents),
                    r.hold,
                )
                for r in report.drop
            ],
            text=("table", "game"),
        ),
        Table(
            "Meters",
            (
                "terminal",
                "games",
                "wagered",
                "won",
                "cash in",
                "vouchers in",
                "staff loads",
                "vouchers out",
                "cash-outs",
                "hand pays",
            ),
            [
                (
                    r.terminal,
                    f"{r.games:08}",
                    *(
                        meter(amount)
                        for amount in (
                            r.wagered_cents,
                            r.won_cents,
                            r.cash_in_cents,
                            r.vouchers_in_cents,
                            r.loads_cents,
                            r.vouchers_out_cents,
                            r.cash_outs_cents,
                            r.hand_pays_cents,
                        )
                    ),
                )
                for r in report.meters
            ],
        ),
        Table(
            "Vouchers",
            (
                "table",
                "issued",
                "amount",
                "redeemed",
                "amount",
                "expired",
                "amount",
                "out at the end",
                "amount",
                "of it expired",
            ),
            [
                (
                    r.table,
                    f"{r.issued:,}",
                    cents(r.issued_cents),
                    f"{r.redeemed:,}",
                    cents(r.redeemed_cents),
                    f"{r.expired:,}",
                    cents(r.expired_cents),
                    f"{r.out:,}",
                    cents(r.out_cents),
                    cents(r.out_expired_cents),
                )
                for r in report.vouchers
            ],
        ),
        Table(
            "Cage drawers",
            (
                "window",
                "shift",
                "cashier",
                "counted with",
                "opened",
                "closed",
                "float",
                "in",
                "out",
                "expected",
                "counted",
                "difference",
            ),
            [
                (
                    r.window,
                    str(r.shift),
                    r.cashier,
                    r.second,
                    moment(r.since),
                    moment(r.at),
                    cents(r.float_cents),
                    cents(r.in_cents),
                    cents(r.out_cents),
                    cents(r.expected_cents),
                    cents(r.counted_cents),
                    cents(r.difference_cents),
                )
                for r in report.drawers
            ],
            text=("window", "cashier", "counted with"),
            note="Shifts closed in the interval; in and out are cash at the window and at tables.",
        ),
        Table(
            "Significant events",
            ("time, UTC", "stream", "entry", "who", "kind", "what"),
            [(moment(r.at), r.stream, str(r.entry), r.by, r.kind, r.what) for r in report.events],
            text=("stream", "who", "kind", "what"),
        ),
        Table("Exceptions", ("what",), [(text,) for text in report.exceptions], text=("what",)),
        Table(
            "Tie-out",
            ("account, all streams", "report", "ledger", "difference"),
            [
                (
                    t.what,
                    cents(t.report_cents),
                    cents(t.ledger_cents),
                    cents(t.report_cents - t.ledger_cents),
                )
                for t in report.ties
            ],
            note=tie_out(report),
        ),
    ]
    return [
        table if table.rows else Table(table.title, (), [], note=NO_ACTIVITY) for table in found
    ]


def meter(amount: int) -> str:
    """At least eight digits, as meters are read.

    >>> meter(1234), meter(123456789012)
    ('000012.34', '1234567890.12')
    """
    sign = "-" if amount < 0 else ""
    return f"{sign}{abs(amount) // 100:06}.{abs(amount) % 100:02}"


def _decks(decks: int) -> str:
    return str(decks) if decks else "no shoe yet"


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
    """What somebody wrote as a reason must not become a formula in a spreadsheet; an amount stays
    as it is.

    >>> as_cell("=1+1"), as_cell("-5.00"), as_cell("-x"), as_cell("a spilt drink")
    ("'=1+1", '-5.00', "'-x", 'a spilt drink')
    """
    is_amount = text.removeprefix("-").replace(".", "", 1).isdecimal()
    return f"'{text}" if text[:1] in tuple("=+-@\t\r") and not is_amount else text


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
    return printed(document(report))


class NoPrinter(Refusal):
    """PDF is asked for, and what sets it is not installed."""


def printed(doc: Document) -> bytes:
    try:
        return pdf(doc)
    except ImportError:
        raise NoPrinter(
            "PDF needs Typst: pip install 'puntobanco[report]'; HTML and CSV need nothing"
        ) from None
