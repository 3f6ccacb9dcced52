"""Evolve: the next state of the house. Each function checks that its event can follow."""

from __future__ import annotations

from typing import TypeVar

from immutables import Map
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain import proposals
from puntobanco_floor.domain.house.gaming_day import Calendar, Cut
from puntobanco_floor.domain.house.state import (
    ADMINISTRATORS,
    MAX_NODES,
    MAX_PROGRAMS,
    NO_CREDENTIALS,
    Bounds,
    Credentials,
    Device,
    Exclusion,
    Holder,
    HouseState,
    Node,
    Person,
)
from puntobanco_floor.domain.machine import check
from puntobanco_floor.domain.stream_rules import epoch_begun
from puntobanco_proof.entry.format import Fault

T = TypeVar("T")


def house_opened(state: HouseState, event: e.HouseOpened) -> HouseState:
    check(not state.is_open and bool(event.house), "the house was opened twice")
    calendar = Calendar((Cut(event.zone, event.day_starts),))
    return replace(
        state,
        name=event.house,
        demo=event.demo,
        calendar=calendar,
        day=event.day,
        by_two=event.two_administrators,
    )


# Staff


def staff_added(state: HouseState, event: e.StaffAdded) -> HouseState:
    check(event.person not in state.staff, f"{event.person} was added twice")
    if len(state.staff) >= ADMINISTRATORS:  # the first ones come with the house
        _check_two(state, event)
    added = _with_person(state, event.person, Person(event.role, event.verifier))
    return _with_code(added, event)


def staff_changed(state: HouseState, event: e.StaffChanged) -> HouseState:
    before = _known(state.staff.get(event.person), event.person)
    if event.codes or event.role != before.role:
        _check_two(state, event)
    changed = Person(event.role, event.verifier, event.disabled, unconfirmed=before.unconfirmed)
    return _with_code(_with_person(state, event.person, changed), event)


def _check_two(state: HouseState, event: e.StaffAdded | e.StaffChanged) -> None:
    is_by_two = state.are_two(event.proposed_by, event.approved_by) and bool(event.approved_by)
    check(is_by_two or not state.by_two, f"one person changed the account of {event.person}")


def _with_code(state: HouseState, event: e.StaffAdded | e.StaffChanged) -> HouseState:
    """What was there before the code is worth nothing from then on."""
    if not event.codes:
        return state
    made_by = tuple(name for name in (event.proposed_by, event.approved_by) if name)
    waiting = Credentials(codes=event.codes, expires_at=event.expires_at, made_by=made_by)
    return replace(state, credentials=state.credentials.set(event.person, waiting))


def staff_enrolled(state: HouseState, event: e.StaffEnrolled) -> HouseState:
    name = event.person
    person = _known(state.staff.get(name), name)
    enrolled = Credentials(is_enrolled=True, factor=event.factor, pin=event.pin, step=event.step)
    changed = _with_person(state, name, replace(person, verifier=event.verifier, wrong=0))
    after = replace(changed, credentials=state.credentials.set(name, enrolled))
    able = [
        name
        for name, each in after.staff.items()
        if each.role == "administrator" and not each.disabled
        if after.credentials.get(name, NO_CREDENTIALS).is_enrolled
    ]
    # a house from before has its second administrator with this, and decides by two for good
    is_by_two = after.by_two or (not after.demo and len(able) >= ADMINISTRATORS)
    return replace(after, by_two=is_by_two)


def credentials_changed(state: HouseState, event: e.CredentialsChanged) -> HouseState:
    name = event.person
    person = _known(state.staff.get(name), name)
    own = _known(state.credentials.get(name), name)
    check(own.is_enrolled, f"{name} had no password of one's own")
    changed = _with_person(state, name, replace(person, verifier=event.verifier))
    credentials = state.credentials.set(name, replace(own, pin=event.pin))
    return replace(changed, credentials=credentials)


def staff_confirmed(state: HouseState, event: e.StaffConfirmed) -> HouseState:
    person = _known(state.staff.get(event.person), event.person)
    check(person.unconfirmed and event.by != event.person, f"{event.person} was confirmed so")
    return _with_person(state, event.person, replace(person, unconfirmed=False))


