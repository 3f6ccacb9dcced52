"""The dealer's part of the API: a table as its dealer sees it."""

from __future__ import annotations

from typing import Annotated

from litestar import get
from litestar.datastructures import State
from litestar.params import Parameter

from puntobanco.floor.roles import verify_sees
from puntobanco.floor.views.dealer import DealerView, Redealt, redealt
from puntobanco.names import table_name
from puntobanco.web.context import web_of
from puntobanco.web.request import Asker, TableId, person_of


@get(
    "/api/staff/tables/{number:int}",
    summary="A table as its dealer sees it: what to do next, and why",
)
async def dealer(request: Asker, state: State, number: TableId) -> DealerView:
    verify_sees(person_of(request), "dealer")
    web = web_of(state)
    return web.screens.dealer(table_name(number))


@get(
    "/api/staff/tables/{number:int}/redealt",
    summary="A stopped round dealt again in another order; changes nothing",
)
async def redealt_round(
    request: Asker,
    state: State,
    number: TableId,
    order: Annotated[str, Parameter(max_length=200)] = "",
) -> Redealt:
    verify_sees(person_of(request), "dealer")
    return redealt(web_of(state).follower.stream(table_name(number)).state, order)


HANDLERS = [dealer, redealt_round]
