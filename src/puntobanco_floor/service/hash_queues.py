"""The queues of password hashing: one hash at a time on a node, staff apart from strangers.

A hash is made to be slow. One thread makes them, and the two queues take turns: however many
strangers wait, a member of the staff waits for one of their hashes at most before each of the
staff's. Strangers have half a core at most, since their queue rests.
"""

from __future__ import annotations

from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

from puntobanco_floor.service.work_queue import WorkQueue

MOST_KNOWN = 1_000
"""Addresses where staff logged in at this node; the one used longest ago is forgotten first. A node
that has just started knows none.
"""


class HashQueues:
    """For strangers, and for staff: by being logged in, or by an address where staff logged in."""

    def __init__(self) -> None:
        thread = ThreadPoolExecutor(1, "hashing")
        self._strangers = WorkQueue(thread)
        self.of_staff = WorkQueue(thread, rest=0)
        self._known = OrderedDict[str, None]()

    def know(self, address: str) -> None:
        """Note that a member of the staff has logged in there."""
        if not address:  # as of a socket in a folder: that could be anybody
            return
        self._known[address] = None
        self._known.move_to_end(address)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def at(self, address: str) -> WorkQueue:
        return self.of_staff if address in self._known else self._strangers
