"""`evolve(state, event)`: the next state of a cage window. It checks that the event can follow."""

from __future__ import annotations

from msgspec.structs import replace

import puntobanco.events as e
from puntobanco import proposals
from puntobanco.cage.state import CageState, Count, Shift
from puntobanco.journal import Fault


def evolve(state: CageState, event: e.Event) -> CageState:
    match event:
        case e.ShiftOpened():
            _check(
                state.shift is None and event.shift == state.shifts + 1,
                "a shift was opened out of turn",
            )
            shift = Shift(event.shift, event.cashier, event.float_cents, event.since)
            return replace(state, shifts=event.shift, shift=shift, closed=None)
        case e.VoucherSold():
            return _with_cash(state, event.cents)
        case e.VoucherPaid():
            return _with_cash(state, -event.cents)
        case e.CashNoted():
            is_open = state.shift is not None and state.shift.number == event.shift
            _check(event.late != is_open, "cash was noted for another shift than it says")
            return state if event.late else _with_cash(state, event.cents)
        case (
            e.Proposed()
            | e.ProposalApproved()
            | e.ProposalRejected()
            | e.ProposalWithdrawn()
            | e.ProposalLapsed()
        ):
            return replace(state, proposals=proposals.evolve(state.proposals, event))
        case e.ShiftCounted():
            _check(_shift(state).number == event.shift, "another shift was counted")
            return replace(state, count=Count(event.counted_cents, event.by), differed=False)
        case e.CountsDiffered():
            _check(_shift(state).number == event.shift, "another shift was counted")
            first = state.count.counted_cents if state.count else None
            _check(first == event.first_cents != event.second_cents, "the counts did not differ so")
            return replace(state, count=None, differed=True)
        case e.ShiftClosed():
            return _closed(state, event)
        case e.PeriodSealed():
            _check(event.period == state.periods + 1, "a period was sealed out of turn")
            return replace(state, periods=event.period)
    raise Fault(f"{type(event).__name__} does not happen at a cage")


def _closed(state: CageState, event: e.ShiftClosed) -> CageState:
    shift = _shift(state)
    _check(event.shift == shift.number, "another shift was closed")
    _check(
        state.count == Count(event.counted_cents, event.first),
        "a shift was closed that was not counted so",
    )
    _check(
        event.expected_cents == shift.expected_cents,
        "a shift was closed with another sum than it comes to",
    )
    _check(
        event.difference_cents == event.counted_cents - event.expected_cents,
        "the difference does not add up",
    )
    _check(event.by != event.first, "one person counted twice")
    return replace(state, shift=None, count=None, closed=event)


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


def _with_cash(state: CageState, cents: int) -> CageState:
    """With cash that came into the drawer, or (below zero) left it."""
    shift = _shift(state)
    if cents < 0:
        return replace(state, shift=replace(shift, out_cents=shift.out_cents - cents))
    return replace(state, shift=replace(shift, in_cents=shift.in_cents + cents))
