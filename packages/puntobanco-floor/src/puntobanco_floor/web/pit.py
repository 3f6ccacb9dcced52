"""The pit's part of the API: all tables, and what each bet was worth."""

from __future__ import annotations

import asyncio
from typing import Annotated

import msgspec

from puntobanco_floor.domain.stream_names import table_name
from puntobanco_floor.service.patron_reviews import Choice, ReviewCase, case_of, complaints
from puntobanco_floor.service.pit.board import Board, RoundEdges, round_edges
from puntobanco_floor.service.roles import verify_sees
from puntobanco_floor.web.context import get_web
from puntobanco_floor.web.request import Asker, RoundId, TableId, read_person, seen_by
from puntobanco_floor.web.routing import get

ReviewId = Annotated[int, msgspec.Meta(ge=1, le=10**12)]


@get(
    "/api/staff/pit",
    summary="All tables, the day's figures, returns against the exact ones, alerts",
)
async def pit(request: Asker) -> Board:
    person = read_person(request)
    verify_sees(person, "pit")
    return await get_web(request).floor.screens.pit(person.role)


@get(
    "/api/staff/tables/{number:int}/rounds/{round_:int}/edges",
    summary="What each bet was worth in a closed round",
)
async def edges(request: Asker, number: TableId, round_: RoundId) -> RoundEdges:
    floor = seen_by(request, "edges").floor
    state = floor.follower.stream(table_name(number)).state
    return await asyncio.to_thread(round_edges, floor.database, state, round_)


@get(
    "/api/staff/tables/{number:int}/reviews/{review:int}",
    summary="A review that waits: its round as the journal tells it, and what may be answered",
)
async def review(request: Asker, number: TableId, review: ReviewId) -> ReviewCase:
    floor = seen_by(request, "audit").floor
    state = floor.follower.stream(table_name(number)).state
    return await asyncio.to_thread(case_of, floor.database, state, review)


@get("/api/staff/complaints", summary="What a review may be asked for")
async def list_complaints(request: Asker) -> list[Choice]:
    read_person(request)
    return complaints()
