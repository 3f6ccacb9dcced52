"""TypeScript declarations of what the browser reads and sends: one interface a msgspec class, for `tsc` alone.

The browser's code is plain JavaScript; its comments name these types, and `make lint` checks it
against them.
"""

from __future__ import annotations

import re
import typing
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec import Struct
from msgspec import inspect as mi

from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.service.cage_windows import WindowView
from puntobanco_floor.service.pit.board import Board
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import public_kind
from puntobanco_floor.service.view_builder import HouseView, Lobby
from puntobanco_floor.views.dealer_view import DealerView
from puntobanco_floor.views.table_view import TableView
from puntobanco_floor.web import (
    admin,
    admin_options,
    audit_api,
    cage,
    command_api,
    dealer,
    lab,
    login,
    patron_api,
    pit,
    receipts,
    reports,
)
from puntobanco_floor.web.app import find_handlers
from puntobanco_floor.web.problems import Problem
from puntobanco_floor.web.routing import Route

HEAD = """\
// What the server sends and takes, from the msgspec classes; `make docs` writes it. For tsc alone: no page loads it.
"""
_PLAIN: dict[type[mi.Type], str] = {
    mi.AnyType: "unknown",
    mi.BoolType: "boolean",
    mi.CustomType: "unknown",
    mi.FloatType: "number",
    mi.IntType: "number",
    mi.NoneType: "null",
    mi.StrType: "string",
}

Kind = type[Struct]
Shape = mi.StructType | mi.DataclassType
"""An object with named fields; `Words` is the one dataclass that is sent."""


@dataclass(frozen=True, kw_only=True)
class Messages:
    """What is declared. Classes inside others follow by themselves."""

    sent: tuple[Kind, ...]  # what the browser reads
    taken: tuple[Kind, ...]  # what it sends: a field with a default may be left out
    unions: Mapping[str, tuple[Kind, ...]]  # by name
    views: Mapping[str, Kind]  # by topic of the socket of views
    gets: Mapping[str, object]  # what a path answers
    posts: Mapping[str, object]


def answers(method: str, routes: Iterable[Route]) -> dict[str, object]:
    """What each path answers, by its handler's annotation; files are left out."""
    found = dict[str, object]()
    for route in routes:
        if route.method == method and route.answer not in (bytes, str):
            found |= dict.fromkeys(sorted(route.paths), route.answer)
    return found


def declarations(messages: Messages) -> str:
    """The whole file."""
    taken = set(messages.taken)
    in_unions = {kind for kinds in messages.unions.values() for kind in kinds}
    tables = {"Views": messages.views, "Gets": messages.gets, "Posts": messages.posts}
    answered = [kind for table in tables.values() for kind in table.values()]
    structs = _structs([*messages.sent, *(in_unions - taken), *answered])
    writer = _Writer(structs | _structs(taken), optional=taken - structs.keys())
    parts = writer.interfaces()
    for name, kinds in messages.unions.items():
        parts.append(f"export type {name} = {' | '.join(sorted(map(writer.name, kinds)))};\n")
    parts += [writer.table(name, paths) for name, paths in tables.items()]
    return "\n".join([HEAD, *parts])


def _structs(kinds: Iterable[object]) -> dict[type, Shape]:
    """Every class that these hold, however deep."""
    found = dict[type, Shape]()
    left: list[object] = list(mi.multi_type_info(kinds))
    while left:
        each = left.pop()
        if isinstance(each, Shape):
            if each.cls in found:
                continue
            found[each.cls] = each
            left += [field.type for field in each.fields]
        elif isinstance(each, mi.UnionType):
            left += each.types
        elif isinstance(each, mi.DictType):
            left.append(each.value_type)
        elif isinstance(each, mi.CollectionType):
            left.append(each.item_type)
        elif isinstance(each, mi.TupleType):
            left += each.item_types
    return found


