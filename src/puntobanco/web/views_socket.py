"""The views' WebSocket, /ws/views: lobbies and displays for everybody, the staff's screens for who
is logged in.
"""

from __future__ import annotations

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from puntobanco import refusal_words as say
from puntobanco.floor.live_views import Viewer
from puntobanco.floor.logins import PREFIX
from puntobanco.floor.networks import network_of
from puntobanco.floor.terminals import wire
from puntobanco.floor.terminals.connections import TOO_SLOW
from puntobanco.unique_keys import DuplicateKey
from puntobanco.web.context import Web
from puntobanco.web.rate_limit import Bucket
from puntobanco.web.safety import STAFF_COOKIE, same_origin, token_of
from puntobanco.web.socket import (
    RESTARTING,
    TOO_MANY_WATCH,
    TOO_MUCH,
    Outgoing,
    Sending,
    turn_away,
)

PATH = "/ws/views"
RATE, BURST = 2.0, 20
"""How often a page may say what it watches."""


def with_views(app: ASGIApp, web: Web) -> ASGIApp:
    outgoing = Outgoing(web.work)

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.WEBSOCKET or scope["path"] != PATH:
            await app(scope, receive, send)
            return
        await receive()  # that somebody connects
        if web.shutdown.is_stopping:
            await turn_away(scope, send, RESTARTING)
            return
        token = await _token(scope, web)
        viewer = Viewer(web.settings.messages_waiting, token, _address(scope))
        if not web.views.has_room(viewer, web.settings):
            await turn_away(scope, send, TOO_MANY_WATCH)
        else:
            await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
            await _serve(web, viewer, receive, Sending(outgoing, viewer, send, None))

    return routed


async def _serve(web: Web, viewer: Viewer, receive: Receive, sending: Sending) -> None:
    bucket = Bucket(RATE, BURST)
    viewer.wake = sending.wake
    web.views.add(viewer)
    try:
        while (event := await receive())["type"] == "websocket.receive":
            _hear(web, viewer, bucket, event.get("text") or "")
    finally:
        web.views.discard(viewer)
        await sending.end()


def _hear(web: Web, viewer: Viewer, bucket: Bucket, text: str) -> None:
    if viewer.is_over or web.shutdown.is_stopping:
        return
    if not bucket.take() or len(text) > web.settings.message_bytes:
        viewer.end(TOO_MUCH, TOO_SLOW)
        return
    try:
        message = wire.read_watch(text)
    except DuplicateKey as error:
        viewer.put(_not_understood(str(error)))
        return
    except (msgspec.MsgspecError, ValueError, RecursionError):
        viewer.put(_not_understood())
        return
    web.views.subscribe(viewer, message.what)


def _address(scope: Scope) -> str:
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
    await web.logins.recall(token, is_used=False)
    return token if web.logins.looking(token) else ""


def _not_understood(reason: str = say.NOT_UNDERSTOOD.en) -> bytes:
    zh = say.NOT_UNDERSTOOD.zh
    return wire.write(wire.NotSeen(what="", reason=reason, reason_zh=zh))
