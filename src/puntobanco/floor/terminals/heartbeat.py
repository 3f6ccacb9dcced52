"""The floor's pulse: who heard nothing for a while is told it is there, for a connection may end
without a word.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

from puntobanco.floor.terminals import wire
from puntobanco.floor.terminals.connections import Watching

BEAT_S = 5.0
"""A screen hears something within twice this time; one that hears nothing for three times this is
without its floor.
"""


class Beat:
    """Runs while somebody watches."""

    def __init__(self, everybody: Callable[[], Iterable[Watching]]) -> None:
        self._everybody = everybody
        self._beating: asyncio.Task[None] | None = None

    def begin(self) -> None:
        if self._beating is None:
            self._beating = asyncio.ensure_future(self._beat())

    async def _beat(self) -> None:
        while self.tell_the_quiet():
            await asyncio.sleep(BEAT_S)
        self._beating = None

    def tell_the_quiet(self) -> bool:
        """One beat to everybody who was told nothing since the last; whether anybody watches at
        all.
        """
        watching = list(self._everybody())
        message = wire.write(wire.Beat(at=int(time.time() * 1000)))
        for one in watching:
            if not one.is_told:
                one.put(message)
            one.is_told = False
        return bool(watching)
