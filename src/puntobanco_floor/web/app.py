"""The web application: an HTTP API with its OpenAPI document, the terminals' WebSocket, and the
pages.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import ModuleType

from litestar import Litestar, Router
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.spec import Tag
from litestar.types import ASGIApp

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco_floor.domain.events import Line
from puntobanco_floor.service.table_games import playable
from puntobanco_floor.web import (
    admin,
    admin_options,
    audit_api,
    cage,
    command_api,
    dealer,
    font_files,
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
from puntobanco_floor.web.csrf import with_headers
from puntobanco_floor.web.openapi import WithProblems
from puntobanco_floor.web.problems import Problem, on_fault, on_http, on_refusal
from puntobanco_floor.web.request import StrictRequest
from puntobanco_floor.web.request_bounds import with_bounds
from puntobanco_floor.web.request_turns import with_turns
from puntobanco_floor.web.socket import with_terminals
from puntobanco_floor.web.views_socket import with_views

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
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        await start()
        preparing = asyncio.create_task(asyncio.to_thread(_prepare, app, documented))
        making = font_files.making(web.fonts, web.floor.settings.fonts, _words_of_games(web))
        try:
            async with health.metrics_port(web, metrics), making:
                yield
        finally:
            web.lab.close()
        await preparing
        if stop is not None:
            await stop()

    routers = [
        Router("/", route_handlers=find_handlers(part), tags=[name]) for name, part in PARTS.items()
    ]
    documented = WithProblems(Problem, Line)
    app = Litestar(
        routers,
        state=State({"web": web}),
        lifespan=[lifespan],
        before_request=health.recall_staff,
        logging_config=None,  # `logs` has it; Litestar would put handlers of its own in its place
        request_class=StrictRequest,
        request_max_body_size=64 * 1024,
        openapi_config=OpenAPIConfig(
            title="puntobanco",
            version=__version__,
            path="/api",
            tags=[Tag(name, _first_line(part)) for name, part in PARTS.items()],
            render_plugins=[documented],  # no page that loads somebody else's scripts
        ),
        exception_handlers={Refusal: on_refusal, HTTPException: on_http, Exception: on_fault},
    )
    served = with_views(with_terminals(app, web), web)
    # outermost: what no route answers has the headers too
    headed = with_headers(with_turns(with_bounds(served, web.hosts), web), secure=web.secure)
    return health.with_request_ids(headed)


def find_handlers(part: ModuleType) -> list[HTTPRouteHandler]:
    """Return every handler that a module defines, in its order."""
    return [each for each in vars(part).values() if isinstance(each, HTTPRouteHandler)]


def _prepare(app: Litestar, documented: WithProblems) -> None:
    """Read the screens and make the OpenAPI document: wagers would wait for the first request."""
    screen_files.present()
    documented.prepare(app)


def _words_of_games(web: Web) -> str:
    """Of designers' games, which are in no file of ours."""
    tables = web.floor.follower.states().values()
    return "".join(str(one.definition) for one in playable(tables) if one.definition)


def _first_line(part: ModuleType) -> str:
    sentence, _, _ = (part.__doc__ or "").partition("\n\n")
    return " ".join(sentence.split())
