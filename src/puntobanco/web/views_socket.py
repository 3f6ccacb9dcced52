"""The views' WebSocket, /ws/views: lobbies and displays for everybody, the staff's screens for who
is logged in.
"""

from __future__ import annotations

import msgspec
from litestar.connection import ASGIConnection
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from puntobanco.floor.live_views import Viewer
from puntobanco.floor.logins import PREFIX
from puntobanco.floor.service import Floor
from puntobanco.floor.terminals import wire
from puntobanco.web.safety import STAFF_COOKIE, Bucket, same_origin, token_of
from puntobanco.web.socket import RESTARTING, TOO_MANY_WATCH, Outgoing, Sending, turn_away

PATH = "/ws/views"
RATE, BURST = 2.0, 20
"""How often a page may say what it watches."""


def with_views(app: ASGIApp, floor: Floor) -> ASGIApp:
    outgoing = Outgoing(floor.work)

    async def routed(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.WEBSOCKET or scope["path"] != PATH:
            await app(scope, receive, send)
            return
        await receive()  # that somebody connects
        if floor.is_stopping or len(floor.views) >= floor.settings.viewers:
            await turn_away(send, RESTARTING if floor.is_stopping else TOO_MANY_WATCH)
            return
        viewer = Viewer(floor.settings.messages_waiting, await _token(scope, floor))
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        sending, bucket = Sending(outgoing, viewer, send, None), Bucket(RATE, BURST)
        viewer.wake = sending.wake
        floor.views.add(viewer)
        try:
            while (event := await receive())["type"] == "websocket.receive":
                _hear(floor, viewer, bucket, event.get("text") or "")
        finally:
            floor.views.discard(viewer)
            await sending.end()

    return routed


def _hear(floor: Floor, viewer: Viewer, bucket: Bucket, text: str) -> None:
    if viewer.is_over or floor.is_stopping:
        return
    if not bucket.take() or len(text) > floor.settings.message_bytes:
        viewer.close = (4408, "too slow, or asked too much")
        viewer.end(wire.write(wire.Bye(reason="too many messages, or too large")))
        return
    try:
        message = wire.read_watch(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        viewer.put(wire.write(wire.NotSeen(what="", reason="not understood")))
        return
    floor.views.watch(viewer, message.what)


async def _token(scope: Scope, floor: Floor) -> str:
    """Of a staff login that holds; a cookie counts only from a page of ours. Without one there is
    still the lobby.
    """
    connection = ASGIConnection[object, object, object, object](scope)  # type: ignore[type-var]
    token, by_cookie = token_of(connection, STAFF_COOKIE)
    if not token.startswith(PREFIX) or (by_cookie and not same_origin(connection)):
        return ""
    await floor.logins.recall(token, is_used=False)
    return token if floor.logins.looking(token) else ""
