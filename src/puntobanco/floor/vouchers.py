"""Vouchers: numbers that cannot be guessed, with check digits that catch a slip of the hand."""

from __future__ import annotations

import hashlib
import hmac
from typing import NamedTuple

import segno

from puntobanco.rules.refusals import Refusal

DIGITS = 18
"""Of which the last two are check digits: 10^16 numbers."""


class BadVoucher(Refusal):
    """A number that no voucher can have."""


def number_for(key: bytes, *parts: str) -> str:
    """The number of the voucher that a command issues: whoever has the key finds it again, nobody
    else can guess it.

    An answer that was lost on its way is asked for again, and names the same voucher.
    """
    mac = hmac.new(key, "\n".join(parts).encode(), "sha256").digest()
    return with_check(f"{int.from_bytes(mac) % 10 ** (DIGITS - 2):0{DIGITS - 2}}")


def with_check(digits: str) -> str:
    """ISO 7064 MOD 97-10: finds every single wrong digit and every pair changed over.

    >>> with_check("0000000000000001")
    '000000000000000195'
    """
    return f"{digits}{98 - int(digits) * 100 % 97:02}"


def parse_number(text: str) -> str:
    """The number as people type it, with or without spaces and hyphens."""
    number = text.replace(" ", "").replace("-", "")
    if len(number) != DIGITS or not number.isascii() or not number.isdigit():
        raise BadVoucher(f"a voucher has {DIGITS} digits")
    if int(number) % 97 != 1:
        raise BadVoucher("that number cannot be a voucher's; look at it again")
    return number


def shown(number: str) -> str:
    """
    >>> shown("000000000000000195")
    '000000 000000 000195'
    """
    return " ".join(number[i : i + 6] for i in range(0, DIGITS, 6))


class Paper(NamedTuple):
    """A voucher as it is handed over."""

    number: str
    cents: int
    expires_at: int
    at: int
    place: str  # the stream that issued it, and its entry there
    seq: int
    session: str = ""  # whose credits it was


def qr(number: str) -> tuple[str, ...]:
    """The number as a QR code, rows of modules: 1 is dark. A scanner types the digits."""
    return tuple("".join(map(str, row)) for row in segno.make_qr(number, error="m").matrix)


def voucher_id(number: str) -> str:
    """What the books know it by: whoever reads the database cannot redeem it."""
    return hashlib.sha256(f"puntobanco voucher {number}".encode()).hexdigest()[:40]
