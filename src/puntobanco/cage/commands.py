"""Commands of a cage window, the streams `cage:1`, `cage:2` and so on."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta

from puntobanco.table.commands import MAX_CENTS, Cents, Command, Id

Counted = Annotated[int, Meta(ge=0, le=MAX_CENTS)]


class OpenShift(Command):
    """Whoever gives it has the window; the float is what lies in the drawer."""

    float_cents: Counted


class SellVoucher(Command):
    """Cash in, a voucher out."""

    voucher: Id
    cents: Cents
    valid_ms: Annotated[int, Meta(gt=0, le=10**12)]


class PayVoucher(Command):
    """A voucher in, cash out. One that has expired, or is worth more than the window pays alone, waits for a second."""

    voucher: Id


class CountShift(Command):
    """What lies in the drawer. `elsewhere_cents`: cash that this cashier took at tables, less what was paid there."""

    counted_cents: Counted
    elsewhere_cents: Annotated[int, Meta(ge=-MAX_CENTS, le=MAX_CENTS)] = 0


class ConfirmCount(Command):
    """By somebody else, who has counted too. The same figure ends the shift, another one asks for a new count."""

    counted_cents: Counted


class ApprovePayment(Command):
    """By somebody else than who asked for it; names the voucher too, so that the store holds it under the same lock."""

    payment: int
    voucher: Id


class RejectPayment(Command):
    payment: int


AnyCageCommand: TypeAlias = (
    OpenShift | SellVoucher | PayVoucher | CountShift | ConfirmCount | ApprovePayment | RejectPayment
)

CAGE_COMMANDS: tuple[type[Command], ...] = AnyCageCommand.__args__
