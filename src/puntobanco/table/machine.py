"""The machine of a table, put together."""

from __future__ import annotations

from puntobanco.machine import Machine
from puntobanco.table.clock import due
from puntobanco.table.decide import DECIDES, lapsing, unknown, verify_phase
from puntobanco.table.evolve import EVOLVES, stamped
from puntobanco.table.orders import malfunction, needed
from puntobanco.table.state import TableState, dump, load

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
