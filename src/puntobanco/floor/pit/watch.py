"""The watch: fed with every entry as the floor follows it, it keeps the day's figures and raises alerts.

It is for staff alone. An edge is worked out only when a round is settled or void, never of one open for bets.
"""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Iterable, Sequence
from fractions import Fraction

import puntobanco.events as e
from puntobanco.events import Record
from puntobanco.floor.pit.returns import BetReturn, Returns
from puntobanco.floor.pit.spread import Spread
from puntobanco.house.state import DAY_MS
from puntobanco.journal import Entry
from puntobanco.odds.par import par_sheet
from puntobanco.rules.game import Game
from puntobanco.rules.money import format_cents
from puntobanco.rules.shoe import Shoe
from puntobanco.table.state import TableState

LARGE_WIN_CENTS = 1_000_000
LARGE_WAGER_CENTS = 500_000
LATE_ATTEMPTS = 3
MAX_ALERTS = 1_000
MAX_SPREADS = 200_000
MAIN_BETS = frozenset({"player", "banker"})


class Alert(Record):
    at: int
    kind: str  # "large-win", "large-wager", "return", "spread", "late"
    table: str
    round: int
    session: str
    text: str


class Edge(Record):
    """What a bet was worth to a patron in a round that is closed, for each dollar; the bonus at the smallest wager."""

    bet: str
    edge: float
    with_bonus: float


class DayFigures(Record):
    """A table's day so far, from the journal."""

    drop_cents: int
    win_cents: int
    hold: float | None  # win over drop
    rounds: int
    voids: int
    voided_cents: int
    staked_cents: int


class Day:
    """What one table took and paid since midnight UTC."""

    def __init__(self, number: int) -> None:
        self.number, self.sums = number, Counter[str]()

    def saw(self, event: e.Event) -> None:
        sums = self.sums
        match event:
            case e.CreditsBought() | e.CreditsLoaded() | e.VoucherRedeemed():
                sums["drop"] += event.cents
            case e.RoundSettled():
                sums["rounds"] += 1
                for line in event.lines:
                    sums["staked"] += line.stake_cents
                    sums["win"] += line.stake_cents - line.paid_cents
            case e.RoundVoided():
                sums["voids"] += 1
                sums["voided"] += sum(line.stake_cents for line in event.lines)
            case e.RoundReopened():
                sums["rounds"] -= 1
                for recovery in event.recoveries:
                    sums["staked"] -= recovery.line.stake_cents
                    sums["win"] -= recovery.line.stake_cents - recovery.line.paid_cents

    def view(self) -> DayFigures:
        s = self.sums
        return DayFigures(
            drop_cents=s["drop"], win_cents=s["win"], hold=s["win"] / s["drop"] if s["drop"] else None,
            rounds=s["rounds"], voids=s["voids"], voided_cents=s["voided"], staked_cents=s["staked"],
        )  # fmt: skip


