"""The machine of the house, put together."""

from __future__ import annotations

from puntobanco_floor.domain.house.decide import DECIDES, due, unknown, verify_set_up
from puntobanco_floor.domain.house.evolve import EVOLVES, stamped
from puntobanco_floor.domain.house.state import HouseState, dump, load
from puntobanco_floor.domain.machine import Machine

HOUSE = Machine(
    empty=HouseState,
    decides=DECIDES,
    evolves=EVOLVES,
    stamped=stamped,
    dump=dump,
    load=load,
    unknown=unknown,
    verify=verify_set_up,
    due=due,
)
