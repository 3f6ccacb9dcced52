"""The views' WebSocket, /ws/views: lobbies and displays for everybody, the staff's screens for who
is logged in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Any

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from puntobanco.base.refusal import Refusal
from puntobanco_floor.service.client_network import network_of
from puntobanco_floor.service.staff_logins import PREFIX
from puntobanco_floor.service.subscriptions import Viewer
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import TOO_SLOW
from puntobanco_floor.web.context import Web
from puntobanco_floor.web.csrf import STAFF_COOKIE, same_origin, token_of
from puntobanco_floor.web.problems import RETRY_S
from puntobanco_floor.web.rate_limit import Bucket
from puntobanco_floor.web.socket import (
    RESTARTING,
    TOO_MANY_WATCH,
    TOO_MUCH,
    Outgoing,
    Sending,
    direct_of,
    turn_away,
)

PATH = "/ws/views"
RATE, BURST = 2.0, 20
"""How often a page may say what it watches."""

PORTION = 32
"""Views that are sent at once: a thousand of the public who watch take a moment of the event loop
each, and no wager waits for all of them.
"""


def with_views(app: ASGIApp, web: Web) -> ASGIApp:
    outgoing = Outgoing(web.floor.work, PORTION)

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.WEBSOCKET or scope["path"] != PATH:
            await app(scope, receive, send)
            return
        await receive()  # that somebody connects
        if web.floor.shutdown.is_stopping:
            await turn_away(scope, send, RESTARTING)
            return
        token = await _token(scope, web)
        viewer = Viewer(web.floor.settings.messages_waiting, token, _address(scope))
        if not web.floor.views.has_room(viewer, web.floor.settings):
            await turn_away(scope, send, TOO_MANY_WATCH)
        else:
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await _serve(web, viewer, receive, Sending(outgoing, viewer, send, direct_of(scope)))

    return routed


_NAMES_SOMEBODY = frozenset({b"authorization", b"cookie"})


def turned_away(web: Web) -> Callable[[Mapping[str, Any]], bytes | None]:
    """What the public is answered where too many of them watch, before anything is made of the
    connection: they come again and again.
    """
    status, told = TOO_MANY_WATCH
    body = msgspec.json.encode(told)
    head = (
        f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nRetry-After: {RETRY_S}\r\nConnection: close\r\n\r\n"
    )
    answer = head.encode() + body

    def looked_at(scope: Mapping[str, Any]) -> bytes | None:
        if scope["path"] != PATH or any(name in _NAMES_SOMEBODY for name, _ in scope["headers"]):
            return None
        if web.floor.views.has_public_room(_address(scope), web.floor.settings):
            return None
        return answer

    return looked_at


async def _serve(web: Web, viewer: Viewer, receive: Receive, sending: Sending) -> None:
    viewer.wake = sending.wake
    web.floor.views.add(viewer)
    try:
        await sending.converse(receive, partial(_hear, web, viewer, Bucket(RATE, BURST)))
    finally:
        web.floor.views.discard(viewer)
        await sending.end()


def _hear(web: Web, viewer: Viewer, bucket: Bucket, text: str) -> None:
    if viewer.is_over or web.floor.shutdown.is_stopping:
        return
    if not bucket.take() or len(text) > web.floor.settings.message_bytes:
        viewer.end(TOO_MUCH, TOO_SLOW)
        return
    try:
        message = wire.read_watch(text)
    except Refusal as refusal:
        viewer.put(_not_understood(refusal))
        return
    web.floor.views.subscribe(viewer, message.what)


def _address(scope: Mapping[str, Any]) -> str:
    client = scope.get("client")
    return network_of(client[0]) if client else ""


async def _token(scope: Scope, web: Web) -> str:
    """Of a staff login that holds; a cookie counts only from a page of ours. Without one there is
    still the lobby.
    """
    connection = ASGIConnection[object, object, object, object](scope)  # type: ignore[type-var]
    token, by_cookie = token_of(connection, STAFF_COOKIE)
    if not token.startswith(PREFIX) or (by_cookie and not same_origin(connection, web)):
        return ""
    await web.floor.logins.recall(token, is_used=False)
    return token if web.floor.logins.looking(token) else ""


def _not_understood(refusal: Refusal) -> bytes:
    return wire.write(wire.NotSeen(what="", reason=refusal.reason, reason_zh=refusal.reason_zh))
