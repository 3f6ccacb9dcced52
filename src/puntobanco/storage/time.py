"""Table time: milliseconds that never run backwards, whatever is done to the machine's clock."""

from __future__ import annotations

import time
from collections.abc import Callable

STEP_MS = 2_000
"""A wall clock that moves this much against the machine's own count has been set."""


class TableTime:
    """The wall clock, followed forwards at once and never backwards: then time runs on by the machine's own count."""

    def __init__(
        self, *, wall: Callable[[], float] = time.time, steady: Callable[[], float] = time.monotonic, least: int = 0
    ) -> None:
        self._wall, self._steady = wall, steady
        self._ahead = 0  # how far table time runs ahead of the wall clock
        self._last_wall, self._last_steady = self._read()
        self._ahead = max(0, least - self._last_wall)
        self._now = self._last_wall + self._ahead
        self.stepped: int | None = None  # by how much the wall clock was last set, until somebody notes it

    def _read(self) -> tuple[int, int]:
        return int(self._wall() * 1000), int(self._steady() * 1000)

    def now(self) -> int:
        wall, steady = self._read()
        passed = steady - self._last_steady
        jump = (wall - self._last_wall) - passed
        if abs(jump) >= STEP_MS:
            self.stepped = jump
        self._last_wall, self._last_steady = wall, steady
        # Where the wall clock has overtaken table time again, it is followed.
        self._now = max(wall, self._now + max(0, passed))
        return self._now
