"""Proposals: commands that wait for a second person, at a table or a cage window alike.

A command that needs two people becomes a `Proposed` event that holds it. Somebody else approves or
rejects it, or its proposer withdraws it. A proposal about a round or a shoe lapses with it; one
about money never lapses, and the cents that it would pay are set apart (`held`) at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec
from immutables import Map
from msgspec import Meta

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.commands import DEALERS, DECIDERS, Cash, Command, CommandTraits, Note
from puntobanco_floor.domain.event import About
from puntobanco_floor.domain.machine import Asked, Events, S
from puntobanco_proof.entry.format import Fault

MAX_A_PERSON = 20
"""Proposals of one person that may wait in one stream."""

REMEMBERED = 20
"""Of the last decisions, so that who asked learns what became of it, by whom and why."""

ProposalNumber = Annotated[int, Meta(ge=1, le=10**9)]
Outcome = Literal["approved", "rejected", "withdrawn", "lapsed"]


class Approve(Cash):
    """By somebody other than the proposer. Cash counts in the drawer named here."""

    # what is about a round is decided where its own command is allowed
    traits = CommandTraits(
        title=Words("approve a proposal", "核准提案"), about="money", by=DECIDERS, cards=True
    )

    proposal: ProposalNumber


class Reject(Command):
    """By somebody else than who asked, who is told the reason."""

    traits = CommandTraits(title=Words("reject a proposal", "否決提案"), by=DECIDERS)

    proposal: ProposalNumber
    reason: Note = ""


class WithdrawProposal(Command):
    """By who asked."""

    traits = CommandTraits(title=Words("withdraw a proposal", "撤回提案"), by=DEALERS | DECIDERS)

    proposal: ProposalNumber


class Proposal(msgspec.Struct, frozen=True):
    """A command that waits: who asked, when, and what for."""

    by: str
    at: int
    about: About
    command: dict[str, object]
    session: str = ""  # whose credits are set apart, and how many of them
    held_cents: int = 0


class Decided(msgspec.Struct, frozen=True):
    proposal: int
    asked_by: str
    command: str
    about: About
    outcome: Outcome
    by: str = ""  # who decided
    reason: str = ""


class Proposals(msgspec.Struct, frozen=True):
    """Those of one stream: what waits, and what the last ones came to."""

    numbered: int = 0
    waiting: Map[int, Proposal] = Map()
    decided: tuple[Decided, ...] = ()

    def of(self, about: About) -> Iterator[int]:
        """The numbers of those that wait and are about this, in order."""
        return (number for number in sorted(self.waiting) if self.waiting[number].about == about)

    def held_for(self, session: str) -> int:
        """The cents of a session's credits that are set apart."""
        return sum(p.held_cents for p in self.waiting.values() if p.session == session)


NONE = Proposals()

Needed = e.Proposed | None
"""What is proposed, where a second person is needed."""


# Deciding


def propose(
    before: Proposals, command: Command, now: int, *, session: str = "", held_cents: int = 0
) -> e.Proposed:
    """The event, or a refusal: the same asked twice, or too many of one person's."""
    held: dict[str, object] = msgspec.to_builtins(command)
    own = 0
    for number, waits in before.waiting.items():
        if waits.command == held:  # which names who asks, too
            raise r.NotNow(r.PROPOSED_ALREADY.format(number))
        own += waits.by == command.by
    if own >= MAX_A_PERSON:
        raise r.NotNow(r.TOO_MANY_PROPOSALS.format(MAX_A_PERSON, command.by))
    return e.Proposed(
        proposal=before.numbered + 1,
        about=command.traits.about,
        at=now,
        command=held,
        session=session,
        held_cents=held_cents,
    )


def always(asked: Asked[S], command: Command, _: Events) -> e.Proposed:
    """Return the proposal of a command that a second person decides whatever follows from it."""
    return propose(asked.state.proposals, command, asked.now)


def answered_by_another(before: Proposals, number: int, by: str) -> Proposal:
    proposal = _waiting(before, number)
    if proposal.by == by:
        raise r.SecondPersonNeeded(r.OWN_PROPOSAL.format(by, number))
    return proposal


def _waiting(before: Proposals, number: int) -> Proposal:
    proposal = before.waiting.get(number)
    if proposal is not None:
        return proposal
    for past in before.decided:
        if past.proposal == number:
            by = f" by {past.by}" if past.by else ""
            raise r.UnknownProposal(f"proposal {number} was {past.outcome}{by} already")
    raise r.UnknownProposal(r.NO_PROPOSAL.format(number))


