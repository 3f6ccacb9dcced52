"""Login locks: who has tried a name from an address too often waits, longer each time.

A lock is of a name and an address together. So nobody is locked out by what others try from
elsewhere; and it ends by itself, so that nobody has to ask an administrator.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import NamedTuple

from puntobanco_floor.domain.house.state import WRONG_TRIES

FIRST_S = 30.0
"""After so many wrong tries as are free; twice as long after each more."""

LONGEST_S = 900.0
FORGOTTEN_S = 86_400.0
"""A day after the last wrong try they count no more."""

MOST = 100_000
"""Pairs of name and address that are kept; the oldest go first."""


class Tries(NamedTuple):
    wrong: int
    at: float


class LoginLocks:
    def __init__(self) -> None:
        self._tries = OrderedDict[tuple[str, str], Tries]()

    def wait_s(self, name: str, source: str, now: float) -> float:
        """How long this name is locked from this address; 0 where it is not."""
        wrong, at = self._found(name, source, now)
        if wrong < WRONG_TRIES:
            return 0.0
        # bounded before the power is taken: an attacker counts up as long as he likes
        doubled = min(wrong - WRONG_TRIES, 10)
        lasts = min(FIRST_S * (1 << doubled), LONGEST_S)
        return max(0.0, at + lasts - now)

    def was_wrong(self, name: str, source: str, now: float) -> int:
        """How many there were in a row."""
        wrong = self._found(name, source, now).wrong + 1
        self._tries.pop((name, source), None)
        self._tries[name, source] = Tries(wrong, now)
        while len(self._tries) > MOST:
            self._tries.popitem(last=False)
        return wrong

    def was_right(self, name: str, source: str) -> None:
        self._tries.pop((name, source), None)

    def _found(self, name: str, source: str, now: float) -> Tries:
        found = self._tries.get((name, source))
        if found is None or now - found.at >= FORGOTTEN_S:
            return Tries(0, 0.0)
        return found
