"""Patterns: every deal of classes of cards, listed and decided at once, where folding is too slow.

A condition that compares cards all over a round leaves a tree of its own for nearly every card. But
it tells few classes of cards apart, ranks say: all deals of classes are some millions, and NumPy
decides them together. Deals with the same classes are one row.

Where suits are compared only between cards of one rank, the condition asks for identical cards. A
deal then also says which slots hold identical cards, and a factor is the number of ways to draw
groups of identical cards, of these sizes, from a class; a shoe works it out from its counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import factorial, perm, prod
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.rules.cards import Deck
from puntobanco.rules.predicates import (
    SLOT_NAMES,
    And,
    AtLeast,
    Classes,
    Compare,
    Named,
    Not,
    Or,
    Predicate,
    Source,
    all_parts,
    classes,
    leaves,
    reads_of,
)
from puntobanco.rules.tableau import Tableau
from puntobanco.rules.terms import NO_CARD, VALUES, Read, Slot

MAX_DEALS = 20_000_000
"""Deals of six cards by class and pattern; 13 ranks have 5 million, 12 with identical cards."""

STOOD = 10
"""In a draw table, in place of the points of player's third card."""

_CHUNK = 500  # deals of four cards whose third cards are listed together
_BITS = 7  # of a class and a size in a key
_MOST_CLASSES = (1 << _BITS) // 6 - 1

Ints: TypeAlias = NDArray[np.int64]
Pairs: TypeAlias = frozenset[frozenset[Slot]]


@dataclass(frozen=True, slots=True, eq=False)
class _Deals:
    """Deals by class: which class each slot holds (-1: none), which group of identical cards."""

    cards: Ints  # deal x slot
    blocks: Ints  # deal x slot; -1 where there is no card
    class_of: Ints  # deal x block
    held: Ints  # how many blocks; none where identical cards do not matter

    def where(self, chosen: NDArray[np.bool_] | NDArray[np.signedinteger] | slice) -> _Deals:
        return _Deals(
            self.cards[chosen], self.blocks[chosen], self.class_of[chosen], self.held[chosen]
        )

    def __len__(self) -> int:
        return len(self.held)


def list_deals(
    predicates: Sequence[Predicate], deck: Deck, tableau: Tableau
) -> tuple[Ints, ...] | None:
    """A plan's arrays, in the order of its fields; None where there are too many deals."""
    every_leaf = {leaf for p in predicates for leaf in leaves(p)}
    compared = {leaf for leaf in every_leaf if _compares_suits(leaf)}
    identical = bool(compared) and all(_only_identical(p, frozenset()) for p in predicates)
    told = every_leaf - compared if identical else every_leaf
    groups = classes(told, tuple(Slot), deck.cards, also=("points",))
    if len(groups) > _MOST_CLASSES or _number_of_deals(len(groups), identical) > MAX_DEALS:
        return None
    holds = _compiled(predicates, identical=identical)
    keys = [np.zeros(0, np.int64)]
    counts = [np.zeros((0, len(predicates)), np.int64)]
    for deals in _rounds(groups, tableau, identical=identical):
        held = _decide(holds, deals, groups, len(predicates))
        counted = np.asarray(held.any(axis=1))
        key = _keys(deals.where(counted), identical=identical)
        found, sums = _summed(key, held[counted].astype(np.int64))
        keys.append(found)
        counts.append(sums)
    key, coefficients = _summed(np.concatenate(keys), np.concatenate(counts))
    members = np.array([[card in group for card in deck.cards] for group in groups], np.int64)
    entries = np.stack([key >> _BITS * i & (1 << _BITS) - 1 for i in range(6)], axis=1)
    factors = _identical(entries) if identical else _plain(entries, len(groups))
    return (members, *factors, coefficients)


def _number_of_deals(classes_: int, identical: bool) -> int:
    """Of six cards; with identical cards a set partition of the slots with a class for each set.

    >>> _number_of_deals(10, False), _number_of_deals(10, True)
    (1000000, 3243110)
    """
    if not identical:
        return classes_**6
    partitions = (1, 31, 90, 65, 15, 1)  # of six slots into one set, two, ... six
    return sum(n * classes_**sets for sets, n in enumerate(partitions, 1))


def _compares_suits(leaf: Compare) -> bool:
    read = reads_of(leaf)
    return len({r.slot for r in read}) > 1 and any(r.attribute == "suit" for r in read)


def _pair(leaf: Predicate, attribute: str, op: str) -> frozenset[Slot]:
    """The two slots whose ranks, or suits, a leaf compares; nothing for any other."""
    match leaf:
        case Compare(Read(a, first), found, Read(b, second)):
            if first == second == attribute and found == op:
                return frozenset((a, b))
    return frozenset()


