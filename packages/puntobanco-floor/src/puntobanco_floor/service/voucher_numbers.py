"""Vouchers: numbers that cannot be guessed, with check digits that catch a slip of the hand."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import segno

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.refusals import BadVoucher
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.errors import CommandReused
from puntobanco_floor.store.reader import reading

DIGITS = 18
"""Of which the last two are check digits: 10^16 numbers."""


ID_LENGTH = 40


class Numbered(NamedTuple):
    """A voucher that a command issues: its number, and what the books know it by."""

    number: str
    id: str


@dataclass(frozen=True)
class Vouchers:
    """Numbers and ids by the key ring: the database alone reveals neither from the other."""

    ring: KeyRing
    database: str

    def numbered(self, *parts: str) -> list[Numbered]:
        """Derive a command's voucher by every key, newest first: the same parts, the same one."""
        text = "\n".join(("number", *parts))
        macs = self.ring.macs("vouchers", text)
        found = list[Numbered]()
        for place, mac in enumerate(macs):
            number = number_from(mac)
            # number and id by one key; counted from the oldest, since a newer one may come between
            id_ = self._ids(number)[place - len(macs)]
            found.append(Numbered(number, id_))
        return found

    def id_of(self, number: str) -> str:
        """What the books know a number by: under an older key, if that is what they have."""
        ids = self._ids(number)
        if len(ids) > 1:
            with reading(self.database) as reader:
                for id_ in ids:
                    if reader.voucher(id_):
                        return id_
        return ids[0]

    def sold(self, stream: str, by: str, id_: str) -> Paper | None:
        """The voucher that a command sold at a window; none if it sold none, or not yet."""
        with reading(self.database) as reader:
            for number, voucher in self.numbered(stream, by, id_):
                kept = reader.voucher(voucher)
                if kept is not None:
                    seq = kept.issued_seq
                    [entry] = reader.decoded(stream, after=seq - 1, upto=seq)
                    return Paper(number, kept.cents, kept.expires_at, entry.at, stream, seq)
        return None

    def _ids(self, number: str) -> list[str]:
        return [mac[:ID_LENGTH] for mac in self.ring.macs("vouchers", f"id {number}")]


async def by_any_key(
    commands: Sequence[Command], ask: Callable[[Command], Awaitable[Answer]]
) -> tuple[Answer, int]:
    """Ask for what the newest key makes of a request, or an older key if its id was used before.

    One effect at most: an id that was used has none again. Return the answer, and which command
    it answers.
    """
    last = len(commands) - 1
    for place, command in enumerate(commands[:last]):
        with suppress(CommandReused):
            return await ask(command), place
    return await ask(commands[last]), last


def number_from(mac: str) -> str:
    """A number that nobody can guess who cannot make the MAC."""
    digits = int(mac, 16) % 10 ** (DIGITS - 2)
    return with_check(f"{digits:0{DIGITS - 2}}")


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
        raise BadVoucher(say.VOUCHER_DIGITS.format(DIGITS))
    if int(number) % 97 != 1:
        raise BadVoucher(say.VOUCHER_MISREAD)
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


def qr(text: str) -> tuple[str, ...]:
    """A text as a QR code, rows of modules: 1 is dark. A scanner types the digits of a number."""
    return tuple("".join(map(str, row)) for row in segno.make_qr(text, error="m").matrix)
