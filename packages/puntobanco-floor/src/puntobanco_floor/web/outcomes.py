"""Outcomes of commands: look up what became of one by its id, without executing it.

Only the session or the member of the staff who gave the command can look it up. A client sends a
command again, with the same id, for ten minutes at most; after that it asks here.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Annotated

import msgspec

from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.refusals import Unknown
from puntobanco_floor.domain.stream_names import CAGE, FLOOR, table_name
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.service.dispatch import derived_id
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.views.table_view import SessionView
from puntobanco_floor.web.cage import WindowId
from puntobanco_floor.web.context import get_web
from puntobanco_floor.web.patron_api import VoucherPaper, session_after, voucher_paper
from puntobanco_floor.web.problems import refused
from puntobanco_floor.web.request import Asker, TableId, read_person, read_ticket
from puntobanco_floor.web.routing import get

PathId = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern=r"^[!-.0-~]+$(?!\n)")]

_FURTHER = (c.ChangeClock, c.ChangeCards, c.HaltTable, h.ConfirmStaff)
"""What an administrator's request may give in place of its first command."""


def _asker(request: Asker) -> str:
    """Return the session that asks, within the rate of its terminal."""
    ticket = read_ticket(request)
    get_web(request).limits.outcomes.verify(ticket.asker)
    return ticket.session


def _person(request: Asker) -> str:
    """Return the member of the staff who asks, within their rate."""
    name = read_person(request).name
    get_web(request).limits.outcomes.verify(f"staff {name}")
    return name


@get(
    "/api/tables/{number:int}/commands/{id_:str}",
    summary="What became of a command of the session that asks: its voucher, or the session",
)
async def of_session(request: Asker, number: TableId, id_: PathId) -> VoucherPaper | SessionView:
    web = get_web(request)
    session = _asker(request)
    name = web.floor.follower.stream(table_name(number)).name
    answer = await web.floor.commands.outcome(name, session, id_)
    if not answer.ok:
        raise refused(answer)
    paper = await web.floor.seats.issued(name, session, answer)
    if paper is not None:
        return voucher_paper(paper, web)
    return await session_after(web, name, session, answer)


@get(
    "/api/me/commands/{id_:str}",
    summary="What became of a command to the house of the session that asks",
)
async def of_own(request: Asker, id_: PathId) -> Answer:
    by = _asker(request)
    return await get_web(request).floor.commands.outcome(FLOOR, by, id_)


@get(
    "/api/staff/tables/{number:int}/commands/{id_:str}",
    summary="What became of a command at a table, for the person who gave it",
)
async def at_table(request: Asker, number: TableId, id_: PathId) -> Answer:
    return await _of_staff(request, table_name(number), id_)


@get(
    "/api/staff/house/commands/{id_:str}",
    summary="What became of a command of the house, for the person who gave it",
)
async def at_house(request: Asker, id_: PathId) -> Answer:
    return await _of_staff(request, FLOOR, id_)


async def _of_staff(request: Asker, stream: str, id_: str) -> Answer:
    by = _person(request)
    outcome = get_web(request).floor.commands.outcome
    for kind in _FURTHER:
        with suppress(Unknown):
            return await outcome(stream, by, derived_id(id_, kind))
    return await outcome(stream, by, id_)


@get(
    "/api/staff/cage/{window:int}/commands/{id_:str}",
    summary="What became of a command at a window, for the person who gave it: a voucher sold, or "
    "the answer",
)
async def at_window(request: Asker, window: WindowId, id_: PathId) -> VoucherPaper | Answer:
    web = get_web(request)
    by = _person(request)
    stream = f"{CAGE}{window}"
    answer = await web.floor.commands.outcome(stream, by, id_)
    if not answer.ok:
        raise refused(answer)
    paper = await asyncio.to_thread(web.floor.seats.vouchers.sold, stream, by, id_)
    return voucher_paper(paper, web) if paper else answer
