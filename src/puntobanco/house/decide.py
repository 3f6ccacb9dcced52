"""`decide(state, command, now)`: the events that follow from a command of the house, or a refusal.
Pure.
"""

from __future__ import annotations

from typing import NoReturn

import puntobanco.events as e
from puntobanco.commands import Command
from puntobanco.house import commands as h
from puntobanco.house import refusals as r
from puntobanco.house.state import DAY_MS, Bounds, HouseState
from puntobanco.table.clock import CLOCK, Due

WIDER_WAITS_MS = DAY_MS
"""Limits that a patron widens hold a day later; time to think again."""

RESERVED = frozenset({"clock", "demo", "device", "floor", "init", "os", "store"})
"""Who else signs in the journal, and whose ids of commands nobody may use up."""

MAX_STAFF, MAX_TERMINALS, MAX_PATRONS = 10_000, 1_000_000, 1_000_000


def decide(state: HouseState, command: Command, now: int) -> tuple[e.Event, ...]:  # noqa: PLR0912 - one case a command
    """The events, never none; or a refusal."""
    if isinstance(command, h.OpenHouse):
        if state.is_open:
            raise r.AlreadyThere(f"this floor was set up before, as {state.name}")
        _verify_free(command.administrator)
        return (
            e.HouseOpened(house=command.house, demo=command.demo),
            e.StaffAdded(
                person=command.administrator, role="administrator", verifier=command.verifier
            ),
        )
    if not state.is_open:
        raise r.NotSetUp("this floor is not set up; `puntobanco init` does it")
    match command:
        case h.AddStaff():
            if command.person in state.staff:
                raise r.AlreadyThere(f"{command.person} is on the staff already")
            _verify_free(command.person)
            _verify_room(len(state.staff), MAX_STAFF)
            return (
                e.StaffAdded(person=command.person, role=command.role, verifier=command.verifier),
            )
        case h.ChangeStaff():
            return (_staff_changed(state, command),)
        case h.NoteLogin():
            person = state.staff.get(command.person) or _unknown(command.person)
            if command.ok and not person.may_enter:
                raise r.Locked(f"{command.person} is locked; an administrator can help")
            return (e.LoginNoted(person=command.person, ok=command.ok),)
        case h.AddTerminal():
            if command.terminal in state.terminals:
                raise r.AlreadyThere(f"terminal {command.terminal} is there already")
            _verify_free(command.terminal)
            _verify_room(len(state.terminals), MAX_TERMINALS)
            return (
                e.TerminalAdded(
                    terminal=command.terminal,
                    table=command.table,
                    code=command.code,
                    expires_at=command.expires_at,
                ),
            )
        case h.EnrolTerminal():
            for name, device in state.terminals.items():
                if device.code == command.code and not device.disabled and now < device.expires_at:
                    return (e.TerminalEnrolled(terminal=name, key=command.key),)
            raise r.EnrolmentRefused(r.WRONG_CODE)
        case h.ChangeTerminal():
            return (_terminal_changed(state, command),)
        case h.ExcludePatron():
            _verify_room(len(state.excluded) - (command.patron in state.excluded), MAX_PATRONS)
            return (
                e.PatronExcluded(patron=command.patron, reason=command.reason, until=command.until),
            )
        case h.ReadmitPatron():
            _verify_known(command.patron in state.excluded, command.patron)
            return (e.PatronReadmitted(patron=command.patron),)
        case h.LimitPatron():
            _verify_room(len(state.patrons) - (command.patron in state.patrons), MAX_PATRONS)
            return (_limited(state.bounds(command.patron), command, now),)
        case h.WidenLimits():
            wider = state.bounds(command.patron).wider
            if wider is None or now < state.bounds(command.patron).wider_at:
                raise r.AlreadyThere(
                    f"no wider limits of {command.patron} wait, or not long enough"
                )
            return (e.PatronLimited(patron=command.patron, loss_cents=wider[0], minutes=wider[1]),)
        case h.EndVisit():
            _verify_known(command.patron in state.patrons, command.patron)
            return (
                e.VisitEnded(
                    patron=command.patron,
                    session=command.session,
                    net_cents=command.net_cents,
                    played_ms=command.played_ms,
                ),
            )
        case h.StopFloor():
            if state.stopped:
                raise r.AlreadyThere(f"the floor is stopped already: {state.stopped}")
            return (e.FloorStopped(reason=command.reason),)
        case h.StartFloor():
            if not state.stopped:
                raise r.AlreadyThere("the floor is not stopped")
            return (e.FloorStarted(),)
        case h.EndDay():
            return (e.DayEnded(day=now // DAY_MS),)
        case h.TakeWindow():
            return (_window_taken(state, command, now),)
        case h.LeaveWindow():
            return (_window_left(state, command),)
    raise r.NotOfTheHouse(f"{command.name()} is a command of a table, not of the house")


def due(state: HouseState) -> Due | None:
    """What the clock owes the house: the end of the day, and limits whose wait is over."""
    if not state.is_open:
        return None
    waits = [
        Due(at, h.WidenLimits(by=CLOCK, patron=patron)) for patron, at in state.waiting.items()
    ]
    return min(
        [Due((state.day + 1) * DAY_MS, h.EndDay(by=CLOCK)), *waits], key=lambda owed: owed.at
    )


def _verify_known(known: bool, name: str) -> None:
    if not known:
        _unknown(name)


def _unknown(name: str) -> NoReturn:
    raise r.Unknown(f"this floor does not know {name}")


def _verify_free(name: str) -> None:
    if name.lower() in RESERVED:
        raise r.AlreadyThere(f"{name} is a name that the house has for itself; take another")


def _verify_room(taken: int, most: int) -> None:
    if taken >= most:
        raise r.AlreadyThere(f"there are {most:,} already; no more can be added")


def _window_taken(state: HouseState, command: h.TakeWindow, now: int) -> e.WindowTaken:
    """One cashier a window, one window a cashier; who has it takes it again for the next shift."""
    held, other = state.windows.get(command.window), state.window_of(command.by)
    if held is not None and (held.cashier != command.by or held.shift > command.shift):
        raise r.WindowRefused(
            f"cage window {command.window} is {held.cashier}'s; that shift is counted first"
        )
    if other not in (None, command.window):
        raise r.WindowRefused(f"{command.by} has cage window {other}; that shift is counted first")
    return e.WindowTaken(window=command.window, cashier=command.by, shift=command.shift, since=now)


def _window_left(state: HouseState, command: h.LeaveWindow) -> e.WindowLeft:
    held = state.windows.get(command.window)
    if held is None or held.shift != command.shift:
        raise r.AlreadyThere(f"nobody has cage window {command.window} for shift {command.shift}")
    return e.WindowLeft(window=command.window, shift=command.shift)


def _staff_changed(state: HouseState, command: h.ChangeStaff) -> e.StaffChanged:
    person = state.staff.get(command.person) or _unknown(command.person)
    changed = e.StaffChanged(
        person=command.person,
        role=command.role or person.role,
        verifier=command.verifier or person.verifier,
        disabled=command.disable or ("" if command.enable else person.disabled),
    )
    others = [p for name, p in state.staff.items() if name != command.person]
    if not any(p.role == "administrator" and not p.disabled for p in others) and (
        changed.role != "administrator" or changed.disabled
    ):
        raise r.LastAdministrator(
            f"{command.person} is the only administrator; add another one first"
        )
    return changed


def _terminal_changed(state: HouseState, command: h.ChangeTerminal) -> e.TerminalChanged:
    device = state.terminals.get(command.terminal) or _unknown(command.terminal)
    renewed = command.code is not None
    revoked = renewed or bool(command.disable)
    return e.TerminalChanged(
        terminal=command.terminal,
        table=device.table if command.table is None else command.table,
        code=command.code if command.code is not None else ("" if revoked else device.code),
        expires_at=command.expires_at if renewed else device.expires_at,
        key="" if revoked else device.key,
        disabled=command.disable or ("" if renewed else device.disabled),
    )


def _limited(bounds: Bounds, command: h.LimitPatron, now: int) -> e.PatronLimited:
    """The narrower of what holds and what is asked for holds at once; the rest waits."""
    asked = (command.loss_cents, command.minutes)
    loss, minutes = _narrower(bounds.loss_cents, asked[0]), _narrower(bounds.minutes, asked[1])
    waits = (loss, minutes) != asked
    return e.PatronLimited(
        patron=command.patron,
        loss_cents=loss,
        minutes=minutes,
        wider=asked if waits else None,
        wider_at=now + WIDER_WAITS_MS if waits else 0,
    )


def _narrower(a: int | None, b: int | None) -> int | None:
    return a if b is None else b if a is None else min(a, b)
