"""A game as data: its canonical definition, read back and checked; its digest; where two definitions first differ.

`KINDS` declares every kind of value that a game is made of: each field once, whether it is structure (what is dealt,
decided and paid) or text (what people read), and its default. A field at its default is not written, so that the
language can grow without changing the digest of a game that does not use what is new. The digest is over the structure.

>>> from puntobanco.rules.games import RAPID
>>> game_of(define(RAPID)) == RAPID
True
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, TypeAlias

from puntobanco.rules.cards import RANKS_PER_SUIT, Deck, points_of
from puntobanco.rules.game import HOUSE, Announcements, Basics, Bet, Game, Pays, Pushes
from puntobanco.rules.irregularities import Ground, Irregularity
from puntobanco.rules.money import Dollars, Odds
from puntobanco.rules.predicates import And, Compare, Named, Not, Or
from puntobanco.rules.readings import Reading
from puntobanco.rules.refusals import BadGame, Refusal
from puntobanco.rules.tableau import DrawClauses, Tableau
from puntobanco.rules.terms import VALUES, Mod, Number, Read, Scaled, Slot, Sum
from puntobanco.rules.text import Words

VERSION = 1
"""Of the way a game is written down and hashed. Another one is not read."""

MAX_BYTES = 400_000
"""Of a definition as JSON; the largest of the five games has about 32,000."""

MAX_DEPTH = 60
"""Values inside values: a condition may be about fifty deep."""

MAX_TEXT = 10_000
MAX_NUMBER = 10**9
_SHOWN = 80

Plain: TypeAlias = Any
"""What JSON can hold: dicts, lists, texts, whole numbers, true and false."""

Definition: TypeAlias = dict[str, Plain]


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
        raise NotImplementedError

    def structure(self, plain: Plain) -> Plain:
        """The same without texts."""
        return plain


@dataclass(frozen=True)
class Text(Form):
    """A text in one language, a key or an id."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not str:
            raise place.refused(f"a text belongs here, not {_kind_of(value)}")
        if len(value) > MAX_TEXT:
            raise place.refused(f"a text of more than {MAX_TEXT:,} characters")
        if not value.isascii():
            try:
                value.encode()
            except UnicodeEncodeError:
                raise place.refused("a text that cannot be written as UTF-8") from None
        return value

    def read(self, plain: Plain, place: Place) -> object:
        return self.write(plain, place)


@dataclass(frozen=True)
class Whole(Form):
    """A whole number."""

    least: int = -MAX_NUMBER
    most: int = MAX_NUMBER

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not int or not self.least <= value <= self.most:
            raise place.refused(f"a whole number from {self.least:,} to {self.most:,} belongs here, not {_told(value)}")
        return value

    def read(self, plain: Plain, place: Place) -> object:
        return self.write(plain, place)


@dataclass(frozen=True)
class Choice(Form):
    """One of a few values."""

    values: tuple[str | bool, ...]

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not type(self.values[0]) or value not in self.values:
            choices = ", ".join(_told(choice) for choice in self.values)
            raise place.refused(f"one of {choices} belongs here, not {_told(value)}")
        return value

    def read(self, plain: Plain, place: Place) -> object:
        return self.write(plain, place)


@dataclass(frozen=True)
class SlotName(Form):
    """One of the six places of a card: p1, b1, p2, b2, p3, b3."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not Slot:
            raise place.refused(f"a slot belongs here, not {_told(value)}")
        return value.name.lower()

    def read(self, plain: Plain, place: Place) -> object:
        names = {slot.name.lower(): slot for slot in Slot}
        if not isinstance(plain, str) or plain not in names:
            raise place.refused(f"one of {', '.join(names)} belongs here, not {_told(plain)}")
        return names[plain]


@dataclass(frozen=True)
class BothLanguages(Form):
    """Words: English and Chinese, or one text where they are the same."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not Words:
            raise place.refused(f"Words belong here, not {_kind_of(value)}")
        english, chinese = Text().write(value.en, place), Text().write(value.zh, place)
        return english if english == chinese else [english, chinese]

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
            raise place.refused(f"a range such as range(4, 11) belongs here, not {_told(value)}")
        return [value[0], value[-1]]

    def read(self, plain: Plain, place: Place) -> object:
        if not _is_numbers(plain) or len(plain) != 2 or not 0 <= plain[0] <= plain[1] <= MAX_NUMBER:
            raise place.refused(f"the first and the last of a span belong here, not {_told(plain)}")
        return range(plain[0], plain[1] + 1)