def _only_identical(predicate: Predicate, ranks: Pairs) -> bool:
    """Whether suits of two cards matter only where their ranks, in these pairs, are equal."""
    match predicate:
        case Compare():
            if not _compares_suits(predicate):
                return True
            return bool({_pair(predicate, "suit", op) for op in ("==", "!=")} & ranks)
        case Named(part) | Not(part):
            return _only_identical(part, ranks)
        case And(parts):
            # where two ranks differ, one part fails, and the suits do not matter
            inside = (one for part in parts for one in all_parts(part))
            ranks |= {_pair(one, "rank", "==") for one in inside} - {frozenset()}
        case Or(parts):
            # or one part holds
            ranks |= {_pair(part, "rank", "!=") for part in parts} - {frozenset()}
            failing = (one for p in parts if isinstance(p, Not) for one in all_parts(p.part))
            ranks |= {_pair(one, "rank", "==") for one in failing} - {frozenset()}
        case AtLeast(_, parts):
            pass
    return all(_only_identical(part, ranks) for part in parts)


class _Source(Source):
    """Suits are compared by the groups of identical cards that the two slots are in."""

    def predicate(self, predicate: Predicate) -> str:
        if isinstance(predicate, Compare) and _compares_suits(predicate):
            assert isinstance(predicate.left, Read)
            assert isinstance(predicate.right, Read)
            left = SLOT_NAMES[predicate.left.slot]
            right = SLOT_NAMES[predicate.right.slot]
            return self._once(predicate, lambda: f"{left}_block {predicate.op} {right}_block")
        return super().predicate(predicate)


_Holds: TypeAlias = Callable[[dict[str, Any]], Sequence[Any]]


def _compiled(predicates: Sequence[Predicate], *, identical: bool) -> _Holds:
    """A function of the columns of deals: a column of answers for each predicate."""
    source = _Source() if identical else Source()
    results = [source.predicate(p) for p in predicates]
    code = compile(
        "\n".join((*source.lines, f"answers = ({', '.join(results)},)")), "<deals>", "exec"
    )

    def holds(columns: dict[str, Any]) -> Sequence[Any]:
        for read in source.reads:
            columns[read.name] = columns[f"{SLOT_NAMES[read.slot]}_{read.attribute}"]
        exec(code, {}, columns)
        answers: Sequence[Any] = columns["answers"]
        return answers

    return holds


class _Columns(dict[str, Any]):
    """What can be read of the slots of some deals, each column made when it is read."""

    def __init__(self, deals: _Deals, groups: Classes) -> None:
        super().__init__()
        self.deals = deals
        # one card stands for its class; the last, at -1, for no card
        self.card_of = np.array([*(group[0] for group in groups), NO_CARD])

    def __missing__(self, name: str) -> Ints:
        slot_name, _, attribute = name.partition("_")
        if slot_name not in SLOT_NAMES or not attribute:
            raise KeyError(name)
        slot = SLOT_NAMES.index(slot_name)
        if attribute == "block":
            return self.deals.blocks[:, slot]
        values = np.array(VALUES[attribute], np.int64)  # type: ignore[index]
        self[name] = found = values[self.card_of[self.deals.cards[:, slot]]]
        return np.asarray(found)


def _decide(holds: _Holds, deals: _Deals, groups: Classes, predicates: int) -> NDArray[np.bool_]:
    answers = holds(_Columns(deals, groups))
    held = np.zeros((len(deals), predicates), np.bool_)
    for column, answer in enumerate(answers):
        held[:, column] = answer
    return held


def _rounds(groups: Classes, tableau: Tableau, *, identical: bool) -> Iterator[_Deals]:
    """Every complete round, those that end alike together."""
    points = np.array([*(VALUES["points"][group[0]] for group in groups), 0])
    none = np.full((1, 6), -1, np.int64)
    deals = _Deals(none, none, none, np.zeros(1, np.int64))
    for slot in (Slot.P1, Slot.B1, Slot.P2, Slot.B2):
        deals = _drawn(deals, slot, len(groups), identical=identical)
    player_draws, banker_draws = make_draw_table(tableau)
    for begin in range(0, len(deals), _CHUNK):
        four = deals.where(slice(begin, begin + _CHUNK))
        player, banker = _points(four, points)
        third = player_draws[player, banker]
        last = ~third & banker_draws[player, banker, STOOD]
        yield four.where(~third & ~last)
        yield _drawn(four.where(last), Slot.B3, len(groups), identical=identical)
        five = _drawn(four.where(third), Slot.P3, len(groups), identical=identical)
        player, banker = _points(five, points)
        last = banker_draws[player, banker, points[five.cards[:, Slot.P3]]]
        yield five.where(~last)
        yield _drawn(five.where(last), Slot.B3, len(groups), identical=identical)


