"""For operators and their machines: health, readiness, metrics; on the main port, and on one of
their own.

Health and readiness are for anybody. Metrics are not for the public: on the main port they are
answered to this machine only, and never where a proxy stands before it; the metrics port
(`--metrics-port`) is for a network of operators.
"""

from __future__ import annotations

import asyncio
import ipaddress
import secrets
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import NotFoundException
from litestar.openapi import ResponseSpec
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from puntobanco.events import Record
from puntobanco.floor.logins import PREFIX
from puntobanco.floor.readiness import Readiness, Ready
from puntobanco.floor.service import Floor
from puntobanco.logs import REQUEST
from puntobanco.metrics import CONTENT_TYPE
from puntobanco.rules.refusals import Refusal
from puntobanco.version import __version__
from puntobanco.web.metrics import metrics_text
from puntobanco.web.request import Asker

_FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
MAX_REQUEST_BYTES, REQUEST_S = 8_192, 5.0
"""What the metrics port reads before it answers, and how long it waits for it."""


class Health(Record):
    status: str
    version: str


HEALTHY = Health(status="ok", version=__version__)


@get("/healthz", summary="Whether the server answers")
async def health() -> Health:
    return HEALTHY


@get(
    "/readyz",
    summary="Whether this node should be sent terminals; 503 where not",
    responses={
        503: ResponseSpec(
            Ready, description="Not now: the answer says why", generate_examples=False
        )
    },
)
async def ready(state: State) -> Response[Ready]:
    found: Ready = await state.readiness.look()
    return Response(found, status_code=200 if found.ready else 503)


@get("/metrics", include_in_schema=False)
async def metrics(request: Asker, state: State) -> Response[str]:
    floor: Floor = state.floor
    if floor.settings.proxy or not _is_here(request):
        raise NotFoundException("metrics are for this machine, or on a port of their own")
    return Response(metrics_text(floor), media_type=CONTENT_TYPE)


def _is_here(request: Asker) -> bool:
    """Whether it was asked on this machine, and not by somebody whom a proxy stands for."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


HANDLERS = [health, ready, metrics]


async def recall_staff(request: Asker) -> None:
    """Before a request with a staff login is answered: what the other nodes know of that login."""
    header = request.headers.get("authorization", "").removeprefix("Bearer ")
    floor: Floor = request.app.state.floor
    for token in {header, *request.cookies.values()}:
        if token.startswith(PREFIX):
            await floor.logins.recall(token)


def with_request_ids(app: ASGIApp) -> ASGIApp:
    """An id for each request over HTTP: in its log lines, and in its answer."""

    async def numbered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != ScopeType.HTTP:
            await app(scope, receive, send)
            return
        id_ = secrets.token_hex(6)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", id_.encode())]
            await send(message)

        before = REQUEST.set(id_)
        try:
            await app(scope, receive, sending)
        finally:
            REQUEST.reset(before)

    return numbered


# The metrics port


def metrics_socket(host: str, port: int) -> socket.socket | None:
    """Bound before the floor opens, so that a port that is taken is one clear line."""
    if not port:
        return None
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family)
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise Refusal(
            f"cannot listen on {host} port {port} for metrics: {why}; choose another --metrics-port"
        ) from None


@asynccontextmanager
async def metrics_port(
    floor: Floor, readiness: Readiness, bound: socket.socket | None
) -> AsyncIterator[None]:
    """A few lines of HTTP/1.0: one request, one answer, the end. It answers until the very last."""
    if bound is None:
        yield
        return

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(
            OSError,
            TimeoutError,
            asyncio.IncompleteReadError,
            asyncio.LimitOverrunError,
            ValueError,
        ):
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), REQUEST_S)
            method, path, *_ = head.decode("latin-1").split(" ", 2)
            status, kind, body = await _answer(floor, readiness, method, path.partition("?")[0])
            writer.write(
                f"HTTP/1.0 {status}\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n"
                "cache-control: no-store\r\nconnection: close\r\n\r\n".encode()
                + body
            )
            await asyncio.wait_for(writer.drain(), REQUEST_S)
        writer.close()

    async with await asyncio.start_server(answer, sock=bound, limit=MAX_REQUEST_BYTES):
        yield


async def _answer(
    floor: Floor, readiness: Readiness, method: str, path: str
) -> tuple[str, str, bytes]:
    json = "application/json"
    if method != "GET":
        return "405 Method Not Allowed", json, b'{"reason":"only GET"}'
    match path:
        case "/metrics":
            return "200 OK", CONTENT_TYPE, metrics_text(floor).encode()
        case "/healthz":
            return "200 OK", json, msgspec.json.encode(HEALTHY)
        case "/readyz":
            found = await readiness.look()
            return (
                "200 OK" if found.ready else "503 Service Unavailable",
                json,
                msgspec.json.encode(found),
            )
    return "404 Not Found", json, b'{"reason":"/metrics, /healthz and /readyz are here"}'
