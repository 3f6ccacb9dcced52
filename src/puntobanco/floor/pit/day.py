"""A table's day so far, from the journal: what it took and what it paid."""

from __future__ import annotations

from collections import Counter

import puntobanco.events as e
from puntobanco.events import Record


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
    """What one table took and paid since midnight UTC."""

    def __init__(self, number: int) -> None:
        self.number, self.sums = number, Counter[str]()

    def saw(self, event: e.Event) -> None:
        sums = self.sums
        match event:
            case e.CreditsBought() | e.CreditsLoaded() | e.VoucherRedeemed():
                sums["drop"] += event.cents
            case e.RoundSettled():
                sums["rounds"] += 1
                for line in event.lines:
                    sums["staked"] += line.stake_cents
                    sums["win"] += line.stake_cents - line.paid_cents
            case e.RoundVoided():
                sums["voids"] += 1
                sums["voided"] += sum(line.stake_cents for line in event.lines)
            case e.RoundReopened():
                sums["rounds"] -= 1
                for recovery in event.recoveries:
                    sums["staked"] -= recovery.line.stake_cents
                    sums["win"] -= recovery.line.stake_cents - recovery.line.paid_cents

    def view(self) -> DayFigures:
        s = self.sums
        return DayFigures(
            drop_cents=s["drop"],
            win_cents=s["win"],
            hold=s["win"] / s["drop"] if s["drop"] else None,
            rounds=s["rounds"],
            voids=s["voids"],
            voided_cents=s["voided"],
            staked_cents=s["staked"],
        )
