"""Tallies: how often each bet ended which way, and all of a group together; tallies of the same
game add up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from puntobanco.sim.source import Groups


@dataclass(frozen=True, eq=False)
class Tally:
    """Counts of joint results, group after group."""

    groups: Groups
    shoes: int
    rounds: int
    counts: NDArray[np.int64]

    @classmethod
    def empty(cls, groups: Groups) -> Tally:
        return cls(groups, 0, 0, np.zeros(sum(groups.cells), np.int64))

    def __add__(self, other: Tally) -> Tally:
        assert self.groups == other.groups, "only tallies of the same game add up"
        return Tally(
            self.groups,
            self.shoes + other.shoes,
            self.rounds + other.rounds,
            self.counts + other.counts,
        )

    def joint(self, *names: str) -> NDArray[np.int64]:
        """Counts by the ways of these entries, which must be counted in one group."""
        start = 0
        for bets, ways, cells in zip(
            self.groups.bets, self.groups.ways, self.groups.cells, strict=True
        ):
            if set(names) <= set(bets):
                table = self.counts[start : start + cells].reshape(
                    ways[::-1]
                )  # the first bet changes fastest
                axes = [len(bets) - 1 - bets.index(name) for name in names]
                kept = table.sum(axis=tuple(a for a in range(len(bets)) if a not in axes))
                return np.asarray(np.moveaxis(kept, np.argsort(np.argsort(axes)), range(len(axes))))
            start += cells
        raise KeyError(f"{names} are not counted together")

    def ways(self, name: str) -> list[int]:
        """How often a bet ended by each of its lines, by a push, or lost; for a bonus, by each line
        or not paid.
        """
        return [int(n) for n in self.joint(name)]

    def same(self, other: Tally) -> bool:
        """Whether both counted the same, each bet by itself; engines may group bets differently."""
        names = [name for bets in self.groups.bets for name in bets]
        whole = (self.shoes, self.rounds) == (other.shoes, other.rounds)
        return whole and all(self.ways(name) == other.ways(name) for name in names)
