"""Table time: a clock in milliseconds that is monotonic, whatever is done to the machine's."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

STEP_MS = 2_000
"""A wall clock that moves this much against the machine's own count has been set."""


class Step(NamedTuple):
    """The wall clock was set: what it said then, and what table time was."""

    wall_ms: int
    table_ms: int


class TableTime:
    """Follows the wall clock forwards at once and never backwards: while that is behind, time runs
    on by the machine's monotonic count.
    """

    def __init__(
        self,
        *,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
        least: int = 0,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._last_wall, self._last_steady = self._read()
        self._now = max(least, self._last_wall)
        self.steps = list[Step]()  # of the wall clock, until somebody notes them

    def _read(self) -> tuple[int, int]:
        return int(self._wall() * 1000), int(self._steady() * 1000)

    def resume(self, last: int, *, ahead: int = 0) -> None:
        """Go on after the last time written down. It is known to have run `ahead` of the wall clock
        by so much; where the wall clock is further behind, it was set back while nobody looked.
        """
        self._now = max(self._now, last)
        if last - self._last_wall - ahead >= STEP_MS:
            self.steps.append(Step(self._last_wall, self._now))

    def now(self) -> int:
        wall, steady = self._read()
        passed = steady - self._last_steady
        jump = (wall - self._last_wall) - passed
        self._last_wall, self._last_steady = wall, steady
        # Where the wall clock has overtaken table time again, it is followed.
        self._now = max(wall, self._now + max(0, passed))
        if abs(jump) >= STEP_MS:
            self.steps.append(Step(wall, self._now))
        return self._now
