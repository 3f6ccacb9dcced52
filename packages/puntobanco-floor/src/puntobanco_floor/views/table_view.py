"""What a terminal may see of a table. Undealt cards, remaining counts and live odds are not among
it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from msgspec import field
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco.rules.cards import code
from puntobanco.rules.causes import told_of
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD
from puntobanco_floor.domain.events import Line
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.stream_names import number_of
from puntobanco_floor.domain.table.clock import MIX_MS, SQUEEZED_FROM
from puntobanco_floor.domain.table.mixing import Mixing
from puntobanco_floor.domain.table.state import (
    Adjustment,
    Review,
    RoundState,
    Seat,
    ShoeState,
    TableState,
    clause_of,
    slots_of,
)
from puntobanco_floor.views.game_view import BetView, NoteView, felt, notes, paying
from puntobanco_floor.views.road_grids import (
    Added,
    AskMarks,
    Cells,
    Counts,
    RoadsView,
    ask_marks,
    counts,
    roads_view,
)
from puntobanco_proof.entry.record import Record

if TYPE_CHECKING:  # what a client imports of this file needs no storage
    from puntobanco_floor.store.batch import Stream


SLOTS = ("p1", "b1", "p2", "b2", "p3", "b3")


class Why(Record):
    """Why a card falls where it does, or that no more comes; `slot` is empty then."""

    slot: str
    text: Words
    clause: str


class StopView(Record):
    ground: str
    title: Words
    clause: str


class CorrectedView(Record):
    """A card that had been entered otherwise: what was entered first, and what lies there."""

    slot: str
    before: str
    after: str


class LastView(Record):
    """The last round that was over."""

    round: int
    result: str  # as the roads write it, or VOID
    player: int | None
    banker: int | None


class TableView(Record):
    """A table as everybody sees it."""

    table: str
    number: int
    v: int  # the public version: how many public events there were
    seq: int  # of the journal's last entry, public or not
    at: int
    game: str
    title: Words
    rules: str
    deck: str  # "standard" or "five-elements"
    decks: int | None
    shoe: int | None
    phase: str
    round: int
    betting_ms: int | None
    closes_at: int | None
    dealer_closes: bool  # the time is a guide: bets are open until the dealer closes them
    opens_at: int | None  # where the clock opens the next round
    squeeze_ms: int  # how long patrons may squeeze a card; 0 where the house sets no time
    squeeze_until: int | None  # where the clock deals on, or settles, after that
    cards: dict[str, str]  # by slot: p1 b1 p2 b2 p3 b3
    keyed: list[str]  # the slots whose cards were entered by hand
    corrected: list[CorrectedView]  # cards of this round that had been entered otherwise
    reconstructed: StopView | None  # why its cards were put in order
    why: Why | None  # of the last card
    next: Why | None  # what the table calls for now, or why no more cards came
    stop: StopView | None
    last_hand: bool  # the cut card is out: the shoe is changed after this round
    player: int | None
    banker: int | None
    notes: tuple[NoteView, ...]  # of a settled round
    results: tuple[str, ...]
    roads: RoadsView
    counts: Counts
    last: LastView | None
    bets: tuple[BetView, ...]
    patron_max_cents: int  # house policy: one patron's stakes in a round, all bets together
    # house policy: how far stakes on Player and Banker may lie apart
    differential_cents: int | None
    exposure_max_cents: int  # house policy: what the table may lose in a round
    hand_pay_cents: int  # more than this is paid by hand, by two people; 0: no such limit
    announce_open: str
    announce_close: str
    late_clause: str
    withdraw_clause: str
    dealt_by: str  # "server" or "dealer"
    halted: Words | None = None  # why no new round opens
    closing: bool = False  # and the table closes when this one is over
    demo: bool = False
    shuffle: ShuffleView | None = None  # of the shoe on the table
    last_shoe: RevealView | None = None  # where witnesses were to mix it
    # of a settled round: by bet, which of its lines pay
    paying: dict[str, tuple[int, ...]] = field(default_factory=dict)
    asks: AskMarks | None = None  # where the house shows them


class ReviewView(Record):
    """A review that the session asked for; `decision` is empty while it waits. The note is of who
    decided.
    """

    review: int
    round: int
    at: int
    complaint: Words
    decision: Words | None
    clause: str
    note: str


class AdjustmentView(Record):
    """What the house has paid the session for a past round, and why."""

    round: int
    cents: int
    note: str
    review: int
    clause: str
    direction: str


class SessionView(Record):
    """A session as its patron sees it."""

    table: str
    seq: int
    session: str
    seated: bool
    balance_cents: int
    wagers: dict[str, int]
    lines: tuple[e.Line, ...] = ()  # of the last settlement
    since: int | None = None  # when the session began
    net_cents: int = 0  # credits and wagers, less what came in and has not left
    held_cents: int = 0  # of the credits, set apart for a hand pay that waits for the staff
    loss_cents: int | None = None  # the patron's own limits
    ends_at: int | None = None
    stopped: Words | None = None  # why it takes no more wagers
    reviews: tuple[ReviewView, ...] = ()  # of past rounds, that wait or were answered lately
    moving_to: str = ""  # the table that credits are on the way to, and how many
    moving_cents: int = 0
    adjustments: tuple[AdjustmentView, ...] = ()  # paid for past rounds, oldest first


def _squeeze_until(state: TableState, dealt: int) -> int | None:
    clock = state.clock
    waits = clock.automatic and clock.squeeze_ms > clock.card_ms and dealt >= SQUEEZED_FROM
    return state.changed_at + clock.squeeze_ms if waits and state.phase == "dealing" else None


def table_view(state: TableState, *, demo: bool = False, asks: bool = False) -> TableView | None:
    """None for a table that was never opened."""
    game = state.game
    round_ = state.round
    limits = state.limits
    if game is None or limits is None:
        return None
    slots = slots_of(round_) if round_ else {}
    cards = {slot: code(card) for slot, card in slots.items()}
    clock = state.clock
    shoe = state.shoe
    play = round_.play if round_ else None
    betting = round_ if state.phase == "betting" else None
    due = None
    if play and state.phase in ("closed", "dealing", "settled"):
        due = why_of(play, len(play.cards))
    opens = clock.automatic and state.phase in ("settled", "void") and not state.halted
    halted = told_of(state.halted) if state.halted else None
    return TableView(
        table=state.stream,
        number=number_of(state.stream),
        v=state.version,
        seq=state.seq,
        at=state.at,
        game=game.id,
        title=game.title,
        rules=game.edition,
        deck="five-elements" if game.deck.has_elements else "standard",
        decks=shoe.decks if shoe else None,
        shoe=shoe.number if shoe else None,
        phase=state.phase,
        round=state.rounds,
        betting_ms=clock.betting_ms,
        closes_at=betting.closes_at if betting else None,
        dealer_closes=betting.dealer_closes if betting else False,
        opens_at=state.changed_at + clock.pause_ms if opens else None,
        squeeze_ms=clock.squeeze_ms,
        squeeze_until=_squeeze_until(state, len(cards)),
        cards=cards,
        keyed=round_.keyed.split() if round_ else [],
        corrected=corrected_of(round_) if round_ else [],
        reconstructed=reconstructed_of(game, round_),
        why=why_of(play, len(play.cards) - 1) if play and cards else None,
        next=due,
        stop=_stop(state),
        last_hand=bool(round_ and shoe and round_.shoe == shoe.number and round_.last_hand),
        player=play.player_points if cards and play else None,
        banker=play.banker_points if len(cards) > 1 and play else None,
        notes=notes(game, play) if play and state.phase == "settled" else (),
        results=state.results,
        roads=roads_view(state.results),
        counts=counts(state.results, natural=state.naturals, void=state.voids, six=state.sixes),
        last=_last(state),
        bets=felt(game, limits),
        patron_max_cents=limits.patron_max_cents,
        differential_cents=limits.differential_cents,
        exposure_max_cents=limits.exposure_max_cents,
        hand_pay_cents=limits.hand_pay_cents,
        announce_open=game.announcements.open,
        announce_close=game.announcements.close,
        late_clause=game.basics.late_wager,
        withdraw_clause=game.basics.late_withdrawal,
        dealt_by=dealt_by(shoe),
        halted=halted,
        closing=state.closing,
        demo=demo,
        shuffle=shuffle_view(state),
        last_shoe=reveal_view(state),
        paying=paying(game, play) if play and state.phase == "settled" else {},
        asks=ask_marks(state.results) if asks else None,
    )


def dealt_by(shoe: ShoeState | None) -> str:
    return "dealer" if shoe and shoe.dealing == "physical" else "server"


def why_of(play: Round, dealt: int) -> Why:
    """What the table called for when so many of these cards lay there."""
    lying = [slot for slot, card in enumerate(play.slots) if card != NO_CARD][:dealt]
    p1, b1, p2, b2, p3, b3 = (
        card if slot in lying else NO_CARD for slot, card in enumerate(play.slots)
    )
    due = dataclasses.replace(play, slots=(p1, b1, p2, b2, p3, b3)).next
    return Why(
        slot=SLOTS[due.slot] if due.slot is not None else "",
        text=due.why,
        clause=due.clause,
    )


def corrected_of(round_: RoundState) -> list[CorrectedView]:
    lies = {slot: code(card) for slot, card in slots_of(round_).items()}
    found = [each.split(":") for each in round_.corrected.split()]
    return [CorrectedView(slot=slot, before=before, after=lies[slot]) for slot, before in found]


def reconstructed_of(game: Game, round_: RoundState | None) -> StopView | None:
    if round_ is None or not round_.reconstructed:
        return None
    return stop_view(round_.reconstructed, clause_of(game, round_.reconstructed) or "")


def _last(state: TableState) -> LastView | None:
    if (last := state.last) is None:
        return None
    return LastView(round=last.round, result=last.result, player=last.player, banker=last.banker)


def _stop(state: TableState) -> StopView | None:
    """Why a round is stopped, or why it was void."""
    stop = None
    if state.round and state.phase in ("stopped", "void"):
        stop = state.round.stop
    if stop is None:
        return None
    return stop_view(stop.ground, stop.clause)


def stop_view(ground: str, clause: str) -> StopView:
    title = title_of(ground)
    return StopView(ground=ground, title=title, clause=clause)


def session_view(
    stream: Stream[TableState], session: str, lines: tuple[e.Line, ...] = ()
) -> SessionView:
    """`lines` are those of the session, while the last settlement stands; who has left the table
    leaves none there.
    """
    state = stream.state
    seat = state.sessions.get(session)
    balance = stream.balances.get(account_of(session), 0)
    wagers = state.wagers_of(session) if state.is_in_play else {}
    seen = SessionView(
        table=state.stream,
        seq=state.seq,
        session=session,
        seated=seat is not None,
        balance_cents=balance,
        wagers=wagers,
    )
    if seat is None:
        return seen
    stopped = told_of(seat.stopped) if seat.stopped else None
    held = state.proposals.held_for(session) if state.proposals.waiting else 0
    moving = state.moving.get(session)
    return replace(
        seen,
        moving_to=moving.to if moving else "",
        moving_cents=moving.cents if moving else 0,
        lines=lines
        if seat.since <= state.changed_at
        else (),  # not of somebody who sat here before
        since=seat.since,
        net_cents=_net(state, seat, session, balance + sum(wagers.values())),
        held_cents=held,
        loss_cents=seat.loss_cents,
        ends_at=seat.ends_at,
        stopped=stopped,
        reviews=tuple(map(_review, state.reviews.get(session, ()))),
        adjustments=tuple(map(_adjustment, state.adjusted.get(session, ()))),
    )


def _net(state: TableState, seat: Seat, session: str, cents: int) -> int:
    """Of what a session has; credits that are on the way are its own still."""
    moving = state.moving.get(session)
    if moving is None:
        return cents - seat.in_cents
    return cents + moving.cents - seat.in_cents - moving.in_cents


def _adjustment(paid: Adjustment) -> AdjustmentView:
    return AdjustmentView(
        round=paid.round,
        cents=paid.cents,
        note=paid.note,
        review=paid.review,
        clause=paid.clause,
        direction=paid.direction,
    )


def _review(review: Review) -> ReviewView:
    decision = e.decision_words(review.decision)
    return ReviewView(
        review=review.number,
        round=review.round,
        at=review.at,
        complaint=e.complaint_words(review.complaint),
        decision=decision or None,
        clause=review.clause,
        note=review.answer,
    )


def lines_by_session(lines: Iterable[e.Line]) -> dict[str, tuple[e.Line, ...]]:
    found = dict[str, list[e.Line]]()
    for line in lines:
        found.setdefault(line.session, []).append(line)
    return {session: tuple(own) for session, own in found.items()}


# Shuffles: how a shoe got its order


class ShuffleView(Record):
    """Of the shoe on the table. `text` says who has a part in its order."""

    text: Words
    commitment: str = ""  # of a virtual shoe; a continuous one commits with each round
    mix: tuple[str, ...] = ()  # the witnesses that mix it; none: nobody but the house
    log: str = ""  # the origin of the log in which they saw its start
    signatures: dict[str, str] = {}  # noqa: RUF012 - msgspec copies it
    seed: str = ""
    abandoned_at: int | None = None  # while it waits for them: when the table waits no longer


class RevealView(Record):
    """Of the last shoe, where witnesses were to mix it: everything to check its order with."""

    shoe: int
    commitment: str
    mix: tuple[str, ...]
    log: str
    signatures: dict[str, str]
    seed: str
    order: str  # as it was committed to, from the first card to the last
    nonce: str
    abandoned: bool


NO_MIX = Mixing(log="", keys={})


def shuffle_view(state: TableState) -> ShuffleView | None:
    shoe = state.shoe
    if shoe is None:
        return None
    abandoned_at = state.changed_at + MIX_MS if shoe.waits_for_mix else None
    return shuffle_of(shoe, abandoned_at=abandoned_at)


def shuffle_of(shoe: ShoeState, *, abandoned_at: int | None = None) -> ShuffleView:
    mixing = shoe.mixing or NO_MIX
    return ShuffleView(
        text=shoe.shuffle_words,
        commitment=shoe.commitment,
        mix=mixing.names,
        log=mixing.log,
        signatures=mixing.signatures,
        seed=mixing.seed,
        abandoned_at=abandoned_at,
    )


def reveal_view(state: TableState) -> RevealView | None:
    last = state.last_shoe
    if last is None:
        return None
    mixing = last.mixing
    return RevealView(
        shoe=last.number,
        commitment=last.commitment,
        mix=mixing.names,
        log=mixing.log,
        signatures=mixing.signatures,
        seed=mixing.seed,
        order=last.order,
        nonce=last.nonce,
        abandoned=last.abandoned,
    )


def shuffled(state: TableState) -> Words | None:
    """Who has a part in the order of the shoe on the table; nothing where there is none."""
    return state.shoe.shuffle_words if state.shoe else None


# Changes: what differs between two views, so that a client needs no knowledge of events. Only the
# road of a shoe grows, and it is long: of `results` and `roads` the new part is told.

APART = ("v", "seq", "at")
"""Of the view: these change with every message, and are told by it."""

_TYPES = {field.name: field.type for field in msgspec.structs.fields(TableView)}
_ROADS = RoadsView.__struct_fields__


class Changes(NamedTuple):
    """First `set`, fields of the view with their new values; then `add`."""

    set: dict[str, Any]
    add: Added | None


def changes(before: TableView, after: TableView) -> Changes:
    fields = dict[str, Any]()
    for name in _TYPES:
        value = getattr(after, name)
        if name not in APART and value != getattr(before, name):
            fields[name] = value
    if "results" not in fields:
        return Changes(fields, None)
    added = _added(before, after)
    if added is not None:
        del fields["results"]
        fields.pop("roads", None)
    return Changes(fields, added)


def _added(before: TableView, after: TableView) -> Added | None:
    """None where something was taken away: another shoe, a round that was reopened."""
    known = len(before.results)
    if after.results[:known] != before.results:
        return None
    roads = dict[str, Cells]()
    for name in _ROADS:
        old = getattr(before.roads, name)
        new = getattr(after.roads, name)
        if not _places(old) <= _places(new):
            return None
        lying = set(old)
        marks = tuple(cell for cell in new if cell not in lying)
        if marks:
            roads[name] = marks
    return Added(results=after.results[known:], roads=roads)


def _places(cells: Cells) -> set[tuple[int, int]]:
    return {(row, column) for row, column, _ in cells}


def changed(view: TableView, fields: Mapping[str, Any], add: Added | None) -> TableView:
    """The view with its changes, as they come over the wire; a field of a newer floor is passed
    over.
    """
    known = [name for name in fields if name in _TYPES]
    found = {name: msgspec.convert(fields[name], _TYPES[name]) for name in known}
    view = replace(view, **found)
    if add is None:
        return view
    roads = {name: _laid(getattr(view.roads, name), cells) for name, cells in add.roads.items()}
    return replace(view, results=view.results + add.results, roads=replace(view.roads, **roads))


def _laid(cells: Cells, marks: Cells) -> Cells:
    """A cell keeps its place in the list when its mark changes."""
    found = {cell[:2]: cell for cell in cells}
    found |= {mark[:2]: mark for mark in marks}
    return tuple(found.values())


# A past round as it is sent to its patron: a replay, with funds before and after


class Draw(Record):
    slot: str
    card: str
    why: Words
    clause: str


class ComplaintView(Record):
    """Something that a review may be asked for."""

    code: str
    text: Words


class Recall(Record):
    """A past round, as the journal has it; of wagers only those of the session that asks."""

    replay: bool
    table: str
    round: int
    game: str
    rules: str
    at: int
    result: str  # as the roads write it, or VOID
    clause: str  # of a void
    player: int
    banker: int
    cards: list[Draw]  # as they lay in the end
    corrected: list[CorrectedView]  # of these, what had been entered otherwise
    reconstructed: StopView | None  # why they were put in order
    reopened: StopView | None  # why the round was settled anew
    lines: list[Line]
    wagered_cents: int
    paid_cents: int
    before_cents: int  # before the wagers of this round
    after_cents: int
    demo: bool
    complaints: list[ComplaintView]  # what the session may ask a review of this round for
    shoe: int = 0
    shuffle: ShuffleView | None = None  # of its shoe: the commitment, and who mixed it
    order: str = ""  # of its shoe as committed to, once it is revealed
    nonce: str = ""
    # by bet, which lines of its spot paid
    paying: dict[str, tuple[int, ...]] = field(default_factory=dict)
