"""Patrons: what a device reads from a card, or staff type, turned into the id that the journal has.

A card's id stays at the border: what is kept of it is a MAC, in a table of its own
(`storage.patrons`) that can be erased. The id is random, so that nothing else leads back to a card.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Iterable

from msgspec.structs import replace

from puntobanco.commands import Command
from puntobanco.floor.world import NowMs
from puntobanco.house import commands as h
from puntobanco.house.refusals import StillNeeded, Unknown
from puntobanco.keys import KeyRing
from puntobanco.names import (
    PATRON,
    PATRON_LENGTH,
    PATRON_LETTERS,
    is_patron_id,
    is_session,
    place_words,
)
from puntobanco.rules.refusals import Refusal
from puntobanco.rules.text import Words
from puntobanco.storage.errors import NotStored
from puntobanco.storage.patrons import PatronTable
from puntobanco.table.state import TableState

CARD = r"^ *[A-Za-z0-9][A-Za-z0-9._@-]* *$(?!\n)"
MAX_CARD = 64
_CARD = re.compile(CARD)

TRIES = 10
"""Of a random id, where others are taken; one in a million is, on the largest floor."""


class BadCard(Refusal):
    """What no card has for an id."""

    in_short = Words("Not a card of a member", "會員卡編號不正確")


def normal(card: str) -> str:
    """One form for a card, however a device writes it.

    >>> normal(" Ann "), normal("ANN")
    ('ann', 'ann')
    """
    if len(card) > MAX_CARD or not _CARD.match(card):
        raise BadCard("a card's id has letters, digits and . _ @ -, a letter or digit first")
    found = card.strip().casefold()
    if found.startswith(PATRON) or is_session(found):  # a mistyped id too: it would be somebody new
        raise BadCard("that is the id of a patron or of a session, mistyped perhaps, and no card's")
    return found


def new_id() -> str:
    letters = (secrets.choice(PATRON_LETTERS) for _ in range(PATRON_LENGTH))
    return PATRON + "".join(letters)


class Patrons:
    """The patrons of a floor, by their cards."""

    def __init__(self, rows: PatronTable, ring: KeyRing, now_ms: NowMs) -> None:
        self._rows = rows
        self._ring = ring
        self._now_ms = now_ms

    async def of_card(self, card: str) -> str:
        """Whose card it is; made where there is nobody."""
        return await asyncio.to_thread(self._found_or_made, self._macs(card))

    async def named(self, name: str) -> str:
        """Whom staff mean by a card's id, a patron's id, or a session where nobody is known. A card
        that nobody has come with yet gets its patron here.
        """
        if is_session(name) or is_patron_id(name):
            return await self.find(name)
        return await self.of_card(name)

    async def find(self, name: str) -> str:
        """The same, where nobody is made: who is not known is refused."""
        if is_session(name):
            return name
        if is_patron_id(name):
            found = name if await asyncio.to_thread(self._rows.has, name) else None
        else:
            found = await asyncio.to_thread(self._rows.patron_of, *self._macs(name))
        if found is None:
            raise Unknown("this floor knows no patron with that card or id")
        return found

    async def meant(self, command: Command) -> Command:
        """A command of the staff with the patron's id in it, where a card may be named."""
        if isinstance(command, h.ExcludePatron):
            return replace(command, patron=await self.named(command.patron))
        if isinstance(command, h.ReadmitPatron):
            return replace(command, patron=await self.find(command.patron))
        return command

    async def erase(self, patron: str) -> None:
        """The row of the card; what the journal says of the patron stays."""
        await asyncio.to_thread(self._rows.erase, patron)

    def _macs(self, card: str) -> list[str]:
        """By every key of the ring: without them, nobody finds a card in the table by guessing."""
        return self._ring.macs("cards", normal(card))

    def _found_or_made(self, macs: list[str]) -> str:
        found = self._rows.patron_of(*macs)
        for _ in range(TRIES):
            if found is not None:
                return found
            found = self._rows.put(macs[0], new_id(), self._now_ms())
        if found is None:
            raise NotStored("no id for a new patron is free; try again")
        return found


def verify_gone(patron: str, tables: Iterable[TableState]) -> None:
    """Refuses while the patron has a seat anywhere; all credits are some seat's."""
    for table in tables:
        for session, seat in table.sessions.items():
            if seat.patron == patron:
                place = place_words(table.stream).en
                raise StillNeeded(f"{patron} sits at {place} as {session}; cash it out first")
