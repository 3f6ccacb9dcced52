"""Evolve: the next state of a cage window. Each function checks that its event can follow."""

from __future__ import annotations

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain import proposals
from puntobanco_floor.domain.cage.state import CageState, Count, Shift
from puntobanco_floor.domain.machine import check, take_voucher
from puntobanco_proof.entry.format import Fault


def shift_opened(state: CageState, event: e.ShiftOpened) -> CageState:
    is_next = state.shift is None and event.shift == state.shifts + 1
    check(is_next, "a shift was opened out of turn")
    shift = Shift(event.shift, event.cashier, event.float_cents, event.since)
    return replace(state, shifts=event.shift, shift=shift, closed=None)


def voucher_sold(state: CageState, event: e.VoucherSold) -> CageState:
    return _with_cash(state, event.cents)


def voucher_paid(state: CageState, event: e.VoucherPaid) -> CageState:
    return take_voucher(_with_cash(state, -event.cents), event)


def voucher_restored(state: CageState, event: e.VoucherRestored) -> CageState:
    check(state.epoch > 1, "a voucher was restored where nothing was recovered")
    check(event.proposed_by != event.approved_by, "one person restored a voucher")
    return state


def cash_noted(state: CageState, event: e.CashNoted) -> CageState:
    is_open = state.shift is not None and state.shift.number == event.shift
    check(event.late != is_open, "cash was noted for another shift than it says")
    return state if event.late else _with_cash(state, event.cents)


def _with_cash(state: CageState, cents: int) -> CageState:
    """With cash that came into the drawer, or (below zero) left it."""
    shift = _shift(state)
    if cents < 0:
        changed = replace(shift, out_cents=shift.out_cents - cents)
    else:
        changed = replace(shift, in_cents=shift.in_cents + cents)
    return replace(state, shift=changed)


def proposals_changed(state: CageState, event: proposals.ProposalEvent) -> CageState:
    return replace(state, proposals=proposals.evolve(state.proposals, event))


def shift_counted(state: CageState, event: e.ShiftCounted) -> CageState:
    check(_shift(state).number == event.shift, "another shift was counted")
    return replace(state, count=Count(event.counted_cents, event.by), differed=False)


def counts_differed(state: CageState, event: e.CountsDiffered) -> CageState:
    check(_shift(state).number == event.shift, "another shift was counted")
    first = state.count.counted_cents if state.count else None
    check(first == event.first_cents != event.second_cents, "the counts did not differ so")
    return replace(state, count=None, differed=True)


def shift_closed(state: CageState, event: e.ShiftClosed) -> CageState:
    shift, expected = _shift(state), event.expected_cents
    check(event.shift == shift.number, "another shift was closed")
    counted = Count(event.counted_cents, event.first)
    check(state.count == counted, "a shift was closed that was not counted so")
    comes_to = shift.expected_cents
    check(expected == comes_to, "a shift was closed with another sum than it comes to")
    difference = event.counted_cents - expected
    check(event.difference_cents == difference, "the difference does not add up")
    check(event.by != event.first, "one person counted twice")
    return replace(state, shift=None, count=None, closed=event)


def _shift(state: CageState) -> Shift:
    if state.shift is None:
        raise Fault("happened while no shift was open")
    return state.shift
