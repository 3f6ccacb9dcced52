"""Administration over HTTP: staff, terminals, tables, the whole floor, exclusions."""

from __future__ import annotations

from collections.abc import Collection
from typing import Annotated, Any

import msgspec

import puntobanco_floor.domain.events as e
from puntobanco.rules.causes import TableCause
from puntobanco.rules.definition import game_of
from puntobanco.rules.refusals import BadGame, UnknownGame
from puntobanco_floor.domain.commands import Note, stated
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.refusals import SecondPersonNeeded
from puntobanco_floor.domain.stream_names import FLOOR, is_patron_id, is_session, table_name
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service import administration
from puntobanco_floor.service.administration import (
    ExclusionView,
    Made,
    StaffView,
    TableRow,
    TerminalView,
)
from puntobanco_floor.service.roles import verify_may, verify_sees
from puntobanco_floor.service.table_games import Playable, is_known, playable_named, verify_checked
from puntobanco_floor.service.view_builder import HouseView
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.request import (
    NO_ID,
    Asker,
    Once,
    TableId,
    post_action,
    read_person,
    seen_by,
    verify_pin,
)
from puntobanco_floor.web.routing import HTTPException, get, post
from puntobanco_proof.entry.record import Record

PathName = Annotated[
    str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:@-]*$(?!\n)", max_length=64)
]


ProposalId = Annotated[int, msgspec.Meta(ge=1, le=10**9)]
_Text = Annotated[str, msgspec.Meta(max_length=400)]


MOST_OF_A_GAME = 1_200_000
"""Bytes of a request that opens a table: a definition and its file, at their bounds."""


class NewStaff(Once):
    name: h.Name
    role: Role


class StaffChange(Once):
    """What is not given stays. With a new code the owner enrols anew. After a recovery somebody is
    confirmed by itself, without another change.
    """

    role: Role | None = None
    new_code: bool = False
    disable: _Text = ""
    enable: bool = False
    confirm: bool = False


class Secret(Record):
    """Shown this once: the code that enrols a terminal. Empty where nothing was made."""

    name: str
    secret: str


class Reason(Once):
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]


class NewTerminal(Once):
    name: h.Name
    table: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0  # 0: anywhere


class TerminalChange(Once):
    """A new code, or a reason to disable it, revokes the key that the device has."""

    table: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None
    new_code: bool = False
    disable: _Text = ""


class NewTable(Once):
    """A game by its id: built in, published on this node, or one that a table of this floor plays.
    Any other comes as its definition.
    """

    number: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
    game: _Text
    limits: e.Limits | None = None
    clock: e.Clock = e.Clock()
    cards: e.Cards = e.Cards()
    # a dealer's cards: the first shoe is put on, where nobody has to count it
    physical: bool = False
    definition: dict[str, Any] | None = None  # as `puntobanco define game.py` prints it
    # the file, kept as text and never run
    source: Annotated[str, msgspec.Meta(max_length=c.MAX_SOURCE)] = ""


class TableChange(Once):
    """What is not given stays. `closed` names the bets that take no wagers; all others are open."""

    limits: e.Limits | None = None
    clock: e.Clock | None = None
    cards: e.Cards | None = None
    closed: Annotated[list[_Text], msgspec.Meta(max_length=100)] | None = None


class StopCause(Once):
    """Patrons are told the cause, each in his language; the note is for staff."""

    cause: TableCause
    note: Note = ""


class Disabled(Record):
    """Closed; or, where a round is in play, closing: that one ends by rule, and then the clock
    closes the table.
    """

    closed: bool


class NewExclusion(Once):
    patron: c.Id  # a card's id, a patron's, or a session where nobody is known
    reason: Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
    until: Annotated[int, msgspec.Meta(gt=0, le=2**53)] | None = None


def _allowed(
    request: Asker, asked: Once | None, *kinds: type[c.Command]
) -> administration.Administration:
    """Administration by who is logged in, where the role may give all these commands. The first of
    them has the id that was asked with.
    """
    person = read_person(request)
    for kind in kinds:
        verify_may(person, kind)
    id_ = (asked or NO_ID).id or ""
    return get_web(request).floor.commands.administration(person.name, id_, kinds[0])


@get(
    "/api/admin/house",
    summary="Tables, and of staff, terminals and exclusions what the role may see",
)
async def house_view(request: Asker) -> HouseView:
    person = read_person(request)
    verify_sees(person, "house")
    return get_web(request).floor.screens.house(person.role)


