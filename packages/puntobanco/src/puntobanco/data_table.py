"""Tidy tables: named columns of one length, for Arrow, pandas and polars.

A `DataTable` offers the Arrow PyCapsule interface, so that `polars.DataFrame(table)`,
`pyarrow.table(table)` and DuckDB take it as it is. Arrow needs the extra `table`;
pandas and polars are the user's own, and loaded when they are asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.base.extras import package
from puntobanco.rules.notebook import html_table

if TYPE_CHECKING:
    import arro3.core
    import pandas
    import polars

SHOWN_ROWS = 10
"""Rows of a table that a notebook shows."""


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """A column of text: of each row, the place of its text in `names`; None is no value."""

    names: tuple[str | None, ...]
    places: NDArray[np.integer[Any]]

    def __len__(self) -> int:
        return len(self.places)

    @property
    def texts(self) -> NDArray[np.object_]:
        """The text of each row."""
        names = np.array(self.names, np.object_)
        found: NDArray[np.object_] = names[self.places]
        return found


Column: TypeAlias = NDArray[Any] | Labels


def labels(texts: Iterable[str]) -> Labels:
    """A column of these texts.

    >>> labels(["tie", "player", "tie"]).places.tolist()
    [0, 1, 0]
    """
    places = dict[str, int]()
    found = [places.setdefault(text, len(places)) for text in texts]
    return Labels(tuple(places), np.array(found, np.int32))


class Tidy:
    """What can be had as a table: Arrow, pandas or polars."""

    def table(self) -> DataTable:
        """As named columns."""
        raise NotImplementedError

    def to_arrow(self) -> arro3.core.Table:
        """As an Arrow table; it needs the extra `table`."""
        core = package("arro3.core")
        columns = {name: _arrow(core, column) for name, column in self.table().columns.items()}
        table: arro3.core.Table = core.Table.from_pydict(columns)
        return table

    def to_pandas(self) -> pandas.DataFrame:
        """As a data frame of pandas, with text as categories."""
        theirs = package("pandas")
        columns = {name: _pandas(theirs, column) for name, column in self.table().columns.items()}
        frame: pandas.DataFrame = theirs.DataFrame(columns)
        return frame

    def to_polars(self) -> polars.DataFrame:
        """As a data frame of polars, through Arrow."""
        theirs = package("polars")
        frame: polars.DataFrame = theirs.DataFrame(self.to_arrow())
        return frame

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """The Arrow PyCapsule interface, by which other libraries take the table."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DataTable(Tidy):
    """Columns by name, all of one length.

    >>> table = DataTable({"bet": labels(["player", "tie"]), "pays": np.array([1.0, 8.0])})
    >>> table
    <DataTable of 2 rows: bet, pays>
    >>> list(table.rows())
    [('player', 1.0), ('tie', 8.0)]
    """

    columns: Mapping[str, Column]

    def __post_init__(self) -> None:
        lengths = set(map(len, self.columns.values()))
        assert len(lengths) <= 1, "columns of a table have one length"

    def __len__(self) -> int:
        return max(map(len, self.columns.values()), default=0)

    def __getitem__(self, name: str) -> NDArray[Any]:
        """A column as a NumPy array."""
        column = self.columns[name]
        return column.texts if isinstance(column, Labels) else column

    def __repr__(self) -> str:
        return f"<DataTable of {len(self):,} rows: {', '.join(self.columns)}>"

    def _repr_html_(self) -> str:
        more = len(self) - SHOWN_ROWS
        note = f"and {more:,} rows more" if more > 0 else ""
        return html_table(f"{len(self):,} rows", self.columns, self.rows(SHOWN_ROWS), note=note)

    def table(self) -> DataTable:
        """Itself."""
        return self

    def rows(self, most: int | None = None) -> Iterator[tuple[object, ...]]:
        """Row by row, as plain values; at most so many."""
        columns = [self[name][:most].tolist() for name in self.columns]
        return zip(*columns, strict=True)


def make_table(rows: Iterable[object], **kinds: type) -> DataTable:
    """A column for each attribute of the rows that is named, as texts or as numbers of its kind."""
    rows = tuple(rows)
    columns: dict[str, Column] = {}
    for name, kind in kinds.items():
        held = (getattr(row, name) for row in rows)
        columns[name] = labels(held) if kind is str else np.array([*map(kind, held)], kind)
    return DataTable(columns)


def _arrow(core: ModuleType, column: Column) -> object:
    if not isinstance(column, Labels):
        return core.Array.from_numpy(column)
    names = core.Array(column.names, core.DataType.string())
    return names.take(core.Array.from_numpy(column.places))


def _pandas(pandas: ModuleType, column: Column) -> object:
    if not isinstance(column, Labels):
        return column
    names = [name for name in column.names if name is not None]
    codes = np.array([-1 if name is None else names.index(name) for name in column.names])
    return pandas.Categorical.from_codes(codes[column.places], names)
