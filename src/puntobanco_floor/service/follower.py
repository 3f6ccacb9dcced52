"""Follower: a copy of every table's stream and of the house's, kept up to date from the journal.

Everything that a node shows is made from these copies; commands are decided by the store, never
here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import cast

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import S, State
from puntobanco_floor.domain.stream_names import FLOOR, TABLE, is_table, place_words
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service.refusals import NoSuchTable, WrongFloor
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault

CAUGHT_UP_S, LOOK_S = 2.0, 0.005
"""How long somebody waits for the copy to have an entry, and how often it is looked for."""

Held = tuple[State, dict[str, int]]
"""A stream's state and balances, as the store's writer has them after a commit."""

Listener = Callable[[str, Sequence[Entry]], None]
"""Called on the event loop with a stream's name and its new entries, once the copy has them."""

_log = logging.getLogger("puntobanco.floor")


def _nobody(_name: str, _entries: Sequence[Entry]) -> None:
    """Nobody listens yet."""


def is_followed(stream: str) -> bool:
    """Whether a node keeps a copy: of tables and the house. A cage window is read where it is asked
    for.
    """
    return stream == FLOOR or stream.startswith(TABLE)


class Follower:
    """The streams as this node has followed them. All of it on the event loop, but for
    `_committed`.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self.streams = dict[str, Stream[TableState]]()
        self.blocked = set[str]()  # tables whose journal cannot be followed here
        self.listener: Listener = _nobody
        self._house = Stream.empty(FLOOR, store.definitions.house)

    @property
    def house(self) -> HouseState:
        return self._house.state

    def states(self) -> dict[str, TableState]:
        """The tables by name."""
        return {name: stream.state for name, stream in self.streams.items()}

    def stream(self, table: str) -> Stream[TableState]:
        """A table's copy; refuses a table that is not there."""
        try:
            return self.streams[table]
        except KeyError:
            raise NoSuchTable(say.NO_TABLE.format(place_words(f"{table:.40}"))) from None

    async def start(self) -> list[str]:
        """Read every stream, and follow what is committed from now on. The names of all there
        are.
        """
        self._loop = asyncio.get_running_loop()
        # Watch first: what is committed while the streams are read is followed afterwards.
        self._store.watchers.append(self._committed)
        names = await asyncio.to_thread(self._store.names)
        for name in names:
            await self.read(name)
        return names

    def stop(self) -> None:
        self._store.watchers.remove(self._committed)

    async def read(self, name: str) -> None:
        """Take a stream as the journal has it now."""
        if name == FLOOR:
            self._house = await asyncio.to_thread(self._store.house)
        elif is_table(name):
            try:
                self.streams[name] = await asyncio.to_thread(self._store.table, name)
            except Fault as fault:
                self._block(name, fault)

    def verify_set_up(self, *, demo: bool) -> None:
        """Whether this is a floor of the kind that is to be served."""
        if not self.house.is_open:
            raise WrongFloor(
                "this floor is not set up; `puntobanco init` does it, or serve --demo for "
                "a demonstration"
            )
        if self.house.demo and not demo:
            raise WrongFloor(
                "this floor is a demonstration: serve it with --demo, or set up another "
                "with `puntobanco init`"
            )
        if demo and not self.house.demo:
            raise WrongFloor("this floor is for real money: serve it without --demo")

    def _block(self, name: str, fault: Fault) -> None:
        """A table whose journal cannot be followed is not shown and takes nothing; the others go
        on.
        """
        self.streams.pop(name, None)
        self.blocked.add(name)
        if fault.advice:
            _log.error("stream %s blocked: %s", name, fault)
        else:
            _log.error("stream %s blocked: %s; run puntobanco audit --table %s", name, fault, name)

    def _committed(self, name: str, entries: Sequence[Entry]) -> None:
        """From the store's thread, after a commit. What the writer holds is taken, not made again:
        its state never changes, and a copy of ten thousand balances is cheaper than to post one
        settlement a second time.
        """
        held = self._store.held_copy(name) if is_followed(name) else None
        with suppress(RuntimeError):  # the loop is closed: the server stops
            self._loop.call_soon_threadsafe(self._follow, name, entries, held)

    def _follow(self, name: str, entries: Sequence[Entry], held: Held | None) -> None:
        new = entries
        if name == FLOOR:
            new = self._taken_in(self._house, entries, held)
        elif is_followed(name):
            stream = self.streams.get(name)
            if stream is None:
                stream = Stream.empty(name, self._store.definitions.table)
                self.streams[name] = stream
            new = self._taken_in(stream, entries, held)
            if new:
                self.blocked.discard(name)
        if new:
            self.listener(name, new)

    def _taken_in(
        self, stream: Stream[S], entries: Sequence[Entry], held: Held | None
    ) -> Sequence[Entry]:
        """What was new of it; nothing where the copy was read later than that, or is blocked."""
        name = stream.name
        since = stream.state.seq
        new = [entry for entry in entries if entry.seq > since]
        if not new:
            return ()
        if new[0].seq != since + 1:  # something was missed: read it from the journal
            new = list(self._store.decoded(name, after=since))
        if held is not None and held[0].seq == new[-1].seq:
            state, balances = held
            stream.state = cast("S", state)  # of the same stream, and so of the same machine
            stream.balances = balances
            return new
        try:
            for entry in new:
                stream.follow(entry, "")
        except Fault as fault:
            self._block(name, fault)
            return ()
        return new

    def is_behind(self, name: str, seq: int) -> bool:
        """A blocked table is not: no node can follow it, and the others' terminals are to be
        served. A blocked house is: nobody may play on old exclusions and staff.
        """
        if is_table(name) and name in self.blocked:
            return False
        stream = self._house if name == FLOOR else self.streams.get(name)
        return stream is None or stream.state.seq < seq

    async def latest(self, table: str) -> Stream[TableState]:
        """A table's copy, once it has all that is in the journal now."""
        stored = await asyncio.to_thread(self._store.stream, table)
        await self.caught_up(table, stored.state.seq)
        return self.stream(table)

    async def caught_up(self, name: str, seq: int) -> None:
        """Until this node has followed so far: who was answered sees what he did."""
        for _ in range(int(CAUGHT_UP_S / LOOK_S)):
            if not self.is_behind(name, seq):
                return
            await asyncio.sleep(LOOK_S)
