"""Public events: journal events as broadcast to everybody at a table, without private fields.

Patrons' lines, what staff wrote for staff, who they are and how many cards are left stay private:
each kind says which fields (`traits.private`). Some kinds are told with more than the journal has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import puntobanco.events as e
from puntobanco.events import Record
from puntobanco.floor.views.roads import Counts, RoadsView, counts, marks, roads_view
from puntobanco.floor.views.table import SLOTS, Why, why_of
from puntobanco.journal import Entry
from puntobanco.paytable import NoteView, notes
from puntobanco.rules.causes import words_of
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD
from puntobanco.table.state import TableState


class PublicOpening(Record, tag_field="event", tag="TableOpened"):
    """Without the definition, which a view has in words, and without a designer's own text."""

    game: str
    digest: str


class PublicLimits(Record, tag_field="event", tag="LimitsChanged"):
    """Without who asked for them."""

    limits: e.Limits


class PublicSettlement(Record, tag_field="event", tag="RoundSettled"):
    round: int
    result: str
    player: int
    banker: int
    cards: str
    notes: tuple[NoteView, ...]
    marks: RoadsView  # the cells of the roads that it sets
    counts: Counts


class PublicClose(Record, tag_field="event", tag="BetsClosed"):
    round: int
    announcement: str
    next: Why | None  # the first card that the table calls for


class PublicCard(Record, tag_field="event", tag="CardDealt"):
    round: int
    slot: str
    card: str
    why: str
    why_zh: str
    clause: str
    next: Why | None  # what the table calls for after it
    by_hand: bool


class PublicStop(Record, tag_field="event", tag="IrregularityDeclared"):
    round: int
    ground: str
    title: str
    title_zh: str
    clause: str


class PublicCorrection(Record, tag_field="event", tag="CardCorrected"):
    round: int
    slot: str
    before: str
    after: str


class PublicReconstruction(Record, tag_field="event", tag="RoundReconstructed"):
    round: int
    ground: str
    clause: str
    dealt: str
    order: str
    surplus: str


class PublicVoid(Record, tag_field="event", tag="RoundVoided"):
    round: int
    ground: str
    title: str
    title_zh: str
    clause: str


class PublicReopening(Record, tag_field="event", tag="RoundReopened"):
    round: int
    ground: str
    title: str
    title_zh: str
    clause: str


class PublicShoe(Record, tag_field="event", tag="ShoeStarted"):
    shoe: int
    decks: int
    commitment: str
    first_card: str  # turned and burned before the first round


class PublicHalt(Record, tag_field="event", tag="TableHalted"):
    reason: str
    reason_zh: str
    by_floor: bool
    closes: bool


class PublicClosing(Record, tag_field="event", tag="TableClosed"):
    reason: str
    reason_zh: str


RECORDS: dict[str, type[Record]] = {
    str(record.__struct_config__.tag): record
    for record in (
        PublicOpening,
        PublicLimits,
        PublicSettlement,
        PublicClose,
        PublicCard,
        PublicStop,
        PublicCorrection,
        PublicReconstruction,
        PublicVoid,
        PublicReopening,
        PublicShoe,
        PublicHalt,
        PublicClosing,
    )
}
"""How a kind is told that is not told as it is: by its name."""


def public_events(entries: Sequence[Entry], state: TableState) -> Iterator[Record]:
    """What everybody sees of these entries; `state` is the table's after them."""
    events = [event for entry in entries for event in entry.events if event.traits.public]
    settled = [event.round for event in events if isinstance(event, e.Outcome) and event.settles]
    for event in events:
        record = RECORDS.get(type(event).__name__)
        yield event if record is None else _told(event, record, _Beside(state, settled))


def _told(event: e.Event, record: type[Record], beside: _Beside) -> Record:
    """What is told beside the event, and the fields that both have."""
    fields = dict[str, object]()
    for name in record.__struct_fields__:
        if hasattr(beside, name):  # first: a cause is told in words
            fields[name] = getattr(beside, name)(event)
        else:
            fields[name] = getattr(event, name)
    return record(**fields)


class _Beside(NamedTuple):
    """What is told beside an event, from the table as it is after it: a method for each field."""

    state: TableState
    settled: list[int]  # the rounds that were settled just now

    def title(self, event: _Grounded) -> str:
        return title_of(event.ground).en

    def title_zh(self, event: _Grounded) -> str:
        return title_of(event.ground).zh

    def why(self, event: e.CardDealt) -> str:
        return event.why.words.en

    def why_zh(self, event: e.CardDealt) -> str:
        return event.why.words.zh

    def reason(self, event: e.TableHalted | e.TableClosed) -> str:
        return words_of(event.reason).en

    def reason_zh(self, event: e.TableHalted | e.TableClosed) -> str:
        return words_of(event.reason).zh

    def next(self, event: e.BetsClosed | e.CardDealt) -> Why | None:
        """What the table calls for after it."""
        play = _play_of(event.round, self.state)
        if play is None:
            return None
        if isinstance(event, e.BetsClosed):
            return why_of(play, 0)
        place = _place(event, self.state)
        if place is None:
            return None
        return why_of(play, place + 1)

    def notes(self, event: e.Outcome) -> tuple[NoteView, ...]:
        """Of the round that lies there; one that is gone by has none."""
        play = _play_of(event.round, self.state)
        if play is None or self.state.phase != event.traits.phase:
            return ()
        return notes(self.state.playing, play)

    def marks(self, event: e.Outcome) -> RoadsView:
        """The cells of one more result; of several at once, all cells with the last."""
        results = self.state.results
        if len(self.settled) == 1 and results:
            return marks(results)
        if event.round == self.settled[-1]:
            return roads_view(results)
        return RoadsView()

    def counts(self, event: e.Event) -> Counts:
        del event
        state = self.state
        return counts(state.results, natural=state.naturals, void=state.voids)


_Grounded = e.RoundVoided | e.IrregularityDeclared | e.RoundReopened


def _place(event: e.CardDealt, state: TableState) -> int | None:
    """How many cards were dealt before this one, where its round still lies there."""
    play = _play_of(event.round, state)
    slot = SLOTS.index(event.slot)
    if play is None or play.slots[slot] == NO_CARD:
        return None
    return sum(card != NO_CARD for card in play.slots[:slot])


def _play_of(number: int, state: TableState) -> Round | None:
    """The round of this number, where it still lies there."""
    if state.round and state.round.number == number:
        return state.round.play
    return None


def sessions_touched(entries: Iterable[Entry]) -> set[str]:
    """Whose own view these entries change."""
    touched = set[str]()
    for entry in entries:
        for event in entry.events:
            touched |= event.sessions()
    return touched
