"""Bets open and close; wagers placed, raised and withdrawn within the limits."""

from __future__ import annotations

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.rules.causes import words_of
from puntobanco.rules.game import MAIN_BETS, Bet
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.round import MAX_CARDS
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.machine import Events
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import roads_are_full, verify_decided
from puntobanco_floor.domain.table.sessions import verify_own_limits, verify_seated
from puntobanco_floor.domain.table.shoes import shoe_on_table
from puntobanco_floor.domain.table.state import Asked, TableState


def open_bets(asked: Asked, _: c.OpenBets) -> Events:
    state, game = asked.state, asked.state.playing
    if state.halted:
        why = words_of(state.halted)
        raise r.TableHalted(r.TABLE_STOPPED.format(why))
    for change in state.scheduled:  # the clock makes it at once; this was quicker
        what = e.CHANGES[change.kind]
        raise r.NotNow(r.CHANGES_FIRST.format(what))
    shoe = shoe_on_table(state)
    verify_decided(state)
    for number in state.proposals.of("shoe"):  # what is left in it is not known before
        raise r.NotNow(r.SHOE_PROPOSAL_WAITS.format(number))
    if shoe.spoiled:
        why = r.SHOE_SPOILED.format(shoe.number, title_of(shoe.spoiled))
        raise r.ShoeMustBeChanged(why)
    if shoe.waits_for_mix:
        assert shoe.mixing is not None, "its start says by whom"
        raise r.NotNow(r.SHOE_WAITS_FOR_MIX.format(shoe.number, ", ".join(shoe.mixing.names)))
    if shoe.source == "shoe":
        if shoe.cards_left < MAX_CARDS:
            raise r.ShoeMustBeChanged(r.TOO_FEW_CARDS.format(shoe.cards_left, MAX_CARDS))
        if shoe.cards_left <= shoe.cut:
            raise r.ShoeMustBeChanged(r.CUT_CARD_IS_OUT)
    elif roads_are_full(state):
        raise r.ShoeMustBeChanged(r.ROADS_START_AFRESH.format(state.cards.road_rounds))
    betting = state.clock.betting_ms
    commitment = ""
    if shoe.source == "continuous" and asked.order:
        commitment = asked.order.commitment
    dealer_closes = shoe.dealing == "physical" and not state.clock.closes_by_clock  # reading 19
    opened = e.BetsOpened(
        round=state.rounds + 1,
        shoe=shoe.number,
        announcement=game.announcements.open,
        closes_at=asked.now + betting if betting else None,
        dealer_closes=dealer_closes,
        commitment=commitment,
    )
    return (opened,)


def place_wager(asked: Asked, command: c.PlaceWager) -> Events:
    bet = _verify_open(asked, command)
    if (command.session, bet.id) in asked.state.current.wagers:
        raise r.LimitRefused(r.HAS_A_WAGER)
    _verify_stake(asked, command.session, bet, command.stake_cents, command.stake_cents)
    placed = e.WagerPlaced(
        round=command.round,
        session=command.session,
        bet=bet.id,
        stake_cents=command.stake_cents,
    )
    return (placed,)


def raise_wager(asked: Asked, command: c.RaiseWager) -> Events:
    bet = _verify_open(asked, command)
    stake = _stake_of(asked, command.session, bet) + command.by_cents
    _verify_stake(asked, command.session, bet, command.by_cents, stake)
    raised = e.WagerRaised(
        round=command.round,
        session=command.session,
        bet=bet.id,
        by_cents=command.by_cents,
        stake_cents=stake,
    )
    return (raised,)


def withdraw_wager(asked: Asked, command: c.WithdrawWager) -> Events:
    bet = _verify_open(asked, command)
    stake = _stake_of(asked, command.session, bet)
    by = stake if command.by_cents is None else command.by_cents
    left, limits = stake - by, _limits(asked.state, bet)
    if left < 0:
        raise r.LimitRefused(r.ONLY_SO_MUCH.format(dollars(stake)))
    if left and (left < limits.min_cents or left % limits.step_cents):
        least, step = dollars(limits.min_cents), dollars(limits.step_cents)
        raise r.LimitRefused(r.CANNOT_STAY.format(dollars(left), least, step))
    # No differential here: a patron may take back a wager until "No more bets", whatever others
    # have staked (5.7).
    withdrawn = e.WagerWithdrawn(
        round=command.round, session=command.session, bet=bet.id, by_cents=by, stake_cents=left
    )
    return (withdrawn,)


