"""What a dealer needs to see: the next thing to do and why, this game's grounds, what waits for a second person."""

from __future__ import annotations

import time
from collections import Counter

import puntobanco.events as e
from puntobanco.events import Record
from puntobanco.floor.prompts import Action, next_actions
from puntobanco.floor.views import SLOTS, TableView, ground_title, table_view
from puntobanco.rules.cards import code, codes, parse_card
from puntobanco.rules.refusals import Refusal
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD
from puntobanco.table import commands as c
from puntobanco.table.asked import RULES, Asked, Funds
from puntobanco.table.decide import decide
from puntobanco.table.phases import ALLOWED, SAYS
from puntobanco.table.state import RoundState, ShoeState, TableState
from puntobanco.table.stops import MALFUNCTION, MALFUNCTION_CLAUSE


class GroundView(Record):
    """An irregularity that this game's rulebook names; `refused` says why it cannot be declared now."""

    ground: str
    title: str
    title_zh: str
    clause: str
    reconstructable: bool
    refused: str
    command: str  # the one that declares it now
    follows: str  # "stop", "incident" (kept, and nothing is void), "reopen"; empty where it is refused
    requires: str = ""
    requires_zh: str = ""


class ProposalView(Record):
    proposal: int
    by: str
    command: dict[str, object]


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


class StakesView(Record):
    """All wagers on one bet of the round: live while bets are open, as they stood once they are closed."""

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
    questioned: str  # a card that cannot be, entered once
    questioned_why: str
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


def dealer_view(state: TableState, now: int, *, demo: bool) -> DealerView | None:
    """None for a table that was never opened."""
    table, game, shoe, round_ = table_view(state, demo=demo), state.game, state.shoe, state.round
    if table is None or game is None or state.limits is None:
        return None
    return DealerView(
        table=table, next=next_actions(state), grounds=grounds_now(state, now),
        proposals=[
            ProposalView(proposal=number, by=p.by, command=p.command) for number, p in sorted(state.proposals.items())
        ],
        questioned=round_.questioned if round_ else "", questioned_why=_questioned_why(round_),
        shoe=shoe_view(state, shoe) if shoe else None,
        deck=[code(card) for card in game.deck.cards],
        decks=DecksView(
            least=game.decks[0], most=game.decks[-1], usual=state.cards.decks or game.default_decks,
            cards_each=len(game.deck), shuffler=bool(game.basics.shuffler),
        ),
        cards=state.cards,
        dealt=codes(round_.play.cards).split() if round_ else [], surplus=round_.surplus.split() if round_ else [],
        complete=round_.play.is_complete if round_ else False, winner=(round_.play.winner or "") if round_ else "",
        stakes=stakes_of(state), seated=len(state.sessions),
        betting=len({session for session, _ in round_.wagers}) if round_ else 0,
        differential_cents=state.limits.differential_cents,
    )  # fmt: skip


def shoe_view(state: TableState, shoe: ShoeState) -> ShoeView:
    """The cards of the round in play have left it, though its counts change when the round is over."""
    round_ = state.round
    out = len(round_.play.cards) if round_ and state.is_in_play and round_.shoe == shoe.number else 0
    return ShoeView(
        number=shoe.number, dealing=shoe.dealing, decks=shoe.decks, cut=shoe.cut, cards_left=shoe.cards_left - out,
        spoiled=shoe.spoiled, cards=shoe.decks * len(state.playing.deck), burn=shoe.burn,
        source=shoe.source, set_id=shoe.set_id, first_card=shoe.first_card, counted=shoe.counted,
    )  # fmt: skip


def stakes_of(state: TableState) -> list[StakesView]:
    """One row a bet of the game, also where nobody wagered."""
    wagers, largest = Counter[str](), dict[str, int]()
    round_ = state.round
    for (_, bet), cents in round_.wagers.items() if round_ else ():
        wagers[bet] += 1
        largest[bet] = max(largest.get(bet, 0), cents)
    return [
        StakesView(
            bet=bet.id, wagers=wagers[bet.id], largest_cents=largest.get(bet.id, 0),
            total_cents=round_.stakes.get(bet.id, 0) if round_ else 0,
        )
        for bet in state.playing.bets
    ]  # fmt: skip


