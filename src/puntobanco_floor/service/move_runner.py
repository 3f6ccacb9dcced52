"""Moves, driven on: what is on the way between two tables is asked for again until it is settled
or returned.

`cross_stream_rules` says what follows from each entry. This asks for one move step by step: the
node whose
patron waits for it does, and for moves that a crash or a lost connection has left on the way every
node, a little later.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.table.sessions import LASTS_MS
from puntobanco_floor.domain.table.state import Moving
from puntobanco_floor.environment import NowMs
from puntobanco_floor.service import cross_stream_rules
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.store import Store

LOOK_S = 3.0
"""How often a node looks for moves that nobody drives; younger ones are left to who asked."""

Decision: TypeAlias = tuple[e.MoveDecided, int]
"""What the new table says of a move, and in which entry."""

_log = logging.getLogger("puntobanco.floor")


@dataclass
class Moves:
    """Those of this floor that are on the way, as this node has followed them."""

    store: Store
    follower: Follower
    now_ms: NowMs
    _looking: asyncio.Task[None] | None = field(default=None, init=False)

    def on_the_way(self) -> Iterator[tuple[str, Moving]]:
        for name, state in self.follower.states().items():
            for moving in state.moving.values():
                yield name, moving

    def look(self) -> None:
        """While something is on the way, see that it arrives."""
        if self._looking is None and any(True for _ in self.on_the_way()):
            self._looking = asyncio.ensure_future(self._look())

    async def _look(self) -> None:
        while left := list(self.on_the_way()):
            for table, moving in left:
                if moving.until - LASTS_MS <= self.now_ms() - LOOK_S * 1000:
                    await self.try_to_drive(table, moving.entry)
            await asyncio.sleep(LOOK_S)
        self._looking = None

    async def try_to_drive(self, table: str, seq: int) -> Decision | None:
        """As far as it can be done now; None where the other table has not decided."""
        try:
            return await self.drive(table, seq)
        except Refusal as refusal:  # the store cannot take it, or a stream is blocked
            _log.warning(
                "move failed for now: %s entry %d: %s; retried in %.0f s",
                table,
                seq,
                refusal,
                LOOK_S,
            )
            return None

    async def drive(self, table: str, seq: int) -> Decision | None:
        """From the entry that reserved it to the one that settles or returns it. Asked again each
        step is the same command, and has one effect.
        """
        reserved = await asyncio.to_thread(self._entry, table, seq)
        [event] = [one for one in reserved.events if isinstance(one, e.MoveReserved)]
        [arrival] = await self._ask(reserved)
        decided_at = arrival.seq
        if not arrival.ok:  # another node asked with, or without, an objection
            state = (await asyncio.to_thread(self.store.table, event.to)).state
            known = state.moves.get(event.move)
            if known is None:
                return None
            decided_at = known.entry
        decided = await asyncio.to_thread(self._entry, event.to, decided_at)
        await self._ask(decided)
        outcome = next(one for one in decided.events if isinstance(one, e.MoveDecided))
        return outcome, decided_at

    async def _ask(self, entry: Entry) -> list[Answer]:
        """What follows from an entry of a move, in other tables."""
        follower = self.follower
        requests = cross_stream_rules.of_moves(entry, follower.house, follower.states())
        return [await self.store.asked(request) for request in requests]

    def _entry(self, table: str, seq: int) -> Entry:
        return next(self.store.decoded(table, after=seq - 1))
