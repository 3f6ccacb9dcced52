"""Rules for every command of a table: its phases, the words of a refusal, proposals that lapse."""

from __future__ import annotations

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain import proposals
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.machine import Events
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import SAYS, TableState, clause_of


def verify_phase(state: TableState, command: c.Command) -> None:
    allowed = command.traits.phases
    if allowed is not None and state.phase not in allowed:
        raise _not_now(state, command)


def unknown(_: TableState, command: c.Command) -> Refusal:
    said = r.TABLE_CANNOT.format(command.traits.title)
    return r.BadCommand(said)


def lapse_proposals(state: TableState, found: Events) -> Events:
    if not state.proposals.waiting:
        return ()
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
    title = command.traits.title
    if game is None or state.phase == "down":
        return r.NotNow(r.NOT_NOW.format(title, SAYS["down"]))
    if isinstance(command, c.OpenTable):
        return r.NotNow(r.OPEN_ALREADY.format(game.title))
    words, basics = game.announcements, game.basics
    if isinstance(command, c.PlaceWager | c.RaiseWager):
        if not _is_closed(state):
            told = r.WAIT_FOR.format(says, words.open)
            if state.is_in_play:
                told = r.BETS_NOT_OPEN.format(says)
            return r.BetsAreClosed(told, clause=words.open_clause)
        told = r.BETS_CLOSED
        if isinstance(command, c.RaiseWager):
            told = r.RAISE_TOO_LATE
        return r.BetsAreClosed(told, clause=basics.late_wager)
    if isinstance(command, c.WithdrawWager) and _is_closed(state):
        return r.WithdrawalTooLate(r.WITHDRAWAL_TOO_LATE, clause=basics.late_withdrawal)
    if isinstance(command, c.Reopen) and state.is_in_play:  # reading 24
        return r.NotNow(
            r.EARLIER_RESULTS_STAND.format(state.rounds),
            clause=clause_of(game, command.ground),
        )
    return r.NotNow(r.NOT_NOW.format(title, says))


def _is_closed(state: TableState) -> bool:
    stop = state.round.stop if state.round else None
    return state.is_in_play and not (stop and stop.phase == "betting")
