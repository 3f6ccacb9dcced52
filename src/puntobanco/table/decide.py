"""`decide(state, funds, command, now)`: the events that follow from a command, or a refusal with reason and clause.

A pure function: no clock, no randomness, no database. Money comes in as `funds`; the cards of a virtual shoe come in as
`order`, of which only the next place is looked at.
"""

from __future__ import annotations

import msgspec

import puntobanco.events as e
from puntobanco.rules.refusals import Refusal
from puntobanco.table import cards, sessions, settling, shoes, stops, wagers
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.asked import RULES, Asked, Events, Funds, clause_of, on
from puntobanco.table.phases import ALLOWED, SAYS
from puntobanco.table.state import TableState
from puntobanco.vault import Order

MAX_PROPOSALS = 100

_DECIDING = (cards, sessions, settling, shoes, stops, wagers)
"""The modules that say what follows from each command; importing them fills `RULES`."""

_BY_TWO = frozenset({
    c.VoidRound, c.Reconstruct, c.Resume, c.Reopen, c.CorrectCard, c.BurnCards, c.LoadCredits, c.CashOut,
})  # fmt: skip


def decide(state: TableState, funds: Funds, command: c.Command, now: int, *, order: Order | None = None) -> Events:
    """The events, never none; or a refusal."""
    kind = type(command)
    allowed = ALLOWED.get(kind)
    if allowed is None:
        raise r.BadCommand(f"{command.name()} is no command of a table")
    if state.phase not in allowed:
        raise _not_now(state, command)
    asked = Asked(state, funds, now, order)
    found = RULES[kind](asked, command)
    if kind in _BY_TWO and _needs_second_person(state, funds, command):
        return _proposed(state, command)
    return found


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
        return r.BetsAreClosed(f'round {state.rounds}: "{words.close}" was called{kept}', clause=basics.late_wager)
    if isinstance(command, c.WithdrawWager) and _is_closed(state):
        return r.WithdrawalTooLate(
            f'round {state.rounds}: "{words.close}" was called; the wager plays', clause=basics.late_withdrawal
        )
    if isinstance(command, c.Reopen) and state.is_in_play:  # reading 24
        return r.NotNow(f"round {state.rounds} is open: earlier results stand", clause=clause_of(game, command.ground))
    return r.NotNow(f"{command.name()} cannot be done now: {says}")


def _is_closed(state: TableState) -> bool:
    """Whether bets were closed in the round that is in play; one may also be stopped while they are open."""
    stop = state.round.stop if state.round else None
    return state.is_in_play and not (stop and stop.phase == "betting")


def _needs_second_person(state: TableState, funds: Funds, command: c.Command) -> bool:
    if isinstance(command, c.CorrectCard):
        return state.phase == "stopped" or (state.round is not None and state.round.play.is_complete)
    if isinstance(command, c.CashOut):
        return sessions.is_hand_pay(state, funds.of(command.session))
    if isinstance(command, c.LoadCredits):
        assert state.limits is not None
        return command.cents > state.limits.staff_load_cents
    return True


def _proposed(state: TableState, command: c.Command) -> Events:
    held: dict[str, object] = msgspec.to_builtins(command)
    for number, waiting in state.proposals.items():
        if waiting.command == held:
            raise r.NotNow(f"proposal {number} asks for the same and waits for a second person")
    if len(state.proposals) >= MAX_PROPOSALS:
        raise r.NotNow(f"{MAX_PROPOSALS} proposals wait for a second person; decide those first")
    return (e.Proposed(proposal=state.proposed + 1, command=held),)


@on(c.Approve)
def _(asked: Asked, command: c.Approve) -> Events:
    state, number = asked.state, command.proposal
    proposal = state.proposals.get(number)
    if proposal is None:
        raise r.UnknownProposal(f"no proposal {number} waits for approval")
    if proposal.by == command.by:
        raise r.SecondPersonNeeded(f"{command.by} proposed it; somebody else approves or rejects")
    held = msgspec.convert(proposal.command, c.AnyCommand)
    if state.phase not in ALLOWED[type(held)]:
        raise _not_now(state, held)
    by_two = Asked(state, asked.funds, asked.now, asked.order, proposal.by, command.by)
    return (e.ProposalApproved(proposal=number), *RULES[type(held)](by_two, held))


@on(c.Reject)
def _(asked: Asked, command: c.Reject) -> Events:
    if command.proposal not in asked.state.proposals:
        raise r.UnknownProposal(f"no proposal {command.proposal} waits for approval")
    return (e.ProposalRejected(proposal=command.proposal, reason=command.reason),)


assert set(RULES) == set(ALLOWED) == set(c.COMMANDS), "every command has its rule and its phases"
