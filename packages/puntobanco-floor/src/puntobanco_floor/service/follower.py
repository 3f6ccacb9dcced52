"""Follower: a copy of every table's stream and of the house's, kept up to date from the journal.

Everything that a node shows is made from these copies; commands are decided by the store, never
here.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, cast

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import Event
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

_log = logging.getLogger("puntobanco.floor")


def is_followed(stream: str) -> bool:
    """Say whether a node keeps a copy: of tables and the house; cage windows are read."""
    return stream == FLOOR or stream.startswith(TABLE)


class Interest(NamedTuple):
    """A part of the node that hears of committed entries: which ones, by stream and by event."""

    tell: Callable[[str, Sequence[Entry]], object]
    streams: str = ""  # how their names begin
    wants: Callable[[type[Event]], bool] = lambda _: True


class Interests:
    """Hands each committed entry to the parts concerned; asks a part once for each kind."""

    def __init__(self, *interests: Interest) -> None:
        self._interests = interests
        # by the stream's sort and the kind of event
        self._known = defaultdict[str, dict[type[Event], frozenset[int]]](dict)

    def tell(self, name: str, entries: Sequence[Entry]) -> None:
        """Each part hears of its entries together, one part after the other."""
        known = self._known[name.partition(":")[0]]
        heard = [list[Entry]() for _ in self._interests]
        for entry in entries:
            interested = set[int]()
            for kind in map(type, entry.events):
                if kind not in known:
                    known[kind] = self._find(name, kind)
                interested |= known[kind]
            for place in interested:
                heard[place].append(entry)
        for interest, concerned in zip(self._interests, heard, strict=True):
            if concerned:
                interest.tell(name, concerned)

    def _find(self, name: str, kind: type[Event]) -> frozenset[int]:
        return frozenset(
            place
            for place, interest in enumerate(self._interests)
            if name.startswith(interest.streams) and interest.wants(kind)
        )


class Follower:
    """The streams as this node follows them, on the event loop except `_committed`."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.streams = dict[str, Stream[TableState]]()
        self.blocked = set[str]()  # tables whose journal cannot be followed here
        self.interests = Interests()
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
        """Read every stream, then follow what is committed; return all names."""
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
        """Block a table whose journal cannot be followed; the other tables go on."""
        self.streams.pop(name, None)
        self.blocked.add(name)
        if fault.advice:
            _log.error("stream %s blocked: %s", name, fault)
        else:
            _log.error("stream %s blocked: %s; run puntobanco audit --table %s", name, fault, name)

    def _committed(self, name: str, entries: Sequence[Entry]) -> None:
        """On the store's thread: take the writer's state, since posting again costs more."""
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
            self.interests.tell(name, new)

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
        """Never for a blocked table, which no node follows; a blocked house is always behind."""
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
