"""Hints between nodes on PostgreSQL: NOTIFY and LISTEN on one connection a node, never relied upon.

A commit that notifies waits for a lock of the whole server, so nothing is notified inside one. What
was committed while a notification was on its way goes out with the next.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import asyncpg

from puntobanco_floor.store.errors import first_line
from puntobanco_floor.store.store import log

CHANNEL = "puntobanco"
ALIVE_S = 1.0
"""After so long without a hint the connection is tried, lest a dead one be listened to."""

LOST = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # the server has cut a transaction in which this node was too slow
    OSError,
    asyncio.TimeoutError,
)
"""What a connection raises that is gone, or whose statement failed."""

MAX_HINT = 7_000
"""Characters of a notification; PostgreSQL takes 8,000 bytes."""

Heard = Callable[[str, int], object]
"""Given a stream and the number of its last entry."""


class Hints:
    def __init__(self, url: str, heard: Heard) -> None:
        self._url, self._heard = url, heard
        self._waiting = dict[str, int]()
        self._some = asyncio.Event()

    def tell(self, stream: str, seq: int) -> None:
        """Tell other nodes, soon, that a stream has entries up to this number."""
        self._waiting[stream] = seq
        self._some.set()

    async def run(self) -> None:
        while True:
            try:
                connection = await asyncpg.connect(self._url, timeout=10)
                try:
                    await connection.add_listener(CHANNEL, self._read)
                    while not connection.is_closed():
                        await self._send(connection)
                finally:
                    await connection.close(timeout=2)
            except LOST as error:
                log.warning("LISTEN connection lost: %s; reconnecting", first_line(error))
                await asyncio.sleep(1)

    async def _send(self, connection: asyncpg.Connection) -> None:
        with suppress(asyncio.TimeoutError):
            # `wait_for` may swallow the cancellation that ends this task
            async with asyncio.timeout(ALIVE_S):
                await self._some.wait()
        self._some.clear()
        lines = [f"{seq} {stream}" for stream, seq in self._waiting.items()]
        self._waiting.clear()
        if not lines:
            await connection.execute("SELECT 1", timeout=5)
        for hint in joined(lines):
            await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, hint, timeout=5)

    def _read(self, _connection: object, _pid: int, _channel: str, payload: object) -> None:
        for line in str(payload).splitlines():
            seq, _, stream = line.partition(" ")
            if seq.isdigit():
                self._heard(stream, int(seq))


def joined(lines: Sequence[str]) -> list[str]:
    found = list[str]()
    for line in lines:
        if found and len(found[-1]) + len(line) < MAX_HINT:
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found
