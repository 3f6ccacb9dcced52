"""What a dealer needs to see: the next thing to do and why, this game's grounds, what waits for a
second person.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words, join
from puntobanco.rules.cards import code, codes, parse_card
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import (
    GROUNDS,
    OF_THE_HOUSE,
    Ground,
    Irregularity,
    known_ground,
    title_of,
)
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD
from puntobanco_floor.domain.definitions import TABLE
from puntobanco_floor.domain.event import About
from puntobanco_floor.domain.machine import Asked, Funds, Machine
from puntobanco_floor.domain.proposals import Decided
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import needs_shoe, roads_are_full
from puntobanco_floor.domain.table.state import SAYS, STOPPED, ShoeState, TableState
from puntobanco_floor.domain.table.stops import LAST_HAND_CLAUSE, MISREAD_CARD, SERVER_DEALT_CLAUSE
from puntobanco_floor.views.table_view import SLOTS, TableView, table_view
from puntobanco_proof.entry.record import Record


class GroundView(Record):
    """An irregularity that this game's rulebook or the house names; `refused` says why it cannot be
    declared now.
    """

    ground: str
    title: Words
    clause: str
    reconstructable: bool
    refused: Words | None
    command: str  # the one that declares it now
    # "stop", "incident" (kept, and nothing is void), "reopen"; empty where it is refused
    follows: str
    # by the book the shoe is not empty: the dealer says how many cards are left
    needs_count: bool = False
    of_the_house: bool = False  # no rulebook has it
    requires: Words | None = None


class ProposalView(Record):
    proposal: int
    by: str
    at: int
    about: About
    command: dict[str, Any]


class ShoeView(Record):
    number: int
    dealing: str
    decks: int
    cut: int
    cards_left: int
    spoiled: str
    cards: int = 0  # of the whole set
    burn: int = 0  # cards that left unseen
    source: str = "shoe"
    set_id: str = ""
    first_card: str = ""  # turned and burned, before those
    counted: int | None = None  # all cards of the set, as they were last counted
    shuffled: Words | None = None  # who has a part in its order


class StakesView(Record):
    """All wagers on one bet of the round: live while bets are open, as they stood once they are
    closed.
    """

    bet: str
    wagers: int
    largest_cents: int
    total_cents: int


class DecksView(Record):
    """How many decks the rulebook allows in a new shoe, and whether they may lie in a shuffler."""

    least: int
    most: int
    usual: int
    cards_each: int
    shuffler: bool


class DealerView(Record):
    table: TableView
    next: list[Action]
    grounds: list[GroundView]
    proposals: list[ProposalView]
    decided: list[Decided]  # what became of the last ones, by whom and why; newest last
    questioned: str  # a card that cannot be, entered once
    questioned_why: Words | None
    shoe: ShoeView | None
    deck: list[str]  # every card of the set, for the keypad
    decks: DecksView
    cards: e.Cards  # what a new shoe is, as the table is set
    dealt: list[str]  # the cards of the round in the order in which they were dealt
    surplus: list[str]  # what a reconstruction left over
    complete: bool  # no more cards are drawn: a correction now needs a second person
    winner: str  # of the round that is complete, or was settled: player, banker, tie
    stakes: list[StakesView]
    seated: int
    betting: int  # how many of them have a wager in the round
    differential_cents: int | None  # how far stakes on Player and Banker may lie apart
    detail: Words | None  # what happened, in the words of who stopped the round


def dealer_view(
    state: TableState, now: int, *, demo: bool, machine: Machine[TableState] = TABLE
) -> DealerView | None:
    """Build the view of a table's dealer; None for a table that was never opened. The machine of
    the stream says which irregularities it would accept now.
    """
    table = table_view(state, demo=demo)
    game = state.game
    shoe = state.shoe
    round_ = state.round
    if table is None or game is None or state.limits is None:
        return None
    why = round_.questioned_why if round_ else None
    proposals = [
        ProposalView(proposal=number, by=p.by, at=p.at, about=p.about, command=p.command)
        for number, p in sorted(state.proposals.waiting.items())
    ]
    decks = DecksView(
        least=game.decks[0],
        most=game.decks[-1],
        usual=state.cards.decks or game.default_decks,
        cards_each=len(game.deck),
        shuffler=bool(game.basics.shuffler),
    )
    stop = round_.stop if round_ and state.phase == "stopped" else None
    detail = words_of(stop.detail) if stop else None
    return DealerView(
        table=table,
        next=next_actions(state),
        grounds=grounds_now(state, now, machine),
        proposals=proposals,
        decided=[decided for decided in state.proposals.decided if decided.about != "money"],
        questioned=round_.questioned if round_ else "",
        questioned_why=why.words if why else None,
        shoe=shoe_view(state, shoe) if shoe else None,
        deck=[code(card) for card in game.deck.cards],
        decks=decks,
        cards=state.cards,
        dealt=codes(round_.play.cards).split() if round_ else [],
        surplus=round_.surplus.split() if round_ else [],
        complete=round_.play.is_complete if round_ else False,
        winner=(round_.play.winner or "") if round_ else "",
        stakes=stakes_of(state),
        seated=len(state.sessions),
        betting=len({session for session, _ in round_.wagers}) if round_ else 0,
        differential_cents=state.limits.differential_cents,
        detail=detail or None,
    )


def shoe_view(state: TableState, shoe: ShoeState) -> ShoeView:
    return ShoeView(
        number=shoe.number,
        dealing=shoe.dealing,
        decks=shoe.decks,
        cut=shoe.cut,
        cards_left=state.cards_left,
        spoiled=shoe.spoiled,
        cards=shoe.decks * len(state.playing.deck),
        burn=shoe.burn,
        source=shoe.source,
        set_id=shoe.set_id,
        first_card=shoe.first_card,
        counted=shoe.counted,
        shuffled=shoe.shuffle_words or None,
    )


def stakes_of(state: TableState) -> list[StakesView]:
    """One row a bet of the game, also where nobody wagered."""
    wagers = Counter[str]()
    largest = dict[str, int]()
    round_ = state.round
    for (_, bet), cents in round_.wagers.items() if round_ else ():
        wagers[bet] += 1
        largest[bet] = max(largest.get(bet, 0), cents)
    return [
        StakesView(
            bet=bet.id,
            wagers=wagers[bet.id],
            largest_cents=largest.get(bet.id, 0),
            total_cents=round_.stakes.get(bet.id, 0) if round_ else 0,
        )
        for bet in state.playing.bets
    ]


def grounds_now(
    state: TableState, now: int, machine: Machine[TableState] = TABLE
) -> list[GroundView]:
    """Only those of this game's rulebook, and those of the house, which none of them names."""
    named = [_ground_now(state, each, now, machine) for each in state.playing.irregularities]
    own = [_ground_now(state, each, now, machine) for each in OF_THE_HOUSE]
    return [*named, *(replace(view, of_the_house=True) for view in own)]


