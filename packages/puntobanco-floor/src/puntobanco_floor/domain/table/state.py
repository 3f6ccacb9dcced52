"""The state of a table, its phases, and everything else that a decision depends on except money."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias, get_args

import msgspec
from immutables import Map

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco.rules.cards import Card, codes, parse_card
from puntobanco.rules.causes import Cause
from puntobanco.rules.definition import digest, game_of
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import OF_THE_HOUSE
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.terms import NO_CARD
from puntobanco_floor.domain import machine, proposals
from puntobanco_floor.domain.proposals import Proposals
from puntobanco_floor.domain.snapshots import SNAPSHOT, Added, Plain, Since, plain_of, struct_from
from puntobanco_floor.domain.table.mixing import Mixing, shuffled_words

Phase = Literal["down", "waiting", "betting", "closed", "dealing", "stopped", "settled", "void"]
PHASES: tuple[Phase, ...] = get_args(Phase)

ALWAYS: frozenset[Phase] = frozenset(PHASES)
DOWN: frozenset[Phase] = frozenset({"down"})
OPEN = ALWAYS - DOWN
BETWEEN: frozenset[Phase] = frozenset({"waiting", "settled", "void"})
IN_PLAY = OPEN - BETWEEN
BETTING: frozenset[Phase] = frozenset({"betting"})
DEALING: frozenset[Phase] = frozenset({"closed", "dealing"})
STOPPED: frozenset[Phase] = frozenset({"stopped"})

SAYS: dict[Phase, Words] = {
    "down": Words("the table is closed", "賭枱已關閉"),
    "waiting": Words("no round is open", "尚未開局"),
    "betting": Words("bets are open", "投注中"),
    "closed": Words("bets are closed and no card is dealt yet", "已截止投注，尚未派牌"),
    "dealing": Words("the cards are being dealt", "正在派牌"),
    "stopped": Words(
        "the round is stopped for a decision: reconstruct, void or resume",
        "該局暫停，等候決定：還原、作廢或繼續",
    ),
    "settled": Words("the round is settled", "該局已結算"),
    "void": Words("the round is void", "該局已作廢"),
}


class Seat(msgspec.Struct, frozen=True, array_like=True):
    patron: str
    since: int = 0
    # credits bought, loaded and redeemed, less what left or is set apart to leave
    in_cents: int = 0
    loss_cents: int | None = None  # the patron's own limits
    play_ms: int | None = None
    stopped: str | Cause = ""  # why it takes no more wagers
    by_two: bool = False  # from before a recovery: no wagers, and two people pay its credits

    @property
    def ends_at(self) -> int | None:
        return None if self.play_ms is None else self.since + self.play_ms


class Moving(msgspec.Struct, frozen=True, array_like=True):
    """Credits of a session that are on the way to another table."""

    move: str
    to: str
    cents: int
    in_cents: int
    until: int
    entry: int  # that reserved them


class Decided(msgspec.Struct, frozen=True, array_like=True):
    """A move to this table that it has let in, or refused."""

    until: int  # when it could arrive
    entry: int  # that says which


class ShoeState(msgspec.Struct, frozen=True, kw_only=True):
    number: int
    source: e.Source
    dealing: e.Dealing
    decks: int
    cut: int
    burn: int  # cards that left unseen, before the first round or since
    commitment: str
    left: Shoe  # what can still come, as far as anybody knows; unseen burned cards are among it
    drawn: int = 0  # places of a virtual order that are used up
    set_id: str = ""  # of a dealer's cards
    first_card: str = ""  # turned and burned before the first round; not among `left`
    counted: int | None = None  # all cards of the set, as somebody last counted them
    spoiled: str = ""  # why it cannot be played on with
    mixing: Added[Mixing | None] = None  # none: the house alone shuffled it

    @property
    def cards_left(self) -> int:
        return len(self.left) - self.burn

    @property
    def seed(self) -> str:
        return self.mixing.seed if self.mixing else ""

    @property
    def waits_for_mix(self) -> bool:
        """Whether it is to be mixed and is not yet: no bet opens on it."""
        return self.mixing is not None and not self.mixing.seed

    @property
    def shuffle_words(self) -> Words:
        """Who has a part in its order, as everybody is told."""
        names = self.mixing.names if self.mixing else ()
        return shuffled_words(self.dealing, self.source, names, waits=self.waits_for_mix)


class LastShoe(msgspec.Struct, frozen=True, kw_only=True):
    """A shoe that witnesses were to mix, when it is over: with its reveal, until the next is."""

    number: int
    commitment: str
    mixing: Mixing
    order: str
    nonce: str
    abandoned: bool


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """Why a round is stopped, and where it was."""

    ground: str
    clause: str
    phase: Phase
    cards_left: int | None = None
    detail: str | Cause = ""  # what happened, in the words of who declared it


class RoundState(msgspec.Struct, frozen=True, kw_only=True):
    """The round that is played, or the last one until the next opens."""

    number: int
    shoe: int
    dealing: e.Dealing
    play: Round
    closes_at: int | None
    dealer_closes: bool = False  # `closes_at` is a guide
    commitment: str = ""
    wagers: Map[tuple[str, str], int] = Map()  # session and bet -> stake
    stakes: Map[str, int] = Map()  # bet -> all stakes on it
    totals: Map[str, int] = Map()  # patron -> all stakes, whatever session they come from
    patrons: Map[str, str] = (
        Map()
    )  # session -> who it was when it wagered; a seat may be left before a round is reopened
    exposure_cents: int = 0
    last_hand: bool = False  # the cut card is out
    questioned: str = ""  # an impossible card that was entered once
    questioned_why: Cause | None = None
    keyed: str = ""  # the slots of cards that were entered by hand
    # the slots of cards that were corrected, each with what had been entered first: p1:9s b2:4h
    corrected: str = ""
    reconstructed: str = ""  # the ground for which the cards were put in order
    stop: Stop | None = None
    surplus: str = ""  # cards that a reconstruction left over
    owed: Map[str, int] = Map()  # session -> what a reopening could not take back
    lines: tuple[e.Line, ...] = ()  # of the settlement

    @property
    def deadline(self) -> int | None:
        """When bets close by the clock; None where the dealer closes them."""
        return None if self.dealer_closes else self.closes_at

    @property
    def lying(self) -> tuple[Card, ...]:
        """Its cards, and those that a reconstruction left over."""
        return (*self.play.cards, *parsed(self.surplus))


class Last(msgspec.Struct, frozen=True, kw_only=True):
    round: int
    result: str  # as the roads write it, or VOID
    player: int | None = None
    banker: int | None = None


class Review(msgspec.Struct, frozen=True, kw_only=True):
    """What a patron asked about a past round; with the house's decision, once there is one."""

    number: int
    round: int
    patron: str
    at: int
    complaint: str
    note: str
    rules: str
    # of the staff: who dealt it, ruled on it or asked at the desk; none of them answers
    dealt_by: tuple[str, ...] = ()
    decision: str = ""  # none while it is open
    clause: str = ""
    answer: str = ""  # the note of who decided

    @property
    def is_open(self) -> bool:
        return not self.decision


