"""The pit's part of the API: all tables, and what each bet was worth."""

from __future__ import annotations

import asyncio

from litestar import get

from puntobanco.floor.pit.board import Board, RoundEdges, round_edges
from puntobanco.floor.roles import verify_sees
from puntobanco.names import table_name
from puntobanco.web.context import web_of
from puntobanco.web.request import Asker, RoundId, TableId, person_of, seen_by


@get(
    "/api/staff/pit",
    summary="All tables, the day's figures, returns against the exact ones, alerts",
)
async def pit(request: Asker) -> Board:
    person = person_of(request)
    verify_sees(person, "pit")
    return await web_of(request).screens.pit(person.role)


@get(
    "/api/staff/tables/{number:int}/rounds/{round_:int}/edges",
    summary="What each bet was worth in a closed round",
)
async def edges(request: Asker, number: TableId, round_: RoundId) -> RoundEdges:
    web = seen_by(request, "edges")
    web.follower.stream(table_name(number))
    return await asyncio.to_thread(round_edges, web.database, table_name(number), round_)


HANDLERS = [pit, edges]
