"""A table's day so far, from the journal: what it took and what it paid."""

from __future__ import annotations

import puntobanco_floor.domain.events as e
from puntobanco.base.record import Record
from puntobanco_floor.reports.figures import Figures


class DayFigures(Record):
    """A table's day so far, from the journal."""

    drop_cents: int
    win_cents: int
    hold: float | None  # win over drop
    rounds: int
    voids: int
    voided_cents: int
    staked_cents: int


class Day:
    """What one table took and paid since the gaming day began."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.figures = Figures()

    def saw(self, event: e.Event) -> None:
        for name, amount, _ in event.figures():
            self.figures.count(name, amount)

    def view(self) -> DayFigures:
        sums = self.figures
        drop = sums.drop_cents
        win = sums.win_cents
        return DayFigures(
            drop_cents=drop,
            win_cents=win,
            hold=win / drop if drop else None,
            rounds=sums.rounds,
            voids=sums.voids,
            voided_cents=sums.voided_cents,
            staked_cents=sums.wagered_cents,
        )
