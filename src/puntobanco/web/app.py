"""The web application: an HTTP API with its OpenAPI document, the terminals' WebSocket, and the plain pages."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
from litestar import Litestar, MediaType, Response, get, websocket
from litestar.connection import WebSocket
from litestar.datastructures import State
from litestar.exceptions import HTTPException, WebSocketDisconnect
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp

from puntobanco.floor import wire
from puntobanco.floor.service import Floor, Watching
from puntobanco.rules.refusals import Refusal
from puntobanco.version import __version__
from puntobanco.web import patrons, staff
from puntobanco.web.problems import on_fault, on_http, on_refusal
from puntobanco.web.safety import Bucket, Buckets, same_origin, token_of, with_headers

STATIC = Path(__file__).with_name("static")
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 30, 60
IN_FLIGHT = 64
"""Commands of one terminal that may wait for their answers."""


@websocket("/ws/{number:int}")
async def terminal(socket: WebSocket[Any, Any, State], state: State, number: int) -> None:
    """A terminal at a table: the whole view first, then what happens; wagers in, one answer each."""
    floor: Floor = state.floor
    token, by_cookie = token_of(socket)
    session = floor.session_of(token)
    name = f"table:{number}"
    if session is None or (by_cookie and not same_origin(socket)) or name not in floor.streams:
        await socket.close(code=4401 if session is None else 4403, reason="no session, another page, or no such table")
        return
    await socket.accept()
    watching = floor.watch(name, session)
    sender = asyncio.create_task(_send(socket, watching))
    try:
        await _receive(socket, floor, watching)
    except WebSocketDisconnect:
        pass
    finally:
        floor.leave(watching)
        watching.put(None)
        sender.cancel()
        with suppress(asyncio.CancelledError, Exception):
            await sender


async def _send(socket: WebSocket[Any, Any, State], watching: Watching) -> None:
    while (message := await watching.queue.get()) is not None:
        await socket.send_data(message, mode="text")
    with suppress(Exception):
        await socket.close(code=4408, reason="too slow, or asked too much")


async def _receive(socket: WebSocket[Any, Any, State], floor: Floor, watching: Watching) -> None:
    bucket, flying = Bucket(MESSAGES_A_SECOND, MESSAGES_AT_ONCE), set[asyncio.Task[None]]()

    async def answer(message: wire.Place | wire.Raise | wire.Withdraw) -> None:
        watching.put(wire.write(await floor.wager(watching, message)))

    while True:
        data = await socket.receive_data(mode="text")
        if not bucket.take() or len(flying) >= IN_FLIGHT or len(data) > wire.MAX_BYTES:
            watching.put(wire.write(wire.Bye(reason="too many messages, or too large")))
            watching.put(None)
            return
        try:
            message = wire.read_from_terminal(data)
        except (msgspec.MsgspecError, ValueError, RecursionError):
            watching.put(wire.write(wire.Answered(id="", ok=False, code="bad-message", reason="not understood")))
            continue
        if isinstance(message, wire.Sync):
            watching.put(floor.welcome(watching.table, watching.session))
            continue
        task = asyncio.create_task(answer(message))
        flying.add(task)
        task.add_done_callback(flying.discard)


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
        await floor.start()
        yield

    handlers = [
        *patrons.HANDLERS, *staff.HANDLERS, terminal, lobby_page, table_page, enrol_page, health,
        create_static_files_router(path="/static", directories=[STATIC]),
    ]  # fmt: skip
    app = Litestar(
        handlers,  # type: ignore[arg-type]
        lifespan=[lifespan],
        request_max_body_size=64 * 1024,
        openapi_config=OpenAPIConfig(
            title="puntobanco",
            version=__version__,
            path="/api",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],  # no page that loads somebody else's scripts
        ),
        exception_handlers={Refusal: on_refusal, HTTPException: on_http, Exception: on_fault},
    )
    return with_headers(app)  # outermost: what no route answers has them too
