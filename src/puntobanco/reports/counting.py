"""Counting: entries folded into figures by table, game and day, by bet, and by terminal. Pure.

What moves money and is not counted here by name is kept apart, with its amount: a report that has
such does not tie out, and says which event it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

import puntobanco.events as e
from puntobanco.house.state import DAY_MS
from puntobanco.journal import Entry
from puntobanco.ledger import transfers
from puntobanco.names import CAGE, terminal_of
from puntobanco.reports.figures import Figures

GUESTS = "guests"
"""The line of the meters for sessions of no terminal."""


class GameKey(NamedTuple):
    """A game in reports. Another paytable, definition or number of decks is another game."""

    game: str = ""
    digest: str = ""  # of the definition, paytable included
    decks: int = 0  # none before the first shoe


NO_GAME = GameKey()


@dataclass
class Place:
    """What is being played at a table: the game that money belongs to, and the round that is not
    finished.
    """

    game: GameKey = NO_GAME
    round_game: GameKey | None = None  # of the last round, whose shoe may be off the table
    round: int = 0
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
                self.round, self.round_game, self.in_play = event.round, self.game, True
            case e.RoundReopened():
                self.in_play = True
            case e.RoundSettled() | e.RoundVoided():
                self.in_play = False


PLACED_BY = frozenset(
    {e.TableOpened, e.ShoeStarted, e.BetsOpened, e.RoundReopened, e.RoundSettled, e.RoundVoided}
)
"""The events that change a place."""


@dataclass(slots=True)
class BetFigures:
    """A bet's settled wagers."""

    wagers: int = 0
    wagered_cents: int = 0
    won_cents: int = 0


@dataclass
class Tally:
    """Everything that is counted. `by_game` and `by_terminal` are two cuts of the same money."""

    by_game: dict[tuple[str, GameKey, int], Figures] = field(default_factory=dict)
    by_bet: dict[tuple[str, GameKey, str], BetFigures] = field(default_factory=dict)
    by_terminal: dict[str, Figures] = field(default_factory=dict)
    unknown: dict[str, int] = field(default_factory=dict)  # event -> cents that it moved
    cash: dict[tuple[str, int], int] = field(
        default_factory=dict
    )  # window and shift -> cash in, less cash out
    shifts: dict[str, int] = field(
        default_factory=dict
    )  # window -> the shift that was opened there last
    closed: list[tuple[str, int, e.ShiftClosed]] = field(default_factory=list)  # window, when, how

    def take(self, entry: Entry, place: Place) -> None:
        """Count an entry; `place` is where its table stands, and goes along."""
        day = entry.at // DAY_MS
        for event in entry.events:
            kind = type(event)
            if kind in PLACED_BY:
                place.follow(event)
            counts = _COUNTS.get(kind)
            if counts is not None:
                is_of_round = kind in _OF_A_ROUND and place.round_game is not None
                game = place.round_game if is_of_round and place.round_game else place.game
                counts(Counted(self, entry.stream, game, day), event)
            elif moved := transfers(event):
                self.unknown[kind.__name__] = self.unknown.get(kind.__name__, 0) + sum(
                    t.cents for t in moved
                )
            if kind in _OF_DRAWERS:
                self._in_drawers(entry, event)

    def _in_drawers(self, entry: Entry, event: e.Event) -> None:
        """Cash by the drawer that it names: the second side of what a shift says of itself when it
        is closed.
        """
        match event:
            case e.ShiftOpened():
                self.shifts[entry.stream] = event.shift
            case e.ShiftClosed():
                self.closed.append((entry.stream, entry.at, event))
            case e.VoucherSold() | e.VoucherPaid():
                shift = self.shifts.get(entry.stream, 0)
                self._add_cash(
                    entry.stream,
                    shift,
                    event.cents if isinstance(event, e.VoucherSold) else -event.cents,
                )
            case e.CreditsBought() | e.CreditsLoaded() | e.CashedOut() if event.window:
                cents = -event.cents if isinstance(event, e.CashedOut) else event.cents
                self._add_cash(f"{CAGE}{event.window}", event.shift, cents)

    def _add_cash(self, window: str, shift: int, cents: int) -> None:
        self.cash[window, shift] = self.cash.get((window, shift), 0) + cents

    def terminal(self, session: str) -> Figures:
        return self.by_terminal.setdefault(terminal_of(session) or GUESTS, Figures())


