"""The machine of the house, put together."""

from __future__ import annotations

from puntobanco_floor.domain import recovery, stream_rules
from puntobanco_floor.domain.handlers import rules_in, steps_in
from puntobanco_floor.domain.house import decide, evolve
from puntobanco_floor.domain.house.decide import due, unknown, verify_set_up
from puntobanco_floor.domain.house.evolve import stamped
from puntobanco_floor.domain.house.state import HouseState, dump, load
from puntobanco_floor.domain.machine import Machine

HOUSE = Machine(
    empty=HouseState,
    decides=rules_in(decide, recovery, stream_rules),
    evolves={**steps_in(stream_rules), **steps_in(evolve)},
    stamped=stamped,
    dump=dump,
    load=load,
    unknown=unknown,
    verify=verify_set_up,
    due=due,
)
