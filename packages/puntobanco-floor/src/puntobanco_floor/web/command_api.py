"""Commands over HTTP: one path for tables, one for the house; each role has its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import msgspec

from puntobanco_floor.domain.commands import Command, verify_stated
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.machine import Machine, S
from puntobanco_floor.domain.refusals import SecondPersonNeeded
from puntobanco_floor.domain.stream_names import table_name
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.service.passwords import verify_is_verifier
from puntobanco_floor.service.roles import (
    Person,
    verify_approves,
    verify_decides,
    verify_may,
    verify_two,
)
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.web.context import Web, get_web
from puntobanco_floor.web.request import (
    Asker,
    TableId,
    post_action,
    read_address,
    read_person,
    verify_pin,
)
from puntobanco_floor.web.routing import HTTPException
from puntobanco_proof.entry.record import Record


class StaffCommand(Record):
    """A command with an id of its own; `by` is who is logged in, whatever it says."""

    id: wire.CommandId
    command: dict[str, Any]


class Seconded(Record):
    """What a second person does at the console of somebody else, who stays logged in."""

    id: Annotated[str, msgspec.Meta(min_length=1, max_length=56)]
    name: Annotated[str, msgspec.Meta(max_length=64)]
    pin: Annotated[str, msgspec.Meta(max_length=20)]
    commands: Annotated[list[dict[str, Any]], msgspec.Meta(min_length=1, max_length=2)]


@post_action(
    "/api/staff/tables/{number:int}/commands", summary="A command at a table; each role has its own"
)
async def table_command(request: Asker, number: TableId, data: StaffCommand) -> Answer:
    person = read_person(request)
    return await _given(
        get_web(request), table_name(number), person, data, lambda: verify_pin(request, person)
    )


@post_action(
    "/api/staff/tables/{number:int}/second",
    summary="Commands at a table by a second person, with a PIN at somebody else's console",
)
async def by_second(request: Asker, number: TableId, data: Seconded) -> Answer:
    """One PIN for all of them, such as the end of a shoe and the next one. The first that is
    refused is the answer.
    """
    web = get_web(request)
    console = read_person(request)
    if data.name == console.name:
        raise SecondPersonNeeded(f"{console.name} has this console; somebody else confirms it")
    person = await web.floor.logins.by_pin(data.name, data.pin, read_address(request))
    commands = [
        StaffCommand(id=f"{data.id}:{place}", command=command)
        for place, command in enumerate(data.commands)
    ]
    answers = list[Answer]()
    for each in commands:
        answers.append(await _given(web, table_name(number), person, each, _confirmed))
        if not answers[-1].ok:
            break
    return answers[-1]


async def _confirmed() -> None:
    """The PIN was typed with the command."""


async def _given(
    web: Web,
    name: str,
    person: Person,
    data: StaffCommand,
    confirm: Callable[[], Awaitable[None]],
) -> Answer:
    """A command at a table, as its role may give it; who approves confirms it first."""
    command = _command(data, person, web.floor.store.definitions.table)
    if isinstance(command, c.Approve | c.Reject):
        # first: asked again it is answered as it was, though the proposal waits no more
        request = Request(stream=name, id=data.id, command=command)
        given = await asyncio.to_thread(web.floor.commands.given, request)
        if given is not None:
            return given
        state = web.floor.follower.stream(name).state
        verify_decides(person, command.proposal, state)
        waits = state.proposals.waiting.get(command.proposal)
        if waits is not None and isinstance(command, c.Approve):
            kind = type(web.floor.store.definitions.table.held(waits))
            verify_approves(web.house, waits.by, person, kind)
        elif waits is not None:
            verify_two(web.house, waits.by, person)
    if isinstance(command, c.Approve):
        await confirm()
    if getattr(command, "by_floor", False):
        raise HTTPException(
            detail="the whole floor is stopped by a command of the house", status_code=400
        )
    if isinstance(command, c.AskReview):  # at the desk: the journal is looked at first
        return await web.floor.reviews.ask(name, data.id, command)
    if isinstance(command, c.Adjust):
        return await web.floor.reviews.adjust(name, data.id, command)
    return await web.floor.commands.ask_staff(name, data.id, command)


@post_action(
    "/api/staff/house/commands", summary="A command of the house: stop, start, exclude, readmit"
)
async def house_command(request: Asker, data: StaffCommand) -> Answer:
    floor = get_web(request).floor
    person = read_person(request)
    command = _command(data, person, floor.store.definitions.house)
    verify_is_verifier(getattr(command, "verifier", None))
    if isinstance(command, h.Agree):
        await verify_pin(request, person)
    # first: a card's id goes no further than here
    meant = await floor.patrons.meant(command)
    return await floor.commands.ask_house(meant, data.id)


def _command(data: StaffCommand, person: Person, machine: Machine[S]) -> Command:
    try:
        command = msgspec.convert({**data.command, "by": person.name}, machine.any_command)
    except msgspec.ValidationError as error:
        raise HTTPException(detail=f"that is no command: {error}", status_code=400) from None
    verify_may(person, type(command))
    verify_stated(command)
    if getattr(command, "definition", None) is not None:
        elsewhere = "the definition of a game comes by POST /api/admin/tables, which checks it"
        raise HTTPException(detail=elsewhere, status_code=400)
    return command
