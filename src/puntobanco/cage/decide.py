"""`decide(state, vouchers, command, now)`: what follows from a command at a cage window, or a refusal. Pure."""

from __future__ import annotations

from collections.abc import Mapping

import puntobanco.events as e
from puntobanco.cage import commands as g
from puntobanco.cage.state import HAND_PAY_CENTS, CageState, Payment, Shift
from puntobanco.rules.money import format_cents
from puntobanco.rules.refusals import Refusal
from puntobanco.table.asked import Voucher
from puntobanco.table.commands import Command
from puntobanco.table.refusals import SecondPersonNeeded, UnknownProposal, VoucherRefused

MAX_PAYMENTS = 100


class NotAtTheWindow(Refusal):
    """A command of somebody whose shift it is not, or while there is none."""


class NotOfTheCage(Refusal):
    """A command that a cage does not know."""


class CountsDiffer(Refusal):
    """Two people counted, and not the same."""


def decide(state: CageState, vouchers: Mapping[str, Voucher], command: Command, now: int) -> tuple[e.Event, ...]:
    """The events, never none; or a refusal."""
    match command:
        case g.OpenShift():
            if state.shift is not None:
                raise NotAtTheWindow(f"the window is {state.shift.cashier}'s; that shift is counted first")
            return (
                e.ShiftOpened(shift=state.shifts + 1, cashier=command.by, float_cents=command.float_cents, since=now),
            )
        case g.SellVoucher():
            _own_shift(state, command)
            if command.voucher in vouchers:
                raise VoucherRefused("a voucher of that number exists already")
            return (e.VoucherSold(voucher=command.voucher, cents=command.cents, expires_at=now + command.valid_ms),)
        case g.PayVoucher():
            _own_shift(state, command)
            return (_paid(state, vouchers, command, now),)
        case g.ApprovePayment():
            payment = _waiting(state, command)
            voucher = _payable(vouchers, payment.voucher)
            paid = e.VoucherPaid(
                voucher=payment.voucher, cents=voucher.cents, payment=command.payment, proposed_by=payment.by,
                approved_by=command.by, expired=now >= voucher.expires_at,
            )  # fmt: skip
            return (paid,)
        case g.RejectPayment():
            if command.payment not in state.payments:
                raise UnknownProposal(f"no payment {command.payment} waits")
            return (e.PaymentRejected(payment=command.payment),)
        case g.CountShift():
            _own_shift(state, command)
            if state.payments:
                raise NotAtTheWindow("a payment waits for a second person; decide that first")
            return (e.ShiftCounted(counted_cents=command.counted_cents, elsewhere_cents=command.elsewhere_cents),)
        case g.ConfirmCount():
            return (_closed(state, command),)
    raise NotOfTheCage(f"{command.name()} is no command of a cage")


def _own_shift(state: CageState, command: Command) -> Shift:
    if state.shift is None:
        raise NotAtTheWindow("no shift is open at this window; open one with its float")
    if state.shift.cashier != command.by:
        raise NotAtTheWindow(f"the window is {state.shift.cashier}'s")
    if state.count is not None and not isinstance(command, g.CountShift):
        raise NotAtTheWindow("the drawer is being counted")
    return state.shift


def _payable(vouchers: Mapping[str, Voucher], number: str) -> Voucher:
    voucher = vouchers.get(number)
    if voucher is None:
        raise VoucherRefused("there is no such voucher")
    if voucher.redeemed:
        raise VoucherRefused("this voucher was redeemed before")
    return voucher


def _waiting(state: CageState, command: g.ApprovePayment) -> Payment:
    payment = state.payments.get(command.payment)
    if payment is None or payment.voucher != command.voucher:
        raise UnknownProposal(f"no payment {command.payment} waits")
    if payment.by == command.by:
        raise SecondPersonNeeded(f"{command.by} asked for it; somebody else approves or rejects")
    return payment


def _closed(state: CageState, command: g.ConfirmCount) -> e.ShiftClosed:
    shift, count = state.shift, state.count
    if shift is None or count is None:
        raise NotAtTheWindow("no count waits to be confirmed")
    if shift.cashier == command.by:
        raise SecondPersonNeeded(f"{command.by} counted first; somebody else counts again")
    if command.counted_cents != count.counted_cents:
        raise CountsDiffer(
            f"{format_cents(command.counted_cents)} against {format_cents(count.counted_cents)}: both count again"
        )
    expected = shift.expected_cents(count.elsewhere_cents)
    return e.ShiftClosed(
        shift=shift.number, cashier=shift.cashier, counted_cents=count.counted_cents, expected_cents=expected,
        difference_cents=count.counted_cents - expected,
    )  # fmt: skip


def _paid(
    state: CageState, vouchers: Mapping[str, Voucher], command: g.PayVoucher, now: int
) -> e.VoucherPaid | e.PaymentProposed:
    voucher = _payable(vouchers, command.voucher)
    if now < voucher.expires_at and voucher.cents <= HAND_PAY_CENTS:
        return e.VoucherPaid(voucher=command.voucher, cents=voucher.cents)
    if any(p.voucher == command.voucher for p in state.payments.values()):
        raise VoucherRefused("this voucher waits for a second person already")
    if len(state.payments) >= MAX_PAYMENTS:
        raise VoucherRefused(f"{MAX_PAYMENTS} payments wait for a second person; decide those first")
    why = "it has expired" if now >= voucher.expires_at else f"over {format_cents(HAND_PAY_CENTS)}"
    return e.PaymentProposed(payment=state.proposed + 1, voucher=command.voucher, by=command.by, why=why)
