"""Changes: what differs between two views of a table, and the view with it; so that whoever follows
a table needs no knowledge of events.

Only the road of a shoe grows, and it is long: of `results` and `roads` the new part is told.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from puntobanco_floor.views.road_grids import Added, Cells, RoadsView
from puntobanco_floor.views.table_view import TableView

APART = ("v", "seq", "at")
"""Of the view: these change with every message, and are told by it."""

_TYPES = {field.name: field.type for field in msgspec.structs.fields(TableView)}
_ROADS = RoadsView.__struct_fields__


class Changes(NamedTuple):
    """First `set`, fields of the view with their new values; then `add`."""

    set: dict[str, Any]
    add: Added | None


def changes(before: TableView, after: TableView) -> Changes:
    fields = dict[str, Any]()
    for name in _TYPES:
        value = getattr(after, name)
        if name not in APART and value != getattr(before, name):
            fields[name] = value
    if "results" not in fields:
        return Changes(fields, None)
    added = _added(before, after)
    if added is not None:
        del fields["results"]
        fields.pop("roads", None)
    return Changes(fields, added)


def _added(before: TableView, after: TableView) -> Added | None:
    """None where something was taken away: another shoe, a round that was reopened."""
    known = len(before.results)
    if after.results[:known] != before.results:
        return None
    roads = dict[str, Cells]()
    for name in _ROADS:
        old = getattr(before.roads, name)
        new = getattr(after.roads, name)
        if not _places(old) <= _places(new):
            return None
        lying = set(old)
        marks = tuple(cell for cell in new if cell not in lying)
        if marks:
            roads[name] = marks
    return Added(results=after.results[known:], roads=roads)


def _places(cells: Cells) -> set[tuple[int, int]]:
    return {(row, column) for row, column, _ in cells}


def changed(view: TableView, fields: Mapping[str, Any], add: Added | None) -> TableView:
    """The view with its changes, as they come over the wire; a field of a newer floor is passed
    over.
    """
    known = [name for name in fields if name in _TYPES]
    found = {name: msgspec.convert(fields[name], _TYPES[name]) for name in known}
    view = replace(view, **found)
    if add is None:
        return view
    roads = {name: _laid(getattr(view.roads, name), cells) for name, cells in add.roads.items()}
    return replace(view, results=view.results + add.results, roads=replace(view.roads, **roads))


def _laid(cells: Cells, marks: Cells) -> Cells:
    """A cell keeps its place in the list when its mark changes."""
    found = {cell[:2]: cell for cell in cells}
    found |= {mark[:2]: mark for mark in marks}
    return tuple(found.values())
