"""The schema of a game: each kind of value, each of its fields as structure or text, its default."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from puntobanco.base.canonical import canonical
from puntobanco.base.refusal import Refusal
from puntobanco.rules.cards import RANKS_PER_SUIT, Deck, points_of
from puntobanco.rules.game import HOUSE, Announcements, Basics, Bet, Game, Pays, Pushes
from puntobanco.rules.game_codec import (
    MAX_DEPTH,
    BothLanguages,
    Choice,
    Fixed,
    Form,
    Many,
    Pairs,
    Place,
    Plain,
    SlotName,
    Span,
    Text,
    Totals,
    Whole,
    kind_of,
    told,
)
from puntobanco.rules.irregularities import Ground, Irregularity
from puntobanco.rules.payouts import Dollars, Odds
from puntobanco.rules.predicates import And, AtLeast, Compare, Named, Not, Or
from puntobanco.rules.readings import Reading
from puntobanco.rules.tableau import DrawClauses, Tableau
from puntobanco.rules.terms import VALUES, Mod, Number, Read, Scaled, Sum

Definition = dict[str, Plain]


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
