"""Decide: what follows from each command at a cage window, a named function for each kind. Pure."""

from __future__ import annotations

from typing import TypeAlias

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain import machine, stream_rules
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.cage.state import CageState
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.machine import Events

Asked: TypeAlias = machine.Asked[CageState]

NO_SHIFT = "no shift is open at this window; open one with its float"


def unknown(_: CageState, command: Command) -> Refusal:
    return r.NotOfTheCage(f"a cage window cannot {command.traits.title.en}")


def open_shift(asked: Asked, command: g.OpenShift) -> Events:
    state = asked.state
    if state.shift is not None:
        raise r.NotAtTheWindow(
            f"the window is {state.shift.cashier}'s; that shift is counted first"
        )
    opened = e.ShiftOpened(
        shift=state.shifts + 1,
        cashier=command.by,
        float_cents=command.float_cents,
        since=asked.now,
    )
    return (opened,)


def sell_voucher(asked: Asked, command: g.SellVoucher) -> Events:
    # an approved command was verified to be the cashier's own when it was asked for
    if not asked.approved_by:
        _verify_own_shift(asked.state, command)
    if command.voucher in asked.funds.vouchers:
        raise r.VoucherRefused(r.VOUCHER_EXISTS)
    sold = e.VoucherSold(
        voucher=command.voucher,
        cents=command.cents,
        expires_at=asked.now + command.valid_ms,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (sold,)


def pay_voucher(asked: Asked, command: g.PayVoucher) -> Events:
    if not asked.approved_by:
        _verify_own_shift(asked.state, command)
        _verify_not_waiting(asked.state, command.voucher)
    voucher = asked.funds.vouchers.get(command.voucher)
    if voucher is None:
        raise r.VoucherRefused(r.NO_VOUCHER)
    if voucher.redeemed:
        raise r.VoucherRefused(r.REDEEMED_BEFORE)
    paid = e.VoucherPaid(
        voucher=command.voucher,
        cents=voucher.cents,
        expired=asked.now >= voucher.expires_at,
        expires_at=voucher.expires_at,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (paid,)


def restore_voucher(asked: Asked, command: g.RestoreVoucher) -> Events:
    stream_rules.verify_two(command)
    if asked.state.epoch == 1:
        raise r.VoucherRefused(
            "nothing was recovered here: a voucher that is not known is not good"
        )
    if command.voucher in asked.funds.vouchers:
        raise r.VoucherRefused("this voucher is known; look at it again")
    restored = e.VoucherRestored(
        voucher=command.voucher,
        cents=command.cents,
        expires_at=asked.now + command.valid_ms,
        reason=command.reason,
        proposed_by=command.by,
        approved_by=command.second,
    )
    return (restored,)


def _verify_own_shift(state: CageState, command: Command) -> None:
    if state.shift is None:
        raise r.NotAtTheWindow(NO_SHIFT)
    if state.shift.cashier != command.by:
        raise r.NotAtTheWindow(f"the window is {state.shift.cashier}'s")
    if state.count is not None:
        raise r.NotAtTheWindow("the drawer is being counted")


def _verify_not_waiting(state: CageState, voucher: str) -> None:
    waiting = state.proposals.waiting.values()
    if any(proposal.command.get("voucher") == voucher for proposal in waiting):
        raise r.VoucherRefused("this voucher waits for a second person already")


def note_cash(asked: Asked, command: g.NoteCash) -> Events:
    shift = asked.state.shift
    is_late = shift is None or shift.number != command.shift
    noted = e.CashNoted(
        shift=command.shift,
        table=command.table,
        entry=command.entry,
        cents=command.cents,
        late=is_late,
    )
    return (noted,)


def count_shift(asked: Asked, command: g.CountShift) -> Events:
    """A person who has begun to count may count again."""
    state = asked.state
    if state.shift is None:
        raise r.NotAtTheWindow(NO_SHIFT)
    if state.count is not None and state.count.by != command.by:
        raise r.NotAtTheWindow(f"{state.count.by} has counted; somebody else confirms it")
    if state.proposals.waiting:
        raise r.NotAtTheWindow("a payment waits for a second person; decide or withdraw it first")
    counted = e.ShiftCounted(
        shift=state.shift.number,
        counted_cents=command.counted_cents,
        by=command.by,
        salt=command.salt,
    )
    return (counted,)


def confirm_count(asked: Asked, command: g.ConfirmCount) -> Events:
    shift, count = asked.state.shift, asked.state.count
    if shift is None or count is None:
        raise r.NotAtTheWindow("no count waits to be confirmed")
    if count.by == command.by:
        raise r.SecondPersonNeeded(f"{command.by} counted first; somebody else counts again")
    first = count.counted_cents
    if command.counted_cents != first:
        differed = e.CountsDiffered(
            shift=shift.number,
            first_cents=first,
            second_cents=command.counted_cents,
            by=command.by,
            salt=command.salt,
        )
        return (differed,)
    closed = e.ShiftClosed(
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
    return (closed,)
