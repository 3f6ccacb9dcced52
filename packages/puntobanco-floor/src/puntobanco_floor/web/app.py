"""The web application: an HTTP API with its OpenAPI document, the terminals' WebSocket, and the
pages.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import cache
from types import ModuleType

import msgspec
from starlette.types import ASGIApp

from puntobanco.base.version import __version__
from puntobanco_floor.web import (
    admin,
    admin_options,
    audit_api,
    cage,
    command_api,
    dealer,
    health,
    lab,
    log,
    login,
    outcomes,
    pages,
    patron_api,
    pit,
    receipts,
    reports,
    screen_files,
)
from puntobanco_floor.web.context import Web
from puntobanco_floor.web.hosts import find_hosts
from puntobanco_floor.web.middleware import with_bounds, with_headers, with_turns
from puntobanco_floor.web.openapi import OPENAPI, make_document
from puntobanco_floor.web.problems import Problem, on_error
from puntobanco_floor.web.request import verify_asked
from puntobanco_floor.web.routing import Application, Response, Route, get
from puntobanco_floor.web.socket import with_sockets

Start = Callable[[], Awaitable[None]]

PARTS = {
    "patrons": patron_api,
    "receipts": receipts,
    "login": login,
    "commands": command_api,
    "outcomes": outcomes,
    "admin": admin,
    "choices": admin_options,
    "dealer": dealer,
    "pit": pit,
    "cage": cage,
    "reports": reports,
    "audit": audit_api,
    "lab": lab,
    "log": log,
    "operations": health,
    "pages": pages,
}
"""By the tag that their paths have in the OpenAPI document."""


def create_app(
    web: Web, *, start: Start, stop: Start | None = None, metrics: socket.socket | None = None
) -> ASGIApp:
    """`start` is awaited before the first request, `stop` after the last; `metrics` is a port of
    its own.
    """

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncIterator[None]:
        await start()
        preparing = asyncio.create_task(asyncio.to_thread(_prepare))
        try:
            async with health.metrics_port(web, metrics):
                yield
        finally:
            web.lab.close()
        await preparing
        if stop is not None:
            await stop()

    app = Application(
        (api, *(route for part in PARTS.values() for route in find_handlers(part))),
        state={"web": web},
        before=verify_asked,
        on_error=on_error,
        lifespan=lifespan,
    )
    served = with_sockets(app, web)
    bounded = with_bounds(served, find_hosts(web.floor.settings))
    # outermost: what no route answers has the headers too
    return with_headers(with_turns(bounded, web), secure=web.secure)


def find_handlers(part: ModuleType) -> list[Route]:
    """Return every route that a module declares, in its order."""
    return [each for each in vars(part).values() if isinstance(each, Route)]


@cache
def document() -> bytes:
    """Return the OpenAPI document."""
    parts = {name: find_handlers(part) for name, part in PARTS.items()}
    about = {name: _first_line(part) for name, part in PARTS.items()}
    return msgspec.json.encode(make_document(parts, about, __version__, Problem))


@get(["/api/openapi.json", "/api"], include_in_schema=False)
async def api() -> Response[bytes]:
    return Response(document(), media_type=OPENAPI)


def _prepare() -> None:
    """Read the screens and make the OpenAPI document: wagers would wait for the first request."""
    screen_files.present()
    document()


def _first_line(part: ModuleType) -> str:
    sentence, _, _ = (part.__doc__ or "").partition("\n\n")
    return " ".join(sentence.split())
