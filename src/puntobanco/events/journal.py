"""Events of the journal itself, in any stream."""

from __future__ import annotations

from typing import ClassVar

from puntobanco.events.event import Event
from puntobanco.rules.text import Words
from puntobanco.traits import EventTraits


class PeriodSealed(Event):
    """The end of a period: the hash of state and balances, from which the next can be checked
    alone.
    """

    traits: ClassVar = EventTraits(group="table")
    period: int
    snapshot: str

    def says(self) -> Words:
        snapshot = self.snapshot[:12]
        return Words(
            f"period {self.period} is sealed, snapshot {snapshot}",
            f"第 {self.period} 期封存，快照 {snapshot}",
        )


class ClockStepped(Event):
    """The wall clock was moved; table time runs on."""

    traits: ClassVar = EventTraits(group="house", heading="time")
    wall_ms: int
    table_ms: int

    def says(self) -> Words:
        step = f"{self.wall_ms - self.table_ms:+}"
        return Words(
            f"the wall clock was set by {step} ms against table time",
            f"時鐘較枱上時間調整 {step} 毫秒",
        )