@dataclass(frozen=True)
class Totals(Form):
    """A set of point totals, in order."""

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not frozenset or not all(type(total) is int for total in value):
            raise place.refused(f"a frozenset of totals belongs here, not {_told(value)}")
        return sorted(value)

    def read(self, plain: Plain, place: Place) -> object:
        if not _is_numbers(plain) or plain != sorted(set(plain)):
            raise place.refused(f"totals in order belong here, not {_told(plain)}")
        return frozenset(plain)


@dataclass(frozen=True)
class Fixed(Form):
    """What this program has one value of. It is written all the same: a game with another one is another game."""

    value: tuple[int, ...]

    def write(self, value: object, place: Place) -> Plain:  # noqa: ARG002 - there is only one
        return list(self.value)

    def read(self, plain: Plain, place: Place) -> object:
        if plain != list(self.value) or not _is_numbers(plain):
            raise place.refused(f"this program has {_told(list(self.value))} only, not {_told(plain)}")
        return self.value


@dataclass(frozen=True)
class Many(Form):
    """Several of one form, in order."""

    each: Form

    def write(self, value: object, place: Place) -> Plain:
        if type(value) is not tuple:
            raise place.refused(f"a tuple belongs here, not {_kind_of(value)}")
        return [self.each.write(item, place.item(_label(item, n))) for n, item in enumerate(value)]

    def read(self, plain: Plain, place: Place) -> object:
        if type(plain) is not list:
            raise place.refused(f"a list belongs here, not {_told(plain)}")
        return tuple(self.each.read(item, place.item(_label(item, n))) for n, item in enumerate(plain))

    def structure(self, plain: Plain) -> Plain:
        return [self.each.structure(item) for item in plain]


@dataclass(frozen=True)
class Pairs(Form):
    """Texts by key, in the order in which they were written."""

    def write(self, value: object, place: Place) -> Plain:
        if not isinstance(value, Mapping):
            raise place.refused(f"texts by key belong here, not {_kind_of(value)}")
        return [[Text().write(part, place.item(key)) for part in (key, text)] for key, text in value.items()]

    def read(self, plain: Plain, place: Place) -> object:
        if type(plain) is not list or not all(type(pair) is list and len(pair) == 2 for pair in plain):
            raise place.refused(f"pairs of a key and a text belong here, not {_told(plain)}")
        found = {Text().write(key, place): Text().write(text, place.item(key)) for key, text in plain}
        if len(found) != len(plain):
            raise place.refused("a key stands here twice")
        return found


@dataclass(frozen=True)
class Part(Form):
    """A value of one of these kinds; where there are several, `is` says which."""

    kinds: tuple[str, ...]

    def write(self, value: object, place: Place) -> Plain:
        if place.depth > MAX_DEPTH:
            raise place.refused(f"more than {MAX_DEPTH} values inside each other")
        for name in self.kinds:
            if type(value) is KINDS[name].made_by:  # a subclass may mean something else
                written = KINDS[name].write(value, place)
                return written if len(self.kinds) == 1 else {"is": name, **written}
        known = ", ".join(KINDS[name].made_by.__name__ for name in self.kinds)
        raise place.refused(f"{_kind_of(value)} cannot be written as data; what can is {known}")

    def read(self, plain: Plain, place: Place) -> object:
        if place.depth > MAX_DEPTH:
            raise place.refused(f"more than {MAX_DEPTH} values inside each other")
        if type(plain) is not dict:
            raise place.refused(f"an object belongs here, not {_told(plain)}")
        if len(self.kinds) == 1:
            return KINDS[self.kinds[0]].read(plain, place)
        name = plain.get("is")
        if not isinstance(name, str) or name not in self.kinds:
            raise place.refused(
                f"{_told(name)} is no kind that this program knows here; it knows {', '.join(self.kinds)}"
            )
        return KINDS[name].read({key: value for key, value in plain.items() if key != "is"}, place)

    def structure(self, plain: Plain) -> Plain:
        if len(self.kinds) == 1:
            return KINDS[self.kinds[0]].structure(plain)
        name = plain["is"]
        if name == "named" and "clause" not in plain:
            return self.structure(plain["part"])  # a name alone is a text
        found = {"is": name, **KINDS[name].structure(plain)}
        return _joined(name, found["parts"]) if name in ("and", "or") else found


