"""Tallies: how often each bet ended which way, and all bets of a group together."""

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

    def __repr__(self) -> str:
        return f"<Tally of {self.rounds:,} rounds, {self.shoes:,} shoes>"

    def __add__(self, other: Tally) -> Tally:
        assert self.groups == other.groups, "only tallies of the same game add up"
        shoes = self.shoes + other.shoes
        rounds = self.rounds + other.rounds
        return Tally(self.groups, shoes, rounds, self.counts + other.counts)

    def joint(self, *names: str) -> NDArray[np.int64]:
        """Counts by the ways of these entries, which must be counted in one group."""
        start = 0
        groups = self.groups
        for bets, ways, cells in zip(groups.bets, groups.ways, groups.cells, strict=True):
            if set(names) <= set(bets):
                # the first bet changes fastest, so its axis is the last
                table = self.counts[start : start + cells].reshape(ways[::-1])
                axes = [len(bets) - 1 - bets.index(name) for name in names]
                others = tuple(axis for axis in range(len(bets)) if axis not in axes)
                # summing keeps the axes in their order; put them into the order asked for
                ranked = np.argsort(np.argsort(axes))
                kept = table.sum(axis=others)
                return np.asarray(np.moveaxis(kept, ranked, range(len(axes))))
            start += cells
        raise KeyError(f"{names} are not counted together")

    def ways(self, name: str) -> list[int]:
        """How often a bet ended by each of its lines, by a push, or lost.

        For a bonus: by each of its lines, or not paid.
        """
        return [int(n) for n in self.joint(name)]

    def same(self, other: Tally) -> bool:
        """Whether both counted the same, each bet by itself; engines may group bets differently."""
        names = [name for bets in self.groups.bets for name in bets]
        whole = (self.shoes, self.rounds) == (other.shoes, other.rounds)
        return whole and all(self.ways(name) == other.ways(name) for name in names)
