"""Which machine a stream is of: `floor` is the house's, `cage:1` and so on are windows, every other
is a table's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import puntobanco.cage.decide as cage_decide
import puntobanco.cage.evolve as cage_evolve
import puntobanco.cage.state as cage_state
import puntobanco.house.decide as house_decide
import puntobanco.house.evolve as house_evolve
import puntobanco.house.state as house_state
import puntobanco.table.clock as table_clock
import puntobanco.table.decide as table_decide
import puntobanco.table.evolve as table_evolve
import puntobanco.table.state as table_state
from puntobanco.commands import Command
from puntobanco.events import Event
from puntobanco.journal import Entry, Fault
from puntobanco.names import CAGE, FLOOR
from puntobanco.rules.refusals import Refusal
from puntobanco.table.clock import Due
from puntobanco.table.context import Funds
from puntobanco.vault import Order


@dataclass(frozen=True)
class Machine:
    """What a batch needs of a state machine. Their states differ; a stream's name says which it
    has.
    """

    empty: Callable[..., Any]
    decide: Callable[[Any, Funds, Command, int, Order | None], tuple[Event, ...]]
    evolve: Callable[[Any, Event], Any]
    stamped: Callable[[Any, Any, int, int], Any]  # before, after, number, time
    due: Callable[[Any], Due | None]
    dump: Callable[[Any], dict[str, object]]
    load: Callable[[dict[str, Any]], Any]

    def follow(self, state: Any, entry: Entry) -> Any:
        """The state after an entry; raises a fault when the entry cannot follow."""
        after = state
        try:
            for event in entry.events:
                after = self.evolve(after, event)
        except Fault as fault:
            raise Fault(fault.reason, stream=entry.stream, seq=entry.seq) from None
        except (Refusal, KeyError, ValueError, AssertionError) as error:
            raise Fault(f"cannot follow: {error}", stream=entry.stream, seq=entry.seq) from None
        return self.stamped(state, after, entry.seq, entry.at)


def _by_table(
    state: Any, funds: Funds, command: Command, now: int, order: Order | None
) -> tuple[Event, ...]:
    return table_decide.decide(state, funds, command, now, order=order)


def _by_house(
    state: Any, funds: Funds, command: Command, now: int, order: Order | None
) -> tuple[Event, ...]:
    del funds, order  # the house has neither money nor cards
    return house_decide.decide(state, command, now)


def _by_cage(
    state: Any, funds: Funds, command: Command, now: int, order: Order | None
) -> tuple[Event, ...]:
    del order
    return cage_decide.decide(state, funds.vouchers, command, now)


def _never(_: Any) -> None:
    """The clock owes a cage nothing."""


TABLE = Machine(
    empty=table_state.TableState,
    decide=_by_table,
    evolve=table_evolve.evolve,
    stamped=table_evolve.stamped,
    due=table_clock.due,
    dump=table_state.dump,
    load=table_state.load,
)
HOUSE = Machine(
    empty=house_state.HouseState,
    decide=_by_house,
    evolve=house_evolve.evolve,
    stamped=house_evolve.stamped,
    due=house_decide.due,
    dump=house_state.dump,
    load=house_state.load,
)


WINDOW = Machine(
    empty=cage_state.CageState,
    decide=_by_cage,
    evolve=cage_evolve.evolve,
    stamped=cage_evolve.stamped,
    due=_never,
    dump=cage_state.dump,
    load=cage_state.load,
)


def machine_of(stream: str) -> Machine:
    return HOUSE if stream == FLOOR else WINDOW if stream.startswith(CAGE) else TABLE