class Watch:
    """Every table of a floor."""

    def __init__(self) -> None:
        self.alerts = deque[Alert](maxlen=MAX_ALERTS)
        self._days = dict[str, Day]()
        self._returns = dict[str, Returns]()
        self._spreads = dict[tuple[str, str, str], Spread]()
        self._flagged = set[tuple[str, str, str]]()
        self._late = Counter[tuple[str, int, str]]()

    def saw(self, state: TableState, entries: Sequence[Entry]) -> None:
        """Entries of a table, and its state after the last of them."""
        table = state.stream
        for entry in entries:
            day = self._day(table, entry.at)
            for event in entry.events:
                day.saw(event)
                if isinstance(event, e.RoundSettled) and state.round and state.round.number == event.round:
                    self._settled(state, event, entry.at)
                elif isinstance(event, e.WagerPlaced | e.WagerRaised) and event.stake_cents >= LARGE_WAGER_CENTS:
                    text = f"{format_cents(event.stake_cents)} on {event.bet}"
                    self._alert(entry.at, "large-wager", table, event.round, event.session, text)

    def took_up(self, table: str, entries: Iterable[Entry]) -> None:
        """What was written today before the watch began: its sums only."""
        for entry in entries:
            for event in entry.events:
                self._day(table, entry.at).saw(event)

    def was_late(self, table: str, round_: int, session: str) -> None:
        """A wager that came after the close; a few in one round are an alert."""
        key = (table, round_, session)
        self._late[key] += 1
        if self._late[key] == LATE_ATTEMPTS:
            text = f"{LATE_ATTEMPTS} wagers after the close"
            self._alert(int(time.time() * 1000), "late", table, round_, session, text)
        if len(self._late) > MAX_SPREADS:
            self._late.clear()

    def figures(self, table: str, now: int) -> DayFigures:
        return self._day(table, now).view()

    def returns(self, table: str) -> list[BetReturn]:
        found = self._returns.get(table)
        return found.view() if found else []

    def _day(self, table: str, at: int) -> Day:
        day = self._days.get(table)
        if day is None or day.number != at // DAY_MS:
            day = self._days[table] = Day(at // DAY_MS)
            self._returns.pop(table, None)
        return day

    def _settled(self, state: TableState, event: e.RoundSettled, at: int) -> None:
        table, round_, game = state.stream, state.round, state.playing
        assert round_ is not None
        returns, decks = self._returns.get(table), state.shoe.decks if state.shoe else game.default_decks
        if returns is None or (returns.game, returns.decks) != (game, decks):
            returns = self._returns[table] = Returns(game, decks)
        for what in returns.saw(round_.play):
            self._alert(at, "return", table, event.round, "", f"{what} does not come as often as fair cards have it")
        for line in event.lines:
            returns.took(line.bet, line.stake_cents, line.paid_cents)
            won = line.winnings_cents + line.bonus_cents
            if won >= LARGE_WIN_CENTS:
                text = f"{format_cents(won)} on {line.bet}"
                self._alert(at, "large-win", table, event.round, line.session, text)
        self._hold_against_edges(state, event, at)

    def _hold_against_edges(self, state: TableState, event: e.RoundSettled, at: int) -> None:
        """Stakes of everybody who has bet on a side bet before, or does now."""
        table, round_ = state.stream, state.round
        assert round_ is not None
        stakes = {(line.session, line.bet): line.stake_cents for line in event.lines if line.bet not in MAIN_BETS}
        for session, bet in stakes:
            if len(self._spreads) < MAX_SPREADS:
                self._spreads.setdefault((table, session, bet), Spread())
        watched = [key for key in self._spreads if key[0] == table and key[1] in state.sessions]
        if not watched:
            return
        edge = {odds.bet.id: float(odds.ev) for odds in par_sheet(state.playing, round_.play.shoe).bets}
        for key in watched:
            spread = self._spreads[key]
            spread.saw(stakes.get(key[1:], 0), edge[key[2]])
            if key not in self._flagged and spread.is_flagged:
                self._flagged.add(key)
                text = f"stakes on {key[2]} follow the edge: {spread.score:.1f} standard deviations"
                self._alert(at, "spread", table, event.round, key[1], text)

    def _alert(self, at: int, kind: str, table: str, round_: int, session: str, text: str) -> None:
        self.alerts.append(Alert(at=at, kind=kind, table=table, round=round_, session=session, text=text))


def edges(game: Game, shoe: Shoe) -> list[Edge]:
    """Exact, for the cards that could still come when the round began."""
    least = {bet.id: Fraction(bet.step_cents, 100) for bet in game.bets}
    return [
        Edge(bet=odds.bet.id, edge=float(odds.ev), with_bonus=float(odds.ev_at(least[odds.bet.id])))
        for odds in par_sheet(game, shoe).bets
    ]


_ALWAYS = (
    e.RoundSettled, e.RoundVoided, e.RoundReopened, e.CreditsBought, e.CreditsLoaded, e.VoucherRedeemed,
)  # fmt: skip


def is_watched(entry: Entry) -> bool:
    """Whether the watch has anything to learn from it; most wagers are not worth the way."""
    event = entry.events[0]
    if isinstance(event, e.WagerPlaced | e.WagerRaised):
        return event.stake_cents >= LARGE_WAGER_CENTS
    return any(isinstance(event, _ALWAYS) for event in entry.events)