def login_noted(state: HouseState, event: e.LoginNoted) -> HouseState:
    person = _known(state.staff.get(event.person), event.person)
    wrong = 0 if event.ok else person.wrong + 1
    noted = _with_person(state, event.person, replace(person, wrong=wrong))
    if not event.step:
        return noted
    own = _known(state.credentials.get(event.person), event.person)
    check(event.step > own.step, f"a one-time code of {event.person} was used twice")
    credentials = state.credentials.set(event.person, replace(own, step=event.step))
    return replace(noted, credentials=credentials)


def proposal_changed(state: HouseState, event: proposals.ProposalEvent) -> HouseState:
    return replace(state, pending=proposals.evolve(state.proposals, event))


def _with_person(state: HouseState, name: str, person: Person) -> HouseState:
    return replace(state, staff=state.staff.set(name, person))


# Terminals


def terminal_added(state: HouseState, event: e.TerminalAdded) -> HouseState:
    check(event.terminal not in state.terminals, f"{event.terminal} was added twice")
    device = Device(event.table, event.code, event.expires_at)
    return _with_device(state, event.terminal, device)


def terminal_enrolled(state: HouseState, event: e.TerminalEnrolled) -> HouseState:
    device = _known(state.terminals.get(event.terminal), event.terminal)
    has_code = bool(device.code) and not device.disabled
    check(has_code, f"{event.terminal} was enrolled without a code")
    return _with_device(state, event.terminal, replace(device, code="", key=event.key))


def terminal_changed(state: HouseState, event: e.TerminalChanged) -> HouseState:
    check(event.terminal in state.terminals, f"there is no terminal {event.terminal}")
    changed = Device(event.table, event.code, event.expires_at, event.key, event.disabled)
    return _with_device(state, event.terminal, changed)


def _with_device(state: HouseState, name: str, device: Device) -> HouseState:
    return replace(state, terminals=state.terminals.set(name, device))


# Patrons


def game_allowed(state: HouseState, event: e.GameAllowed) -> HouseState:
    check(event.definition not in state.games, f"{event.game} was allowed twice")
    is_by_two = event.proposed_by != event.approved_by
    check(is_by_two or not state.by_two, f"one person allowed {event.game}")
    return replace(state, games=(*state.games, event.definition))


def patron_excluded(state: HouseState, event: e.PatronExcluded) -> HouseState:
    exclusion = Exclusion(event.reason, event.until)
    return replace(state, excluded=state.excluded.set(event.patron, exclusion))


def patron_readmitted(state: HouseState, event: e.PatronReadmitted) -> HouseState:
    check(event.patron in state.excluded, f"{event.patron} was not excluded")
    is_by_two = event.proposed_by != event.approved_by
    check(is_by_two or not state.by_two, f"one person readmitted {event.patron}")
    return replace(state, excluded=state.excluded.delete(event.patron))


def exclusions_confirmed(state: HouseState, event: e.ExclusionsConfirmed) -> HouseState:
    check(state.exclusions_unconfirmed, "exclusions were confirmed that nobody doubted")
    check(event.proposed_by != event.approved_by, "one person confirmed the exclusions")
    return replace(state, exclusions_unconfirmed=False)


def patron_erased(state: HouseState, event: e.PatronErased) -> HouseState:
    patron = event.patron
    check(patron not in state.erased, f"the card of {patron} was erased twice")
    by_one = bool(event.proposed_by) and event.proposed_by == event.approved_by
    check(not by_one, f"one person gave up what protects {patron}")
    return replace(
        state,
        erased=state.erased.set(patron, state.day),
        excluded=_without(state.excluded, patron),
        patrons=_without(state.patrons, patron),
        waiting=_without(state.waiting, patron),
    )


def cards_bound(state: HouseState, _: e.CardsBound) -> HouseState:
    check(not state.cards_bound, "cards were bound to their patrons twice")
    return replace(state, cards_bound=True)


def _without(found: Map[str, T], name: str) -> Map[str, T]:
    return found.delete(name) if name in found else found


def patron_limited(state: HouseState, event: e.PatronLimited) -> HouseState:
    bounds = replace(
        state.bounds(event.patron),
        loss_cents=event.loss_cents,
        minutes=event.minutes,
        wider=event.wider,
        wider_at=event.wider_at,
    )
    return _with_bounds(state, event.patron, bounds)


