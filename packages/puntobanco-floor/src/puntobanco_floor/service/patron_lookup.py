"""Patrons: what a device reads from a card, or staff type, turned into the id that the journal has.

A card's id stays at the border: what is kept of it is a MAC, in a table of its own
(`storage.patrons`) that can be erased. The id is random, so that nothing else leads back to a card.
Who holds the database can change that table: a row that this floor did not write is refused, and
nobody new is admitted while a patron whom the house protects has lost the row of the card.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from msgspec.structs import replace

from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.refusals import StillNeeded, Unknown
from puntobanco_floor.domain.stream_names import (
    PATRON,
    PATRON_LENGTH,
    PATRON_LETTERS,
    is_patron_id,
    is_session,
    place_words,
)
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.refusals import BadCard, PatronCardRefused
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.patron_ids import CardRow, PatronTable, bound

CARD = r"^ *[A-Za-z0-9][A-Za-z0-9._@-]* *$(?!\n)"
MAX_CARD = 64
_CARD = re.compile(CARD)

SHOWN = 5
"""Patrons that a line of the log names."""

TRIES = 10
"""Of a random id, where others are taken; one in a million is, on the largest floor."""


_log = logging.getLogger("puntobanco.floor")


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


@dataclass
class Patrons:
    """The patrons of a floor, by their cards."""

    rows: PatronTable
    ring: KeyRing
    now_ms: NowMs
    house: Callable[[], HouseState]
    unreachable: list[str] = field(default_factory=list)  # when somebody last looked; for the pit

    async def of_card(self, card: str) -> str:
        """Whose card it is; made where there is nobody."""
        return await asyncio.to_thread(self._found_or_admitted, self._macs(card))

    async def bind(self) -> int:
        """Give rows from before they had MACs theirs; how many there were."""
        return await asyncio.to_thread(self.rows.bind, self.ring)

    async def mend(self, backup: str | None) -> tuple[int, int]:
        """Rows that this floor did not write are taken out, and those of a backup put back."""
        return await asyncio.to_thread(self.rows.mend, self.ring, self.house(), backup)

    async def look(self) -> list[str]:
        """Patrons whom the house protects and to whom no card leads any more."""
        return await asyncio.to_thread(self._look)

    async def named(self, name: str) -> str:
        """Resolve what staff type: a card, a patron's id or a session; admit a new card."""
        if is_session(name) or is_patron_id(name):
            return await self.find(name)
        # also while somebody is unreachable: who is excluded by it is not let in by it
        return await asyncio.to_thread(self._found_or_made, self._macs(name))

    async def find(self, name: str) -> str:
        """The same, where nobody is made: who is not known is refused."""
        if is_session(name):
            return name
        if is_patron_id(name):
            is_known = name in self.house().protected  # also where no card leads to it any more
            found = name if is_known or await asyncio.to_thread(self.rows.has, name) else None
        else:
            found = await asyncio.to_thread(self._known, self._macs(name))
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
        await asyncio.to_thread(self.rows.erase, patron)

    def _macs(self, card: str) -> list[str]:
        """By every key of the ring: without them, nobody finds a card in the table by guessing."""
        return self.ring.macs("cards", normal(card))

    def _look(self) -> list[str]:
        self.unreachable = self.rows.unreachable(self.house(), self.ring)
        return self.unreachable

    def _found_or_admitted(self, macs: list[str]) -> str:
        """Admit a new card only if no row of a protected patron is lost: it could be theirs."""
        found = self._known(macs)
        if found is not None:
            return found
        if self._look():
            _log.error(
                "new card refused: no row of the table patrons leads to %s, whom the house "
                "protects; run puntobanco patron mend --from BACKUP",
                ", ".join(self.unreachable[:SHOWN]),
            )
            raise PatronCardRefused
        return self._found_or_made(macs)

    def _known(self, macs: list[str]) -> str | None:
        row = self.rows.row_of(*macs)
        return None if row is None else self._believed(row)

    def _believed(self, row: CardRow) -> str:
        if not row.is_believed(self.ring, is_bound=self.house().cards_bound):
            _log.error(
                "card refused: its row in the table patrons, which leads to %s, was not written by "
                "this floor; run puntobanco patron mend --from BACKUP",
                row.patron,
            )
            raise PatronCardRefused
        return row.patron

    def _found_or_made(self, macs: list[str]) -> str:
        found = self._known(macs)
        for _ in range(TRIES):
            if found is not None:
                return found
            row = self.rows.put(bound(self.ring, macs[0], new_id()), self.now_ms())
            found = None if row is None else self._believed(row)
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
