"""The web application: an HTTP API with its OpenAPI document, the terminals' WebSocket, and the plain pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from litestar import Litestar, MediaType, Response, get
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp

from puntobanco.floor.service import Floor
from puntobanco.rules.refusals import Refusal
from puntobanco.version import __version__
from puntobanco.web import house, patrons, reports, staff
from puntobanco.web.bodies import CarefulRequest
from puntobanco.web.described import WithProblems
from puntobanco.web.problems import Problem, on_fault, on_http, on_refusal
from puntobanco.web.safety import Buckets, with_headers
from puntobanco.web.socket import with_terminals

STATIC = Path(__file__).with_name("static")


def _page(name: str) -> Response[bytes]:
    return Response((STATIC / name).read_bytes(), media_type=MediaType.HTML)


@get("/", include_in_schema=False)
async def lobby_page() -> Response[bytes]:
    return _page("lobby.html")


@get("/tables/{number:int}", include_in_schema=False)
async def table_page(number: int) -> Response[bytes]:  # noqa: ARG001 - the page reads it from its address
    return _page("terminal.html")


@get("/enrol", include_in_schema=False)
async def enrol_page() -> Response[bytes]:
    return _page("enrol.html")


@get("/healthz", summary="Whether the server answers", media_type=MediaType.TEXT)
async def health() -> str:
    return "ok"


def create_app(floor: Floor, *, secure: bool = False) -> ASGIApp:
    """`secure` where browsers come by TLS: the cookie then travels no other way."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.floor, app.state.secure = floor, secure
        state = app.state
        state.guests, state.login_tries, state.enrolments = Buckets(5, 50), Buckets(1, 20), Buckets(1, 30)
        state.redemptions, state.changes, state.recalls = Buckets(0.5, 10), Buckets(0.2, 10), Buckets(2, 20)
        state.one_report = asyncio.Semaphore(1)
        await floor.start()
        yield

    handlers = [
        *patrons.HANDLERS, *staff.HANDLERS, *house.HANDLERS, *reports.HANDLERS, lobby_page, table_page, enrol_page,
        health,
        create_static_files_router(path="/static", directories=[STATIC]),
    ]  # fmt: skip
    app = Litestar(
        handlers,  # type: ignore[arg-type]
        lifespan=[lifespan],
        request_class=CarefulRequest,
        request_max_body_size=64 * 1024,
        openapi_config=OpenAPIConfig(
            title="puntobanco",
            version=__version__,
            path="/api",
            render_plugins=[WithProblems(Problem)],  # no page that loads somebody else's scripts
        ),
        exception_handlers={Refusal: on_refusal, HTTPException: on_http, Exception: on_fault},
    )
    return with_terminals(with_headers(app), floor)  # outermost: what no route answers has the headers too
