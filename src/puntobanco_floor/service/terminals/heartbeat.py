"""Heartbeat: every connection that was idle for 5 s gets a message, so that a client can tell a
dead link.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import Connection

BEAT_S = 5.0
"""A client hears something within twice this time; one that hears nothing for three times this is
without its floor.
"""


class Heartbeat:
    """Runs while somebody is connected."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self._now_ms = now_ms
        self._connections = set[Connection]()
        self._beating: asyncio.Task[None] | None = None

    def add(self, connection: Connection) -> None:
        self._connections.add(connection)
        if self._beating is None:
            self._beating = asyncio.ensure_future(self._run())

    def discard(self, connection: Connection) -> None:
        self._connections.discard(connection)

    async def _run(self) -> None:
        while self._connections:
            self.beat()
            await asyncio.sleep(BEAT_S)
        self._beating = None

    def beat(self) -> None:
        """One message to everybody who was idle since the last one."""
        message = wire.write(wire.Beat(at=self._now_ms()))
        for connection in list(self._connections):  # one that is cut off may leave
            connection.beat(message)
