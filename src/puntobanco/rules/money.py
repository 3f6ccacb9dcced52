"""Money: whole cents, odds and fixed bonuses; never a float, never a rounding."""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from math import gcd, lcm

from puntobanco.rules.refusals import BadGame, StakeRefused
from puntobanco.rules.text import Words

MAX_STAKE_CENTS = 100_000_000_000
"""A billion dollars. At 5000 to 1 the winnings still fit a 64-bit integer eighteen thousand times
over.
"""

MAX_ODDS = 1_000_000

_PLAIN = re.compile(r"(-?)([0-9]{1,18})(?:\.([0-9]+))?")


@dataclass(frozen=True, slots=True)
class Odds:
    """Winnings for a stake: `Odds(8, 1)` is 8 to 1, a stake of 100 wins 800; the stake comes back
    besides.
    """

    win: int
    risk: int

    def __post_init__(self) -> None:
        if not all(type(n) is int and 0 < n <= MAX_ODDS for n in (self.win, self.risk)):
            raise BadGame(
                f"odds are two whole numbers from 1 to {MAX_ODDS:,}, not {self.win!r} to "
                f"{self.risk!r}"
            )

    def winnings(self, stake_cents: int) -> int:
        cents, rest = divmod(stake_cents * self.win, self.risk)
        assert rest == 0, "a stake is checked against its bet's step before it is taken"
        return cents

    @property
    def step_cents(self) -> int:
        """Stakes that are a multiple of this win whole cents."""
        return self.risk // gcd(self.win, self.risk)

    @property
    def words(self) -> Words:
        """As pay tables write it: "1 to 2", "1.2 to 1" rather than "6 to 5"; in Chinese the stake
        comes first.
        """
        tenths, rest = divmod(10 * self.win, self.risk)
        if rest:
            return Words(f"{self.win} to {self.risk}", f"{self.risk} 賠 {self.win}")
        each = f"{tenths // 10}" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10}"
        return Words(
            f"{each} to 1" if tenths > 10 else f"{self.win} to {self.risk}", f"1 賠 {each}"
        )


@dataclass(frozen=True, slots=True)
class Dollars:
    """A fixed award, whatever the stake."""

    amount: int

    def __post_init__(self) -> None:
        if not (type(self.amount) is int and 0 < self.amount <= MAX_STAKE_CENTS // 100):
            raise BadGame(
                f"a bonus is whole dollars from 1 to {MAX_STAKE_CENTS // 100:,}, not "
                f"{self.amount!r}"
            )

    @property
    def cents(self) -> int:
        return self.amount * 100

    @property
    def words(self) -> Words:
        return Words(f"${self.amount:,}")


def step_cents(pays: tuple[Odds, ...]) -> int:
    """The smallest stake whose every payout is whole cents; every other good stake is a multiple of
    it.

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
    if isinstance(amount, str | int | Decimal) and not isinstance(amount, bool):
        huge = isinstance(amount, int) and abs(amount) >= 10**18  # too long to be worth printing
        match = None if huge else _PLAIN.fullmatch(str(amount).strip())
    if not match:
        raise StakeRefused(
            f"{_shown(amount)} is not an amount of money; write dollars and cents, such as "
            "100 or 2.50"
        )
    sign, whole, cents = match.groups()
    if cents and cents[2:].strip("0"):
        raise StakeRefused(f"{_shown(amount)} is not whole cents; the smallest coin is 0.01")
    value = int(whole) * 100 + int(((cents or "") + "00")[:2])
    return -value if sign else value


def format_cents(cents: int) -> str:
    """
    >>> format_cents(-10000), format_cents(5)
    ('-100.00', '0.05')
    """
    sign = "-" if cents < 0 else ""
    return f"{sign}{abs(cents) // 100}.{abs(cents) % 100:02}"


def _shown(amount: object) -> str:
    if isinstance(amount, int) and abs(amount) >= 10**18:
        return "so large a number"
    text = repr(amount) if isinstance(amount, str) else str(amount)
    return text if len(text) <= 40 else text[:37] + "..."
