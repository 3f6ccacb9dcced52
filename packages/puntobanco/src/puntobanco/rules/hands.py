"""The vocabulary of bets: `player`, `banker`, `tie`, `same`, and what can be asked of a hand.

>>> from puntobanco.rules.predicates import say
>>> say(banker.wins & banker.points(6)).en
'Banker wins and Banker has 6 points'
>>> say(banker.wins_on(6)).en
'Banker wins on six'
>>> say(banker.margin(4, ...)).en
"Banker's lead is 4 or more"
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from types import EllipsisType
from typing import NoReturn

from puntobanco.base.words import Words, join
from puntobanco.rules.cards import FIVE_ELEMENTS, STANDARD, suit_name
from puntobanco.rules.predicates import (
    ALWAYS,
    Compare,
    Comparison,
    Named,
    Not,
    Predicate,
    all_of,
    any_of,
    at_least,
    fold,
    say,
)
from puntobanco.rules.terms import Attribute, Mod, Number, Read, Scaled, Slot, Term, add


def _rank_name(rank: int) -> Words:
    """What a rank is called in either deck: "Jack/Sau"."""
    names = (STANDARD.rank_name(rank), FIVE_ELEMENTS.rank_name(rank))
    return join(dict.fromkeys(names), en="/", zh="/")


_TOTALS = tuple(
    map(
        Words,
        ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
        "零一二三四五六七八九",
    )
)
"""Point totals as words."""

_RANK_NAMES = tuple(map(_rank_name, range(13)))
_SUIT_NAMES = tuple(map(suit_name, range(9)))


class _Values:
    """What is called with the values that count: a measure, or how many conditions hold."""

    __slots__ = ()
    noun: Words
    phrase: Words
    names: tuple[Words, ...]
    guard: Predicate

    def __call__(self, *values: int | EllipsisType) -> Predicate:
        if not values or any(type(v) is not int and v is not Ellipsis for v in values):
            raise TypeError(
                f"{self.noun.en}: give whole numbers, such as (6), (8, 9) or (4, ...), not "
                f"{values!r}"
            )
        match values:
            case (int(least), EllipsisType()):
                text = self._phrase(least, "{} or more", "或以上")
                return self._said(self._compare(">=", least), text)
            case (EllipsisType(), int(most)):
                text = self._phrase(most, "{} or less", "或以下")
                return self._said(self._compare("<=", most), text)
            case (int(least), EllipsisType(), int(most)):
                span = Words("{} to {}", "{}至{}").format(self._name(least), self._name(most))
                return self._said(self._between(least, most), self.phrase.format(span))
        if Ellipsis in values:
            raise TypeError(
                f"{self.noun.en}: write (4, ...), (..., 4) or (4, ..., 7), not {values!r}"
            )
        numbers = sorted({v for v in values if isinstance(v, int)})
        either = join(map(self._name, numbers), en=" or ", zh="或")
        text = self.phrase.format(either)
        least = numbers[0]
        most = numbers[-1]
        if len(numbers) > 1 and most - least == len(numbers) - 1:
            return self._said(self._between(least, most), text)
        return self._said(any_of(*(self._compare("==", n) for n in numbers)), text)

    def _between(self, least: int, most: int) -> Predicate:
        return self._compare(">=", least) & self._compare("<=", most)

    def _name(self, value: int) -> Words:
        if 0 <= value < len(self.names):
            return self.names[value]
        return Words(str(value))

    def _phrase(self, value: int, en: str, zh: str) -> Words:
        """English puts "or more" after the number, Chinese after the unit."""
        name = self._name(value)
        english = self.phrase.en.format(en.format(name.en))
        return Words(english, self.phrase.zh.format(name.zh) + zh)

    def _compare(self, op: Comparison, value: int) -> Predicate:
        raise NotImplementedError

    def _said(self, condition: Predicate, text: Words) -> Predicate:
        """The condition where the cards it speaks of are dealt, said as one phrase."""
        guarded = condition & self.guard
        if isinstance(guarded, Compare):
            return Compare(guarded.left, guarded.op, guarded.right, text)
        return Named(guarded, text, phrase=True)

    def __lt__(self, other: object) -> NoReturn:
        raise TypeError(
            f"{self.noun.en} is not compared with < or >: call it with what counts, such as "
            "banker.points(6, ...) for six or more; two measures by their difference, "
            "(banker.points - player.points)(1, ...)"
        )

    __le__ = __gt__ = __ge__ = __lt__


@dataclass(frozen=True, slots=True)
class Measure(_Values):
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

    def __repr__(self) -> str:
        return f"<Measure {self.noun.en}>"

    def _compare(self, op: Comparison, value: int) -> Predicate:
        return Compare(self.term, op, Number(value), self.phrase.format(self._name(value)))

    def __add__(self, other: Measure | int) -> Measure:
        return self._with(other, "{} plus {}", "{}加{}", 1)

    def __sub__(self, other: Measure | int) -> Measure:
        return self._with(other, "{} minus {}", "{}減{}", -1)

    def __mul__(self, factor: int) -> Measure:
        _verify_whole(factor, "multiply by")
        noun = Words("{} times {}", "{}乘{}").format(self._in_brackets(), factor)
        return _composed(Scaled(factor, self.term), noun, self.guard)

    __rmul__ = __mul__

    def __radd__(self, other: int) -> Measure:
        return self + other

    def __mod__(self, modulus: int) -> Measure:
        _verify_whole(modulus, "divide by")
        if modulus < 1:
            raise TypeError(f"a remainder needs a divisor of 1 or more, not {modulus}")
        noun = Words("{} modulo {}", "{}除{}之餘").format(self._in_brackets(), modulus)
        return _composed(Mod(self.term, modulus), noun, self.guard)

    def __abs__(self) -> NoReturn:
        raise TypeError(
            "there is no abs() of a measure: ask for both signs, such as "
            "player.margin(4, ...) | banker.margin(4, ...)"
        )

    def _in_brackets(self) -> Words:
        """A noun made of several stands in brackets where it is part of another."""
        if self.composed:
            return Words("({})", "（{}）").format(self.noun)
        return self.noun

    def _with(self, other: Measure | int, en: str, zh: str, factor: int) -> Measure:
        if isinstance(other, Measure):
            noun = Words(en, zh).format(self._in_brackets(), other._in_brackets())
            term = other.term if factor == 1 else Scaled(factor, other.term)
            return _composed(add(self.term, term), noun, self.guard & other.guard)
        _verify_whole(other, "add or subtract a measure or")
        noun = Words(en, zh).format(self._in_brackets(), other)
        return _composed(add(self.term, Number(factor * other)), noun, self.guard)


def _verify_whole(value: object, what: str) -> None:
    if type(value) is not int:
        raise TypeError(f"{what} a whole number, not {value!r:.40}")


def _composed(term: Term, noun: Words, guard: Predicate) -> Measure:
    return Measure(term, noun, _is(noun), (), guard, composed=True)


def _is(noun: Words) -> Words:
    return Words(noun.en + " is {}", noun.zh + "為{}")


@dataclass(frozen=True, slots=True)
class CardView:
    """One card of a hand: its rank, suit and points."""

    slot: Slot
    noun: Words

    @property
    def rank(self) -> Measure:
        """Its rank, from 0 for the ace."""
        return self._measure("rank", Words("rank", "牌面"), _RANK_NAMES)

    @property
    def suit(self) -> Measure:
        """Its suit."""
        return self._measure("suit", Words("suit", "花色"), _SUIT_NAMES)

    @property
    def points(self) -> Measure:
        """What it counts, 0 to 9."""
        noun = Words("the points of {}", "{}點數").format(self.noun)
        phrase = Words("{} is worth {{}}", "{}為{{}}點").format(self.noun)
        return Measure(Read(self.slot, "points"), noun, phrase, (), self.dealt)

    @property
    def dealt(self) -> Predicate:
        """The card is dealt: first and second cards always are."""
        if self.slot < Slot.P3:
            return ALWAYS
        text = Words("{} is dealt", "補{}").format(self.noun)
        return Compare(Read(self.slot, "present"), "==", Number(1), text)

    def _measure(self, attribute: Attribute, what: Words, names: tuple[Words, ...]) -> Measure:
        noun = Words("the {} of {}", "{1}{0}").format(what, self.noun)
        return Measure(Read(self.slot, attribute), noun, _is(noun), names, self.dealt)


@dataclass(frozen=True, slots=True)
class Hand:
    """One of the two hands, player or banker, as a designer speaks of it."""

    name: Words
    slots: tuple[Slot, Slot, Slot]

    def __repr__(self) -> str:
        return f"<Hand {self.name.en}>"

    @property
    def first(self) -> CardView:
        """Its first card."""
        return self._card(0, Words("{}'s first card", "{}首張牌"))

    @property
    def second(self) -> CardView:
        """Its second card."""
        return self._card(1, Words("{}'s second card", "{}第二張牌"))

    @property
    def third(self) -> CardView:
        """Its third card, which may not be dealt."""
        return self._card(2, Words("{}'s third card", "{}第三張牌"))

    def _card(self, place: int, noun: Words) -> CardView:
        return CardView(self.slots[place], noun.format(self.name))

    @property
    def every_card(self) -> tuple[CardView, CardView, CardView]:
        """Its first, second and third card."""
        return self.first, self.second, self.third

    @property
    def points(self) -> Measure:
        """The point total of the finished hand, 0 to 9."""
        noun = Words("{}'s points", "{}點數")
        return self._total(3, noun, Words("{} has {{}} points", "{}{{}}點"))

    @property
    def initial_points(self) -> Measure:
        """The point total of the first two cards."""
        noun = Words("{}'s points on two cards", "{}首兩張點數")
        return self._total(2, noun, Words("{} has {{}} points on two cards", "{}首兩張{{}}點"))

    def _total(self, cards: int, noun: Words, phrase: Words) -> Measure:
        total = add(*(Read(slot, "points") for slot in self.slots[:cards]))
        return self._measure(Mod(total, 10), noun, phrase)

    def _measure(self, term: Term, noun: Words, phrase: Words) -> Measure:
        return Measure(term, noun.format(self.name), phrase.format(self.name))

    @property
    def cards(self) -> Measure:
        """How many cards the finished hand has, 2 or 3."""
        total = add(Read(self.slots[2], "present"), Number(2))
        noun = Words("{}'s cards", "{}張數")
        return self._measure(total, noun, Words("{} has {{}} cards", "{}有{{}}張牌"))

    @property
    def margin(self) -> Measure:
        """By how many points this hand is ahead; negative when behind."""
        lead = add(self.points.term, Scaled(-1, other(self).points.term))
        noun = Words("{}'s lead", "{}領先點數")
        return self._measure(lead, noun, Words("{}'s lead is {{}}", "{}領先{{}}點"))

    @property
    def wins(self) -> Predicate:
        """It has more points than the other hand."""
        text = Words("{} wins", "{}贏").format(self.name)
        return Compare(self.points.term, ">", other(self).points.term, text)

    def wins_on(self, total: int) -> Predicate:
        """Wins with this point total, in two cards or three."""
        points = self.points(total)
        if total not in range(10):
            raise TypeError(f"a hand has 0 to 9 points, not {total}")
        text = Words("{} wins on {}", "{}以{}點勝出").format(self.name, _TOTALS[total])
        return (self.wins & points).said(text)

    @property
    def natural(self) -> Predicate:
        """Eight or nine on the first two cards."""
        text = Words("{} has a natural", "{}例牌").format(self.name)
        return self.initial_points(8, 9).named(text)

    @property
    def pair(self) -> Predicate:
        """The first two cards have one rank; suits and point values do not matter."""
        text = Words("{}'s first two cards are a pair", "{}首兩張牌成對").format(self.name)
        return same(self.first.rank, self.second.rank).named(text)

    def one_of_each(self, *ranks: int) -> Predicate:
        """Three cards, one of each of these three ranks, in any order."""
        if len(set(ranks)) != 3:
            raise TypeError(f"one_of_each takes three different ranks, not {ranks!r}")
        own = (self.first.rank, self.second.rank, self.third.rank)
        return all_of(*(rank(*ranks) for rank in own), different(*own))


player = Hand(Words("Player", "閒"), (Slot.P1, Slot.P2, Slot.P3))
"""The player's hand, in conditions: `player.points(8, 9)`."""

