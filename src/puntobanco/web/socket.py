"""The terminals' WebSocket: who may connect, what they may send, and short ways in and out.

It is an ordinary ASGI application. Where the server is `TerminalProtocol` it lends short ways;
anywhere else, and while a terminal reads slowly, messages go by ASGI's `receive` and `send`.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from contextlib import suppress

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Request

from puntobanco.floor.service import Floor
from puntobanco.floor.terminals import wire
from puntobanco.floor.terminals.connections import Watching
from puntobanco.metrics import FloorWork
from puntobanco.settings import DEFAULTS
from puntobanco.web.problems import Problem
from puntobanco.web.safety import Bucket, same_origin, token_of

MESSAGES_AT_ONCE = DEFAULTS.messages_burst
GOODBYE_S = 2.0
"""How long a connection that we end may take over its last messages."""

TOGETHER_S = 0.001
"""How long a message waits for others to the same terminal."""

DIRECT = "puntobanco.direct"
_PATH = re.compile(r"/ws/([0-9]{1,7})")

Away = tuple[int, Problem]
RESTARTING: Away = (503, Problem(code="restarting", reason="the server restarts; connect again"))
TOO_MANY_WATCH: Away = (
    503,
    Problem(code="too-many", reason="too many watch already; connect again later"),
)
NO_SESSION: Away = (401, Problem(code="no-session", reason="no session, or a page of another site"))
NO_TABLE: Away = (404, Problem(code="no-such-table", reason="no such table"))


class TerminalProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket with two short ways: ready frames out, and text in to a function.

    The function bounds what it takes, so that reading need not pause after each message as it does
    for ASGI's queue.
    """

    hear: Callable[[str], None] | None = None

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if not self.close_sent:
            self.scope["extensions"][DIRECT] = self  # type: ignore[assignment]

    def send_receive_event_to_app(self) -> None:
        if self.hear is not None and self.curr_msg_data_type == "text" and not self.close_sent:
            try:
                text = b"".join(self.frames).decode()
            except UnicodeDecodeError:  # uvicorn ends the connection
                super().send_receive_event_to_app()
                return
            self.frames = []
            self.hear(text)
        else:
            super().send_receive_event_to_app()

    def is_free(self) -> bool:
        """Whether a frame can be written: the terminal is there and has read most of what was
        sent.
        """
        return self.writable.is_set() and not self.close_sent and not self.transport.is_closing()


class Outgoing:
    """What waits for the terminals of one server. It goes out together, so that an answer and what
    came of it are one write; a frame is made once for all who see the same.
    """

    def __init__(self, work: FloorWork | None = None) -> None:
        self._waiting, self.work = list[Sending](), work or FloorWork()
        self._last, self._frame = b"", b""

    def add(self, sending: Sending) -> None:
        if not self._waiting:
            asyncio.get_running_loop().call_later(TOGETHER_S, self._flush)
        self._waiting.append(sending)

    def _flush(self) -> None:
        waiting, self._waiting = self._waiting, []
        for sending in waiting:
            sending.flush()

    def framed(self, message: bytes) -> bytes:
        if message is not self._last:
            self._last, self._frame = message, Frame(Opcode.TEXT, message).serialize(mask=False)
        return self._frame


class Sending:
    """One terminal's messages out, in order. A task is alive only while the terminal reads
    slowly.
    """

    __slots__ = ("_direct", "_is_due", "_outgoing", "_send", "_task", "_watching")

    def __init__(
        self, outgoing: Outgoing, watching: Watching, send: Send, direct: TerminalProtocol | None
    ) -> None:
        self._outgoing, self._watching, self._send, self._direct = outgoing, watching, send, direct
        self._task: asyncio.Task[None] | None = None
        self._is_due = False

    def wake(self) -> None:
        if self._watching.is_cut and self._direct is not None:
            # it does not read: a farewell would wait behind all the rest
            self._direct.transport.abort()
        elif not self._is_due and self._task is None:
            self._is_due = True
            self._outgoing.add(self)

    def flush(self) -> None:
        self._is_due = False
        queue, direct = self._watching.queue, self._direct
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
        direct.transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
        if queue:
            self._task = asyncio.create_task(self._drain())

    async def _drain(self) -> None:
        queue = self._watching.queue
        try:
            while queue:
                message = queue.popleft()
                if message is None:
                    code, reason = self._watching.close
                    await self._send({"type": "websocket.close", "code": code, "reason": reason})
                    return
                await self._send(
                    {"type": "websocket.send", "text": message.decode(), "bytes": None}
                )
                self._outgoing.work.messages_out += 1
        except Exception:  # the connection is gone; who receives from it hears of that
            queue.clear()
        finally:
            self._task = None

    async def end(self) -> None:
        """Nobody puts anything any more; what is on its way may still go."""
        self._watching.is_cut = True
        if self._task is not None:
            with suppress(TimeoutError):
                await asyncio.wait_for(self._task, GOODBYE_S)
        self._watching.queue.clear()


