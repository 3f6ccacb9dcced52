"""What happens at a table, as everybody there hears it: event by event, without what is not theirs
to know.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import puntobanco.events as e
from puntobanco.events import Record
from puntobanco.floor.views.roads import Counts, RoadsView, counts, marks, roads_view
from puntobanco.floor.views.table import SLOTS, Why, why_of
from puntobanco.journal import Entry
from puntobanco.paytable import NoteView, notes
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD
from puntobanco.table.state import TableState

# Events that everybody at the table sees, as they are; of others patrons' lines, what staff wrote
# for staff, who they
# are, and how many cards are left is not told.
_PUBLIC = (
    e.LimitsChanged,
    e.TableHalted,
    e.TableRestarted,
    e.TableClosed,
    e.BetsOpened,
    e.TotalsAnnounced,
    e.LastHandCalled,
    e.RoundResumed,
    e.ShoeEnded,
)


class PublicOpening(Record, tag_field="event", tag="TableOpened"):
    """Without the definition, which a view has in words, and without a designer's own text."""

    game: str
    digest: str


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


def public_events(entries: Sequence[Entry], state: TableState) -> Iterator[Record]:  # noqa: PLR0912 - one case a kind
    """What everybody sees of these entries; `state` is the table's after them."""
    settled = [
        event.round
        for entry in entries
        for event in entry.events
        if isinstance(event, e.RoundSettled)
    ]
    for entry in entries:
        for event in entry.events:
            match event:
                case e.TableOpened():
                    yield PublicOpening(game=event.game, digest=event.digest)
                case e.RoundSettled():
                    yield PublicSettlement(
                        round=event.round,
                        result=event.result,
                        player=event.player,
                        banker=event.banker,
                        cards=event.cards,
                        notes=_notes(event, state),
                        counts=counts(state.results, natural=state.naturals, void=state.voids),
                        marks=_marks(state.results, event.round, settled),
                    )
                case e.BetsClosed():
                    play = _play_of(event.round, state)
                    first = why_of(play, 0) if play else None
                    yield PublicClose(
                        round=event.round, announcement=event.announcement, next=first
                    )
                case e.CardDealt():
                    yield _public_card(event, state)
                case e.RoundVoided():
                    yield PublicVoid(**_grounded(event))
                case e.IrregularityDeclared():
                    yield PublicStop(**_grounded(event))
                case e.CardCorrected():
                    yield PublicCorrection(
                        round=event.round, slot=event.slot, before=event.before, after=event.after
                    )
                case e.RoundReconstructed():
                    yield PublicReconstruction(
                        round=event.round,
                        ground=event.ground,
                        clause=event.clause,
                        dealt=event.dealt,
                        order=event.order,
                        surplus=event.surplus,
                    )
                case e.RoundReopened():
                    yield PublicReopening(**_grounded(event))
                case e.ShoeStarted():
                    yield PublicShoe(
                        shoe=event.shoe,
                        decks=event.decks,
                        commitment=event.commitment,
                        first_card=event.first_card,
                    )
                case _ if isinstance(event, _PUBLIC):
                    yield event


def _notes(event: e.RoundSettled, state: TableState) -> tuple[NoteView, ...]:
    """Of the round that lies there; one that is gone by has none."""
    round_ = state.round
    is_there = round_ is not None and round_.number == event.round and state.phase == "settled"
    return notes(state.playing, round_.play) if is_there and round_ else ()


def _marks(results: tuple[str, ...], round_: int, settled: list[int]) -> RoadsView:
    """The cells of one more result; of several at once, all cells with the last."""
    if len(settled) == 1 and results:
        return marks(results)
    return roads_view(results) if round_ == settled[-1] else RoadsView()


def _public_card(event: e.CardDealt, state: TableState) -> PublicCard:
    """With what the table says of the round as it now is; a round that is gone by tells less."""
    play = _play_of(event.round, state)
    slot = SLOTS.index(event.slot)
    place = (
        sum(card != NO_CARD for card in play.slots[:slot])
        if play and play.slots[slot] != NO_CARD
        else None
    )
    why = why_of(play, place) if play and place is not None else None
    after = why_of(play, place + 1) if play and place is not None else None
    return PublicCard(
        round=event.round,
        slot=event.slot,
        card=event.card,
        why=event.why,
        why_zh=why.zh if why and why.en == event.why else event.why,
        clause=event.clause,
        next=after,
        by_hand=event.by_hand,
    )


def _play_of(number: int, state: TableState) -> Round | None:
    """The round of this number, where it still lies there."""
    return state.round.play if state.round and state.round.number == number else None


def _grounded(event: e.RoundVoided | e.IrregularityDeclared | e.RoundReopened) -> dict[str, Any]:
    title = title_of(event.ground)
    return {
        "round": event.round,
        "ground": event.ground,
        "title": title.en,
        "title_zh": title.zh,
        "clause": event.clause,
    }


def sessions_touched(entries: Iterable[Entry]) -> set[str]:
    """Whose own view these entries change."""
    touched = set[str]()
    for entry in entries:
        for event in entry.events:
            session = getattr(event, "session", None)
            if session:
                touched.add(session)
            for line in getattr(event, "lines", ()):
                touched.add(line.session)
            for recovery in getattr(event, "recoveries", ()):
                touched.add(recovery.line.session)
    return touched
