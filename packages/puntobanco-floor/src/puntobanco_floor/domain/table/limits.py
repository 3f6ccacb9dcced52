"""What a table is set to: limits, clock and cards. Between rounds a change is made at once. In a
round it is scheduled, and the clock makes it when the round is over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import lcm
from typing import TypeAlias

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import MAX_STAKE_CENTS, dollars
from puntobanco.rules.causes import Cause
from puntobanco.rules.game import MAIN_BETS, Bet, Game, Odds
from puntobanco.rules.round import MAX_CARDS
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.machine import CLOCK, Events, check
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import BETWEEN, Asked, TableState

DEFAULT_MIN_CENTS = 1_000
"""Ten dollars. A 6 Star Tie wager breaks even near $1.78 at 8 decks: below that its fixed bonuses
are worth more than the wager costs, so its minimum must lie above (docs/explanation/live-table.md).
"""

DEFAULT_MAX_CENTS = 500_000
DEFAULT_WIN_CENTS = 25_000_000
"""By default no wager can win more than $250,000: at 5000 to 1 that is a stake of $50."""

DEFAULT_HAND_PAY_CENTS = 1_000_000
"""Ten thousand dollars: more than that does not leave as a voucher."""

DEFAULT_EXPOSURE_CENTS = 500_000_000
MAX_LIMIT_CENTS = 10**15
MAX_SESSIONS = 100_000
"""At one table at once."""

MAX_CLOCK_MS = 3_600_000
MAX_SQUEEZE_MS = 20_000
"""A round waits so long three times at most: after the fourth card, and after each third card."""

MAX_ROAD_ROUNDS = 1_000
MAX_FIRST_BURN = 10
"""Cards burned unseen after a first card that is worth nothing."""

Faults: TypeAlias = Iterator[tuple[str, str]]
"""What is wrong with what somebody filled in: the field, `bets.tie.step_cents`, and why."""

Changed: TypeAlias = e.LimitsChanged | e.ClockChanged | e.CardsChanged


def closing(limits: e.Limits, closed: Collection[str]) -> e.Limits:
    """The same limits with these bets closed and every other open."""
    unknown = sorted(set(closed) - set(limits.bets))
    if unknown:
        raise r.BadLimits(f"{', '.join(unknown)} is no bet of this table")
    bets = {bet: replace(own, closed=bet in closed) for bet, own in limits.bets.items()}
    return replace(limits, bets=bets)


def default_limits(game: Game) -> e.Limits:
    """A place to start; a house sets its own."""
    bets = dict[str, e.BetLimits]()
    for bet in game.bets:
        step = lcm(100, bet.step_cents)
        least = -(-DEFAULT_MIN_CENTS // step) * step
        odds = bet.top_odds
        most = min(DEFAULT_MAX_CENTS, DEFAULT_WIN_CENTS * odds.risk // odds.win)
        most = max(least, most // step * step)
        bets[bet.id] = e.BetLimits(min_cents=least, max_cents=most, step_cents=step)
    return e.Limits(
        bets=bets,
        patron_max_cents=4 * DEFAULT_MAX_CENTS,
        exposure_max_cents=DEFAULT_EXPOSURE_CENTS,
        hand_pay_cents=DEFAULT_HAND_PAY_CENTS,
    )


def verify_limits(game: Game, limits: e.Limits) -> None:
    """Refuse limits that contradict themselves, or wagers that do not pay whole cents."""
    for _, reason in limit_faults(game, limits):
        raise r.BadLimits(reason)


def limit_faults(game: Game, limits: e.Limits) -> Faults:
    ids = {bet.id for bet in game.bets}
    named = limits.bets.keys()
    missing, extra = ", ".join(sorted(ids - named)), ", ".join(sorted(named - ids))
    if missing or extra:
        wrong = f"no limits for {missing}" if missing else f"{extra} is no bet"
        yield "bets", f"limits name every bet of {game.title.en} and no other: {wrong}"
        return
    for bet in game.bets:
        for name, reason in _bet_faults(bet, limits.bets[bet.id]):
            yield f"bets.{bet.id}.{name}", reason
    yield from _open_faults(game, limits)
    yield from _policy_faults(limits)
    if limits.differential_cents is not None and not set(MAIN_BETS) <= ids:
        reason = f"{game.title.en} has no Player and Banker bets to hold a differential between"
        yield "differential_cents", reason


def _policy_faults(limits: e.Limits) -> Faults:
    most = dollars(MAX_LIMIT_CENTS)
    for name in ("patron_max_cents", "exposure_max_cents"):
        if not 0 < getattr(limits, name) <= MAX_LIMIT_CENTS:
            yield name, f"a patron's maximum and the exposure are $0.01 to {most}"
    for name in ("staff_load_cents", "hand_pay_cents", "large_buy_in_cents"):
        if getattr(limits, name) < 0:
            yield name, "the limits of a staff load, a hand pay and a large buy-in are zero or more"
    if not 0 <= limits.seats <= MAX_SESSIONS:
        yield "seats", f"a table has 1 to {MAX_SESSIONS:,} seats; 0: no such limit"
    if limits.differential_cents is not None and limits.differential_cents <= 0:
        yield "differential_cents", "a differential is more than zero, or not set at all"


def _open_faults(game: Game, limits: e.Limits) -> Faults:
    """Keep Player and Banker open: the rulebooks are silent on closing a bet (reading 37), but
    without a wager on a hand it is another game. A house that wants no wagers stops the table.
    """
    for bet in game.bets:
        if bet.id in MAIN_BETS and limits.bets[bet.id].closed:
            reason = f"{bet.title.en} cannot be closed alone: stop the table instead"
            yield f"bets.{bet.id}.closed", reason
    if all(own.closed for own in limits.bets.values()):
        yield "bets", "a table leaves some bet open: stop the table instead"


def _bet_faults(bet: Bet, own: e.BetLimits) -> Faults:
    title = bet.title.en
    if own.step_cents <= 0 or own.step_cents % bet.step_cents:
        odds = (p.pays for p in bet.pays if isinstance(p.pays, Odds))
        uneven = next((o for o in odds if own.step_cents % o.step_cents), None)
        why = f": {uneven.words.en} on it is not whole cents" if uneven else ""
        step, payable = dollars(own.step_cents), dollars(bet.step_cents)
        reason = f"a step of {step} on {title} is not payable{why}; use a multiple of {payable}"
        yield "step_cents", reason
        return
    if not 0 < own.min_cents <= own.max_cents <= MAX_STAKE_CENTS:
        yield (
            "min_cents",
            f"{title}: a minimum is more than zero and no more than the maximum, at most "
            "a billion dollars",
        )
    step = dollars(own.step_cents)
    for name, what in (("min_cents", "minimum"), ("max_cents", "maximum")):
        cents: int = getattr(own, name)
        if cents % own.step_cents:
            its = f"the {what} of {dollars(cents)}"
            yield name, f"{title}: {its} is no multiple of the step of {step}"


# Deciding changes


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
    replaced = () if before is None else (drop_change(before, Cause("change-replaced")),)
    if not state.is_in_play:
        return (*replaced, changed)
    change = e.ScheduledChange(kind=changed.kind, by=by, at=asked.now)
    valued = replace(change, **{changed.kind: getattr(changed, changed.kind)})
    return (*replaced, e.ChangeScheduled(change=valued))


def withdraw_change(asked: Asked, command: c.WithdrawChange) -> Events:
    before = asked.state.scheduled_change(command.kind)
    if before is None:
        raise r.NotNow(f"no change of the {e.CHANGES[command.kind].en} is scheduled")
    return (drop_change(before, Cause("change-withdrawn")),)


def drop_change(change: e.ScheduledChange, why: Cause) -> e.ChangeDropped:
    return e.ChangeDropped(kind=change.kind, asked_by=change.by, why=why)


# What a clock and a shoe may be


def verify_clock(clock: e.Clock) -> None:
    for _, reason in clock_faults(clock):
        raise r.BadCommand(reason)


def clock_faults(clock: e.Clock) -> Faults:
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
