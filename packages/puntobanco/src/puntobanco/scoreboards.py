"""Scoreboards: the five roads of past results, as pure functions of the results.

Rows and columns count from 0; a road is six rows high. Derived roads compare the lengths of runs on
the big road, some runs apart: big eye boy 1, small road 2, cockroach pig 3.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, TypeAlias

from puntobanco.rules.cards import rank_of
from puntobanco.rules.refusals import BadResults
from puntobanco.rules.round import Round, Winner

ROWS = 6
MAX_RESULTS = 10_000

Turn = Literal["retry-down", "keep-right"]
TURNS: tuple[Turn, ...] = ("retry-down", "keep-right")
Color = Literal["R", "B"]
Cell: TypeAlias = tuple[int, int]

_WINNERS: dict[str, Winner] = {"B": "banker", "P": "player", "T": "tie"}
_RESULT = re.compile(r"([BPT])(b?p?|pb)(?![bp])")


@dataclass(frozen=True, slots=True)
class Result:
    """How one round ended, as the roads show it."""

    winner: Winner
    banker_pair: bool = False
    player_pair: bool = False


@dataclass(frozen=True, slots=True)
class Bead:
    row: int
    col: int
    result: Result


@dataclass(frozen=True, slots=True)
class BigCell:
    row: int
    col: int
    winner: Winner
    ties: int  # ties that fell on this cell
    banker_pair: bool = False
    player_pair: bool = False


@dataclass(frozen=True, slots=True)
class Mark:
    row: int
    col: int
    color: Color


@dataclass(frozen=True, slots=True)
class DerivedRoad:
    sequence: str  # "R" and "B" in order
    cells: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Roads:
    """The five roads, each as cells with row and column."""

    bead_plate: tuple[Bead, ...]
    big_road: tuple[BigCell, ...]
    big_eye: DerivedRoad
    small: DerivedRoad
    cockroach: DerivedRoad

    def __repr__(self) -> str:
        marks = "".join(bead.result.winner[0].upper() for bead in self.bead_plate[-20:])
        earlier = "..." if len(self.bead_plate) > 20 else ""
        return f"<Roads of {len(self.bead_plate)} rounds: {earlier}{marks}>"


def result_of(round_: Round) -> Result:
    """A complete round's mark on the roads."""
    winner = round_.winner
    assert winner is not None, "only a complete round has a result"
    p1, b1, p2, b2, *_ = round_.slots
    banker_pair = rank_of(b1) == rank_of(b2)
    player_pair = rank_of(p1) == rank_of(p2)
    return Result(winner, banker_pair, player_pair)


def parse_results(text: str) -> tuple[Result, ...]:
    """`B`, `P`, `T`, each with `b` or `p` for a banker or player pair.

    >>> [r.winner for r in parse_results("BPbT")], parse_results("Tbp")[0].player_pair
    (['banker', 'player', 'tie'], True)
    """
    results = list[Result]()
    text = "".join(text.split())
    at = 0
    while at < len(text):
        match = _RESULT.match(text, at)
        if not match:
            raise BadResults(
                f"result {len(results) + 1} cannot be read at {text[at : at + 8]!r}; "
                "write B, P or T, each followed by b or p for a banker or player pair"
            )
        winner, pairs = match.groups()
        results.append(Result(_WINNERS[winner], "b" in pairs, "p" in pairs))
        at = match.end()
    if len(results) > MAX_RESULTS:
        raise BadResults(f"{len(results):,} results are more than the roads take ({MAX_RESULTS:,})")
    return tuple(results)


def roads(rounds: str | Iterable[Round | Result], *, turn: Turn = "retry-down") -> Roads:
    """Draw the five roads of these rounds, or of their results, in the order of play.

    >>> roads("BBP")
    <Roads of 3 rounds: BBP>
    """
    if isinstance(rounds, str):
        rounds = parse_results(rounds)
    results = tuple([r if isinstance(r, Result) else result_of(r) for r in rounds])
    lengths = [len(run) for run in _runs(results)]
    return Roads(
        bead_plate(results),
        big_road(results, turn=turn),
        big_eye=_derived_road(lengths, 1, turn),
        small=_derived_road(lengths, 2, turn),
        cockroach=_derived_road(lengths, 3, turn),
    )


def bead_plate(results: Iterable[Result]) -> tuple[Bead, ...]:
    """Every round, down then right."""
    return tuple(Bead(i % ROWS, i // ROWS, result) for i, result in enumerate(results))


def big_road(results: Sequence[Result], *, turn: Turn = "retry-down") -> tuple[BigCell, ...]:
    """Runs of one winner side by side. A tie takes no cell: it is counted on the cell before it,
    or on the first.
    """
    runs = _runs(results)
    if not runs:  # nothing but ties, if anything: they share the first cell
        return (_cell((0, 0), results[0], len(results)),) if results else ()
    flat = [result for run in runs for result in run]
    ties_on = [0] * len(flat)
    filled = 0
    for result in results:
        if result.winner == "tie":
            ties_on[max(filled - 1, 0)] += 1
        else:
            filled += 1
    cells = _lay_out(map(len, runs), turn)
    return tuple(map(_cell, cells, flat, ties_on))


def _cell(cell: Cell, result: Result, ties: int) -> BigCell:
    return BigCell(*cell, result.winner, ties, result.banker_pair, result.player_pair)


def _runs(results: Iterable[Result]) -> list[list[Result]]:
    """Results without ties, cut where the winner changes."""
    runs = list[list[Result]]()
    for result in results:
        if result.winner == "tie":
            continue
        if runs and runs[-1][0].winner == result.winner:
            runs[-1].append(result)
        else:
            runs.append([result])
    return runs


def _lay_out(lengths: Iterable[int], turn: Turn) -> list[Cell]:
    """Cells for runs of these lengths: down while free, else right; a new run starts to the right
    of the last one's start.
    """
    taken = set()
    order = []
    start = -1
    for length in lengths:
        start += 1
        while (0, start) in taken:
            start += 1
        row = 0
        col = start
        turned = False
        for step in range(length):
            if step:
                below = row + 1
                is_free = below < ROWS and (below, col) not in taken
                if is_free and not (turned and turn == "keep-right"):
                    row = below
                else:
                    turned = True
                    col += 1
                    while (row, col) in taken:
                        col += 1
            taken.add((row, col))
            order.append((row, col))
    return order


def _derived_road(lengths: Sequence[int], apart: int, turn: Turn) -> DerivedRoad:
    colors = list(_colors(lengths, apart))
    streaks = [len(list(streak)) for _, streak in groupby(colors)]
    cells = _lay_out(streaks, turn)
    marks = []
    for (row, col), color in zip(cells, colors, strict=True):
        marks.append(Mark(row, col, color))
    return DerivedRoad("".join(colors), tuple(marks))


def _colors(lengths: Sequence[int], apart: int) -> Iterable[Color]:
    """Red where the big road repeats itself, blue where it does not."""
    for n, length in enumerate(lengths):
        # a new run: were the last run and the one `apart` before it equally long?
        if n - 1 - apart >= 0:
            yield "R" if lengths[n - 1] == lengths[n - 1 - apart] else "B"
        # deeper cells: blue only just past the end of the run `apart` columns back
        if n - apart >= 0:
            for depth in range(2, length + 1):
                yield "B" if depth == lengths[n - apart] + 1 else "R"
