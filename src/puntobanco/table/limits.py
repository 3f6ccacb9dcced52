"""Limits: what a table takes, checked when it is configured and at every wager; exposure, kept step
by step.
"""

from __future__ import annotations

from collections.abc import Collection
from math import lcm

from msgspec.structs import replace

from puntobanco.events import BetLimits, Limits
from puntobanco.rules.game import MAIN_BETS, Bet, Game
from puntobanco.rules.money import MAX_STAKE_CENTS, Odds, format_cents
from puntobanco.table.refusals import BadLimits

DEFAULT_MIN_CENTS = 1_000
"""Ten dollars. A 6 Star Tie wager breaks even near $1.78 at 8 decks: below that its fixed bonuses
are worth more than the wager costs, so its minimum must lie above (docs/live-table.md).
"""

DEFAULT_MAX_CENTS = 500_000
DEFAULT_WIN_CENTS = 25_000_000
"""By default no wager can win more than $250,000: at 5000 to 1 that is a stake of $50."""

DEFAULT_HAND_PAY_CENTS = 1_000_000
"""Ten thousand dollars: more than that does not leave as a voucher."""

DEFAULT_EXPOSURE_CENTS = 500_000_000
MAX_LIMIT_CENTS = 10**15


def closing(limits: Limits, closed: Collection[str]) -> Limits:
    """The same limits with these bets closed and every other open."""
    unknown = sorted(set(closed) - set(limits.bets))
    if unknown:
        raise BadLimits(f"{', '.join(unknown)} is no bet of this table")
    return replace(
        limits, bets={bet: replace(own, closed=bet in closed) for bet, own in limits.bets.items()}
    )


def default_limits(game: Game) -> Limits:
    """A place to start; a house sets its own."""
    bets = dict[str, BetLimits]()
    for bet in game.bets:
        step = lcm(100, bet.step_cents)
        least = -(-DEFAULT_MIN_CENTS // step) * step
        most = min(DEFAULT_MAX_CENTS, DEFAULT_WIN_CENTS * bet.top_odds.risk // bet.top_odds.win)
        bets[bet.id] = BetLimits(
            min_cents=least, max_cents=max(least, most // step * step), step_cents=step
        )
    return Limits(
        bets=bets,
        patron_max_cents=4 * DEFAULT_MAX_CENTS,
        exposure_max_cents=DEFAULT_EXPOSURE_CENTS,
        hand_pay_cents=DEFAULT_HAND_PAY_CENTS,
    )


def exposure_of(bet: Bet, stake_cents: int) -> int:
    """What a stake adds to the most that the table can lose in this round, bonus apart."""
    return stake_cents * bet.top_odds.win // bet.top_odds.risk


def verify_limits(game: Game, limits: Limits) -> None:
    """Refuses limits under which some wager could not be paid in whole cents, or that contradict
    themselves.
    """
    ids = {bet.id for bet in game.bets}
    if set(limits.bets) != ids:
        missing, extra = ids - set(limits.bets), set(limits.bets) - ids
        wrong = (
            f"no limits for {', '.join(sorted(missing))}"
            if missing
            else f"{', '.join(sorted(extra))} is no bet"
        )
        raise BadLimits(f"limits name every bet of {game.id} and no other: {wrong}")
    for bet in game.bets:
        _verify_bet(bet, limits.bets[bet.id])
    _verify_open(game, limits)
    if (
        not 0 < limits.patron_max_cents <= MAX_LIMIT_CENTS
        or not 0 < limits.exposure_max_cents <= MAX_LIMIT_CENTS
    ):
        raise BadLimits(
            f"a patron's maximum and the exposure are 0.01 to {format_cents(MAX_LIMIT_CENTS)}"
        )
    if min(limits.staff_load_cents, limits.hand_pay_cents, limits.large_buy_in_cents) < 0:
        raise BadLimits(
            "the limits of a staff load, a hand pay and a large buy-in are zero or more"
        )
    if limits.differential_cents is not None:
        if limits.differential_cents <= 0:
            raise BadLimits("a differential is more than zero, or not set at all")
        if not set(MAIN_BETS) <= ids:
            raise BadLimits(
                f"{game.id} has no player and banker bets to hold a differential between"
            )


def _verify_open(game: Game, limits: Limits) -> None:
    """Player and Banker stay open: the rulebooks name a game's bets and are silent on closing one
    (reading 37), but a table that takes nothing on a hand plays another game. Who wants no wagers
    stops the table, and everybody is told.
    """
    for bet in game.bets:
        if bet.id in MAIN_BETS and limits.bets[bet.id].closed:
            raise BadLimits(f"{bet.id} cannot be closed alone: stop the table instead")
    if all(limits.bets[bet.id].closed for bet in game.bets):
        raise BadLimits("a table leaves some bet open: stop the table instead")


def _verify_bet(bet: Bet, own: BetLimits) -> None:
    if own.step_cents <= 0 or own.step_cents % bet.step_cents:
        odds = (p.pays for p in bet.pays if isinstance(p.pays, Odds))
        uneven = next((o for o in odds if own.step_cents % o.step_cents), None)
        why = f": {uneven.words.en} on it is not whole cents" if uneven else ""
        raise BadLimits(
            f"a step of {format_cents(own.step_cents)} on {bet.id} is not payable{why}; "
            f"use a multiple of {format_cents(bet.step_cents)}"
        )
    if not 0 < own.min_cents <= own.max_cents <= MAX_STAKE_CENTS:
        raise BadLimits(
            f"{bet.id}: a minimum is more than zero and no more than the maximum, at most "
            "a billion dollars"
        )
    for what, cents in (("minimum", own.min_cents), ("maximum", own.max_cents)):
        if cents % own.step_cents:
            step = format_cents(own.step_cents)
            raise BadLimits(
                f"{bet.id}: the {what} of {format_cents(cents)} is no multiple of the step "
                f"of {step}"
            )
