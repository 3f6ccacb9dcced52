"""Connections: a queue of messages to each client, the heartbeat, the end at a shutdown; and the
broadcast of what happens at a table to every terminal there.

Each terminal receives journal events without their private fields. Patrons' lines, notes by staff
for staff, names of staff and counts of remaining cards stay private: each kind says which fields
(`traits.private`). Changes of the view, and all words, go beside the event (`views.changes`), so
a client needs to know no kind to follow a table.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

import msgspec

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import Event
from puntobanco_floor.environment import NowMs
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.tickets import Tickets
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.views.table_view import TableView, changes
from puntobanco_proof.entry.record import Record

if TYPE_CHECKING:
    from puntobanco_floor.service.view_builder import Screens

MAX_QUEUE = DEFAULTS.messages_waiting
"""Messages that wait for a client; one that does not read them is cut off."""

Close = tuple[int, str]
"""How a connection ends, where we end it: a WebSocket close code and the reason."""

TOO_SLOW: Close = (4408, "too slow, or asked too much")


SERVICE_RESTART: Close = (1012, say.RESTARTS.en)  # RFC 6455: come back
LOOK_S = 0.02

BEAT_S = 5.0
"""A client hears something within 10 s; after 15 s of silence it has lost its floor."""

REVOKED = wire.bye(say.NO_LONGER_ENROLLED)
TOO_MANY = wire.bye(say.TOO_MANY_WATCH)
PAGES_OF_A_SESSION = 8
"""Sockets at once of one session at one table."""


def _nobody() -> None:
    """Nobody takes the messages yet."""


class Connection:
    """A queue of encoded messages to one client; None is the last."""

    __slots__ = ("_is_quiet", "_most", "close", "is_cut", "is_over", "queue", "wake")

    def __init__(self, most: int = MAX_QUEUE, *, close: Close = TOO_SLOW) -> None:
        """At most `most` messages wait; `close` is the default way to end."""
        self._most = most
        self.close = close
        self.queue = deque[bytes | None]()
        # called when something was put; takes what it can, and never waits
        self.wake: Callable[[], None] = _nobody
        self.is_cut = False  # nothing is put any more
        self.is_over = False  # nothing that it sends is heard any more, even if it never reads why
        self._is_quiet = False  # nothing was put since the last heartbeat

    def put(self, message: bytes | None) -> None:
        if self.is_cut:
            return
        if len(self.queue) >= self._most:
            self.is_cut = True
            self.queue.clear()
            message = None
        self.queue.append(message)
        self._is_quiet = False
        self.wake()

    def beat(self, message: bytes) -> None:
        """A heartbeat, where nothing was put since the last one."""
        if self._is_quiet:
            self.put(message)
        self._is_quiet = True

    def end(self, why: bytes, close: Close | None = None) -> None:
        """A last message, and the end; what the client still sends is not heard."""
        self.is_over = True
        self.put(why)
        self.hang_up(close)

    def hang_up(self, close: Close | None = None) -> None:
        """The end, after what waits."""
        self.close = close or self.close
        self.put(None)

    def cut(self) -> None:
        """Nothing is put any more, and nobody woken: no cycle of references is left of it."""
        self.is_cut = True
        self.wake = _nobody


class Terminal(Connection):
    """A terminal at a table; `key` is the enrolled device's, as the house knows it."""

    __slots__ = ("in_flight", "key", "session", "table")

    def __init__(self, table: str, session: str, most: int = MAX_QUEUE, *, key: str = "") -> None:
        super().__init__(most)
        self.table = table
        self.session = session
        self.key = key
        self.in_flight = 0  # commands that wait for their answers


class Room:
    """Every terminal at one table, found by session."""

    __slots__ = ("_all", "_by_session")

    def __init__(self) -> None:
        self._all = set[Terminal]()
        self._by_session = dict[str, list[Terminal]]()  # one patron may have several pages open

    def __len__(self) -> int:
        return len(self._all)

    def __iter__(self) -> Iterator[Terminal]:
        return iter(list(self._all))  # one that is told may leave

    def of(self, session: str) -> list[Terminal]:
        return self._by_session.get(session, [])

    def add(self, terminal: Terminal) -> None:
        self._all.add(terminal)
        self._by_session.setdefault(terminal.session, []).append(terminal)

    def discard(self, terminal: Terminal) -> None:
        if terminal not in self._all:
            return
        self._all.remove(terminal)
        pages = self._by_session.pop(terminal.session)
        left = [other for other in pages if other is not terminal]
        if left:
            self._by_session[terminal.session] = left


class Rooms(defaultdict[str, Room]):
    """The rooms by table; one that nobody was in yet is empty."""

    def __init__(self) -> None:
        super().__init__(Room)

    def terminals(self) -> list[Terminal]:
        return [terminal for room in self.values() for terminal in room]

    def count(self) -> int:
        return sum(map(len, self.values()))


