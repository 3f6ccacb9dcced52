"""The state of a cage window: its shift, and what waits for a second person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import msgspec
from immutables import Map

from puntobanco.table.state import SNAPSHOT

HAND_PAY_CENTS = 1_000_000
"""Over $10,000 a window does not pay alone."""


class Shift(msgspec.Struct, frozen=True):
    number: int
    cashier: str
    float_cents: int
    since: int
    in_cents: int = 0
    out_cents: int = 0

    def expected_cents(self, elsewhere_cents: int) -> int:
        """What should lie in the drawer."""
        return self.float_cents + self.in_cents - self.out_cents + elsewhere_cents


class Count(msgspec.Struct, frozen=True):
    """A first count, which waits for a second one."""

    counted_cents: int
    elsewhere_cents: int


class Payment(msgspec.Struct, frozen=True):
    """A voucher that waits for a second person."""

    voucher: str
    by: str


class CageState(msgspec.Struct, frozen=True, kw_only=True):
    stream: str
    seq: int = 0
    at: int = 0
    periods: int = 0
    shifts: int = 0
    shift: Shift | None = None
    count: Count | None = None
    proposed: int = 0
    payments: Map[int, Payment] = Map()

    game: ClassVar[None] = None
    shoe: ClassVar[None] = None


_PLAIN = ("stream", "seq", "at", "periods", "shifts", "proposed")


def dump(state: CageState) -> dict[str, object]:
    plain: dict[str, object] = {name: getattr(state, name) for name in _PLAIN} | {"snapshot": SNAPSHOT}
    return plain | {
        "shift": msgspec.to_builtins(state.shift), "count": msgspec.to_builtins(state.count),
        "payments": sorted([n, msgspec.to_builtins(p)] for n, p in state.payments.items()),
    }  # fmt: skip


def load(plain: Mapping[str, Any]) -> CageState:
    return CageState(
        **{name: plain[name] for name in _PLAIN},
        shift=msgspec.convert(plain["shift"], Shift | None), count=msgspec.convert(plain["count"], Count | None),
        payments=Map({n: msgspec.convert(p, Payment) for n, p in plain["payments"]}),
    )  # fmt: skip
