"""The machine of a table, put together."""

from __future__ import annotations

from puntobanco_floor.domain.machine import Machine
from puntobanco_floor.domain.table.clock import due
from puntobanco_floor.domain.table.decide import DECIDES, lapsing, unknown, verify_phase
from puntobanco_floor.domain.table.evolve import EVOLVES, stamped
from puntobanco_floor.domain.table.orders import malfunction, needed
from puntobanco_floor.domain.table.state import TableState, dump, load

TABLE = Machine(
    empty=TableState,
    decides=DECIDES,
    evolves=EVOLVES,
    stamped=stamped,
    dump=dump,
    load=load,
    unknown=unknown,
    verify=verify_phase,
    due=due,
    also=lapsing,
    cards=needed,
    malfunction=malfunction,
)
