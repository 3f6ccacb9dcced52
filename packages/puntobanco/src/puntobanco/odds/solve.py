"""Exact probabilities as fractions: a plan's rows, summed in integers for a shoe's counts.

Why 64 bits are enough for every step: a factor is the number of cards in a class less at most
five, or the ways to draw some of its cards, so no product passes 1,400^6 (`MAX_SHOE_CARDS`), which
is less than 2^63. Where a class has run out one factor is zero, because the first that is not
positive takes its last card. The rest count ways of dealing that exclude each other: no sum passes
the number of all orders.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import perm
from operator import mul

import numpy as np

from puntobanco.base.extras import has_numba
from puntobanco.odds.plan import Ints, Plan, Predicates, fine_reads, plan_for
from puntobanco.rules.predicates import Predicate, all_reads
from puntobanco.rules.refusals import CardRefused
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.tableau import PUNTO_BANCO, Tableau

MIN_CARDS = 6
"""A round takes up to six cards; a shoe with fewer has no odds of a whole round."""


def probability(predicate: Predicate, shoe: Shoe, *, tableau: Tableau = PUNTO_BANCO) -> Fraction:
    """The exact chance that the predicate holds for the next round from this shoe.

    >>> from puntobanco.rules.cards import STANDARD
    >>> from puntobanco.rules.hands import player
    >>> probability(player.pair, Shoe.fresh(STANDARD, 8))
    Fraction(31, 415)
    """
    return probabilities((predicate,), shoe, tableau=tableau)[0]


def probabilities(
    predicates: Iterable[Predicate], shoe: Shoe, *, tableau: Tableau = PUNTO_BANCO
) -> tuple[Fraction, ...]:
    """`probability` of several; those that read the same things share one pass."""
    counts, orders = weights(predicates, shoe, tableau)
    return tuple(Fraction(n, orders) for n in counts)


def weights(
    predicates: Iterable[Predicate], shoe: Shoe, tableau: Tableau = PUNTO_BANCO
) -> tuple[list[int], int]:
    """In how many orders of six cards each predicate holds; and the number of all orders."""
    if len(shoe) < MIN_CARDS:
        raise CardRefused(f"{len(shoe)} cards are too few: a round may take {MIN_CARDS}")
    predicates = tuple(predicates)
    counts = np.array(shoe.counts, np.int64)
    found = dict[Predicate, int]()
    for group in grouped(predicates):
        orders = _orders(group, shoe, counts, tableau)
        found.update(zip(group, orders, strict=True))
    return [found[p] for p in predicates], perm(len(shoe), MIN_CARDS)


@lru_cache(maxsize=256)
def grouped(predicates: Predicates) -> tuple[Predicates, ...]:
    """Predicates apart by what they read; all that look at points alone are together."""
    groups = defaultdict[object, list[Predicate]](list)
    for predicate in dict.fromkeys(predicates):
        kind = all_reads(predicate) if fine_reads(predicate) else "points"
        groups[kind].append(predicate)
    return tuple(map(tuple, groups.values()))


def _orders(predicates: Predicates, shoe: Shoe, counts: Ints, tableau: Tableau) -> list[int]:
    plan = plan_for(predicates, shoe.deck, tableau)
    columns = _sums(plan.values(counts), plan).T.tolist()
    # a row that dealt fewer than six cards stands for every order of the rest; Python's integers,
    # because the products would not fit 64 bits
    rest = [perm(len(shoe) - dealt, MIN_CARDS - dealt) for dealt in range(MIN_CARDS + 1)]
    return [sum(map(mul, column, rest)) for column in columns]


def _sums(values: Ints, plan: Plan) -> Ints:
    """Compiled where Numba is installed, else by NumPy; both give the same."""
    rows = (plan.factors, plan.dealt, plan.coefficients)
    if has_numba():
        from puntobanco.odds import compiled  # noqa: PLC0415 - it loads Numba

        return compiled.sums(values, *rows)
    return sums(values, *rows)


def sums(values: Ints, factors: Ints, dealt: Ints, coefficients: Ints) -> Ints:
    """By cards dealt and predicate, the sum of coefficient x product of the row's factors."""
    products = np.ones(len(factors), np.int64)
    for column in factors.T:
        products *= values[column]
    found = np.zeros((MIN_CARDS + 1, coefficients.shape[1]), np.int64)
    for cards in np.unique(dealt):
        rows = dealt == cards
        found[cards] = products[rows] @ coefficients[rows]
    return found
