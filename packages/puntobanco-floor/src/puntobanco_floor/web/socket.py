"""WebSockets of terminals and views: who may connect, what may be sent, short ways in and out.

They are an ordinary ASGI application. Where the server lends short ways (`fast_socket`) it takes
them; anywhere else, and while a terminal reads slowly, messages go by ASGI's `receive` and `send`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Protocol

import msgspec
from starlette.types import ASGIApp, Receive, Scope, Send
from websockets.frames import Frame, Opcode

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.refusals import NoSuchTable
from puntobanco_floor.service.staff_logins import PREFIX
from puntobanco_floor.service.subscriptions import Viewer
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import TOO_SLOW, Connection, Terminal
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.web.context import Web
from puntobanco_floor.web.problems import Problem, problem, retry_after
from puntobanco_floor.web.rate_limit import Bucket
from puntobanco_floor.web.request import COOKIE, STAFF_COOKIE, Caller, read_token, same_origin

MESSAGES_AT_ONCE = DEFAULTS.messages_burst
GOODBYE_S = 2.0
"""How long a connection that we end may take over its last messages."""

TOGETHER_S = 0.001
"""How long a message waits for others to the same terminal."""

DIRECT = "puntobanco.direct"
DENIAL = "websocket.http.response"  # the ASGI extension by which a handshake is answered
REFUSED = 1008  # RFC 6455: policy violation
_TABLE_PATH = re.compile(r"/ws/([0-9]{1,7})")
VIEWS_PATH = "/ws/views"
RATE, BURST = 2.0, 20
"""How often a page may say what it watches."""

PORTION = 32
"""Views that are sent at once: a thousand of the public who watch take a moment of the event loop
each, and no wager waits for all of them.
"""

Away = tuple[int, Problem]
RESTARTING: Away = (503, problem("restarting", say.RESTARTS))
TOO_MANY_WATCH: Away = (503, problem("too-many", say.TOO_MANY_WATCH))
NO_SESSION: Away = (401, problem("no-session", say.NO_SESSION))
NO_TABLE: Away = (404, problem("no-such-table", NoSuchTable.in_short))
TOO_MUCH = wire.bye(say.TOO_MANY_MESSAGES)


class Direct(Protocol):
    """The short ways of a server that has them (`fast_socket`)."""

    hear: Callable[[str], None] | None

    def is_free(self) -> bool: ...

    def write(self, frames: bytes) -> None: ...

    def abort(self) -> None: ...


class Outgoing:
    """A write buffer for all connections of one server. What is put goes out together, so that an
    answer and what came of it are one write; a frame is made once for all who see the same.

    `portion`: so many at a time, and wagers are answered in between.
    """

    def __init__(self, work: FloorWork | None = None, portion: int | None = None) -> None:
        self._waiting = list[Sending]()
        self._portion = portion
        self.work = work or FloorWork()
        self._last = b""
        self._frame = b""

    def add(self, sending: Sending) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_later(TOGETHER_S, self._flush)
        self._waiting.append(sending)

    def _flush(self) -> None:
        waiting = self._waiting[: self._portion]
        self._waiting = self._waiting[len(waiting) :]
        if self._waiting:
            asyncio.get_running_loop().call_soon(self._flush)
        for sending in waiting:
            sending.flush()

    def framed(self, message: bytes) -> bytes:
        if message is not self._last:
            self._last, self._frame = message, Frame(Opcode.TEXT, message).serialize(mask=False)
        return self._frame


class Sending:
    """One connection's messages out, in order. A task is alive only while the client reads slowly:
    that is the backpressure, and the connection's own bound cuts it off.
    """

    __slots__ = ("_connection", "_direct", "_is_due", "_outgoing", "_send", "_task")

    def __init__(
        self, outgoing: Outgoing, connection: Connection, send: Send, direct: Direct | None
    ) -> None:
        self._outgoing = outgoing
        self._connection = connection
        self._send = send
        self._direct = direct
        self._task: asyncio.Task[None] | None = None
        self._is_due = False

    def wake(self) -> None:
        if self._connection.is_cut and self._direct is not None:
            # it does not read: a farewell would wait behind all the rest
            self._direct.abort()
        elif not self._is_due and self._task is None:
            self._is_due = True
            self._outgoing.add(self)

    def flush(self) -> None:
        self._is_due = False
        queue = self._connection.queue
        direct = self._direct
        if not queue:
            return
        if direct is None or not direct.is_free():
            self._task = asyncio.create_task(self._drain())
            return
        frames = list[bytes]()
        while queue and (message := queue[0]) is not None:
            frames.append(self._outgoing.framed(message))
            queue.popleft()
        self._outgoing.work.messages_out += len(frames)
        # one frame as it is: joining would copy what all terminals share
        direct.write(frames[0] if len(frames) == 1 else b"".join(frames))
        if queue:
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        queue = self._connection.queue
        try:
            while queue:
                message = queue.popleft()
                if message is None:
                    code, reason = self._connection.close
                    await self._send({"type": "websocket.close", "code": code, "reason": reason})
                    return
                text = message.decode()
                await self._send({"type": "websocket.send", "text": text, "bytes": None})
                self._outgoing.work.messages_out += 1
        except Exception:  # the connection is gone; who receives from it hears of that
            queue.clear()
        finally:
            self._task = None

    async def converse(self, receive: Receive, hear: Callable[[str], None]) -> None:
        """Until the client leaves; it is heard by the short way, where there is one."""
        if self._direct is not None:
            self._direct.hear = hear
        try:
            while (event := await receive())["type"] == "websocket.receive":
                hear(event.get("text") or "")
        finally:
            if self._direct is not None:
                self._direct.hear = None

    async def end(self) -> None:
        """Nobody puts anything any more; what is on its way may still go."""
        self._connection.cut()
        if self._task is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._task, GOODBYE_S)
        self._connection.queue.clear()


class Incoming:
    """One terminal's messages in, within a rate limit, a size limit and a limit of commands in
    flight.
    """

    __slots__ = ("_bucket", "_terminal", "_web")

    def __init__(self, web: Web, terminal: Terminal) -> None:
        self._web = web
        self._terminal = terminal
        self._bucket = Bucket(web.floor.settings.messages_rate, web.floor.settings.messages_burst)

    def __call__(self, data: str) -> None:
        terminal = self._terminal
        web = self._web
        # what comes now is sent again, to a server that stays
        if terminal.is_over or web.floor.shutdown.is_stopping:
            return
        web.floor.work.messages_in += 1
        if self._is_too_much(data):
            web.floor.work.cut_off["asked-too-much"] += 1
            terminal.end(TOO_MUCH)
            return
        try:
            message = wire.read_from_terminal(data)
        except Refusal as refusal:
            terminal.put(_not_understood(refusal))
            return
        if isinstance(message, wire.Sync):
            terminal.put(web.floor.broadcast.welcome(terminal.table, terminal.session))
        else:
            web.floor.wagers.ask(terminal, message)

    def _is_too_much(self, data: str) -> bool:
        settings = self._web.floor.settings
        if not self._bucket.take():
            return True
        is_busy = self._terminal.in_flight >= settings.messages_flying
        return is_busy or len(data) > settings.message_bytes


def _not_understood(refusal: Refusal) -> bytes:
    return wire.write(wire.Answered(id="", ok=False, code="bad-message", reason=refusal.words))


def with_sockets(app: ASGIApp, web: Web) -> ASGIApp:
    """Serve the terminals at /ws/<table> and the views at /ws/views, before an application that
    answers everything else.
    """
    to_terminals = Outgoing(web.floor.work)
    to_viewers = Outgoing(web.floor.work, PORTION)

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        path = scope["path"] if scope["type"] == "websocket" else ""
        found = _TABLE_PATH.fullmatch(path)
        if found is None and path != VIEWS_PATH:
            await app(scope, receive, send)
            return
        await receive()  # that somebody connects
        if web.floor.shutdown.is_stopping:
            await turn_away(scope, send, RESTARTING)
        elif found is not None:
            table = f"table:{int(found[1])}"
            await _serve_terminal(web, table, to_terminals, scope, receive, send)
        else:
            await _serve_viewer(web, to_viewers, scope, receive, send)

    return routed


async def _serve_terminal(
    web: Web, table: str, outgoing: Outgoing, scope: Scope, receive: Receive, send: Send
) -> None:
    session = web.floor.tickets.session(_read_token(scope, web, COOKIE))
    if session is None:
        await turn_away(scope, send, NO_SESSION)
        return
    if table not in web.floor.follower.streams:
        await turn_away(scope, send, NO_TABLE)
        return
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    terminal = web.floor.broadcast.connect(table, session)
    sending = Sending(outgoing, terminal, send, read_direct(scope))
    terminal.wake = sending.wake
    sending.wake()
    try:
        await sending.converse(receive, Incoming(web, terminal))
    finally:
        web.floor.broadcast.leave(terminal)
        await sending.end()


async def _serve_viewer(
    web: Web, outgoing: Outgoing, scope: Scope, receive: Receive, send: Send
) -> None:
    """Show views: lobbies and displays to everybody, the staff's screens to a login that holds."""
    token = ""
    given = _read_token(scope, web, STAFF_COOKIE)
    if given.startswith(PREFIX):
        await web.floor.logins.recall(given, is_used=False)
        token = given if web.floor.logins.looking(given) else ""
    viewer = Viewer(web.floor.settings.messages_waiting, token, _read_network(scope))
    if not web.floor.views.has_room(viewer, web.floor.settings):
        await turn_away(scope, send, TOO_MANY_WATCH)
        return
    await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
    sending = Sending(outgoing, viewer, send, read_direct(scope))
    viewer.wake = sending.wake
    web.floor.views.add(viewer)
    try:
        await sending.converse(receive, partial(_hear_viewer, web, viewer, Bucket(RATE, BURST)))
    finally:
        web.floor.views.discard(viewer)
        await sending.end()


