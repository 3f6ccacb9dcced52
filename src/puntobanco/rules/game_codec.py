"""Forms: how each sort of value in a game is serialized as plain data, and read back; what does
not fit is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from puntobanco.base.words import Words
from puntobanco.rules.refusals import BadGame
from puntobanco.rules.terms import Slot

MAX_DEPTH = 60
"""Values inside values: a condition may be about fifty deep."""

MAX_TEXT = 10_000
MAX_NUMBER = 10**9
_SHOWN = 80

Plain: TypeAlias = Any
"""What JSON can hold: dicts, lists, texts, whole numbers, true and false."""


class Place(NamedTuple):
    """Where in a definition a value stands, for whoever has to mend it."""

    path: str = ""
    depth: int = 0

    def at(self, name: str) -> Place:
        return Place(f"{self.path}.{name}" if self.path else name, self.depth + 1)

    def item(self, label: object) -> Place:
        return Place(f"{self.path}[{label}]", self.depth)

    def refused(self, reason: str) -> BadGame:
        return BadGame(f"{self.path or 'the definition'}: {reason}")


class Form:
    """How the value of a field is written as plain data, and read back."""

    def write(self, value: object, place: Place) -> Plain:
        raise NotImplementedError

    def read(self, plain: Plain, place: Place) -> object:
        """By default what is written is what it is."""
        return self.write(plain, place)

    def structure(self, plain: Plain) -> Plain:
        """The same without texts."""
        return plain


@dataclass(frozen=True)
class Text(Form):
    """A text in one language, a key or an id."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not str:
            raise place.refused(f"a text belongs here, not {kind_of(value)}")
        if len(value) > MAX_TEXT:
            raise place.refused(f"a text of more than {MAX_TEXT:,} characters")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise place.refused("a text that cannot be written as UTF-8") from None
        return value


@dataclass(frozen=True)
class Whole(Form):
    """A whole number."""

    least: int = -MAX_NUMBER
    most: int = MAX_NUMBER

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not int or not self.least <= value <= self.most:
            wanted = f"a whole number from {self.least:,} to {self.most:,}"
            raise place.refused(f"{wanted} belongs here, not {told(value)}")
        return value


@dataclass(frozen=True)
class Choice(Form):
    """One of a few values."""

    values: tuple[str | bool, ...]

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not type(self.values[0]) or value not in self.values:
            choices = ", ".join(told(choice) for choice in self.values)
            raise place.refused(f"one of {choices} belongs here, not {told(value)}")
        return value


@dataclass(frozen=True)
class SlotName(Form):
    """One of the six places of a card: p1, b1, p2, b2, p3, b3."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not Slot:
            raise place.refused(f"a slot belongs here, not {told(value)}")
        return value.name.lower()

    def read(self, plain: Plain, place: Place) -> object:
        slots = {slot.name.lower(): slot for slot in Slot}
        if not isinstance(plain, str) or plain not in slots:
            names = ", ".join(slots)
            raise place.refused(f"one of {names} belongs here, not {told(plain)}")
        return slots[plain]


@dataclass(frozen=True)
class BothLanguages(Form):
    """Words: English and Chinese, or one text where they are the same."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not Words:
            raise place.refused(f"Words belong here, not {kind_of(value)}")
        english = Text().write(value.en, place)
        chinese = Text().write(value.zh, place)
        if english == chinese:
            return english
        return [english, chinese]

    def read(self, plain: Plain, place: Place) -> object:
        if isinstance(plain, list):
            if len(plain) != 2:
                raise place.refused("words are one text, or the English and the Chinese")
            english, chinese = (Text().write(text, place) for text in plain)
            return Words(english, chinese)
        return Words(Text().write(plain, place))