banker = Hand(Words("Banker", "莊"), (Slot.B1, Slot.B2, Slot.B3))
"""The banker's hand, in conditions: `banker.wins_on(6)`."""


every_card = (*player.every_card, *banker.every_card)
"""All six cards of a round, of which two may not be dealt: `count(...)` asks how many."""


def other(hand: Hand) -> Hand:
    return banker if hand == player else player


tie: Predicate = Compare(
    player.points.term, "==", banker.points.term, Words("the hands tie", "和局")
)
"""Both hands have the same point total."""

cards_dealt = Measure(
    add(Read(Slot.P3, "present"), Read(Slot.B3, "present"), Number(4)),
    Words("the cards of the round", "全局張數"),
    Words("{} cards are dealt", "該局共派{}張牌"),
)
"""How many cards the round takes, 4 to 6: `cards_dealt(6)`."""


def same(*measures: Measure) -> Predicate:
    """All of these are equal, and all of their cards are dealt."""
    _verify_several(measures)
    equal = (_pair(a, "==", b, _EQUALS) for a, b in pairwise(measures))
    return all_of(*equal, *(measure.guard for measure in measures))


def different(*measures: Measure) -> Predicate:
    """No two of these are equal, and all of their cards are dealt."""
    _verify_several(measures)
    unequal = (_pair(a, "!=", b, _DIFFERS) for a, b in combinations(measures, 2))
    return all_of(*unequal, *(measure.guard for measure in measures))