@get("/api/admin/staff", summary="The staff")
async def list_staff(request: Asker) -> list[StaffView]:
    return administration.staff_of(seen_by(request, "staff").house)


@post(
    "/api/admin/staff",
    summary="Somebody new; the code with which the owner enrols, or a part of it, is shown once",
    status_code=201,
)
async def add_staff(request: Asker, data: NewStaff) -> Made:
    allowed = _allowed(request, data, h.AddStaff)
    return await allowed.add_staff(data.name, data.role)


@post_action(
    "/api/admin/staff/{name:str}",
    summary="Change a role, give out a new code; disable, enable, confirm after a recovery",
)
async def change_staff(request: Asker, name: PathName, data: StaffChange) -> Made:
    allowed = _allowed(request, data, h.ChangeStaff)
    if data.confirm:
        await allowed.confirm_staff(name)
        return Made(name=name)
    return await allowed.change_staff(
        name, role=data.role, new_code=data.new_code, disable=data.disable, enable=data.enable
    )


@post_action(
    "/api/admin/proposals/{number:int}/agree",
    summary="As the second person; a part of a code is shown this once",
)
async def agree(request: Asker, number: ProposalId, data: Once | None = None) -> Made:
    allowed = _allowed(request, data, h.Agree)
    await verify_pin(request, read_person(request))
    return await allowed.agree(get_web(request).house, number)


@post(
    "/api/admin/proposals/{number:int}/turn-down",
    summary="Turned down by somebody else, or withdrawn by who asked",
    status_code=204,
)
async def turn_down(request: Asker, number: ProposalId, data: Reason) -> None:
    await _allowed(request, data, h.TurnDown).turn_down(number, data.reason)


@get("/api/admin/terminals", summary="The terminals")
async def list_terminals(request: Asker) -> list[TerminalView]:
    web = seen_by(request, "terminals")
    return administration.terminals_of(web.house, web.now_ms())


@post(
    "/api/admin/terminals",
    summary="A new terminal; the code that enrols it is shown this once",
    status_code=201,
)
async def add_terminal(request: Asker, data: NewTerminal) -> Secret:
    allowed = _allowed(request, data, h.AddTerminal)
    await _verify_there(request, data.table)
    code = await allowed.add_terminal(data.name, data.table or None)
    return Secret(name=data.name, secret=code)


@post_action("/api/admin/terminals/{name:str}", summary="Move, disable or enrol a terminal anew")
async def change_terminal(request: Asker, name: PathName, data: TerminalChange) -> Secret:
    allowed = _allowed(request, data, h.ChangeTerminal)
    await _verify_there(request, data.table or 0)
    made = await allowed.change_terminal(
        name, table=data.table, new_code=data.new_code, disable=data.disable
    )
    return Secret(name=name, secret=made or "")


@get("/api/admin/tables", summary="The tables with their limits and clocks")
async def list_tables(request: Asker) -> list[TableRow]:
    read_person(request)
    return get_web(request).floor.screens.rows()


@post(
    "/api/admin/tables",
    summary="Open a table",
    status_code=201,
    max_body_bytes=MOST_OF_A_GAME,
)
async def add_table(request: Asker, data: NewTable) -> TableRow:
    allowed = _allowed(request, data, c.OpenTable, h.AllowGame)
    web = get_web(request)
    opened = await _opened(web, allowed, data)
    await allowed.add_table(
        data.number,
        opened,
        limits=data.limits,
        clock=data.clock,
        cards=data.cards,
        physical=data.physical,
    )
    return await _row(web, data.number)


async def _opened(web: Web, allowed: administration.Administration, data: NewTable) -> Playable:
    """No designer's Python is run here: a game comes as data, or is one that the floor knows. A new
    definition is checked, and allowed by two people where the house decides by two.
    """
    tables = web.floor.follower.states().values()
    found = await _found(web, data, tables)
    if found.definition is None or is_known(found, web.house, tables):
        return found
    async with web.one_check:
        await verify_checked(found)
    made = await allowed.allow_game(found)
    if made.proposal:
        raise SecondPersonNeeded(
            f"{found.game.title.en} is new here: proposal {made.proposal} waits for a second "
            "person, who sees what it pays; then open the table again"
        )
    return found


