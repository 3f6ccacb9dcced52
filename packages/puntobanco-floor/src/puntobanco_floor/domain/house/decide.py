"""Decide: what follows from each command of the house, a named function for each kind. Pure."""

from __future__ import annotations

from typing import NoReturn, TypeAlias

import msgspec

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.definition import digest, game_of, written_digest
from puntobanco.rules.refusals import BadGame
from puntobanco_floor.domain import machine, proposals, stream_rules
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import DAY_MS, Cut, clock_text, zone_of
from puntobanco_floor.domain.house.state import (
    ADMINISTRATORS,
    FACTOR_ROLES,
    NO_CREDENTIALS,
    Bounds,
    HouseState,
)
from puntobanco_floor.domain.machine import CLOCK, Due, Events
from puntobanco_floor.domain.proposals import Reject, WithdrawProposal

Asked: TypeAlias = machine.Asked[HouseState]

WIDER_WAITS_MS = DAY_MS
"""Limits that a patron widens hold a day later; time to think again."""

RESERVED = frozenset({"clock", "demo", "device", "floor", "init", "os", "store"})
"""Who else signs in the journal, and whose ids of commands nobody may use up."""

CODE_LIVES_MS = 7 * DAY_MS
"""A code that enrols somebody on the staff is good so long at most."""

MAX_STAFF, MAX_TERMINALS, MAX_PATRONS, MAX_GAMES = 10_000, 1_000_000, 1_000_000, 1_000


def verify_set_up(state: HouseState, command: Command) -> None:
    if not state.is_open and not isinstance(command, h.OpenHouse):
        raise _not_set_up()


def unknown(state: HouseState, command: Command) -> Refusal:
    if not state.is_open:
        return _not_set_up()
    return r.NotOfTheHouse(f"the house cannot {command.traits.title.en}: a table does")


def _not_set_up() -> Refusal:
    return r.NotSetUp("this floor is not set up; `puntobanco init` does it")


def open_house(asked: Asked, command: h.OpenHouse) -> Events:
    if asked.state.is_open:
        raise r.AlreadyThere(f"this floor was set up before, as {asked.state.name}")
    person = command.administrator
    _verify_free(person)
    if command.second is not None:
        _verify_free(command.second)
    if person == command.second:
        raise r.SecondPersonNeeded(f"{person} cannot be both administrators")
    zone_of(command.zone)
    opened = e.HouseOpened(
        house=command.house,
        demo=command.demo,
        zone=command.zone,
        day_starts=command.day_starts,
        # in the event: the journal means the same wherever another database of zones is used
        day=Cut(command.zone, command.day_starts).day_at(asked.now),
        two_administrators=command.second is not None and not command.demo,
    )
    given = {person: command.verifier}
    if command.second is not None and command.second_verifier is not None:
        given[command.second] = command.second_verifier
    added = [
        e.StaffAdded(person=name, role="administrator", verifier=verifier)
        for name, verifier in given.items()
    ]
    return (opened, *added, e.CardsBound(cards=0))


# Staff


