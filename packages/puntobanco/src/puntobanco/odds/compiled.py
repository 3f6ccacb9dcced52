"""The sums of `solve` compiled by Numba, which is loaded when the first sum is asked for."""

from __future__ import annotations

import numpy as np
from numba import njit

from puntobanco.odds.plan import Ints


@njit(cache=True)
def sums(values: Ints, factors: Ints, dealt: Ints, coefficients: Ints) -> Ints:
    found = np.zeros((7, coefficients.shape[1]), np.int64)
    for row in range(factors.shape[0]):
        product = np.int64(1)
        for i in range(6 - dealt[row], 6):
            product *= values[factors[row, i]]
        if product:
            for p in range(coefficients.shape[1]):
                found[dealt[row], p] += coefficients[row, p] * product
    return found
