"""`roads`: the five scoreboards of a sequence of results."""

from __future__ import annotations

from dataclasses import asdict
from typing import TypeAlias

import click

from puntobanco.cli import console
from puntobanco.cli.options import json_option, read_text
from puntobanco.scoreboards import (
    ROWS,
    TURNS,
    Bead,
    BigCell,
    DerivedRoad,
    Roads,
    Turn,
    parse_results,
)
from puntobanco.scoreboards import roads as make_roads

Cells: TypeAlias = dict[tuple[int, int], console.Styled]
"""What stands where, by row and column."""


@click.command
@click.argument("results")
@click.option(
    "--turn",
    type=click.Choice(TURNS),
    default="retry-down",
    help="When an older tail blocks a streak: try down again at each step, or keep right.",
)
@json_option
def roads(results: str, turn: Turn, as_json: bool) -> None:
    """Draw the roads of RESULTS: B, P, T, each followed by b or p for a pair; - is standard
    input.
    """
    text = read_text("-") if results == "-" else results
    drawn = make_roads(parse_results(text), turn=turn)
    if as_json:
        console.echo_json(_as_json(drawn))
        return
    beads = {(bead.row, bead.col): _bead(bead) for bead in drawn.bead_plate}
    _grid("bead plate", beads)
    streaks = {(cell.row, cell.col): _big(cell) for cell in drawn.big_road}
    _grid("big road", streaks)
    _grid("big eye boy", _marks(drawn.big_eye))
    _grid("small road", _marks(drawn.small))
    _grid("cockroach pig", _marks(drawn.cockroach))


def _as_json(drawn: Roads) -> dict[str, object]:
    return {
        "bead_plate": [_bead_json(bead) for bead in drawn.bead_plate],
        "big_road": [_big_json(cell) for cell in drawn.big_road],
        "big_eye": asdict(drawn.big_eye),
        "small": asdict(drawn.small),
        "cockroach": asdict(drawn.cockroach),
    }


def _bead_json(bead: Bead) -> dict[str, object]:
    return {"row": bead.row, "col": bead.col, **asdict(bead.result)}


def _big_json(cell: BigCell) -> dict[str, object]:
    return {"row": cell.row, "col": cell.col, "winner": cell.winner, "ties": cell.ties}


def _bead(bead: Bead) -> console.Styled:
    result = bead.result
    text = result.winner[0].upper()
    if result.banker_pair:
        text += "b"
    if result.player_pair:
        text += "p"
    return console.Styled(text, console.WINNER_STYLES[result.winner])


def _big(cell: BigCell) -> console.Styled:
    text = cell.winner[0].upper()
    if cell.ties:
        text += str(cell.ties)
    return console.Styled(text, console.WINNER_STYLES[cell.winner])


def _marks(road: DerivedRoad) -> Cells:
    marks = {"R": console.Styled("R", "red"), "B": console.Styled("B", "blue")}
    return {(cell.row, cell.col): marks[cell.color] for cell in road.cells}


def _grid(title: str, cells: Cells) -> None:
    """Six rows of cells, each as wide as the widest; where the terminal is narrow, the last columns
    that fit.
    """
    columns = 1 + max((col for _, col in cells), default=-1)
    lengths = [len(cell.text) for cell in cells.values()]
    wide = 1 + max(lengths, default=1)
    fit = columns
    if console.in_terminal():
        room = console.terminal_width() // wide
        fit = min(columns, max(1, room))
    hidden = ""
    if fit < columns:
        hidden = f", the last {fit} of {columns} columns"
    console.heading(title + hidden)
    empty = console.Styled("·", "dim")
    for row in range(ROWS if columns else 0):
        parts = list[console.Part]()
        for col in range(columns - fit, columns):
            cell = cells.get((row, col), empty)
            space = " " * (wide - len(cell.text))
            parts += [cell, space]
        console.line(*parts[:-1])
    console.line()
