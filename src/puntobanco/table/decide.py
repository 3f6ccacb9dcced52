"""Decide: what follows from each command of a table, a named function for each kind; and the
refusals that depend on the phase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import puntobanco.events as e
from puntobanco import proposals
from puntobanco.machine import PROPOSALS, Events
from puntobanco.rules.refusals import Refusal
from puntobanco.table import cards, sessions, settling, shoes, stops, wagers
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.context import clause_of
from puntobanco.table.phases import SAYS
from puntobanco.table.state import TableState

DECIDES: Mapping[type[c.Command], Callable[..., Events]] = {
    c.OpenTable: shoes.open_table,
    c.CloseTable: shoes.close_table,
    c.HaltTable: shoes.halt_table,
    c.RestartTable: shoes.restart_table,
    c.ChangeLimits: shoes.change_limits,
    c.ChangeClock: shoes.change_clock,
    c.ChangeCards: shoes.change_cards,
    c.NewShoe: shoes.new_shoe,
    c.CountShoe: shoes.count_shoe,
    c.BurnCards: shoes.burn_cards,
    c.EndShoe: shoes.end_shoe,
    c.SeatSession: sessions.seat_session,
    c.LimitSession: sessions.limit_session,
    c.StopSession: sessions.stop_session,
    c.RestartSession: sessions.restart_session,
    c.LeaveSeat: sessions.leave_seat,
    c.BuyIn: sessions.buy_in,
    c.LoadCredits: sessions.load_credits,
    c.RedeemVoucher: sessions.redeem_voucher,
    c.IssueVoucher: sessions.issue_voucher,
    c.CashOut: sessions.cash_out,
    c.OpenBets: wagers.open_bets,
    c.PlaceWager: wagers.place_wager,
    c.RaiseWager: wagers.raise_wager,
    c.WithdrawWager: wagers.withdraw_wager,
    c.CloseBets: wagers.close_bets,
    c.DealCard: cards.deal_card,
    c.EnterCard: cards.enter_card,
    c.CorrectCard: cards.correct_card,
    c.DeclareIrregularity: stops.declare_irregularity,
    c.Reconstruct: stops.reconstruct_round,
    c.VoidRound: stops.void_round,
    c.Resume: stops.resume_round,
    c.Reopen: stops.reopen_round,
    c.Settle: settling.settle_round,
    **PROPOSALS,
}


def verify_phase(state: TableState, command: c.Command) -> None:
    allowed = command.traits.phases
    if allowed is not None and state.phase not in allowed:
        raise _not_now(state, command)


def unknown(_: TableState, command: c.Command) -> Refusal:
    return r.BadCommand(f"{command.name()} is no command of a table")


def lapsing(state: TableState, found: Events) -> Events:
    approved = found[0].proposal if isinstance(found[0], e.ProposalApproved) else 0
    lapsed = list[e.ProposalLapsed]()
    for event in found:
        ends = event.traits.ends
        # a misread card: the round goes on
        if isinstance(event, e.CardCorrected) and state.phase == "stopped":
            ends = ("round", "corrected")
        if ends is not None:
            about, why = ends
            lapsed += proposals.lapsed(state.proposals, about, why, but=approved)
    return tuple(lapsed)


def _not_now(state: TableState, command: c.Command) -> Refusal:
    """Late wagers and withdrawals have their own clause; the rest says what the table is doing."""
    says, game = SAYS[state.phase], state.game
    if game is None or state.phase == "down":
        return r.NotNow(f"{command.name()} cannot be done now: {SAYS['down']}")
    words, basics = game.announcements, game.basics
    if isinstance(command, c.PlaceWager | c.RaiseWager):
        if not _is_closed(state):
            wait = "" if state.is_in_play else f'; wait for "{words.open}"'
            return r.BetsAreClosed(f"bets are not open: {says}{wait}", clause=words.open_clause)
        kept = "; the wager stands as it was" if isinstance(command, c.RaiseWager) else ""
        return r.BetsAreClosed(
            f'round {state.rounds}: "{words.close}" was called{kept}', clause=basics.late_wager
        )
    if isinstance(command, c.WithdrawWager) and _is_closed(state):
        return r.WithdrawalTooLate(
            f'round {state.rounds}: "{words.close}" was called; the wager plays',
            clause=basics.late_withdrawal,
        )
    if isinstance(command, c.Reopen) and state.is_in_play:  # reading 24
        return r.NotNow(
            f"round {state.rounds} is open: earlier results stand",
            clause=clause_of(game, command.ground),
        )
    return r.NotNow(f"{command.name()} cannot be done now: {says}")


def _is_closed(state: TableState) -> bool:
    """Whether bets were closed in the round that is in play; one may also be stopped while they are
    open.
    """
    stop = state.round.stop if state.round else None
    return state.is_in_play and not (stop and stop.phase == "betting")
