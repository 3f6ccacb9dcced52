"""Web safety: headers on every answer, who asks, and requests forged by other sites (CSRF)."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.enums import ScopeType
from litestar.exceptions import NotAuthorizedException, PermissionDeniedException
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from puntobanco.document import STYLE_HASH
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.web.context import Web, web_of
from puntobanco_floor.web.problems import said_with

COOKIE = "puntobanco"
DEVICE_COOKIE = "puntobanco-terminal"
STAFF_COOKIE = "puntobanco-staff"
CSRF_HEADER = "x-csrf-token"
PIN_HEADER = "x-pin"
TOUCHED_HEADER = "x-touched"
MAX_PATH_BYTES = 255
NOWHERE = "/nowhere"
"""What no route answers."""

UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})

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
    """The headers on every answer."""
    ours = {**HEADERS, **UNDER_TLS} if secure else HEADERS

    async def middleware(scope: Scope, receive: Receive, send: Send) -> None:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                own = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((k, v) for k, v in ours.items() if k not in own),
                ]
            await send(message)

        if _names_nothing(scope.get("path", "")):
            scope["path"] = NOWHERE
        # a WebSocket has no such headers, and many messages
        is_http = scope["type"] == ScopeType.HTTP
        await app(scope, receive, sending if is_http else send)

    return middleware


def _names_nothing(path: str) -> bool:
    """A path that no file system looks up without an error."""
    return "\0" in path or len(path.encode()) > MAX_PATH_BYTES


def token_of(
    connection: ASGIConnection[Any, Any, Any, Any], cookie: str = COOKIE
) -> tuple[str, bool]:
    """The token, and whether it came in a cookie: then a browser may have sent it for somebody
    else's page.
    """
    header = connection.headers.get("authorization", "")
    if header.startswith("Bearer "):
        return header.removeprefix("Bearer "), False
    return connection.cookies.get(cookie, ""), True


def same_origin(connection: ASGIConnection[Any, Any, Any, Any], web: Web) -> bool:
    """Whether the page that asks is ours, scheme and all. Programs send no origin and are none of a
    browser's business.
    """
    origin = connection.headers.get("origin")
    scheme = "https" if web.secure else "http"
    host = connection.headers.get("host", "")
    return origin is None or origin.lower() == f"{scheme}://{host}".lower()


async def verify_ours(request: Request[Any, Any, Any]) -> None:
    """What changes something is asked by a page of ours, in JSON: no form of another site sends
    that, not even where no cookie is needed (login CSRF).
    """
    if request.method not in UNSAFE:
        return
    if not same_origin(request, web_of(request)):
        raise _of_another_site()
    headers = request.headers
    has_body = headers.get("content-length", "0") != "0" or "transfer-encoding" in headers
    kind, _, _ = headers.get("content-type", "").partition(";")
    if has_body and kind.strip().lower() != "application/json":
        raise said_with(415, say.NOT_JSON)


def _of_another_site() -> PermissionDeniedException:
    zh = say.OF_ANOTHER_SITE.zh
    return PermissionDeniedException(say.OF_ANOTHER_SITE.en, extra={"reason_zh": zh})


def cookie(web: Web, key: str, value: str, max_age: int | None = None) -> Cookie:
    """For pages of ours only; a script never reads it."""
    return Cookie(
        key=key,
        value=value,
        path="/",
        httponly=True,
        samesite="strict",
        secure=web.secure,
        max_age=max_age,
    )


def address_of(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    return connection.client.host if connection.client else ""


def is_use(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a request of somebody who is logged in is use of the login. A page that asks again by
    itself keeps nothing alive: what only reads counts where the page says that it was touched.
    """
    return connection.scope.get("method") in UNSAFE or TOUCHED_HEADER in connection.headers


def ticket_for(connection: ASGIConnection[Any, Any, Any, Any]) -> Ticket:
    """The session that asks; refuses a forged token, and a forged request."""
    token, by_cookie = token_of(connection)
    ticket = web_of(connection).floor.tickets.read(token)
    if ticket is None:
        raise NotAuthorizedException(
            "no session: POST /api/guest gives one in the demonstration, /api/session at "
            "an enrolled terminal",
            extra={"reason_zh": say.NO_SESSION.zh},
        )
    verify_not_forged(connection, token, by_cookie=by_cookie)
    return ticket


def verify_not_forged(
    connection: ASGIConnection[Any, Any, Any, Any], token: str, *, by_cookie: bool
) -> None:
    """What changes something, and comes with a cookie, shows that it comes from a page of ours."""
    if not by_cookie or connection.scope.get("method") not in UNSAFE:
        return
    given = connection.headers.get(CSRF_HEADER, "")
    web = web_of(connection)
    if not same_origin(connection, web) or not web.floor.tickets.is_csrf(token, given):
        raise _of_another_site()