def _ground_now(
    state: TableState, irregularity: Irregularity, now: int, machine: Machine[TableState]
) -> GroundView:
    """By which command it is declared now and what follows; or why the table would not take it."""
    ground = irregularity.ground
    requires = join(ground.requires, en="; ", zh="；")
    view = GroundView(
        ground=ground.id,
        title=ground.title,
        clause=irregularity.clause,
        reconstructable=ground.reconstructable,
        refused=None,
        command=c.DeclareIrregularity.name(),
        follows="",
        requires=requires or None,
    )
    said: Refusal | None = None
    for command in _ways_to_declare(state, ground):
        try:
            first, *_ = machine.decide(state, Funds(), command, now)
        except Refusal as refusal:
            said = said or refusal
            continue
        counted = isinstance(command, c.DeclareIrregularity) and command.cards_left is not None
        return replace(
            view, command=command.name(), follows=_follows(command, first), needs_count=counted
        )
    assert said is not None, "it was tried at least once"
    return replace(view, refused=said.words)


def _ways_to_declare(state: TableState, ground: Ground) -> list[c.Command]:
    declare = c.DeclareIrregularity(by="dealer", ground=ground.id)
    if state.phase == "settled":
        return [c.Reopen(by="dealer", ground=ground.id), declare]
    if ground.card_called_for:  # the book may be wrong: whoever looks into the shoe knows better
        return [declare, replace(declare, cards_left=0)]
    return [declare]


def _follows(command: c.Command, first: e.Event) -> str:
    if isinstance(command, c.Reopen):
        return "reopen"
    return "incident" if isinstance(first, e.IncidentRecorded) else "stop"


