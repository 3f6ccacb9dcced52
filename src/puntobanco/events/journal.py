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
    words: ClassVar = Words(
        "period {period} is sealed, snapshot {snapshot:.12}",
        "第 {period} 期封存，快照 {snapshot:.12}",
    )
    period: int
    snapshot: str


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
