"""Figures shoe by shoe: how many rounds of a shoe end each way, their mean and spread."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from puntobanco.odds.par_report import Json
from puntobanco.rules.game import Game
from puntobanco.sim.bankrolls import record_source
from puntobanco.sim.cpu import kernel, template
from puntobanco.sim.run import rounds_per_shoe
from puntobanco.sim.source import groups


@dataclass(frozen=True, eq=False)
class ShoeFigures:
    """For each way of each bet: its counts in a shoe, summed over shoes, squared and extreme."""

    names: tuple[tuple[str, int], ...]  # bet and way, as in a tally
    shoes: int
    sums: NDArray[np.int64]
    squares: NDArray[np.int64]
    least: NDArray[np.int64]
    most: NDArray[np.int64]

    def __add__(self, other: ShoeFigures) -> ShoeFigures:
        assert self.names == other.names, "only figures of the same game add up"
        return ShoeFigures(
            self.names,
            self.shoes + other.shoes,
            self.sums + other.sums,
            self.squares + other.squares,
            np.minimum(self.least, other.least),
            np.maximum(self.most, other.most),
        )

    def rows(self) -> list[Json]:
        found = []
        for i, (bet, way) in enumerate(self.names):
            mean = int(self.sums[i]) / self.shoes
            mean_square = int(self.squares[i]) / self.shoes
            row: Json = {
                "bet": bet,
                "way": way,
                "mean": mean,
                "standard_deviation": sqrt(max(0.0, mean_square - mean**2)),
                "least": int(self.least[i]),
                "most": int(self.most[i]),
            }
            found.append(row)
        return found


def shoe_figures(game: Game, decks: int, seed: int, first: int, shoes: int) -> ShoeFigures:
    """Deal these shoes, as a verdict run does, and look at each by itself."""
    cards = template(game, decks)
    each = rounds_per_shoe(len(cards))
    cells = np.empty((shoes, each), np.uint16)
    edges = np.empty((shoes, each))
    effects = np.zeros(256)  # nobody counts cards here
    record = kernel(record_source(game))
    record(np.uint64(seed), first, shoes, each, cards, effects, cells, edges)
    names = []
    counts = []
    stride = 1
    for bet, n in groups(game).only:
        way = cells // stride % n
        stride *= n
        for k in range(n):
            names.append((bet, k))
            counts.append((way == k).sum(axis=1))
    table = np.array(counts, np.int64)
    squares = (table**2).sum(axis=1)
    least = table.min(axis=1)
    most = table.max(axis=1)
    return ShoeFigures(tuple(names), shoes, table.sum(axis=1), squares, least, most)