class Redealt(Record):
    """The stopped round as it would be, dealt again in an order that somebody has in mind; or why
    it cannot be.
    """

    cards: dict[str, str]  # by slot
    surplus: list[str]
    player: int
    banker: int
    winner: str  # empty while a card is still due
    why: Words | None  # what comes next, or why nothing does
    clause: str
    refused: Words | None = None


def redealt(state: TableState, order: str, machine: Machine[TableState] = TABLE) -> Redealt:
    """What would follow from a reconstruction; nothing is changed or proposed."""
    command = c.Reconstruct(by="dealer", order=order)
    round_ = state.round
    if round_ is None or state.phase not in STOPPED:
        nothing = Words("nothing to put in order: {}", "沒有牌序須還原：{}")
        return _not_redealt(nothing.format(SAYS[state.phase]))
    try:
        asked = Asked(state, Funds(), state.at)
        done, *_ = machine.decides[c.Reconstruct](asked, command)
    except Refusal as refusal:
        return _not_redealt(refusal.words, refusal.clause or "")
    assert isinstance(done, e.RoundReconstructed), "a reconstruction says what it did"
    surplus = done.surplus.split()
    used = [parse_card(card) for card in done.order.split()]
    needed = used[: len(used) - len(surplus)]
    play = Round.start(state.playing, round_.play.shoe).deal_all(needed)
    due = play.next
    slots = zip(SLOTS, play.slots, strict=True)
    return Redealt(
        cards={slot: code(card) for slot, card in slots if card != NO_CARD},
        surplus=surplus,
        player=play.player_points,
        banker=play.banker_points,
        winner=play.winner or "",
        why=due.why,
        clause=due.clause,
    )


def _not_redealt(reason: Words, clause: str = "") -> Redealt:
    return Redealt(
        cards={},
        surplus=[],
        player=0,
        banker=0,
        winner="",
        why=None,
        clause=clause,
        refused=reason,
    )


# The next thing to do: which command, why, under which clause, and the words to say

LAST_HAND = Words("Last hand of this shoe", "本靴最後一局")
PUT_IN_ORDER = Words("put the cards in their true order", "按原定次序還原")
CORRECT = Words("correct the card that was misread", "更正誤讀的牌")
GO_ON = Words("a false alarm: the round goes on", "虛驚：繼續該局")
GO_ON_AS_COMMITTED = Words(
    "the round goes on with the cards that were committed to", "以已承諾的牌繼續該局"
)
_WINS = {"player": Words("Player wins", "閒贏"), "banker": Words("Banker wins", "莊贏")}


class Action(Record):
    """Something to do now: a command, the reason with its clause, and what the dealer says
    aloud.
    """

    command: str
    why: Words
    clause: str
    slot: str = ""  # where the next card falls
    say: Words | None = None
    say_clause: str = ""


def next_actions(state: TableState) -> list[Action]:
    """The next thing to do; several where people decide."""
    if state.phase == "stopped":
        return _decisions(state)
    return [_next_action(state)]


def _next_action(state: TableState) -> Action:
    round_ = state.round
    game = state.playing
    words = game.announcements
    match state.phase:
        case "down":
            return _action(c.OpenTable, Words("the table is closed", "賭枱已關閉"))
        case "betting":
            call = (Words(words.close), words.close_clause)
            return _action(c.CloseBets, _announced(words.close), words.close_clause, say=call)
        case "closed" | "dealing" if round_ is not None:
            say = _called(_totals(game, round_.play), last_hand=round_.last_hand)
            if round_.play.is_complete:
                clause = round_.play.next.clause or ""
                say = _called(_result(game, round_.play), last_hand=round_.last_hand)
                return _action(c.Settle, Words("all cards are dealt", "牌已派齊"), clause, say=say)
            due = round_.play.next
            kind = c.DealCard if round_.dealing == "virtual" else c.EnterCard
            slot = SLOTS[due.slot] if due.slot is not None else ""
            return _action(kind, due.why, due.clause or "", slot, say=say)
    if state.halted:
        told = Words("the table is stopped: {}", "賭枱暫停：{}")
        if state.closing:
            told = Words("the table closes by itself: {}", "賭枱即將關閉：{}")
        return _action(c.RestartTable, told.format(words_of(state.halted)))
    if state.shoe is None:
        return _action(c.NewShoe, Words("no shoe is on the table", "賭枱上沒有牌靴"))
    if needs_shoe(state):
        spoiled = state.shoe.spoiled
        if spoiled:
            why = Words("the shoe cannot be played on with: {}", "牌靴不可再用：{}")
            return _action(c.EndShoe, why.format(title_of(spoiled)))
        if roads_are_full(state):
            why = Words("the roads start afresh with a new set", "路單重新開始，須更換牌組")
            return _action(c.EndShoe, why, "reading 30")
        return _action(c.EndShoe, Words("the shoe must be changed", "須更換牌靴"))
    why = _announced(words.open)
    burned = state.shoe.burn
    if burned and not (state.results or state.voids):  # the first round of the shoe
        why = Words("burn {} cards unseen, then {}", "先暗棄 {} 張牌，然後{}").format(burned, why)
    call = (Words(words.open), words.open_clause)
    return _action(c.OpenBets, why, words.open_clause, say=call)


