"""The roads of a shoe as terminals draw them: cells of row, column and mark; computed here once,
and sent.
"""

from __future__ import annotations

from functools import lru_cache

from puntobanco.scoreboards import Bead, BigCell, DerivedRoad, Result, parse_results, roads
from puntobanco_proof.entry.record import Record

Cell = tuple[int, int, str]
Cells = tuple[Cell, ...]
_LETTER = {"banker": "B", "player": "P", "tie": "T"}


class RoadsView(Record):
    """Five roads. A mark is a result (`Bp`); on the big road winner, ties, pairs (`B2p`); on others
    `R` or `B`.
    """

    bead: tuple[Cell, ...] = ()
    big: tuple[Cell, ...] = ()
    eye: tuple[Cell, ...] = ()
    small: tuple[Cell, ...] = ()
    pig: tuple[Cell, ...] = ()


class AskMarks(Record):
    """What big eye boy, small road and cockroach pig would show after a win of either hand: `R`,
    `B`, or nothing. No forecast, and shown only where the house wants it.
    """

    banker: tuple[str, str, str]
    player: tuple[str, str, str]


class Added(Record):
    """What is added to the road of this shoe: results at the end; cells, each instead of the one at
    its row and column, or at the end.
    """

    results: tuple[str, ...]
    roads: dict[str, Cells]


class Counts(Record):
    """Of a shoe; void rounds are not among its rounds."""

    rounds: int
    banker: int
    player: int
    tie: int
    banker_pair: int
    player_pair: int
    natural: int
    void: int
    banker_six: int = 0  # banker won with a total of six


@lru_cache(maxsize=256)
def roads_view(results: tuple[str, ...]) -> RoadsView:
    found = roads(parse_results("".join(results)))
    return RoadsView(
        bead=tuple(map(_bead, found.bead_plate)),
        big=tuple(map(_big, found.big_road)),
        eye=_derived(found.big_eye),
        small=_derived(found.small),
        pig=_derived(found.cockroach),
    )


def _bead(bead: Bead) -> Cell:
    result = bead.result
    return bead.row, bead.col, _LETTER[result.winner] + _pairs(result)


def _big(cell: BigCell) -> Cell:
    return cell.row, cell.col, f"{_LETTER[cell.winner]}{cell.ties}{_pairs(cell)}"


def _pairs(marked: Result | BigCell) -> str:
    return "b" * marked.banker_pair + "p" * marked.player_pair


def _derived(road: DerivedRoad) -> tuple[Cell, ...]:
    return tuple((mark.row, mark.col, mark.color) for mark in road.cells)


@lru_cache(maxsize=256)
def ask_marks(results: tuple[str, ...]) -> AskMarks:
    before = roads_view(results)
    return AskMarks(banker=_asked(before, results, "B"), player=_asked(before, results, "P"))


def _asked(before: RoadsView, results: tuple[str, ...], winner: str) -> tuple[str, str, str]:
    after = roads_view((*results, winner))
    eye = _grown(before.eye, after.eye)
    return eye, _grown(before.small, after.small), _grown(before.pig, after.pig)


def _grown(before: Cells, after: Cells) -> str:
    return after[-1][2] if len(after) > len(before) else ""


@lru_cache(maxsize=256)
def counts(results: tuple[str, ...], *, natural: int, void: int, six: int = 0) -> Counts:
    """Naturals, sixes and void rounds are not in the results: the table counts them."""
    found = parse_results("".join(results))
    won = [result.winner for result in found]
    return Counts(
        rounds=len(found),
        banker=won.count("banker"),
        player=won.count("player"),
        tie=won.count("tie"),
        banker_pair=sum(result.banker_pair for result in found),
        player_pair=sum(r.player_pair for r in found),
        natural=natural,
        void=void,
        banker_six=six,
    )
