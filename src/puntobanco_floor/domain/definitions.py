"""Definitions: the commands and events of every machine, as one value that is passed in.

`OURS` is what this program plays with, and the default everywhere. Another value is made of it with
more commands and events:

    replace(OURS, table=OURS.table.plus(decides={Greet: greet}, evolves={Greeted: greeted}))
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import cast

from puntobanco_floor.domain.cage.machine import WINDOW
from puntobanco_floor.domain.cage.state import CageState
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Decode, Entry, read_entry
from puntobanco_floor.domain.entry import decoder
from puntobanco_floor.domain.events import Event
from puntobanco_floor.domain.house.machine import HOUSE
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import Machine, State
from puntobanco_floor.domain.stream_names import CAGE, FLOOR
from puntobanco_floor.domain.table.machine import TABLE
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.domain.traits import Role


@dataclass(frozen=True)
class Definitions:
    """The three machines, and what is looked up in all of them; lookups are made once."""

    table: Machine[TableState]
    house: Machine[HouseState]
    cage: Machine[CageState]

    def machine_of(self, stream: str) -> Machine[State]:
        """`floor` is the house's, `cage:1` and so on are windows, every other is a table's."""
        machine: object = self.table
        if stream == FLOOR:
            machine = self.house
        elif stream.startswith(CAGE):
            machine = self.cage
        # a stream's states come from its own machine alone, so which they are need not be known
        return cast("Machine[State]", machine)

    @cached_property
    def commands(self) -> tuple[type[Command], ...]:
        # in order; what several machines have comes once
        kinds = {**self.table.decides, **self.house.decides, **self.cage.decides}
        return tuple(kinds)

    @cached_property
    def events(self) -> tuple[type[Event], ...]:
        kinds = {**self.table.evolves, **self.house.evolves, **self.cage.evolves}
        return tuple(kinds)

    @cached_property
    def decode(self) -> Decode:
        """Reads the bytes of an entry with events of these kinds."""
        return decoder(self.events)

    def read(self, data: bytes, *, stream: str, seq: int) -> Entry:
        """The entry that these bytes are, or a fault."""
        return read_entry(data, stream=stream, seq=seq, decode=self.decode)

    def may(self, role: Role) -> frozenset[type[Command]]:
        """The commands that somebody of this role may give."""
        return frozenset(kind for kind in self.commands if role in kind.traits.by)


OURS = Definitions(TABLE, HOUSE, WINDOW)
