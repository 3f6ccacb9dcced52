"""The machine of a cage window, put together."""

from __future__ import annotations

from puntobanco.cage.decide import DECIDES, unknown
from puntobanco.cage.evolve import EVOLVES, stamped
from puntobanco.cage.state import CageState, dump, load
from puntobanco.machine import Machine

WINDOW = Machine(
    empty=CageState,
    decides=DECIDES,
    evolves=EVOLVES,
    stamped=stamped,
    dump=dump,
    load=load,
    unknown=unknown,
)
