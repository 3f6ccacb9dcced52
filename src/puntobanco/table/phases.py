"""The phases of a table, and the sets of them in which commands are allowed."""

from __future__ import annotations

from typing import Literal, get_args

Phase = Literal["down", "waiting", "betting", "closed", "dealing", "stopped", "settled", "void"]
PHASES: tuple[Phase, ...] = get_args(Phase)

ALWAYS: frozenset[Phase] = frozenset(PHASES)
DOWN: frozenset[Phase] = frozenset({"down"})
OPEN = ALWAYS - DOWN
BETWEEN: frozenset[Phase] = frozenset({"waiting", "settled", "void"})
IN_PLAY = OPEN - BETWEEN
BETTING: frozenset[Phase] = frozenset({"betting"})
DEALING: frozenset[Phase] = frozenset({"closed", "dealing"})
STOPPED: frozenset[Phase] = frozenset({"stopped"})

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