def _joined(name: str, parts: list[Plain]) -> Plain:
    """As `all_of` and `any_of` join: flat, none twice. A name may have kept parts apart that are one without it."""
    flat = dict[str, Plain]()
    for part in parts:
        inside = part["parts"] if part["is"] == name else [part]
        flat |= {canonical(one).decode(): one for one in inside}
    found = list(flat.values())
    return found[0] if len(found) == 1 else {"is": name, "parts": found}


_REQUIRED = object()


@dataclass(frozen=True)
class Field:
    """A field of a kind. The default is as it is written, and never changes: it is left out of definitions."""

    name: str
    form: Form
    is_text: bool = False
    default: Plain = _REQUIRED


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
        for unknown in sorted(map(str, plain.keys() - {field.name for field in self.fields})):
            raise place.at(unknown).refused("this program does not know it; a newer one may have written it")
        found = dict[str, object]()
        for field in self.fields:
            at = place.at(field.name)
            if field.name not in plain:
                if field.default is _REQUIRED:
                    raise at.refused("is missing")
                found[field.name] = None if field.default is None else field.form.read(field.default, at)
            else:
                found[field.name] = field.form.read(plain[field.name], at)
            if isinstance(field.form, Fixed):
                del found[field.name]
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


def _text(name: str, form: Form | None = None, *, default: Plain = _REQUIRED) -> Field:
    """What people read: rewording it leaves the digest as it is."""
    return Field(name, form or BothLanguages(), is_text=True, default=default)


def _clause(name: str) -> Field:
    """The key of the clause that a rule follows from; lines of a settlement carry it."""
    return Field(name, Text(), default=HOUSE)


_FLAG = Choice((True, False))
_TERM = Part(("number", "read", "sum", "scaled", "mod"))
_CONDITION = Part(("compare", "and", "or", "not", "named"))
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
        _text("readings", Many(Part(("reading",))), default=[]),  # what the rules page explains; nothing reads them
        _text("house_rules", Pairs(), default=[]),  # the texts; their keys count where something cites them
    )),
    "deck": Kind(Deck, (
        _text("id", Text()),
        _text("name"),
        Field("suits", Span()),
        Field("points", _POINTS),  # by rank from the ace on: so also which ranks there are, each once a suit
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
    )),
    "reading": Kind(Reading, (Field("number", Whole()), _text("text"))),
    "compare": Kind(Compare, (
        Field("left", _TERM), Field("op", Choice(("==", "!=", "<", "<=", ">", ">="))), Field("right", _TERM),
        _text("text"),
    )),
    "and": Kind(And, (Field("parts", Many(_CONDITION)),)),
    "or": Kind(Or, (Field("parts", Many(_CONDITION)),)),
    "not": Kind(Not, (Field("part", _CONDITION),)),
    "named": Kind(Named, (Field("part", _CONDITION), _text("text"), Field("clause", Text(), default=None),
                          _text("phrase", _FLAG, default=False))),
    "number": Kind(Number, (Field("value", Whole()),)),
    "read": Kind(Read, (Field("slot", SlotName()), Field("attribute", Choice(tuple(VALUES))))),
    "sum": Kind(Sum, (Field("parts", Many(_TERM)),)),
    "scaled": Kind(Scaled, (Field("factor", Whole()), Field("term", _TERM))),
    "mod": Kind(Mod, (Field("term", _TERM), Field("modulus", Whole(1)))),
}  # fmt: skip
"""Every kind of value in a definition. A structure field changes the digest, a text field does not."""

_GAME = KINDS["game"]
_NO_DEFINITION = (KeyError, TypeError, ValueError, AttributeError, RecursionError)
"""What is raised where something stands in a definition that this program never writes."""


def define(game: Game) -> Definition:
    """The game as plain data, structure and words; refused where something in it is no data."""
    if type(game) is not Game:
        raise BadGame(f"{_kind_of(game)} is no game that can be written as data")
    definition = {"definition": VERSION, **_GAME.write(game, Place())}
    if len(canonical(definition)) > MAX_BYTES:
        raise BadGame(f"game {game.id} is too large: {MAX_BYTES:,} bytes of definition at most")
    return definition


def game_of(definition: Mapping[str, Plain]) -> Game:
    """The game that a definition describes; a bad, unknown or newer one is refused with the place in it."""
    try:
        text = canonical(definition)
    except _NO_DEFINITION:
        raise BadGame("the definition: this cannot be written as JSON") from None
    if len(text) > MAX_BYTES:
        raise BadGame(f"the definition: {MAX_BYTES:,} bytes at most")
    return _read(text)