def visit_ended(state: HouseState, event: e.VisitEnded) -> HouseState:
    bounds = _known(state.patrons.get(event.patron), event.patron)
    net_cents = bounds.net_cents + event.net_cents
    played_ms = bounds.played_ms + event.played_ms
    return _with_bounds(
        state, event.patron, replace(bounds, net_cents=net_cents, played_ms=played_ms)
    )


def _with_bounds(state: HouseState, name: str, bounds: Bounds) -> HouseState:
    waiting = _without(state.waiting, name)
    if bounds.wider:
        waiting = waiting.set(name, bounds.wider_at)
    return replace(state, patrons=state.patrons.set(name, bounds), waiting=waiting)


# The floor as a whole


def recovered(state: HouseState, event: e.EpochBegun) -> HouseState:
    """Begin a new epoch: people confirm staff and exclusions, since the lost time may have changed
    them. The two who begin it are confirmed by that.
    """
    here = (event.proposed_by, event.approved_by)
    staff = {
        name: replace(person, unconfirmed=name not in here) for name, person in state.staff.items()
    }
    begun = epoch_begun(state, event)
    return replace(begun, staff=Map(staff), exclusions_unconfirmed=True)


def floor_stopped(state: HouseState, event: e.FloorStopped) -> HouseState:
    return replace(state, stopped=event.cause or event.reason)


def floor_started(state: HouseState, _: e.FloorStarted) -> HouseState:
    return replace(state, stopped="")


def day_ended(state: HouseState, event: e.DayEnded) -> HouseState:
    check(event.day > state.day, "the day ended twice")
    patrons = state.patrons
    for patron, bounds in patrons.items():
        if bounds.net_cents or bounds.played_ms:
            patrons = patrons.set(patron, replace(bounds, net_cents=0, played_ms=0))
    return replace(state, day=event.day, patrons=patrons)


def gaming_day_set(state: HouseState, event: e.GamingDaySet) -> HouseState:
    check(event.day > state.day, "a day was cut that has begun")
    cut = Cut(event.zone, event.day_starts, event.day, event.since)
    return replace(state, calendar=state.calendar.plus(cut))


def window_taken(state: HouseState, event: e.WindowTaken) -> HouseState:
    held, other = state.windows.get(event.window), state.window_of(event.cashier)
    is_free = held is None or held.cashier == event.cashier
    check(is_free, f"cage window {event.window} was taken twice")
    check(other in (None, event.window), f"{event.cashier} has two cage windows")
    holder = Holder(event.cashier, event.shift, event.since)
    return replace(state, windows=state.windows.set(event.window, holder))


def window_left(state: HouseState, event: e.WindowLeft) -> HouseState:
    held = state.windows.get(event.window)
    is_held = held is not None and held.shift == event.shift
    check(is_held, f"cage window {event.window} was left out of turn")
    return replace(state, windows=state.windows.delete(event.window))


# Programs of nodes


def program_checked(state: HouseState, event: e.ProgramChecked) -> HouseState:
    before = state.nodes.get(event.node)
    is_running = event.started or (before is not None and before.is_running)
    node = Node(event.at, event.configuration, is_running, event.fault)
    nodes = state.nodes.set(event.node, node)
    if len(nodes) > MAX_NODES:
        oldest = min(nodes, key=lambda name: (nodes[name].seen, name))
        nodes = nodes.delete(oldest)
    return replace(state, nodes=nodes)


def node_stopped(state: HouseState, event: e.NodeStopped) -> HouseState:
    node = state.nodes.get(event.node)
    check(node is not None and node.is_running, f"node {event.node} stopped twice")
    assert node is not None
    stopped = replace(node, is_running=False)
    return replace(state, nodes=state.nodes.set(event.node, stopped))


def fault_noted(state: HouseState, _: e.FaultNoted) -> HouseState:
    return state


def opened_unwitnessed(state: HouseState, event: e.OpenedUnwitnessed) -> HouseState:
    check(event.proposed_by != event.approved_by, "one person opened without witnesses")
    return state


def program_accepted(state: HouseState, event: e.ProgramAccepted) -> HouseState:
    check(event.program not in state.programs, "a program was accepted twice")
    by_one = bool(state.programs) and event.proposed_by == event.approved_by
    check(not by_one, "one person accepted a program")
    kept = (*state.programs, event.program)[-MAX_PROGRAMS:]
    return replace(state, programs=kept)


def _known(found: T | None, name: str) -> T:
    if found is None:
        raise Fault(f"the house does not know {name}")
    return found
