"""Commands of a cage window, the streams `cage:1`, `cage:2` and so on."""

from __future__ import annotations

from typing import Annotated, ClassVar, TypeAlias

from msgspec import Meta

from puntobanco.commands import MAX_CENTS, About, Cents, Command, Id
from puntobanco.proposals import Approve, Reject, WithdrawProposal

Counted = Annotated[int, Meta(ge=0, le=MAX_CENTS)]


class OpenShift(Command):
    """Whoever gives it has the window; the float is what lies in the drawer."""

    float_cents: Counted


class SellVoucher(Command):
    """Cash in, a voucher out. A large one waits for a second person."""

    about: ClassVar[About] = "money"

    voucher: Id
    cents: Cents
    valid_ms: Annotated[int, Meta(gt=0, le=10**12)]


class PayVoucher(Command):
    """A voucher in, cash out. One that has expired, or is worth more than the window pays alone,
    waits for a second.
    """

    about: ClassVar[About] = "money"

    voucher: Id


class NoteCash(Command):
    """By the floor: cash that came into this window's drawer at a table, or (below zero) left it;
    once an entry.
    """

    shift: Annotated[int, Meta(ge=1)]
    table: Id
    entry: Annotated[int, Meta(ge=1)]
    cents: Annotated[int, Meta(ge=-MAX_CENTS, le=MAX_CENTS)]


Salt = Annotated[str, Meta(max_length=64)]


class CountShift(Command):
    """What lies in the drawer, by the cashier's count, or a supervisor's where the cashier is gone.

    Nobody is told before somebody else has counted too. The floor gives the salt, which hides the
    figure in its hash.
    """

    counted_cents: Counted
    salt: Salt = ""


class ConfirmCount(Command):
    """By somebody else, who has counted too. The same figure ends the shift; another one makes both
    count again.
    """

    counted_cents: Counted
    salt: Salt = ""


AnyCageCommand: TypeAlias = (
    OpenShift
    | SellVoucher
    | PayVoucher
    | NoteCash
    | CountShift
    | ConfirmCount
    | Approve
    | Reject
    | WithdrawProposal
)

CAGE_COMMANDS: tuple[type[Command], ...] = AnyCageCommand.__args__
