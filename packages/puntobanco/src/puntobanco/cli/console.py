"""Output: tables and coloured cards in a terminal, plain aligned text in a pipe; JSON, CSV, files.

Text is never read as markup: what a designer writes is shown as it is.
"""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias
from unicodedata import east_asian_width

import click

from puntobanco.base.characters import escaped
from puntobanco.base.progress import Advance, Begin
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
    from typing import TextIO

    from rich.console import Console
    from rich.progress import Progress
    from rich.text import Text

SUIT_STYLES = {
    SPADES: "bold black on white",
    HEARTS: "bold red on white",
    DIAMONDS: "bold red on white",
    CLUBS: "bold black on white",
    FIRE: "bold red on white",
    GOLD: "bold yellow on black",
    EARTH: "bold white on #6f3f22",
    WOOD: "bold green on white",
    WATER: "bold blue on white",
}
WINNER_STYLES: dict[Winner, str] = {
    "player": "bold blue",
    "banker": "bold red",
    "tie": "bold green",
}


FOLDED = 14
"""Columns that a cell of prose keeps where the terminal is narrow."""


@dataclass(frozen=True, slots=True)
class Styled:
    """Text with a look of its own in a terminal."""

    text: str
    style: str


Part: TypeAlias = str | Styled


@cache
def console() -> Console:
    from rich.console import Console  # noqa: PLC0415 - a fifth of a second that JSON output need not pay

    return Console(highlight=False, markup=False, emoji=False)


def in_terminal() -> bool:
    return console().is_terminal


def card(card_: int) -> Part:
    """A card for a terminal, or its code in a pipe."""
    if in_terminal():
        return Styled(f" {symbol(card_)} ", SUIT_STYLES[suit_of(card_)])
    return code(card_)


def cards(cards_: Iterable[int]) -> list[Part]:
    """Cards apart by spaces."""
    parts = list[Part]()
    for card_ in cards_:
        if parts:
            parts.append(" ")
        parts.append(card(card_))
    return parts


def line(*parts: Part) -> None:
    if in_terminal():
        console().print(_text(parts))
    else:
        click.echo("".join(_plain(part) for part in parts))


def heading(text: str) -> None:
    line(Styled(text, "bold"))


def _plain(part: Part) -> str:
    """Its text; a journal may have hidden characters, from before they were refused."""
    return escaped(part.text if isinstance(part, Styled) else part)


def _text(parts: Iterable[Part]) -> Text:
    from rich.text import Text  # noqa: PLC0415

    whole = Text()
    for part in parts:
        style = part.style if isinstance(part, Styled) else None
        whole.append(_plain(part), style)
    return whole


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Part]],
    *,
    right: Sequence[int] = (),
    fold: Sequence[int] = (),
) -> None:
    """Rows under headings; `right` names columns of figures, `fold` columns of prose that may take
    several lines.
    """
    rows = [list(row) for row in rows]
    if in_terminal():
        _rich_table(columns, rows, right, fold)
        return
    lines = [[_plain(cell) for cell in row] for row in rows]
    if any(columns):
        lines.insert(0, [*columns])
    widths = _widths(columns, rows)
    for cells in lines:
        padded = list[str]()
        for i, cell in enumerate(cells):
            padded.append(_pad(cell, widths[i], right=i in right))
        click.echo("  ".join(padded).rstrip())


def _widths(columns: Sequence[str], rows: Iterable[Sequence[Part]]) -> list[int]:
    """How wide each column is: as its widest cell, heading included."""
    widths = [width(column) for column in columns]
    for row in rows:
        for i, cell in enumerate(row):
            own = width(_plain(cell))
            widths[i] = max(widths[i], own)
    return widths