class Counted(NamedTuple):
    """Where the amounts of one event go."""

    tally: Tally
    stream: str
    game: GameKey
    day: int

    @property
    def figures(self) -> Figures:
        return self.tally.by_game.setdefault((self.stream, self.game, self.day), Figures())

    def add(self, session: str | None, **amounts: int) -> None:
        """To the table's figures, and to the terminal's where a session is named."""
        cuts = [self.figures] if session is None else [self.figures, self.tally.terminal(session)]
        for figures in cuts:
            for name, amount in amounts.items():
                setattr(figures, name, getattr(figures, name) + amount)

    def lines(self, lines: Iterable[e.Line], *, sign: int) -> None:
        """Settled lines, or with -1 their taking back."""
        terminals = set[str]()
        for line in lines:
            self.add(
                line.session,
                lost_cents=0 if line.returned_cents else sign * line.stake_cents,
                returned_cents=sign * line.returned_cents,
                winnings_cents=sign * line.winnings_cents,
                bonus_cents=sign * line.bonus_cents,
            )
            bet = self.tally.by_bet.setdefault((self.stream, self.game, line.bet), BetFigures())
            bet.wagers += sign
            bet.wagered_cents += sign * line.stake_cents
            bet.won_cents += sign * line.paid_cents
            if (terminal := terminal_of(line.session) or GUESTS) not in terminals:
                terminals.add(terminal)
                self.add(line.session, games=sign)
        self.add(None, rounds=sign)


_OF_DRAWERS = frozenset(
    {
        e.ShiftOpened,
        e.ShiftClosed,
        e.VoucherSold,
        e.VoucherPaid,
        e.CreditsBought,
        e.CreditsLoaded,
        e.CashedOut,
    }
)
E = TypeVar("E", bound=e.Event)
_COUNTS = dict[type[e.Event], Callable[[Counted, e.Event], None]]()
_OF_A_ROUND = frozenset(
    {
        e.WagerPlaced,
        e.WagerRaised,
        e.WagerWithdrawn,
        e.RoundSettled,
        e.RoundVoided,
        e.RoundReopened,
    }
)


def counts(kind: type[E]) -> Callable[[Callable[[Counted, E], None]], Callable[[Counted, E], None]]:
    """Registers how an event that moves money is counted."""

    def register(function: Callable[[Counted, E], None]) -> Callable[[Counted, E], None]:
        _COUNTS[kind] = function  # type: ignore[assignment]
        return function

    return register


@counts(e.CreditsBought)
def _(to: Counted, event: e.CreditsBought) -> None:
    to.add(event.session, bought_cents=event.cents)


@counts(e.CreditsLoaded)
def _(to: Counted, event: e.CreditsLoaded) -> None:
    to.add(event.session, loaded_cents=event.cents, loads=1)


@counts(e.VoucherRedeemed)
def _(to: Counted, event: e.VoucherRedeemed) -> None:
    to.add(event.session, redeemed_cents=event.cents, vouchers_in=1)


@counts(e.VoucherIssued)
def _(to: Counted, event: e.VoucherIssued) -> None:
    to.add(event.session, issued_cents=event.cents, vouchers_out=1)


@counts(e.CashedOut)
def _(to: Counted, event: e.CashedOut) -> None:
    """What two people paid is a hand pay."""
    if event.approved_by:
        to.add(event.session, hand_paid_cents=event.cents)
    else:
        to.add(event.session, cashed_out_cents=event.cents)


@counts(e.Proposed)
def _held(to: Counted, event: e.Proposed) -> None:
    if event.held_cents:
        to.add(event.session, held_cents=event.held_cents)


@counts(e.ProposalRejected)
def _returned(to: Counted, event: e.ProposalRejected | e.ProposalWithdrawn) -> None:
    if event.returned_cents:
        to.add(event.session, held_cents=-event.returned_cents)


_COUNTS[e.ProposalWithdrawn] = _COUNTS[e.ProposalRejected]


@counts(e.VoucherSold)
def _(to: Counted, event: e.VoucherSold) -> None:
    to.add(None, sold_cents=event.cents, vouchers_out=1)


@counts(e.VoucherPaid)
def _(to: Counted, event: e.VoucherPaid) -> None:
    to.add(None, paid_cents=event.cents, vouchers_in=1)


@counts(e.WagerPlaced)
def _(to: Counted, event: e.WagerPlaced) -> None:
    to.add(event.session, placed_cents=event.stake_cents)


@counts(e.WagerRaised)
def _(to: Counted, event: e.WagerRaised) -> None:
    to.add(event.session, placed_cents=event.by_cents)


@counts(e.WagerWithdrawn)
def _(to: Counted, event: e.WagerWithdrawn) -> None:
    to.add(event.session, placed_cents=-event.by_cents)


@counts(e.RoundSettled)
def _(to: Counted, event: e.RoundSettled) -> None:
    to.lines(event.lines, sign=1)
    for line in event.lines:
        to.add(line.session, set_off_cents=line.set_off_cents)


@counts(e.RoundVoided)
def _(to: Counted, event: e.RoundVoided) -> None:
    to.add(None, voids=1)
    for line in event.lines:
        to.add(line.session, voided_cents=line.stake_cents, set_off_cents=line.set_off_cents)


@counts(e.RoundReopened)
def _(to: Counted, event: e.RoundReopened) -> None:
    to.lines((recovery.line for recovery in event.recoveries), sign=-1)
    to.add(None, reopened=1)
    for recovery in event.recoveries:
        to.add(recovery.line.session, unrecovered_cents=recovery.unrecovered_cents)
