"""Notebooks: a value as a small HTML table, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


def html_table(
    caption: str, columns: Iterable[str], rows: Iterable[Iterable[object]], *, note: str = ""
) -> str:
    """
    >>> html_table("Odds", ("bet", "pays"), [("tie", "8 to 1")])
    '<table><caption>Odds</caption><tr><th>bet<th>pays</tr><tr><td>tie<td>8 to 1</tr></table>'
    """
    head = _row("th", columns)
    body = "".join(_row("td", row) for row in rows)
    below = f"<p>{escape(note)}</p>" if note else ""
    return f"<table><caption>{escape(caption)}</caption>{head}{body}</table>{below}"


def _row(tag: str, cells: Iterable[object]) -> str:
    texts = [f"<{tag}>{escape(str(cell))}" for cell in cells]
    return f"<tr>{''.join(texts)}</tr>"
