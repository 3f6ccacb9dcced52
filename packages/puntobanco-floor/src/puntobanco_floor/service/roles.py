"""Roles: who may give which commands (their definitions say it), and who sees what."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from puntobanco.base.words import Words
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.event import Role
from puntobanco_floor.domain.house.decide import verify_still_asks
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.refusals import SecondPersonNeeded
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.service.refusals import NotAllowed

ROLES: tuple[Role, ...] = get_args(Role)

_OVERSEERS: frozenset[Role] = frozenset({"supervisor", "auditor", "administrator"})

SEES: dict[str, frozenset[Role]] = {
    "staff": frozenset({"auditor", "administrator"}),
    "terminals": _OVERSEERS,
    "exclusions": _OVERSEERS | {"cashier"},
    "pit": _OVERSEERS,
    "edges": _OVERSEERS,
    "cage": frozenset({"supervisor", "cashier", "auditor"}),
    "dealer": _OVERSEERS | {"dealer"},
    "liability": _OVERSEERS | {"cashier"},
    "reports": _OVERSEERS,
    "audit": _OVERSEERS,
    "house": _OVERSEERS,
}
"""What each role may look at, beyond what everybody sees."""


@dataclass(frozen=True)
class Person:
    """Somebody who is logged in."""

    name: str
    role: Role


def verify_may(person: Person, kind: type[Command]) -> None:
    if person.role not in kind.traits.by:
        may_not = Words("the role {} may not {}", "職級 {} 不可{}")
        raise NotAllowed(may_not.format(person.role, kind.traits.title))


def verify_decides(person: Person, number: int, state: TableState) -> None:
    """Whether the role may approve or reject a proposal: what a cashier decides is money."""
    proposals = state.proposals
    proposal = proposals.waiting.get(number)
    is_not_money = number > proposals.numbered if proposal is None else proposal.about != "money"
    if person.role == "cashier" and is_not_money:
        raise NotAllowed(
            "the role cashier may decide on buy-ins, loads of credits, hand pays and adjustments "
            "only"
        )


def verify_two(house: HouseState, asked_by: str, person: Person) -> None:
    """Refuse one person in two roles: a creator may still control an unenrolled account."""
    if asked_by != person.name and not house.are_two(asked_by, person.name):
        raise SecondPersonNeeded(
            f"{person.name} and {asked_by} are not two people: one of them gave out the code of "
            "the other, who has not enrolled"
        )


def verify_approves(house: HouseState, asked_by: str, person: Person, kind: type[Command]) -> None:
    """Refuse an approver who is not a second person, or a proposer who may no longer ask."""
    verify_two(house, asked_by, person)
    verify_still_asks(house, asked_by, kind)


def may_see(role: Role, what: str) -> bool:
    return role in SEES[what]


def verify_sees(person: Person, what: str) -> None:
    if not may_see(person.role, what):
        raise NotAllowed(f"the role {person.role} may not see: {what}")