async def _found(web: Web, data: NewTable, tables: Collection[TableState]) -> Playable:
    if data.definition is not None:
        found = Playable(game_of(data.definition), data.definition, data.source)
        if found.game.id != data.game:
            raise BadGame(f"the definition is of another game, {found.game.title.en}")
        return found
    try:
        return playable_named(data.game, tables)
    except UnknownGame:
        own = await web.published.find(data.game)
        if own is None:
            raise
        return own


@post_action(
    "/api/admin/tables/{number:int}",
    summary="Change limits, clock or cards; where a round is in play, when that is over",
)
async def change_table(request: Asker, number: TableId, data: TableChange) -> TableRow:
    allowed = _allowed(request, data, c.ChangeLimits, c.ChangeClock, c.ChangeCards)
    web = get_web(request)
    table = web.floor.follower.stream(table_name(number)).state
    await allowed.change_table(
        table, limits=data.limits, clock=data.clock, cards=data.cards, closed=data.closed
    )
    return await _row(web, number)


@post_action(
    "/api/admin/tables/{number:int}/disable", summary="Close a table; a round in play ends by rule"
)
async def disable_table(request: Asker, number: TableId, data: StopCause) -> Disabled:
    allowed = _allowed(request, data, c.CloseTable, c.HaltTable)
    floor = get_web(request).floor
    table = floor.follower.stream(table_name(number)).state
    return Disabled(closed=await allowed.disable_table(table, stated(data.cause, data.note)))


@post_action(
    "/api/admin/tables/{number:int}/stop", summary="No new round; the one in play ends by rule"
)
async def stop_table(request: Asker, number: TableId, data: StopCause) -> Answer:
    allowed = _allowed(request, data, c.HaltTable)
    name = _known(request, number)
    command = c.HaltTable(by=allowed.by, reason=stated(data.cause, data.note))
    return await allowed.do(name, command)


@post_action("/api/admin/tables/{number:int}/start", summary="Rounds open again")
async def start_table(request: Asker, number: TableId, data: Once | None = None) -> Answer:
    allowed = _allowed(request, data, c.RestartTable)
    name = _known(request, number)
    return await allowed.do(name, c.RestartTable(by=allowed.by))


@post_action("/api/admin/floor/stop", summary="Stop the whole floor; rounds in play end by rule")
async def stop_floor(request: Asker, data: StopCause) -> Answer:
    allowed = _allowed(request, data, h.StopFloor)
    command = h.StopFloor(by=allowed.by, reason=stated(data.cause, data.note))
    return await allowed.do(FLOOR, command)


@post_action("/api/admin/floor/start", summary="The floor goes on")
async def start_floor(request: Asker, data: Once | None = None) -> Answer:
    allowed = _allowed(request, data, h.StartFloor)
    return await allowed.do(FLOOR, h.StartFloor(by=allowed.by))


@get("/api/admin/exclusions", summary="Patrons who may not play")
async def list_exclusions(request: Asker) -> list[ExclusionView]:
    return administration.exclusions_of(seen_by(request, "exclusions").house)


@post(
    "/api/admin/exclusions",
    summary="Stop a patron everywhere; wagers in play are settled",
    status_code=201,
)
async def exclude(request: Asker, data: NewExclusion) -> Answer:
    allowed = _allowed(request, data, h.ExcludePatron)
    command = h.ExcludePatron(
        by=allowed.by, patron=data.patron, reason=data.reason, until=data.until
    )
    return await allowed.do(FLOOR, await get_web(request).floor.patrons.meant(command))


@post_action("/api/admin/exclusions/{patron:str}/end", summary="The patron may play again")
async def readmit(request: Asker, patron: PathName, data: Once | None = None) -> Answer:
    allowed = _allowed(request, data, h.ReadmitPatron)
    if not (is_patron_id(patron) or is_session(patron)):
        # proxies log addresses: a card's id has no place in one
        raise HTTPException(
            detail="an address names a patron by id, as the list has it", status_code=400
        )
    return await allowed.do(FLOOR, h.ReadmitPatron(by=allowed.by, patron=patron))


def _known(request: Asker, number: int) -> str:
    """The name of a table that is there."""
    return get_web(request).floor.follower.stream(table_name(number)).name


async def _verify_there(request: Asker, number: int) -> None:
    """A table that a terminal is to stand at; 0 is anywhere. It may be new, from another node."""
    if number:
        await get_web(request).floor.follower.latest(table_name(number))


async def _row(web: Web, number: int) -> TableRow:
    stream = await web.floor.follower.latest(table_name(number))
    return administration.row_of(stream.state)
