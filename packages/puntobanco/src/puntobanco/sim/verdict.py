"""The verdict: counts against exact odds; a z-score for every line, a chi-square for every bet."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt
from typing import TypeAlias

from puntobanco.odds.par import ParSheet
from puntobanco.rules.game import Bet
from puntobanco.sim.run import Tally

_Counted: TypeAlias = tuple[str, str, str, int]
"""The way in which a bet or bonus ended: bet, clause, what it pays, how often."""

LEVEL = 0.001
"""The chance that a fair run fails, all tests together (Bonferroni)."""


@dataclass(frozen=True)
class LineVerdict:
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
    bet: str
    statistic: float
    degrees: int

    @property
    def p(self) -> float:
        return chi_square_tail(self.statistic, self.degrees)


@dataclass(frozen=True)
class Verdict:
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
        bet = odds.bet
        chances = [line.probability for line in odds.lines]
        if bet.push:
            chances.append(odds.push)
        chances.append(odds.lose)
        counted = _count_bet(tally, bet)
        own = _judge_ways(counted, chances, tally.rounds)
        lines += own
        chis.append(_chi_square(bet.id, own))
        counts = [count for *_, count in counted]
        won = sum(count * line.pays for count, line in zip(counts, odds.lines, strict=False))
        returns[bet.id] = float(1 + (won - counts[-1]) / tally.rounds) if tally.rounds else 0.0
        chances = [line.probability for line in odds.bonus]
        lines += _judge_ways(_count_bonus(tally, bet), chances, tally.rounds)
    edges = [_edge(tally, each) for each in sheet.unsolved]
    returns |= {each.bet: 1 - each.edge for each in edges}
    estimates = []
    for bet in sheet.unsolved:
        for way in (*_count_bet(tally, bet), *_count_bonus(tally, bet)):
            estimates.append(Estimate(*way, tally.rounds))
    return Verdict(tuple(lines), tuple(chis), returns, tuple(estimates), tuple(edges))


def _count_bet(tally: Tally, bet: Bet) -> list[_Counted]:
    """Each pay line, the push, the loss."""
    ways = [(line.clause, line.pays.words.en) for line in bet.pays]
    if bet.push:
        ways.append((bet.push.clause, "push"))
    ways.append((bet.clause, "loses"))
    counts = tally.ways(bet.id)
    return [(bet.id, *way, count) for way, count in zip(ways, counts, strict=True)]


def _count_bonus(tally: Tally, bet: Bet) -> list[_Counted]:
    """Each bonus line."""
    name = f"{bet.id} bonus"
    counts = tally.ways(name) if bet.bonus else ()
    lines = zip(bet.bonus, counts, strict=False)  # the last count is of no bonus
    return [(name, line.clause, line.pays.words.en, count) for line, count in lines]


def _judge_ways(
    counted: Iterable[_Counted], chances: Iterable[Fraction], rounds: int
) -> list[LineVerdict]:
    pairs = zip(counted, chances, strict=True)
    return [LineVerdict(*way, chance, rounds) for way, chance in pairs]


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
