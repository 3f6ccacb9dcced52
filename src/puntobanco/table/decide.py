"""`decide(state, funds, command, now)`: the events that follow from a command, or a refusal with
reason and clause.

A pure function: no clock, no randomness, no database. Money comes in as `funds`; the cards of a
virtual shoe come in as `order`, of which only the next place is looked at.
"""

from __future__ import annotations

import msgspec

import puntobanco.events as e
from puntobanco import proposals
from puntobanco.rules.refusals import Refusal
from puntobanco.table import cards, sessions, settling, shoes, stops, wagers
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.context import RULES, Asked, Events, Funds, clause_of, on
from puntobanco.table.phases import ALLOWED, SAYS
from puntobanco.table.state import TableState
from puntobanco.vault import Order

_DECIDING = (cards, sessions, settling, shoes, stops, wagers)
"""The modules that say what follows from each command; importing them fills `RULES`."""

_BY_TWO: frozenset[type[c.Command]] = frozenset(
    {
        c.VoidRound,
        c.Reconstruct,
        c.Resume,
        c.Reopen,
        c.CorrectCard,
        c.BurnCards,
        c.LoadCredits,
        c.CashOut,
        c.BuyIn,
    }
)


def decide(
    state: TableState, funds: Funds, command: c.Command, now: int, *, order: Order | None = None
) -> Events:
    """The events, never none; or a refusal."""
    kind = type(command)
    allowed = ALLOWED.get(kind)
    if allowed is None:
        raise r.BadCommand(f"{command.name()} is no command of a table")
    if state.phase not in allowed:
        raise _not_now(state, command)
    asked = Asked(state, funds, now, order)
    found = RULES[kind](asked, command)  # first: what would be refused asks no second person
    if kind in _BY_TWO and _needs_second_person(asked, command):
        return (_proposed(asked, command, found),)
    return (*found, *_lapsed(state, found))


def _lapsed(state: TableState, found: Events) -> Events:
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


def _needs_second_person(asked: Asked, command: c.Command) -> bool:
    state, limits = asked.state, asked.state.limits
    match command:
        case c.CorrectCard():
            return state.phase == "stopped" or (
                state.round is not None and state.round.play.is_complete
            )
        case c.CashOut():
            # By all that the session has: a large sum paid in parts is still a large sum.
            held = state.proposals.held_for(command.session)
            return sessions.is_hand_pay(state, asked.funds.of(command.session) + held)
        case c.LoadCredits():
            return limits is not None and command.cents > limits.staff_load_cents
        case c.BuyIn():
            return limits is not None and 0 < limits.large_buy_in_cents < command.cents
    return True


def _proposed(asked: Asked, command: c.Command, found: Events) -> e.Proposed:
    """A hand pay sets its cents apart: what is approved later is what was asked for, whatever is
    won or lost since.
    """
    before, now = asked.state.proposals, asked.now
    if not isinstance(command, c.CashOut):
        return proposals.propose(before, command, now)
    cents = sessions.cashed_out(found).cents
    exact = msgspec.structs.replace(command, cents=cents)
    return proposals.propose(before, exact, now, session=command.session, held_cents=cents)


@on(c.Approve)
def approve(asked: Asked, command: c.Approve) -> Events:
    state, number = asked.state, command.proposal
    proposal = proposals.answered_by_another(state.proposals, number, command.by)
    held = msgspec.convert(proposal.command, c.AnyCommand)
    if proposal.about != "money" and state.phase not in ALLOWED[type(held)]:
        raise _not_now(state, held)
    if isinstance(held, c.Cash) and held.window and not command.window:
        raise r.NotNow(
            f"proposal {number} moves cash: name the cage window and shift whose drawer it is"
        )
    by_two = Asked(
        state,
        asked.funds,
        asked.now,
        asked.order,
        proposed_by=proposal.by,
        approved_by=command.by,
        window=command.window,
        shift=command.shift,
    )
    return (e.ProposalApproved(proposal=number, by=command.by), *RULES[type(held)](by_two, held))


@on(c.Reject)
def reject(asked: Asked, command: c.Reject) -> Events:
    return (proposals.reject(asked.state.proposals, command),)


@on(c.WithdrawProposal)
def withdraw(asked: Asked, command: c.WithdrawProposal) -> Events:
    return (proposals.withdraw(asked.state.proposals, command),)


assert set(RULES) == set(ALLOWED) == set(c.COMMANDS), "every command has its rule and its phases"
