"""Figures: what a report counts of each entry, by table, game and day, by bet, by terminal. Pure.

Each amount is a double entry, so that figures can be compared with the ledger. A new kind of money
is a field of `Figures`; the event that moves it names the field in its `figures`. An event that
moves money and is counted nowhere is kept apart: a report that has one does not tie out, and names
it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco_floor.domain import ledger
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.house.gaming_day import Calendar, Span
from puntobanco_floor.domain.stream_names import CAGE, bet_words, terminal_of
from puntobanco_floor.reports.rows import Significant
from puntobanco_proof.entry.record import Record, fill_record

SESSIONS = "sessions"
"""All patrons' accounts together."""

_MOVED = "moved"


def _money(debit: str, credit: str) -> int:
    """Define an amount by the account that it leaves and the account that it goes to."""
    amount: int = field(default=0, metadata={_MOVED: (debit, credit)})
    return amount


@dataclass(slots=True)
class Figures:
    """Sums over entries. A reopened round counts backwards where it was settled forwards."""

    bought_cents: int = _money(ledger.CAGE, SESSIONS)
    loaded_cents: int = _money(ledger.CAGE, SESSIONS)
    redeemed_cents: int = _money(ledger.VOUCHERS, SESSIONS)
    issued_cents: int = _money(SESSIONS, ledger.VOUCHERS)
    cashed_out_cents: int = _money(SESSIONS, ledger.CAGE)
    held_cents: int = _money(SESSIONS, ledger.HELD)  # set apart for hand pays, less what went back
    hand_paid_cents: int = _money(ledger.HELD, ledger.CAGE)
    moved_out_cents: int = _money(SESSIONS, ledger.MOVING)  # to other tables, less what came back
    moved_in_cents: int = _money(ledger.MOVING, SESSIONS)  # from other tables
    adjusted_cents: int = _money(
        ledger.ADJUSTMENTS, SESSIONS
    )  # by rulings on past rounds, as credits
    adjusted_cash_cents: int = _money(
        ledger.ADJUSTMENTS, ledger.CAGE
    )  # and in cash, to patrons who had left
    sold_cents: int = _money(ledger.CAGE, ledger.VOUCHERS)  # vouchers for cash, at a cage window
    paid_cents: int = _money(ledger.VOUCHERS, ledger.CAGE)  # cash for vouchers
    restored_cents: int = _money(
        ledger.UNRECOVERED, ledger.VOUCHERS
    )  # vouchers that a recovery had lost
    placed_cents: int = _money(SESSIONS, ledger.WAGERS)  # stakes, less what was withdrawn
    voided_cents: int = _money(ledger.WAGERS, SESSIONS)  # stakes returned by void rounds
    returned_cents: int = _money(ledger.WAGERS, SESSIONS)  # stakes returned by settlements
    lost_cents: int = _money(ledger.WAGERS, ledger.BANK)
    winnings_cents: int = _money(ledger.BANK, SESSIONS)
    bonus_cents: int = _money(ledger.BONUS, SESSIONS)
    set_off_cents: int = _money(SESSIONS, ledger.UNRECOVERED)
    unrecovered_cents: int = _money(ledger.UNRECOVERED, SESSIONS)
    adjustments: int = 0
    loads: int = 0
    rounds: int = 0
    voids: int = 0
    reopened: int = 0
    # rounds settled in which a terminal had wagers; of a table, summed over terminals
    games: int = 0

    def count(self, name: str, amount: int) -> None:
        setattr(self, name, getattr(self, name) + amount)

    def add(self, other: Figures) -> None:
        for name in NAMES:
            if amount := getattr(other, name):
                self.count(name, amount)

    @property
    def drop_cents(self) -> int:
        return self.bought_cents + self.loaded_cents + self.redeemed_cents

    @property
    def out_cents(self) -> int:
        return self.issued_cents + self.cashed_out_cents + self.hand_paid_cents

    @property
    def wagered_cents(self) -> int:
        """Stakes that were settled; void ones are not among them."""
        return self.lost_cents + self.returned_cents

    @property
    def won_cents(self) -> int:
        """All that settlements paid, stakes included: what was wagered less this is the win."""
        return self.returned_cents + self.winnings_cents + self.bonus_cents

    @property
    def win_cents(self) -> int:
        return self.lost_cents - self.winnings_cents - self.bonus_cents

    @property
    def moved(self) -> Counter[str]:
        """Sum up what these figures say has happened to each account."""
        found = Counter[str]()
        for name, (debit, credit) in MOVES.items():
            cents = getattr(self, name)
            found[debit] -= cents
            found[credit] += cents
        return found

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in NAMES)


NAMES = tuple(each.name for each in fields(Figures))
MOVES: dict[str, tuple[str, str]] = {
    each.name: each.metadata[_MOVED] for each in fields(Figures) if each.metadata
}
"""From which account each amount goes to which."""


def total(parts: Iterable[Figures]) -> Figures:
    found = Figures()
    for part in parts:
        found.add(part)
    return found


# Shoes

UNMIXED_RATE = Fraction(1, 20)
"""Of the shoes of a day: more that were abandoned, or shuffled by the house alone, are an alarm."""

UNMIXED_LEAST = 3
"""Fewer than so many are none, however few shoes there were."""

_SAYS = Words(
    "shoes abandoned {}, shuffled by the house alone {}, of {}: more than 1 in {}",
    "棄用 {} 靴，只由本場洗牌 {} 靴，共 {} 靴：超過 1／{}",
)


