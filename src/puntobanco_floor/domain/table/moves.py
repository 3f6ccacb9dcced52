"""Moves: a session goes with its credits to another table.

The old table reserves, the new one decides once (arrived or refused), the old one settles or takes
back. `service/cross_stream_rules.py` says which step follows; both streams have the same id. The
visit goes along as a whole: since when it lasts and what came into it, so that the
patron's own limits count at the new table what was used at the old one, and the house is told of
one visit, when it ends.
"""

from __future__ import annotations

from immutables import Map
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain import refusal_words as say
from puntobanco_floor.domain.machine import check
from puntobanco_floor.domain.stream_names import is_table, place_words
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table import refusals as r
from puntobanco_floor.domain.table.preconditions import Asked, Events
from puntobanco_floor.domain.table.sessions import (
    is_full,
    is_in_play,
    verify_not_in_play,
    verify_own_limits,
)
from puntobanco_floor.domain.table.state import Decided, Moving, Seat, TableState
from puntobanco_proof.entry.format import Fault

LASTS_MS = 300_000
"""How long credits may be on the way. What arrives later is refused, and goes back."""

KEPT_MS = 86_400_000
"""How much longer a table knows what it has decided: asked again after that it answers nothing, so
that no credits arrive twice, nor arrive and go back.
"""

FORGET_EVERY = 256
"""After so many moves those are forgotten that are older."""


# Deciding, at the old table


def reserve(asked: Asked, command: c.ReserveMove) -> Events:
    state, session = asked.state, command.session
    seat = verify_own_limits(asked, session, 0)
    if not is_table(command.to):
        raise r.MoveRefused(say.NO_TABLE.format(place_words(command.to)))
    if command.to == state.stream:
        raise r.MoveRefused(say.SAME_TABLE.format(place_words(command.to)))
    verify_not_in_play(state, session)
    if held := state.proposals.held_for(session):
        raise r.InPlay(say.HAND_PAY_WAITS.format(dollars(held)))
    cents = asked.funds.of(session)
    if not cents:
        raise r.NotEnoughCredits(say.NOTHING_TO_MOVE)
    reserved = e.MoveReserved(
        session=session,
        move=command.move,
        to=command.to,
        cents=cents,
        until=asked.now + LASTS_MS,
        patron=seat.patron,
        in_cents=seat.in_cents,
        since=seat.since,
        loss_cents=seat.loss_cents,
        play_ms=seat.play_ms,
    )
    return (reserved,)


def settle(asked: Asked, command: c.SettleMove) -> Events:
    """The session leaves with it; unless a round that was reopened has paid it here since."""
    state, session = asked.state, command.session
    moving = _reserved(state, session, command.move)
    seat = state.sessions[session]
    settled = e.MoveSettled(
        session=session,
        move=moving.move,
        to=moving.to,
        cents=moving.cents,
        stopped=seat.stopped,
    )
    if asked.funds.of(session) or is_in_play(state, session):
        return (settled,)
    ended = e.SessionEnded(session=session, patron=seat.patron, moved_to=moving.to)
    return settled, ended


def give_back(asked: Asked, command: c.ReturnMove) -> Events:
    moving = _reserved(asked.state, command.session, command.move)
    returned = e.MoveReturned(
        session=command.session,
        move=moving.move,
        to=moving.to,
        cents=moving.cents,
        in_cents=moving.in_cents,
        reason=command.reason,
    )
    return (returned,)


def _reserved(state: TableState, session: str, move: str) -> Moving:
    moving = state.moving.get(session)
    if moving is None or moving.move != move:
        raise r.MoveRefused(say.NO_SUCH_MOVE)
    return moving


# Deciding, at the new one


def arrive(asked: Asked, command: c.ArriveMove) -> Events:
    """Once, whatever comes of it: asked again it is refused without an event."""
    state, session = asked.state, command.session
    if command.move in state.moves or asked.now >= command.until + KEPT_MS:
        raise r.MoveRefused(say.MOVE_DECIDED)
    reason = _objection(asked, command)
    if reason is not None:
        refused = e.MoveRefused(
            session=session,
            move=command.move,
            came_from=command.came_from,
            until=command.until,
            reason=reason,
        )
        return (refused,)
    arrived = e.MoveArrived(
        session=session,
        move=command.move,
        came_from=command.came_from,
        cents=command.cents,
        until=command.until,
        in_cents=command.in_cents,
        since=command.since,
    )
    if session in state.sessions:  # credits come together
        return (arrived,)
    seated = e.SessionSeated(
        session=session,
        patron=command.patron,
        since=command.since,
        loss_cents=command.loss_cents,
        play_ms=command.play_ms,
    )
    return seated, arrived


