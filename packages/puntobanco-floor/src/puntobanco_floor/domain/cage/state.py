"""The state of a cage window: its shift and drawer, and what waits for a second person."""

from __future__ import annotations

from typing import ClassVar

import msgspec
from immutables import Map

from puntobanco_floor.domain import proposals
from puntobanco_floor.domain.events import ShiftClosed
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.proposals import Proposals
from puntobanco_floor.domain.snapshots import Added

HAND_PAY_CENTS = 1_000_000
"""Over $10,000 a window does not pay alone."""

LARGE_BUY_IN_CENTS = 1_000_000
"""Nor does it take more than that alone."""


class Shift(msgspec.Struct, frozen=True):
    number: int
    cashier: str
    float_cents: int
    since: int
    in_cents: int = 0  # at the window and at tables
    out_cents: int = 0

    @property
    def expected_cents(self) -> int:
        return self.float_cents + self.in_cents - self.out_cents


class Count(msgspec.Struct, frozen=True):
    counted_cents: int
    by: str


class CageState(State, frozen=True, kw_only=True):
    redeemed: Added[Map[str, int]] = Map()  # vouchers, and when each expires
    shifts: int = 0
    shift: Shift | None = None
    count: Count | None = None  # a first one, which waits for a second
    differed: bool = False  # two people counted, and not the same: both count again
    closed: ShiftClosed | None = None  # how the last shift ended, until the next one opens
    proposals: Proposals = proposals.NONE

    rules: ClassVar[str] = ""  # no game is played here
