"""Whether a patron bets more when the shoe favours it: stakes held against the exact edge of each
round.

A flat bettor's stakes say nothing about the edge, whatever they are; a counter's do. If the stakes
had nothing to do with the edges, the edge weighted by stakes would lie about the plain mean, within
a spread that the stakes give.
"""

from __future__ import annotations

from math import sqrt

from puntobanco.floor.pit.facts import Fact, said
from puntobanco.rules.text import Words

_APART = Words("{} standard deviations; flagged at {}", "{} 個標準差；達 {} 即標示")

LEAST_ROUNDS = 40
FLAGGED_AT = 4.0
"""Standard deviations: by chance about one session and bet in thirty thousand."""


class Spread:
    """One session's stakes on one bet, round by round; nothing staked counts too."""

    __slots__ = ("edge_stake", "edges", "edges2", "rounds", "stakes", "stakes2")

    def __init__(self) -> None:
        self.rounds = 0
        self.stakes = self.stakes2 = self.edges = self.edges2 = self.edge_stake = 0.0

    def saw(self, stake_cents: int, edge: float) -> None:
        self.rounds += 1
        self.stakes += stake_cents
        self.stakes2 += stake_cents * stake_cents
        self.edges += edge
        self.edges2 += edge * edge
        self.edge_stake += edge * stake_cents

    @property
    def score(self) -> float:
        """Standard deviations by which the edge under the stakes lies above the mean edge."""
        n = self.rounds
        if n < LEAST_ROUNDS or not self.stakes:
            return 0.0
        mean = self.edges / n
        spread = max(0.0, self.edges2 / n - mean * mean) * n / (n - 1)
        weight = self.stakes2 / (self.stakes * self.stakes) - 1 / n
        if spread <= 0 or weight <= 1e-12:  # the same stake every round
            return 0.0
        return (self.edge_stake / self.stakes - mean) / sqrt(spread * weight)

    @property
    def is_flagged(self) -> bool:
        return self.score >= FLAGGED_AT

    def facts(self) -> list[Fact]:
        """The evidence: what the stakes were held against."""
        mean = self.edges / self.rounds
        weighted = self.edge_stake / self.stakes
        return [
            Fact(name="Rounds looked at", text=f"{self.rounds:,}"),
            Fact(name="Stakes", cents=round(self.stakes)),
            Fact(name="House edge, all rounds", text=f"{-mean:.2%}"),
            Fact(name="House edge where staked", text=f"{-weighted:.2%}"),
            said("Apart by", _APART.format(f"{self.score:.1f}", f"{FLAGGED_AT:.0f}")),
        ]
