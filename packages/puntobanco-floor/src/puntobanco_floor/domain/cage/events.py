"""Events of a cage window: its shifts, and the vouchers that it sells and pays."""

from __future__ import annotations

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco_floor.domain.event import ByTwo, Event, EventTraits, Figure, Figures, MayBeByTwo
from puntobanco_floor.domain.ledger import CAGE, UNRECOVERED, VOUCHERS, Transfer, Transfers
from puntobanco_floor.domain.stream_names import place_words
from puntobanco_floor.domain.table.session_events import VoucherIssued, VoucherRedeemed


class ShiftOpened(Event):
    traits = EventTraits(group="money")
    words = Words(
        "{cashier} opens shift {shift} with {float_cents}",
        "{cashier} 開始第 {shift} 更，備用金 {float_cents}",
    )
    shift: int
    cashier: str
    float_cents: int
    since: int


class VoucherSold(MayBeByTwo):
    """Cash for a voucher; by two people where it is large."""

    traits = EventTraits(group="money", heading="large buy-in", beside=True)
    words = Words("a voucher of {cents} is sold for cash", "以現金售出票券 {cents}")
    voucher: str
    cents: int
    expires_at: int

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        return f"a voucher of {dollars(self.cents)} sold for cash{self.by_two()}"

    def transfers(self) -> Transfers:
        return (Transfer(CAGE, VOUCHERS, self.cents),)

    def figures(self) -> Figures:
        return (Figure("sold_cents", self.cents),)


class VoucherPaid(Event):
    """A voucher for cash; by two people where it is large, or has expired."""

    traits = EventTraits(group="money", heading="hand pay", beside=True)
    words = Words("a voucher of {cents} is paid in cash", "以現金支付票券 {cents}")
    voucher: str
    cents: int
    proposed_by: str = ""
    approved_by: str = ""
    expired: bool = False
    expires_at: int = 0  # of the voucher

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        expired = "expired " if self.expired else ""
        return f"{expired}voucher of {dollars(self.cents)} paid{self.by_two()}"

    def transfers(self) -> Transfers:
        return (Transfer(VOUCHERS, CAGE, self.cents),)

    def figures(self) -> Figures:
        return (Figure("paid_cents", self.cents),)


class VoucherRestored(ByTwo):
    """A voucher on paper that a recovery has lost, on the word of two people."""

    traits = EventTraits(group="money", heading="recovery", beside=True)
    words = Words(
        "a lost voucher of {cents} is restored: {reason}", "恢復遺失的票券 {cents}：{reason}"
    )
    voucher: str
    cents: int
    expires_at: int
    reason: str

    def transfers(self) -> Transfers:
        return (Transfer(UNRECOVERED, VOUCHERS, self.cents),)

    def figures(self) -> Figures:
        return (Figure("restored_cents", self.cents),)


class CashNoted(Event):
    """Cash at a table that came into this window's drawer, or left it (below zero)."""

    traits = EventTraits(group="money", heading="drawer")
    shift: int
    table: str
    entry: int
    cents: int
    late: bool = False  # that shift was closed before; its drawer cannot have been right

    def says(self) -> Words:
        cents, late = dollars(self.cents), Words("")
        if self.late:
            late = Words(", after the shift was closed", "，在結更之後")
        said = Words(
            "{0} of cash at {1} in the drawer of shift {2}{3}", "{1} 現金 {0} 記入第 {2} 更{3}"
        )
        return said.format(cents, place_words(self.table), self.shift, late)

    def reported(self) -> str:
        if not self.late:
            return ""
        cents = dollars(self.cents)
        where = place_words(self.table).en
        return f"shift {self.shift} was closed before {cents} of cash at {where} was noted"


class ShiftCounted(Event):
    """A first count; told to nobody before somebody else has counted too."""

    traits = EventTraits(group="money", secret=("counted_cents", "salt"))
    words = Words("shift {shift} was counted once", "第 {shift} 更已初點")
    shift: int
    counted_cents: int
    by: str
    salt: str = ""  # so that the hash of the entry does not tell the figure to who tries them all


class CountsDiffered(Event):
    """Two people counted, and not the same: both count again."""

    traits = EventTraits(
        group="money", heading="drawer", secret=("first_cents", "second_cents", "salt")
    )
    words = Words(
        "shift {shift} was counted differently by two: both count again",
        "第 {shift} 更兩次點算不符：重新點算",
    )
    shift: int
    first_cents: int
    second_cents: int
    by: str  # who counted second
    salt: str = ""

    def reported(self) -> str:
        return (
            f"shift {self.shift}: {self.by} counted otherwise than the first count; "
            "both count again"
        )


class ShiftClosed(Event):
    """Two people counted the same. Expected is the float, plus what came in, less what went out."""

    traits = EventTraits(group="money", heading="drawer", anchors=True, seals=True, carried=True)
    words = Words(
        "shift {shift} closed, difference {difference_cents}",
        "第 {shift} 更結束，差額 {difference_cents}",
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

    def reported(self) -> str:
        if not self.difference_cents:
            return ""
        how, cents = self.off, dollars(abs(self.difference_cents))
        return f"shift {self.shift} of {self.cashier}: {cents} {how}, counted with {self.by}"

    @property
    def off(self) -> str:
        return "short" if self.difference_cents < 0 else "over"


VoucherMade = VoucherIssued | VoucherSold | VoucherRestored
VoucherTaken = VoucherRedeemed | VoucherPaid
VoucherTraded = VoucherSold | VoucherPaid
"""At a window, for the cash in its drawer."""
