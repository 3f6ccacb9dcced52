"""Decide: what follows from each command of a table, a named function for each kind; and the
refusals that depend on the phase.
"""

from __future__ import annotations

import puntobanco.events as e
from puntobanco import proposals
from puntobanco.machine import KEYS, PROPOSALS, Events, Rules
from puntobanco.rules.refusals import Refusal
from puntobanco.table import (
    cards,
    changes,
    recovered,
    reviews,
    sessions,
    settling,
    shoes,
    stops,
    wagers,
)
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.context import clause_of
from puntobanco.table.phases import SAYS
from puntobanco.table.state import TableState

DECIDES: Rules = {
    **shoes.DECIDES,
    **changes.DECIDES,
    **sessions.DECIDES,
    **wagers.DECIDES,
    **cards.DECIDES,
    **stops.DECIDES,
    **settling.DECIDES,
    **reviews.DECIDES,
    **recovered.DECIDES,
    **PROPOSALS,
    **KEYS,
}


def verify_phase(state: TableState, command: c.Command) -> None:
    allowed = command.traits.phases
    if allowed is not None and state.phase not in allowed:
        raise _not_now(state, command)


def unknown(_: TableState, command: c.Command) -> Refusal:
    return r.BadCommand(f"{command.name()} is no command of a table")


def lapsing(state: TableState, found: Events) -> Events:
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