class Heartbeat:
    """Sends a message to each connection idle for 5 s: its client can tell a dead link."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._connections = set[Connection]()
        self._beating: asyncio.Task[None] | None = None

    def add(self, connection: Connection) -> None:
        self._connections.add(connection)
        if self._beating is None:
            self._beating = asyncio.ensure_future(self._run())

    def discard(self, connection: Connection) -> None:
        self._connections.discard(connection)

    async def _run(self) -> None:
        while self._connections:
            self.beat()
            await asyncio.sleep(BEAT_S)
        self._beating = None

    def beat(self) -> None:
        """One message to everybody who was idle since the last one."""
        message = wire.write(wire.Beat(at=self._now_ms()))
        for connection in list(self._connections):  # one that is cut off may leave
            connection.beat(message)


class Shutdown:
    """The graceful end of a node: answer what is in flight, then close, within a bound."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.is_draining = False  # no load balancer should choose this node
        self.is_stopping = False  # no terminal is heard any more

    @property
    def terminals(self) -> int:
        """How many are still connected."""
        return self._rooms.count()

    def drain(self) -> None:
        self.is_draining = True

    async def close_terminals(self, within_s: float) -> bool:
        """Return whether all left in time; later commands are not heard, and are sent elsewhere."""
        self.is_draining = self.is_stopping = True
        until = time.monotonic() + within_s
        terminals = self._rooms.terminals()
        message = wire.bye(say.RESTARTS)
        for terminal in terminals:
            terminal.put(message)
        while any(terminal.in_flight for terminal in terminals) and time.monotonic() < until:
            await asyncio.sleep(LOOK_S)
        for terminal in terminals:
            terminal.hang_up(SERVICE_RESTART)
        while self.terminals and time.monotonic() < until:
            await asyncio.sleep(LOOK_S)
        return not self.terminals


@dataclass(frozen=True)
class Broadcast:
    """The terminals that are connected to this node."""

    follower: Follower
    screens: Screens
    rooms: Rooms
    tickets: Tickets
    heartbeat: Heartbeat
    work: FloorWork
    now_ms: NowMs
    most_waiting: int  # messages that wait for a terminal that reads slowly
    # by table, where somebody is connected: the view that the next changes are told from
    _told: dict[str, TableView] = field(default_factory=dict)

    def connect(self, table: str, session: str) -> Terminal:
        """A connection; its first message is the whole view."""
        key = self.tickets.key_of(session) or ""
        terminal = Terminal(table, session, self.most_waiting, key=key)
        self.work.connections += 1
        terminal.put(self.welcome(table, session))
        if not self.rooms[table]:
            self._told[table] = self.screens.table(table)
        before = self.rooms[table].of(session)
        self.rooms[table].add(terminal)
        if len(before) >= PAGES_OF_A_SESSION:
            # not the new one: the oldest may be a link that is dead and not yet known to be
            before[0].end(TOO_MANY)
        self.heartbeat.add(terminal)
        return terminal

    def leave(self, terminal: Terminal) -> None:
        self.work.cut_off["slow"] += terminal.is_cut
        self.rooms[terminal.table].discard(terminal)
        self.heartbeat.discard(terminal)

    def welcome(self, table: str, session: str) -> bytes:
        view = wire.Welcome(
            protocol=wire.PROTOCOL,
            now=self.now_ms(),
            table=self.screens.table(table),
            session=self.screens.session(table, session),
        )
        return wire.write(view)

    def tell(self, table: str, entries: Sequence[Entry]) -> None:
        """New entries of a table, to everybody there."""
        room = self.rooms.get(table)
        if not room:
            return
        events = list(public_events(entries))
        if events:
            before, after = self._told[table], self.screens.table(table)
            self._told[table] = after
            message = wire.write(happened(before, after, events))
            for terminal in room:
                terminal.put(message)
        for session in sessions_touched(entries):
            pages = room.of(session)
            if pages:
                view = self.screens.session(table, session)
                mine = wire.write(wire.Mine(session=view))
                for terminal in pages:
                    terminal.put(mine)

    def cut_revoked(self, *_: object) -> None:
        """Disconnect terminals that are no longer enrolled, or enrolled with another key."""
        for terminal in self.rooms.terminals():
            if terminal.key != self.tickets.key_of(terminal.session):
                terminal.end(REVOKED)


def happened(before: TableView, after: TableView, events: list[Record]) -> wire.Events:
    """Make the message about public events that lead from one view to the next."""
    if before.v + len(events) != after.v:
        # The copy was read anew, and some events with it: nothing follows on what terminals have,
        # and without events every other version than this one is a gap.
        return wire.Events(v=after.v, seq=after.seq, at=after.at, events=[], set={})
    fields, added = changes(before, after)
    return wire.Events(v=after.v, seq=after.seq, at=after.at, events=events, set=fields, add=added)


def public_events(entries: Iterable[Entry]) -> Iterator[Record]:
    """What everybody hears of these entries, in order; the public version counts the same."""
    for entry in entries:
        for event in entry.events:
            if event.traits.public:
                yield _as_public(event)


@cache
def public_kind(kind: type[Event]) -> type[Record]:
    """A kind as the public hears it: itself, or without its private fields."""
    private = kind.traits.private
    if not private:
        return kind
    name = kind.__name__
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in private]
    record = msgspec.defstruct(
        f"Public{name}",
        [(field.name, field.type, msgspec.field(default=field.default)) for field in fields],
        bases=(Record,),
        tag_field="event",
        tag=name,
        frozen=True,
        omit_defaults=kind.__struct_config__.omit_defaults,
    )
    assert issubclass(record, Record)
    return record


def _as_public(event: Event) -> Record:
    record = public_kind(type(event))
    if isinstance(event, record):
        return event
    return record(**{name: getattr(event, name) for name in record.__struct_fields__})


def sessions_touched(entries: Iterable[Entry]) -> set[str]:
    """Whose own view these entries change."""
    touched = set[str]()
    for entry in entries:
        for event in entry.events:
            touched |= event.sessions()
    return touched