class Award(msgspec.Struct, frozen=True, kw_only=True):
    """A review that was answered in the patron's favour or referred, and is not paid."""

    session: str
    round: int
    rules: str
    decision: str
    clause: str


class Adjustment(msgspec.Struct, frozen=True, kw_only=True):
    """What a session was paid for a past round, and on which ground."""

    round: int
    cents: int
    note: str
    review: int = 0
    clause: str = ""
    direction: str = ""


class TableState(machine.State, frozen=True, kw_only=True):
    version: Annotated[int, Since(8)] = (
        0  # of what everybody sees: how many public events there were
    )
    changed_at: int = 0  # when the phase or the cards last changed: the clock counts from here
    phase: Phase = "down"
    halted: str | Cause = ""  # why no new round opens
    halted_by_floor: bool = False
    closing: bool = False  # halted, and closed by the clock when no round is in play
    game: Game | None = None  # built from its definition
    digest: str = ""
    definition: dict[str, object] = {}  # noqa: RUF012 - msgspec copies it
    source: str = ""  # a designer's file, as text
    opened: int = 0  # the entry that opened it
    limits: e.Limits | None = None
    clock: e.Clock = e.Clock()
    cards: e.Cards = e.Cards()  # of the next shoe
    # made when the round in play is over, in this order; one of each kind at most
    scheduled: Annotated[tuple[e.ScheduledChange, ...], Since(8)] = ()
    sessions: Map[str, Seat] = Map()
    shoes: int = 0  # numbers given so far
    shoe: ShoeState | None = None
    last_shoe: Added[LastShoe | None] = None
    rounds: int = 0
    round: RoundState | None = None
    results: tuple[str, ...] = ()  # of this shoe, as the roads write them
    naturals: int = 0  # among them
    sixes: Annotated[int, Since(9)] = 0  # among them, won by banker with a total of six
    voids: int = 0  # rounds of this shoe that were void
    last: Last | None = None  # none yet, or it was reopened
    proposals: Proposals = proposals.NONE
    redeemed: Added[Map[str, int]] = Map()  # vouchers, and when each expires
    # by session, in the order in which they were asked; those that are answered while it is seated
    reviews: Added[Map[str, tuple[Review, ...]]] = Map()
    reviewed: Added[int] = 0  # numbers given so far
    moving: Added[Map[str, Moving]] = Map()  # by session
    moves: Added[Map[str, Decided]] = Map()  # to this table, by their ids
    awards: Added[Map[int, Award]] = Map()  # by review
    # by session, also of those that have left: nothing is paid twice
    adjusted: Added[Map[str, tuple[Adjustment, ...]]] = Map()

    @property
    def playing(self) -> Game:
        assert self.game is not None, "an open table has a game"
        return self.game

    @property
    def current(self) -> RoundState:
        assert self.round is not None, "this phase has a round"
        return self.round

    @property
    def cards_place(self) -> str:
        if self.shoe is None or self.shoe.source == "shoe":
            return f"{self.stream}/shoe/{self.shoes}"
        return f"{self.stream}/round/{self.rounds}"

    @property
    def rules(self) -> str:
        return self.game.rules_id if self.game else ""

    def scheduled_change(self, kind: e.ChangeKind) -> e.ScheduledChange | None:
        return next((change for change in self.scheduled if change.kind == kind), None)

    @property
    def next_round(self) -> TableState:
        """With the limits, clock and cards of the next round."""
        changes = {change.kind: getattr(change, change.kind) for change in self.scheduled}
        return msgspec.structs.replace(self, **changes)

    def is_hand_pay(self, cents: int) -> bool:
        """Whether so much is paid by hand, by two people, and never as a voucher."""
        most = self.limits.hand_pay_cents if self.limits else 0
        return 0 < most < cents

    def wagers_of(self, session: str) -> dict[str, int]:
        """A session's wagers in the round, by bet."""
        if self.round is None or self.game is None:
            return {}
        get = self.round.wagers.get
        return {bet.id: stake for bet in self.game.bets if (stake := get((session, bet.id), 0))}

    @property
    def is_in_play(self) -> bool:
        return self.phase in IN_PLAY

    @property
    def cards_left(self) -> int:
        """In the shoe, by the book: without burned cards and those of the round in play."""
        shoe, round_ = self.shoe, self.round
        if shoe is None:
            return 0
        if round_ is None or not self.is_in_play or round_.shoe != shoe.number:
            return shoe.cards_left
        return len(round_.play.shoe) - len(round_.lying) - shoe.burn


