"""Settlement: wagers and a complete round in; a line for each wager out, with its clause."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from puntobanco.base.money import MAX_STAKE_CENTS, dollars
from puntobanco.base.refusal import StakeRefused
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.refusals import CardRefused, RoundNotComplete
from puntobanco.rules.round import Round

Outcome = Literal["wins", "loses", "pushes", "void"]


@dataclass(frozen=True, slots=True)
class Wager:
    """A patron's stake on a bet."""

    patron: str
    bet: str
    stake_cents: int


@dataclass(frozen=True, slots=True)
class Line:
    """What became of one wager."""

    wager: Wager
    outcome: Outcome
    winnings_cents: int  # without the stake
    returned_cents: int  # the stake, when it comes back
    bonus_cents: int
    clause: str
    bonus_clause: str | None = None

    @property
    def net_cents(self) -> int:
        """What the patron is better or worse off than before the wager."""
        return self.paid_cents - self.wager.stake_cents

    @property
    def paid_cents(self) -> int:
        """What goes to the patron: stake returned, winnings and bonus."""
        return self.returned_cents + self.winnings_cents + self.bonus_cents


def verify_wager(game: Game, wager: Wager) -> Bet:
    """The wager's bet; refuses an unknown bet, and a stake that is no money or whose payouts are
    not whole cents.
    """
    bet = game.bet(wager.bet)
    stake = wager.stake_cents
    if type(stake) is not int:
        raise StakeRefused(f"a stake on {bet.title.en} is a whole number of cents, not {stake!r}")
    if stake <= 0:
        raise StakeRefused(f"a stake on {bet.title.en} must be more than zero, not {_shown(stake)}")
    if stake > MAX_STAKE_CENTS:
        most = dollars(MAX_STAKE_CENTS)
        raise StakeRefused(f"a stake on {bet.title.en} is at most {most}, not {_shown(stake)}")
    if stake % bet.step_cents:
        raise _not_whole_cents(bet, stake)
    return bet


def _shown(cents: int) -> str:
    if abs(cents) < 10**24:
        return dollars(cents)
    return "a number of over 20 digits"


def _not_whole_cents(bet: Bet, stake_cents: int) -> StakeRefused:
    odd = next(odds for odds in bet.odds if stake_cents % odds.step_cents)
    return StakeRefused(
        f"{odd.words.en} on {dollars(stake_cents)} is not whole cents; "
        f"stake a multiple of {dollars(bet.step_cents)} on {bet.title.en}"
    )


def settle(game: Game, round_: Round, wagers: Iterable[Wager]) -> list[Line]:
    """Every wager's line, in the order given.

    A Tie Bonus goes once to each patron, with his first wager.
    """
    wagers = tuple(wagers)
    bets = [verify_wager(game, wager) for wager in wagers]
    if round_.shoe.deck != game.deck:
        dealt = round_.shoe.deck.name.en
        raise CardRefused(
            f"this round is dealt with {dealt} cards; {game.title.en} plays {game.deck.name.en}"
        )
    if not round_.is_complete:
        missing = round_.next
        raise RoundNotComplete(
            f"{len(round_.cards)} cards are not a complete round: {missing.why.en}; "
            f"the next card goes to {missing.hand}",
            clause=missing.clause,
        )
    ways = game.decide(*round_.slots)
    answers_at = game.answers_at
    awarded = set()
    lines = []
    for wager, bet in zip(wagers, bets, strict=True):
        at, bonus_at = answers_at[bet.id]
        line = _line(wager, bet, ways[at])
        if bonus_at and line.outcome == "wins" and (wager.patron, bet.id) not in awarded:
            bonus = ways[bonus_at]
            if bonus < len(bet.bonus):
                awarded.add((wager.patron, bet.id))
                award = bet.awards[bonus].cents
                line = replace(line, bonus_cents=award, bonus_clause=bet.bonus[bonus].clause)
        lines.append(line)
    return lines


def _line(wager: Wager, bet: Bet, way: int) -> Line:
    stake = wager.stake_cents
    if way < len(bet.pays):
        winnings = bet.odds[way].winnings(stake)
        return Line(wager, "wins", winnings, stake, 0, bet.pays[way].clause)
    if bet.push and way == len(bet.pays):
        return Line(wager, "pushes", 0, stake, 0, bet.push.clause)
    return Line(wager, "loses", 0, 0, 0, bet.clause)


def void(game: Game, wagers: Iterable[Wager], *, clause: str) -> list[Line]:
    """A void round: every wager returned, nothing won or lost, under the clause that voids it."""
    wagers = tuple(wagers)
    for wager in wagers:
        verify_wager(game, wager)
    return [Line(wager, "void", 0, wager.stake_cents, 0, clause) for wager in wagers]


def net_cents(lines: Sequence[Line]) -> int:
    return sum(line.net_cents for line in lines)
