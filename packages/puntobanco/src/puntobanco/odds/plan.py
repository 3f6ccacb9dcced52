"""Plans: which products of card counts add up to the probability of a predicate, whatever the shoe.

A plan deals slot by slot, over classes of cards that the predicate, as it stands, tells apart. A
way of dealing is a product of factors (cards in a class, less those of it already dealt); ways with
the same factors are one row with a coefficient. What is decided false is dropped, what is decided
true is kept as it is: slots not dealt by then do not matter. So a plan is a polynomial, made once;
a shoe only supplies the counts.

Cards are exchangeable: the hand whose ranks and suits are read is dealt first, and a slot that
nothing reads is not dealt at all. Classes grow coarser along a deal, because a tree that is folded
reads less.
"""

from __future__ import annotations

import zipfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from io import BytesIO
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from puntobanco.base.cache import cache_folder, code_hash, keep, key
from puntobanco.odds.patterns import list_deals, ways_to_draw
from puntobanco.rules.cards import Deck, points_of
from puntobanco.rules.predicates import (
    ALWAYS,
    NEVER,
    Classes,
    Predicate,
    all_reads,
    classes,
    fold,
    fold_in,
    leaves,
    say,
)
from puntobanco.rules.refusals import PlanTooLarge
from puntobanco.rules.tableau import Tableau
from puntobanco.rules.terms import NO_CARD, Read, Slot

PLAYER_FIRST = (Slot.P1, Slot.P2, Slot.B1, Slot.B2, Slot.P3, Slot.B3)
BANKER_FIRST = (Slot.B1, Slot.B2, Slot.P1, Slot.P2, Slot.P3, Slot.B3)
MAX_ROWS = 6_000_000
"""Ways of dealing, before those with the same factors are merged: the five games take 210,000."""

MAX_FOLDS = 400_000
"""Comparisons that are folded for one plan, some seconds of work: the five games take up to 37,000.
A condition that takes more is solved by listing its deals (`patterns`), or not at all.
"""

_MAKES_PLANS = (
    "puntobanco.odds.plan",
    "puntobanco.odds.patterns",
    "puntobanco.rules.predicates",
    "puntobanco.rules.terms",
    "puntobanco.rules.tableau",
    "puntobanco.rules.cards",
)
_UNREADABLE = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile)
_TORN = 100  # more than any number of cards dealt: a class that holds part of another
_PACK = 20  # bits a factor takes when six of them are packed into two integers

Ints: TypeAlias = NDArray[np.int64]
Predicates: TypeAlias = tuple[Predicate, ...]


@dataclass(frozen=True, eq=False)
class Plan:
    """Row r is the product of `factors[r]`, `coefficients[r, p]` times for predicate p."""

    members: Ints  # class x card of the deck: 1 where the class holds the card
    factor_class: Ints
    factor_less: Ints  # the factor is the class's count less this
    # or, where there are any, the ways to draw groups of identical cards of these sizes
    factor_blocks: Ints
    factors: Ints  # row x 6, padded on the left with the factor 0, which is 1
    dealt: Ints  # how many cards each row deals
    coefficients: Ints  # row x predicate

    def values(self, counts: Ints) -> Ints:
        """What each factor is for these counts of cards; the factor 0 is 1."""
        found = np.empty(len(self.factor_class) + 1, np.int64)
        found[0] = 1
        if not len(self.factor_blocks):
            in_class = self.members @ counts
            found[1:] = in_class[self.factor_class] - self.factor_less
            return found
        ways = [ways_to_draw(counts[own > 0].tolist()) for own in self.members]
        pairs = zip(self.factor_class.tolist(), self.factor_blocks.tolist(), strict=True)
        for factor, (class_, blocks) in enumerate(pairs, 1):
            sizes = tuple(size for size in blocks if size)
            found[factor] = ways[class_].get(sizes, 0)
        return found


@lru_cache(maxsize=256)
def plan_for(predicates: Predicates, deck: Deck, tableau: Tableau) -> Plan:
    """The plan of these predicates together; cached in memory and in the user's cache folder."""
    # the code that makes a plan is part of its key: a changed planner must not read old plans
    made_by = code_hash(*_MAKES_PLANS)
    name = key((made_by, *map(_written_out, (predicates, deck, tableau))))
    path = cache_folder() / "plans" / f"{name}.npz"
    with suppress(*_UNREADABLE), np.load(BytesIO(path.read_bytes()), allow_pickle=False) as stored:
        return Plan(**{f.name: stored[f.name] for f in fields(Plan)})
    plan = _made(predicates, deck, tableau)
    if plan is None:
        asked = say(predicates[0]).en
        raise PlanTooLarge(
            f"there is no exact chance within bounds of: {asked:.160}; it compares too many cards"
        )
    arrays = {f.name: getattr(plan, f.name) for f in fields(Plan)}
    keep(path, lambda target: np.savez(target, **arrays))
    return plan


