"""Graceful shutdown: terminals are told, what was asked is answered, connections are closed, all
within a bound.
"""

from __future__ import annotations

import asyncio
import time

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import Close, Rooms

SERVICE_RESTART: Close = (1012, say.RESTARTS.en)  # RFC 6455: come back
LOOK_S = 0.02


class Shutdown:
    """How far the end of this node has come."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms
        self.is_draining = False  # no load balancer should choose this node
        self.is_stopping = False  # no terminal is heard any more

    @property
    def terminals(self) -> int:
        """How many are still connected."""
        return self._rooms.count()

    def drain(self) -> None:
        self.is_draining = True

    async def close_terminals(self, within_s: float) -> bool:
        """Whether everybody had their answers and left in time.

        What a terminal sends after the farewell is not heard: it was not answered, and so it is
        sent again elsewhere.
        """
        self.is_draining = self.is_stopping = True
        until = time.monotonic() + within_s
        terminals = self._rooms.terminals()
        message = wire.bye(say.RESTARTS)
        for terminal in terminals:
            terminal.put(message)
        while any(terminal.in_flight for terminal in terminals) and time.monotonic() < until:
            await asyncio.sleep(LOOK_S)
        for terminal in terminals:
            terminal.hang_up(SERVICE_RESTART)
        while self.terminals and time.monotonic() < until:
            await asyncio.sleep(LOOK_S)
        return not self.terminals
