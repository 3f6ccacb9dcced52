"""The web application: an HTTP API with its OpenAPI document, the terminals' WebSocket, and the
pages.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from types import ModuleType
from typing import Any

import msgspec
from litestar import Litestar, Request, Router
from litestar.datastructures import State
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Tag
from litestar.serialization import encode_json
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
from puntobanco_floor.web.hosts import find_hosts
from puntobanco_floor.web.middleware import with_bounds, with_headers, with_turns
from puntobanco_floor.web.problems import Problem, on_fault, on_http, on_refusal
from puntobanco_floor.web.request import StrictRequest, verify_asked
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
        before_request=verify_asked,
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
    served = with_sockets(app, web)
    bounded = with_bounds(served, find_hosts(web.floor.settings))
    # outermost: what no route answers has the headers too
    return with_headers(with_turns(bounded, web), secure=web.secure)


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


class WithProblems(JsonRenderPlugin):
    """Replaces Litestar's default error schemas by `Problem`, which is what every refusal
    answers, and its schemas of classes that are arrays. An answer has every field of its class.
    """

    def __init__(self, problem: type[msgspec.Struct], *arrays: type[msgspec.Struct]) -> None:
        super().__init__(path="/openapi.json")
        [schema, *_], self._schemas = msgspec.json.schema_components(
            [problem, *arrays], ref_template="#/components/schemas/{name}"
        )
        for described in self._schemas.values():
            if "properties" in described:
                described["required"] = list(described["properties"])
        self._rendered: bytes | None = None
        self._refused = {
            "description": problem.__doc__,
            "content": {"application/json": {"schema": schema}},
        }

    def prepare(self, app: Litestar) -> None:
        """Make the document, which takes a good part of a second, before somebody asks for it."""
        of_app: Any = app.plugins.get("OpenAPIPlugin")
        self._rendered = self._render(of_app.provide_openapi_schema())

    def render(
        self,
        request: Request[Any, Any, Any],  # noqa: ARG002 - Litestar passes it
        openapi_schema: dict[str, Any],
    ) -> bytes:
        if self._rendered is None:  # the application's paths never change
            self._rendered = self._render(openapi_schema)
        return self._rendered

    def _render(self, openapi_schema: dict[str, Any]) -> bytes:
        paths = {path: self._item(item) for path, item in openapi_schema["paths"].items()}
        components = openapi_schema["components"]
        schemas = {**components["schemas"], **self._schemas}
        described = {**components, "schemas": schemas}
        return encode_json({**openapi_schema, "paths": paths, "components": described})

    def _item(self, item: dict[str, Any]) -> dict[str, Any]:
        return {method: self._described(operation) for method, operation in item.items()}

    def _described(self, operation: dict[str, Any]) -> dict[str, Any]:
        own = {
            status: answer
            for status, answer in operation["responses"].items()
            if not status.startswith("4")
        }
        return {**operation, "responses": {**own, "4XX": self._refused}}