def _questioned_why(round_: RoundState | None) -> str:
    if round_ is None or not round_.questioned:
        return ""
    try:
        round_.play.verify_deal(parse_card(round_.questioned))
    except Refusal as refusal:
        return refusal.reason
    return ""


def grounds_now(state: TableState, now: int) -> list[GroundView]:
    """Only those of this game's rulebook, and a malfunction, which none of them names."""
    found = [
        GroundView(
            ground=i.ground.id, title=i.ground.title.en, title_zh=i.ground.title.zh, clause=i.clause,
            reconstructable=i.ground.reconstructable, **_declared(state, i.ground.id, now),
            requires="; ".join(words.en for words in i.ground.requires),
            requires_zh="；".join(words.zh for words in i.ground.requires),
        )
        for i in state.playing.irregularities
    ]  # fmt: skip
    title = ground_title(MALFUNCTION)
    fault = GroundView(
        ground=MALFUNCTION, title=title.en, title_zh=title.zh, clause=MALFUNCTION_CLAUSE,
        reconstructable=False, **_declared(state, MALFUNCTION, now),
    )  # fmt: skip
    return [*found, fault]


def _declared(state: TableState, ground: str, now: int) -> dict[str, str]:
    """By which command a ground is declared now and what follows; or why the table would not take it."""
    declare: c.Command = c.DeclareIrregularity(by="dealer", ground=ground)
    kinds = [c.Reopen(by="dealer", ground=ground), declare] if state.phase == "settled" else [declare]
    said = ""
    for command in kinds:
        try:
            events = decide(state, Funds(), command, now)
        except Refusal as refusal:
            said = said or refusal.reason
            continue
        first = events[0]
        follows = "incident" if isinstance(first, e.IncidentRecorded) else "stop"
        return {"refused": "", "command": command.name(), "follows": follows if command is declare else "reopen"}
    return {"refused": said, "command": declare.name(), "follows": ""}


class Redealt(Record):
    """The stopped round as it would be, dealt again in an order that somebody has in mind; or why it cannot be."""

    cards: dict[str, str]  # by slot
    surplus: list[str]
    player: int
    banker: int
    winner: str  # empty while a card is still due
    why: str  # what comes next, or why nothing does
    why_zh: str
    clause: str
    refused: str = ""


def redealt(state: TableState, order: str) -> Redealt:
    """What would follow from a reconstruction; nothing is changed or proposed."""
    command, round_ = c.Reconstruct(by="dealer", order=order), state.round
    if round_ is None or state.phase not in ALLOWED[c.Reconstruct]:
        return _not_redealt(f"nothing to put in order: {SAYS[state.phase]}")
    try:
        events = RULES[c.Reconstruct](Asked(state, Funds(), int(time.time() * 1000), None), command)
    except Refusal as refusal:
        return _not_redealt(refusal.reason, refusal.clause or "")
    done = events[0]
    assert isinstance(done, e.RoundReconstructed), "a reconstruction says what it did"
    surplus = done.surplus.split()
    used = [parse_card(card) for card in done.order.split()]
    play = Round.start(state.playing, round_.play.shoe).deal_all(used[: len(used) - len(surplus)])
    return Redealt(
        cards={slot: code(card) for slot, card in zip(SLOTS, play.slots, strict=True) if card != NO_CARD},
        surplus=surplus, player=play.player_points, banker=play.banker_points, winner=play.winner or "",
        why=play.next.why.en, why_zh=play.next.why.zh, clause=play.next.clause,
    )  # fmt: skip


def _not_redealt(reason: str, clause: str = "") -> Redealt:
    return Redealt(
        cards={}, surplus=[], player=0, banker=0, winner="", why="", why_zh="", clause=clause, refused=reason
    )
