"""Wagers placed together: exact expected value, variance and covariance."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations_with_replacement

from puntobanco.odds.par import Signed, both, signed_probabilities, ways_of
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.money import Dollars, Odds
from puntobanco.rules.shoe import Shoe


@dataclass(frozen=True)
class Combination:
    """Several wagers in one round, in dollars; a Tie Bonus is counted in."""

    stakes: Mapping[str, Fraction]
    ev: Fraction
    variance: Fraction
    each: Mapping[str, Fraction]  # bet -> expected value of its wager
    covariance: Mapping[tuple[str, str], Fraction]


def combine(game: Game, shoe: Shoe, stakes: Mapping[str, Fraction]) -> Combination:
    """What these wagers come to together, stakes in dollars by bet.

    >>> from puntobanco.rules.games import RAPID
    >>> both = combine(RAPID, RAPID.shoe(8), {"player": Fraction(1), "banker": Fraction(1)})
    >>> both.variance < both.covariance["player", "player"]
    True
    """
    # A wager loses its stake, and gains something for each of its events that happens:
    # net = -stake + sum of gains.
    events = list[tuple[str, Signed, Fraction]]()
    for bet, stake in stakes.items():
        for way, gain in _events(game.bet(bet), stake):
            events.append((bet, way, gain))
    pairs = list(combinations_with_replacement(range(len(events)), 2))
    ways = [way for _, way, _ in events]
    joint = [both(ways[i], ways[j]) for i, j in pairs]
    chances = signed_probabilities(ways + joint, game, shoe)
    expected = {bet: -stake for bet, stake in stakes.items()}
    for (bet, _, gain), chance in zip(events, chances, strict=False):
        expected[bet] += gain * chance
    covariance = {(a, b): Fraction(0) for a in stakes for b in stakes}
    for (i, j), together in zip(pairs, chances[len(events) :], strict=True):
        bet_i, _, gain_i = events[i]
        bet_j, _, gain_j = events[j]
        shared = gain_i * gain_j * (together - chances[i] * chances[j])
        covariance[bet_i, bet_j] += shared
        if i != j:
            covariance[bet_j, bet_i] += shared
    ev = sum(expected.values(), Fraction(0))
    variance = sum(covariance.values(), Fraction(0))
    return Combination(stakes, ev, variance, expected, covariance)


def _events(bet: Bet, stake: Fraction) -> Iterator[tuple[Signed, Fraction]]:
    """What can happen to a wager, and how much better than a loss it is."""
    gains = list[Fraction]()
    for line in bet.pays:
        assert isinstance(line.pays, Odds)
        gains.append(stake + stake * Fraction(line.pays.win, line.pays.risk))
    if bet.push:
        gains.append(stake)
    for line in bet.bonus:
        assert isinstance(line.pays, Dollars)
        gains.append(Fraction(line.pays.amount))
    return zip(ways_of(bet), gains, strict=True)
