"""Routes: which one answers an address, what a handler is given, and answers that no handler makes."""

import asyncio
from collections.abc import Iterable
from typing import Annotated, Any

import msgspec
import pytest
from starlette.requests import ClientDisconnect

from puntobanco.base.refusal import Refusal
from puntobanco_floor.web.problems import on_error
from puntobanco_floor.web.routing import Application, Request, Response, Route, get, post

Number = Annotated[int, msgspec.Meta(ge=1, le=100)]


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    cents: int


@get("/rooms/{number:int}/seats")
async def seats(number: Number, first: Number | None = None, *, free: bool = False) -> list[Any]:
    return [number, first, free]


@get("/rooms/free")
async def free() -> str:
    return "free"


@get("/rooms/{name:str}")
async def room(request: Request, name: str) -> list[str]:
    return [name, request.scope["path_template"]]


@post("/rooms/{name:str}", status_code=201, max_body_bytes=30)
async def book(name: str, data: Asked) -> list[Any]:
    return [name, data.cents]


@post("/rooms", status_code=204)
async def leave(data: Asked | None = None) -> None:
    assert data is None


@get("/files/{path:path}", media_type="text/csv")
async def file(path: str) -> str:
    return path


@get("/needs")
async def needs(decks: int) -> int:
    return decks


ROUTES = (seats, free, room, book, leave, file, needs)


def asked(
    method: str,
    path: str,
    *parts: bytes,
    query: str = "",
    headers: Iterable[tuple[str, str]] = (),
    routes: Iterable[Route] = ROUTES,
) -> tuple[int, dict[str, str], bytes]:
    """One request, its body in parts."""
    app = Application(routes, state={}, on_error=on_error)
    left, sent = list(parts) or [b""], list[Any]()
    scope: Any = {"type": "http", "method": method, "path": path, "query_string": query.encode()}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers]

    async def receive() -> Any:
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(app(scope, receive, send))
    start, body = sent
    found = {name.decode(): value.decode() for name, value in start["headers"]}
    return start["status"], found, body["body"]


@pytest.mark.parametrize(
    ("path", "answer"),
    [
        ("/rooms/free", b"free"),
        ("//rooms//free/", b"free"),
        ("/rooms/blue", b'["blue","/rooms/{name}"]'),
        ("/rooms/{name:str}", b'["{name:str}","/rooms/{name}"]'),
        ("/rooms/7/seats", b"[7,null,false]"),
        ("/files/a/b.csv", b"a/b.csv"),
    ],
)
def test_a_plain_path_comes_before_one_with_a_parameter(path: str, answer: bytes) -> None:
    assert asked("GET", path)[::2] == (200, answer)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/room",
        "/rooms/a/b",
        "/files",
        "/files/",
        *(
            f"/rooms/{odd}/seats"
            for odd in ("+1", "01", "1_0", "1.0", "1e1", " 1", "\u0661", "1\n")
        ),
    ],
)
def test_no_other_address_is_found(path: str) -> None:
    status, headers, said = asked("GET", path)
    assert (status, headers["content-type"]) == (404, "application/json")
    assert b"http-404" in said


def test_a_wrong_method_is_told_the_right_ones() -> None:
    assert asked("OPTIONS", "/rooms/blue")[:2] == (204, {"allow": "GET, OPTIONS, POST"})
    status, headers, _ = asked("PUT", "/rooms/blue")
    assert (status, headers["allow"]) == (405, "GET, OPTIONS, POST")
    assert asked("POST", "/rooms/free")[0] == 405


@pytest.mark.parametrize(
    ("query", "status", "said"),
    [
        ("first=2&free=true&other=1", 200, "[7,2,true]"),
        ("first=0", 400, "first: Expected `int` >= 1"),
        (
            "first=0&free=perhaps",
            400,
            "first: Expected `int` >= 1; free: Expected `bool`, got `str`",
        ),
        ("first=%2B1", 400, "first: expected a whole number in plain digits"),
        ("first=", 400, "first: expected a whole number in plain digits"),
        (f"first={'9' * 5_000}", 400, "first: Integer value out of range"),
        ("first=1&first=1", 400, "first stands twice in the address"),
        ("free=%00", 400, "U+0000"),
    ],
)
def test_a_query_is_read_by_the_types_of_the_handler(query: str, status: int, said: str) -> None:
    found = asked("GET", "/rooms/7/seats", query=query)
    assert (found[0], said in found[2].decode()) == (status, True), found


def test_a_parameter_that_is_missing_is_named() -> None:
    assert b"'decks'" in asked("GET", "/needs")[2]
    assert asked("GET", "/needs", query="decks=8")[::2] == (200, b"8")


def test_a_body_is_read_strictly_and_is_missing_only_where_it_may_be() -> None:
    assert asked("POST", "/rooms/blue", b'{"cents"', b":5}")[::2] == (201, b'["blue",5]')
    for body in (b'{"cents":"5"}', b'{"cents":5,"cents":5}', b'{"x":5}', b"null", b""):
        assert asked("POST", "/rooms/blue", body)[0] == 400, body
    assert asked("POST", "/rooms") == (204, {}, b"")


def test_a_body_has_a_bound_that_is_its_route_s() -> None:
    fits = b'{"cents":5}'.ljust(30)
    assert asked("POST", "/rooms/blue", fits)[0] == 201
    assert asked("POST", "/rooms/blue", fits, b" ")[0] == 413
    declared = asked("POST", "/rooms/blue", fits, headers=[("content-length", "31")])
    assert declared[0] == 413


def test_a_host_that_is_none_is_refused() -> None:
    assert asked("GET", "/rooms/free", headers=[("host", "floor.example:8000")])[0] == 200
    assert asked("GET", "/rooms/free", headers=[("host", "a b")])[0] == 400


def test_a_text_has_one_charset_and_no_body_has_no_type() -> None:
    assert asked("GET", "/files/a")[1]["content-type"] == "text/csv; charset=utf-8"
    assert Response(b"", media_type="text/css; charset=utf-8").headers["content-type"] == (
        "text/css; charset=utf-8"
    )
    assert "content-type" not in Response(b"", 304).headers


def test_what_a_handler_raises_is_answered(caplog: pytest.LogCaptureFixture) -> None:
    raised: list[Exception] = [Refusal("not now"), ValueError("a fault")]

    @get("/rooms/broken")
    async def broken() -> None:
        raise raised.pop(0)

    assert asked("GET", "/rooms/broken", routes=[broken])[0] == 409
    assert not caplog.records
    assert asked("GET", "/rooms/broken", routes=[broken])[0] == 500
    assert "a fault" in caplog.text


def test_nobody_is_answered_who_has_gone() -> None:
    @get("/rooms/gone")
    async def gone() -> None:
        raise ClientDisconnect

    with pytest.raises(ValueError, match="not enough values"):  # nothing was sent
        asked("GET", "/rooms/gone", routes=[gone])


def test_a_path_has_one_handler_a_method() -> None:
    with pytest.raises(AssertionError, match="GET /rooms/free has two handlers"):
        Application((free, free), state={}, on_error=on_error)
