"""Handlers: find the functions that decide commands and apply events, by the types they name.

    def add_note(asked: Asked, command: AddNote) -> Events              decides AddNote
    def note_added(state: TableState, event: NoteAdded) -> TableState   applies NoteAdded

A public function of a listed module is a handler if it has one of these shapes; the annotation of
its second parameter is a kind, or a union of kinds. No table lists it a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any, NamedTuple, TypeVar, get_args, get_origin, get_type_hints

from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Event
from puntobanco_floor.domain.machine import Asked, Events, Rules, Steps

K = TypeVar("K")


class _Shape(NamedTuple):
    """A function of two parameters, with their types and the type it returns."""

    function: FunctionType
    first: Any
    second: Any
    returned: Any


def rules_in(*modules: ModuleType) -> Rules:
    """Return the decisions of these modules, by kind of command."""
    shapes = _public_functions(modules)
    decisions = (x for x in shapes if (get_origin(x.first) or x.first) is Asked)
    return _by_kind(Command, (x for x in decisions if x.returned == Events))


def steps_in(*modules: ModuleType) -> Steps[Any]:
    """Return the functions of these modules that give the next state, by kind of event."""
    return _by_kind(Event, (x for x in _public_functions(modules) if x.first == x.returned))


def _public_functions(modules: tuple[ModuleType, ...]) -> Iterator[_Shape]:
    for module in modules:
        for name, value in vars(module).items():
            own = isinstance(value, FunctionType) and value.__module__ == module.__name__
            if own and not name.startswith("_") and value.__code__.co_argcount == 2:
                first, second, *_, returned = get_type_hints(value).values()
                yield _Shape(value, first, second, returned)


def _by_kind(base: type[K], shapes: Iterable[_Shape]) -> dict[type[K], Callable[..., Any]]:
    handlers = dict[type[K], Callable[..., Any]]()
    for function, _, second, _ in shapes:
        for kind in get_args(second) or (second,):
            if isinstance(kind, type) and issubclass(kind, base):
                other = handlers.setdefault(kind, function)
                if other is not function:
                    raise TypeError(
                        f"{kind.__name__} has two handlers: {_name(other)} and {_name(function)}; "
                        "a helper that takes it begins with an underscore"
                    )
    return handlers


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}.{function.__qualname__}"
