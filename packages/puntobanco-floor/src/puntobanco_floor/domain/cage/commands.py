"""Commands of a cage window, the streams `cage:1`, `cage:2` and so on."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from puntobanco.base.words import Words
from puntobanco_floor.domain.cage.state import HAND_PAY_CENTS, LARGE_BUY_IN_CENTS, CageState
from puntobanco_floor.domain.commands import (
    CASHIERS,
    DECIDERS,
    MAX_CENTS,
    Cents,
    Command,
    CommandTraits,
    Id,
    Reason,
)
from puntobanco_floor.domain.events import Proposed, VoucherPaid, VoucherSold
from puntobanco_floor.domain.machine import Asked
from puntobanco_floor.domain.proposals import (  # noqa: F401 - commands of this machine, too
    Approve,
    Reject,
    WithdrawProposal,
    always,
)

Counted = Annotated[int, Meta(ge=0, le=MAX_CENTS)]


def above_buy_in(
    asked: Asked[CageState], command: SellVoucher, found: tuple[VoucherSold]
) -> Proposed | None:
    [sold] = found
    return always(asked, command, found) if sold.cents > LARGE_BUY_IN_CENTS else None


def above_hand_pay_or_doubtful(
    asked: Asked[CageState], command: PayVoucher, found: tuple[VoucherPaid]
) -> Proposed | None:
    [paid] = found
    voucher = asked.funds.vouchers[command.voucher]
    is_trusted = asked.state.trusted.has(command.voucher, voucher)
    is_small = paid.cents <= HAND_PAY_CENTS and not paid.expired and is_trusted
    return None if is_small else always(asked, command, found)


class OpenShift(Command):
    """Whoever gives it has the window; the float is what lies in the drawer."""

    traits = CommandTraits(title=Words("open a shift", "開更"), by=CASHIERS)

    float_cents: Counted


class SellVoucher(Command):
    """Cash in, a voucher out. A large one waits for a second person."""

    traits = CommandTraits(
        title=Words("sell a voucher", "出售票券"), about="money", by=CASHIERS, second=above_buy_in
    )

    voucher: Id
    cents: Cents
    valid_ms: Annotated[int, Meta(gt=0, le=10**12)]


class PayVoucher(Command):
    """Voucher in, cash out. An expired, large or unconfirmed voucher waits for a second person."""

    traits = CommandTraits(
        title=Words("pay a voucher", "兌付票券"),
        about="money",
        by=CASHIERS,
        second=above_hand_pay_or_doubtful,
    )

    voucher: Id


class RestoreVoucher(Command):
    """Restore a paper voucher that a recovery lost; two people decide it."""

    traits = CommandTraits(title=Words("restore a lost voucher", "恢復遺失的票券"))

    second: Id
    voucher: Id
    cents: Cents
    valid_ms: Annotated[int, Meta(gt=0, le=10**12)]
    reason: Reason


class NoteCash(Command):
    """By the floor, once an entry: cash at a table came into or (below zero) left the drawer."""

    traits = CommandTraits(title=Words("note the cash of a table", "記錄賭枱現金"))

    shift: Annotated[int, Meta(ge=1)]
    table: Id
    entry: Annotated[int, Meta(ge=1)]
    cents: Annotated[int, Meta(ge=-MAX_CENTS, le=MAX_CENTS)]


Salt = Annotated[str, Meta(max_length=64)]


class CountShift(Command):
    """Count the drawer. The count stays hidden until somebody else has counted too, and the floor's
    salt hides it in its hash.
    """

    traits = CommandTraits(title=Words("count the drawer", "點算錢櫃"), by=DECIDERS)

    counted_cents: Counted
    salt: Salt = ""


class ConfirmCount(Command):
    """By somebody else, who has counted too. If the two counts differ, both count again."""

    traits = CommandTraits(title=Words("count the drawer again", "覆點錢櫃"), by=DECIDERS)

    counted_cents: Counted
    salt: Salt = ""