@lru_cache(maxsize=128)
def _read(text: bytes) -> Game:
    """By all its bytes, so that every table of one definition shares one game."""
    definition = json.loads(text)
    game = _GAME.read(_body(definition), Place())
    assert isinstance(game, Game)
    again = define(game)
    if again != definition:
        raise BadGame(f"{_first(definition, again, Place())[0]}: is not written as this program writes it")
    return game


def structure(definition: Mapping[str, Plain]) -> Definition:
    """What is dealt, decided and paid, without the words."""
    try:
        return _GAME.structure(_body(definition))
    except _NO_DEFINITION:
        raise BadGame("the definition: it is no definition of a game") from None


def digest(game: Game | Mapping[str, Plain]) -> str:
    """SHA-256 of the version and the structure: which game was played, whatever its words are."""
    return _digest_of_game(game) if isinstance(game, Game) else _digest(game)


@lru_cache(maxsize=128)
def _digest_of_game(game: Game) -> str:
    return _digest(define(game))


def _digest(definition: Mapping[str, Plain]) -> str:
    front = f"puntobanco game {VERSION}\n".encode()
    try:
        whole = front + canonical(structure(definition))
    except _NO_DEFINITION:
        raise BadGame("the definition: it is no definition of a game") from None
    return hashlib.sha256(whole).hexdigest()


def canonical(plain: Plain) -> bytes:
    """JSON with sorted keys and no spaces."""
    return json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False).encode()


class Difference(NamedTuple):
    """Where two structures first differ, and what each has there."""

    place: str
    first: str
    second: str


def first_difference(first: Mapping[str, Plain], second: Mapping[str, Plain]) -> Difference | None:
    """Between two definitions, words left out; None where they are the same game."""
    mine, other = structure(first), structure(second)
    return None if mine == other else _first(mine, other, Place())


def _first(mine: Plain, other: Plain, place: Place) -> Difference:
    for label, one, two in _side_by_side(mine, other):
        if one is not _ABSENT and two is not _ABSENT and one != two:
            at = place.item(label) if isinstance(mine, list) else place.at(str(label))
            return _first(one, two, at)
    for label, one, two in _side_by_side(mine, other):
        if one is _ABSENT or two is _ABSENT:
            at = place.item(label) if isinstance(mine, list) else place.at(str(label))
            return Difference(at.path, _told(one), _told(two))
    return Difference(place.path, _told(mine), _told(other))


class _Absent:
    def __repr__(self) -> str:
        return "nothing"


_ABSENT = _Absent()


def _side_by_side(mine: Plain, other: Plain) -> Iterator[tuple[object, Plain, Plain]]:
    """What stands at the same place in both: by key, by id where the items of a list have one, or by number."""
    if isinstance(mine, dict) and isinstance(other, dict):
        one, two = mine, other
    elif isinstance(mine, list) and isinstance(other, list):
        one, two = _labelled(mine), _labelled(other)
        if list(one) != list(two) and set(one) == set(two):  # the same, in another order
            one, two = dict(enumerate(mine)), dict(enumerate(other))
    else:
        return
    for label in {**one, **two}:
        yield label, one.get(label, _ABSENT), two.get(label, _ABSENT)


def _labelled(items: list[Plain]) -> dict[object, Plain]:
    return {_label(item, n): item for n, item in enumerate(items)}


def _label(item: object, number: int) -> object:
    """A bet is called by its id, anything else by its number."""
    id_ = item.get("id") if isinstance(item, dict) else getattr(item, "id", None)
    return id_ if isinstance(id_, str) else number


def _body(definition: Mapping[str, Plain]) -> Definition:
    """Without the version in front, once that is known."""
    if not isinstance(definition, Mapping):
        raise BadGame(f"the definition: an object belongs here, not {_told(definition)}")
    version = definition.get("definition")
    if type(version) is not int or version != VERSION:
        raise BadGame(
            f"the definition: it is of version {_told(version)}, and this program reads {VERSION}; "
            "a newer program may read it"
        )
    return {key: value for key, value in definition.items() if key != "definition"}


def _is_numbers(plain: Plain) -> bool:
    return type(plain) is list and all(type(number) is int for number in plain)


def _kind_of(value: object) -> str:
    name = type(value).__name__
    return f"{'an' if name[0] in 'AEIOUaeiou' else 'a'} {name}"


def _told(value: object) -> str:
    """A value in a line for people."""
    try:
        text = repr(value) if value is _ABSENT else json.dumps(value, ensure_ascii=False, sort_keys=True)
    except (TypeError, ValueError):
        text = _kind_of(value)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 3]}..."
