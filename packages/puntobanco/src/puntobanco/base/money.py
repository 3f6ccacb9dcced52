"""Money: whole cents, read and written exactly; never a float, never rounded."""

from __future__ import annotations

import re
from decimal import Decimal

from puntobanco.base.refusal import StakeRefused

MAX_STAKE_CENTS = 100_000_000_000
"""A billion dollars. At 5000 to 1 the winnings still fit a 64-bit integer 18,000 times over."""

_PLAIN = re.compile(r"(-?)([0-9]{1,18})(?:\.([0-9]+))?")


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
