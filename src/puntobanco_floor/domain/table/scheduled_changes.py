"""Changes of a table's limits, clock and cards: at once between rounds; in a round they are
scheduled, and the clock makes them when it is over. Nothing changes under a round in play.
"""

from __future__ import annotations

from typing import TypeAlias

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.rules.causes import Cause
from puntobanco.rules.game import Game
from puntobanco.rules.round import MAX_CARDS
from puntobanco_floor.domain.machine import CLOCK, check
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table import refusals as r
from puntobanco_floor.domain.table.limits import Faults, verify_limits
from puntobanco_floor.domain.table.phases import BETWEEN
from puntobanco_floor.domain.table.preconditions import Asked, Events
from puntobanco_floor.domain.table.state import TableState

MAX_CLOCK_MS = 3_600_000
MAX_SQUEEZE_MS = 20_000
"""A round waits so long three times at most: after the fourth card, and after each third card."""

MAX_ROAD_ROUNDS = 1_000
MAX_FIRST_BURN = 10
"""Cards burned unseen after a first card that is worth nothing."""

Changed: TypeAlias = e.LimitsChanged | e.ClockChanged | e.CardsChanged


# Deciding


def change_limits(asked: Asked, command: c.ChangeLimits) -> Events:
    verify_limits(asked.state.playing, command.limits)
    return _now_or_scheduled(asked, command.by, e.LimitsChanged(limits=command.limits))


def change_clock(asked: Asked, command: c.ChangeClock) -> Events:
    verify_clock(command.clock)
    return _now_or_scheduled(asked, command.by, e.ClockChanged(clock=command.clock))


def change_cards(asked: Asked, command: c.ChangeCards) -> Events:
    verify_cards(asked.state.playing, command.cards)
    return _now_or_scheduled(asked, command.by, e.CardsChanged(cards=command.cards))


def _now_or_scheduled(asked: Asked, by: str, changed: Changed) -> Events:
    """The newest of a kind holds: what was scheduled before is dropped, or is this very change."""
    state = asked.state
    before = state.scheduled_change(changed.kind)
    if before is not None and by == CLOCK:
        assert not state.is_in_play, "the clock makes changes between rounds"
        return (replace(changed, asked_by=before.by),)
    replaced = () if before is None else (dropped(before, Cause("change-replaced")),)
    if not state.is_in_play:
        return (*replaced, changed)
    change = e.ScheduledChange(kind=changed.kind, by=by, at=asked.now)
    valued = replace(change, **{changed.kind: getattr(changed, changed.kind)})
    return (*replaced, e.ChangeScheduled(change=valued))


def withdraw_change(asked: Asked, command: c.WithdrawChange) -> Events:
    before = asked.state.scheduled_change(command.kind)
    if before is None:
        raise r.NotNow(f"no change of the {e.CHANGES[command.kind].en} is scheduled")
    return (dropped(before, Cause("change-withdrawn")),)


def dropped(change: e.ScheduledChange, why: Cause) -> e.ChangeDropped:
    return e.ChangeDropped(kind=change.kind, asked_by=change.by, why=why)


# What can be refused


def verify_clock(clock: e.Clock) -> None:
    for _, reason in clock_faults(clock):
        raise r.BadCommand(reason)


def clock_faults(clock: e.Clock) -> Faults:
    """What is wrong with a clock, by field."""
    for name in ("betting_ms", "guard_ms", "card_ms", "pause_ms"):
        if not 0 <= getattr(clock, name) <= MAX_CLOCK_MS:
            yield name, f"the times of a clock are 0 to {MAX_CLOCK_MS:,} milliseconds"
    if not 0 <= clock.squeeze_ms <= MAX_SQUEEZE_MS:
        yield "squeeze_ms", f"cards are squeezed for 0 to {MAX_SQUEEZE_MS:,} milliseconds"
    for name in ("betting_ms", "pause_ms"):
        if clock.automatic and not getattr(clock, name):
            yield (
                name,
                "a table that runs by itself needs a betting time, and a pause in which people "
                "can act",
            )


def verify_cards(game: Game, cards: e.Cards) -> None:
    """Refuses a shoe that the rulebook does not allow, or that leaves no round to play."""
    size = len(game.shoe(cards.decks or game.default_decks))
    if cards.source == "continuous" and not game.basics.shuffler:
        raise r.ShoeRefused(
            f"{game.title.en} is dealt from a shoe; its rules have no electronic shuffler"
        )
    if not 1 <= cards.road_rounds <= MAX_ROAD_ROUNDS:
        raise r.ShoeRefused(
            f"the roads of a shuffler start afresh after 1 to {MAX_ROAD_ROUNDS} rounds"
        )
    burned = MAX_FIRST_BURN if cards.burn == "first-card" else cards.burn
    if not 0 <= burned <= c.MAX_BURN:
        raise r.ShoeRefused(f"0 to {c.MAX_BURN} cards are burned")
    if cards.cut < 0 or cards.cut + burned + MAX_CARDS > size:
        raise r.ShoeRefused(
            f"{burned} burned and {cards.cut} behind the cut card leave no round of {size} cards"
        )


# The next state


def value_changed(state: TableState, event: Changed) -> TableState:
    check(state.phase in BETWEEN, f"happened while the table was {state.phase}")
    kind, value = event.kind, getattr(event, event.kind)
    before = state.scheduled_change(kind)
    asked_by, wanted = "", value
    if before is not None:
        asked_by, wanted = before.by, getattr(before, kind)
    is_it = (event.asked_by, value) == (asked_by, wanted)
    check(is_it, f"the {kind} changed otherwise than was scheduled")
    return replace(_without(state, kind), **{kind: value})


def change_scheduled(state: TableState, event: e.ChangeScheduled) -> TableState:
    change = event.change
    check(state.is_in_play, f"was scheduled while the table was {state.phase}")
    check(state.scheduled_change(change.kind) is None, f"the {change.kind} change twice")
    given = [kind for kind in e.CHANGES if getattr(change, kind) is not None]
    check(given == [change.kind], f"a change of the {change.kind} has another value")
    return replace(state, scheduled=(*state.scheduled, change))


def change_dropped(state: TableState, event: e.ChangeDropped) -> TableState:
    before = state.scheduled_change(event.kind)
    is_it = before is not None and before.by == event.asked_by
    check(is_it, f"a change of the {event.kind} was dropped that was not scheduled")
    return _without(state, event.kind)


def _without(state: TableState, kind: e.ChangeKind) -> TableState:
    rest = tuple(change for change in state.scheduled if change.kind != kind)
    return replace(state, scheduled=rest)