@lru_cache(maxsize=256)  # also that there is none
def _made(predicates: Predicates, deck: Deck, tableau: Tableau) -> Plan | None:
    """Folded, which is soon done for most conditions; else by listing the deals."""
    with suppress(_TooMuch):
        return _Planner(predicates, deck, tableau).plan()
    listed = list_deals(predicates, deck, tableau)
    return None if listed is None else Plan(*listed)


class _TooMuch(Exception):
    """More trees to fold, or more ways of dealing, than a plan may take."""


def _written_out(value: object) -> str:
    """A value with every part of it; what people see of it is shorter."""
    if isinstance(value, tuple):
        return f"({', '.join(map(_written_out, value))})"
    if is_dataclass(value):
        parts = [_written_out(getattr(value, f.name)) for f in fields(value)]
        return f"{type(value).__name__}({', '.join(parts)})"
    return repr(value)


# What the table of play must remember, as one number: nothing; both totals so far; player's third
# card is next, with both totals; banker's third card is next.
_NOTHING = 0
_TOTALS = 1
_PLAYER_DRAWS = 101
_BANKER_DRAWS = 201


@dataclass(frozen=True, slots=True, eq=False)
class _Ways:
    """Ways of dealing, n of them."""

    factors: Ints  # n x 6
    table: Ints  # what the table of play remembers
    times: Ints  # how many orders of dealing each stands for

    def where(self, chosen: NDArray[np.bool_]) -> _Ways:
        return _Ways(self.factors[chosen], self.table[chosen], self.times[chosen])


_Open: TypeAlias = tuple[Predicates, _Ways]
"""Trees that are still open, and the ways of dealing that lead to them."""