@dataclass(slots=True)
class Shuffles:
    """Virtual shoes of a day by who had a part in their order; continuous shoes are not counted.

    A house that ends shoes before they are mixed, or starts them while a witness is away, could
    choose among them: too many of these are an alarm.
    """

    shoes: int = 0
    named: int = 0  # that named witnesses to mix them
    mixed: int = 0
    abandoned: int = 0

    def saw(self, event: e.Event) -> None:
        said = e.shuffled_by(event)
        self.shoes += said in ("alone", "named")
        self.named += said == "named"
        self.mixed += said == "mixed"
        self.abandoned += said == "abandoned"

    def add(self, other: Shuffles) -> None:
        self.shoes += other.shoes
        self.named += other.named
        self.mixed += other.mixed
        self.abandoned += other.abandoned

    @property
    def alone(self) -> int:
        """Shuffled by the house alone."""
        return self.shoes - self.named

    @property
    def unmixed(self) -> int:
        return self.alone + self.abandoned

    def are_too_many(self, *, has_witnesses: bool = False) -> bool:
        """Compare shoes not mixed with `UNMIXED_RATE`, if the floor or a shoe names witnesses."""
        is_expected = has_witnesses or self.named > 0
        is_many = self.unmixed >= UNMIXED_LEAST and self.unmixed > UNMIXED_RATE * self.shoes
        return is_expected and is_many

    def says(self) -> Words:
        return _SAYS.format(self.abandoned, self.alone, self.shoes, UNMIXED_RATE.denominator)


# Significant events


class Thresholds(Record):
    """From where on a wager, and what a session wins in a round, are large."""

    large_wager_cents: int = 1_000_000
    large_win_cents: int = 1_000_000


def find_significant(entry: Entry, over: Thresholds) -> Iterator[Significant]:
    """Find what somebody must be able to look up later (GLI-19 2.8.8): by kind, or by its size."""
    for event in entry.events:
        for heading, what in _found(event, over):
            yield fill_record(Significant, entry, entry=entry.seq, kind=heading, what=what)


def _found(event: e.Event, over: Thresholds) -> Iterator[tuple[str, str]]:
    if event.traits.heading:
        if what := event.reported():
            yield event.traits.heading, what
    elif isinstance(event, e.Wagered):
        before = event.stake_cents - event.change_cents
        if before < over.large_wager_cents <= event.stake_cents:
            stake, title = dollars(event.stake_cents), bet_words(event.bet).en
            yield "large wager", f"round {event.round}: {event.session} has {stake} on {title}"
    elif isinstance(event, e.Outcome):
        yield from _large_wins(event, over.large_win_cents)


def _large_wins(event: e.Outcome, least: int) -> Iterator[tuple[str, str]]:
    won = Counter[str]()
    for line in event.lines:
        won[line.session] += line.won_cents
    for session, cents in won.items():
        if cents >= least:
            yield "large win", f"round {event.round}: {session} wins {dollars(cents)}"


# Counting

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
    """The game that a table's money belongs to, and the round that is not finished."""

    game: GameKey = NO_GAME
    round_game: GameKey | None = None  # of the last round, whose shoe may be off the table
    round: int = 0
    has_cards: bool = False  # of that round, one at least
    in_play: bool = False
    definitions: dict[str, dict[str, object]] = field(default_factory=dict)  # by digest

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
        """Count an entry; `place` follows what its table plays."""
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
                self.unknown[kind] += sum(transfer.cents for transfer in moved)
            if event.traits.group == "money":
                self._in_drawers(entry, event)
            elif e.is_void(event) and place.has_cards:
                # who of the two proposed it makes no difference
                people = tuple(sorted({event.proposed_by, event.approved_by} - {""}))
                voids = self.voided.setdefault((event.ground, people), VoidFigures())
                voids.rounds += 1
                voids.returned_cents += sum(line.stake_cents for line in event.lines)

    def _count(
        self, event: e.Event, figures: tuple[e.Figure, ...], entry: Entry, place: Place
    ) -> None:
        """Add to the table's figures, and to the terminal's where a session is named."""
        game = place.game
        if isinstance(event, e.Wagered | e.Reckoning) and place.round_game is not None:
            game = place.round_game
        key = entry.stream, game, self._day(entry.at)
        own = self.by_game.setdefault(key, Figures())
        for name, amount, session in figures:
            own.count(name, amount)
            if session:
                self._terminal(terminal_of(session)).count(name, amount)
        if isinstance(event, e.Reckoning) and event.settles:
            self._count_lines(event, entry.stream, game, own)

    def _day(self, at: int) -> int:
        if not self._span.start <= at < self._span.end:
            self._span = self.calendar.span_at(at)
        return self._span.day

    def _count_lines(self, event: e.Reckoning, stream: str, game: GameKey, own: Figures) -> None:
        """Count lines by bet, and the round once for each terminal; a reopening takes them back."""
        sign = event.settles
        terminals = set[str]()
        for line in event.lines:
            bet = self.by_bet.setdefault((stream, game, line.bet), BetFigures())
            bet.wagers += sign
            bet.wagered_cents += sign * line.stake_cents
            bet.won_cents += sign * line.paid_cents
            terminals.add(terminal_of(line.session))
        for terminal in terminals:
            own.count("games", sign)
            self._terminal(terminal).count("games", sign)

    def _in_drawers(self, entry: Entry, event: e.Event) -> None:
        """Add up the cash of each drawer, to compare with what its shift says at its close."""
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

    def _terminal(self, name: str) -> Figures:
        return self.by_terminal.setdefault(name or GUESTS, Figures())
