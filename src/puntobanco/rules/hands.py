"""The words a designer writes bets with: `player`, `banker`, `tie`, `same`, and what can be asked
of a hand.

>>> from puntobanco.rules.predicates import say
>>> say(banker.wins & banker.points(6)).en
'Banker wins and Banker has 6 points'
>>> say(banker.margin(4, ...)).en
"Banker's lead is 4 or more"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from types import EllipsisType

from puntobanco.rules.cards import FIVE_ELEMENTS, STANDARD, suit_name
from puntobanco.rules.predicates import (
    ALWAYS,
    Compare,
    Comparison,
    Named,
    Predicate,
    all_of,
    any_of,
)
from puntobanco.rules.terms import Attribute, Mod, Number, Read, Scaled, Slot, Term, add
from puntobanco.rules.text import Words, join

_RANK_NAMES = tuple(
    a if a == b else Words(f"{a.en}/{b.en}", f"{a.zh}/{b.zh}")
    for a, b in ((STANDARD.rank_name(r), FIVE_ELEMENTS.rank_name(r)) for r in range(13))
)
_SUIT_NAMES = tuple(map(suit_name, range(9)))


@dataclass(frozen=True, slots=True)
class Measure:
    """A number that a bet can look at; call it with the values that count.

    `points(6)` is six, `points(8, 9)` either, `margin(4, ...)` four or more, `points(..., 3)` three
    or less. Measures add, subtract and multiply by whole numbers. A measure of a card that is not
    dealt holds for no value.
    """

    term: Term
    noun: Words
    phrase: Words  # "Banker has {} points"
    names: tuple[Words, ...] = ()
    guard: Predicate = field(default=ALWAYS)
    composed: bool = False

    def __call__(self, *values: int | EllipsisType) -> Predicate:
        if not values or any(type(v) is not int and v is not Ellipsis for v in values):
            raise TypeError(
                f"{self.noun.en}: give whole numbers, such as (6), (8, 9) or (4, ...), not "
                f"{values!r}"
            )
        match values:
            case (int(least), EllipsisType()):
                return self._said(
                    self._compare(">=", least), self._phrase(least, "{} or more", "或以上")
                )
            case (EllipsisType(), int(most)):
                return self._said(
                    self._compare("<=", most), self._phrase(most, "{} or less", "或以下")
                )
            case (int(least), EllipsisType(), int(most)):
                text = Words("{} to {}", "{}至{}").format(self._name(least), self._name(most))
                return self._said(
                    self._compare(">=", least) & self._compare("<=", most), self.phrase.format(text)
                )
        if Ellipsis in values:
            raise TypeError(
                f"{self.noun.en}: write (4, ...), (..., 4) or (4, ..., 7), not {values!r}"
            )
        numbers = sorted({v for v in values if isinstance(v, int)})
        text = self.phrase.format(join((self._name(n) for n in numbers), en=" or ", zh="或"))
        if len(numbers) > 1 and numbers[-1] - numbers[0] == len(numbers) - 1:
            return self._said(
                self._compare(">=", numbers[0]) & self._compare("<=", numbers[-1]), text
            )
        return self._said(any_of(*(self._compare("==", n) for n in numbers)), text)

    def _name(self, value: int) -> Words:
        return self.names[value] if 0 <= value < len(self.names) else Words(str(value))

    def _phrase(self, value: int, en: str, zh: str) -> Words:
        """English puts "or more" after the number, Chinese after the unit."""
        name = self._name(value)
        return Words(self.phrase.en.format(en.format(name.en)), self.phrase.zh.format(name.zh) + zh)

    def _compare(self, op: Comparison, value: int) -> Predicate:
        return Compare(self.term, op, Number(value), self.phrase.format(self._name(value)))

    def _said(self, condition: Predicate, text: Words) -> Predicate:
        """The condition where the cards it speaks of are dealt, said as one phrase."""
        guarded = condition & self.guard
        if isinstance(guarded, Compare):
            return Compare(guarded.left, guarded.op, guarded.right, text)
        return Named(guarded, text, phrase=True)

    def __add__(self, other: Measure | int) -> Measure:
        return self._with(other, "{} plus {}", "{}加{}", 1)

    def __sub__(self, other: Measure | int) -> Measure:
        return self._with(other, "{} minus {}", "{}減{}", -1)

    def __mul__(self, factor: int) -> Measure:
        noun = Words("{} times {}", "{}乘{}").format(
            self._in_brackets(), _whole(factor, "multiply by")
        )
        return Measure(Scaled(factor, self.term), noun, _is(noun), (), self.guard, composed=True)

    __rmul__ = __mul__

    def __radd__(self, other: int) -> Measure:
        return self + other

    def __mod__(self, modulus: int) -> Measure:
        if _whole(modulus, "divide by") < 1:
            raise TypeError(f"a remainder needs a divisor of 1 or more, not {modulus}")
        noun = Words("{} modulo {}", "{}除{}之餘").format(self._in_brackets(), modulus)
        return Measure(Mod(self.term, modulus), noun, _is(noun), (), self.guard, composed=True)

    def _in_brackets(self) -> Words:
        """A noun made of several stands in brackets where it is part of another."""
        return Words("({})", "（{}）").format(self.noun) if self.composed else self.noun

    def _with(self, other: Measure | int, en: str, zh: str, factor: int) -> Measure:
        if isinstance(other, Measure):
            noun = Words(en, zh).format(self._in_brackets(), other._in_brackets())
            term = other.term if factor == 1 else Scaled(factor, other.term)
            return Measure(
                add(self.term, term), noun, _is(noun), (), self.guard & other.guard, composed=True
            )
        noun = Words(en, zh).format(
            self._in_brackets(), _whole(other, "add or subtract a measure or")
        )
        return Measure(
            add(self.term, Number(factor * other)), noun, _is(noun), (), self.guard, composed=True
        )


def _whole(value: object, what: str) -> int:
    if type(value) is int:
        return value
    raise TypeError(f"{what} a whole number, not {value!r:.40}")


def _is(noun: Words) -> Words:
    return Words(noun.en + " is {}", noun.zh + "為{}")


@dataclass(frozen=True, slots=True)
class CardView:
    """One card of a hand: its rank, suit and points."""

    slot: Slot
    noun: Words

    @property
    def rank(self) -> Measure:
        return self._measure("rank", Words("rank", "牌面"), _RANK_NAMES)

    @property
    def suit(self) -> Measure:
        return self._measure("suit", Words("suit", "花色"), _SUIT_NAMES)

    @property
    def points(self) -> Measure:
        noun = Words("the points of {}", "{}點數").format(self.noun)
        phrase = Words("{} is worth {{}}", "{}為{{}}點").format(self.noun)
        return Measure(Read(self.slot, "points"), noun, phrase, (), self.dealt)

    @property
    def dealt(self) -> Predicate:
        if self.slot < Slot.P3:
            return ALWAYS
        return Compare(
            Read(self.slot, "present"),
            "==",
            Number(1),
            Words("{} is dealt", "補{}").format(self.noun),
        )

    def _measure(self, attribute: Attribute, what: Words, names: tuple[Words, ...]) -> Measure:
        noun = Words("the {} of {}", "{1}{0}").format(what, self.noun)
        return Measure(Read(self.slot, attribute), noun, _is(noun), names, self.dealt)


@dataclass(frozen=True, slots=True)
class Hand:
    """One of the two hands, player or banker, as a designer speaks of it."""

    name: Words
    slots: tuple[Slot, Slot, Slot]

    @property
    def first(self) -> CardView:
        return CardView(self.slots[0], Words("{}'s first card", "{}首張牌").format(self.name))

    @property
    def second(self) -> CardView:
        return CardView(self.slots[1], Words("{}'s second card", "{}第二張牌").format(self.name))

    @property
    def third(self) -> CardView:
        return CardView(self.slots[2], Words("{}'s third card", "{}第三張牌").format(self.name))

    @property
    def points(self) -> Measure:
        """The point total of the finished hand, 0 to 9."""
        return self._total(
            3, Words("{}'s points", "{}點數"), Words("{} has {{}} points", "{}{{}}點")
        )

    @property
    def initial_points(self) -> Measure:
        """The point total of the first two cards."""
        noun = Words("{}'s points on two cards", "{}首兩張點數")
        return self._total(2, noun, Words("{} has {{}} points on two cards", "{}首兩張{{}}點"))

    def _total(self, cards: int, noun: Words, phrase: Words) -> Measure:
        total = add(*(Read(slot, "points") for slot in self.slots[:cards]))
        return Measure(Mod(total, 10), noun.format(self.name), phrase.format(self.name))

    @property
    def cards(self) -> Measure:
        """How many cards the finished hand has, 2 or 3."""
        total = add(Read(self.slots[2], "present"), Number(2))
        noun, phrase = Words("{}'s cards", "{}張數"), Words("{} has {{}} cards", "{}有{{}}張牌")
        return Measure(total, noun.format(self.name), phrase.format(self.name))

    @property
    def margin(self) -> Measure:
        """By how many points this hand is ahead; negative when behind."""
        term = add(self.points.term, Scaled(-1, other(self).points.term))
        return Measure(
            term,
            Words("{}'s lead", "{}領先點數").format(self.name),
            Words("{}'s lead is {{}}", "{}領先{{}}點").format(self.name),
        )

    @property
    def wins(self) -> Predicate:
        text = Words("{} wins", "{}贏").format(self.name)
        return Compare(self.points.term, ">", other(self).points.term, text)

    @property
    def natural(self) -> Predicate:
        """Eight or nine on the first two cards."""
        return self.initial_points(8, 9).named(
            Words("{} has a natural", "{}例牌").format(self.name)
        )

    @property
    def pair(self) -> Predicate:
        """The first two cards have one rank; suits and point values do not matter."""
        return same(self.first.rank, self.second.rank).named(
            Words("{} has a pair", "{}首兩張牌成對").format(self.name)
        )

    def one_of_each(self, *ranks: int) -> Predicate:
        """Three cards, one of each of these three ranks, in any order."""
        if len(set(ranks)) != 3:
            raise TypeError(f"one_of_each takes three different ranks, not {ranks!r}")
        views = (self.first.rank, self.second.rank, self.third.rank)
        return all_of(*(view(*ranks) for view in views), different(*views))


player = Hand(Words("Player", "閒"), (Slot.P1, Slot.P2, Slot.P3))
banker = Hand(Words("Banker", "莊"), (Slot.B1, Slot.B2, Slot.B3))


def other(hand: Hand) -> Hand:
    return banker if hand == player else player


tie: Predicate = Compare(
    player.points.term, "==", banker.points.term, Words("the hands tie", "和局")
)

cards_dealt = Measure(
    add(Read(Slot.P3, "present"), Read(Slot.B3, "present"), Number(4)),
    Words("the cards of the round", "全局張數"),
    Words("{} cards are dealt", "該局共派{}張牌"),
)


def same(*measures: Measure) -> Predicate:
    """All of these are equal, and all of their cards are dealt."""
    return all_of(
        *(_pair(a, "==", b) for a, b in pairwise(_several(measures))), *(m.guard for m in measures)
    )


def different(*measures: Measure) -> Predicate:
    """No two of these are equal, and all of their cards are dealt."""
    return all_of(
        *(_pair(a, "!=", b) for a, b in combinations(_several(measures), 2)),
        *(m.guard for m in measures),
    )


def _several(measures: Sequence[Measure]) -> Sequence[Measure]:
    if len(measures) < 2 or not all(isinstance(m, Measure) for m in measures):
        raise TypeError(
            "compare two or more measures, such as player.first.suit and player.second.suit"
        )
    return measures


def _pair(a: Measure, op: Comparison, b: Measure) -> Predicate:
    text = (
        Words("{} equals {}", "{}與{}相同")
        if op == "=="
        else Words("{} differs from {}", "{}與{}不同")
    )
    return Compare(a.term, op, b.term, text.format(a.noun, b.noun))


def _one_suit() -> Predicate:
    first = player.first.suit
    thirds = (~view.dealt | same(first, view.suit) for view in (player.third, banker.third))
    dealt = all_of(
        same(first, player.second.suit),
        same(first, banker.first.suit),
        same(first, banker.second.suit),
    )
    return all_of(dealt, *thirds).named(Words("every card dealt is of one suit", "全部牌同一花色"))


one_suit = _one_suit()
"""Every card of both finished hands, four to six of them, has one suit."""