def approve(asked: Asked[S], command: Approve) -> Events:
    """Approve, and decide the held command again as things are now."""
    machine = asked.machine
    assert machine is not None, "a machine decides"
    proposal = answered_by_another(asked.state.proposals, command.proposal, command.by)
    held = machine.held(proposal)
    if proposal.about != "money":
        machine.verify(asked.state, held)
    if isinstance(held, Cash) and held.window and not command.window:
        raise r.NotNow(
            f"proposal {command.proposal} moves cash: name the cage window and shift whose "
            "drawer it is"
        )
    by_two = msgspec.structs.replace(
        asked,
        proposed_by=proposal.by,
        approved_by=command.by,
        window=command.window,
        shift=command.shift,
    )
    approved = e.ProposalApproved(proposal=command.proposal, by=command.by)
    return (approved, *machine.decides[type(held)](by_two, held))


def reject(asked: Asked[S], command: Reject) -> Events:
    proposal = answered_by_another(asked.state.proposals, command.proposal, command.by)
    rejected = e.ProposalRejected(
        proposal=command.proposal,
        by=command.by,
        reason=command.reason,
        session=proposal.session,
        returned_cents=proposal.held_cents,
    )
    return (rejected,)


def withdraw(asked: Asked[S], command: WithdrawProposal) -> Events:
    number = command.proposal
    proposal = _waiting(asked.state.proposals, number)
    by = proposal.by
    if by != command.by:
        raise r.NotNow(r.PROPOSAL_OF_ANOTHER.format(number, by))
    withdrawn = e.ProposalWithdrawn(
        proposal=number, session=proposal.session, returned_cents=proposal.held_cents
    )
    return (withdrawn,)


def lapsed(
    before: Proposals, about: About, why: str, *, but: int = 0
) -> Iterator[e.ProposalLapsed]:
    """Yield the end of each proposal about the round or shoe, except the approved one."""
    for number in before.of(about):
        if number != but:
            yield e.ProposalLapsed(proposal=number, why=why)


# Following


Ended = e.ProposalApproved | e.ProposalRejected | e.ProposalWithdrawn | e.ProposalLapsed
ProposalEvent = e.Proposed | Ended


def evolve(before: Proposals, event: ProposalEvent) -> Proposals:
    """The proposals after an event; checks that it can follow."""
    number = event.proposal
    if isinstance(event, e.Proposed):
        if number != before.numbered + 1:
            raise Fault("proposals are numbered in order")
        by, command = str(event.command["by"]), event.command
        proposal = Proposal(by, event.at, event.about, command, event.session, event.held_cents)
        waiting = before.waiting.set(number, proposal)
        return msgspec.structs.replace(before, numbered=number, waiting=waiting)
    waited = before.waiting.get(number)
    if waited is None:
        raise Fault("nothing of that number was proposed")
    decided = (*before.decided, _decided(waited, event))
    waiting = before.waiting.delete(number)
    return msgspec.structs.replace(before, waiting=waiting, decided=decided[-REMEMBERED:])


def set_apart(event: ProposalEvent) -> tuple[str, int]:
    """Whose credits it sets apart, and how many cents; below zero, it gives them back."""
    match event:
        case e.Proposed():
            return event.session, event.held_cents
        case e.ProposalRejected() | e.ProposalWithdrawn():
            return event.session, -event.returned_cents
    return "", 0


def _decided(waited: Proposal, event: Ended) -> Decided:
    outcome: Outcome = "withdrawn"
    by, reason = waited.by, ""
    match event:
        case e.ProposalApproved():
            if event.by == waited.by:
                raise Fault("one person asked and approved")
            outcome, by = "approved", event.by
        case e.ProposalRejected():
            outcome, by, reason = "rejected", event.by, event.reason
        case e.ProposalLapsed():
            if waited.about == "money":
                raise Fault("a proposal about money does not lapse")
            outcome, by, reason = "lapsed", "", event.why
    is_turned_down = outcome in ("rejected", "withdrawn")
    if is_turned_down and set_apart(event) != (waited.session, -waited.held_cents):
        raise Fault("what was set apart goes back whole, to where it came from")
    command = str(waited.command["command"])
    return Decided(event.proposal, waited.by, command, waited.about, outcome, by, reason)
