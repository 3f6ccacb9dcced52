"""Events: what has happened in any stream. Their names and fields are the words of the journal.

The module of its stream defines a kind; the tuples of kinds below are made of those modules.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, Union

import puntobanco_floor.domain.cage.events as cage_events
import puntobanco_floor.domain.house.events as house_events
from puntobanco_floor.domain import stream_events
from puntobanco_floor.domain.cage.events import *  # noqa: F403 - the package is one vocabulary
from puntobanco_floor.domain.event import Event as Event
from puntobanco_floor.domain.event import Role as Role
from puntobanco_floor.domain.event import kinds_in
from puntobanco_floor.domain.house.events import *  # noqa: F403
from puntobanco_floor.domain.table.events import *  # noqa: F403
from puntobanco_floor.domain.table.events import TABLE_EVENTS as TABLE_EVENTS

HOUSE_EVENTS = kinds_in(house_events, stream_events)
CAGE_EVENTS = kinds_in(cage_events, stream_events)
EVENTS = tuple(dict.fromkeys((*TABLE_EVENTS, *HOUSE_EVENTS, *CAGE_EVENTS)))
KINDS = {kind.__name__: kind for kind in EVENTS}
"""By the name that the journal has for it."""

if TYPE_CHECKING:
    AnyEvent: TypeAlias = Event
else:
    AnyEvent = Union[EVENTS]  # noqa: UP007 - what a decoder is made of
