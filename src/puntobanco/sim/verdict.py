"""The verdict: counts against exact odds; a z-score for every line, a chi-square for every bet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from typing import TypeAlias

from puntobanco.odds.par import BetOdds, BonusOdds, LineOdds, ParSheet
from puntobanco.rules.game import Bet
from puntobanco.sim.run import Tally

_Way: TypeAlias = tuple[str, str, Fraction]

LEVEL = 0.001
"""The chance that a fair run fails, all tests together (Bonferroni)."""


@dataclass(frozen=True)
class LineVerdict:
    """One line: its count beside its exact chance."""

    bet: str
    clause: str
    pays: str
    count: int
    probability: Fraction
    rounds: int

    @property
    def expected(self) -> float:
        return float(self.probability * self.rounds)

    @property
    def z(self) -> float:
        expected = self.rounds * self.probability
        spread = sqrt(float(expected * (1 - self.probability)))
        if spread:
            return float(self.count - expected) / spread
        return 0.0


@dataclass(frozen=True)
class Estimate:
    """One line of a bet without exact odds: what was counted, and how far off that may be."""

    bet: str
    clause: str
    pays: str
    count: int
    rounds: int

    @property
    def share(self) -> float:
        """The share of rounds that the line decided."""
        return self.count / max(self.rounds, 1)

    @property
    def error(self) -> float:
        """The standard error of the share; rounds of one shoe count as independent."""
        return sqrt(self.share * (1 - self.share) / max(self.rounds, 1))


@dataclass(frozen=True)
class EstimatedEdge:
    """The house edge of a bet without exact odds, its bonus apart, with its standard error."""

    bet: str
    edge: float
    error: float


@dataclass(frozen=True)
class ChiSquare:
    """All ways of a bet together."""

    bet: str
    statistic: float
    degrees: int

    @property
    def p(self) -> float:
        return chi_square_tail(self.statistic, self.degrees)


@dataclass(frozen=True)
class Verdict:
    """Every test of a run."""

    lines: tuple[LineVerdict, ...]
    chi_squares: tuple[ChiSquare, ...]
    returns: dict[str, float]  # bet -> share of stakes that came back, bonus apart
    estimates: tuple[Estimate, ...] = ()  # lines of bets without exact odds: not judged
    edges: tuple[EstimatedEdge, ...] = ()

    def __repr__(self) -> str:
        result = "passed" if self.passed else "FAILED"
        return f"<Verdict: {result} at {LEVEL:g} over {self.tests} tests>"

    @property
    def tests(self) -> int:
        return len(self.lines) + len(self.chi_squares)

    @property
    def passed(self) -> bool:
        """No test so unlikely that a fair run would show it once in a thousand runs."""
        chances = [normal_tail(line.z) for line in self.lines]
        chances += [chi.p for chi in self.chi_squares]
        return all(p >= LEVEL / self.tests for p in chances)


def judge(tally: Tally, sheet: ParSheet) -> Verdict:
    """Each line of each bet, push, loss and bonus; bets that the sheet has no exact odds of are
    estimated.
    """
    lines = []
    chis = []
    returns = {}
    for odds in sheet.bets:
        bet = odds.bet.id
        counts = tally.ways(bet)
        own = _judged(tally, bet, _ways(odds))
        lines += own
        chis.append(_chi_square(bet, own))
        won = sum(count * line.pays for count, line in zip(counts, odds.lines, strict=False))
        lost = counts[-1]
        returns[bet] = float(1 + (won - lost) / tally.rounds) if tally.rounds else 0.0
        if odds.bonus:
            lines += _judged(tally, f"{bet} bonus", map(_way, odds.bonus))
    edges = [_edge(tally, each) for each in sheet.unsolved]
    returns |= {each.bet: 1 - each.edge for each in edges}
    estimates = [line for each in sheet.unsolved for line in _estimated(tally, each)]
    return Verdict(tuple(lines), tuple(chis), returns, tuple(estimates), tuple(edges))


def _estimated(tally: Tally, bet: Bet) -> Iterator[Estimate]:
    ways = [(line.clause, line.pays.words.en) for line in bet.pays]
    if bet.push:
        ways.append((bet.push.clause, "push"))
    ways.append((bet.clause, "loses"))
    bonus = [(line.clause, line.pays.words.en) for line in bet.bonus]
    for name, own in ((bet.id, ways), (f"{bet.id} bonus", bonus)):
        if own:
            for (clause, pays), count in zip(own, tally.ways(name), strict=False):
                yield Estimate(name, clause, pays, count, tally.rounds)


def _edge(tally: Tally, bet: Bet) -> EstimatedEdge:
    """The mean loss of a stake of one, and the spread of that mean."""
    nets = [odds.ratio for odds in bet.odds]
    if bet.push:
        nets.append(Fraction(0))
    nets.append(Fraction(-1))
    counts = tally.ways(bet.id)
    rounds = max(tally.rounds, 1)
    mean = sum((count * net for count, net in zip(counts, nets, strict=True)), Fraction(0)) / rounds
    square = sum((count * net**2 for count, net in zip(counts, nets, strict=True)), Fraction(0))
    variance = square / rounds - mean**2
    return EstimatedEdge(bet.id, float(-mean), sqrt(variance / rounds))


def _judged(tally: Tally, name: str, ways: Iterable[_Way]) -> list[LineVerdict]:
    found = []
    for (clause, pays, chance), count in zip(ways, tally.ways(name), strict=False):
        found.append(LineVerdict(name, clause, pays, count, chance, tally.rounds))
    return found


def _ways(odds: BetOdds) -> list[_Way]:
    """Clause, pays and chance of all that can happen to a bet, as a tally counts it."""
    ways = [_way(line) for line in odds.lines]
    push = odds.bet.push
    if push:
        ways.append((push.clause, "push", odds.push))
    ways.append((odds.bet.clause, "loses", odds.lose))
    return ways


def _way(line: LineOdds | BonusOdds) -> _Way:
    return line.line.clause, line.line.pays.words.en, line.probability


def _chi_square(bet: str, lines: list[LineVerdict]) -> ChiSquare:
    likely = [line for line in lines if line.expected > 0]
    statistic = sum((line.count - line.expected) ** 2 / line.expected for line in likely)
    if any(line.count for line in lines if line.expected == 0):
        statistic = float("inf")
    return ChiSquare(bet, statistic, max(1, len(likely) - 1))


def normal_tail(z: float) -> float:
    """The chance of a z at least so far from zero, on either side.

    >>> round(normal_tail(1.959964), 6)
    0.05
    """
    return erfc(abs(z) / sqrt(2))


def chi_square_tail(statistic: float, degrees: int) -> float:
    """The chance of a chi-square at least so large: the upper incomplete gamma function.

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(11.0705, 5), 4)
    (0.05, 0.05)
    """
    a = degrees / 2
    x = statistic / 2
    if x <= 0:
        return 1.0
    if x == float("inf"):
        return 0.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:  # here the series converges fast, elsewhere the continued fraction does
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - front * total)
    b = x + 1 - a
    c = 1e300
    h = d = 1 / b
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * h