class _Writer:
    def __init__(self, structs: dict[type, Shape], optional: set[Kind]) -> None:
        self._structs, self._optional = structs, optional
        self._twice = Counter(kind.__name__ for kind in structs)

    def name(self, kind: type) -> str:
        """Its own; with its module's where two classes share one."""
        if self._twice[kind.__name__] == 1:
            return kind.__name__
        module = kind.__module__.rpartition(".")[2].title().replace("_", "")
        return f"{module}{kind.__name__}"

    def interfaces(self) -> list[str]:
        return [self._struct(self._structs[kind]) for kind in sorted(self._structs, key=self.name)]

    def table(self, name: str, paths: Mapping[str, object]) -> str:
        """An interface with a row a path; a number or a name in it is a pattern."""
        rows = list[str]()
        for path, answer in paths.items():
            pattern = re.sub(r"\{\w+:(int|str)\}", r"${\1}", path)
            pattern = pattern.replace("${int}", "${number}").replace("${str}", "${string}")
            key = f"[path: `{pattern}`]" if "$" in pattern else f'"{pattern}"'
            rows.append(f"  {key}: {self._type(mi.type_info(answer))};\n")
        return f"export interface {name} {{\n{''.join(rows)}}}\n"

    def _struct(self, struct: Shape) -> str:
        name = self.name(struct.cls)
        tag = ""
        if isinstance(struct, mi.StructType) and struct.tag_field:
            tag = f'  {struct.tag_field}: "{struct.tag}";\n'
        if isinstance(struct, mi.StructType) and struct.array_like:
            rows = [
                f"  {field.encode_name}: {self._type(field.type)},\n" for field in struct.fields
            ]
            return f"export type {name} = [\n{''.join(rows)}];\n"
        rows = [tag]
        for field in struct.fields:
            mark = "" if field.required or not self._may_miss(struct.cls) else "?"
            rows.append(f"  {field.encode_name}{mark}: {self._type(field.type)};\n")
        return f"export interface {name} {{\n{''.join(rows)}}}\n"

    def _may_miss(self, kind: type) -> bool:
        if not issubclass(kind, Struct):
            return False
        return kind in self._optional or kind.__struct_config__.omit_defaults

    def _type(self, found: mi.Type) -> str:
        if isinstance(found, Shape):
            return self.name(found.cls)
        if isinstance(found, mi.UnionType):
            return " | ".join(self._type(each) for each in found.types)
        if isinstance(found, mi.LiteralType):
            return " | ".join(f'"{value}"' for value in found.values)
        if isinstance(found, mi.DictType):
            return f"Record<string, {self._type(found.value_type)}>"
        if isinstance(found, mi.TupleType):
            return f"[{', '.join(self._type(each) for each in found.item_types)}]"
        if isinstance(found, mi.CollectionType):
            return f"Array<{self._type(found.item_type)}>"
        return _PLAIN[type(found)]


# Our messages

_WEB = (
    patron_api,
    receipts,
    login,
    command_api,
    admin,
    admin_options,
    dealer,
    pit,
    cage,
    reports,
    audit_api,
    lab,
)


def our_messages(definitions: Definitions = OURS) -> Messages:
    handlers = [handler for module in _WEB for handler in find_handlers(module)]
    return Messages(
        sent=(wire.View, wire.NotSeen, Problem),
        taken=(*typing.get_args(wire.FromTerminal), wire.Watch),
        unions={
            "FromTerminal": typing.get_args(wire.FromTerminal),
            "ToTerminal": typing.get_args(wire.ToTerminal),
            "PublicEvent": public_kinds(definitions),
        },
        views={
            "lobby": Lobby,
            "table:{number:int}": TableView,
            "dealer:{number:int}": DealerView,
            "pit": Board,
            "cage:{number:int}": WindowView,
            "house": HouseView,
        },
        gets=answers("GET", handlers),
        posts=answers("POST", handlers),
    )


def public_kinds(definitions: Definitions) -> tuple[Kind, ...]:
    """Events as everybody at a table hears them: without their private fields."""
    return tuple(public_kind(kind) for kind in definitions.events if kind.traits.public)
