"""Queues of slow work: one job at a time, few that wait, and a rest after each.

A job takes a core, or the interpreter, for a tenth of a second. Clients that ask for many would
keep wagers waiting, so a queue does one at a time and refuses a client that has some waiting.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.service.refusals import TooManyTries

MOST_WAITING = 32
MOST_OF_ONE = 2
"""Jobs that wait at once: of one address, or of one person or session that is known."""

REST = 1.0
"""A queue rests after a job, for this part of the time that the job took: it has half a core."""

Made = TypeVar("Made")


class WorkQueue:
    """The jobs of one thread; two queues that share it take turns."""

    def __init__(
        self,
        thread: ThreadPoolExecutor,
        *,
        rest: float = REST,
        most_waiting: int = MOST_WAITING,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._thread = thread
        self._rest = rest
        self._most_waiting = most_waiting
        self._clock = clock
        self._rests_until = clock()
        self._turn = asyncio.Lock()
        self._waiting = Counter[str]()

    async def run(self, who: str, make: Callable[[], Made]) -> Made:
        """Return what `make` returns, in turn."""
        if self._waiting[who] >= MOST_OF_ONE or self._waiting.total() >= self._most_waiting:
            raise TooManyTries(say.TOO_MANY_TRIES)
        self._waiting[who] += 1
        try:
            async with self._turn:
                await asyncio.sleep(self._rests_until - self._clock())
                began = self._clock()
                try:
                    return await asyncio.get_running_loop().run_in_executor(self._thread, make)
                finally:
                    now = self._clock()
                    self._rests_until = now + self._rest * (now - began)
        finally:
            self._waiting -= Counter([who])  # removes those that have none left
