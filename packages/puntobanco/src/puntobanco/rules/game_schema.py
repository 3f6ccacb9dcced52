"""The schema of a game: the forms of its values as plain data, each kind of value, and each field
of a kind as structure or text. What does not fit its form is refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from puntobanco.base.canonical import canonical
from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.rules.cards import RANKS_PER_SUIT, Deck, points_of
from puntobanco.rules.game import (
    HOUSE,
    Announcements,
    Basics,
    Bet,
    Dollars,
    Game,
    Odds,
    Pays,
    Pushes,
)
from puntobanco.rules.irregularities import Ground, Irregularity
from puntobanco.rules.predicates import And, AtLeast, Compare, Named, Not, Or
from puntobanco.rules.readings import Reading
from puntobanco.rules.refusals import BadGame
from puntobanco.rules.tableau import DrawClauses, Tableau
from puntobanco.rules.terms import VALUES, Mod, Number, Read, Scaled, Slot, Sum

MAX_DEPTH = 60
"""Values inside values: a condition may be about fifty deep."""

MAX_TEXT = 10_000
MAX_NUMBER = 10**9
_SHOWN = 80

Plain: TypeAlias = Any
"""What JSON can hold: dicts, lists, texts, whole numbers, true and false."""

Definition = dict[str, Plain]


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
    least: int = -MAX_NUMBER
    most: int = MAX_NUMBER

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not int or not self.least <= value <= self.most:
            wanted = f"a whole number from {self.least:,} to {self.most:,}"
            raise place.refused(f"{wanted} belongs here, not {told(value)}")
        return value


@dataclass(frozen=True)
class Choice(Form):
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


@dataclass(frozen=True)
class Part(Form):
    """A value of one of these kinds; where there are several, `is` says which."""

    kinds: tuple[str, ...]

    def write(self, value: object, place: Place) -> Plain:
        if place.depth > MAX_DEPTH:
            raise place.refused(f"more than {MAX_DEPTH} values inside each other")
        for name in self.kinds:
            kind = KINDS[name]
            if type(value) is kind.made_by:  # a subclass may mean something else
                written = kind.write(value, place)
                if len(self.kinds) == 1:
                    return written
                return {"is": name, **written}
        known = ", ".join(KINDS[name].made_by.__name__ for name in self.kinds)
        raise place.refused(f"{kind_of(value)} cannot be written as data; what can is {known}")

    def read(self, plain: Plain, place: Place) -> object:
        if place.depth > MAX_DEPTH:
            raise place.refused(f"more than {MAX_DEPTH} values inside each other")
        if type(plain) is not dict:
            raise place.refused(f"an object belongs here, not {told(plain)}")
        if len(self.kinds) == 1:
            return KINDS[self.kinds[0]].read(plain, place)
        name = plain.get("is")
        if not isinstance(name, str) or name not in self.kinds:
            known = ", ".join(self.kinds)
            raise place.refused(
                f"{told(name)} is no kind that this program knows here; it knows {known}"
            )
        fields = {key: value for key, value in plain.items() if key != "is"}
        return KINDS[name].read(fields, place)

    def structure(self, plain: Plain) -> Plain:
        if len(self.kinds) == 1:
            return KINDS[self.kinds[0]].structure(plain)
        name = plain["is"]
        if name == "named" and "clause" not in plain:
            return self.structure(plain["part"])  # a name alone is a text
        found = {"is": name, **KINDS[name].structure(plain)}
        if name in ("and", "or"):
            return _joined(name, found["parts"])
        return found


def _joined(name: str, parts: list[Plain]) -> Plain:
    """As `all_of` and `any_of` join: flat, none twice.

    Parts that a name kept apart are one without it.
    """
    flat = dict[str, Plain]()
    for part in parts:
        inside = part["parts"] if part["is"] == name else [part]
        flat |= {canonical(one).decode(): one for one in inside}
    found = list(flat.values())
    if len(found) == 1:
        return found[0]
    return {"is": name, "parts": found}


REQUIRED = object()


@dataclass(frozen=True)
class Field:
    """A field of a kind. A value that is the default is not written, so a default never changes."""

    name: str
    form: Form
    is_text: bool = False
    default: Plain = REQUIRED


@dataclass(frozen=True)
class Kind:
    """A kind of value: the class that makes it, and its fields."""

    made_by: type
    fields: tuple[Field, ...]

    def write(self, value: object, place: Place) -> Definition:
        written = Definition()
        for field in self.fields:
            held = getattr(value, field.name, None)
            if held is None and field.default is None:
                continue
            plain = field.form.write(held, place.at(field.name))
            if plain != field.default:
                written[field.name] = plain
        return written

    def read(self, plain: Definition, place: Place) -> object:
        unknown = plain.keys() - {field.name for field in self.fields}
        if unknown:
            first = min(map(str, unknown))
            reason = "this program does not know it; a newer one may have written it"
            raise place.at(first).refused(reason)
        found = {}
        for field in self.fields:
            at = place.at(field.name)
            held = plain.get(field.name, field.default)
            if held is REQUIRED:
                raise at.refused("is missing")
            is_none = field.name not in plain and held is None
            value = None
            if not is_none:
                value = field.form.read(held, at)
            if not isinstance(field.form, Fixed):
                found[field.name] = value
        try:
            return self.made_by(**found)
        except Refusal as refusal:
            raise place.refused(refusal.reason) from None

    def structure(self, plain: Definition) -> Definition:
        return {
            field.name: field.form.structure(plain[field.name])
            for field in self.fields
            if field.name in plain and not field.is_text
        }


def _text(name: str, form: Form | None = None, *, default: Plain = REQUIRED) -> Field:
    """What people read: rewording it leaves the digest as it is."""
    return Field(name, form or BothLanguages(), is_text=True, default=default)


def _clause(name: str) -> Field:
    """The key of the clause that a rule follows from; lines of a settlement carry it."""
    return Field(name, Text(), default=HOUSE)


_FLAG = Choice((True, False))
_TERM = Part(("number", "read", "sum", "scaled", "mod"))
_CONDITION = Part(("compare", "and", "or", "not", "named", "at-least"))
_POINTS = Fixed(tuple(points_of(rank) for rank in range(RANKS_PER_SUIT)))

KINDS: Mapping[str, Kind] = {
    "game": Kind(Game, (
        Field("id", Text()),
        _text("title"),
        Field("rulebook", Text(), default=""),
        Field("version", Text(), default=""),
        Field("effective", Text(), default=""),
        Field("deck", Part(("deck",))),
        Field("decks", Span()),
        Field("tableau", Part(("tableau",))),
        Field("announcements", Part(("announcements",))),
        Field("basics", Part(("basics",)), default={}),
        Field("bets", Many(Part(("bet",)))),
        Field("irregularities", Many(Part(("irregularity",))), default=[]),
        # what the rules page explains; nothing reads them
        _text("readings", Many(Part(("reading",))), default=[]),
        # the texts; their keys count where something cites them
        _text("house_rules", Pairs(), default=[]),
    )),
    "deck": Kind(Deck, (
        _text("id", Text()),
        _text("name"),
        Field("suits", Span()),
        # by rank from the ace on: so also which ranks there are, each once a suit
        Field("points", _POINTS),
        _text("rank_codes", Text()),
        _text("pictures", Many(BothLanguages())),
    )),
    "tableau": Kind(Tableau, (
        Field("naturals", Totals()),
        Field("player_draws", Totals()),
        Field("banker_draws_alone", Totals()),
        Field("banker_draws", Many(Totals())),
        Field("clauses", Part(("draw-clauses",)), default={}),
    )),
    "draw-clauses": Kind(DrawClauses, (
        _clause("natural"), _clause("player"), _clause("banker_alone"), _clause("banker"),
    )),
    "announcements": Kind(Announcements, (
        _text("open", Text()),  # the journal keeps the words that were said
        _text("close", Text()),
        Field("by", Choice(("dealer", "terminal"))),
        _clause("open_clause"),
        _clause("close_clause"),
    )),
    "basics": Kind(Basics, (
        _clause("decks"), _clause("suits"), _clause("point_values"), _clause("point_total"), _clause("wagers"),
        Field("deal", Many(Text()), default=[HOUSE, HOUSE]),
        _clause("announce_totals"), _clause("winner"), _clause("tie"), _clause("late_wager"),
        _clause("late_withdrawal"),
        Field("shuffler", Text(), default=""),
        _text("no_jokers", Text(), default=""),  # only the rules page reads it
    )),
    "bet": Kind(Bet, (
        Field("id", Text()),
        _text("title"),
        Field("pays", Many(Part(("pays",)))),
        Field("push", Part(("pushes",)), default=None),
        Field("bonus", Many(Part(("pays",))), default=[]),
        _clause("clause"),
        _clause("spot_clause"),
    )),
    "pays": Kind(Pays, (Field("when", _CONDITION), Field("pays", Part(("odds", "dollars"))), _clause("clause"))),
    "pushes": Kind(Pushes, (Field("when", _CONDITION), _clause("clause"))),
    "odds": Kind(Odds, (Field("win", Whole()), Field("risk", Whole()))),
    "dollars": Kind(Dollars, (Field("amount", Whole()),)),
    "irregularity": Kind(Irregularity, (Field("ground", Part(("ground",))), Field("clause", Text()))),
    "ground": Kind(Ground, (
        Field("id", Text()),
        _text("title"),
        Field("before_next_round", _FLAG, default=False),
        Field("reconstructable", _FLAG, default=False),
        Field("initial_deal_only", _FLAG, default=False),
        Field("card_called_for", _FLAG, default=False),
        Field("spoils_shoe", _FLAG, default=False),
        _text("instead", Text(), default=""),
        _text("regardless", default=None),
    )),
    "reading": Kind(Reading, (Field("number", Whole()), _text("text"))),
    "compare": Kind(Compare, (
        Field("left", _TERM), Field("op", Choice(("==", "!=", "<", "<=", ">", ">="))), Field("right", _TERM),
        _text("text"),
    )),
    "and": Kind(And, (Field("parts", Many(_CONDITION)),)),
    "or": Kind(Or, (Field("parts", Many(_CONDITION)),)),
    "at-least": Kind(AtLeast, (Field("least", Whole(1)), Field("parts", Many(_CONDITION)))),
    "not": Kind(Not, (Field("part", _CONDITION),)),
    "named": Kind(Named, (Field("part", _CONDITION), _text("text"), Field("clause", Text(), default=None),
                          _text("phrase", _FLAG, default=False), _text("means", default=None))),
    "number": Kind(Number, (Field("value", Whole()),)),
    "read": Kind(Read, (Field("slot", SlotName()), Field("attribute", Choice(tuple(VALUES))))),
    "sum": Kind(Sum, (Field("parts", Many(_TERM)),)),
    "scaled": Kind(Scaled, (Field("factor", Whole()), Field("term", _TERM))),
    "mod": Kind(Mod, (Field("term", _TERM), Field("modulus", Whole(1)))),
}  # fmt: skip
"""Every kind of value in a definition. A structure field changes the digest, a text field does not.
"""