class _Planner:
    def __init__(self, predicates: Predicates, deck: Deck, tableau: Tableau) -> None:
        self.predicates = predicates
        self.deck = deck
        self.slots = _order(predicates)
        self.steps = _table_steps(tableau, self.slots)
        self.masks = list[int]()  # class -> its cards, as bits
        self.ids = dict[int, int]()
        self._inside = dict[int, Ints]()
        self.done = list[tuple[tuple[bool, ...], _Ways]]()
        self.folds = 0

    def plan(self) -> Plan:
        four = {Read(slot, "present"): 1 for slot in PLAYER_FIRST[:4]}
        start = _Ways(np.zeros((1, 6), np.int64), np.full(1, _TOTALS), np.ones(1, np.int64))
        frontier = [(tuple(fold(p, four) for p in self.predicates), start)]
        for slot in self.slots:
            # merged before each slot: the ways to one open tree are dealt on together
            merged = self._merged(frontier)
            frontier = []
            rows = sum(len(ways.times) for _, ways in self.done)
            for open_, ways in merged:
                for dealt in self._deal(open_, ways, slot):
                    frontier.append(dealt)
                    rows += len(dealt[1].times)
                    if rows > MAX_ROWS or self.folds > MAX_FOLDS:
                        raise _TooMuch
        assert not self._merged(frontier), "a complete round decides every predicate"
        return self._finish()

    def _merged(self, frontier: Sequence[_Open]) -> list[_Open]:
        """One entry for each set of open trees; what is decided is put aside."""
        together = defaultdict[Predicates, list[_Ways]](list)
        for open_, ways in frontier:
            together[open_].append(ways)
        rest = []
        for open_, parts in together.items():
            answer = tuple(p == ALWAYS for p in open_)
            decided = all(p in (ALWAYS, NEVER) for p in open_)
            if decided and not any(answer):
                continue
            ways = _merge(parts, keep_table=not decided and _reads_third_cards(open_))
            if decided:
                self.done.append((answer, ways))
            else:
                rest.append((open_, ways))
        return rest

    def _deal(self, open_: Predicates, ways: _Ways, slot: Slot) -> Iterator[_Open]:
        slots = _needed(open_, self.slots[self.slots.index(slot) :])
        if slot not in slots:
            yield open_, ways
            return
        if slot >= Slot.P3:  # only where the table calls for it
            called = _player_next(ways) if slot == Slot.P3 else ways.table >= _BANKER_DRAWS
            if not called.all():
                yield open_, ways.where(~called)
                ways = ways.where(called)
                if not len(ways.times):
                    return
        third_cards = _reads_third_cards(open_)
        table = ways.table
        leaves_ = sum(map(_size, open_))
        for cards in _classes(open_, slots, self.deck, third_cards):
            self.folds += leaves_
            drawn = self._factor(cards, ways.factors)
            # sorted: the order in which factors were drawn does not change their product
            factors = np.sort(np.column_stack((ways.factors[:, 1:], drawn)), axis=1)
            card = cards[0]
            if third_cards:
                table = self.steps[slot][points_of(card)][ways.table]
            grown = _Ways(factors, table, ways.times)
            next_open = _fold_all(open_, slot, card)
            if third_cards and slot in (self.slots[3], Slot.P3):
                yield from _after(next_open, grown)
            else:
                yield next_open, grown

    def _factor(self, cards: Sequence[int], factors: Ints) -> Ints:
        """For each row the factor of drawing from this class: its count, less what was dealt."""
        mask = sum(1 << (card - self.deck.cards[0]) for card in cards)
        if mask not in self.ids:
            self.ids[mask] = len(self.masks)
            self.masks.append(mask)
        inside = self._inside.get(mask)
        if inside is None or len(inside) <= len(self.masks):
            relation = (_within(other, mask) for other in self.masks)
            self._inside[mask] = inside = np.array([0, *relation], np.int64)
        drawn_from = (factors + 5) // 6  # classes, numbered from 1
        less = inside[drawn_from].sum(axis=1)
        assert less.max() < _TORN, "classes only grow coarser along a deal"
        return np.asarray(1 + 6 * self.ids[mask] + less)

    def _finish(self) -> Plan:
        # an empty array first: where nothing can happen there is nothing to concatenate
        drawn = [np.zeros((0, 6), np.int64)]
        counted = [np.zeros((0, len(self.predicates)), np.int64)]
        for answer, ways in self.done:
            drawn.append(ways.factors)
            counted.append(ways.times[:, None] * np.array(answer, np.int64))
        factors = np.concatenate(drawn)
        coefficients = np.concatenate(counted)
        order, starts = _same(factors)
        factors = factors[order][starts]
        if len(starts):
            coefficients = np.add.reduceat(coefficients[order], starts, axis=0)
        classes_ = len(self.masks)
        cards = len(self.deck)
        members = [[mask >> i & 1 for i in range(cards)] for mask in self.masks]
        return Plan(
            members=np.array(members, np.int64).reshape(classes_, cards),
            factor_class=np.repeat(np.arange(classes_), 6),
            factor_less=np.tile(np.arange(6), classes_),
            factor_blocks=np.zeros((0, 6), np.int64),
            factors=factors,
            dealt=(factors > 0).sum(axis=1),
            coefficients=coefficients,
        )


def _within(other: int, mask: int) -> int:
    """Whether the cards of another class are all in this one: 1, or 0 for none, or torn."""
    shared = other & mask
    if shared == other:
        return 1
    return _TORN if shared else 0


def fine_reads(predicate: Predicate) -> list[Read]:
    """What it reads of ranks and suits, which tell far more cards apart than points do."""
    return [read for read in all_reads(predicate) if read.attribute in ("rank", "suit")]


def _order(predicates: Predicates) -> tuple[Slot, ...]:
    """The hand with more ranks and suits to look at goes first: it decides most."""
    fine = set[Read]().union(*map(fine_reads, predicates))
    banker = sum(read.slot % 2 for read in fine)
    if 2 * banker > len(fine):
        return BANKER_FIRST
    return PLAYER_FIRST


