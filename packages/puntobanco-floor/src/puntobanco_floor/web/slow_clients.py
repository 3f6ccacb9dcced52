"""Slow clients: time limits for requests that do not come and answers that are not read, and a
bound of connections that ask nothing (slowloris).

A connection waits from its first moment, or from its last answer, until a whole request is there.
Where too many wait, the oldest makes room: who comes to ask something has asked it by then. A
connection that became a WebSocket is counted elsewhere.

`protocol` is made of a module of uvicorn's, like `fast_socket`; where that cannot be imported,
`serve` goes on without these limits and says so.
"""

from __future__ import annotations

import asyncio
import select
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from puntobanco_floor.service.client_network import network_of

MAX_WAITING = 4_000
"""Connections that ask nothing, from all addresses together."""

GRACE_S = 1.0
"""So long nobody is cut off for others of the same address. When terminals come back at once, all
of them are accepted before the first is read: what they ask is on its way.
"""

SWEEP_S = 0.5
"""How often it is looked whose time is over."""

TurnedAway = Callable[[Mapping[str, Any]], bytes | None]
"""The whole answer to a handshake that is not looked at any further; None where it is."""

_ASKING = (h11.IDLE, h11.SEND_BODY)


def forget_reader(transport: asyncio.BaseTransport) -> None:
    """Of a connection that is lost, as asyncio itself does from Python 3.12 on. It is a method of
    the transport's own, a reference cycle: thousands who come and go would leave so much to the
    garbage collector that wagers wait for it.
    """
    getattr(transport, "__dict__", {}).pop("_read_ready_cb", None)


class Client(Protocol):
    def cut(self) -> None: ...

    def has_unread(self) -> bool:
        """Whether it has sent something, and this server has not read anything of it yet."""


class Waiting:
    """Connections that wait for a request, the oldest first."""

    def __init__(self, *, limit_s: float, per_address: int, most: int = MAX_WAITING) -> None:
        self.limit_s = limit_s
        self._per_address = per_address
        self._most = most
        self._since = dict[Client, tuple[str, float]]()
        self._of = dict[str, dict[Client, None]]()
        self._crowded = set[str]()  # addresses that have too many
        self._sweeping: asyncio.TimerHandle | None = None

    def __len__(self) -> int:
        return len(self._since)

    def add(self, client: Client, address: str, now: float) -> None:
        """It waits; who waits already gets no more time by sending a byte."""
        if client in self._since:
            return
        self._since[client] = address, now
        of_address = self._of.setdefault(address, {})
        of_address[client] = None
        if len(of_address) > self._per_address:
            self._make_room(address, now)
        oldest = next(iter(self._since))
        if len(self._since) > self._most and not oldest.has_unread():
            self._cut(oldest)

    def _make_room(self, address: str, now: float) -> None:
        """The oldest of an address go; those that have just come only at the next sweep."""
        of_address = self._of.get(address, {})
        self._crowded.discard(address)
        while len(of_address) > self._per_address:
            oldest = next(iter(of_address))
            # thousands at once: the server is slow then, and not they
            if now - self._since[oldest][1] < GRACE_S or oldest.has_unread():
                self._crowded.add(address)
                return
            self._cut(oldest)

    def discard(self, client: Client) -> None:
        address, _ = self._since.pop(client, ("", 0.0))
        of_address = self._of.get(address, {})
        of_address.pop(client, None)
        if not of_address:
            self._of.pop(address, None)

    def _cut(self, client: Client) -> None:
        self.discard(client)
        client.cut()

    def sweep(self, now: float) -> None:
        """Cut off whose time is over: all have the same, so that the oldest are first."""
        for address in list(self._crowded):
            self._make_room(address, now)
        while self._since:
            client, (address, since) = next(iter(self._since.items()))
            if now - since < self.limit_s:
                return
            if client.has_unread():  # the server is late: its time begins anew
                del self._since[client]
                self._since[client] = address, now
            else:
                self._cut(client)

    def keep_sweeping(self) -> None:
        """While anybody waits."""
        if self._sweeping is None:
            self._sweeping = asyncio.get_running_loop().call_later(SWEEP_S, self._sweep)

    def _sweep(self) -> None:
        self._sweeping = None
        self.sweep(time.monotonic())
        if self._since:
            self.keep_sweeping()


class LimitedProtocol(H11Protocol):
    """uvicorn's HTTP, which has a time limit only between two requests."""

    waiting: Waiting
    has_proxy: bool
    turned_away: TurnedAway
    _stalled: asyncio.TimerHandle | None = None
    _is_upgraded = False
    _is_read = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look()

    def connection_lost(self, exc: Exception | None) -> None:
        self.waiting.discard(self)
        self._reads()
        super().connection_lost(exc)
        forget_reader(self.transport)

    def data_received(self, data: bytes) -> None:
        is_first = not self._is_read
        self._is_read = True
        handshake = handshake_in(data) if is_first else None
        if handshake is None or not self._turn_away({"client": self.client, **handshake}):
            super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        self._look()

    def _turn_away(self, scope: Mapping[str, Any]) -> bool:
        """Whether it was one to be turned away."""
        answer = None if self.has_proxy else self.turned_away(scope)
        if answer is None:
            return False
        self.transport.write(answer)
        self.transport.close()
        return True

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        if self._turn_away(self.scope):
            return
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

    def _look(self) -> None:
        is_asking = self.conn.their_state in _ASKING and not self._is_upgraded
        if not is_asking or self.transport.is_closing():
            self.waiting.discard(self)
            return
        address = ""
        # a proxy asks for everybody: it has limits of its own
        if self.client and not self.has_proxy:
            address = network_of(self.client[0])
        self.waiting.add(self, address, time.monotonic())
        self.waiting.keep_sweeping()

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

    def pause_writing(self) -> None:
        """The client does not read its answer."""
        super().pause_writing()
        if self._stalled is None:
            self._stalled = self.loop.call_later(self.waiting.limit_s, self.cut)

    def resume_writing(self) -> None:
        self._reads()
        super().resume_writing()

    def _reads(self) -> None:
        if self._stalled is not None:
            self._stalled.cancel()
            self._stalled = None


def handshake_in(data: bytes) -> dict[str, Any] | None:
    """The path and the names of headers of a WebSocket handshake that is there whole; None of
    anything else. h11 takes ten times as long, and those who are turned away come again at once.

    >>> handshake_in(b"GET /ws HTTP/1.1\\r\\nUpgrade: websocket\\r\\n\\r\\n")
    {'path': '/ws', 'headers': [(b'upgrade', b'websocket')]}
    """
    head, end, more = data.partition(b"\r\n\r\n")
    first, *lines = head.split(b"\r\n")
    words = first.split(b" ")
    if not end or more or len(words) != 3 or words[0] != b"GET":
        return None
    pairs = [line.partition(b":") for line in lines]
    headers = [(name.lower(), value.strip()) for name, _, value in pairs]
    if (b"upgrade", b"websocket") not in headers:
        return None
    return {"path": words[1].decode("latin-1"), "headers": headers}


def protocol(
    *, limit_s: float, per_address: int, has_proxy: bool, turned_away: TurnedAway
) -> type[asyncio.Protocol]:
    """For one server: uvicorn makes its protocols without our arguments."""
    most = MAX_WAITING if has_proxy else per_address
    found = Waiting(limit_s=limit_s, per_address=most)
    own = {"waiting": found, "has_proxy": has_proxy, "turned_away": staticmethod(turned_away)}
    return type("Limited", (LimitedProtocol,), own)
