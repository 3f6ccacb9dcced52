"""Events of a cage window: its shifts, and the vouchers that it sells and pays."""

from __future__ import annotations

from typing import ClassVar

from puntobanco.events.event import Event, Figure
from puntobanco.events.session import VoucherIssued, VoucherRedeemed
from puntobanco.ledger import CAGE, VOUCHERS, Transfer
from puntobanco.rules.money import format_cents
from puntobanco.rules.text import Words
from puntobanco.traits import EventTraits


class ShiftOpened(Event):
    traits: ClassVar = EventTraits(group="money")
    shift: int
    cashier: str
    float_cents: int
    since: int

    def says(self) -> Words:
        cents = format_cents(self.float_cents)
        return Words(
            f"{self.cashier} opens shift {self.shift} with {cents}",
            f"{self.cashier} 開始第 {self.shift} 更，備用金 {cents}",
        )


class VoucherSold(Event):
    """Cash for a voucher; by two people where it is large."""

    traits: ClassVar = EventTraits(group="money", heading="large buy-in", beside=True)
    voucher: str
    cents: int
    expires_at: int
    proposed_by: str = ""
    approved_by: str = ""

    @property
    def cash_cents(self) -> int:
        return self.cents

    def says(self) -> Words:
        cents = format_cents(self.cents)
        return Words(f"a voucher of {cents} is sold for cash", f"以現金售出兌現券 {cents}")

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        return f"a voucher of {format_cents(self.cents)} sold for cash{self.by_two()}"

    def transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(CAGE, VOUCHERS, self.cents),)

    def figures(self) -> tuple[Figure, ...]:
        return Figure("sold_cents", self.cents), Figure("vouchers_out", 1)


class VoucherPaid(Event):
    """A voucher for cash; by two people where it is large, or has expired."""

    traits: ClassVar = EventTraits(group="money", heading="hand pay", beside=True)
    voucher: str
    cents: int
    proposed_by: str = ""
    approved_by: str = ""
    expired: bool = False

    @property
    def cash_cents(self) -> int:
        return -self.cents

    def says(self) -> Words:
        cents = format_cents(self.cents)
        return Words(f"a voucher of {cents} is paid in cash", f"以現金支付兌現券 {cents}")

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        expired = "expired " if self.expired else ""
        return f"{expired}voucher of {format_cents(self.cents)} paid{self.by_two()}"

    def transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(VOUCHERS, CAGE, self.cents),)

    def figures(self) -> tuple[Figure, ...]:
        return Figure("paid_cents", self.cents), Figure("vouchers_in", 1)


class CashNoted(Event):
    """Cash of a table that came into this window's drawer, or left it (below zero); the table's
    entry moved it.
    """

    traits: ClassVar = EventTraits(group="money", heading="drawer")
    shift: int
    table: str
    entry: int
    cents: int
    late: bool = False  # that shift was closed before; its drawer cannot have been right

    def says(self) -> Words:
        cents, late = format_cents(self.cents), Words("")
        if self.late:
            late = Words(", after the shift was closed", "，在結更之後")
        return Words(
            f"{cents} of cash at {self.table} in the drawer of shift {self.shift}{late.en}",
            f"{self.table} 現金 {cents} 記入第 {self.shift} 更{late.zh}",
        )

    def reported(self) -> str:
        if not self.late:
            return ""
        cents = format_cents(self.cents)
        return f"shift {self.shift} was closed before {cents} of cash at {self.table} was noted"


class ShiftCounted(Event):
    """A first count; told to nobody before somebody else has counted too."""

    traits: ClassVar = EventTraits(group="money", secret=("counted_cents", "salt"))
    shift: int
    counted_cents: int
    by: str
    salt: str = ""  # so that the hash of the entry does not tell the figure to who tries them all

    def says(self) -> Words:
        return Words(f"shift {self.shift} was counted once", f"第 {self.shift} 更已初點")


class CountsDiffered(Event):
    """Two people counted, and not the same: both count again."""

    traits: ClassVar = EventTraits(
        group="money", heading="drawer", secret=("first_cents", "second_cents", "salt")
    )
    shift: int
    first_cents: int
    second_cents: int
    by: str  # who counted second
    salt: str = ""

    def says(self) -> Words:
        return Words(
            f"shift {self.shift} was counted differently by two: both count again",
            f"第 {self.shift} 更兩次點算不符：重新點算",
        )

    def reported(self) -> str:
        return (
            f"shift {self.shift}: {self.by} counted otherwise than the first count; "
            "both count again"
        )


class ShiftClosed(Event):
    """Two people counted the same. What should lie there is the float, what came in, less what went
    out.
    """

    traits: ClassVar = EventTraits(
        group="money", heading="drawer", signs=True, seals=True, carried=True
    )
    shift: int
    cashier: str
    first: str  # who counted first: the cashier, or a supervisor where the cashier is gone
    by: str  # who counted second
    since: int
    float_cents: int
    in_cents: int
    out_cents: int
    counted_cents: int
    expected_cents: int
    difference_cents: int

    def says(self) -> Words:
        cents = format_cents(self.difference_cents)
        return Words(
            f"shift {self.shift} closed, difference {cents}",
            f"第 {self.shift} 更結束，差額 {cents}",
        )

    def reported(self) -> str:
        if not self.difference_cents:
            return ""
        how, cents = self.off, format_cents(abs(self.difference_cents))
        return f"shift {self.shift} of {self.cashier}: {cents} {how}, counted with {self.by}"

    @property
    def off(self) -> str:
        return "short" if self.difference_cents < 0 else "over"


VoucherMade = VoucherIssued | VoucherSold
VoucherTaken = VoucherRedeemed | VoucherPaid
VoucherTraded = VoucherSold | VoucherPaid
"""At a window, for the cash in its drawer."""
