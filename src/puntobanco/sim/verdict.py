"""The verdict: counts against exact odds; a z-score for every line, a chi-square for every bet."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, lgamma, log, sqrt

from puntobanco.odds.par import ParSheet
from puntobanco.sim.tally import Tally

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
        spread = sqrt(float(self.rounds * self.probability * (1 - self.probability)))
        return float(self.count - self.rounds * self.probability) / spread if spread else 0.0


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

    @property
    def tests(self) -> int:
        return len(self.lines) + len(self.chi_squares)

    @property
    def passed(self) -> bool:
        """No test so unlikely that a fair run would show it once in a thousand runs."""
        worst = [normal_tail(line.z) for line in self.lines] + [chi.p for chi in self.chi_squares]
        return all(p >= LEVEL / self.tests for p in worst)


def judge(tally: Tally, sheet: ParSheet) -> Verdict:
    """Each line of each bet, push, loss and bonus."""
    lines, chis, returns, n = (
        list[LineVerdict](),
        list[ChiSquare](),
        dict[str, float](),
        tally.rounds,
    )
    for odds in sheet.bets:
        bet = odds.bet
        chances = [
            (line.line.clause, line.line.pays.words.en, line.probability) for line in odds.lines
        ]
        if bet.push:
            chances.append((bet.push.clause, "push", odds.push))
        chances.append((bet.clause, "loses", odds.lose))
        counts = tally.ways(bet.id)
        own = [
            LineVerdict(bet.id, c, pays, count, p, n)
            for (c, pays, p), count in zip(chances, counts, strict=True)
        ]
        lines += own
        chis.append(_chi_square(bet.id, own))
        won = sum(count * line.pays for count, line in zip(counts, odds.lines, strict=False))
        returns[bet.id] = float(1 + (won - counts[-1]) / n) if n else 0.0
        if odds.bonus:
            counted = tally.ways(f"{bet.id} bonus")
            for b, count in zip(odds.bonus, counted, strict=False):
                lines.append(
                    LineVerdict(
                        f"{bet.id} bonus",
                        b.line.clause,
                        b.line.pays.words.en,
                        count,
                        b.probability,
                        n,
                    )
                )
    return Verdict(tuple(lines), tuple(chis), returns)


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
    """The chance of a chi-square at least so large: the upper incomplete gamma function, by series
    or fraction.

    >>> round(chi_square_tail(3.841459, 1), 6), round(chi_square_tail(11.0705, 5), 4)
    (0.05, 0.05)
    """
    a, x = degrees / 2, statistic / 2
    if x <= 0:
        return 1.0
    if x == float("inf"):
        return 0.0
    front = exp(a * log(x) - x - lgamma(a))
    if x < a + 1:
        term = total = 1 / a
        n = a
        while term > total * 1e-16:
            n += 1
            term *= x / n
            total += term
        return max(0.0, 1 - front * total)
    b = x + 1 - a
    c, d = 1e300, 1 / b
    h = d
    for i in range(1, 10_000):
        an = -i * (i - a)
        b += 2
        d = 1 / (an * d + b)
        c = b + an / c
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * h