Asked: TypeAlias = machine.Asked[TableState]
"""What a decision of a table may look at."""


def dump(state: TableState) -> Plain:
    """Return plain values for a snapshot: the game by its id, a round's play by its cards."""
    game = state.game.id if state.game else None
    limits = plain_of(state.limits) if state.limits else None
    shoe = plain_of(state.shoe, left=list(state.shoe.left.counts)) if state.shoe else None
    round_ = _dump_round(state.round) if state.round else None
    return plain_of(
        state,
        snapshot=SNAPSHOT,
        game=game,
        definition=state.definition,  # plain already, and large: no copy of it
        limits=limits,
        shoe=shoe,
        round=round_,
        clock=plain_of(state.clock),
        scheduled=[_dump_change(change) for change in state.scheduled],
    )


def _dump_change(change: e.ScheduledChange) -> Plain:
    clock = plain_of(change.clock) if change.clock else None
    limits = plain_of(change.limits) if change.limits else None
    return plain_of(change, clock=clock, limits=limits)


def _dump_round(round_: RoundState) -> Plain:
    cards, began_with = codes(round_.play.cards), list(round_.play.shoe.counts)
    plain = plain_of(round_, play=None, cards=cards, **{"from": began_with})
    del plain["play"]
    return plain


def load(plain: Plain) -> TableState:
    if plain["game"] is None:
        return struct_from(TableState, plain, game=None, shoe=None, round=None)
    definition = msgspec.convert(plain["definition"], dict[str, object])
    game = game_of(definition)
    assert (game.id, digest(game)) == (plain["game"], plain["digest"]), "a snapshot holds its game"
    shoe = msgspec.convert(plain["shoe"], Plain | None)
    round_ = msgspec.convert(plain["round"], Plain | None)
    return struct_from(
        TableState,
        plain,
        game=game,
        shoe=struct_from(ShoeState, shoe, left=_shoe(game, shoe["left"])) if shoe else None,
        round=struct_from(RoundState, round_, play=_play(game, round_)) if round_ else None,
    )


def _shoe(game: Game, counts: object) -> Shoe:
    return Shoe(game.deck, msgspec.convert(counts, tuple[int, ...]))


def _play(game: Game, plain: Plain) -> Round:
    begun = Round.start(game, _shoe(game, plain["from"]))
    return begun.deal_all(parsed(str(plain["cards"])))


def parsed(cards: str) -> tuple[Card, ...]:
    """Codes apart by spaces or commas."""
    return tuple(map(parse_card, cards.replace(",", " ").split()))


def cards_of(state: RoundState) -> str:
    return codes(state.play.cards)


def slots_of(state: RoundState) -> dict[str, int]:
    """The cards on the table by the names of their slots: p1, b1, p2, b2, p3, b3."""
    names = ("p1", "b1", "p2", "b2", "p3", "b3")
    slots = zip(names, state.play.slots, strict=True)
    return {name: card for name, card in slots if card != NO_CARD}


def clause_of(game: Game, ground: str) -> str | None:
    known = (*game.irregularities, *OF_THE_HOUSE)
    return next((each.clause for each in known if each.ground.id == ground), None)
