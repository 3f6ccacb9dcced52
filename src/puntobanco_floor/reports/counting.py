"""Counting: entries folded into figures by table, game and day, by bet, and by terminal. Pure.

Each event says what is counted of it (`Event.figures`). One that moves money and is counted nowhere
is kept apart, with its amount: a report that has such does not tie out, and names the event.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.house.gaming_day import Calendar, Span
from puntobanco_floor.domain.stream_names import CAGE, terminal_of
from puntobanco_floor.reports.figures import Figures
from puntobanco_floor.reports.shuffles import Shuffles

GUESTS = "guests"
"""The line of the meters for sessions of no terminal."""


Closing: TypeAlias = tuple[str, int, e.ShiftClosed]
"""A window, when its shift was closed, and how."""


class GameKey(NamedTuple):
    """A game in reports. Another paytable, definition or number of decks is another game."""

    game: str = ""
    digest: str = ""  # of the definition, paytable included
    decks: int = 0  # none before the first shoe


NO_GAME = GameKey()
NO_DAY = Span(0, 0, 0)


@dataclass
class Place:
    """What is being played at a table: the game that money belongs to, and the round that is not
    finished.
    """

    game: GameKey = NO_GAME
    round_game: GameKey | None = None  # of the last round, whose shoe may be off the table
    round: int = 0
    has_cards: bool = False  # of that round, one at least
    in_play: bool = False
    definitions: dict[str, dict[str, object]] = field(
        default_factory=dict
    )  # digest -> what it is of

    def follow(self, event: e.Event) -> None:
        match event:
            case e.TableOpened():
                self.definitions[event.digest] = event.definition
                self.game = GameKey(event.game, event.digest, self.game.decks)
            case e.ShoeStarted():
                self.game = self.game._replace(decks=event.decks)
            case e.BetsOpened():
                self.round = event.round
                self.round_game = self.game
                self.in_play, self.has_cards = True, False
            case e.CardDealt():
                self.has_cards = True
        if isinstance(event, e.Reckoning):
            self.in_play = event.settles < 0


@dataclass(slots=True)
class BetFigures:
    """A bet's settled wagers."""

    wagers: int = 0
    wagered_cents: int = 0
    won_cents: int = 0


@dataclass(slots=True)
class VoidFigures:
    """Rounds void after their first card."""

    rounds: int = 0
    returned_cents: int = 0


@dataclass
class Tally:
    """Everything that is counted. `by_game` and `by_terminal` are two cuts of the same money."""

    calendar: Calendar = field(default_factory=Calendar)
    by_game: dict[tuple[str, GameKey, int], Figures] = field(default_factory=dict)
    by_bet: dict[tuple[str, GameKey, str], BetFigures] = field(default_factory=dict)
    by_terminal: dict[str, Figures] = field(default_factory=dict)
    unknown: Counter[str] = field(default_factory=Counter)  # event -> cents that it moved
    # window and shift -> cash in, less cash out
    cash: Counter[tuple[str, int]] = field(default_factory=Counter)
    shifts: Counter[str] = field(default_factory=Counter)  # window -> the shift opened there last
    closed: list[Closing] = field(default_factory=list)
    shuffles: dict[tuple[str, int], Shuffles] = field(default_factory=dict)  # by stream and day
    # ground, pair of people -> rounds void after the first card
    voided: dict[tuple[str, tuple[str, ...]], VoidFigures] = field(default_factory=dict)
    _span: Span = NO_DAY  # the day of the entry before: most are of the same one

    def take(self, entry: Entry, place: Place) -> None:
        """Count an entry; `place` is where its table stands, and goes along."""
        for event in entry.events:
            place.follow(event)
            if e.shuffled_by(event):
                key = entry.stream, self._day(entry.at)
                self.shuffles.setdefault(key, Shuffles()).saw(event)
            figures = event.figures()
            if figures:
                self._count(event, figures, entry, place)
            elif moved := event.transfers():
                kind = type(event).__name__
                cents = sum(transfer.cents for transfer in moved)
                self.unknown[kind] += cents
            if event.traits.group == "money":
                self._in_drawers(entry, event)
            elif e.is_void(event) and place.has_cards:
                people = {event.proposed_by, event.approved_by} - {""}
                self._count_void(event, event.ground, people)

    def _count_void(self, event: e.Outcome, ground: str, people: set[str]) -> None:
        """By ground and by pair: who of the two proposed it makes no difference."""
        counted = self.voided.setdefault((ground, tuple(sorted(people))), VoidFigures())
        counted.rounds += 1
        counted.returned_cents += sum(line.stake_cents for line in event.lines)

    def _count(
        self, event: e.Event, figures: tuple[e.Figure, ...], entry: Entry, place: Place
    ) -> None:
        """To the table's figures, and to the terminal's where a session is named."""
        game = place.game
        if isinstance(event, e.Wagered | e.Reckoning) and place.round_game is not None:
            game = place.round_game
        key = entry.stream, game, self._day(entry.at)
        own = self.by_game.setdefault(key, Figures())
        for name, amount, session in figures:
            own.count(name, amount)
            if session:
                self.terminal(session).count(name, amount)
        if isinstance(event, e.Reckoning) and event.settles:
            self._count_lines(event, entry.stream, game, own)

    def _day(self, at: int) -> int:
        if not self._span.start <= at < self._span.end:
            self._span = self.calendar.span_at(at)
        return self._span.day

    def _count_lines(self, event: e.Reckoning, stream: str, game: GameKey, own: Figures) -> None:
        """Settled lines by bet, and the round once for each terminal; a reopening takes them
        back.
        """
        sign = event.settles
        terminals = set[str]()
        for line in event.lines:
            bet = self.by_bet.setdefault((stream, game, line.bet), BetFigures())
            bet.wagers += sign
            bet.wagered_cents += sign * line.stake_cents
            bet.won_cents += sign * line.paid_cents
            terminals.add(terminal_of(line.session) or GUESTS)
        for terminal in terminals:
            own.count("games", sign)
            self.by_terminal.setdefault(terminal, Figures()).count("games", sign)

    def _in_drawers(self, entry: Entry, event: e.Event) -> None:
        """Cash by the drawer that it names: the second side of what a shift says of itself when it
        is closed.
        """
        if isinstance(event, e.CashMoved):
            if event.window:
                window = f"{CAGE}{event.window}"
                self.cash[window, event.shift] += event.cash_cents
        elif isinstance(event, e.VoucherTraded):
            shift = self.shifts[entry.stream]
            self.cash[entry.stream, shift] += event.cash_cents
        elif isinstance(event, e.ShiftOpened):
            self.shifts[entry.stream] = event.shift
        elif isinstance(event, e.ShiftClosed):
            self.closed.append((entry.stream, entry.at, event))

    def terminal(self, session: str) -> Figures:
        return self.by_terminal.setdefault(terminal_of(session) or GUESTS, Figures())
