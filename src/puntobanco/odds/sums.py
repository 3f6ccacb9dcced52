"""A plan's sums in NumPy: what exact odds need where Numba is not installed; slower, and the same.

Why 64 bits are enough for every step: a factor is the number of cards in a class less at most
five, or the ways to draw some of its cards, so no product passes 1,400^6 (`MAX_SHOE_CARDS`), which
is less than 2^63. Where a class has run out one factor is zero, because the first that is not
positive takes its last card. The rest count ways of dealing that exclude each other: no sum passes
the number of all orders.
"""

from __future__ import annotations

import numpy as np

from puntobanco.odds.plan import Ints

MOST_DEALT = 6


def sums(values: Ints, factors: Ints, dealt: Ints, coefficients: Ints) -> Ints:
    """By cards dealt and predicate, the sum of coefficient x product of the row's factors."""
    products = np.ones(len(factors), np.int64)
    for column in factors.T:
        products *= values[column]
    found = np.zeros((MOST_DEALT + 1, coefficients.shape[1]), np.int64)
    for cards in np.unique(dealt):
        rows = dealt == cards
        found[cards] = products[rows] @ coefficients[rows]
    return found
