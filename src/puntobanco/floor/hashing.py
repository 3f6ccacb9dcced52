"""The queues of password hashing: one thread of a low priority each, and few who wait for it.

A hash is made to be slow. Whoever sends login after login would have the whole machine work for
him, and wagers wait. So one hash is made at a time, when there is nothing else to do; and who has
some waiting already is refused at once. Staff have a queue of their own, by where they have logged
in before: many strangers fill theirs, and keep nobody of the house out. Many wrong ones in a row
are hashed by an idle thread.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections import Counter, OrderedDict
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

MOST_IN_VAIN = 10
"""Passwords in a row that were wrong: after so many, which is a flood, the next ones wait for a
core that has nothing else to do, until one is right. A thread of a low priority, once it runs,
keeps a wager waiting for some milliseconds at every step; an idle one does not.
"""

MOST_KNOWN = 1_000
"""Addresses where staff logged in at this node; the one not used longest goes first. A node that
has just started knows none.
"""

Made = TypeVar("Made")


class TooManyTries(Refusal):
    """A password that is not looked at, since too many wait to be."""

    in_short = say.TOO_MANY_TRIES
    remedy = "Wait some seconds and try again."


class HashQueue:
    """One thread, another one for floods, and who waits for them."""

    def __init__(self, name: str = "hashing") -> None:
        self._thread = ThreadPoolExecutor(1, name, initializer=_step_back)
        self._idle = ThreadPoolExecutor(1, f"{name}-idle", initializer=_step_aside)
        self._waiting = Counter[str]()
        self._in_vain = 0  # since one was right

    async def run(self, who: str, make: Callable[[], Made]) -> Made:
        """What `make` gives, in turn; `who` is an address, or a person who is logged in."""
        if self._waiting[who] >= MOST_OF_ONE or self._waiting.total() >= MOST_WAITING:
            raise TooManyTries(say.TOO_MANY_TRIES)
        self._waiting[who] += 1
        try:
            loop = asyncio.get_running_loop()
            thread = self._thread if self._in_vain < MOST_IN_VAIN else self._idle
            made = await loop.run_in_executor(thread, make)
            self._in_vain = 0 if made else self._in_vain + 1
            return made
        finally:
            self._waiting -= Counter([who])  # without those who have none left


class HashQueues:
    """For strangers, and for staff."""

    def __init__(self) -> None:
        self._strangers = HashQueue()
        self._staff = HashQueue("hashing-staff")
        self._known = OrderedDict[str, None]()

    def know(self, address: str) -> None:
        """Somebody of the staff has logged in there."""
        if not address:  # as of a socket in a folder: that could be anybody
            return
        self._known[address] = None
        self._known.move_to_end(address)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def at(self, address: str) -> HashQueue:
        return self._staff if address in self._known else self._strangers

    @property
    def of_staff(self) -> HashQueue:
        """For who is logged in, or has shown a code."""
        return self._staff


def _step_back() -> None:
    """Of this thread alone, and of those that it starts; where a system has priorities by process
    only, all stays as it is.
    """
    if hasattr(os, "setpriority") and os.uname().sysname == "Linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), LOW_PRIORITY)


def _step_aside() -> None:
    """To be run where nothing else is to be done; elsewhere than on Linux, as above."""
    if hasattr(os, "sched_setscheduler") and os.uname().sysname == "Linux":
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    else:
        _step_back()