def _table_steps(tableau: Tableau, slots: tuple[Slot, ...]) -> dict[Slot, list[Ints]]:
    """For each slot and points of its card: what the table remembers before -> after."""
    steps = {slot: [np.arange(_BANKER_DRAWS + 1) for _ in range(10)] for slot in slots}
    every = list(product(range(10), repeat=3))
    for points, player, banker in every:
        draws = tableau.banker_takes_third(player, banker, points)
        before = _PLAYER_DRAWS + 10 * player + banker
        steps[Slot.P3][points][before] = _BANKER_DRAWS if draws else _NOTHING
    for slot in slots[:4]:
        for points, player, banker in every:
            before = _TOTALS + 10 * player + banker
            p = player
            b = banker
            if slot % 2:
                b = (banker + points) % 10
            else:
                p = (player + points) % 10
            is_fourth = slot == slots[3]
            after = _after_four(tableau, p, b) if is_fourth else _TOTALS + 10 * p + b
            steps[slot][points][before] = after
    return steps


def _after_four(tableau: Tableau, player: int, banker: int) -> int:
    if tableau.player_takes_third(player, banker):
        return _PLAYER_DRAWS + 10 * player + banker
    if tableau.banker_takes_third(player, banker, None):
        return _BANKER_DRAWS
    return _NOTHING


def _player_next(ways: _Ways) -> NDArray[np.bool_]:
    return (ways.table >= _PLAYER_DRAWS) & (ways.table < _BANKER_DRAWS)


def _after(open_: Predicates, ways: _Ways) -> Iterator[_Open]:
    """Apart by what the table calls for next, with what follows from it folded in."""
    third = _player_next(ways)
    last = ways.table == _BANKER_DRAWS
    none = ways.table == _NOTHING
    if third.any():
        yield _present(open_, Slot.P3), ways.where(third)
    stood = _fold_all(open_, Slot.P3, NO_CARD)
    if last.any():
        yield _present(stood, Slot.B3), ways.where(last)
    if none.any():
        yield _fold_all(stood, Slot.B3, NO_CARD), ways.where(none)


@lru_cache(maxsize=1 << 16)
def _fold_all(open_: Predicates, slot: Slot, card: int) -> Predicates:
    return tuple(fold_in(p, slot, card) for p in open_)


@lru_cache(maxsize=1 << 14)
def _present(open_: Predicates, slot: Slot) -> Predicates:
    return tuple(fold(p, {Read(slot, "present"): 1}) for p in open_)


@lru_cache(maxsize=1 << 14)
def _size(predicate: Predicate) -> int:
    """How many comparisons are folded when a card is put in."""
    return sum(1 for _ in leaves(predicate))


@lru_cache(maxsize=1 << 14)
def _reads(open_: Predicates) -> frozenset[Slot]:
    return frozenset(read.slot for p in open_ for read in all_reads(p))


def _reads_third_cards(open_: Predicates) -> bool:
    return not _reads(open_).isdisjoint((Slot.P3, Slot.B3))


@lru_cache(maxsize=1 << 14)
def _needed(open_: Predicates, later: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """Of these slots those to be dealt: what is read, and what the table looks at before it."""
    reads = _reads(open_)
    if Slot.B3 in reads:
        return later
    if Slot.P3 in reads:
        return tuple(slot for slot in later if slot != Slot.B3)
    return tuple(slot for slot in later if slot in reads)


@lru_cache(maxsize=1 << 14)
def _classes(open_: Predicates, slots: tuple[Slot, ...], deck: Deck, points: bool) -> Classes:
    return classes(open_, slots, deck.cards, also=("points",) if points else ())


def _merge(parts: Sequence[_Ways], *, keep_table: bool) -> _Ways:
    """Ways with the same factors, and the same table ahead where that matters, are one."""
    factors = np.concatenate([part.factors for part in parts])
    table = np.zeros(len(factors), np.int64)
    if keep_table:
        table = np.concatenate([part.table for part in parts])
    times = np.concatenate([part.times for part in parts])
    order, starts = _same(factors, table)
    first = order[starts]
    return _Ways(factors[first], table[first], np.add.reduceat(times[order], starts))


def _same(factors: Ints, *also: Ints) -> tuple[Ints, Ints]:
    """An order that brings equal rows together, and where each new row starts in it."""
    keys = (*also, _packed(factors[:, :3]), _packed(factors[:, 3:]))
    order = np.lexsort(keys)
    new = np.zeros(len(order), np.bool_)
    new[:1] = True
    for column in keys:
        in_order = column[order]
        new[1:] |= in_order[1:] != in_order[:-1]
    return order, np.flatnonzero(new)


def _packed(three: Ints) -> Ints:
    """Three factors in one integer: two keys sort faster than six."""
    first, second, third = three.T
    packed: Ints = (first << 2 * _PACK) | (second << _PACK) | third
    return packed