def read_direct(scope: Scope) -> Direct | None:
    """The short ways of this server, where it has them."""
    extensions: Mapping[str, Any] = scope.get("extensions") or {}
    found: Direct | None = extensions.get(DIRECT)
    return found


async def turn_away(scope: Scope, send: Send, why: Away) -> None:
    """Answer a handshake with a status, so that a client knows whether to come back; a server that
    cannot do that closes it.
    """
    status, problem = why
    if DENIAL not in (scope.get("extensions") or {}):
        await send({"type": "websocket.close", "code": REFUSED, "reason": problem.reason.en})
        return
    headers = [(b"content-type", b"application/json")]
    for name, value in retry_after(status).items():
        headers.append((name.lower().encode(), value.encode()))
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    body = msgspec.json.encode(problem)
    await send({"type": "websocket.http.response.body", "body": body, "more_body": False})


def _read_token(scope: Scope, web: Web, cookie: str) -> str:
    """Return the token that came along, or nothing: a cookie counts only from a page of ours."""
    connection = Caller(scope)
    token, by_cookie = read_token(connection, cookie)
    return "" if by_cookie and not same_origin(connection, web) else token


def _hear_viewer(web: Web, viewer: Viewer, bucket: Bucket, text: str) -> None:
    if viewer.is_over or web.floor.shutdown.is_stopping:
        return
    if not bucket.take() or len(text) > web.floor.settings.message_bytes:
        viewer.end(TOO_MUCH, TOO_SLOW)
        return
    try:
        message = wire.read_watch(text)
    except Refusal as refusal:
        viewer.put(wire.write(wire.NotSeen(what="", reason=refusal.words)))
        return
    web.floor.views.subscribe(viewer, message.what)


def _read_network(scope: Mapping[str, Any]) -> str:
    client = scope.get("client")
    return network_of(client[0]) if client else ""
