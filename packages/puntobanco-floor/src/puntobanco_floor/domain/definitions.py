"""Definitions: the commands and events of every machine, as one value that is passed in.

`OURS` is what this program plays with, and the default everywhere. Another value is made of it with
more commands and events:

    replace(OURS, table=OURS.table.plus(decides={Greet: greet}, evolves={Greeted: greeted}))

Our machines are made of the functions of the modules that they list:

    def add_note(asked: Asked, command: AddNote) -> Events              decides AddNote
    def note_added(state: TableState, event: NoteAdded) -> TableState   applies NoteAdded

A public function of a listed module is a handler if it has one of these shapes; the annotation of
its second parameter is a kind, or a union of kinds. No table lists it a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, partial
from types import FunctionType, ModuleType
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

from puntobanco_floor.domain import proposals, stream_rules
from puntobanco_floor.domain.cage import decide as cage_decide
from puntobanco_floor.domain.cage import evolve as cage_evolve
from puntobanco_floor.domain.cage.state import CageState
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Decode, Entry, read_entry
from puntobanco_floor.domain.entry import Decoder
from puntobanco_floor.domain.event import Role
from puntobanco_floor.domain.events import Event
from puntobanco_floor.domain.house import decide as house_decide
from puntobanco_floor.domain.house import evolve as house_evolve
from puntobanco_floor.domain.house import state as house_state
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.machine import Asked, Events, Machine, Rules, State, Steps
from puntobanco_floor.domain.snapshots import SNAPSHOT, plain_of, struct_from
from puntobanco_floor.domain.stream_names import CAGE, FLOOR
from puntobanco_floor.domain.table import (
    card_entry,
    clock,
    evolve,
    limits,
    reviews,
    sessions,
    shoes,
    stops,
    wagers,
)
from puntobanco_floor.domain.table import decide as table_decide
from puntobanco_floor.domain.table import state as table_state
from puntobanco_floor.domain.table.state import TableState

K = TypeVar("K")


def rules_in(*modules: ModuleType) -> Rules:
    """Return the functions that decide commands."""
    return _find_handlers(
        modules,
        Command,
        lambda first, returned: (get_origin(first) or first) is Asked and returned == Events,
    )


def steps_in(*modules: ModuleType) -> Steps[Any]:
    """Return the functions that give the next state after an event."""
    return _find_handlers(modules, Event, lambda first, returned: first == returned)


def _find_handlers(
    modules: tuple[ModuleType, ...], base: type[K], has_shape: Callable[[Any, Any], bool]
) -> dict[type[K], Callable[..., Any]]:
    handlers = dict[type[K], Callable[..., Any]]()
    for function in _public_functions(modules):
        first, second, *_, returned = get_type_hints(function).values()
        kinds = (get_args(second) or (second,)) if has_shape(first, returned) else ()
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, base):
                other = handlers.setdefault(kind, function)
                if other is not function:
                    raise TypeError(
                        f"{kind.__name__} has two handlers: {_name(other)} and {_name(function)}; "
                        "a helper that takes it begins with an underscore"
                    )
    return handlers


def _public_functions(modules: tuple[ModuleType, ...]) -> Iterator[FunctionType]:
    """Yield the modules' own functions of two parameters."""
    for module in modules:
        for name, value in vars(module).items():
            own = isinstance(value, FunctionType) and value.__module__ == module.__name__
            if own and not name.startswith("_") and value.__code__.co_argcount == 2:
                yield value


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"


# The machines

TABLE = Machine(
    empty=TableState,
    decides={
        **rules_in(proposals, stream_rules),
        # after a recovery a table also ends its round and its shoe
        **rules_in(shoes, limits, sessions, wagers, card_entry, stops, reviews),
    },
    evolves={**steps_in(stream_rules), **steps_in(evolve, limits, sessions, reviews)},
    stamped=evolve.stamped,
    dump=table_state.dump,
    load=table_state.load,
    unknown=table_decide.unknown,
    verify=table_decide.verify_phase,
    due=clock.due,
    also=table_decide.lapse_proposals,
    cards=shoes.find_cards,
    malfunction=shoes.malfunction,
)

HOUSE = Machine(
    empty=HouseState,
    decides=rules_in(house_decide, stream_rules),
    evolves={**steps_in(stream_rules), **steps_in(house_evolve)},
    dump=house_state.dump,
    load=house_state.load,
    unknown=house_decide.unknown,
    verify=house_decide.verify_set_up,
    due=house_decide.due,
)

WINDOW = Machine(
    empty=CageState,
    decides=rules_in(cage_decide, proposals, stream_rules),
    evolves=steps_in(stream_rules, cage_evolve),
    dump=partial(plain_of, snapshot=SNAPSHOT),
    load=partial(struct_from, CageState),
    unknown=cage_decide.unknown,
)


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
        return Decoder(self.events).read

    def read(self, data: bytes, *, stream: str, seq: int) -> Entry:
        return read_entry(data, stream=stream, seq=seq, decode=self.decode)

    def may(self, role: Role) -> frozenset[type[Command]]:
        """The commands that somebody of this role may give."""
        return frozenset(kind for kind in self.commands if role in kind.traits.by)


OURS = Definitions(TABLE, HOUSE, WINDOW)