def _rich_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Part]],
    right: Sequence[int],
    fold: Sequence[int],
) -> None:
    from rich.box import SIMPLE_HEAD  # noqa: PLC0415
    from rich.table import Table  # noqa: PLC0415

    has_headings = any(columns)
    box = SIMPLE_HEAD if has_headings else None
    grid = Table(box=box, pad_edge=False, header_style="dim", show_header=has_headings)
    for i, column in enumerate(columns):
        justify: Literal["right", "left"] = "right" if i in right else "left"
        grid.add_column(column, justify=justify, no_wrap=i not in fold, overflow="fold")
    for row in rows:
        grid.add_row(*(_text([cell]) for cell in row))
    needed = 3 * len(columns)
    for i, wide in enumerate(_widths(columns, rows)):
        needed += min(wide, FOLDED) if i in fold else wide
    screen = console()
    was = screen.width
    screen.width = max(was, needed)  # figures are never cut short
    screen.print(grid)
    screen.width = was


@contextmanager
def progress(what: str, total: int) -> Iterator[Advance]:
    """Show one stage on standard error."""
    with stages() as begin:
        yield begin(what, total)


@contextmanager
def stages(*, left: str = "", writes_output: bool = False) -> Iterator[Begin]:
    """Show a bar on standard error with rate and time left for the stage that runs; silent where
    that is no terminal, or where the command writes its output to the same one.

    Interrupted, a line says where it stopped, and what is `left` behind.
    """
    now = _Stage()
    quiet = not _is_terminal(sys.stderr) or (writes_output and _is_terminal(sys.stdout))
    try:
        with nullcontext() if quiet else _bar() as bar:
            yield lambda what, total: now.begin(what, total, bar)
    except KeyboardInterrupt:
        stopped = f"stopped at {now.done:,} of {now.total:,} {now.what}" if now.what else "stopped"
        click.echo(f"{stopped}; {left}" if left else stopped, err=True)
        raise


class _Stage:
    """What is counted now, and how far it is."""

    what, total, done = "", 0, 0

    def begin(self, what: str, total: int, bar: Progress | None) -> Advance:
        self.what, self.total, self.done = what, total, 0
        if bar is None:
            return self._advance
        for before in bar.task_ids:
            bar.remove_task(before)
        task = bar.add_task(what, total=total)

        def advance(count: int) -> None:
            self._advance(count)
            bar.advance(task, count)

        return advance

    def _advance(self, count: int) -> None:
        self.done += count


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def _bar() -> Progress:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        ProgressColumn,
        Task,
        TextColumn,
        TimeRemainingColumn,
    )

    class Rate(ProgressColumn):
        """How many a second."""

        def render(self, task: Task) -> Text:
            return _text([f"{task.speed:,.0f}/s" if task.speed else ""])

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Rate(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=Console(stderr=True), transient=True)


def width(text: str) -> int:
    """Columns on a fixed-width screen: Chinese characters take two."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


def _pad(text: str, to: int, *, right: bool) -> str:
    space = " " * (to - width(text))
    return space + text if right else text + space


# Data and files


def echo_json(value: object) -> None:
    click.echo(escaped(json.dumps(value, ensure_ascii=False)))


def json_text(value: object) -> str:
    """JSON for a file that people open, too."""
    return json.dumps(value, ensure_ascii=False, indent=1) + "\n"


def csv_text(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return text.getvalue()


def utc(ms: int) -> str:
    """A time in UTC, to the millisecond."""
    moment = datetime.fromtimestamp(ms / 1000, UTC)
    return moment.isoformat(sep=" ", timespec="milliseconds").removesuffix("+00:00")


def write(text: str | bytes, out: str | None) -> None:
    """To the file, or where none is named to standard output."""
    if out is not None:
        save(text, out)
        click.echo(f"wrote {out}", err=True)
        return
    if isinstance(text, bytes):
        raise click.UsageError("a PDF goes to a file: add --out par.pdf")
    click.echo(text, nl=not text.endswith("\n"))


def save(text: str | bytes, out: str | Path) -> None:
    path = Path(out)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    except OSError as error:
        raise click.ClickException(f"cannot write {out}: {why(error)}") from None


def why(error: OSError) -> str:
    """The system's reason, as part of a sentence."""
    return (error.strerror or "output error").lower()
