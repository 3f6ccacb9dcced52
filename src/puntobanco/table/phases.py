"""Which command may come in which phase: one table for the machine, its tests and the
documentation.
"""

from __future__ import annotations

from typing import Literal, get_args

from puntobanco.table import commands as c

Phase = Literal["down", "waiting", "betting", "closed", "dealing", "stopped", "settled", "void"]
PHASES: tuple[Phase, ...] = get_args(Phase)

_BETWEEN: frozenset[Phase] = frozenset({"waiting", "settled", "void"})
_OPEN: frozenset[Phase] = frozenset(PHASES) - {"down"}
_ALWAYS: frozenset[Phase] = frozenset(PHASES)


def _only(*phases: Phase) -> frozenset[Phase]:
    return frozenset(phases)


ALLOWED: dict[type[c.Command], frozenset[Phase]] = {
    c.OpenTable: _only("down"),
    c.CloseTable: _BETWEEN,
    c.HaltTable: _OPEN,
    c.RestartTable: _OPEN,
    c.ChangeLimits: _BETWEEN,
    c.ChangeClock: _BETWEEN,
    c.ChangeCards: _BETWEEN,
    c.NewShoe: _BETWEEN,
    c.CountShoe: _OPEN - {"stopped"},
    c.BurnCards: _OPEN - {"betting"},
    c.EndShoe: _BETWEEN,
    c.SeatSession: _OPEN,
    c.LimitSession: _ALWAYS,
    c.StopSession: _ALWAYS,
    c.RestartSession: _ALWAYS,
    c.LeaveSeat: _ALWAYS,
    c.BuyIn: _OPEN,
    c.LoadCredits: _OPEN,
    c.RedeemVoucher: _OPEN,
    c.IssueVoucher: _ALWAYS,
    c.CashOut: _ALWAYS,
    c.OpenBets: _BETWEEN,
    c.PlaceWager: _only("betting"),
    c.RaiseWager: _only("betting"),
    c.WithdrawWager: _only("betting"),
    c.CloseBets: _only("betting"),
    c.DealCard: _only("closed", "dealing"),
    c.EnterCard: _only("closed", "dealing"),
    c.CorrectCard: _only("dealing", "stopped"),  # stopped: for a misread card alone
    c.DeclareIrregularity: _OPEN - {"stopped"},
    c.Reconstruct: _only("stopped"),
    c.VoidRound: _only("stopped"),
    c.Resume: _only("stopped"),
    c.Reopen: _only("settled"),
    c.Settle: _only("dealing"),
    c.Approve: _ALWAYS,  # of what is about a round: where that is allowed
    c.Reject: _ALWAYS,
    c.WithdrawProposal: _ALWAYS,
}

SAYS: dict[Phase, str] = {
    "down": "the table is closed",
    "waiting": "no round is open",
    "betting": "bets are open",
    "closed": "bets are closed and no card is dealt yet",
    "dealing": "the cards are being dealt",
    "stopped": "the round is stopped for a decision: reconstruct, void or resume",
    "settled": "the round is settled",
    "void": "the round is void",
}