def _verify_open(asked: Asked, command: c.PlaceWager | c.RaiseWager | c.WithdrawWager) -> Bet:
    """The bet; refuses another round, a passed deadline, and a session without a seat."""
    state, round_ = asked.state, asked.state.current
    if command.round != round_.number:
        raise r.WrongRound(r.OTHER_ROUND.format(round_.number, command.round))
    if round_.deadline is not None and asked.now >= round_.deadline:
        basics = state.playing.basics
        if isinstance(command, c.WithdrawWager):
            raise r.WithdrawalTooLate(r.WITHDRAWAL_TOO_LATE, clause=basics.late_withdrawal)
        raise r.BetsAreClosed(r.TIME_IS_UP, clause=basics.late_wager)
    verify_seated(state, command.session)
    return state.playing.bet(command.bet)


def _stake_of(asked: Asked, session: str, bet: Bet) -> int:
    stake = asked.state.current.wagers.get((session, bet.id), 0)
    if not stake:
        raise r.LimitRefused(r.HAS_NO_WAGER)
    return stake


def _limits(state: TableState, bet: Bet) -> e.BetLimits:
    assert state.limits is not None, "an open table has limits"
    return state.limits.bets[bet.id]


def _verify_stake(asked: Asked, session: str, bet: Bet, by_cents: int, stake_cents: int) -> None:
    """Refuse a stake: closed bet, own limits of the patron, limits of bet and table, credits."""
    limits = asked.state.limits
    assert limits is not None, "an open table has limits"
    own = limits.bets[bet.id]
    if own.closed:
        raise r.SpotClosed(r.SPOT_CLOSED)
    seat = verify_own_limits(asked, session, by_cents)
    if stake_cents < own.min_cents:
        raise r.LimitRefused(r.AT_LEAST.format(dollars(own.min_cents)))
    if stake_cents > own.max_cents:
        raise r.LimitRefused(r.AT_MOST.format(dollars(own.max_cents)))
    if stake_cents % own.step_cents:
        raise r.LimitRefused(r.IN_STEPS.format(dollars(own.step_cents)))
    round_ = asked.state.current
    if round_.totals.get(seat.patron, 0) + by_cents > limits.patron_max_cents:
        raise r.LimitRefused(r.PATRON_MOST.format(dollars(limits.patron_max_cents)))
    exposure = round_.exposure_cents + bet.added_exposure_cents(by_cents, stake_cents)
    if exposure > limits.exposure_max_cents:
        raise r.LimitRefused(r.TABLE_MOST.format(dollars(limits.exposure_max_cents)))
    _verify_differential(asked, bet, by_cents)
    has = asked.funds.of(session)
    if has < by_cents:
        raise r.NotEnoughCredits(r.NOT_ENOUGH.format(dollars(has), dollars(by_cents)))


def _verify_differential(asked: Asked, bet: Bet, by_cents: int) -> None:
    """Refuse to take Player and Banker further apart than the house allows."""
    limits = asked.state.limits
    assert limits is not None
    if limits.differential_cents is None or bet.id not in MAIN_BETS:
        return
    stakes = {id_: asked.state.current.stakes.get(id_, 0) for id_ in MAIN_BETS}
    apart_before = abs(stakes["player"] - stakes["banker"])
    stakes[bet.id] += by_cents
    apart = abs(stakes["player"] - stakes["banker"])
    if apart > max(limits.differential_cents, apart_before):
        raise r.LimitRefused(r.APART.format(dollars(limits.differential_cents)))


def close_bets(asked: Asked, _: c.CloseBets) -> Events:
    words = asked.state.playing.announcements
    return (e.BetsClosed(round=asked.state.current.number, announcement=words.close),)
