"""Routes: the path of a handler, its parameters, body and answer, declared once; and the ASGI
application that answers by them.

    @get("/api/tables/{number:int}", summary="One table")
    async def table(request: Request, number: TableId) -> TableView: ...

The handler's signature says the rest: a parameter is read from the path where the path names it,
else from the query; `data` is the body. `openapi` describes the same values.
"""

from __future__ import annotations

import re
import typing
from collections import defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from inspect import signature
from types import UnionType
from typing import Annotated, Any, Generic, TypeVar, Union

import msgspec
import starlette.exceptions
import starlette.requests
import starlette.responses
from starlette.datastructures import State
from starlette.requests import ClientDisconnect
from starlette.routing import Router
from starlette.types import Lifespan, Receive, Scope, Send

from puntobanco.base.characters import verify_text
from puntobanco.base.refusal import BadInput
from puntobanco_floor.service.strict_json import read

JSON = "application/json"
MAX_BODY_BYTES = 64 * 1024
NO_BODY = frozenset({204, 304})
"""Statuses of answers without a body."""

_HOST = re.compile(r"[0-9A-Za-z!$&'()*+,;=\-._~:\[\]@%]*")
FIELD = re.compile(r"\{(\w+):(int|str|path)\}")
"""A parameter in a path."""

_DIGITS = "0|[1-9][0-9]*"
_KINDS = {"int": f"(?:{_DIGITS})", "str": "[^/]+", "path": ".+"}

T = TypeVar("T")


