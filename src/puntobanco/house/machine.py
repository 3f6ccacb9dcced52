"""The machine of the house, put together."""

from __future__ import annotations

from puntobanco.house.decide import DECIDES, due, unknown, verify_set_up
from puntobanco.house.evolve import EVOLVES, stamped
from puntobanco.house.state import HouseState, dump, load
from puntobanco.machine import Machine

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
