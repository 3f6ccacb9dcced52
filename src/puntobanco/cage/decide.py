"""`decide(state, vouchers, command, now)`: what follows from a command at a cage window, or a
refusal. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

import puntobanco.events as e
from puntobanco import proposals
from puntobanco.cage import commands as g
from puntobanco.cage.state import HAND_PAY_CENTS, LARGE_BUY_IN_CENTS, CageState, Shift
from puntobanco.commands import Command
from puntobanco.rules.refusals import Refusal
from puntobanco.table.context import Voucher
from puntobanco.table.refusals import SecondPersonNeeded, VoucherRefused

Vouchers = Mapping[str, Voucher]
Events = tuple[e.Event, ...]


class NotAtTheWindow(Refusal):
    """A command of somebody whose shift it is not, or while there is none."""


class NotOfTheCage(Refusal):
    """A command that a cage does not know."""


def decide(state: CageState, vouchers: Vouchers, command: Command, now: int) -> Events:
    """The events, never none; or a refusal."""
    match command:
        case g.OpenShift():
            return (_opened(state, command, now),)
        case g.SellVoucher():
            _own_shift(state, command)
            return (
                _by_two_above(
                    state, _sold(vouchers, command, now), command, now, LARGE_BUY_IN_CENTS
                ),
            )
        case g.PayVoucher():
            _own_shift(state, command)
            _verify_not_waiting(state, command.voucher)
            return (
                _by_two_above(state, _paid(vouchers, command, now), command, now, HAND_PAY_CENTS),
            )
        case g.NoteCash():
            is_late = state.shift is None or state.shift.number != command.shift
            return (
                e.CashNoted(
                    shift=command.shift,
                    table=command.table,
                    entry=command.entry,
                    cents=command.cents,
                    late=is_late,
                ),
            )
        case g.Approve():
            return _approved(state, vouchers, command, now)
        case g.Reject():
            return (proposals.reject(state.proposals, command),)
        case g.WithdrawProposal():
            return (proposals.withdraw(state.proposals, command),)
        case g.CountShift():
            return (_counted(state, command),)
        case g.ConfirmCount():
            return (_confirmed(state, command),)
    raise NotOfTheCage(f"{command.name()} is no command of a cage")


def _opened(state: CageState, command: g.OpenShift, now: int) -> e.ShiftOpened:
    if state.shift is not None:
        raise NotAtTheWindow(f"the window is {state.shift.cashier}'s; that shift is counted first")
    return e.ShiftOpened(
        shift=state.shifts + 1, cashier=command.by, float_cents=command.float_cents, since=now
    )


def _own_shift(state: CageState, command: Command) -> Shift:
    if state.shift is None:
        raise NotAtTheWindow("no shift is open at this window; open one with its float")
    if state.shift.cashier != command.by:
        raise NotAtTheWindow(f"the window is {state.shift.cashier}'s")
    if state.count is not None:
        raise NotAtTheWindow("the drawer is being counted")
    return state.shift


def _sold(vouchers: Vouchers, command: g.SellVoucher, now: int) -> e.VoucherSold:
    if command.voucher in vouchers:
        raise VoucherRefused("a voucher of that number exists already")
    return e.VoucherSold(
        voucher=command.voucher, cents=command.cents, expires_at=now + command.valid_ms
    )


def _paid(vouchers: Vouchers, command: g.PayVoucher, now: int) -> e.VoucherPaid:
    voucher = vouchers.get(command.voucher)
    if voucher is None:
        raise VoucherRefused("there is no such voucher")
    if voucher.redeemed:
        raise VoucherRefused("this voucher was redeemed before")
    return e.VoucherPaid(
        voucher=command.voucher, cents=voucher.cents, expired=now >= voucher.expires_at
    )


def _verify_not_waiting(state: CageState, voucher: str) -> None:
    if any(
        waiting.command.get("voucher") == voucher for waiting in state.proposals.waiting.values()
    ):
        raise VoucherRefused("this voucher waits for a second person already")


def _by_two_above(
    state: CageState,
    found: e.VoucherSold | e.VoucherPaid,
    command: Command,
    now: int,
    most_cents: int,
) -> e.Event:
    """What one person may do alone; the rest is proposed."""
    is_expired = isinstance(found, e.VoucherPaid) and found.expired
    if found.cents <= most_cents and not is_expired:
        return found
    return proposals.propose(state.proposals, command, now)


def _approved(state: CageState, vouchers: Vouchers, command: g.Approve, now: int) -> Events:
    """The held command is decided anew, as things are now."""
    proposal = proposals.answered_by_another(state.proposals, command.proposal, command.by)
    held = msgspec.convert(proposal.command, g.SellVoucher | g.PayVoucher)
    found = (
        _sold(vouchers, held, now)
        if isinstance(held, g.SellVoucher)
        else _paid(vouchers, held, now)
    )
    by_two = msgspec.structs.replace(found, proposed_by=proposal.by, approved_by=command.by)
    return (e.ProposalApproved(proposal=command.proposal, by=command.by), by_two)


def _counted(state: CageState, command: g.CountShift) -> e.ShiftCounted:
    """Whoever has begun to count may count again; the roles say who may count the drawer of a
    cashier who is gone.
    """
    if state.shift is None:
        raise NotAtTheWindow("no shift is open at this window; open one with its float")
    if state.count is not None and state.count.by != command.by:
        raise NotAtTheWindow(f"{state.count.by} has counted; somebody else confirms it")
    if state.proposals.waiting:
        raise NotAtTheWindow("a payment waits for a second person; decide or withdraw it first")
    return e.ShiftCounted(
        shift=state.shift.number,
        counted_cents=command.counted_cents,
        by=command.by,
        salt=command.salt,
    )


def _confirmed(state: CageState, command: g.ConfirmCount) -> e.ShiftClosed | e.CountsDiffered:
    shift, count = state.shift, state.count
    if shift is None or count is None:
        raise NotAtTheWindow("no count waits to be confirmed")
    if count.by == command.by:
        raise SecondPersonNeeded(f"{command.by} counted first; somebody else counts again")
    first = count.counted_cents
    if command.counted_cents != first:
        return e.CountsDiffered(
            shift=shift.number,
            first_cents=first,
            second_cents=command.counted_cents,
            by=command.by,
            salt=command.salt,
        )
    return e.ShiftClosed(
        shift=shift.number,
        cashier=shift.cashier,
        first=count.by,
        by=command.by,
        since=shift.since,
        float_cents=shift.float_cents,
        in_cents=shift.in_cents,
        out_cents=shift.out_cents,
        counted_cents=first,
        expected_cents=shift.expected_cents,
        difference_cents=first - shift.expected_cents,
    )
