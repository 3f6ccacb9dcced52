"""The machine of a cage window, put together."""

from __future__ import annotations

from puntobanco.cage.decide import DECIDES, unknown, verify_nothing
from puntobanco.cage.evolve import EVOLVES, stamped
from puntobanco.cage.state import CageState, dump, load
from puntobanco.machine import Machine


def _empty(stream: str) -> CageState:
    return CageState(stream=stream)


WINDOW = Machine(
    empty=_empty,
    decides=DECIDES,
    evolves=EVOLVES,
    stamped=stamped,
    dump=dump,
    load=load,
    unknown=unknown,
    verify=verify_nothing,
)
