"""The machine of a table, put together."""

from __future__ import annotations

from puntobanco_floor.domain import proposal_rules, recovery, stream_rules
from puntobanco_floor.domain.handlers import rules_in, steps_in
from puntobanco_floor.domain.machine import Machine
from puntobanco_floor.domain.table import (
    adjustments,
    card_entry,
    evolve,
    moves,
    recovery_rules,
    reviews,
    scheduled_changes,
    sessions,
    settling,
    shoes,
    stops,
    wagers,
)
from puntobanco_floor.domain.table.clock import due
from puntobanco_floor.domain.table.decide import lapsing, unknown, verify_phase
from puntobanco_floor.domain.table.evolve import stamped
from puntobanco_floor.domain.table.orders import malfunction, needed
from puntobanco_floor.domain.table.state import TableState, dump, load

TABLE = Machine(
    empty=TableState,
    decides={
        **rules_in(
            shoes,
            scheduled_changes,
            sessions,
            moves,
            wagers,
            card_entry,
            stops,
            settling,
            reviews,
            adjustments,
            recovery,
            proposal_rules,
            stream_rules,
        ),
        **rules_in(recovery_rules),  # a table also ends its round and its shoe
    },
    evolves={
        **steps_in(stream_rules),
        **steps_in(evolve, scheduled_changes, reviews, adjustments, moves),
    },
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
