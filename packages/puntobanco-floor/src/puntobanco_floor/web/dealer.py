"""The dealer's part of the API: a table as its dealer sees it."""

from __future__ import annotations

from typing import Annotated

import msgspec

from puntobanco_floor.domain.stream_names import table_name
from puntobanco_floor.views.dealer_view import DealerView, Redealt, redealt
from puntobanco_floor.web.request import Asker, TableId, seen_by
from puntobanco_floor.web.routing import get


@get(
    "/api/staff/tables/{number:int}",
    summary="A table as its dealer sees it: what to do next, and why",
)
async def dealer(request: Asker, number: TableId) -> DealerView:
    floor = seen_by(request, "dealer").floor
    return floor.screens.dealer(table_name(number))


@get(
    "/api/staff/tables/{number:int}/redealt",
    summary="A stopped round dealt again in another order; changes nothing",
)
async def redealt_round(
    request: Asker,
    number: TableId,
    order: Annotated[str, msgspec.Meta(max_length=200)] = "",
) -> Redealt:
    stream = seen_by(request, "dealer").floor.follower.stream(table_name(number))
    return redealt(stream.state, order, stream.machine)
