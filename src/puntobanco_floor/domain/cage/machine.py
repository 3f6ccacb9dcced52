"""The machine of a cage window, put together."""

from __future__ import annotations

from puntobanco_floor.domain import proposal_rules, recovery, stream_rules
from puntobanco_floor.domain.cage import decide, evolve
from puntobanco_floor.domain.cage.decide import unknown
from puntobanco_floor.domain.cage.evolve import stamped
from puntobanco_floor.domain.cage.state import CageState, dump, load
from puntobanco_floor.domain.handlers import rules_in, steps_in
from puntobanco_floor.domain.machine import Machine

WINDOW = Machine(
    empty=CageState,
    decides=rules_in(decide, proposal_rules, recovery, stream_rules),
    evolves=steps_in(stream_rules, evolve),
    stamped=stamped,
    dump=dump,
    load=load,
    unknown=unknown,
)
