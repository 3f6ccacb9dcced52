"""The web application: an HTTP API with its OpenAPI document, the terminals' WebSocket, and the plain pages."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

import msgspec
from litestar import Litestar, MediaType, Request, Response, get, post, websocket
from litestar.connection import WebSocket
from litestar.datastructures import Cookie, State
from litestar.exceptions import HTTPException, NotFoundException, WebSocketDisconnect
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.params import Parameter
from litestar.static_files import create_static_files_router
from litestar.types import ASGIApp

from puntobanco.events import Line, Record
from puntobanco.floor import vouchers, wire
from puntobanco.floor.service import Floor, NoSuchTable, Watching
from puntobanco.floor.staff import LoginRefused, NotAllowed, Staff
from puntobanco.floor.views import SessionView, TableView
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Answer
from puntobanco.table import commands as c
from puntobanco.version import __version__
from puntobanco.web.safety import COOKIE, Bucket, Buckets, same_origin, session_for, token_of, with_headers

STATIC = Path(__file__).with_name("static")
MESSAGES_A_SECOND, MESSAGES_AT_ONCE = 30, 60
IN_FLIGHT = 64
"""Commands of one terminal that may wait for their answers."""

TableId = Annotated[int, Parameter(ge=1, le=1_000_000)]
_log = logging.getLogger("puntobanco.web")


class Guest(Record):
    """A session; programs send the token as `Authorization: Bearer`, browsers have it in a cookie."""

    session: str
    token: str
    csrf: str


class Me(Record):
    session: str
    csrf: str
    demo: bool
    tables: list[SessionView]


class VoucherPaper(Record):
    """A voucher as it is printed; the number is shown this once."""

    number: str
    shown: str
    cents: int
    demo: bool


class Redeem(Record):
    number: Annotated[str, msgspec.Meta(max_length=40)]


class Recall(Record):
    """A past round, marked as a replay."""

    replay: bool
    table: str
    round: int
    result: str
    cards: str
    lines: list[Line]


class Problem(Record):
    """Why something was refused, for people, with the clause where a rulebook decides it."""

    code: str
    reason: str
    clause: str = ""


def _floor(state: State) -> Floor:
    floor: Floor = state.floor
    return floor


def _refused(answer: Answer) -> HTTPException:
    return HTTPException(detail=answer.reason, status_code=409, extra={"code": answer.code, "clause": answer.clause})


@get("/api/tables", summary="All tables as everybody sees them")
async def tables(state: State) -> list[TableView]:
    return _floor(state).tables()


@get("/api/tables/{number:int}", summary="One table")
async def table(state: State, number: TableId) -> TableView:
    return _floor(state).table(f"table:{number}")


@post("/api/guest", summary="A guest session, in the demonstration only", status_code=201)
async def guest(request: Request[Any, Any, State], state: State) -> Response[Guest]:
    floor = _floor(state)
    if not floor.demo:
        raise NotFoundException("there are no guests here")
    if not state.guests.take(request.client.host if request.client else ""):
        raise HTTPException(detail="too many guests at once; wait a little", status_code=429)
    token, by_cookie = token_of(request)
    if not (by_cookie and same_origin(request) and floor.session_of(token)):
        token = floor.new_token()
    answer = Guest(session=str(floor.session_of(token)), token=token, csrf=floor.csrf_of(token))
    cookie = Cookie(key=COOKIE, value=token, path="/", httponly=True, samesite="strict", secure=state.secure)
    return Response(answer, cookies=[cookie])


@get("/api/me", summary="The session that asks, and where it is seated")
async def me(request: Request[Any, Any, State], state: State) -> Me:
    floor, session = _floor(state), session_for(request)
    views = [floor.session(name, session) for name in floor.streams]
    seated = [view for view in views if view.seated or view.balance_cents]
    return Me(session=session, csrf=floor.csrf_of(token_of(request)[0]), demo=floor.demo, tables=seated)


@post("/api/tables/{number:int}/seat", summary="Take a seat; in the demonstration with play credits", status_code=200)
async def seat(request: Request[Any, Any, State], state: State, number: TableId) -> SessionView:
    floor, session, name = _floor(state), session_for(request), f"table:{number}"
    answer = await floor.seat(name, session)
    if not answer.ok:
        raise _refused(answer)
    return await _settled(floor, name, session, answer.seq)


async def _settled(floor: Floor, name: str, session: str, seq: int) -> SessionView:
    """The view once it has come as far as the answer."""
    for _ in range(200):
        if floor.stream(name).state.seq >= seq:
            break
        await asyncio.sleep(0.005)
    return floor.session(name, session)


@post("/api/tables/{number:int}/cash-out", summary="All credits to a voucher", status_code=200)
async def cash_out(request: Request[Any, Any, State], state: State, number: TableId) -> VoucherPaper:
    floor, session, name = _floor(state), session_for(request), f"table:{number}"
    cents = floor.session(name, session).balance_cents
    answer, paper = await floor.cash_out(name, session)
    if not answer.ok:
        raise _refused(answer)
    return VoucherPaper(number=paper, shown=vouchers.shown(paper), cents=cents, demo=floor.demo)


@post("/api/tables/{number:int}/redeem", summary="Credits from a voucher", status_code=200)
async def redeem(request: Request[Any, Any, State], state: State, number: TableId, data: Redeem) -> SessionView:
    floor, session, name = _floor(state), session_for(request), f"table:{number}"
    if not state.redemptions.take(session):
        raise HTTPException(detail="too many tries; wait a little", status_code=429)
    answer = await floor.redeem(name, session, data.number)
    if not answer.ok:
        raise _refused(answer)
    return await _settled(floor, name, session, answer.seq)


@get("/api/tables/{number:int}/last-round", summary="The last round that was settled or void, as a replay")
async def last_round(request: Request[Any, Any, State], state: State, number: TableId) -> Recall:
    floor, session, name = _floor(state), session_for(request), f"table:{number}"
    found = floor.stream(name).state
    if found.round is None or found.phase not in ("settled", "void"):
        raise NotFoundException("the round is still played; ask again when it is settled")
    result = "VOID" if found.phase == "void" else (found.results or ("",))[-1]
    lines = [line for line in found.round.lines if line.session == session]
    cards = " ".join(floor.table(name).cards.values())
    return Recall(replay=True, table=name, round=found.round.number, result=result, cards=cards, lines=lines)


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


class Credentials(Record):
    name: Annotated[str, msgspec.Meta(max_length=64)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class StaffLogin(Record):
    """Sent as `Authorization: Bearer`; it ends when it is idle too long."""

    token: str
    role: str


class StaffCommand(Record):
    """A command of the table with an id of its own; `by` is who is logged in, whatever it says."""

    id: wire.CommandId
    command: dict[str, Any]


@post("/api/staff/login", summary="Log in with name and password; three wrong tries lock", status_code=200)
async def staff_login(request: Request[Any, Any, State], state: State, data: Credentials) -> StaffLogin:
    if not state.logins.take(request.client.host if request.client else ""):
        raise HTTPException(detail="too many tries; wait a little", status_code=429)
    staff: Staff = state.floor.staff
    token = await asyncio.to_thread(staff.login, data.name, data.password)
    return StaffLogin(token=token, role=staff.people[data.name].role)


@post(
    "/api/staff/tables/{number:int}/commands", summary="A command of the staff; each role has its own", status_code=200
)
async def staff_command(request: Request[Any, Any, State], state: State, number: TableId, data: StaffCommand) -> Answer:
    floor = _floor(state)
    token, by_cookie = token_of(request)
    if by_cookie:
        raise LoginRefused("log in again")
    person = floor.staff.person(token)
    try:
        command = msgspec.convert({**data.command, "by": person.name}, c.AnyCommand)
    except msgspec.ValidationError as error:
        raise HTTPException(detail=f"that is no command: {error}", status_code=400) from None
    floor.staff.verify(person, command)
    return await floor.ask(f"table:{number}", data.id, command)


def _page(name: str) -> Response[bytes]:
    return Response((STATIC / name).read_bytes(), media_type=MediaType.HTML)


@get("/", include_in_schema=False)
async def lobby_page() -> Response[bytes]:
    return _page("lobby.html")


@get("/tables/{number:int}", include_in_schema=False)
async def table_page(number: int) -> Response[bytes]:  # noqa: ARG001 - the page reads it from its address
    return _page("terminal.html")


@get("/healthz", summary="Whether the server answers", media_type=MediaType.TEXT)
async def health() -> str:
    return "ok"


_STATUS: dict[type[Refusal], int] = {NoSuchTable: 404, LoginRefused: 401, NotAllowed: 403}


def _on_refusal(_: Request[Any, Any, State], refusal: Refusal) -> Response[Problem]:
    status = _STATUS.get(type(refusal), 409)
    return Response(Problem(code=refusal.code, reason=refusal.reason, clause=refusal.clause or ""), status_code=status)


def _on_fault(_: Request[Any, Any, State], error: Exception) -> Response[Problem]:
    _log.error("a request failed", exc_info=error)
    return Response(Problem(code="fault", reason="a fault in this program; nothing was taken"), status_code=500)


def _on_http(_: Request[Any, Any, State], error: HTTPException) -> Response[Problem]:
    extra = error.extra if isinstance(error.extra, dict) else {}
    code = str(extra.get("code", f"http-{error.status_code}"))
    problem = Problem(code=code, reason=error.detail, clause=str(extra.get("clause", "")))
    return Response(problem, status_code=error.status_code, headers=error.headers)


def create_app(floor: Floor, *, secure: bool = False) -> ASGIApp:
    """`secure` where browsers come by TLS: the cookie then travels no other way."""

    @asynccontextmanager
    async def lifespan(app: Litestar) -> AsyncIterator[None]:
        app.state.floor, app.state.secure = floor, secure
        app.state.guests, app.state.redemptions, app.state.logins = Buckets(5, 50), Buckets(0.5, 10), Buckets(1, 20)
        await floor.start()
        yield

    handlers = [
        tables, table, guest, me, seat, cash_out, redeem, last_round, staff_login, staff_command, terminal,
        lobby_page, table_page, health,
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
        exception_handlers={Refusal: _on_refusal, HTTPException: _on_http, Exception: _on_fault},
    )
    return with_headers(app)  # outermost: what no route answers has them too
