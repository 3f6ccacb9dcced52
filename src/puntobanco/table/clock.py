"""What the clock owes a table, and when."""

from __future__ import annotations

from typing import NamedTuple

from puntobanco.rules.round import MAX_CARDS
from puntobanco.table import commands as c
from puntobanco.table.state import TableState

CLOCK = "clock"


class Due(NamedTuple):
    at: int
    command: c.Command


def due(state: TableState) -> Due | None:
    """The next command by the clock; None where the table waits for a person."""
    clock, round_ = state.clock, state.round
    if state.phase == "betting" and round_ is not None and round_.closes_at is not None:
        return Due(round_.closes_at, c.CloseBets(by=CLOCK))
    shoe = state.shoe
    if not clock.automatic or shoe is None or shoe.dealing != "virtual":
        return None
    since = state.changed_at
    if state.phase == "closed":
        return Due(since + clock.guard_ms, c.DealCard(by=CLOCK))
    if state.phase == "dealing" and round_ is not None:
        if round_.play.is_complete:
            waiting = any(p.command["command"] != c.LoadCredits.name() for p in state.proposals.values())
            return None if waiting else Due(since + clock.card_ms, c.Settle(by=CLOCK))
        return Due(since + clock.card_ms, c.DealCard(by=CLOCK))
    if state.phase in ("waiting", "settled", "void") and not needs_shoe(state):
        return Due(since + clock.pause_ms, c.OpenBets(by=CLOCK))
    return None


def needs_shoe(state: TableState) -> bool:
    """Whether no round can open before the shoe is changed."""
    shoe = state.shoe
    if shoe is None or shoe.spoiled:
        return True
    return shoe.source == "shoe" and shoe.cards_left <= max(shoe.cut, MAX_CARDS - 1)
