"""Middleware: what happens to a request before a handler sees it, so that its work is bounded by a
constant and its length.

From the outside in: headers of every answer and an id of the request (`with_headers`); requests
begin one at a time, at a rate for each client (`with_turns`); heads of a bounded size, to a name of
ours, with our cookies alone, and `HEAD`, which is `GET` without the body (`with_bounds`).
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict, deque

import msgspec
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from puntobanco.base.server_log import REQUEST
from puntobanco.document import STYLE_HASH
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.web.context import Web
from puntobanco_floor.web.hosts import Hosts
from puntobanco_floor.web.problems import problem, retry_after
from puntobanco_floor.web.request import (
    COOKIE,
    DEVICE_COOKIE,
    STAFF_COOKIE,
    Caller,
    read_address,
    read_token,
)
from puntobanco_floor.web.socket import Away, turn_away

MAX_PATH_BYTES = 255
NOWHERE = "/nowhere"
"""What no route answers."""

_CONTENT = (
    f"default-src 'none'; script-src 'self'; style-src 'self' '{STYLE_HASH}'; "
    "font-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    b"content-security-policy": _CONTENT.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"no-referrer",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), geolocation=(), microphone=()",
    b"cache-control": b"no-store",
}

UNDER_TLS = {b"strict-transport-security": b"max-age=31536000"}
"""HSTS, for a year: a browser that was here once comes by TLS only."""


def with_headers(app: ASGIApp, *, secure: bool) -> ASGIApp:
    """Add our headers to every answer over HTTP, and give each request an id for its log lines."""
    ours = {**HEADERS, **UNDER_TLS} if secure else HEADERS

    async def headed(scope: Scope, receive: Receive, send: Send) -> None:
        if _names_nothing(scope.get("path", "")):
            scope["path"] = NOWHERE
        # a WebSocket has no such headers, and many messages
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        id_ = secrets.token_hex(6)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((k, v) for k, v in ours.items() if k not in own),
                    (b"x-request-id", id_.encode()),
                ]
            await send(message)

        before = REQUEST.set(id_)
        try:
            await app(scope, receive, sending)
        finally:
            REQUEST.reset(before)

    return headed


def _names_nothing(path: str) -> bool:
    """A path that no file system looks up without an error."""
    return "\0" in path or len(path.encode()) > MAX_PATH_BYTES


# Turns

TURN_S = 0.001
"""Between two requests, at least: a node begins fewer than a thousand a second."""

PROBES = frozenset({"/healthz", "/readyz", "/metrics"})
"""What monitors ask for; they have a turn and a rate of their own."""

TOO_MANY: Away = (429, problem("too-many-requests", say.TOO_MANY_REQUESTS))


class Turns:
    """Clients that wait, the next one first; each has a queue of its own.

    A request takes the event loop for about a millisecond, and a client that floods the floor would
    keep wagers waiting. So a request waits for its turn, and the event loop answers wagers between
    two turns.
    """

    def __init__(self) -> None:
        self._queues = OrderedDict[str, deque[asyncio.Future[None]]]()
        self._is_taken = False

    async def take(self, client: str) -> None:
        """Return at once if no request began a moment ago, otherwise at this client's turn."""
        loop = asyncio.get_running_loop()
        if not self._is_taken:
            self._is_taken = True
            loop.call_later(TURN_S, self._pass_on)
            return
        turn = loop.create_future()
        self._queues.setdefault(client, deque()).append(turn)
        await turn

    def _pass_on(self) -> None:
        while self._queues:
            client, queue = self._queues.popitem(last=False)
            turn = queue.popleft()
            if queue:
                self._queues[client] = queue  # behind the other clients
            if not turn.done():  # else its request was cancelled
                turn.set_result(None)
                asyncio.get_running_loop().call_later(TURN_S, self._pass_on)
                return
        self._is_taken = False