def _objection(asked: Asked, command: c.ArriveMove) -> Cause | None:
    """Why it cannot arrive."""
    state = asked.state
    if command.objection is not None:
        return command.objection
    if command.epoch != state.epoch:
        return Cause("move-before-recovery")
    if asked.now >= command.until:
        return Cause("move-too-late")
    if state.phase == "down":
        return Cause("move-table-closed")
    if state.halted:
        return Cause("move-table-halted")
    seat = state.sessions.get(command.session)
    if seat is not None:
        return _in_the_way(state, command, seat)
    if is_full(state):
        return Cause("move-table-full")
    if command.play_ms is not None and asked.now >= command.since + command.play_ms:
        return Cause("move-time-over")
    return None


def _in_the_way(state: TableState, command: c.ArriveMove, seat: Seat) -> Cause | None:
    """Of a seat that the session has here already."""
    if seat.by_two:
        return Cause("move-awaits-payment")
    if command.session in state.moving:
        return Cause("move-not-over")
    if seat.patron != command.patron:
        return Cause("move-other-patron")
    return None


# Evolving


def _seated(state: TableState, session: str) -> Seat:
    seat = state.sessions.get(session)
    if seat is None:
        raise Fault(f"session {session} is not seated")
    return seat


def reserved(state: TableState, event: e.MoveReserved) -> TableState:
    seat = _seated(state, event.session)
    check(event.session not in state.moving, f"session {event.session} is on its way already")
    check(event.cents > 0, "moves nothing")
    check(seat.in_cents == event.in_cents, "takes along what never came in")
    moving = Moving(event.move, event.to, event.cents, event.in_cents, event.until, state.seq + 1)
    left = replace(seat, in_cents=0)
    return replace(
        state,
        sessions=state.sessions.set(event.session, left),
        moving=state.moving.set(event.session, moving),
    )


def settled(state: TableState, event: e.MoveSettled) -> TableState:
    _as_reserved(state, event)
    return replace(state, moving=state.moving.delete(event.session))


def returned(state: TableState, event: e.MoveReturned) -> TableState:
    moving = _as_reserved(state, event)
    check(moving.in_cents == event.in_cents, "brings back what did not leave")
    seat = state.sessions[event.session]
    back = replace(seat, in_cents=seat.in_cents + event.in_cents)
    return replace(
        state,
        sessions=state.sessions.set(event.session, back),
        moving=state.moving.delete(event.session),
    )


def _as_reserved(state: TableState, event: e.MoveSettled | e.MoveReturned) -> Moving:
    moving = state.moving.get(event.session)
    if moving is None or (moving.move, moving.cents) != (event.move, event.cents):
        raise Fault(f"move {event.move} was not reserved")
    return moving


def arrived(state: TableState, event: e.MoveArrived) -> TableState:
    decided = _decided(state, event)
    seat = _seated(state, event.session)
    check(event.cents > 0, "moves nothing")
    joined = replace(
        seat, in_cents=seat.in_cents + event.in_cents, since=min(seat.since, event.since)
    )
    return replace(decided, sessions=state.sessions.set(event.session, joined))


def refused(state: TableState, event: e.MoveRefused) -> TableState:
    return _decided(state, event)


def _decided(state: TableState, event: e.MoveDecided) -> TableState:
    check(event.move not in state.moves, f"move {event.move} was decided before")
    known = Decided(event.until, state.seq + 1)
    return replace(state, moves=_remembered(state).set(event.move, known))


def _remembered(state: TableState) -> Map[str, Decided]:
    """Without what was decided so long ago that `arrive` answers nothing, now and then: it is not
    looked through at every move.
    """
    if len(state.moves) % FORGET_EVERY:
        return state.moves
    since = state.at - KEPT_MS
    return Map({move: known for move, known in state.moves.items() if known.until > since})
