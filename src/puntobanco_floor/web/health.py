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
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager

import uvicorn
from litestar import Litestar, Response, get
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, NotFoundException
from litestar.openapi import ResponseSpec
from litestar.status_codes import HTTP_405_METHOD_NOT_ALLOWED
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from puntobanco.base.record import Record
from puntobanco.base.refusal import Refusal
from puntobanco.base.server_log import REQUEST
from puntobanco.base.version import __version__
from puntobanco_floor.metrics import CONTENT_TYPE
from puntobanco_floor.service.readiness import Ready
from puntobanco_floor.service.staff_logins import PREFIX
from puntobanco_floor.web.context import Web, web_of
from puntobanco_floor.web.csrf import STAFF_COOKIE, is_use, token_of, verify_ours
from puntobanco_floor.web.hosts import Hosts
from puntobanco_floor.web.metrics_page import metrics_text, vouchers_owed_cents
from puntobanco_floor.web.problems import on_fault
from puntobanco_floor.web.request import Asker, verify_asked
from puntobanco_floor.web.request_bounds import with_bounds

_FORWARDED = ("x-forwarded-for", "forwarded", "x-real-ip", "via")
STOP_S = 2
"""A metrics client that does not read its answer holds up the end of a server so long."""


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
async def ready(request: Asker) -> Response[Ready]:
    found = await web_of(request).readiness.look()
    return Response(found, status_code=200 if found.ready else 503)


@get("/metrics", include_in_schema=False)
async def metrics(request: Asker) -> Response[str]:
    web = web_of(request)
    if web.floor.settings.proxy or not _is_here(request):
        raise NotFoundException("metrics are for this machine, or on a port of their own")
    return await _as_text(web)


async def _as_text(web: Web) -> Response[str]:
    owed_cents = await asyncio.to_thread(vouchers_owed_cents, web)
    # by the header: to a media type Litestar would add its charset a second time
    return Response(metrics_text(web, owed_cents), headers={"content-type": CONTENT_TYPE})


def _is_here(request: Asker) -> bool:
    """Whether it was asked on this machine, and not by somebody whom a proxy stands for."""
    if any(name in request.headers for name in _FORWARDED):
        return False
    try:
        return ipaddress.ip_address(request.client.host if request.client else "").is_loopback
    except ValueError:
        return False


async def recall_staff(request: Asker) -> None:
    """Before a request with a staff login is answered: what the other nodes know of that login."""
    await verify_ours(request)
    # the one that counts: each is looked up in the database
    token, _ = token_of(request, STAFF_COOKIE)
    if token.startswith(PREFIX):
        await web_of(request).floor.logins.recall(token, is_used=is_use(request))
    await verify_asked(request)


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


class OperatorsServer(uvicorn.Server):
    """A second server in the same process: signals belong to the floor's own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _elsewhere(_: Asker, error: HTTPException) -> Response[dict[str, str]]:
    is_get = error.status_code != HTTP_405_METHOD_NOT_ALLOWED
    reason = "/metrics, /healthz and /readyz are here" if is_get else "only GET"
    headers = {"cache-control": "no-store"}
    return Response({"reason": reason}, status_code=error.status_code, headers=headers)


@asynccontextmanager
async def metrics_port(web: Web, bound: socket.socket | None) -> AsyncIterator[None]:
    """The metrics port. It answers until the very last."""
    if bound is None:
        yield
        return

    @get("/metrics")
    async def operators_metrics() -> Response[str]:
        return await _as_text(web)

    app = Litestar(
        [health, ready, operators_metrics],
        state=State({"web": web}),
        openapi_config=None,
        logging_config=None,
        exception_handlers={HTTPException: _elsewhere, Exception: on_fault},
        response_headers={"cache-control": "no-store"},
    )
    address: str = bound.getsockname()[0]
    # on loopback a page of another site could ask, by a name that it points here
    hosts = Hosts() if ipaddress.ip_address(address).is_loopback else Hosts(None)
    config = uvicorn.Config(
        with_bounds(app, hosts),
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_S,
    )
    server = OperatorsServer(config)
    serving = asyncio.create_task(server.serve(sockets=[bound]))
    try:
        yield
    finally:
        server.should_exit = True
        await serving
