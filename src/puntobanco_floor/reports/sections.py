"""Sections: tables of records, described by their columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from puntobanco.base.money import format_cents
from puntobanco.base.record import Record
from puntobanco.document import Table
from puntobanco_floor.reports.interval import moment


class Section(NamedTuple):
    """A table whose rows are records. `columns` stand between bars, each "header=field", or one
    word where both are the same.
    """

    title: str
    columns: str
    text: tuple[str, ...] = ()  # columns of words
    note: str = ""
    only: tuple[str, ...] = ()  # fields of which a row has at least one, or is left out
    amount: Callable[[int], str] = format_cents

    def table(self, rows: Iterable[Record]) -> Table:
        headers = list[str]()
        fields = list[str]()
        for column in self.columns.split(" | "):
            header, _, name = column.partition("=")
            headers.append(header)
            fields.append(name or header)
        cells = list[tuple[str, ...]]()
        for row in rows:
            if not self.only or any(getattr(row, name) for name in self.only):
                cells.append(tuple(self._cell(name, getattr(row, name)) for name in fields))
        return Table(self.title, tuple(headers), cells, text=self.text, note=self.note)

    def _cell(self, name: str, value: str | int) -> str:
        if isinstance(value, str):
            return value
        if name.endswith("cents"):
            return self.amount(value)
        if name in ("at", "since"):
            return moment(value)
        if name in ("entry", "round", "shift"):
            return str(value)
        if name == "decks":
            return str(value) if value else "no shoe yet"
        if name == "games":
            return f"{value:08}"
        return f"{value:,}"
