"""The OpenAPI document, with what every operation may also answer: a Problem; and with arrays where
Litestar takes a class that is written as one for an object.
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Litestar, Request
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.serialization import encode_json


class WithProblems(JsonRenderPlugin):
    """Replaces Litestar's default error schemas by `Problem`, which is what every refusal
    answers, and its schemas of classes that are arrays.
    """

    def __init__(self, problem: type[msgspec.Struct], *arrays: type[msgspec.Struct]) -> None:
        super().__init__(path="/openapi.json")
        [schema, *_], self._schemas = msgspec.json.schema_components(
            [problem, *arrays], ref_template="#/components/schemas/{name}"
        )
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