def add_staff(asked: Asked, command: h.AddStaff) -> Events:
    staff, person = asked.state.staff, command.person
    if person in staff:
        raise r.AlreadyThere(f"{person} is on the staff already")
    _verify_free(person)
    _verify_room(len(staff), MAX_STAFF)
    if command.verifier is None and command.code is None:
        raise r.OwnPassword(f"{person} needs a code to enrol with")
    _verify_own(asked, command)
    added = e.StaffAdded(
        person=person,
        role=command.role,
        verifier=command.verifier or "",
        codes=_codes(command),
        expires_at=_expires_at(asked, command),
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (added,)


def _verify_own(asked: Asked, command: h.AddStaff | h.ChangeStaff) -> None:
    if asked.state.by_two and command.verifier is not None:
        raise r.OwnPassword(f"nobody else makes a password of {command.person}: give out a code")
    # hidden in a change of a role it would lock the owner out, and who approves sees the role
    if command.second_code and not command.code:
        raise r.OwnPassword("a second part of a code goes with a first one")


def _codes(command: h.AddStaff | h.ChangeStaff) -> tuple[str, ...]:
    return tuple(code for code in (command.code, command.second_code) if code)


def _expires_at(asked: Asked, command: h.AddStaff | h.ChangeStaff) -> int:
    if command.code is None:
        return 0
    return min(command.expires_at, asked.now + CODE_LIVES_MS)


def change_staff(asked: Asked, command: h.ChangeStaff) -> Events:
    name, staff = command.person, asked.state.staff
    person = staff.get(name) or _unknown(name)
    _verify_own(asked, command)
    asks_for = {command.by, asked.proposed_by, asked.approved_by}
    if asked.state.by_two and (command.role or command.code) and name in asks_for:
        raise r.SecondPersonNeeded(f"two others change the role of {name}, or give out a new code")
    kept = "" if command.enable else person.disabled
    changed = e.StaffChanged(
        person=name,
        role=command.role or person.role,
        verifier="" if command.code else command.verifier or person.verifier,
        disabled=command.disable or kept,
        codes=_codes(command),
        expires_at=_expires_at(asked, command),
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    needed = ADMINISTRATORS if asked.state.by_two else 1
    is_needed = asked.state.administrators(but=name) < needed
    stays = changed.role == "administrator" and not changed.disabled
    was_one = person.role == "administrator" and not person.disabled
    if was_one and is_needed and not stays:
        which = "the only administrator" if needed == 1 else "one of the last two administrators"
        raise r.LastAdministrator(f"{name} is {which}; add another one first")
    return (changed,)


# What the owner does


def enrol_staff(asked: Asked, command: h.EnrolStaff) -> Events:
    name, state = command.person, asked.state
    person = state.staff.get(name) or _unknown(name)
    own = state.credentials.get(name, NO_CREDENTIALS)
    has_code = bool(own.codes) and own.codes == command.codes and asked.now < own.expires_at
    has_password = state.may_enrol_by_password(name) and person.verifier == command.before
    if person.disabled or person.unconfirmed or not (has_code or has_password):
        raise r.EnrolmentRefused(r.WRONG_STAFF_CODE)
    # a demonstration has no second factor
    if person.role in FACTOR_ROLES and not command.factor and not state.demo:
        raise r.NotEnrolled(f"the role {person.role} logs in with a second factor")
    enrolled = e.StaffEnrolled(
        person=name,
        verifier=command.verifier,
        factor=command.factor,
        pin=command.pin or "",
        step=command.step,
    )
    return (enrolled,)


def change_credentials(asked: Asked, command: h.ChangeCredentials) -> Events:
    name = command.person
    person = asked.state.staff.get(name) or _unknown(name)
    own = asked.state.credentials.get(name, NO_CREDENTIALS)
    if not own.is_enrolled:
        raise r.NotEnrolled(f"{name} has not enrolled")
    if person.verifier != command.before:
        raise r.Locked(f"the password of {name} is another one by now")
    changed = e.CredentialsChanged(
        person=name,
        verifier=command.verifier or person.verifier,
        pin=own.pin if command.pin is None else command.pin,
    )
    return (changed,)


# The second person


def verify_still_asks(state: HouseState, name: str, kind: type[Command]) -> None:
    """Refuse a proposal of somebody who has been disabled or has lost the role since."""
    if not state.may_ask(name, kind.traits.by):
        raise r.SecondPersonNeeded(
            f"{name} may not ask for this any more: disabled, not enrolled, or of another role; "
            "turn it down"
        )


def agree(asked: Asked, command: h.Agree) -> Events:
    """What was proposed is decided anew, as things are now."""
    number = command.proposal
    proposal = proposals.answered_by_another(asked.state.proposals, number, command.by)
    if not asked.state.are_two(proposal.by, command.by):
        raise r.SecondPersonNeeded(
            f"{command.by} and {proposal.by} are not two people: one of them gave out the code "
            "of the other, who has not enrolled"
        )
    machine = asked.machine
    assert machine is not None, "a machine decides"
    held = machine.held(proposal)
    verify_still_asks(asked.state, proposal.by, type(held))
    if isinstance(held, h.AddStaff | h.ChangeStaff) and held.code:
        if command.code is None:
            raise r.OwnPassword("who agrees gives out the other part of the code")
        held = msgspec.structs.replace(held, second_code=command.code)
    by_two = msgspec.structs.replace(asked, proposed_by=proposal.by, approved_by=command.by)
    approved = e.ProposalApproved(proposal=number, by=command.by)
    return (approved, *machine.decides[type(held)](by_two, held))


def turn_down(asked: Asked, command: h.TurnDown) -> Events:
    waiting = asked.state.proposals.waiting.get(command.proposal)
    number = command.proposal
    if waiting is not None and waiting.by == command.by:
        withdrawn = WithdrawProposal(by=command.by, proposal=number)
        return proposals.withdraw(asked, withdrawn)
    rejected = Reject(by=command.by, proposal=number, reason=command.reason)
    return proposals.reject(asked, rejected)


def unconfirmed(name: str) -> str:
    return f"the system was recovered: another supervisor or administrator confirms {name} first"


def note_login(asked: Asked, command: h.NoteLogin) -> Events:
    person = asked.state.staff.get(command.person) or _unknown(command.person)
    if command.ok and person.unconfirmed:
        raise r.NotConfirmed(unconfirmed(command.person))
    if command.ok and not person.may_enter:
        raise r.Locked(f"{command.person} is disabled; an administrator can help")
    if command.ok and not asked.state.has_enrolled(command.person):
        raise r.NotEnrolled(f"{command.person} has not enrolled")
    own = asked.state.credentials.get(command.person, NO_CREDENTIALS)
    if command.ok and own.factor and command.step <= own.step:
        raise r.Locked(f"a one-time code of {command.person} was used before")
    noted = e.LoginNoted(
        person=command.person,
        ok=command.ok,
        source=command.source,
        step=command.step if command.ok else 0,
    )
    return (noted,)


def confirm_staff(asked: Asked, command: h.ConfirmStaff) -> Events:
    staff, name = asked.state.staff, command.person
    person = staff.get(name) or _unknown(name)
    if not person.unconfirmed:
        raise r.AlreadyThere(f"{name} is confirmed already; nothing was changed")
    if not asked.state.are_two(command.by, name):
        raise r.SecondPersonNeeded(f"{name} is confirmed by somebody else")
    confirming = staff.get(command.by)
    if confirming is not None and confirming.unconfirmed:
        raise r.NotConfirmed(f"{command.by} is not confirmed since the recovery")
    return (e.StaffConfirmed(person=name, by=command.by),)


# Terminals


def add_terminal(asked: Asked, command: h.AddTerminal) -> Events:
    terminals, name = asked.state.terminals, command.terminal
    if name in terminals:
        raise r.AlreadyThere(f"terminal {name} is there already")
    _verify_free(name)
    _verify_room(len(terminals), MAX_TERMINALS)
    added = e.TerminalAdded(
        terminal=name, table=command.table, code=command.code, expires_at=command.expires_at
    )
    return (added,)


def enrol_terminal(asked: Asked, command: h.EnrolTerminal) -> Events:
    for name, device in asked.state.terminals.items():
        is_good = not device.disabled and asked.now < device.expires_at
        if device.code == command.code and is_good:
            return (e.TerminalEnrolled(terminal=name, key=command.key),)
    raise r.EnrolmentRefused(r.WRONG_CODE)


def change_terminal(asked: Asked, command: h.ChangeTerminal) -> Events:
    device = asked.state.terminals.get(command.terminal) or _unknown(command.terminal)
    table = device.table if command.table is None else command.table
    code, key, expires_at = device.code, device.key, device.expires_at
    disabled = command.disable or device.disabled
    if command.disable:
        code, key = "", ""
    if command.code is not None:
        code, key, expires_at, disabled = command.code, "", command.expires_at, command.disable
    changed = e.TerminalChanged(
        terminal=command.terminal,
        table=table,
        code=code,
        expires_at=expires_at,
        key=key,
        disabled=disabled,
    )
    return (changed,)


# Games


def allow_game(asked: Asked, command: h.AllowGame) -> Events:
    """Whoever gives it has checked it: that takes longer than a decision may."""
    found = game_of(command.definition)
    if found.id != command.game:
        raise BadGame(f"the definition is of another game, {found.title.en}")
    written = written_digest(command.definition)
    if written in asked.state.games:
        raise r.AlreadyThere(f"this definition of {found.title.en} is allowed already")
    _verify_room(len(asked.state.games), MAX_GAMES)
    allowed = e.GameAllowed(
        game=found.id,
        digest=digest(found),
        definition=written,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (allowed,)


# Patrons


def exclude_patron(asked: Asked, command: h.ExcludePatron) -> Events:
    excluded, patron = asked.state.excluded, command.patron
    _verify_room(len(excluded) - (patron in excluded), MAX_PATRONS)
    held = asked.state.excludes(patron, asked.now)
    if asked.state.by_two and held is not None and _is_sooner(command.until, held.until):
        raise r.SecondPersonNeeded(
            f"{patron} is excluded for longer already: two people readmit, one excludes anew"
        )
    return (e.PatronExcluded(patron=patron, reason=command.reason, until=command.until),)


def _is_sooner(one: int | None, other: int | None) -> bool:
    """Of two ends of an exclusion; none is never."""
    if one is None:
        return False
    return other is None or one < other


def readmit_patron(asked: Asked, command: h.ReadmitPatron) -> Events:
    _verify_known(command.patron in asked.state.excluded, command.patron)
    readmitted = e.PatronReadmitted(
        patron=command.patron, proposed_by=asked.proposed_by, approved_by=asked.approved_by
    )
    return (readmitted,)


def confirm_exclusions(asked: Asked, command: h.ConfirmExclusions) -> Events:
    stream_rules.verify_two(command)
    if not asked.state.exclusions_unconfirmed:
        raise r.AlreadyThere("the exclusions are confirmed already; nothing was changed")
    confirmed = e.ExclusionsConfirmed(
        patrons=len(asked.state.excluded), proposed_by=command.by, approved_by=command.second
    )
    return (confirmed,)


def erase_patron(asked: Asked, command: h.ErasePatron) -> Events:
    """Refuse while something protects the patron, who could come back under another id."""
    state, patron = asked.state, command.patron
    if patron in state.erased:
        raise r.AlreadyThere(f"the card of {patron} was erased before")
    _verify_room(len(state.erased), MAX_PATRONS)
    if command.second is not None:
        if command.second == command.by:
            raise r.SecondPersonNeeded(f"{command.by} cannot be both people")
        given_up = e.PatronErased(
            patron=patron,
            reason=command.reason,
            proposed_by=command.by,
            approved_by=command.second,
        )
        return (given_up,)
    if state.excludes(patron, asked.now):
        raise r.StillNeeded(f"{patron} is excluded; the exclusion must be over first")
    if state.bounds(patron).is_set:
        raise r.StillNeeded(f"{patron} has limits of the patron's own; they must be over first")
    return (e.PatronErased(patron=patron, reason=command.reason),)


def bind_cards(asked: Asked, command: h.BindCards) -> Events:
    if asked.state.cards_bound:
        raise r.AlreadyThere("cards are bound to their patrons already; nothing was changed")
    return (e.CardsBound(cards=command.cards),)


def limit_patron(asked: Asked, command: h.LimitPatron) -> Events:
    state, patron = asked.state, command.patron
    _verify_room(len(state.patrons) - (patron in state.patrons), MAX_PATRONS)
    return (_limited(state.bounds(patron), command, asked.now),)


def widen_limits(asked: Asked, command: h.WidenLimits) -> Events:
    bounds = asked.state.bounds(command.patron)
    if bounds.wider is None or asked.now < bounds.wider_at:
        raise r.AlreadyThere(f"no wider limits of {command.patron} wait, or not long enough")
    loss_cents, minutes = bounds.wider
    return (e.PatronLimited(patron=command.patron, loss_cents=loss_cents, minutes=minutes),)


def end_visit(asked: Asked, command: h.EndVisit) -> Events:
    _verify_known(command.patron in asked.state.patrons, command.patron)
    ended = e.VisitEnded(
        patron=command.patron,
        session=command.session,
        net_cents=command.net_cents,
        played_ms=command.played_ms,
    )
    return (ended,)


# The floor as a whole


def stop_floor(asked: Asked, command: h.StopFloor) -> Events:
    if asked.state.stopped:
        why = words_of(asked.state.stopped)
        raise r.AlreadyThere(f"the floor is stopped already: {why.en}")
    if isinstance(command.reason, Cause):
        return (e.FloorStopped(reason="", cause=command.reason),)
    return (e.FloorStopped(reason=command.reason),)


def start_floor(asked: Asked, _: h.StartFloor) -> Events:
    if not asked.state.stopped:
        raise r.AlreadyThere("the floor is not stopped")
    return (e.FloorStarted(),)


def end_day(asked: Asked, _: h.EndDay) -> Events:
    return (e.DayEnded(day=asked.state.calendar.day_at(asked.now)),)


def set_gaming_day(asked: Asked, command: h.SetGamingDay) -> Events:
    state, zone, starts = asked.state, command.zone, command.day_starts
    zone_of(zone)
    last = state.calendar.cuts[-1]
    if (last.zone, last.starts) == (zone, starts):
        raise r.AlreadyThere(f"a day starts at {clock_text(starts)} in {zone} already")
    # by the clock: where nobody serves the floor, the days that have passed were not ended yet
    today = max(state.day, state.calendar.day_at(asked.now))
    cut = state.calendar.changed(today, zone, starts)
    return (e.GamingDaySet(zone=zone, day_starts=starts, day=cut.day, since=cut.since),)


def take_window(asked: Asked, command: h.TakeWindow) -> Events:
    """One cashier a window, one window a cashier; who has it takes it again for the next shift."""
    state, window, cashier = asked.state, command.window, command.by
    held, other = state.windows.get(window), state.window_of(cashier)
    if held is not None and (held.cashier != cashier or held.shift > command.shift):
        raise r.WindowRefused(
            f"cage window {window} is {held.cashier}'s; that shift is counted first"
        )
    if other not in (None, window):
        raise r.WindowRefused(f"{cashier} has cage window {other}; that shift is counted first")
    taken = e.WindowTaken(window=window, cashier=cashier, shift=command.shift, since=asked.now)
    return (taken,)


def leave_window(asked: Asked, command: h.LeaveWindow) -> Events:
    held = asked.state.windows.get(command.window)
    if held is None or held.shift != command.shift:
        raise r.AlreadyThere(f"nobody has cage window {command.window} for shift {command.shift}")
    return (e.WindowLeft(window=command.window, shift=command.shift),)


def due(state: HouseState) -> Due | None:
    """What the clock owes the house: the end of the day, and limits whose wait is over."""
    if not state.is_open:
        return None
    owed = [Due(state.calendar.start(state.day + 1), h.EndDay(by=CLOCK))]
    for patron, at in state.waiting.items():
        owed.append(Due(at, h.WidenLimits(by=CLOCK, patron=patron)))
    return min(owed, key=lambda each: each.at)


# Programs of nodes


def check_program(asked: Asked, command: h.CheckProgram) -> Events:
    """The first program that a house is served with is accepted by that."""
    state, node = asked.state, command.node
    before = state.nodes.get(node)
    is_unclean = command.started and before is not None and before.is_running
    checked = e.ProgramChecked(
        node=node,
        at=asked.now,
        version=command.version,
        program=command.program,
        configuration=command.configuration,
        fault=command.fault,
        started=command.started,
        unclean_since=before.seen if before and is_unclean else 0,
        reconfigured=before is not None and before.configuration != command.configuration,
    )
    is_first = bool(command.program) and not state.programs and not command.fault
    if not is_first:
        return (checked,)
    accepted = e.ProgramAccepted(
        version=command.version, program=command.program, files=command.files
    )
    return (checked, accepted)


def stop_node(asked: Asked, command: h.StopNode) -> Events:
    node = asked.state.nodes.get(command.node)
    if node is None or not node.is_running:
        raise r.AlreadyThere(f"node {command.node} does not run; nothing was changed")
    return (e.NodeStopped(node=command.node),)


def note_fault(_: Asked, command: h.NoteFault) -> Events:
    return (e.FaultNoted(node=command.node, place=command.place, what=command.what),)


def accept_program(asked: Asked, command: h.AcceptProgram) -> Events:
    stream_rules.verify_two(command)
    if command.program in asked.state.programs:
        raise r.AlreadyThere("this program is accepted already; nothing was changed")
    accepted = e.ProgramAccepted(
        version=command.version,
        program=command.program,
        files=command.files,
        proposed_by=command.by,
        approved_by=command.second,
    )
    return (accepted,)


def open_unwitnessed(_: Asked, command: h.OpenUnwitnessed) -> Events:
    stream_rules.verify_two(command)
    opened = e.OpenedUnwitnessed(
        node=command.node,
        reason=command.reason,
        size=command.size,
        proposed_by=command.by,
        approved_by=command.second,
    )
    return (opened,)


# What several decisions check


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


def _limited(bounds: Bounds, command: h.LimitPatron, now: int) -> e.PatronLimited:
    """The narrower of what holds and what is asked for holds at once; the rest waits."""
    asked = (command.loss_cents, command.minutes)
    loss = _narrower(bounds.loss_cents, command.loss_cents)
    minutes = _narrower(bounds.minutes, command.minutes)
    waits = (loss, minutes) != asked
    return e.PatronLimited(
        patron=command.patron,
        loss_cents=loss,
        minutes=minutes,
        wider=asked if waits else None,
        wider_at=now + WIDER_WAITS_MS if waits else 0,
    )


def _narrower(a: int | None, b: int | None) -> int | None:
    given = [limit for limit in (a, b) if limit is not None]
    return min(given, default=None)
