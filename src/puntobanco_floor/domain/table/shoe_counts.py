"""Counts of a shoe that its results do not tell: naturals, and wins of banker with a six."""

from __future__ import annotations

from msgspec.structs import replace

from puntobanco_floor.domain.table.state import RoundState, TableState

SIX = 6
"""The total on which most games pay a win of banker otherwise; it is counted in all of them."""


def of_last_shoe(state: TableState, round_: RoundState) -> bool:
    """Results and counts are the last shoe's, also when it is off the table."""
    return state.shoes == round_.shoe


def counted(state: TableState, round_: RoundState, by: int) -> TableState:
    """With a round that is settled (1), or without one whose settlement is taken back (-1)."""
    if not of_last_shoe(state, round_):
        return state
    play = round_.play
    is_natural = play.tableau.is_natural(*play.announcement)  # of either hand's first two cards
    is_six = play.winner == "banker" and play.banker_points == SIX
    return replace(
        state, naturals=state.naturals + by * is_natural, sixes=state.sixes + by * is_six
    )