class Hearing:
    """One terminal's messages in: so many a second, so large, and so many that wait for their
    answers.
    """

    __slots__ = ("_bucket", "_floor", "_watching")

    def __init__(self, floor: Floor, watching: Watching) -> None:
        self._floor, self._watching = floor, watching
        self._bucket = Bucket(floor.settings.messages_rate, floor.settings.messages_burst)

    def __call__(self, data: str) -> None:
        watching, floor = self._watching, self._floor
        # what comes now is sent again, to a server that stays
        if watching.is_over or floor.is_stopping:
            return
        floor.work.messages_in += 1
        settings = floor.settings
        if (
            not self._bucket.take()
            or watching.flying >= settings.messages_flying
            or len(data) > settings.message_bytes
        ):
            floor.work.cut_off["asked-too-much"] += 1
            watching.end(wire.write(wire.Bye(reason="too many messages, or too large")))
            return
        try:
            message = wire.read_from_terminal(data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            watching.put(
                wire.write(
                    wire.Answered(id="", ok=False, code="bad-message", reason="not understood")
                )
            )
            return
        if isinstance(message, wire.Sync):
            watching.put(floor.welcome(watching.table, watching.session))
        else:
            floor.wager(watching, message)


def with_terminals(app: ASGIApp, floor: Floor) -> ASGIApp:
    """The terminals' WebSocket at /ws/<table>, before an application that answers everything
    else.
    """
    outgoing = Outgoing(floor.work)

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == ScopeType.WEBSOCKET else None
        if found is None:
            await app(scope, receive, send)
            return
        await receive()  # that somebody connects
        if floor.is_stopping:
            await turn_away(send, RESTARTING)
            return
        session, table = _session(scope, floor), f"table:{int(found[1])}"
        if session is None or table not in floor.streams:
            await turn_away(send, NO_SESSION if session is None else NO_TABLE)
            return
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        direct = (scope.get("extensions") or {}).get(DIRECT)
        await _terminal(floor, floor.watch(table, session), outgoing, receive, send, direct)

    return routed


async def turn_away(send: Send, why: Away) -> None:
    """Answer a handshake with a status, so that a client knows whether to come back."""
    status, problem = why
    headers = [(b"content-type", b"application/json")]
    await send({"type": "websocket.http.response.start", "status": status, "headers": headers})
    body = msgspec.json.encode(problem)
    await send({"type": "websocket.http.response.body", "body": body, "more_body": False})


async def _terminal(
    floor: Floor,
    watching: Watching,
    outgoing: Outgoing,
    receive: Receive,
    send: Send,
    direct: object,
) -> None:
    """A terminal at a table: the whole view first, then what happens; wagers in, one answer
    each.
    """
    short = direct if isinstance(direct, TerminalProtocol) else None
    sending, hear = Sending(outgoing, watching, send, short), Hearing(floor, watching)
    watching.wake = sending.wake
    sending.wake()
    if short is not None:
        short.hear = hear
    try:
        while (event := await receive())["type"] == "websocket.receive":
            hear(event.get("text") or "")
    finally:
        if short is not None:
            short.hear = None
        floor.leave(watching)
        await sending.end()


def _session(scope: Scope, floor: Floor) -> str | None:
    """Whose terminal it is; a cookie counts only from a page of ours."""
    connection = ASGIConnection[object, object, object, object](scope)  # type: ignore[type-var]
    token, by_cookie = token_of(connection)
    return None if by_cookie and not same_origin(connection) else floor.session_of(token)
