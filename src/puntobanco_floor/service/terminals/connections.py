"""Connections: a queue of messages to each client, with backpressure, the heartbeat for idle ones,
and their end at a shutdown.
"""

from __future__ import annotations

import asyncio
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterator

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.settings import DEFAULTS

MAX_QUEUE = DEFAULTS.messages_waiting
"""Messages that wait for a client; one that does not read them is cut off."""

Close = tuple[int, str]
"""How a connection ends, where we end it: a WebSocket close code and the reason."""

TOO_SLOW: Close = (4408, "too slow, or asked too much")


SERVICE_RESTART: Close = (1012, say.RESTARTS.en)  # RFC 6455: come back
LOOK_S = 0.02

BEAT_S = 5.0
"""A client hears something within 10 s; after 15 s of silence it has lost its floor."""


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
