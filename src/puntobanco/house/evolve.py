"""`evolve(state, event)`: the next state of the house. It checks that the event can follow."""

from __future__ import annotations

from typing import TypeVar

from msgspec.structs import replace

import puntobanco.events as e
from puntobanco.house.state import DAY_MS, Bounds, Device, Exclusion, Holder, HouseState, Person
from puntobanco.journal import Fault

T = TypeVar("T")


def evolve(state: HouseState, event: e.Event) -> HouseState:  # noqa: PLR0912 - one case an event
    match event:
        case e.HouseOpened():
            _check(not state.is_open and bool(event.house), "the house was opened twice")
            return replace(state, name=event.house, demo=event.demo)
        case e.StaffAdded():
            _check(event.person not in state.staff, f"{event.person} was added twice")
            return replace(
                state, staff=state.staff.set(event.person, Person(event.role, event.verifier))
            )
        case e.StaffChanged():
            _check(event.person in state.staff, f"{event.person} is not on the staff")
            person = Person(event.role, event.verifier, event.disabled)
            return replace(state, staff=state.staff.set(event.person, person))
        case e.LoginNoted():
            person = _of(state.staff.get(event.person), event.person)
            person = replace(person, wrong=0 if event.ok else person.wrong + 1)
            return replace(state, staff=state.staff.set(event.person, person))
        case e.TerminalAdded():
            _check(event.terminal not in state.terminals, f"{event.terminal} was added twice")
            return _device(state, event.terminal, Device(event.table, event.code, event.expires_at))
        case e.TerminalEnrolled():
            device = _of(state.terminals.get(event.terminal), event.terminal)
            _check(
                bool(device.code) and not device.disabled,
                f"{event.terminal} was enrolled without a code",
            )
            return _device(state, event.terminal, replace(device, code="", key=event.key))
        case e.TerminalChanged():
            _check(event.terminal in state.terminals, f"there is no terminal {event.terminal}")
            changed = Device(event.table, event.code, event.expires_at, event.key, event.disabled)
            return _device(state, event.terminal, changed)
        case e.PatronExcluded():
            excluded = state.excluded.set(event.patron, Exclusion(event.reason, event.until))
            return replace(state, excluded=excluded)
        case e.PatronReadmitted():
            _check(event.patron in state.excluded, f"{event.patron} was not excluded")
            return replace(state, excluded=state.excluded.delete(event.patron))
        case e.PatronLimited():
            bounds = replace(
                state.bounds(event.patron),
                loss_cents=event.loss_cents,
                minutes=event.minutes,
                wider=event.wider,
                wider_at=event.wider_at,
            )
            return _patron(state, event.patron, bounds)
        case e.VisitEnded():
            bounds = _of(state.patrons.get(event.patron), event.patron)
            net, played = bounds.net_cents + event.net_cents, bounds.played_ms + event.played_ms
            return _patron(state, event.patron, replace(bounds, net_cents=net, played_ms=played))
        case e.FloorStopped():
            return replace(state, stopped=event.reason)
        case e.FloorStarted():
            return replace(state, stopped="")
        case e.DayEnded():
            _check(event.day > state.day, "the day ended twice")
            patrons = state.patrons
            for patron, bounds in patrons.items():
                if bounds.net_cents or bounds.played_ms:
                    patrons = patrons.set(patron, replace(bounds, net_cents=0, played_ms=0))
            return replace(state, day=event.day, patrons=patrons)
        case e.WindowTaken():
            held = state.windows.get(event.window)
            _check(
                held is None or held.cashier == event.cashier,
                f"cage window {event.window} was taken twice",
            )
            _check(
                state.window_of(event.cashier) in (None, event.window),
                f"{event.cashier} has two cage windows",
            )
            holder = Holder(event.cashier, event.shift, event.since)
            return replace(state, windows=state.windows.set(event.window, holder))
        case e.WindowLeft():
            held = state.windows.get(event.window)
            _check(
                held is not None and held.shift == event.shift,
                f"cage window {event.window} was left out of turn",
            )
            return replace(state, windows=state.windows.delete(event.window))
        case e.PeriodSealed():
            _check(event.period == state.periods + 1, "a period was sealed out of turn")
            return replace(state, periods=event.period)
        case e.ClockStepped():
            return state
    raise Fault(f"{type(event).__name__} does not happen to the house")


def stamped(before: HouseState, state: HouseState, seq: int, at: int) -> HouseState:
    """With the entry's number and time; the first day begins when the house is opened."""
    day = at // DAY_MS if state.is_open and not before.is_open else state.day
    return replace(state, seq=seq, at=at, day=day)


def _check(holds: bool, what: str) -> None:
    if not holds:
        raise Fault(what)


def _of(found: T | None, name: str) -> T:
    if found is None:
        raise Fault(f"the house does not know {name}")
    return found


def _device(state: HouseState, name: str, device: Device) -> HouseState:
    return replace(state, terminals=state.terminals.set(name, device))


def _patron(state: HouseState, name: str, bounds: Bounds) -> HouseState:
    waiting = state.waiting.set(name, bounds.wider_at) if bounds.wider else state.waiting
    if not bounds.wider and name in waiting:
        waiting = waiting.delete(name)
    return replace(state, patrons=state.patrons.set(name, bounds), waiting=waiting)
