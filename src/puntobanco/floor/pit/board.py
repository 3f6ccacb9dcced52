"""The pit's board: all tables as they stand, the day's figures, returns and alerts."""

from __future__ import annotations

from puntobanco.events import Record
from puntobanco.floor.pit.returns import BetReturn
from puntobanco.floor.pit.watch import Alert, DayFigures, Edge, Watch, edges
from puntobanco.floor.recall import NoSuchRound
from puntobanco.journal import Fault
from puntobanco.storage.reader import reading
from puntobanco.storage.replay import story
from puntobanco.table.state import TableState


class PitTable(Record):
    table: str
    game: str
    phase: str
    halted: str
    round: int
    sessions: int
    connected: int
    in_play_cents: int
    waiting: int  # proposals that wait for a second person
    cards_left: int | None
    figures: DayFigures
    returns: list[BetReturn]


class Board(Record):
    house: str
    demo: bool
    at: int
    stopped: str
    tables: list[PitTable]
    alerts: list[Alert]  # the newest first


class RoundEdges(Record):
    """What every bet was worth when a round began that is over."""

    table: str
    round: int
    edges: list[Edge]


def pit_table(state: TableState, watch: Watch, *, connected: int, now: int) -> PitTable:
    round_ = state.round
    in_play = sum(round_.stakes.values()) if round_ and state.is_in_play else 0
    return PitTable(
        table=state.stream, game=state.game.id if state.game else "", phase=state.phase, halted=state.halted,
        round=state.rounds, sessions=len(state.sessions), connected=connected, in_play_cents=in_play,
        waiting=len(state.proposals), cards_left=state.shoe.cards_left if state.shoe else None,
        figures=watch.figures(state.stream, now), returns=watch.returns(state.stream),
    )  # fmt: skip


def round_edges(database: str, table: str, number: int) -> RoundEdges:
    """Of a round that is settled or void; never of one that is played."""
    try:
        with reading(database) as reader:
            found = story(reader, table, number)
    except Fault:
        raise NoSuchRound(f"{table} has played no round {number}") from None
    over = found.after.rounds > number or not found.after.is_in_play
    shoe = found.before.shoe
    if not over or shoe is None:
        raise NoSuchRound(f"round {number} is still played; its edges are told when it is over")
    return RoundEdges(table=table, round=number, edges=edges(found.game, shoe.left))
