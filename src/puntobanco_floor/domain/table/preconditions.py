"""What the rules of a table share: what a decision may look at, and what several of them ask."""

from __future__ import annotations

from typing import TypeAlias

from puntobanco.base.words import Words
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import OF_THE_HOUSE
from puntobanco_floor.domain import machine
from puntobanco_floor.domain.table import refusals as r
from puntobanco_floor.domain.table.clock import undecided
from puntobanco_floor.domain.table.state import TableState

Asked: TypeAlias = machine.Asked[TableState]
Events: TypeAlias = machine.Events


def verify_decided(state: TableState) -> None:
    number = undecided(state)
    if number is not None:
        waits = Words(
            "proposal {} on this round waits for a second person",
            "有關此局的提案 {} 正等候第二人核准",
        )
        raise r.NotNow(waits.format(number))


def clause_of(game: Game, ground: str) -> str | None:
    known = (*game.irregularities, *OF_THE_HOUSE)
    return next((each.clause for each in known if each.ground.id == ground), None)
