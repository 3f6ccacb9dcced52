"""Events: what has happened at a table, as values. Their names and fields are the words of the
journal.

A kind stands in the module of its stream, with all that is true of it. The tuples of kinds below
are made of those modules, so that a new kind is one class in one file.
"""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, TypeAlias, Union

from puntobanco.events import cage, house, journal, move, program, proposal, review, session, table
from puntobanco.events import round as round_
from puntobanco.events.cage import *  # noqa: F403 - the package is one vocabulary
from puntobanco.events.event import Event as Event
from puntobanco.events.event import Figure as Figure
from puntobanco.events.house import *  # noqa: F403
from puntobanco.events.journal import *  # noqa: F403
from puntobanco.events.move import *  # noqa: F403
from puntobanco.events.program import *  # noqa: F403
from puntobanco.events.proposal import *  # noqa: F403
from puntobanco.events.record import *  # noqa: F403
from puntobanco.events.review import *  # noqa: F403
from puntobanco.events.round import *  # noqa: F403
from puntobanco.events.session import *  # noqa: F403
from puntobanco.events.table import *  # noqa: F403
from puntobanco.traits import Role as Role


def _kinds(*modules: ModuleType) -> tuple[type[Event], ...]:
    """The kinds that these modules define, in their order."""
    found = list[type[Event]]()
    for module in modules:
        own = [value for value in vars(module).values() if isinstance(value, type)]
        found += [x for x in own if issubclass(x, Event) and x.__module__ == module.__name__]
    return tuple(found)


TABLE_EVENTS = _kinds(table, session, move, round_, review, proposal, journal)
HOUSE_EVENTS = _kinds(house, proposal, program, journal)
CAGE_EVENTS = _kinds(cage, proposal, journal)
EVENTS = tuple(dict.fromkeys((*TABLE_EVENTS, *HOUSE_EVENTS, *CAGE_EVENTS)))
KINDS = {kind.__name__: kind for kind in EVENTS}
"""By the name that the journal has for it."""

if TYPE_CHECKING:
    AnyEvent: TypeAlias = Event
else:
    AnyEvent = Union[EVENTS]  # noqa: UP007 - what a decoder is made of
