"""The OpenAPI document, with what every operation may also answer: a Problem."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Request
from litestar.openapi.plugins import JsonRenderPlugin


class WithProblems(JsonRenderPlugin):
    """Litestar describes its own errors, which nobody gets here; whatever is refused is a
    Problem.
    """

    def __init__(self, problem: type[msgspec.Struct]) -> None:
        super().__init__(path="/openapi.json")
        [schema], self._schemas = msgspec.json.schema_components(
            [problem], ref_template="#/components/schemas/{name}"
        )
        self._refused = {
            "description": problem.__doc__,
            "content": {"application/json": {"schema": schema}},
        }

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        paths = {
            path: {method: self._described(operation) for method, operation in item.items()}
            for path, item in openapi_schema["paths"].items()
        }
        components = openapi_schema["components"]
        schemas = {**components["schemas"], **self._schemas}
        return super().render(
            request,
            {**openapi_schema, "paths": paths, "components": {**components, "schemas": schemas}},
        )

    def _described(self, operation: dict[str, Any]) -> dict[str, Any]:
        own = {
            status: answer
            for status, answer in operation["responses"].items()
            if not status.startswith("4")
        }
        return {**operation, "responses": {**own, "4XX": self._refused}}
