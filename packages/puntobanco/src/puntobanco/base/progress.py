"""Stages of a long command: what it counts, how many there are, and how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias, TypeVar

T = TypeVar("T")

Advance: TypeAlias = Callable[[int], object]
"""Told how many more are done."""

Begin: TypeAlias = Callable[[str, int], Advance]
"""Begins a stage, by what it counts and how many there are; the stage before it has ended."""

AT_ONCE = 500
"""How many are done between two calls of `advance`: a call for each would take longer than they."""


def silent(what: str, total: int) -> Advance:  # noqa: ARG001 - for who wants to hear nothing
    """Begin a stage that nobody is told of."""
    return lambda _: None


def counted(rows: Iterable[T], advance: Advance) -> Iterator[T]:
    """Yield the rows and call `advance` now and then."""
    done = 0
    for row in rows:
        yield row
        done += 1
        if done == AT_ONCE:
            advance(done)
            done = 0
    advance(done)
