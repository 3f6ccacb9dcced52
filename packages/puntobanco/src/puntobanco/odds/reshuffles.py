"""Reshuffled shoes: what a bet is worth at the start of each round, over many shuffles of one set.

They are the measure for a patron's stakes: the same stakes at the same rounds, had the cards lain
in another order. Values are floats; nothing is paid by them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.odds.par import ways_of
from puntobanco.odds.patterns import STOOD, make_draw_table
from puntobanco.odds.plan import Ints, Plan, plan_for
from puntobanco.odds.solve import MIN_CARDS, grouped
from puntobanco.rules.cards import points_of
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.predicates import Predicate

RESHUFFLES = 2_000
MAX_PRODUCTS = 40_000_000
"""Products of counts for one bet and round. A bet of more rows is held against fewer shoes."""

MAX_KEPT = 16
"""Sets of cards whose reshuffled shoes are kept."""

_ROWS_AT_ONCE = 1_024
_SHOES_AT_ONCE = 250
_SEED = 20_260_501  # the same shoes at every node

Floats: TypeAlias = NDArray[np.float64]
_Rows: TypeAlias = tuple[int, Ints, Floats]
"""Cards dealt; of each row its factors, and what it adds to the net result and to the bonus."""


class Values:
    """One bet for many shoes at once: the expected net result of a stake of one without its bonus,
    and the expected bonus in dollars.
    """

    def __init__(self, bet: Bet, game: Game) -> None:
        weights = dict[Predicate, list[float]]()
        gains = [(float(odds.ratio) + 1, 0.0) for odds in bet.odds]
        if bet.push:
            gains.append((1.0, 0.0))
        gains += [(0.0, float(award.amount)) for award in bet.awards]
        for way, (net, bonus) in zip(ways_of(bet), gains, strict=True):
            for sign, predicate in way:
                both = weights.setdefault(predicate, [0.0, 0.0])
                both[0] += sign * net
                both[1] += sign * bonus
        self.parts = list[tuple[Plan, list[_Rows]]]()
        for group in grouped(tuple(weights)):
            plan = plan_for(group, game.deck, game.tableau)
            adds = plan.coefficients @ np.array([weights[each] for each in group])
            used = adds.any(axis=1)
            rows = list[_Rows]()
            for dealt in np.unique(plan.dealt[used]):
                those = used & (plan.dealt == dealt)
                rows.append((int(dealt), plan.factors[those], adds[those]))
            self.parts.append((plan, rows))
        self.rows = sum(len(adds) for _, rows in self.parts for _, _, adds in rows)

    def of(self, counts: Ints) -> Floats:
        """Shoe x (net result, bonus); `counts` is shoe x card."""
        found = np.zeros((len(counts), 2))
        for start in range(0, len(counts), _SHOES_AT_ONCE):
            some = slice(start, start + _SHOES_AT_ONCE)
            found[some] = self._some(counts[some])
        return found

    def _some(self, counts: Ints) -> Floats:
        left = counts.sum(axis=1)
        found = np.zeros((len(counts), 2))
        found[:, 0] = -1
        for plan, by_dealt in self.parts:
            factors = np.ones((len(plan.factor_class) + 1, len(counts)))
            factors[1:] = (plan.members @ counts.T)[plan.factor_class]
            factors[1:] -= plan.factor_less[:, None]
            for dealt, rows, adds in by_dealt:
                orders = np.ones(len(counts))
                for gone in range(dealt):
                    orders *= left - gone
                for start in range(0, len(rows), _ROWS_AT_ONCE):
                    some = rows[start : start + _ROWS_AT_ONCE]
                    products = factors[some[:, 6 - dealt]]
                    for column in range(7 - dealt, 6):
                        products *= factors[some[:, column]]
                    weights = adds[start : start + _ROWS_AT_ONCE]
                    found += (products / orders).T @ weights
        return found


@lru_cache(maxsize=256)
def values(bet: Bet, game: Game) -> Values:
    return Values(bet, game)


class Reshuffles:
    """Shuffles of so many decks, dealt to their last whole round."""

    def __init__(self, game: Game, decks: int, shoes: int = RESHUFFLES, seed: int = _SEED) -> None:
        self.game = game
        cards = np.arange(len(game.deck), dtype=np.uint8).repeat(decks)
        self.order = np.random.default_rng(seed).permuted(np.tile(cards, (shoes, 1)), axis=1)
        self.starts = starts(self.order, game)
        self._found = dict[tuple[str, int], Floats]()

    def counts(self, round_: int, shoes: int) -> Ints:
        """Shoe x card: what can still come at the start of a round, from 0. In a shoe that is out,
        what was left for its last.
        """
        gone = self.starts[:shoes, round_]
        order = self.order[:shoes]
        kinds = len(self.game.deck)
        of_shoe = np.arange(shoes)[:, None] * kinds + order
        stays = np.arange(order.shape[1]) >= gone[:, None]
        return np.bincount(of_shoe[stays], minlength=shoes * kinds).reshape(shoes, kinds)

    def lacks(self, bet: str, round_: int) -> bool:
        """Check whether `worth` has still to be worked out, which takes up to a second."""
        return (bet, self._last(round_)) not in self._found

    def worth(self, bet: str, round_: int) -> Floats:
        """Shoe x (net result, bonus) of a bet at the start of a round, from 0."""
        round_ = self._last(round_)
        found = self._found.get((bet, round_))
        if found is None:
            of = values(self.game.bet(bet), self.game)
            shoes = min(len(self.order), max(1, MAX_PRODUCTS // max(1, of.rows)))
            found = self._found[bet, round_] = of.of(self.counts(round_, shoes))
        return found

    def _last(self, round_: int) -> int:
        last: int = self.starts.shape[1] - 1
        return min(round_, last)


@lru_cache(maxsize=MAX_KEPT)
def reshuffles(game: Game, decks: int) -> Reshuffles:
    return Reshuffles(game, decks)


def starts(order: NDArray[np.uint8], game: Game) -> Ints:
    """Shoe x round: how many cards are gone when each round begins; a shoe that has too few for
    another stays at its last.
    """
    points = np.array([points_of(card) for card in game.deck.cards], np.int64)[order]
    player_draws, banker_draws = make_draw_table(game.tableau)
    shoes, cards = order.shape
    every = np.arange(shoes)
    gone = np.zeros(shoes, np.int64)
    found = list[Ints]()
    while True:
        found.append(gone)
        four = [points[every, gone + i] for i in range(4)]
        player = (four[0] + four[2]) % 10
        banker = (four[1] + four[3]) % 10
        third = player_draws[player, banker]
        drawn = np.where(third, points[every, gone + 4], STOOD)
        after = gone + 4 + third + banker_draws[player, banker, drawn]
        goes_on = cards - after >= MIN_CARDS
        if not goes_on.any():
            return np.stack(found, axis=1)
        gone = np.where(goes_on, after, gone)
