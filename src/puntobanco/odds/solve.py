"""Exact probabilities: a plan's rows summed for a shoe's counts, in integers; the answers are
fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache
from math import perm

import numpy as np

from puntobanco.odds.plan import Ints, plan_for
from puntobanco.rules.predicates import Predicate, leaves, reads_of
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
    """For each predicate, in how many orders of six cards it holds; and the number of all
    orders.
    """
    if len(shoe) < MIN_CARDS:
        raise CardRefused(f"{len(shoe)} cards are too few: a round may take {MIN_CARDS}")
    predicates = tuple(predicates)
    counts = np.array(shoe.counts, np.int64)
    found = {
        p: n
        for group in grouped(predicates)
        for p, n in zip(group, _orders(group, shoe, counts, tableau), strict=True)
    }
    return [found[p] for p in predicates], perm(len(shoe), MIN_CARDS)


@lru_cache(maxsize=256)
def grouped(predicates: tuple[Predicate, ...]) -> tuple[tuple[Predicate, ...], ...]:
    """Predicates apart by what they read: all that look at points alone together, others with their
    like.
    """
    groups = defaultdict[object, list[Predicate]](list)
    for predicate in dict.fromkeys(predicates):
        reads = frozenset(read for leaf in leaves(predicate) for read in reads_of(leaf))
        fine = any(read.attribute in ("rank", "suit") for read in reads)
        groups[reads if fine else "points"].append(predicate)
    return tuple(map(tuple, groups.values()))


def _orders(
    predicates: tuple[Predicate, ...], shoe: Shoe, counts: Ints, tableau: Tableau
) -> list[int]:
    from puntobanco.odds.sums import sums  # noqa: PLC0415 - it loads Numba

    plan = plan_for(predicates, shoe.deck, tableau)
    values = np.empty(len(plan.factor_class) + 1, np.int64)
    values[0] = 1
    values[1:] = (plan.members @ counts)[plan.factor_class] - plan.factor_less
    columns = sums(values, plan.factors, plan.dealt, plan.coefficients).T.tolist()
    rest = [perm(len(shoe) - dealt, MIN_CARDS - dealt) for dealt in range(MIN_CARDS + 1)]
    return [sum(n * r for n, r in zip(column, rest, strict=True)) for column in columns]
