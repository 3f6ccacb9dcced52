"""The machine of a cage window, put together."""

from __future__ import annotations

from puntobanco_floor.domain.cage.decide import DECIDES, unknown
from puntobanco_floor.domain.cage.evolve import EVOLVES, stamped
from puntobanco_floor.domain.cage.state import CageState, dump, load
from puntobanco_floor.domain.machine import Machine

WINDOW = Machine(
    empty=CageState,
    decides=DECIDES,
    evolves=EVOLVES,
    stamped=stamped,
    dump=dump,
    load=load,
    unknown=unknown,
)
