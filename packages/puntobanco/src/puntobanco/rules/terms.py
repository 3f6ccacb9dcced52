"""Terms: integer expressions over what can be read of the six slots a card may fall in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import Field, dataclass
from enum import IntEnum
from functools import cache
from typing import ClassVar, Literal, NamedTuple, TypeAlias

from puntobanco.rules.cards import CARD_LIMIT, points_of, rank_of, suit_of


class Slot(IntEnum):
    """Where a card falls, in dealing order; `p3` or `b3` may stay empty."""

    P1, B1, P2, B2, P3, B3 = range(6)


Attribute = Literal["rank", "suit", "points", "present"]
NO_CARD = CARD_LIMIT
"""Stands in a slot that holds no card: no rank, no suit, no points, not present."""

VALUES: Mapping[Attribute, tuple[int, ...]] = {
    "rank": (*map(rank_of, range(CARD_LIMIT)), -1),
    "suit": (*map(suit_of, range(CARD_LIMIT)), -1),
    "points": (*map(points_of, range(CARD_LIMIT)), 0),
    "present": (*(1 for _ in range(CARD_LIMIT)), 0),
}
"""Each attribute of each card, and last of `NO_CARD`."""


class Node:
    """A node of a frozen tree that caches its hash: folding looks the same trees up many times."""

    __slots__ = ("_hash",)
    _hash: int
    __dataclass_fields__: ClassVar[dict[str, Field[object]]]

    def __init_subclass__(cls) -> None:
        # its own, so that `dataclass` does not add one
        cls.__hash__ = Node.__hash__  # type: ignore[method-assign]

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            compared = (
                getattr(self, f.name) for f in self.__dataclass_fields__.values() if f.compare
            )
            object.__setattr__(self, "_hash", hash((type(self), *compared)))
            return self._hash


@dataclass(frozen=True, slots=True)
class Number(Node):
    value: int


class Read(NamedTuple):
    """One attribute of one slot (a tuple, because millions are hashed when trees are folded)."""

    slot: Slot
    attribute: Attribute

    @property
    def name(self) -> str:
        return f"{self.slot.name.lower()}_{self.attribute}"


@dataclass(frozen=True, slots=True)
class Sum(Node):
    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Scaled(Node):
    factor: int
    term: Term


@dataclass(frozen=True, slots=True)
class Mod(Node):
    term: Term
    modulus: int


Term: TypeAlias = Number | Read | Sum | Scaled | Mod
Known: TypeAlias = Mapping[Read, int]


@cache
def reads(term: Term) -> frozenset[Read]:
    match term:
        case Read():
            return frozenset({term})
        case Sum(parts):
            return frozenset().union(*map(reads, parts))
        case Scaled(_, inner) | Mod(inner, _):
            return reads(inner)
        case Number():
            return frozenset()


@cache
def bounds(term: Term) -> tuple[int, int]:
    """The least and the greatest value the term can take, whatever the cards."""
    match term:
        case Number(value):
            return value, value
        case Read(_, attribute):
            return min(VALUES[attribute]), max(VALUES[attribute])
        case Sum(parts):
            each = [bounds(part) for part in parts]
            return sum(low for low, _ in each), sum(high for _, high in each)
        case Scaled(factor, inner):
            low, high = sorted(factor * limit for limit in bounds(inner))
            return low, high
        case Mod(_, modulus):
            return 0, modulus - 1


def put_in(term: Term, known: Known) -> Term:
    """The term with what is known put in and worked out: equal residues become equal terms."""
    match term:
        case Read():
            if term in known:
                return Number(known[term])
            return term
        case Sum(parts):
            return _sum(put_in(p, known) for p in parts)
        case Scaled(factor, inner):
            inner = put_in(inner, known)
            if isinstance(inner, Number):
                return Number(factor * inner.value)
            return Scaled(factor, inner)
        case Mod(inner, modulus):
            inner = put_in(inner, known)
            if isinstance(inner, Number):
                return Number(inner.value % modulus)
            if isinstance(inner, Sum):
                *rest, last = inner.parts
                if isinstance(last, Number):  # 17 + x and 7 + x are one residue
                    inner = _sum((*rest, Number(last.value % modulus)))
            return Mod(inner, modulus)
        case Number():
            return term


def _sum(parts: Iterator[Term] | tuple[Term, ...]) -> Term:
    """A flat sum with its constant last, or what is left of it."""
    constant = 0
    rest = list[Term]()
    for part in parts:
        inside = part.parts if isinstance(part, Sum) else (part,)
        for p in inside:
            if isinstance(p, Number):
                constant += p.value
            else:
                rest.append(p)
    if constant or not rest:
        rest.append(Number(constant))
    if len(rest) == 1:
        return rest[0]
    return Sum(tuple(rest))


def add(*parts: Term) -> Term:
    return _sum(parts)
