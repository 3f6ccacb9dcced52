"""Decisions on proposals, for a table and a cage window; the house has its own."""

from __future__ import annotations

import msgspec

from puntobanco_floor.domain import proposals
from puntobanco_floor.domain.commands import Cash
from puntobanco_floor.domain.events import ProposalApproved
from puntobanco_floor.domain.machine import Asked, Events, S
from puntobanco_floor.domain.proposals import Approve, Reject, WithdrawProposal
from puntobanco_floor.domain.refusals import NotNow


def approve(asked: Asked[S], command: Approve) -> Events:
    """The approval, and what follows from the held command: the machine decides it again, as things
    are now.
    """
    machine = asked.machine
    assert machine is not None, "a machine decides"
    proposal = proposals.answered_by_another(asked.state.proposals, command.proposal, command.by)
    held = machine.held(proposal)
    if proposal.about != "money":
        machine.verify(asked.state, held)
    if isinstance(held, Cash) and held.window and not command.window:
        raise NotNow(
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
    approved = ProposalApproved(proposal=command.proposal, by=command.by)
    return (approved, *machine.decides[type(held)](by_two, held))


def reject(asked: Asked[S], command: Reject) -> Events:
    return (proposals.reject(asked.state.proposals, command),)


def withdraw(asked: Asked[S], command: WithdrawProposal) -> Events:
    return (proposals.withdraw(asked.state.proposals, command),)
