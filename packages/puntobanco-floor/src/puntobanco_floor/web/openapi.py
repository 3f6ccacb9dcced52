"""The OpenAPI document: operations from the routes, schemas from the types that these name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from types import UnionType
from typing import Any, Union, get_args, get_origin

import msgspec

from puntobanco_floor.web.routing import FIELD, JSON, Parameter, Route

OPENAPI = "application/vnd.oai.openapi+json"
_REF = "#/components/schemas/{name}"


class Schemas:
    """Schemas of the types that routes name, as msgspec describes them."""

    def __init__(self, asked: Iterable[Any], answered: Iterable[Any]) -> None:
        """An answer has every field of its class; a request may leave out fields with a default."""
        bodies = [each for type_ in asked for each in _members(type_)]
        every = [*bodies, *(each for type_ in answered for each in _members(type_))]
        found, self.components = _describe(every)
        self._found: dict[Any, dict[str, Any]] = dict(zip(every, found, strict=True))
        _, in_bodies = _describe(bodies)
        for name in self.components.keys() - in_bodies.keys():
            schema = self.components[name]
            if "properties" in schema:
                schema["required"] = list(schema["properties"])

    def find(self, type_: Any) -> dict[str, Any]:
        found = [self._found[each] for each in _members(type_)]
        return found[0] if len(found) == 1 else {"anyOf": found}


def _describe(types: Iterable[Any]) -> tuple[tuple[dict[str, Any], ...], dict[str, Any]]:
    """Return the schema of each type, and those of the classes in them by name."""
    return msgspec.json.schema_components(types, ref_template=_REF)


def _members(type_: Any) -> tuple[Any, ...]:
    """Return the types of a union: msgspec describes none of several classes without tags."""
    return get_args(type_) if get_origin(type_) in (Union, UnionType) else (type_,)


def make_document(
    parts: Mapping[str, Iterable[Route]],
    about: Mapping[str, str],
    version: str,
    refusal: type[msgspec.Struct],
) -> dict[str, Any]:
    """Return the document of all routes by tag, and what each tag is about. `refusal` is the body
    of every answer that refuses.
    """
    shown = {
        tag: [route for route in routes if route.include_in_schema] for tag, routes in parts.items()
    }
    every = [route for routes in shown.values() for route in routes]
    asked = [one.type for route in every for one in route.parameters]
    asked += [route.types["data"] for route in every if route.body is not None]
    answered = [type_ for route in every for type_ in route.answers]
    schemas = Schemas(asked, [refusal, *answered])
    refused = {
        "description": refusal.__doc__,
        "content": {JSON: {"schema": schemas.find(refusal)}},
    }
    paths = dict[str, dict[str, Any]]()
    for tag, routes in shown.items():
        for route in routes:
            for path in route.paths:
                found = _operation(route, path, schemas)
                found["responses"]["4XX"] = refused
                item = paths.setdefault(FIELD.sub(r"{\1}", path), {})
                item[route.method.lower()] = {"tags": [tag], **found}
    return {
        "info": {"title": "puntobanco", "version": version},
        "openapi": "3.1.0",
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {"schemas": schemas.components},
        "tags": [{"name": tag, "description": text} for tag, text in about.items()],
    }


def _operation(route: Route, path: str, schemas: Schemas) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "summary": route.summary,
        "operationId": _name(route, path),
        "responses": _answers(route, schemas),
    }
    if route.parameters:
        operation["parameters"] = [_parameter(one, schemas) for one in route.parameters]
    if route.body is not None:
        content = {JSON: {"schema": schemas.find(route.types["data"])}}
        operation["requestBody"] = {"content": content, "required": True}
    return operation


def _name(route: Route, path: str) -> str:
    """Of the parts of the path, each once, and of the handler."""
    found = ""
    for part in FIELD.sub(r"\1", path).split("/"):
        if part.title() not in found:
            found += part.title()
    return re.sub(r"[._-]", "", found + route.handler.__name__.title())


def _parameter(one: Parameter, schemas: Schemas) -> dict[str, Any]:
    is_needed = one.default is msgspec.NODEFAULT
    schema = schemas.find(one.type)
    if not is_needed and one.default is not None:
        schema = {**schema, "default": one.default}
    return {
        "name": one.name,
        "in": "path" if one.in_path else "query",
        "schema": schema,
        "required": is_needed,
    }


def _answers(route: Route, schemas: Schemas) -> dict[str, Any]:
    status = HTTPStatus(route.status_code)
    answer = {"description": status.description, "headers": route.response_headers}
    if route.answer is not type(None):
        answer["content"] = {route.media_type: {"schema": schemas.find(route.answer)}}
    found = {str(status.value): answer}
    for other, (type_, text) in route.responses.items():
        content = {JSON: {"schema": schemas.find(type_)}}
        found[str(other)] = {"description": text, "content": content}
    return found
