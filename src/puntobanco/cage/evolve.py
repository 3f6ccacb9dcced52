"""`evolve(state, event)`: the next state of a cage window. It checks that the event can follow."""

from __future__ import annotations

from msgspec.structs import replace

import puntobanco.events as e
from puntobanco.cage.state import CageState, Count, Payment, Shift
from puntobanco.journal import Fault


def evolve(state: CageState, event: e.Event) -> CageState:
    match event:
        case e.ShiftOpened():
            _check(state.shift is None and event.shift == state.shifts + 1, "a shift was opened out of turn")
            shift = Shift(event.shift, event.cashier, event.float_cents, event.since)
            return replace(state, shifts=event.shift, shift=shift)
        case e.VoucherSold():
            shift = _shift(state)
            return replace(state, shift=replace(shift, in_cents=shift.in_cents + event.cents))
        case e.VoucherPaid():
            shift = _shift(state)
            _check(not event.payment or event.payment in state.payments, "a payment was approved that nobody asked for")
            payments = state.payments.delete(event.payment) if event.payment else state.payments
            return replace(state, shift=replace(shift, out_cents=shift.out_cents + event.cents), payments=payments)
        case e.PaymentProposed():
            _check(event.payment == state.proposed + 1, "a payment was proposed out of turn")
            payment = Payment(event.voucher, event.by)
            return replace(state, proposed=event.payment, payments=state.payments.set(event.payment, payment))
        case e.PaymentRejected():
            _check(event.payment in state.payments, "a payment was rejected that nobody asked for")
            return replace(state, payments=state.payments.delete(event.payment))
        case e.ShiftCounted():
            _shift(state)
            return replace(state, count=Count(event.counted_cents, event.elsewhere_cents))
        case e.ShiftClosed():
            shift, count = _shift(state), state.count
            _check(count is not None and event.shift == shift.number, "a shift was closed that was not counted")
            expected = shift.expected_cents(count.elsewhere_cents) if count else 0
            _check(event.expected_cents == expected, "a shift was closed with another sum than it comes to")
            return replace(state, shift=None, count=None)
        case e.PeriodSealed():
            _check(event.period == state.periods + 1, "a period was sealed out of turn")
            return replace(state, periods=event.period)
    raise Fault(f"{type(event).__name__} does not happen at a cage")


def stamped(before: CageState, state: CageState, seq: int, at: int) -> CageState:
    """With the entry's number and time."""
    del before
    return replace(state, seq=seq, at=at)


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise Fault(what)


def _shift(state: CageState) -> Shift:
    if state.shift is None:
        raise Fault("happened while no shift was open")
    return state.shift
