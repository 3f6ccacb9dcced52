"""Request bounds: what is looked at before anything else, so that the work of a request is bounded
by a constant and its length. Heads of a bounded size, to a name of ours, with our cookies alone;
and `HEAD`, which is `GET` without the body.
"""

from __future__ import annotations

import msgspec
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.web.csrf import COOKIE, DEVICE_COOKIE, STAFF_COOKIE
from puntobanco_floor.web.hosts import Hosts
from puntobanco_floor.web.problems import problem, retry_after
from puntobanco_floor.web.socket import Away, turn_away

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
        if scope["type"] not in (ScopeType.HTTP, ScopeType.WEBSOCKET):
            await app(scope, receive, send)
            return
        away = _turned_away(scope, hosts)
        if away is not None:
            await answer(scope, receive, send, away)
            return
        scope["headers"] = with_own_cookies(list(scope["headers"]))
        if scope.get("method") == "HEAD":
            # a copy: by its own the server knows that the body is not sent
            await app({**scope, "method": "GET"}, receive, _without_body(send))  # type: ignore[arg-type]
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
    if scope["type"] == ScopeType.WEBSOCKET:
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