@dataclass(frozen=True)
class Span(Form):
    """Every whole number from the first to the last."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not range or not value or value.step != 1:
            raise place.refused(f"a range such as range(4, 11) belongs here, not {told(value)}")
        return [value[0], value[-1]]

    def read(self, plain: Plain, place: Place) -> object:
        if _is_numbers(plain) and len(plain) == 2:
            first, last = plain
            if 0 <= first <= last <= MAX_NUMBER:
                return range(first, last + 1)
        raise place.refused(f"the first and the last of a span belong here, not {told(plain)}")


@dataclass(frozen=True)
class Totals(Form):
    """A set of point totals, in order."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not frozenset or not all(type(total) is int for total in value):
            raise place.refused(f"a frozenset of totals belongs here, not {told(value)}")
        return sorted(value)

    def read(self, plain: Plain, place: Place) -> object:
        if not _is_numbers(plain) or plain != sorted(set(plain)):
            raise place.refused(f"totals in order belong here, not {told(plain)}")
        return frozenset(plain)


@dataclass(frozen=True)
class Fixed(Form):
    """What this program has one value of. It is written all the same, because a game with another
    one is another game.
    """

    value: tuple[int, ...]

    def write(self, value: object, place: Place) -> Plain:  # noqa: ARG002 - there is only one
        return list(self.value)

    def read(self, plain: Plain, place: Place) -> object:
        own = list(self.value)
        if plain != own or not _is_numbers(plain):
            raise place.refused(f"this program has {told(own)} only, not {told(plain)}")
        return self.value


@dataclass(frozen=True)
class Many(Form):
    """Several of one form, in order."""

    each: Form

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not tuple:
            raise place.refused(f"a tuple belongs here, not {kind_of(value)}")
        written = []
        for n, item in enumerate(value):
            at = place.item(label_of(item, n))
            written.append(self.each.write(item, at))
        return written

    def read(self, plain: Plain, place: Place) -> object:
        if type(plain) is not list:
            raise place.refused(f"a list belongs here, not {told(plain)}")
        found = []
        for n, item in enumerate(plain):
            at = place.item(label_of(item, n))
            found.append(self.each.read(item, at))
        return tuple(found)

    def structure(self, plain: Plain) -> Plain:
        return [self.each.structure(item) for item in plain]


@dataclass(frozen=True)
class Pairs(Form):
    """Texts by key, in the order in which they were written."""

    def write(self, value: object, place: Place) -> Plain:
        if not isinstance(value, Mapping):
            raise place.refused(f"texts by key belong here, not {kind_of(value)}")
        written = []
        for key, text in value.items():
            at = place.item(key)
            written.append([Text().write(key, at), Text().write(text, at)])
        return written

    def read(self, plain: Plain, place: Place) -> object:
        is_list = type(plain) is list
        if not is_list or not all(type(pair) is list and len(pair) == 2 for pair in plain):
            raise place.refused(f"pairs of a key and a text belong here, not {told(plain)}")
        found = {}
        for key, text in plain:
            Text().write(key, place)
            found[key] = Text().write(text, place.item(key))
        if len(found) != len(plain):
            raise place.refused("a key stands here twice")
        return found


class Absent:
    """What one of two definitions does not have."""

    def __repr__(self) -> str:
        return "nothing"


ABSENT = Absent()


def _is_numbers(plain: Plain) -> bool:
    return type(plain) is list and all(type(number) is int for number in plain)


def kind_of(value: object) -> str:
    name = type(value).__name__
    article = "an" if name[0] in "AEIOUaeiou" else "a"
    return f"{article} {name}"


def told(value: object) -> str:
    """A value in a line for people."""
    if value is ABSENT:
        return repr(value)
    try:
        text = json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError):
        text = kind_of(value)
    if len(text) <= _SHOWN:
        return text
    return f"{text[: _SHOWN - 3]}..."


def label_of(item: object, number: int) -> object:
    """A bet is called by its id, anything else by its number."""
    id_ = item.get("id") if isinstance(item, dict) else getattr(item, "id", None)
    return id_ if isinstance(id_, str) else number
