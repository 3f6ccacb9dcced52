"""Rows of a report, as values: amounts in cents, shares in percent as text, or empty."""

from __future__ import annotations

from fractions import Fraction

from puntobanco.base.words import Words
from puntobanco_floor.reports.interval import Kind
from puntobanco_proof.entry.record import Record

NO_ACTIVITY = "No activity"


class GameRow(Record):
    """A table's game in the interval. `won_cents` has the stakes returned in it: wagered less won
    is the win.
    """

    table: str
    game: str
    definition: str  # the beginning of its digest
    decks: int
    rounds: int
    voids: int
    reopened: int
    wagered_cents: int
    won_cents: int
    winnings_cents: int
    bonus_cents: int
    win_cents: int
    voided_cents: int
    in_play_cents: int  # of a round that is not finished at the end of the interval
    unrecovered_cents: int
    theory: str  # percent returned on average by these wagers, exact odds of a fresh shoe
    actual: str


class BetRow(Record):
    table: str
    game: str
    decks: int
    bet: str
    wagers: int
    wagered_cents: int
    won_cents: int
    theory: str
    actual: str


class DropRow(Record):
    """Drop, win and hold of a table's game on a day, or in a month of longer reports."""

    period: str
    table: str
    game: str
    decks: int
    bought_cents: int
    loaded_cents: int
    redeemed_cents: int
    drop_cents: int
    out_cents: int
    win_cents: int
    hold: str  # win in percent of drop
    moved_cents: int = 0  # credits that came from other tables, less those that went there


class AdjustmentRow(Record):
    """What rulings on past rounds have awarded at a table; it is in no drop, win or hold."""

    table: str
    game: str
    decks: int
    adjustments: int
    credits_cents: int  # to seated sessions
    cash_cents: int  # at the cage, to patrons who had left
    total_cents: int


class MeterRow(Record):
    """A terminal's meters. They are sums of the journal: they cannot roll over, and nobody can set
    them back.
    """

    terminal: str
    games: int
    wagered_cents: int
    won_cents: int
    cash_in_cents: int
    vouchers_in_cents: int
    loads_cents: int
    vouchers_out_cents: int
    cash_outs_cents: int
    hand_pays_cents: int
    adjustments_cents: int = 0


class VoucherLine(Record):
    """Vouchers of a table: issued and redeemed there in the interval; those it issued that are out
    at the end.
    """

    table: str
    issued: int
    issued_cents: int
    redeemed: int
    redeemed_cents: int
    expired: int  # in the interval
    expired_cents: int
    out: int
    out_cents: int
    out_expired_cents: int


class DrawerRow(Record):
    """A shift at a cage window that was closed in the interval; below zero, cash is missing."""

    window: str
    shift: int
    cashier: str
    second: str  # who counted it again
    since: int
    at: int
    float_cents: int
    in_cents: int
    out_cents: int
    expected_cents: int
    counted_cents: int
    difference_cents: int


class ShoesRow(Record):
    """Virtual shoes of a table that began in the interval, by who had a part in their order."""

    table: str
    shoes: int
    mixed: int
    abandoned: int
    alone: int  # shuffled by the house alone
    share: str  # of mixed ones, in percent


class VoidedRow(Record):
    """Rounds that were void after their first card, on one ground, by one pair of people."""

    ground: str
    title: Words
    people: list[str]  # both names in their order; none where the server had no card to deal
    rounds: int
    returned_cents: int

    @property
    def by(self) -> str:
        return " and ".join(self.people) or "the server"


class Significant(Record):
    at: int
    stream: str
    entry: int
    by: str
    kind: str
    what: str


class Interrupted(Record):
    table: str
    round: int
    cents: int


class Tie(Record):
    """An amount from two sides."""

    what: str
    report_cents: int
    ledger_cents: int

    @property
    def difference_cents(self) -> int:
        return self.report_cents - self.ledger_cents


class Report(Record):
    title: str
    house: str
    demo: bool
    kind: Kind
    start: int
    end: int
    day_starts: str  # the gaming day, as "06:00 Asia/Singapore"
    at: int
    program: str
    note: str  # "No activity", where there is none
    games: list[GameRow]
    bets: list[BetRow]
    drop: list[DropRow]
    meters: list[MeterRow]
    vouchers: list[VoucherLine]
    drawers: list[DrawerRow]
    interrupted: list[Interrupted]
    voided: list[VoidedRow]
    shoes: list[ShoesRow]
    events: list[Significant]
    kinds: dict[str, int]
    exceptions: list[str]
    ties: list[Tie]
    compared: int
    faults: list[str]
    ties_out: bool
    adjustments: list[AdjustmentRow]


def percent(part: int | Fraction | None, whole: int) -> str:
    """
    >>> percent(1, 3), percent(-5, 100), percent(1, 0)
    ('33.33', '-5.00', '')
    """
    if part is None or not whole:
        return ""
    hundredths = round(Fraction(part) * 10_000 / whole)
    sign = "-" if hundredths < 0 else ""
    digits = abs(hundredths)
    return f"{sign}{digits // 100}.{digits % 100:02}"
