"""Slow clients: a time limit for requests that do not come and answers that are not read, and a
bound of the connections that wait so (slowloris): uvicorn limits the time between two requests
only, and a node may be served without a proxy.

`protocol` is made of a module of uvicorn's, like `fast_socket`; where that cannot be imported,
`serve` goes on without these limits and says so.
"""

from __future__ import annotations

import asyncio
import select
import time
from typing import Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

SWEEP_S = 0.5
"""Seconds between two looks for connections that have reached the time limit."""

_ASKING = (h11.IDLE, h11.SEND_BODY)


def forget_reader(transport: asyncio.BaseTransport) -> None:
    """Break the reference cycle of a lost connection, as asyncio does from Python 3.12 on.

    Otherwise thousands of short connections would leave the garbage collector so much work that
    wagers wait for it.
    """
    getattr(transport, "__dict__", {}).pop("_read_ready_cb", None)


class Client(Protocol):
    def cut(self) -> None: ...

    def has_unread(self) -> bool:
        """Return whether bytes have arrived and the server has read none yet."""


class Waiting:
    """Connections that wait for their client, the oldest first; `most` at once."""

    def __init__(self, *, limit_s: float, most: int) -> None:
        self._limit_s, self._most = limit_s, most
        self._since = dict[Client, float]()
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._since)

    def add(self, client: Client, now: float) -> None:
        """Start the time limit of a client; one more byte does not start it again."""
        self._since.setdefault(client, now)
        if len(self._since) > self._most:
            self._cut_oldest(now)

    def discard(self, client: Client) -> None:
        self._since.pop(client, None)

    def sweep(self, now: float) -> None:
        """Cut connections that have reached the time limit."""
        while self._since:
            oldest = next(iter(self._since.values()))
            if now - oldest < self._limit_s:
                return
            self._cut_oldest(now)

    def _cut_oldest(self, now: float) -> None:
        """Cut the oldest connection, or start its time again if the server is late to read it."""
        client = next(iter(self._since))
        del self._since[client]
        if client.has_unread():
            self._since[client] = now
        else:
            client.cut()

    def keep_sweeping(self) -> None:
        """Sweep as long as a client waits."""
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)

    def _sweep(self) -> None:
        self._sweeping = None
        self.sweep(time.monotonic())
        if self._since:
            self.keep_sweeping()


class LimitedProtocol(H11Protocol):
    """uvicorn's HTTP with a time limit for every request and answer."""

    waiting: Waiting
    _is_read = False
    _is_stalled = False
    _is_upgraded = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.discard(self)
        super().connection_lost(exc)
        forget_reader(self.transport)

    def data_received(self, data: bytes) -> None:
        self._is_read = True
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        self._look()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        # the connection has another protocol from now on, and this one hears of no end
        self._is_upgraded = True
        super().handle_websocket_upgrade(event)
        # a handshake that websockets does not read (a body, a line too long) uvicorn leaves open
        # and unanswered, where no limit of ours counts it
        websocket = self.transport.get_protocol()
        if not getattr(websocket, "handshake_initiated", True):
            self.cut()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        is_early = self.conn.their_state is h11.SEND_BODY
        if is_early and any(name == b"transfer-encoding" for name, _ in self.headers):
            self.transport.close()  # a body in parts without end would still be looked at
        self._look()

    def pause_writing(self) -> None:
        """Start the time limit of an answer that the client does not read."""
        super().pause_writing()
        self._is_stalled = True
        self._look()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._is_stalled = False
        self._look()

    def _look(self) -> None:
        is_asking = self.conn.their_state in _ASKING or self._is_stalled
        if is_asking and not self._is_upgraded and not self.transport.is_closing():
            self.waiting.add(self, time.monotonic())
            self.waiting.keep_sweeping()
        else:
            self.waiting.discard(self)

    def cut(self) -> None:
        # not `close`: under TLS that waits for a farewell
        self.transport.abort()

    def has_unread(self) -> bool:
        file: int = self.transport.get_extra_info("socket").fileno()
        if self._is_read or file < 0:
            return False
        readable = select.poll()
        readable.register(file, select.POLLIN)
        return bool(readable.poll(0))


def protocol(*, limit_s: float, most: int) -> type[asyncio.Protocol]:
    """Make the protocol class of one server, because uvicorn passes it no arguments."""
    waiting = Waiting(limit_s=limit_s, most=most)
    return type("Limited", (LimitedProtocol,), {"waiting": waiting})
