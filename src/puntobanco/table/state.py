"""The state of a table: everything that the next decision depends on, but for money; frozen, and
cheap to change.
"""

from __future__ import annotations

from typing import Any

import msgspec
from immutables import Map
from msgspec.structs import replace

from puntobanco import proposals
from puntobanco.events import Cards, Clock, Dealing, Limits, Line, Source
from puntobanco.proposals import Proposals
from puntobanco.rules.cards import codes, parse_card
from puntobanco.rules.definition import digest, game_of
from puntobanco.rules.game import Game
from puntobanco.rules.round import Round
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.terms import NO_CARD
from puntobanco.table.phases import Phase

SNAPSHOT = 5
"""The version of snapshots; another one is not read, and the journal is replayed instead."""


class Seat(msgspec.Struct, frozen=True, array_like=True):
    patron: str
    since: int = 0
    # credits bought, loaded and redeemed, less what left or is set apart to leave
    in_cents: int = 0
    loss_cents: int | None = None  # the patron's own limits
    play_ms: int | None = None
    stopped: str = ""  # why it takes no more wagers

    @property
    def ends_at(self) -> int | None:
        return None if self.play_ms is None else self.since + self.play_ms


class ShoeState(msgspec.Struct, frozen=True, kw_only=True):
    """The shoe on the table."""

    number: int
    source: Source
    dealing: Dealing
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

    @property
    def cards_left(self) -> int:
        return len(self.left) - self.burn


class Stop(msgspec.Struct, frozen=True, kw_only=True):
    """Why a round is stopped, and where it was."""

    ground: str
    clause: str
    phase: Phase
    cards_left: int | None = None
    detail: str = ""  # what happened, in the words of who declared it


class RoundState(msgspec.Struct, frozen=True, kw_only=True):
    """The round that is played, or the last one until the next opens."""

    number: int
    shoe: int
    dealing: Dealing
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
    keyed: str = ""  # the slots of cards that were entered by hand
    # the slots of cards that were corrected, each with what had been entered first: p1:9s b2:4h
    corrected: str = ""
    reconstructed: str = ""  # the ground for which the cards were put in order
    stop: Stop | None = None
    surplus: str = ""  # cards that a reconstruction left over
    owed: Map[str, int] = Map()  # session -> what a reopening could not take back
    lines: tuple[Line, ...] = ()  # of the settlement

    @property
    def deadline(self) -> int | None:
        """When bets close by the clock; None where the dealer closes them."""
        return None if self.dealer_closes else self.closes_at


class Last(msgspec.Struct, frozen=True, kw_only=True):
    """The last round that was over."""

    round: int
    result: str  # as the roads write it, or VOID
    player: int | None = None
    banker: int | None = None


class TableState(msgspec.Struct, frozen=True, kw_only=True):
    stream: str
    seq: int = 0
    at: int = 0  # when the last entry was written
    changed_at: int = 0  # when the phase or the cards last changed: the clock counts from here
    phase: Phase = "down"
    halted: str = ""  # why no new round opens
    halted_by_floor: bool = False
    closing: bool = False  # halted, and closed by the clock when no round is in play
    game: Game | None = None  # built from its definition
    digest: str = ""
    definition: dict[str, object] = {}
    source: str = ""  # a designer's file, as text
    opened: int = 0  # the entry that opened it
    limits: Limits | None = None
    clock: Clock = Clock()
    cards: Cards = Cards()  # of the next shoe
    sessions: Map[str, Seat] = Map()
    shoes: int = 0  # numbers given so far
    shoe: ShoeState | None = None
    rounds: int = 0
    round: RoundState | None = None
    results: tuple[str, ...] = ()  # of this shoe, as the roads write them
    naturals: int = 0  # among them
    voids: int = 0  # rounds of this shoe that were void
    last: Last | None = None  # none yet, or it was reopened
    proposals: Proposals = proposals.NONE
    periods: int = 0

    @property
    def playing(self) -> Game:
        assert self.game is not None, "an open table has a game"
        return self.game

    def wagers_of(self, session: str) -> dict[str, int]:
        """A session's wagers in the round, by bet."""
        if self.round is None or self.game is None:
            return {}
        get = self.round.wagers.get
        return {bet.id: stake for bet in self.game.bets if (stake := get((session, bet.id), 0))}

    @property
    def is_in_play(self) -> bool:
        return self.phase in ("betting", "closed", "dealing", "stopped")

    @property
    def cards_left(self) -> int:
        """In the shoe on the table, by the book: burned cards and those of the round in play have
        left it.
        """
        shoe, round_ = self.shoe, self.round
        if shoe is None:
            return 0
        if round_ is None or not self.is_in_play or round_.shoe != shoe.number:
            return shoe.cards_left
        out = len(round_.play.cards) + len(round_.surplus.split())
        return len(round_.play.shoe) - out - shoe.burn


