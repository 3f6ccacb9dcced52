"""`roads`: the five scoreboards of a sequence of results."""

from __future__ import annotations

from collections.abc import Iterable

import click

from puntobanco.cli import show
from puntobanco.cli.options import echo_json, json_option, read_text
from puntobanco.roads import ROWS, TURNS, Bead, BigCell, DerivedRoad, Roads, Turn, parse_results
from puntobanco.roads import roads as make_roads


@click.command(
    help="Draw the roads of RESULTS: B, P, T, each followed by b or p for a pair; - is standard "
    "input."
)
@click.argument("results")
@click.option(
    "--turn",
    type=click.Choice(TURNS),
    default="retry-down",
    help="When an older tail blocks a streak: try down again at each step, or keep right.",
)
@json_option
def roads(results: str, turn: Turn, as_json: bool) -> None:
    drawn = make_roads(parse_results(read_text("-") if results == "-" else results), turn=turn)
    if as_json:
        echo_json(roads_json(drawn))
        return
    _grid("bead plate", ((b.row, b.col, _bead(b)) for b in drawn.bead_plate))
    _grid("big road", ((c.row, c.col, _big(c)) for c in drawn.big_road))
    for title, road in (
        ("big eye boy", drawn.big_eye),
        ("small road", drawn.small),
        ("cockroach pig", drawn.cockroach),
    ):
        _grid(
            title,
            (
                (m.row, m.col, _letter(m.color, "red" if m.color == "R" else "blue"))
                for m in road.cells
            ),
        )


def roads_json(drawn: Roads) -> dict[str, object]:
    return {
        "bead_plate": [
            {
                "row": b.row,
                "col": b.col,
                "winner": b.result.winner,
                "banker_pair": b.result.banker_pair,
                "player_pair": b.result.player_pair,
            }
            for b in drawn.bead_plate
        ],
        "big_road": [
            {"row": c.row, "col": c.col, "winner": c.winner, "ties": c.ties} for c in drawn.big_road
        ],
        "big_eye": _derived(drawn.big_eye),
        "small": _derived(drawn.small),
        "cockroach": _derived(drawn.cockroach),
    }


def _derived(road: DerivedRoad) -> dict[str, object]:
    return {
        "sequence": road.sequence,
        "cells": [{"row": m.row, "col": m.col, "color": m.color} for m in road.cells],
    }


def _letter(letter: str, style: str) -> show.Styled:
    return show.Styled(letter, style)


def _bead(bead: Bead) -> show.Styled:
    pairs = ("b" if bead.result.banker_pair else "") + ("p" if bead.result.player_pair else "")
    winner = bead.result.winner
    return _letter(winner[0].upper() + pairs, show.WINNER_STYLES[winner])


def _big(cell: BigCell) -> show.Styled:
    return _letter(
        cell.winner[0].upper() + (str(cell.ties) if cell.ties else ""),
        show.WINNER_STYLES[cell.winner],
    )


def _grid(title: str, cells: Iterable[tuple[int, int, show.Styled]]) -> None:
    """Six rows of cells, each as wide as the widest; where the terminal is narrow, the last columns
    that fit.
    """
    at = {(row, col): text for row, col, text in cells}
    columns = 1 + max((col for _, col in at), default=-1)
    wide = max((len(text.text) for text in at.values()), default=1) + 1
    fit = columns if not show.in_terminal() else min(columns, max(1, show.console().width // wide))
    hidden = f", the last {fit} of {columns} columns" if fit < columns else ""
    show.heading(title + hidden)
    for row in range(ROWS if columns else 0):
        parts = list[show.Part]()
        for col in range(columns - fit, columns):
            text = at.get((row, col), show.Styled("·", "dim"))
            parts += [text, " " * (wide - len(text.text))]
        show.line(*parts[:-1])
    show.line()
