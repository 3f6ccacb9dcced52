"""Money: whole cents, odds and fixed bonuses; never a float, never a rounding."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import gcd, lcm

from puntobanco.rules.refusals import BadGame, StakeRefused
from puntobanco.rules.text import Words

MAX_STAKE_CENTS = 100_000_000_000
"""A billion dollars. At 5000 to 1 the winnings still fit a 64-bit integer 18,000 times over."""

MAX_ODDS = 1_000_000

_PLAIN = re.compile(r"(-?)([0-9]{1,18})(?:\.([0-9]+))?")


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


def parse_cents(amount: object) -> int:
    """Dollars as people write them ("100", "2.50") into cents; refuses what is not an exact amount.

    >>> parse_cents("2.5")
    250
    """
    match = None
    can_be_money = isinstance(amount, str | int | Decimal) and not isinstance(amount, bool)
    if can_be_money and not _is_huge(amount):
        match = _PLAIN.fullmatch(str(amount).strip())
    if not match:
        advice = "write dollars and cents, such as 100 or 2.50"
        raise StakeRefused(f"{_shown(amount)} is not an amount of money; {advice}")
    sign, whole, decimals = match.groups(default="")
    if decimals[2:].strip("0"):
        raise StakeRefused(f"{_shown(amount)} is not whole cents; the smallest coin is 0.01")
    cents = int(whole + f"{decimals}00"[:2])
    return -cents if sign else cents


def format_cents(cents: int) -> str:
    """An amount as programs read it and columns line up: plain digits. In a sentence: `dollars`.

    >>> format_cents(-10000), format_cents(5)
    ('-100.00', '0.05')
    """
    sign = "-" if cents < 0 else ""
    dollars, rest = divmod(abs(cents), 100)
    return f"{sign}{dollars}.{rest:02}"


def dollars(cents: int) -> str:
    """An amount as people read it, in a sentence of either language; cents only where there are
    some.

    >>> dollars(100_000), dollars(100_050), dollars(-5)
    ('$1,000', '$1,000.50', '−$0.05')
    """
    sign = "−" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    shown = f"{sign}${whole:,}"
    return f"{shown}.{rest:02}" if rest else shown


def _is_huge(amount: object) -> bool:
    """Too long to be worth printing."""
    return isinstance(amount, int) and abs(amount) >= 10**18


def _shown(amount: object) -> str:
    if _is_huge(amount):
        return "so large a number"
    text = repr(amount) if isinstance(amount, str) else str(amount)
    if len(text) <= 40:
        return text
    return text[:37] + "..."