def dump(state: TableState) -> dict[str, object]:
    """The state as plain values, for a snapshot; maps as sorted lists, so that equal states have
    equal bytes.
    """
    plain: dict[str, object] = {name: getattr(state, name) for name in _PLAIN}
    plain |= {
        "snapshot": SNAPSHOT,
        "game": state.game.id if state.game else None,
        "definition": state.definition,
        "limits": msgspec.to_builtins(state.limits),
        "clock": msgspec.to_builtins(state.clock),
        "cards": msgspec.to_builtins(state.cards),
        "sessions": sorted(
            [session, msgspec.to_builtins(seat)] for session, seat in state.sessions.items()
        ),
        "proposals": proposals.dump(state.proposals),
        "results": list(state.results),
        "last": msgspec.to_builtins(state.last),
        "shoe": None,
        "round": None,
    }
    if state.shoe:
        plain["shoe"] = {n: getattr(state.shoe, n) for n in _SHOE} | {
            "left": list(state.shoe.left.counts)
        }
    if state.round:
        r = state.round
        plain["round"] = {n: getattr(r, n) for n in _ROUND} | {
            "cards": codes(r.play.cards),
            "from": list(r.play.shoe.counts),
            "wagers": sorted([session, bet, stake] for (session, bet), stake in r.wagers.items()),
            "stakes": sorted(map(list, r.stakes.items())),
            "totals": sorted(map(list, r.totals.items())),
            "patrons": sorted(map(list, r.patrons.items())),
            "owed": sorted(map(list, r.owed.items())),
            "stop": msgspec.to_builtins(r.stop),
            "lines": [msgspec.to_builtins(line) for line in r.lines],
        }
    return plain


_PLAIN = (
    "stream",
    "seq",
    "at",
    "changed_at",
    "phase",
    "halted",
    "halted_by_floor",
    "closing",
    "digest",
    "source",
    "opened",
    "shoes",
    "rounds",
    "naturals",
    "voids",
    "periods",
)
_SHOE = (
    "number",
    "source",
    "dealing",
    "decks",
    "cut",
    "burn",
    "commitment",
    "drawn",
    "set_id",
    "first_card",
    "counted",
    "spoiled",
)
_ROUND = (
    "number",
    "shoe",
    "dealing",
    "closes_at",
    "dealer_closes",
    "commitment",
    "exposure_cents",
    "last_hand",
    "questioned",
    "keyed",
    "corrected",
    "reconstructed",
    "surplus",
)


def load(plain: dict[str, Any]) -> TableState:
    """A state from its snapshot."""
    state = TableState(
        **{name: plain[name] for name in _PLAIN},
        limits=msgspec.convert(plain["limits"], Limits | None),
        clock=msgspec.convert(plain["clock"], Clock),
        cards=msgspec.convert(plain["cards"], Cards),
        sessions=Map({session: Seat(*seat) for session, seat in plain["sessions"]}),
        proposals=proposals.load(plain["proposals"]),
        results=tuple(plain["results"]),
        last=msgspec.convert(plain["last"], Last | None),
        definition=plain["definition"],
    )
    if plain["game"] is None:
        return state
    game = game_of(state.definition)
    assert (game.id, digest(state.definition)) == (plain["game"], state.digest), (
        "a snapshot holds its game"
    )
    state = replace(state, game=game)
    if (s := plain["shoe"]) is not None:
        state = replace(
            state,
            shoe=ShoeState(**{n: s[n] for n in _SHOE}, left=Shoe(game.deck, tuple(s["left"]))),
        )
    if (r := plain["round"]) is not None:
        play = Round.start(game, Shoe(game.deck, tuple(r["from"])))
        state = replace(
            state,
            round=RoundState(
                **{n: r[n] for n in _ROUND},
                play=play.deal_all(parse_card(c) for c in r["cards"].split()),
                wagers=Map({(session, bet): stake for session, bet, stake in r["wagers"]}),
                stakes=Map(r["stakes"]),
                totals=Map(r["totals"]),
                patrons=Map(r["patrons"]),
                owed=Map(r["owed"]),
                stop=msgspec.convert(r["stop"], Stop | None),
                lines=msgspec.convert(r["lines"], tuple[Line, ...]),
            ),
        )
    return state


def cards_of(state: RoundState) -> str:
    return codes(state.play.cards)


def slots_of(state: RoundState) -> dict[str, int]:
    """The cards on the table by the names of their slots: p1, b1, p2, b2, p3, b3."""
    names = ("p1", "b1", "p2", "b2", "p3", "b3")
    return {
        name: card for name, card in zip(names, state.play.slots, strict=True) if card != NO_CARD
    }