def _verify_several(measures: Sequence[Measure]) -> None:
    if len(measures) < 2 or not all(isinstance(m, Measure) for m in measures):
        raise TypeError(
            "compare two or more measures, such as player.first.suit and player.second.suit"
        )


@dataclass(frozen=True, slots=True)
class Count(_Values):
    """How many of several conditions hold; call it as a measure: `(3, ...)` is three or more."""

    parts: tuple[Predicate, ...]
    noun: Words
    phrase: Words
    names: tuple[Words, ...] = ()
    guard: Predicate = ALWAYS

    def __repr__(self) -> str:
        return f"<Count {self.noun.en}>"

    def _compare(self, op: Comparison, value: int) -> Predicate:
        match op:
            case ">=":
                return at_least(value, self.parts)
            case "<=":
                return _negated(at_least(value + 1, self.parts))
            case _:
                return at_least(value, self.parts) & _negated(at_least(value + 1, self.parts))


def _negated(condition: Predicate) -> Predicate:
    """`~`, decided where the condition is: no count passes the number of its conditions."""
    return fold(Not(condition), {})


def count(*conditions: Predicate) -> Count:
    """How many of these hold; a question about a card that is not dealt is answered no.

    >>> from puntobanco.rules.cards import DIAMONDS, HEARTS
    >>> three_red = count(*(card.suit(HEARTS, DIAMONDS) for card in every_card))(3, ...)
    >>> say(three_red.named("Three red")).en
    'Three red'
    """
    if not conditions or not all(isinstance(each, Predicate) for each in conditions):
        raise TypeError(
            "count conditions, such as count(*(card.suit(HEARTS) for card in every_card))(3, ...)"
        )
    listed = join(map(say, conditions), en="; ", zh="；")
    noun = Words("how many hold of ({})", "（{}）成立項數").format(listed)
    english = listed.en.replace("{", "{{").replace("}", "}}")
    chinese = listed.zh.replace("{", "{{").replace("}", "}}")
    phrase = Words("{} of (" + english + ")", "（" + chinese + "）之中有{}項")
    return Count(conditions, noun, phrase)


_EQUALS = Words("{} equals {}", "{}與{}相同")
_DIFFERS = Words("{} differs from {}", "{}與{}不同")


def _pair(a: Measure, op: Comparison, b: Measure, text: Words) -> Predicate:
    return Compare(a.term, op, b.term, text.format(a.noun, b.noun))


def _one_suit() -> Predicate:
    first = player.first.suit
    dealt = [same(first, card.suit) for card in (player.second, banker.first, banker.second)]
    thirds = [~card.dealt | same(first, card.suit) for card in (player.third, banker.third)]
    text = Words("every card dealt is of one suit", "全部牌同一花色")
    return all_of(*dealt, *thirds).named(text)


one_suit = _one_suit()
"""Every card of both finished hands, four to six of them, has one suit."""
