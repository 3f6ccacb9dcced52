"""Output for people: tables and coloured cards in a terminal, plain aligned text in a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import east_asian_width

import click

from puntobanco.rules.cards import (
    CLUBS,
    DIAMONDS,
    EARTH,
    FIRE,
    GOLD,
    HEARTS,
    SPADES,
    WATER,
    WOOD,
    code,
    suit_of,
    symbol,
)
from puntobanco.rules.round import Winner

if TYPE_CHECKING:
    from rich.console import Console

SUIT_STYLES = {
    SPADES: "bold black on white", HEARTS: "bold red on white", DIAMONDS: "bold red on white",
    CLUBS: "bold black on white", FIRE: "bold red on white", GOLD: "bold yellow on black",
    EARTH: "bold white on #6f3f22", WOOD: "bold green on white", WATER: "bold blue on white",
}  # fmt: skip
WINNER_STYLES: dict[Winner, str] = {"player": "bold blue", "banker": "bold red", "tie": "bold green"}


@cache
def console() -> Console:
    from rich.console import Console  # noqa: PLC0415 - a fifth of a second that JSON output need not pay

    return Console(highlight=False, soft_wrap=False)


def in_terminal() -> bool:
    return console().is_terminal


def card(card_: int) -> str:
    """A card for a terminal, or its code in a pipe."""
    if not in_terminal():
        return code(card_)
    return f"[{SUIT_STYLES[suit_of(card_)]}] {symbol(card_)} [/]"


def cards(cards_: Iterable[int]) -> str:
    return " ".join(map(card, cards_))


def styled(text: str, style: str) -> str:
    return f"[{style}]{escape(text)}[/]" if in_terminal() else text


def escape(text: str) -> str:
    """Text that means itself: clause marks look like styles to a terminal."""
    return text.replace("[", "\\[") if in_terminal() else text


def line(text: str = "") -> None:
    if in_terminal():
        console().print(text)
    else:
        click.echo(text)


def heading(text: str) -> None:
    line(styled(text, "bold"))


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[int] = ()) -> None:
    """Rows under headings; `right` names the columns of figures."""
    rows = [list(row) for row in rows]
    if in_terminal():
        from rich.box import SIMPLE_HEAD  # noqa: PLC0415
        from rich.table import Table  # noqa: PLC0415

        grid = Table(box=SIMPLE_HEAD if any(columns) else None, pad_edge=False, header_style="dim",
                     show_header=any(columns))  # fmt: skip
        for i, column in enumerate(columns):
            grid.add_column(column, justify="right" if i in right else "left")
        for row in rows:
            grid.add_row(*row)
        console().print(grid)
        return
    lines = [list(columns), *rows] if any(columns) else rows
    widths = [max(_width(row[i]) for row in lines) for i in range(len(columns))]
    for row in lines:
        cells = [_pad(cell, widths[i], right=i in right) for i, cell in enumerate(row)]
        click.echo("  ".join(cells).rstrip())


def _width(text: str) -> int:
    """Columns on a fixed-width screen: Chinese characters take two."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, width: int, *, right: bool) -> str:
    space = " " * (width - _width(text))
    return space + text if right else text + space
