"""Output: tables and coloured cards in a terminal, plain aligned text in a pipe; JSON, CSV, files.

Text is never read as markup: what a designer writes is shown as it is.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path
from shutil import get_terminal_size
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeAlias
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

SUIT_STYLES = {
    SPADES: "bold black on white",
    HEARTS: "bold red on white",
    DIAMONDS: "bold red on white",
    CLUBS: "bold black on white",
    FIRE: "bold red on white",
    GOLD: "bold yellow on black",
    EARTH: "bold white on brown",
    WOOD: "bold green on white",
    WATER: "bold blue on white",
}
WINNER_STYLES: dict[Winner, str] = {
    "player": "bold blue",
    "banker": "bold red",
    "tie": "bold green",
}
BROWN = 94
"""Among the 256 colours; Click has no name for it."""

FOLDED = 14
"""Columns that a cell of prose keeps where the terminal is narrow."""

DRAW_EVERY_S = 0.1
BAR = 30
"""Columns of a bar that is full."""


@dataclass(frozen=True, slots=True)
class Styled:
    """Text with a look of its own in a terminal."""

    text: str
    style: str


Part: TypeAlias = str | Styled


def in_terminal() -> bool:
    return _is_terminal(sys.stdout)


def terminal_width() -> int:
    return get_terminal_size().columns


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
    click.echo("".join(_paint(_plain(part), part) for part in parts))


def heading(text: str) -> None:
    line(Styled(text, "bold"))


def _plain(part: Part) -> str:
    """Its text; a journal may have hidden characters, from before they were refused."""
    return escaped(part.text if isinstance(part, Styled) else part)


def _paint(text: str, part: Part) -> str:
    """Give the text the look of its part, such as "bold red on white"."""
    if not text or not isinstance(part, Styled) or not in_terminal():
        return text
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    front, _, back = part.style.partition(" on ")
    look = dict[str, Any]()
    for word in front.split():
        look |= {word: True} if word in ("bold", "dim") else {"fg": word}
    if back:
        look["bg"] = BROWN if back == "brown" else back
    return click.style(text, **look)


def table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Part]],
    *,
    right: Sequence[int] = (),
    fold: Sequence[int] = (),
) -> None:
    """Rows under headings; `right` names columns of figures, `fold` columns of prose that take
    several lines where a terminal is narrow. Figures are never cut.
    """
    lines: list[Sequence[Part]] = [*rows]
    if any(columns):
        lines.insert(0, [Styled(column, "dim") for column in columns])
    widths = [width(column) for column in columns]
    for row in lines:
        for i, part in enumerate(row):
            widths[i] = max(widths[i], width(_plain(part)))
    if in_terminal():
        _narrow(widths, fold)
    for row in lines:
        folded = [_fold(_plain(part), to) for part, to in zip(row, widths, strict=True)]
        for texts in zip_longest(*folded, fillvalue=""):
            cells = list[str]()
            for i, (text, part) in enumerate(zip(texts, row, strict=True)):
                space = " " * (widths[i] - width(text))
                painted = _paint(text, part)
                cells.append(space + painted if i in right else painted + space)
            click.echo("  ".join(cells).rstrip())


def _narrow(widths: list[int], fold: Sequence[int]) -> None:
    """Take from the widest column of prose until the table fits, or all of them are narrow."""
    room = terminal_width() - 2 * (len(widths) - 1)
    while sum(widths) > room:
        widest = max(fold, key=widths.__getitem__, default=None)
        if widest is None or widths[widest] <= FOLDED:
            return
        widths[widest] -= 1


_PIECE = re.compile(r"\s*(?:[!-\u2e7f]+|\S)[，。、；：）」]*")
"""What stays on one line: a word, or a Chinese character with the sign after it."""


def _fold(text: str, to: int) -> list[str]:
    """Break a text into lines of at most `to` columns.

    >>> _fold("the shoe is changed", 8)
    ['the shoe', 'is', 'changed']
    >>> _fold("莊家以六點勝 6", 8), _fold("insufficient", 8)
    (['莊家以六', '點勝 6'], ['insuffic', 'ient'])
    """
    if width(text) <= to:
        return [text]
    lines = [""]
    for piece in _PIECE.findall(text):
        if width(lines[-1] + piece) <= to:
            lines[-1] += piece
            continue
        word = piece.lstrip()
        lines += [word[i : i + to] for i in range(0, len(word), to)]
    return [found for found in lines if found]


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
    quiet = not _is_terminal(sys.stderr) or (writes_output and in_terminal())
    now = _Stage(shown=not quiet)
    try:
        yield now.begin
    except KeyboardInterrupt:
        now.draw("")
        stopped = f"stopped at {now.done:,} of {now.total:,} {now.what}" if now.what else "stopped"
        click.echo(f"{stopped}; {left}" if left else stopped, err=True)
        raise
    finally:
        now.draw("")


class _Stage:
    """The stage that runs: its name, its count, and its progress line."""

    what, total, done = "", 0, 0

    def __init__(self, *, shown: bool) -> None:
        self._shown = shown
        self._line = ""

    def begin(self, what: str, total: int) -> Advance:
        self.what, self.total, self.done = what, total, 0
        self._began = self._drawn = monotonic()
        self.draw(self._said())
        return self._advance

    def _advance(self, count: int) -> None:
        self.done += count
        if monotonic() - self._drawn > DRAW_EVERY_S or self.done >= self.total:
            self._drawn = monotonic()
            self.draw(self._said())

    def _said(self) -> str:
        full = BAR * min(self.done, self.total) // max(self.total, 1)
        said = f"{self.what} {'━' * full}{' ' * (BAR - full)} {self.done}/{self.total}"
        rate = self.done / max(monotonic() - self._began, 0.001)
        if not rate:
            return said
        minutes, seconds = divmod(round((self.total - self.done) / rate), 60)
        return f"{said} {rate:,.0f}/s {minutes}:{seconds:02}"

    def draw(self, said: str) -> None:
        """Write over the line that is shown; nothing is left of it in the end."""
        if self._shown and said != self._line:
            said = said[: terminal_width() - 1]
            blank = " " * len(self._line)
            self._line = said
            sys.stderr.write(f"\r{blank}\r{said}")
            sys.stderr.flush()


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def width(text: str) -> int:
    """Columns on a fixed-width screen: Chinese characters take two."""
    return sum(2 if east_asian_width(c) in "WF" else 1 for c in text)


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
