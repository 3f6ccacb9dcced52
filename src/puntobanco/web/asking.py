"""What every part of the API takes: who asks, the floor, the numbers of tables and rounds."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Request
from litestar.datastructures import State
from litestar.params import Parameter

from puntobanco.floor.service import Floor

Asker = Request[Any, Any, State]
TableId = Annotated[int, Parameter(ge=1, le=1_000_000)]
RoundId = Annotated[int, Parameter(ge=1, le=10**12)]


def floor_of(state: State) -> Floor:
    floor: Floor = state.floor
    return floor
