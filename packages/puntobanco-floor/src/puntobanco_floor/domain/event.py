"""The base of all events: what may be asked of any kind, and what most kinds answer.

A kind is defined once: its fields, its traits, its words in both languages, the money that it
moves and the figures that it counts in. Readers ask the event; no module lists kinds.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.irregularities import title_of
from puntobanco_floor.domain.ledger import CAGE, Transfers
from puntobanco_floor.domain.stream_names import bet_words, place_words
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.record import Record

if TYPE_CHECKING:
    from puntobanco.rules.game import Game

About: TypeAlias = Literal["round", "shoe", "money"]
"""What a proposal is about: one about a round or a shoe lapses with it, one about money never does.
"""

Group: TypeAlias = Literal["wagers", "cards", "decisions", "money", "table", "house"]
"""Where the audit page files an event."""

Role: TypeAlias = Literal["dealer", "supervisor", "cashier", "auditor", "administrator"]


@dataclass(frozen=True, kw_only=True)
class EventTraits:
    """Traits of a kind of event. A method of the kind answers for a single event."""

    group: Group
    heading: str = ""  # of significant events in reports; an everyday event has none
    public: bool = False  # everybody at the table hears it, and the public version counts it
    private: tuple[str, ...] = ()  # fields that the public does not hear
    secret: tuple[str, ...] = ()  # fields that no audit page shows
    # the field whose members are parts of the entry, each one patron's: one can be shown alone
    apart: str = ""
    anchors: bool = False  # the file of heads is on disk before anybody is answered
    shown: bool = False  # witnesses see a checkpoint with it at once
    seals: bool = False  # it ends a period of the journal
    beside: bool = False  # rows beside the journal change with it: vouchers, sealed cards
    carried: bool = False  # something follows from it in another stream
    ends: tuple[About, str] | None = None  # the proposals that lapse with it, and a code for why
    phase: str = ""  # of the table after it, where that is always the same


class Figure(NamedTuple):
    """A part of an event that reports add up: the name of the sum, and whose meters it is in."""

    name: str
    amount: int
    session: str = ""


Figures: TypeAlias = tuple[Figure, ...]


_NAMED = {
    "bet": bet_words,
    "to": place_words,
    "came_from": place_words,
    "moved_to": place_words,
    "ground": title_of,
}
"""Fields that name something, and how people call it."""


def _words_of(name: str, value: object) -> Words | None:
    """A field's value as people read it; None where it is that already."""
    if isinstance(value, Cause):
        return words_of(value)
    if name.endswith("cents") and isinstance(value, int):
        return Words(dollars(value))
    name_words = _NAMED.get(name)
    return name_words(str(value)) if name_words else None


class Event(Record, tag_field="event", tag=True):
    """Something that has happened."""

    traits: ClassVar[EventTraits]
    words: ClassVar[Words]  # in one line, for people: `{session}` stands for that field

    def says(self) -> Words:
        """Its words with its fields in them, cents as money. It names no secret."""
        english = dict[str, object]()
        chinese = dict[str, object]()
        for name in self.__struct_fields__:
            value: object = getattr(self, name)
            words = _words_of(name, value)
            english[name] = words.en if words else value
            chinese[name] = words.zh if words else value
        return Words(self.words.en.format_map(english), self.words.zh.format_map(chinese))

    def reported(self) -> str:
        """Under its heading in a report; nothing where this one is not significant."""
        if not self.traits.heading:
            return ""
        where = f"round {self.round}: " if hasattr(self, "round") else ""
        return f"{where}{self.says().en}{self.by_two()}"

    def transfers(self) -> Transfers:
        """What it moves in the ledger; most move nothing."""
        return ()

    @property
    def cash_cents(self) -> int:
        """What came into a drawer at the cage; below zero, what left it."""
        moved = self.transfers()
        paid_in = sum(each.cents for each in moved if each.debit == CAGE)
        return paid_in - sum(each.cents for each in moved if each.credit == CAGE)

    def figures(self) -> Figures:
        """What reports count of it. They are held against the transfers: two sides of one sum."""
        return ()

    def clause_in(self, game: Game) -> str:  # noqa: ARG002 - kinds that cite none ask the game
        """The clause that it cites, or that the game's rulebook has for its kind."""
        return getattr(self, "clause", "")

    def revealed(self) -> tuple[str, str]:
        """Cards of a virtual shoe that it makes public, and their nonce; most reveal nothing."""
        return "", ""

    def sessions(self) -> set[str]:
        """Every session that it names: whose view it changes, and who must not see another's."""
        session = getattr(self, "session", "")
        named = {line.session for line in getattr(self, "lines", ())}
        return named | {session} if session else named

    def by_two(self) -> str:
        """Who asked and who approved, where two people decided on it."""
        approved_by = getattr(self, "approved_by", "")
        if not approved_by:
            return ""
        return f"; asked by {getattr(self, 'proposed_by', '')}, approved by {approved_by}"


class ByTwo(Event, kw_only=True):
    """An event that two people have decided on; their names are its last fields."""

    proposed_by: str
    approved_by: str


class MayBeByTwo(Event, kw_only=True):
    """An event that may need two people."""

    proposed_by: str = ""
    approved_by: str = ""


def kinds_in(*modules: ModuleType) -> tuple[type[Event], ...]:
    """Return the kinds that these modules define, in their order."""
    found = list[type[Event]]()
    for module in modules:
        own = [value for value in vars(module).values() if isinstance(value, type)]
        found += [x for x in own if issubclass(x, Event) and x.__module__ == module.__name__]
    return tuple(found)


def check(holds: bool, what: str) -> None:
    """For `evolve`: what must be so where an event follows, and in an event by itself."""
    if not holds:
        raise Fault(what)
