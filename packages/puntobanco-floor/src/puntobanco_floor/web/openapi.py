"""The OpenAPI document: operations from the routes, schemas from the types that these name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from http import HTTPStatus
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

import msgspec

from puntobanco_floor.web.routing import FIELD, JSON, Parameter, Route

OPENAPI = "application/vnd.oai.openapi+json"
_REF = "#/components/schemas/{name}"
_PLAIN = {bool: "boolean", float: "number", int: "integer", NoneType: "null", str: "string"}
_BOUNDS = {
    "ge": "minimum",
    "gt": "exclusiveMinimum",
    "le": "maximum",
    "min_length": "minLength",
    "max_length": "maxLength",
    "pattern": "pattern",
}
_LENGTHS = {"min_length": "minItems", "max_length": "maxItems"}


class Schemas:
    """Schemas of types, and of the classes in them by name."""

    def __init__(self, *own: type[msgspec.Struct]) -> None:
        """msgspec describes `own`: with a text, and as arrays where they are sent so."""
        _, self.components = msgspec.json.schema_components(own, ref_template=_REF)
        self._classes = {kind.__name__: kind for kind in own}

    def field(self, type_: Any, default: Any = None) -> dict[str, Any]:
        """Return the schema of a field or a parameter, with its bounds and its default."""
        schema = self.of(type_) | _bounds(type_)
        if default is None or default == {} or "$ref" in schema:
            return schema
        return {**schema, "default": msgspec.to_builtins(default)}

    def of(self, type_: Any) -> dict[str, Any]:
        origin, inner = get_origin(type_), get_args(type_)
        if origin is Annotated:
            return self.of(inner[0])
        if origin in (Union, UnionType):
            return self._union(inner)
        if origin is Literal:
            names = {"const": inner[0]} if len(inner) == 1 else {"enum": list(inner)}
            return {"type": "string", **names}
        if origin is tuple and inner[-1] is not ...:
            return {"type": "array", "prefixItems": [self.of(each) for each in inner]}
        if origin is not None and issubclass(origin, Mapping):
            return {"type": "object", "additionalProperties": self.of(inner[1])}
        if origin is not None and issubclass(origin, Collection):
            return {"type": "array", "items": self.of(inner[0])}
        if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
            return self._struct(type_)
        return {"type": _PLAIN[type_]} if type_ in _PLAIN else {}

    def _union(self, members: tuple[Any, ...]) -> dict[str, Any]:
        names = next((get_args(each) for each in members if get_origin(each) is Literal), ())
        if NoneType in members and len(names) > 1:
            return {"type": ["null", "string"], "enum": [*names, None]}
        return {"oneOf": [self.of(each) for each in members]}

    def _struct(self, kind: type[msgspec.Struct]) -> dict[str, Any]:
        name, config = kind.__name__, kind.__struct_config__
        assert self._classes.setdefault(name, kind) is kind, f"two classes are called {name}"
        if name not in self.components:
            properties = dict[str, Any]()
            self.components[name] = {"title": name, "type": "object", "properties": properties}
            if config.tag_field:
                properties[config.tag_field] = {"type": "string", "const": config.tag}
            fields = msgspec.structs.fields(kind)
            for one in fields:
                properties[one.encode_name] = self.field(one.type, _default(one))
            needed = [one.encode_name for one in fields if one.required]
            needed += [config.tag_field] if config.tag_field else []
            self.components[name]["required"] = sorted(needed)
        return {"$ref": _REF.format(name=name)}


def _bounds(type_: Any) -> dict[str, Any]:
    origin, inner = get_origin(type_), get_args(type_)
    if origin in (Union, UnionType):
        found = [bound for each in inner for bound in _bounds(each).items()]
        return {name: bound for name, bound in found if bound}  # a zero is left out
    if origin is not Annotated:
        return {}
    names = _LENGTHS if get_origin(inner[0]) is list else _BOUNDS
    metas = [each for each in inner if isinstance(each, msgspec.Meta)]
    bounds = {name: getattr(meta, ours) for meta in metas for ours, name in names.items()}
    return {name: bound for name, bound in bounds.items() if bound is not None}


def _default(field: msgspec.structs.FieldInfo) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return None if field.required else field.default


def make_document(
    parts: Mapping[str, Iterable[Route]],
    about: Mapping[str, str],
    version: str,
    refusal: type[msgspec.Struct],
    *arrays: type[msgspec.Struct],
) -> dict[str, Any]:
    """Return the document of all routes by tag, and what each tag is about. `refusal` is the body
    of every answer that refuses; `arrays` are classes that are sent as arrays.
    """
    schemas = Schemas(refusal, *arrays)
    refused = {
        "description": refusal.__doc__,
        "content": {JSON: {"schema": {"$ref": _REF.format(name=refusal.__name__)}}},
    }
    paths = dict[str, dict[str, Any]]()
    for tag, routes in parts.items():
        for route in routes:
            for path in route.paths if route.include_in_schema else ():
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
    operation = {
        "summary": route.summary,
        "operationId": _name(route, path),
        "responses": _answers(route, schemas),
        "deprecated": False,
    }
    if route.parameters:
        operation["parameters"] = [_parameter(one, schemas) for one in route.parameters]
    if route.body is not None:
        content = {JSON: {"schema": schemas.of(route.types["data"])}}
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
    default = None if is_needed else one.default
    found = {
        "name": one.name,
        "in": "path" if one.in_path else "query",
        "schema": schemas.field(one.type, default),
        "required": is_needed,
        "deprecated": False,
    }
    return found if one.in_path else {**found, "allowEmptyValue": False, "allowReserved": False}


def _answers(route: Route, schemas: Schemas) -> dict[str, Any]:
    status = HTTPStatus(route.status_code)
    answer = {"description": status.description, "headers": route.response_headers}
    if route.answer is not type(None):
        schema = schemas.of(str if route.answer is bytes else route.answer)
        answer["content"] = {route.media_type: {"schema": schema}}
    found = {str(status.value): answer}
    for other, (type_, text) in route.responses.items():
        content = {JSON: {"schema": schemas.of(type_)}}
        found[str(other)] = {"description": text, "content": content}
    return found
