"""Limits: what a table takes, checked when it is configured and at every wager; exposure, kept step
by step.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import lcm
from typing import TypeAlias

from msgspec.structs import replace

from puntobanco.base.money import MAX_STAKE_CENTS, dollars
from puntobanco.rules.game import MAIN_BETS, Bet, Game, Odds
from puntobanco_floor.domain.events import BetLimits, Limits
from puntobanco_floor.domain.table.refusals import BadLimits

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

Faults: TypeAlias = Iterator[tuple[str, str]]
"""What is wrong with what somebody filled in: the field, `bets.tie.step_cents`, and why."""


def closing(limits: Limits, closed: Collection[str]) -> Limits:
    """The same limits with these bets closed and every other open."""
    unknown = sorted(set(closed) - set(limits.bets))
    if unknown:
        raise BadLimits(f"{', '.join(unknown)} is no bet of this table")
    bets = {bet: replace(own, closed=bet in closed) for bet, own in limits.bets.items()}
    return replace(limits, bets=bets)


def default_limits(game: Game) -> Limits:
    """A place to start; a house sets its own."""
    bets = dict[str, BetLimits]()
    for bet in game.bets:
        step = lcm(100, bet.step_cents)
        least = -(-DEFAULT_MIN_CENTS // step) * step
        odds = bet.top_odds
        most = min(DEFAULT_MAX_CENTS, DEFAULT_WIN_CENTS * odds.risk // odds.win)
        most = max(least, most // step * step)
        bets[bet.id] = BetLimits(min_cents=least, max_cents=most, step_cents=step)
    return Limits(
        bets=bets,
        patron_max_cents=4 * DEFAULT_MAX_CENTS,
        exposure_max_cents=DEFAULT_EXPOSURE_CENTS,
        hand_pay_cents=DEFAULT_HAND_PAY_CENTS,
    )


def exposure_of(bet: Bet, stake_cents: int) -> int:
    """What a stake adds to the most that the table can lose in this round, bonus apart."""
    return stake_cents * bet.top_odds.win // bet.top_odds.risk


def exposure_by(bet: Bet, by_cents: int, stake_cents: int) -> int:
    """What a stake that changes by so much, to so much, adds to it: the bonus comes with the first
    wager on the bet and goes with the last.
    """
    added = exposure_of(bet, by_cents)
    if bet.bonus and stake_cents == by_cents:
        return added + bet.top_bonus_cents
    if bet.bonus and not stake_cents:
        return added - bet.top_bonus_cents
    return added


def verify_limits(game: Game, limits: Limits) -> None:
    """Refuses limits under which some wager could not be paid in whole cents, or that contradict
    themselves.
    """
    for _, reason in limit_faults(game, limits):
        raise BadLimits(reason)


def limit_faults(game: Game, limits: Limits) -> Faults:
    """What is wrong with limits, by field, in the order in which a refusal names it."""
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


def _policy_faults(limits: Limits) -> Faults:
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


def _open_faults(game: Game, limits: Limits) -> Faults:
    """Player and Banker stay open: the rulebooks name a game's bets and are silent on closing one
    (reading 37), but a table that takes nothing on a hand plays another game. Who wants no wagers
    stops the table, and everybody is told.
    """
    for bet in game.bets:
        if bet.id in MAIN_BETS and limits.bets[bet.id].closed:
            reason = f"{bet.title.en} cannot be closed alone: stop the table instead"
            yield f"bets.{bet.id}.closed", reason
    if all(own.closed for own in limits.bets.values()):
        yield "bets", "a table leaves some bet open: stop the table instead"


def _bet_faults(bet: Bet, own: BetLimits) -> Faults:
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
