"""The queue of password hashing: one thread of a low priority, and few who wait for it.

A hash is made to be slow. Whoever sends login after login would have the whole machine work for
him, and wagers wait. So one hash is made at a time, when there is nothing else to do; and who has
some waiting already is refused at once.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from puntobanco import refusal_words as say
from puntobanco.rules.refusals import Refusal

MOST_WAITING = 32
MOST_OF_ONE = 2
"""Waiting at once: from one address, or of one person who is logged in."""

LOW_PRIORITY = 10
"""A tenth of a core that others fill: at the very lowest nobody would log in there."""

Made = TypeVar("Made")


class TooManyTries(Refusal):
    """A password that is not looked at, since too many wait to be."""

    in_short = say.TOO_MANY_TRIES


class HashQueue:
    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "hashing", initializer=_step_back)
        self._waiting = Counter[str]()

    async def run(self, who: str, make: Callable[[], Made]) -> Made:
        """What `make` gives, in turn; `who` is an address, or a person who is logged in."""
        if self._waiting[who] >= MOST_OF_ONE or self._waiting.total() >= MOST_WAITING:
            raise TooManyTries(say.TOO_MANY_TRIES)
        self._waiting[who] += 1
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._thread, make)
        finally:
            self._waiting -= Counter([who])  # without those who have none left


def _step_back() -> None:
    """Of this thread alone, and of those that it starts; where a system has priorities by process
    only, all stays as it is.
    """
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)
