"""Wagers placed together: exact expected value, variance and covariance from joint
probabilities.
"""

from __future__ import annotations

from collections.abc import Mapping
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
    # A wager wins `value` where its event happens, and loses its stake where none does: net =
    # -stake + sum of gains.
    events = {bet: list(_events(game.bet(bet), stake)) for bet, stake in stakes.items()}
    flat = [(bet, way, gain) for bet, ways in events.items() for way, gain in ways]
    pairs = list(combinations_with_replacement(range(len(flat)), 2))
    joint = [both(flat[i][1], flat[j][1]) for i, j in pairs]
    chances = signed_probabilities((*(way for _, way, _ in flat), *joint), game, shoe)
    single, together = chances[: len(flat)], dict(zip(pairs, chances[len(flat) :], strict=True))
    expected = {bet: -stake for bet, stake in stakes.items()}
    for (bet, _, gain), chance in zip(flat, single, strict=True):
        expected[bet] += gain * chance
    covariance = {}
    for a in stakes:
        for b in stakes:
            total = Fraction(0)
            for i, (bet_i, _, gain_i) in enumerate(flat):
                for j, (bet_j, _, gain_j) in enumerate(flat):
                    if (bet_i, bet_j) == (a, b):
                        total += (
                            gain_i
                            * gain_j
                            * (together[min(i, j), max(i, j)] - single[i] * single[j])
                        )
            covariance[a, b] = total
    return Combination(
        stakes,
        sum(expected.values(), Fraction(0)),
        sum(covariance.values(), Fraction(0)),
        expected,
        covariance,
    )


def _events(bet: Bet, stake: Fraction) -> list[tuple[Signed, Fraction]]:
    """What can happen to a wager, and how much better than a loss it is."""
    ways = ways_of(bet)
    gains = [
        stake + stake * Fraction(line.pays.win, line.pays.risk)
        for line in bet.pays
        if isinstance(line.pays, Odds)
    ]
    if bet.push:
        gains.append(stake)
    gains += [Fraction(line.pays.amount) for line in bet.bonus if isinstance(line.pays, Dollars)]
    return list(zip(ways, gains, strict=True))