def _announced(literal: str) -> Words:
    """The rulebook's own words, which are called out in English."""
    return Words('"{}"', "宣布「{}」").format(literal)


def _totals(game: Game, play: Round) -> tuple[Words, str] | None:
    """Both totals, once four cards lie and before a third one is drawn."""
    if len(play.cards) != 4:
        return None
    player, banker = play.announcement
    return Words("Player {}, Banker {}", "閒{}點，莊{}點").format(
        player, banker
    ), game.basics.announce_totals


def _called(said: tuple[Words, str] | None, *, last_hand: bool) -> tuple[Words, str] | None:
    """With the call of the last hand, from the card on with which the cut card came out."""
    if not last_hand:
        return said
    if said is None:
        return LAST_HAND, LAST_HAND_CLAUSE
    words, clause = said
    return Words("{}. {}", "{}。{}").format(LAST_HAND, words), clause


def _result(game: Game, play: Round) -> tuple[Words, str]:
    """Banker wins, 6 over 4."""
    winner = play.winner
    high = play.player_points
    low = play.banker_points
    if winner is None or winner == "tie":
        return Words("Tie, {} each", "和局，各{}點").format(high), game.basics.tie
    high, low = max(high, low), min(high, low)
    return Words("{}, {} over {}", "{}，{}點對{}點").format(
        _WINS[winner], high, low
    ), game.basics.winner


def _decisions(state: TableState) -> list[Action]:
    """A stopped round is put in order, void, or goes on; each by two people."""
    round_ = state.round
    assert round_ is not None, "a stopped table has a round"
    stop = round_.stop
    assert stop is not None, "a stopped round says why"
    title = title_of(stop.ground)
    in_order = _action(c.Reconstruct, PUT_IN_ORDER, stop.clause)
    go_on = _action(c.Resume, GO_ON, stop.clause)
    if stop.ground == MISREAD_CARD:  # it voids nothing
        return [_action(c.CorrectCard, CORRECT, stop.clause), in_order, go_on]
    void = _action(c.VoidRound, Words("void: {}", "作廢：{}").format(title), stop.clause)
    if round_.dealing == "virtual":
        committed = _action(c.Resume, GO_ON_AS_COMMITTED, SERVER_DEALT_CLAUSE)
        return [committed, void] if _may_be_unreadable(state) else [committed]
    is_reconstructable = any(
        ground.id == stop.ground and ground.reconstructable for ground in GROUNDS
    )
    if is_reconstructable and round_.dealing == "physical" and stop.phase != "betting":
        return [in_order, void, go_on]
    return [void, go_on]


def _may_be_unreadable(state: TableState) -> bool:
    """Return whether the cards of a stopped, server-dealt round may be out of reach: the server has
    said so, or the table waits for a person to deal, so that the server has not tried.
    """
    stop = state.current.stop
    ground = known_ground(state.playing, stop.ground) if stop else None
    if stop is None or (ground is not None and ground.needs_physical_cards):
        return False
    return isinstance(stop.detail, Cause) or not state.clock.automatic


def _action(
    kind: type[c.Command],
    why: Words,
    clause: str = "",
    slot: str = "",
    *,
    say: tuple[Words, str] | None = None,
) -> Action:
    words, say_clause = say or (None, "")
    return Action(
        command=kind.name(),
        why=why,
        clause=clause,
        slot=slot,
        say=words,
        say_clause=say_clause,
    )
