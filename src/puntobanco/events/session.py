"""Events of sessions at a table, and of the money that comes in and goes out with them."""

from __future__ import annotations

from typing import ClassVar

from puntobanco.events.event import Event, Figure
from puntobanco.ledger import CAGE, HELD, VOUCHERS, Transfer, account_of
from puntobanco.rules.money import format_cents
from puntobanco.rules.text import Words
from puntobanco.traits import EventTraits


class SessionSeated(Event):
    traits: ClassVar = EventTraits(group="table", carried=True)
    session: str
    patron: str  # who; the session itself when nobody is known
    since: int = 0
    loss_cents: int | None = None  # the most that this session may lose, by the patron's own wish
    play_ms: int | None = None  # and how long it may bet

    def says(self) -> Words:
        return Words(f"{self.session} takes a seat", f"{self.session} 入座")


class SessionLimited(Event):
    """The patron's own limits have changed."""

    traits: ClassVar = EventTraits(group="table")
    session: str
    loss_cents: int | None
    play_ms: int | None

    def says(self) -> Words:
        return Words(
            f"{self.session} has other limits of the patron's own", f"{self.session} 更改自設限額"
        )


class SessionStopped(Event):
    """The session takes no more wagers; those in play are settled like any other."""

    traits: ClassVar = EventTraits(group="table", heading="stop")
    session: str
    reason: str

    def says(self) -> Words:
        return Words(
            f"session {self.session} stopped: {self.reason}",
            f"{self.session} 已停止：{self.reason}",
        )


class SessionRestarted(Event):
    traits: ClassVar = EventTraits(group="table", heading="stop", carried=True)
    session: str

    def says(self) -> Words:
        return Words(f"session {self.session} goes on", f"{self.session} 繼續")


class SessionEnded(Event):
    traits: ClassVar = EventTraits(group="table", carried=True)
    session: str
    patron: str = ""
    net_cents: int = 0  # what left with the patron, less what came in
    played_ms: int = 0

    def says(self) -> Words:
        net = format_cents(self.net_cents)
        return Words(f"{self.session} leaves, {net} net", f"{self.session} 離座，淨額 {net}")


# Cash and vouchers


class CreditsBought(Event):
    """For cash, which lies in the drawer of that shift at that cage window; by two people where it
    is large.
    """

    traits: ClassVar = EventTraits(group="money", heading="large buy-in", carried=True)
    session: str
    cents: int
    window: int = 0  # none where a demonstration gives credits
    shift: int = 0
    proposed_by: str = ""
    approved_by: str = ""

    @property
    def cash_cents(self) -> int:
        """What came into the drawer; below zero, what left it."""
        return self.cents

    def says(self) -> Words:
        cents = format_cents(self.cents)
        return Words(f"{self.session} buys {cents} for cash", f"{self.session} 以現金買入 {cents}")

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        return f"{format_cents(self.cents)} by {self.session}{self.by_two()}"

    def transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(CAGE, account_of(self.session), self.cents),)

    def figures(self) -> tuple[Figure, ...]:
        return (Figure("bought_cents", self.cents, self.session),)


class CreditsLoaded(Event):
    """For cash that the staff collected."""

    traits: ClassVar = EventTraits(group="money", heading="staff load", carried=True)
    session: str
    cents: int
    reason: str
    window: int = 0
    shift: int = 0
    proposed_by: str = ""
    approved_by: str = ""

    @property
    def cash_cents(self) -> int:
        return self.cents

    def says(self) -> Words:
        cents = format_cents(self.cents)
        return Words(
            f"{self.session} gets {cents} {self.reason}".rstrip(),
            f"{self.session} 獲增值 {cents} {self.reason}".rstrip(),
        )

    def reported(self) -> str:
        why = f": {self.reason}" if self.reason else ""
        return f"{format_cents(self.cents)} to {self.session}{why}{self.by_two()}"

    def transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(CAGE, account_of(self.session), self.cents),)

    def figures(self) -> tuple[Figure, ...]:
        loaded = Figure("loaded_cents", self.cents, self.session)
        return loaded, Figure("loads", 1, self.session)


class CashedOut(Event):
    """Cash from the cage. A large one is a hand pay, by two people, of cents that were set apart
    before.
    """

    traits: ClassVar = EventTraits(group="money", heading="hand pay", carried=True)
    session: str
    cents: int
    window: int = 0
    shift: int = 0
    proposed_by: str = ""
    approved_by: str = ""

    @property
    def cash_cents(self) -> int:
        return -self.cents

    def says(self) -> Words:
        cents = format_cents(self.cents)
        return Words(f"{self.session} is paid {cents} in cash", f"{self.session} 獲付現金 {cents}")

    def reported(self) -> str:
        if not self.approved_by:
            return ""
        return f"{format_cents(self.cents)} to {self.session}{self.by_two()}"

    def transfers(self) -> tuple[Transfer, ...]:
        """What two people pay was set apart when it was asked for."""
        paid_from = HELD if self.approved_by else account_of(self.session)
        return (Transfer(paid_from, CAGE, self.cents),)

    def figures(self) -> tuple[Figure, ...]:
        name = "hand_paid_cents" if self.approved_by else "cashed_out_cents"
        return (Figure(name, self.cents, self.session),)


class VoucherRedeemed(Event):
    traits: ClassVar = EventTraits(group="money", beside=True)
    session: str
    voucher: str
    cents: int

    def says(self) -> Words:
        cents = format_cents(self.cents)
        return Words(
            f"{self.session} redeems a voucher of {cents}", f"{self.session} 兌換兌現券 {cents}"
        )

    def transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(VOUCHERS, account_of(self.session), self.cents),)

    def figures(self) -> tuple[Figure, ...]:
        redeemed = Figure("redeemed_cents", self.cents, self.session)
        return redeemed, Figure("vouchers_in", 1, self.session)


class VoucherIssued(Event):
    traits: ClassVar = EventTraits(group="money", beside=True)
    session: str
    voucher: str
    cents: int
    expires_at: int

    def says(self) -> Words:
        cents = format_cents(self.cents)
        return Words(
            f"{self.session} takes {cents} as a voucher", f"{self.session} 取兌現券 {cents}"
        )

    def transfers(self) -> tuple[Transfer, ...]:
        return (Transfer(account_of(self.session), VOUCHERS, self.cents),)

    def figures(self) -> tuple[Figure, ...]:
        issued = Figure("issued_cents", self.cents, self.session)
        return issued, Figure("vouchers_out", 1, self.session)


CashMoved = CreditsBought | CreditsLoaded | CashedOut
"""Cash between a session's credits and the drawer of a shift at a cage window."""
