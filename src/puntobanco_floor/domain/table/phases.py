"""The phases of a table, and the sets of them in which commands are allowed."""

from __future__ import annotations

from typing import Literal, get_args

from puntobanco.base.words import Words

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

SAYS: dict[Phase, Words] = {
    "down": Words("the table is closed", "賭枱已關閉"),
    "waiting": Words("no round is open", "尚未開局"),
    "betting": Words("bets are open", "投注中"),
    "closed": Words("bets are closed and no card is dealt yet", "已截止投注，尚未派牌"),
    "dealing": Words("the cards are being dealt", "正在派牌"),
    "stopped": Words(
        "the round is stopped for a decision: reconstruct, void or resume",
        "該局暫停，等候決定：還原、作廢或繼續",
    ),
    "settled": Words("the round is settled", "該局已結算"),
    "void": Words("the round is void", "該局已作廢"),
}
