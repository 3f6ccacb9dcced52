"""The staff's part of the API: logins, commands of tables and house, administration, reports."""

from __future__ import annotations

import asyncio
import time
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie, State
from litestar.exceptions import HTTPException
from litestar.params import Parameter

import puntobanco.events as e
from puntobanco.events import Record, Role
from puntobanco.floor import admin, reports, wire
from puntobanco.floor.admin import ExclusionView, StaffView, TableRow, TerminalView, table_name
from puntobanco.floor.logins import idle_s
from puntobanco.floor.playable import Playable, playable_named
from puntobanco.floor.service import Floor
from puntobanco.floor.staff import SEES, Person, verify_decides, verify_may, verify_sees
from puntobanco.floor.viewing import HouseView, house
from puntobanco.house import commands as h
from puntobanco.rules.definition import game_of
from puntobanco.storage.batch import Answer
from puntobanco.storage.machines import FLOOR
from puntobanco.table import commands as c
from puntobanco.web.asking import Asker, TableId, floor_of
from puntobanco.web.problems import too_many
from puntobanco.web.safety import STAFF_COOKIE, address_of, cookie, token_of, verify_not_forged

PathName = Annotated[str, Parameter(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@-]*$(?!\n)", max_length=64)]
_Text = Annotated[str, msgspec.Meta(max_length=400)]
MOST_OF_A_GAME = 1_200_000
"""Bytes of a request that opens a table: a definition and its file, at their bounds."""


class Credentials(Record):
    name: Annotated[str, msgspec.Meta(max_length=64)]
    password: Annotated[str, msgspec.Meta(max_length=200)]


class StaffLogin(Record):
    """Sent as `Authorization: Bearer`, browsers have it in a cookie; it ends when it is idle too long."""

    token: str
    role: str
    csrf: str


class StaffMe(Record):
    name: str
    role: str
    csrf: str
    house: str
    demo: bool
    sees: list[str]  # what the role may look at
    idle_s: int  # the login ends when it was not used so long


class StaffCommand(Record):
    """A command with an id of its own; `by` is who is logged in, whatever it says."""

    id: wire.CommandId
    command: dict[str, Any]


class NewStaff(Record):
    name: h.Name
    role: Role


class StaffChange(Record):
    """What is not given stays. A new password is made here; it also unlocks."""

    role: Role | None = None
    new_password: bool = False
    disable: _Text = ""
    enable: bool = False


class Secret(Record):
    """Shown this once: a password, or the code that enrols a terminal. Empty where nothing was made."""

    name: str
    secret: str


class NewTerminal(Record):
    name: h.Name
    table: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0  # 0: anywhere


class TerminalChange(Record):
    """A new code, or a reason to disable it, revokes the key that the device has."""

    table: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    new_code: bool = False
    disable: _Text = ""


class NewTable(Record):
    """A game by its id: built in, or one that a table of this floor plays. A new one comes as its definition."""

    number: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    game: _Text
    limits: e.Limits | None = None
    clock: e.Clock = e.Clock()
    cards: e.Cards = e.Cards()
    physical: bool = False  # a dealer's cards: the first shoe is put on, where nobody has to count it
    definition: dict[str, Any] | None = None  # as `puntobanco define game.py` prints it
    source: Annotated[str, msgspec.Meta(max_length=c.MAX_SOURCE)] = ""  # the file, kept as text and never run


class TableChange(Record):
    """What is not given stays. `closed` names the bets that take no wagers; all others are open."""

    limits: e.Limits | None = None
    clock: e.Clock | None = None
    cards: e.Cards | None = None
    closed: Annotated[list[_Text], msgspec.Meta(max_length=100)] | None = None


class Why(Record):
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class Disabled(Record):
    """Closed; or, where a round is in play, closing: that one ends by rule, and then the clock closes the table."""

    closed: bool


class NewExclusion(Record):
    patron: c.Id
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    until: Annotated[int, msgspec.Meta(gt=0, le=2**53)] | None = None


def person_of(request: Asker) -> Person:
    token, by_cookie = token_of(request, STAFF_COOKIE)
    person = floor_of(request.app.state).logins.person(token)
    verify_not_forged(request, token, by_cookie=by_cookie)
    return person


def _allowed(request: Asker, *kinds: type[c.Command]) -> admin.Administration:
    """Administration by who is logged in, where the role may give all these commands."""
    person = person_of(request)
    for kind in kinds:
        verify_may(person, kind)
    return floor_of(request.app.state).administration(person.name)


@post("/api/staff/login", summary="Log in with name and password; three wrong tries lock", status_code=200)
async def login(request: Asker, state: State, data: Credentials) -> Response[StaffLogin]:
    if not state.login_tries.take(address_of(request)):
        raise too_many()
    floor = floor_of(state)
    token, person = await floor.logins.login(data.name, data.password)
    answer = StaffLogin(token=token, role=person.role, csrf=floor.csrf_of(token))
    return Response(answer, cookies=[cookie(state, STAFF_COOKIE, token)])


@get("/api/staff/me", summary="Who is logged in, and what the role may look at")
async def who(request: Asker, state: State) -> StaffMe:
    floor, person = floor_of(state), person_of(request)
    return StaffMe(
        name=person.name, role=person.role, csrf=floor.csrf_of(token_of(request, STAFF_COOKIE)[0]),
        house=floor.house.name, demo=floor.demo, sees=[what for what, roles in SEES.items() if person.role in roles],
        idle_s=int(idle_s(floor.settings)[person.role]),
    )  # fmt: skip


GONE = Cookie(key=STAFF_COOKIE, value="", path="/", httponly=True, samesite="strict", max_age=0)


@post("/api/staff/logout", summary="The end of a login", status_code=204, response_cookies=[GONE])
async def logout(request: Asker, state: State) -> None:
    token, by_cookie = token_of(request, STAFF_COOKIE)
    verify_not_forged(request, token, by_cookie=by_cookie)
    await floor_of(state).logins.logout(token)


@post("/api/staff/tables/{number:int}/commands", summary="A command at a table; each role has its own", status_code=200)
async def table_command(request: Asker, state: State, number: TableId, data: StaffCommand) -> Answer:
    floor, name, person = floor_of(state), table_name(number), person_of(request)
    command = _command(data, person, c.AnyCommand)
    if isinstance(command, c.Approve | c.Reject):
        verify_decides(person, command.proposal, floor.stream(name).state)
    if isinstance(command, c.HaltTable) and command.by_floor:
        raise HTTPException(detail="the whole floor is stopped by a command of the house", status_code=400)
    return await floor.ask_staff(name, data.id, command)


@post("/api/staff/house/commands", summary="A command of the house: stop, start, exclude, readmit", status_code=200)
async def house_command(request: Asker, state: State, data: StaffCommand) -> Answer:
    command = _command(data, person_of(request), h.AnyHouseCommand)
    return await floor_of(state).ask_house(command, data.id)


def _command(data: StaffCommand, person: Person, kind: Any) -> Any:
    try:
        command = msgspec.convert({**data.command, "by": person.name}, kind)
    except msgspec.ValidationError as error:
        raise HTTPException(detail=f"that is no command: {error}", status_code=400) from None
    verify_may(person, type(command))
    return command


# Administration


@get("/api/admin/house", summary="Tables, and of staff, terminals and exclusions what the role may see")
async def house_view(request: Asker, state: State) -> HouseView:
    person = person_of(request)
    verify_sees(person, "house")
    return house(floor_of(state), person.role)


@get("/api/admin/staff", summary="The staff")
async def list_staff(request: Asker, state: State) -> list[StaffView]:
    verify_sees(person_of(request), "staff")
    return admin.staff_of(floor_of(state).house)


@post("/api/admin/staff", summary="Somebody new; the password is shown this once", status_code=201)
async def add_staff(request: Asker, data: NewStaff) -> Secret:
    return Secret(name=data.name, secret=await _allowed(request, h.AddStaff).add_staff(data.name, data.role))


@post("/api/admin/staff/{name:str}", summary="Change a role, a password; disable or enable", status_code=200)
async def change_staff(request: Asker, name: PathName, data: StaffChange) -> Secret:
    allowed = _allowed(request, h.ChangeStaff)
    made = await allowed.change_staff(
        name, role=data.role, new=data.new_password, disable=data.disable, enable=data.enable
    )
    return Secret(name=name, secret=made or "")


@get("/api/admin/terminals", summary="The terminals")
async def list_terminals(request: Asker, state: State) -> list[TerminalView]:
    verify_sees(person_of(request), "terminals")
    return admin.terminals_of(floor_of(state).house, _now())


@post("/api/admin/terminals", summary="A new terminal; the code that enrols it is shown this once", status_code=201)
async def add_terminal(request: Asker, data: NewTerminal) -> Secret:
    code = await _allowed(request, h.AddTerminal).add_terminal(data.name, data.table or None)
    return Secret(name=data.name, secret=code)


@post("/api/admin/terminals/{name:str}", summary="Move, disable or enrol a terminal anew", status_code=200)
async def change_terminal(request: Asker, name: PathName, data: TerminalChange) -> Secret:
    allowed = _allowed(request, h.ChangeTerminal)
    made = await allowed.change_terminal(name, table=data.table, new_code=data.new_code, disable=data.disable)
    return Secret(name=name, secret=made or "")


@get("/api/admin/tables", summary="The tables with their limits and clocks")
async def list_tables(request: Asker, state: State) -> list[TableRow]:
    person_of(request)
    return [admin.row_of(stream.state) for _, stream in sorted(floor_of(state).streams.items())]


@post("/api/admin/tables", summary="Open a table", status_code=201, request_max_body_size=MOST_OF_A_GAME)
async def add_table(request: Asker, state: State, data: NewTable) -> TableRow:
    allowed, floor = _allowed(request, c.OpenTable), floor_of(state)
    opened = _opened(floor, data)
    await allowed.add_table(
        data.number, opened, limits=data.limits, clock=data.clock, cards=data.cards, physical=data.physical
    )
    return await _row(floor, data.number)


def _opened(floor: Floor, data: NewTable) -> Playable:
    """Nobody's Python is run here: a game comes as data, or is one that the floor knows."""
    if data.definition is None:
        return playable_named(data.game, (stream.state for stream in floor.streams.values()))
    return Playable(game_of(data.definition), data.definition, data.source)


@post("/api/admin/tables/{number:int}", summary="Change limits, clock or cards, between rounds", status_code=200)
async def change_table(request: Asker, state: State, number: TableId, data: TableChange) -> TableRow:
    allowed, floor = _allowed(request, c.ChangeLimits, c.ChangeClock, c.ChangeCards), floor_of(state)
    table = floor.stream(table_name(number)).state
    await allowed.change_table(table, limits=data.limits, clock=data.clock, cards=data.cards, closed=data.closed)
    return await _row(floor, number)


@post("/api/admin/tables/{number:int}/disable", summary="Close a table; a round in play ends by rule", status_code=200)
async def disable_table(request: Asker, state: State, number: TableId, data: Why) -> Disabled:
    allowed, floor = _allowed(request, c.CloseTable, c.HaltTable), floor_of(state)
    return Disabled(closed=await allowed.disable_table(floor.stream(table_name(number)).state, data.reason))


@post("/api/admin/tables/{number:int}/stop", summary="No new round; the one in play ends by rule", status_code=200)
async def stop_table(request: Asker, state: State, number: TableId, data: Why) -> Answer:
    allowed, name = _allowed(request, c.HaltTable), _known(state, number)
    return await admin.must(allowed.ask(name, c.HaltTable(by=allowed.by, reason=data.reason)))


@post("/api/admin/tables/{number:int}/start", summary="Rounds open again", status_code=200)
async def start_table(request: Asker, state: State, number: TableId) -> Answer:
    allowed, name = _allowed(request, c.RestartTable), _known(state, number)
    return await admin.must(allowed.ask(name, c.RestartTable(by=allowed.by)))


@post("/api/admin/floor/stop", summary="Stop the whole floor; rounds in play end by rule", status_code=200)
async def stop_floor(request: Asker, data: Why) -> Answer:
    allowed = _allowed(request, h.StopFloor)
    return await admin.must(allowed.ask(FLOOR, h.StopFloor(by=allowed.by, reason=data.reason)))


@post("/api/admin/floor/start", summary="The floor goes on", status_code=200)
async def start_floor(request: Asker) -> Answer:
    allowed = _allowed(request, h.StartFloor)
    return await admin.must(allowed.ask(FLOOR, h.StartFloor(by=allowed.by)))


@get("/api/admin/exclusions", summary="Patrons who may not play")
async def list_exclusions(request: Asker, state: State) -> list[ExclusionView]:
    verify_sees(person_of(request), "exclusions")
    return admin.exclusions_of(floor_of(state).house)


@post("/api/admin/exclusions", summary="Stop a patron everywhere; wagers in play are settled", status_code=201)
async def exclude(request: Asker, data: NewExclusion) -> Answer:
    allowed = _allowed(request, h.ExcludePatron)
    command = h.ExcludePatron(by=allowed.by, patron=data.patron, reason=data.reason, until=data.until)
    return await admin.must(allowed.ask(FLOOR, command))


@post("/api/admin/exclusions/{patron:str}/end", summary="The patron may play again", status_code=200)
async def readmit(request: Asker, patron: PathName) -> Answer:
    allowed = _allowed(request, h.ReadmitPatron)
    return await admin.must(allowed.ask(FLOOR, h.ReadmitPatron(by=allowed.by, patron=patron)))


@get("/api/staff/reports/liability", summary="What the house owes on vouchers")
async def liability(request: Asker, state: State) -> reports.Liability:
    return await _liability(request, floor_of(state))


@get("/api/staff/reports/liability.csv", summary="The same as CSV", media_type="text/csv")
async def liability_csv(request: Asker, state: State) -> str:
    return reports.as_csv(await _liability(request, floor_of(state)))


async def _liability(request: Asker, floor: Floor) -> reports.Liability:
    verify_sees(person_of(request), "liability")
    return await asyncio.to_thread(
        reports.liability, floor.database, house=floor.house.name, demo=floor.demo, now=_now()
    )


def _known(state: State, number: int) -> str:
    """The name of a table that is there."""
    return floor_of(state).stream(table_name(number)).name


async def _row(floor: Floor, number: int) -> TableRow:
    name = table_name(number)
    await floor.caught_up(name, (await asyncio.to_thread(floor.store.stream, name)).state.seq)
    return admin.row_of(floor.stream(name).state)


def _now() -> int:
    return int(time.time() * 1000)


HANDLERS = [
    login, who, logout, table_command, house_command, house_view, list_staff, add_staff, change_staff, list_terminals,
    add_terminal, change_terminal, list_tables, add_table, change_table, disable_table, stop_table, start_table,
    stop_floor, start_floor, list_exclusions, exclude, readmit, liability, liability_csv,
]  # fmt: skip