def with_turns(app: ASGIApp, web: Web) -> ASGIApp:
    turns = Turns()

    async def in_turn(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        client = _name_client(scope, web)
        await turns.take(client)
        if web.limits.requests.take(client):
            await app(scope, receive, send)
        else:
            await answer(scope, receive, send, TOO_MANY)

    return in_turn


def _name_client(scope: Scope, web: Web) -> str:
    """Return the name that a request is counted under: a network, or an enrolled terminal or a
    member of the staff on any network. Everything here is checked by a MAC: a name that a client
    made up counts with its network.
    """
    connection = Caller(scope)
    network = network_of(read_address(connection))
    if scope["path"] in PROBES:
        return f"probes {network}"
    person = web.floor.logins.looking(read_token(connection, STAFF_COOKIE)[0])
    if person is not None:
        return f"staff {person.name}"
    ticket = web.floor.tickets.read(read_token(connection)[0])
    terminal = ticket.terminal if ticket else ""
    if not terminal:
        key, _ = read_token(connection, DEVICE_COOKIE)
        terminal = web.floor.tickets.terminal_with(key) or ""
    return f"terminal {terminal}" if terminal else network


# Bounds

MAX_HEAD_BYTES = 16_384
MAX_HEADERS = 100
MAX_COOKIES = 8
"""Cookies of ours that are looked at; a browser sends three at most."""

TOO_LONG: Away = (431, problem("head-too-large", say.HEAD_TOO_LARGE))
NO_HOST: Away = (421, problem("no-such-host", say.NO_SUCH_HOST))
_OURS = tuple(f"{name}=".encode() for name in (COOKIE, DEVICE_COOKIE, STAFF_COOKIE))
_Headers = list[tuple[bytes, bytes]]


def with_bounds(app: ASGIApp, hosts: Hosts) -> ASGIApp:
    async def bounded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await app(scope, receive, send)
            return
        away = _turned_away(scope, hosts)
        if away is not None:
            await answer(scope, receive, send, away)
            return
        scope["headers"] = with_own_cookies(list(scope["headers"]))
        if scope.get("method") == "HEAD":
            # a copy: by its own the server knows that the body is not sent
            await app({**scope, "method": "GET"}, receive, _without_body(send))
            return
        await app(scope, receive, send)

    return bounded


def _turned_away(scope: Scope, hosts: Hosts) -> Away | None:
    headers = list(scope["headers"])
    if len(headers) > MAX_HEADERS:
        return TOO_LONG
    if sum(len(name) + len(value) for name, value in headers) > MAX_HEAD_BYTES:
        return TOO_LONG
    host = next((value for name, value in headers if name == b"host"), b"")
    # HTTP/1.0 has none: no browser speaks it
    if host and not hosts.has(host.decode("latin-1")):
        return NO_HOST
    return None


async def answer(scope: Scope, receive: Receive, send: Send, away: Away) -> None:
    """Answer a request that no handler sees; its body is not read."""
    if scope["type"] == "websocket":
        await receive()  # that somebody connects
        await turn_away(scope, send, away)
        return
    status, told = away
    body = msgspec.json.encode(told)
    length = str(len(body)).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", length)]
    headers += [
        (name.lower().encode(), value.encode()) for name, value in retry_after(status).items()
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})


def with_own_cookies(headers: _Headers) -> _Headers:
    """Without the cookies of others: on one machine ports share them.

    >>> with_own_cookies([(b"cookie", b"a=1; puntobanco=x;b=2")])
    [(b'cookie', b'puntobanco=x')]
    """
    found = list[bytes]()
    others = _Headers()
    for name, value in headers:
        if name != b"cookie":
            others.append((name, value))
            continue
        pairs = (pair.strip() for pair in value.split(b";"))
        found += [pair for pair in pairs if pair.startswith(_OURS)]
    if found:
        others.append((b"cookie", b"; ".join(found[:MAX_COOKIES])))
    return others


def _without_body(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.body":
            message["body"] = b""
        await send(message)

    return sending
