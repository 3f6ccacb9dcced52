"""Table time: a clock in milliseconds that is monotonic, whatever is done to the machine's."""

from __future__ import annotations

import time
from collections.abc import Callable

from puntobanco_floor.domain.stream_events import ClockStepped

STEP_MS = 2_000
"""A wall clock that moves this much against the machine's own count has been set."""

FOLLOWED_MS = 60_000
"""How far ahead of table time a wall clock is still followed. No further than a start allows a
clock to be behind the journal: what was followed by mistake does not block the next start.
"""

FORGOTTEN_AN_HOUR_MS = 60_000
"""How much of what was followed is forgotten in an hour: many small steps go no further than that.
A clock that is kept right by NTP drifts 1.8 s an hour at most.
"""

_BOOTTIME = getattr(time, "CLOCK_BOOTTIME", None)


def steady_s() -> float:
    """The machine's own count; where it can be had, one that counts while the machine sleeps."""
    if _BOOTTIME is None:
        return time.monotonic()
    return time.clock_gettime(_BOOTTIME)


class TableTime:
    """Follows the wall clock forwards within a bound, and never backwards: while that is behind or
    too far ahead, time runs on by the machine's monotonic count. What is too far ahead a person
    looks at: the clock is set right, or the program is started again with the clock as it is.
    """

    def __init__(
        self,
        *,
        wall: Callable[[], float] = time.time,
        steady: Callable[[], float] = steady_s,
        least: int = 0,
    ) -> None:
        self._wall = wall
        self._steady = steady
        self._last_wall, self._last_steady = self._read()
        self._now = max(least, self._last_wall)
        self.steps = list[ClockStepped]()  # of the wall clock, until somebody notes them
        self.ahead_ms = 0  # of a wall clock that is not followed
        self._followed_ms = 0.0  # ahead of the machine's own count, less what is forgotten

    def _read(self) -> tuple[int, int]:
        return int(self._wall() * 1000), int(self._steady() * 1000)

    def resume(self, last: int, *, ahead: int = 0, anew: bool = True) -> None:
        """Go on after the last time written down. It is known to have run `ahead` of the wall clock
        by so much; where the wall clock is further behind, it was set back while nobody looked.
        Unless the floor starts `anew`, a wall clock that it does not follow is not followed here.
        """
        if not anew and ahead < -FOLLOWED_MS:
            self._now = 0
        self._now = max(self._now, last)
        if last - self._last_wall - max(0, ahead) >= STEP_MS:
            self.steps.append(ClockStepped(wall_ms=self._last_wall, table_ms=self._now))

    def look(self) -> int:
        """How far ahead the wall clock is now, where it is not followed."""
        self.now()
        return self.ahead_ms

    def now(self) -> int:
        wall, steady = self._read()
        passed = steady - self._last_steady
        jump = (wall - self._last_wall) - passed
        self._last_wall, self._last_steady = wall, steady
        self._now += max(0, passed)
        forgotten_ms = max(0, passed) * FORGOTTEN_AN_HOUR_MS / 3_600_000
        self._followed_ms = max(0.0, self._followed_ms - forgotten_ms)
        ahead_ms = max(0, wall - self._now)
        # Where the wall clock has overtaken table time again, it is followed.
        if self._followed_ms + ahead_ms <= FOLLOWED_MS:
            self._now += ahead_ms
            self._followed_ms += ahead_ms
            ahead_ms = 0
        self.ahead_ms = ahead_ms
        if abs(jump) >= STEP_MS:
            self.steps.append(ClockStepped(wall_ms=wall, table_ms=self._now))
        return self._now


class DatabaseTime:
    """The shared clock of the database, followed unless it is too far ahead of our own count."""

    def __init__(self, steady: Callable[[], float] = steady_s) -> None:
        self._steady = steady
        self._said_ms = 0
        self._time: TableTime | None = None

    @property
    def ahead_ms(self) -> int:
        return self._time.ahead_ms if self._time else 0

    def at(self, said_ms: int) -> int:
        """Now, where the database's clock says this."""
        self._said_ms = said_ms
        if self._time is None:
            self._time = TableTime(wall=lambda: self._said_ms / 1000, steady=self._steady)
        counted = self._time.now()
        self._time.steps.clear()  # nobody notes them here
        return counted if self._time.ahead_ms else said_ms
