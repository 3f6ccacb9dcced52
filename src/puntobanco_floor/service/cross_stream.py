"""Propagator: carries out what follows in other streams from what was committed in one, and asks
again while the store cannot take it.

`cross_stream_rules` says what follows. Its command ids are idempotency keys: every node may ask,
and the command has one effect.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import filterfalse

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.environment import NowMs
from puntobanco_floor.service import cross_stream_rules
from puntobanco_floor.service.cage_windows import Windows
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.move_runner import Moves
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import InDoubt, NotStored
from puntobanco_floor.store.store import Store

LOOKED_BACK = 5_000
"""Entries of each table in which a floor that starts looks for cash and visits that were not told
elsewhere.
"""

TRIES, RETRY_S = 10, 1.0
"""What follows elsewhere is asked again while the store cannot take it."""

_log = logging.getLogger("puntobanco.floor")


@dataclass(frozen=True)
class Propagator:
    """Tasks on the event loop, one for each request."""

    store: Store
    follower: Follower
    cage: Windows
    moves: Moves
    now_ms: NowMs
    _doing: set[asyncio.Task[None]] = field(default_factory=set)

    async def start(self) -> None:
        """What a floor that starts finds undone, because a stop came between."""
        house = self.follower.house
        # Before anybody takes a seat or counts: the last cash to its drawer, the last visits to
        # the house.
        if house.patrons or house.windows:
            for name in list(self.follower.streams):
                await self._repeat(name)
        for table, moving in list(self.moves.on_the_way()):
            await self.moves.try_to_drive(table, moving.entry)
        self.moves.look()
        # a shift may have been closed as a server stopped
        for window, holder in list(self.follower.house.windows.items()):
            await self.cage.let_go(window, holder, self.now_ms())
        follower = self.follower
        self._do(cross_stream_rules.owed(follower.house, follower.states(), self.now_ms()))
        self._follow_house_stream()
        loop = asyncio.get_running_loop()

        def changed(name: str) -> None:  # on the store's thread
            if name == FLOOR:
                with suppress(RuntimeError):  # the loop is closed: the server stops
                    loop.call_soon_threadsafe(self._follow_house_stream)

        self.store.block_watchers.append(changed)

    def _follow_house_stream(self) -> None:
        cause = None
        if FLOOR in self.store.blocked:
            cause = cross_stream_rules.HOUSE_STOPPED
        elif self.store.clock_ahead_ms:
            cause = cross_stream_rules.CLOCK_SET
        self._do(cross_stream_rules.halted_by_floor(self.follower.states(), cause))

    async def _repeat(self, table: str) -> None:
        stream = self.follower.streams.get(table)
        if stream is None:  # blocked since
            return
        after = max(0, stream.state.seq - LOOKED_BACK)
        entries = await asyncio.to_thread(list, self.store.decoded(table, after=after))
        for entry in entries:
            if cross_stream_rules.is_told_again(entry, self.follower.house):
                for request in self._following(entry):
                    await self._ask(request)

    def follow(self, _: str, entries: Sequence[Entry]) -> None:
        """Ask for what follows from these entries, which are carried."""
        for entry in entries:
            self._do(self._following(entry))
        self.moves.look()

    def _following(self, entry: Entry) -> Iterable[Request]:
        follows = cross_stream_rules.carried(entry, self.follower.house, self.follower.states())
        return filterfalse(cross_stream_rules.is_step_of_move, follows)

    async def settled(self) -> None:
        """Until what follows from what this node has written is done, or cannot be for now."""
        if self._doing:
            await asyncio.wait(self._doing, timeout=RETRY_S)

    def _do(self, requests: Iterable[Request]) -> None:
        for request in requests:
            task = asyncio.ensure_future(self._ask(request))
            # the loop holds tasks weakly: one that nobody keeps may be collected unfinished
            self._doing.add(task)
            task.add_done_callback(self._doing.discard)

    async def _ask(self, request: Request) -> None:
        """A refusal means that it is so already."""
        what = f"{request.command.name()} at {request.stream}"
        for tries_left in reversed(range(TRIES)):
            try:
                answer = await self.store.asked(request)
            except (NotStored, InDoubt) as refusal:  # the same id: no effect twice
                _log.error("propagation failed: %s: %s; %d tries left", what, refusal, tries_left)
                await asyncio.sleep(RETRY_S if tries_left else 0)
            except Refusal as refusal:
                _log.error("propagation failed: %s: %s; not tried again", what, refusal)
                return
            else:
                if not answer.ok:
                    _log.warning("propagation refused by its stream: %s: %s", what, answer.reason)
                return
