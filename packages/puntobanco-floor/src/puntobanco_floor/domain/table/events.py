"""Events of a table: all that its stream can hold."""

from __future__ import annotations

from puntobanco_floor.domain import stream_events
from puntobanco_floor.domain.event import Event as Event
from puntobanco_floor.domain.event import Figure as Figure
from puntobanco_floor.domain.event import kinds_in
from puntobanco_floor.domain.stream_events import *  # noqa: F403 - the package is one vocabulary
from puntobanco_floor.domain.table import round_events, session_events, table_events
from puntobanco_floor.domain.table.round_events import *  # noqa: F403
from puntobanco_floor.domain.table.session_events import *  # noqa: F403
from puntobanco_floor.domain.table.table_events import *  # noqa: F403

TABLE_EVENTS = kinds_in(table_events, session_events, round_events, stream_events)