class HTTPException(starlette.exceptions.HTTPException):
    """An answer in place of the handler's; `extra` is what its `Problem` says beside the reason."""

    def __init__(
        self,
        status_code: int,
        detail: str | None = None,
        *,
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(status_code, detail, headers)
        self.extra = extra or {}


class NotFoundException(HTTPException):
    def __init__(self, detail: str | None = None) -> None:
        super().__init__(404, detail)


class Response(starlette.responses.Response, Generic[T]):
    """What a handler returns that chooses more than a value: a status, headers, cookies."""

    media_type = JSON

    def __init__(
        self,
        content: T,
        status_code: int = 200,
        headers: Mapping[str, str] | None = None,
        media_type: str | None = None,
    ) -> None:
        super().__init__(content, status_code, headers, media_type)

    def render(self, content: Any) -> bytes:
        if isinstance(content, bytes):
            return content
        if isinstance(content, str):
            return content.encode()
        return b"" if self.status_code in NO_BODY else msgspec.json.encode(content)

    def init_headers(self, headers: Mapping[str, str] | None = None) -> None:
        if self.status_code in NO_BODY:
            self.media_type = None  # type: ignore[assignment]
        super().init_headers(headers)


class Request(starlette.requests.Request):
    """A request for a route, whose body may have so many bytes."""

    @property
    def route(self) -> Route:
        found: Route = self.scope["route"]
        return found

    async def stream(self) -> AsyncGenerator[bytes, None]:
        most = self.route.max_body_bytes
        if int(self.headers.get("content-length", 0)) > most:
            raise HTTPException(413)
        length = 0
        async for part in super().stream():
            length += len(part)
            if length > most:
                raise HTTPException(413)
            yield part


Handler = Callable[..., Awaitable[Any]]
Guard = Callable[[Request], None]
"""Refuses a request before its body is read."""


@dataclass(frozen=True, kw_only=True)
class Parameter:
    name: str
    type: Any
    in_path: bool
    default: Any = msgspec.NODEFAULT

    def find(self, request: Request) -> Any:
        """Return the text from the request, or the default. Require plain digits for a number,
        since Python would also read `+1` and `1_0`.
        """
        name = self.name
        if self.in_path:
            return request.path_params[name]
        given = request.query_params.getlist(name)
        if len(given) > 1:
            raise BadInput(f"that cannot be read: {name} stands twice in the address")
        if not given and self.default is msgspec.NODEFAULT:
            asked = request.scope["path"]
            raise HTTPException(400, f"Missing required query parameter {name!r} for path {asked}")
        if not given:
            return self.default
        if int in _members(self.type) and not re.fullmatch(_DIGITS, given[0]):
            raise BadInput(f"that cannot be read: {name}: expected a whole number in plain digits")
        verify_text(given[0], name)
        return given[0]


def _members(type_: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one type, without their bounds."""
    members = typing.get_args(type_) if typing.get_origin(type_) in (Union, UnionType) else (type_,)
    return tuple(
        typing.get_args(each)[0] if typing.get_origin(each) is Annotated else each
        for each in members
    )


@dataclass(frozen=True, kw_only=True)
class Route:
    """One handler. `responses`, other answers by their status, and `response_headers` are for the
    document alone.
    """

    method: str
    paths: Sequence[str]
    handler: Handler
    summary: str = ""
    status_code: int = 200
    media_type: str = JSON
    max_body_bytes: int = MAX_BODY_BYTES
    guards: Sequence[Guard] = ()
    include_in_schema: bool = True
    responses: Mapping[int, tuple[Any, str]] = field(default_factory=dict)
    response_headers: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def types(self) -> dict[str, Any]:
        return typing.get_type_hints(self.handler, include_extras=True)

    @cached_property
    def answer(self) -> Any:
        """The type of the answer's body."""
        found = self.types["return"]
        found = typing.get_args(found)[0] if typing.get_origin(found) is Response else found
        return str if found is bytes else found  # bytes are sent as they are

    @property
    def answers(self) -> tuple[Any, ...]:
        """The types of all its answers."""
        return (self.answer, *(type_ for type_, _ in self.responses.values()))

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        in_path = {name for path in self.paths for name, _ in FIELD.findall(path)}
        return tuple(
            Parameter(
                name=name,
                type=self.types[name],
                in_path=name in in_path,
                default=msgspec.NODEFAULT if one.default is one.empty else one.default,
            )
            for name, one in signature(self.handler).parameters.items()
            if name not in ("request", "data")
        )

    @cached_property
    def body(self) -> msgspec.json.Decoder[Any] | None:
        """The strict decoder of the body, where the handler takes one."""
        return msgspec.json.Decoder(self.types["data"]) if "data" in self.types else None

    async def __call__(self, request: Request) -> Response[Any]:
        """Read the request as the handler takes it; make an answer of what the handler returns."""
        arguments = dict[str, Any]()
        if "request" in self.types:
            arguments["request"] = request
        if self.body is not None:
            content = await request.body()
            if content:
                arguments["data"] = read(self.body, content)
            elif type(None) not in _members(self.types["data"]):
                raise HTTPException(400, "that cannot be read: the body is missing")
        faults = list[str]()
        for one in self.parameters:
            try:
                arguments[one.name] = msgspec.convert(one.find(request), one.type, strict=False)
            except msgspec.ValidationError as fault:
                faults.append(f"{one.name}: {fault}")
        if faults:
            raise HTTPException(400, f"that cannot be read: {'; '.join(faults)}")
        answer = await self.handler(**arguments)
        if isinstance(answer, Response):
            return answer
        return Response(answer, self.status_code, media_type=self.media_type)


def route(method: str, paths: str | Sequence[str], **how: Any) -> Callable[[Handler], Route]:
    """Make a decorator; `how` are the fields of `Route`."""
    named = (paths,) if isinstance(paths, str) else tuple(paths)
    return lambda handler: Route(method=method, paths=named, handler=handler, **how)


get = partial(route, "GET")
post = partial(route, "POST")


class _Path:
    """A path, and its routes by method."""

    def __init__(self, path: str) -> None:
        self.template = FIELD.sub(r"{\1}", path)
        self.routes = dict[str, Route]()
        self._pattern = re.compile(FIELD.sub(lambda one: f"(?P<{one[1]}>{_KINDS[one[2]]})", path))
        self._numbers = {name for name, kind in FIELD.findall(path) if kind == "int"}

    @property
    def methods(self) -> str:
        return ", ".join(sorted((*self.routes, "OPTIONS")))

    def match(self, asked: str) -> dict[str, Any] | None:
        found = self._pattern.fullmatch(asked)
        return found and {
            name: int(text) if name in self._numbers else text
            for name, text in found.groupdict().items()
        }


class Application:
    """An ASGI application: routes, `before` every handler, and `on_error` in place of an answer.
    Handlers find `state` at `request.app.state`.
    """

    def __init__(
        self,
        routes: Iterable[Route],
        *,
        state: Mapping[str, Any],
        on_error: Callable[[Request, Exception], starlette.responses.Response],
        before: Callable[[Request], Awaitable[None]] | None = None,
        lifespan: Lifespan[Any] | None = None,
    ) -> None:
        self.state = State(dict(state))
        self._on_error, self._before = on_error, before
        self._others = Router(lifespan=lifespan)  # it closes a WebSocket that comes so far
        self._paths = dict[str, _Path]()
        self._by_first = defaultdict[str, list[_Path]](list)
        for one in routes:
            for path in one.paths:
                if path not in self._paths:
                    self._paths[path] = _Path(path)
                    self._by_first[path.split("/")[1]].append(self._paths[path])
                found = self._paths[path].routes
                assert one.method not in found, f"{one.method} {path} has two handlers"
                found[one.method] = one

    def _find(self, asked: str) -> tuple[_Path, dict[str, Any]]:
        """Return the path that was asked for, and its parameters: one without any comes first."""
        parts = [part for part in asked.split("/") if part] or [""]
        asked = f"/{'/'.join(parts)}"
        plain = self._paths.get(asked)
        for path in (plain,) if plain else self._by_first.get(parts[0], ()):
            given = path.match(asked)
            if given is not None:
                return path, given
        raise NotFoundException()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._others(scope, receive, send)
            return
        scope["app"] = self
        request = Request(scope, receive, send)
        try:
            response = await self._answer(request)
        except ClientDisconnect:
            return
        except Exception as error:
            response = self._on_error(request, error)
        await response(scope, receive, send)

    async def _answer(self, request: Request) -> starlette.responses.Response:
        scope = request.scope
        if not _HOST.fullmatch(request.headers.get("host", "")):
            raise HTTPException(400, "Invalid host header")
        path, scope["path_params"] = self._find(scope["path"])
        if request.method == "OPTIONS":
            return Response(None, 204, {"allow": path.methods})
        found = path.routes.get(request.method)
        if found is None:
            raise HTTPException(405, headers={"allow": path.methods})
        scope["route"], scope["path_template"] = found, path.template
        for guard in found.guards:
            guard(request)
        if self._before is not None:
            await self._before(request)
        return await found(request)
