"""The state of a cage window: its shift and drawer, and what waits for a second person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec

from puntobanco import proposals
from puntobanco.events import ShiftClosed
from puntobanco.proposals import Proposals
from puntobanco.table.state import SNAPSHOT

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
        """What should lie in the drawer."""
        return self.float_cents + self.in_cents - self.out_cents


class Count(msgspec.Struct, frozen=True):
    counted_cents: int
    by: str


class CageState(msgspec.Struct, frozen=True, kw_only=True):
    stream: str
    seq: int = 0
    at: int = 0
    periods: int = 0
    shifts: int = 0
    shift: Shift | None = None
    count: Count | None = None  # a first one, which waits for a second
    differed: bool = False  # two people counted, and not the same: both count again
    closed: ShiftClosed | None = None  # how the last shift ended, until the next one opens
    proposals: Proposals = proposals.NONE

    game: ClassVar[None] = None
    shoe: ClassVar[None] = None


_PLAIN = ("stream", "seq", "at", "periods", "shifts", "differed")


def dump(state: CageState) -> dict[str, object]:
    plain: dict[str, object] = {name: getattr(state, name) for name in _PLAIN}
    return plain | {
        "snapshot": SNAPSHOT,
        "shift": msgspec.to_builtins(state.shift),
        "count": msgspec.to_builtins(state.count),
        "closed": msgspec.to_builtins(state.closed),
        "proposals": proposals.dump(state.proposals),
    }


def load(plain: Mapping[str, Any]) -> CageState:
    return CageState(
        **{name: plain[name] for name in _PLAIN},
        shift=msgspec.convert(plain["shift"], Shift | None),
        count=msgspec.convert(plain["count"], Count | None),
        closed=msgspec.convert(plain["closed"], ShiftClosed | None),
        proposals=proposals.load(plain["proposals"]),
    )
