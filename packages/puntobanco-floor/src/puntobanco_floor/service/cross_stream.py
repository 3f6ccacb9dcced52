"""Commands that follow in other streams from what was committed in one: the propagator asks for
them, and asks again while the store cannot take them; the moves of patrons are driven step by step.

`cross_stream_rules` says what follows. Its command ids are idempotency keys: every node may ask,
and the command has one effect.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import filterfalse
from typing import TypeAlias

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table.sessions import LASTS_MS
from puntobanco_floor.domain.table.state import Moving
from puntobanco_floor.environment import NowMs
from puntobanco_floor.service import cross_stream_rules
from puntobanco_floor.service.cage_windows import Windows
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import InDoubt, NotStored
from puntobanco_floor.store.store import Store

LOOKED_BACK = 5_000
"""How many entries of each table a starting floor searches for untold cash and visits."""

TRIES, RETRY_S = 10, 1.0
"""What follows elsewhere is asked again while the store cannot take it."""

LOOK_S = 3.0
"""How often a node looks for moves that nobody drives; younger ones are left to who asked."""

Decision: TypeAlias = tuple[e.MoveDecided, int]
"""What the new table says of a move, and in which entry."""

_log = logging.getLogger("puntobanco.floor")


@dataclass
class Moves:
    """The moves that are on the way between two tables, as this node has followed them; each is
    asked for until it is settled or returned.

    The node whose patron waits for a move drives it. Of moves that a crash or a lost connection has
    left on the way every node does, a little later.
    """

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
        """Carry a move from its reservation to its end. A repeated step has no second effect."""
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
                    _log.warning("propagation refused by its stream: %s: %s", what, answer.words.en)
                return
