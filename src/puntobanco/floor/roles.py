"""Roles: who may give which commands, and see what. Nothing is allowed that is not listed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from puntobanco.cage import commands as g
from puntobanco.events import Role
from puntobanco.house import commands as h
from puntobanco.rules.refusals import Refusal
from puntobanco.table import commands as c
from puntobanco.table.state import TableState

ROLES: tuple[Role, ...] = get_args(Role)


_DEALING: frozenset[type[c.Command]] = frozenset(
    {
        c.OpenBets,
        c.CloseBets,
        c.DealCard,
        c.EnterCard,
        c.CorrectCard,
        c.Settle,
        c.DeclareIrregularity,
        c.Reconstruct,
        c.VoidRound,
        c.Resume,
        c.Reopen,
        c.CountShoe,
        c.BurnCards,
        c.WithdrawProposal,
    }
)


_RUNNING: frozenset[type[c.Command]] = frozenset(
    {
        c.OpenTable,
        c.CloseTable,
        c.HaltTable,
        c.RestartTable,
        c.ChangeLimits,
        c.ChangeClock,
        c.ChangeCards,
        c.StopSession,
        c.RestartSession,
        h.ExcludePatron,
        h.ReadmitPatron,
        h.StopFloor,
        h.StartFloor,
    }
)


_SECOND_AT_THE_CAGE: frozenset[type[c.Command]] = frozenset({g.CountShift, g.ConfirmCount})


_SUPERVISING: frozenset[type[c.Command]] = frozenset({c.Approve, c.Reject, c.NewShoe, c.EndShoe})


_AT_THE_CAGE: frozenset[type[c.Command]] = frozenset(
    {
        c.BuyIn,
        c.LoadCredits,
        c.CashOut,
        c.Approve,
        c.Reject,
        c.WithdrawProposal,
        g.OpenShift,
        g.SellVoucher,
        g.PayVoucher,
    }
)


MAY: dict[Role, frozenset[type[c.Command]]] = {
    "dealer": _DEALING,
    "supervisor": _DEALING | _RUNNING | _SUPERVISING | _SECOND_AT_THE_CAGE,
    "cashier": _AT_THE_CAGE | _SECOND_AT_THE_CAGE,
    "auditor": frozenset(),
    "administrator": _RUNNING | {h.AddStaff, h.ChangeStaff, h.AddTerminal, h.ChangeTerminal},
}
"""A void, a reconstruction, a reopening, much cash: these are proposals, and somebody else approves
them. A cashier decides on money only.
"""


SEES: dict[str, frozenset[Role]] = {
    "staff": frozenset({"auditor", "administrator"}),
    "terminals": frozenset({"supervisor", "auditor", "administrator"}),
    "exclusions": frozenset({"supervisor", "cashier", "auditor", "administrator"}),
    "pit": frozenset({"supervisor", "auditor", "administrator"}),
    "edges": frozenset({"supervisor", "auditor", "administrator"}),
    "cage": frozenset({"supervisor", "cashier", "auditor"}),
    "dealer": frozenset({"dealer", "supervisor", "auditor", "administrator"}),
    "liability": frozenset({"supervisor", "cashier", "auditor", "administrator"}),
    "reports": frozenset({"supervisor", "auditor", "administrator"}),
    "audit": frozenset({"supervisor", "auditor", "administrator"}),
    "house": frozenset({"supervisor", "auditor", "administrator"}),
}
"""What each role may look at, beyond what everybody sees."""


class NotAllowed(Refusal):
    """A command that this role may not give."""


@dataclass(frozen=True)
class Person:
    """Somebody who is logged in."""

    name: str
    role: Role


def verify_may(person: Person, kind: type[c.Command]) -> None:
    if kind not in MAY[person.role]:
        raise NotAllowed(f"the role {person.role} may not give {kind.name()}")


def verify_decides(person: Person, number: int, state: TableState) -> None:
    """Whether the role may approve or reject a proposal: what a cashier decides is money."""
    proposals = state.proposals
    proposal = proposals.waiting.get(number)
    is_not_money = number > proposals.numbered if proposal is None else proposal.about != "money"
    if person.role == "cashier" and is_not_money:
        raise NotAllowed(
            "the role cashier may decide on buy-ins, loads of credits and hand pays only"
        )


def may_see(role: Role, what: str) -> bool:
    return role in SEES[what]


def verify_sees(person: Person, what: str) -> None:
    if not may_see(person.role, what):
        raise NotAllowed(f"the role {person.role} may not see: {what}")
