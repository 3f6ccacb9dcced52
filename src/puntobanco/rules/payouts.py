"""Payouts: odds and fixed bonuses, exact to the cent."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm

from puntobanco.base.money import MAX_STAKE_CENTS
from puntobanco.base.words import Words
from puntobanco.rules.refusals import BadGame

MAX_ODDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Odds:
    """Winnings for a stake: with `Odds(8, 1)`, 8 to 1, a stake of 100 wins 800 and comes back."""

    win: int
    risk: int

    def __post_init__(self) -> None:
        for number in (self.win, self.risk):
            if type(number) is not int or not 0 < number <= MAX_ODDS:
                given = f"{self.win!r} to {self.risk!r}"
                raise BadGame(
                    f"odds are two whole numbers from 1 to {MAX_ODDS:,}, not {given}; "
                    "1.5 to 1 is Odds(3, 2)"
                )

    def winnings(self, stake_cents: int) -> int:
        """What a stake wins, without the stake itself."""
        cents, rest = divmod(stake_cents * self.win, self.risk)
        assert rest == 0, "a stake is checked against its bet's step before it is taken"
        return cents

    @property
    def ratio(self) -> Fraction:
        """Winnings for a stake of one."""
        return Fraction(self.win, self.risk)

    @property
    def step_cents(self) -> int:
        """Stakes that are a multiple of this win whole cents."""
        return self.risk // gcd(self.win, self.risk)

    @property
    def words(self) -> Words:
        """As pay tables write it: "1.2 to 1", not "6 to 5"; in Chinese the stake comes first."""
        tenths, rest = divmod(10 * self.win, self.risk)
        if rest:
            return Words(f"{self.win:,} to {self.risk:,}", f"{self.risk:,} 賠 {self.win:,}")
        each = f"{tenths // 10:,}.{tenths % 10}".removesuffix(".0")
        english = f"{each} to 1" if tenths > 10 else f"{self.win:,} to {self.risk:,}"
        return Words(english, f"1 賠 {each}")


@dataclass(frozen=True, slots=True)
class Dollars:
    """A fixed award, whatever the stake."""

    amount: int

    def __post_init__(self) -> None:
        most = MAX_STAKE_CENTS // 100
        if type(self.amount) is not int or not 0 < self.amount <= most:
            raise BadGame(f"a bonus is whole dollars from 1 to {most:,}, not {self.amount!r}")

    @property
    def cents(self) -> int:
        """The award in cents."""
        return self.amount * 100

    @property
    def words(self) -> Words:
        """As pay tables write it: "$3,000"."""
        return Words(f"${self.amount:,}")


def step_cents(pays: Iterable[Odds]) -> int:
    """The smallest stake whose every payout is whole cents; other good stakes are multiples of it.

    >>> step_cents((Odds(1, 2), Odds(6, 5), Odds(1, 1)))
    10
    """
    return lcm(*(p.step_cents for p in pays))