def make_draw_table(tableau: Tableau) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Who draws, by player's and banker's totals of two cards: player; banker, also by the points
    of player's third card.
    """
    player = np.zeros((10, 10), np.bool_)
    banker = np.zeros((10, 10, STOOD + 1), np.bool_)
    for p, b in np.ndindex(player.shape):
        player[p, b] = tableau.player_takes_third(p, b)
        for third in range(STOOD):
            banker[p, b, third] = tableau.banker_takes_third(p, b, third)
        banker[p, b, STOOD] = tableau.banker_takes_third(p, b, None)
    return player, banker


def _points(deals: _Deals, points: Ints) -> tuple[Ints, Ints]:
    p1, b1, p2, b2 = points[deals.cards[:, :4]].T
    return (p1 + p2) % 10, (b1 + b2) % 10


def _drawn(deals: _Deals, slot: Slot, classes_: int, *, identical: bool) -> _Deals:
    """Each deal with every card that may come next: one like an earlier one, or another."""
    choices = deals.held + classes_
    owner = np.repeat(np.arange(len(deals)), choices)
    choice = np.arange(len(owner)) - np.repeat(np.cumsum(choices) - choices, choices)
    grown = deals.where(owner)
    cards = grown.cards.copy()
    cards[:, slot] = choice
    if not identical:
        return _Deals(cards, cards, grown.class_of, grown.held)
    like = choice < grown.held
    block = np.where(like, choice, grown.held)
    each = np.arange(len(owner))
    class_of = grown.class_of.copy()
    class_of[each, block] = cards[:, slot] = np.where(
        like, grown.class_of[each, block], choice - grown.held
    )
    blocks = grown.blocks.copy()
    blocks[:, slot] = block
    return _Deals(cards, blocks, class_of, grown.held + ~like)


def _keys(deals: _Deals, *, identical: bool) -> Ints:
    """A number for each deal, the same where the classes are the same and the groups of identical
    cards have the same sizes.
    """
    entries = deals.cards + 1
    if identical:
        sizes = (deals.blocks[:, :, None] == np.arange(6)).sum(axis=1)
        entries = np.where(sizes, 6 * deals.class_of + sizes, 0)
    entries = np.sort(entries, axis=1)
    key: Ints = (entries << _BITS * np.arange(6)).sum(axis=1)
    return key


def _summed(key: Ints, counts: Ints) -> tuple[Ints, Ints]:
    """Each key once, with the sums of its rows."""
    found, place = np.unique(key, return_inverse=True)
    sums = np.zeros((len(found), counts.shape[1]), np.int64)
    np.add.at(sums, place, counts)
    return found, sums


_Factors: TypeAlias = tuple[Ints, Ints, Ints, Ints, Ints]


def _plain(entries: Ints, classes_: int) -> _Factors:
    """Sorted classes, as factors that each draw one card."""
    less = np.zeros_like(entries)
    for column in range(6):
        less[:, column] = (entries[:, :column] == entries[:, column, None]).sum(axis=1)
    factors = np.where(entries, 6 * (entries - 1) + less + 1, 0)
    factor_class = np.repeat(np.arange(classes_), 6)
    factor_less = np.tile(np.arange(6), classes_)
    dealt = (entries > 0).sum(axis=1)
    return factor_class, factor_less, np.zeros((0, 6), np.int64), factors, dealt


def _identical(entries: Ints) -> _Factors:
    """Classes with the sizes of their groups, as factors that each draw all of a class."""
    ids = dict[tuple[int, tuple[int, ...]], int]()
    factors = np.zeros((len(entries), 6), np.int64)
    dealt = np.zeros(len(entries), np.int64)
    for row, packed in enumerate(entries.tolist()):
        groups = [divmod(entry - 1, 6) for entry in packed if entry]
        dealt[row] = sum(size + 1 for _, size in groups)
        for place, (class_, several) in enumerate(groupby(groups, lambda group: group[0])):
            sizes = tuple(size + 1 for _, size in several)
            factors[row, 5 - place] = ids.setdefault((class_, sizes), len(ids) + 1)
    factor_class = np.array([class_ for class_, _ in ids], np.int64)
    blocks = np.zeros((len(ids), 6), np.int64)
    for factor, (_, sizes) in enumerate(ids):
        blocks[factor, : len(sizes)] = sizes
    return factor_class, np.zeros_like(factor_class), blocks, factors, dealt


def ways_to_draw(copies: Sequence[int]) -> dict[tuple[int, ...], int]:
    """By the sizes of groups, smallest first: the ways to draw these groups of identical cards, a
    kind of card for each, in order, where there are so many copies of each kind.

    >>> ways = ways_to_draw([2, 1])
    >>> ways[(2,)], ways[(1, 1)], ways[(1, 2)], ways.get((1, 1, 1), 0)
    (2, 4, 2, 0)
    """
    unordered = dict[tuple[int, ...], int]()
    unordered[()] = 1
    for count in copies:
        grown = dict(unordered)
        for sizes, ways in unordered.items():
            for size in range(1, min(count, 6 - sum(sizes)) + 1):
                larger = tuple(sorted((*sizes, size)))
                grown[larger] = grown.get(larger, 0) + ways * perm(count, size)
        unordered = grown
    found = dict[tuple[int, ...], int]()
    for sizes, ways in unordered.items():
        orders = prod(factorial(sizes.count(size)) for size in set(sizes))
        found[sizes] = ways * orders
    return found
