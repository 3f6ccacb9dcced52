"""What waits for a second person: who asks, what for, and the facts to look at again before it is
approved.

The facts are what would follow if it were approved now: the table is asked, and nothing is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.round import Round
from puntobanco_floor.domain.definitions import TABLE
from puntobanco_floor.domain.event import About
from puntobanco_floor.domain.machine import Funds, Machine
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState, cards_of
from puntobanco_floor.service.pit.alert_facts import Fact, said, total_words, who_words
from puntobanco_proof.entry.record import Record

NOBODY = "somebody.else"
"""Who approves in the trial: not the one who proposed."""

_PLACES = {
    "p1": Words(e.PLACES["p1"], "閒第一張牌"),
    "b1": Words(e.PLACES["b1"], "莊第一張牌"),
    "p2": Words(e.PLACES["p2"], "閒第二張牌"),
    "b2": Words(e.PLACES["b2"], "莊第二張牌"),
    "p3": Words(e.PLACES["p3"], "閒第三張牌"),
    "b3": Words(e.PLACES["b3"], "莊第三張牌"),
}
_PHASES = {
    "betting": Words("betting", "投注中"),
    "closed": Words("closed", "已截止投注"),
    "dealing": Words("dealing", "派牌中"),
    "settled": Words("settled", "已結算"),
}


class Waiting(Record):
    proposal: int
    by: str
    at: int  # when it was asked
    about: About
    command: str
    title: Words
    round: int
    clause: str
    facts: tuple[Fact, ...]
    refused: Words | None  # why it could not be approved now; nothing where it could


def waiting(
    state: TableState,
    balances: Mapping[str, int],
    now: int,
    machine: Machine[TableState] = TABLE,
) -> list[Waiting]:
    """List the proposals of a table, with what its machine would do if one were approved now."""
    funds = Funds(balances)
    return [
        _waiting(state, number, funds, now, machine) for number in sorted(state.proposals.waiting)
    ]


def _waiting(
    state: TableState, number: int, funds: Funds, now: int, machine: Machine[TableState]
) -> Waiting:
    proposal = state.proposals.waiting[number]
    refused = None
    held = machine.held(proposal)
    stop = state.round.stop if state.round else None
    clause = ""
    if stop and isinstance(held, c.VoidRound | c.Reconstruct | c.Resume):
        clause = stop.clause
    facts = list(_asked(held, state))
    try:
        found = machine.decide(state, funds, c.Approve(by=NOBODY, proposal=number), now)
    except Refusal as refusal:
        refused = refusal.words
    else:
        for event in found[1:]:
            clause = clause or getattr(event, "clause", "")
            facts += _follows(state, event)
    if stop and isinstance(held, c.VoidRound | c.Reconstruct | c.Resume | c.CorrectCard):
        why = said("Stopped for", title_of(stop.ground), clause=stop.clause)
        facts = [why, *_in_their_words(stop.detail), *facts]
    title = _title(held)
    return Waiting(
        proposal=number,
        by=proposal.by,
        at=proposal.at,
        about=proposal.about,
        command=held.name(),
        title=title,
        clause=clause,
        refused=refused,
        round=state.round.number if state.round and proposal.about == "round" else 0,
        facts=tuple(facts),
    )


_LOAD = Words("load {0} of credits for {1}", "為 {1} 存入餘額 {0}")
_BUY_IN = Words("buy-in of {0} for {1}", "{1} 買入 {0}")
_HAND_PAY = Words("hand pay of {0} for {1}", "{1} 人手支付 {0}")
_ADJUST = Words("pay {0} to {1} for round {2}", "因第 {2} 局補付 {0} 予 {1}")
_AS_CREDITS = Words("as credits", "存入餘額")
_AT_THE_CAGE = Words("in cash at the cage, against the receipt", "於帳房憑收據以現金支付")
_NONE = Words("none", "無")
_GOES_ON = Words("the round goes on where it was: {}", "由原處繼續該局：{}")
_NOT_COMPLETE = Words("not complete", "未完成")


def _title(held: c.Command) -> Words:
    if isinstance(held, c.LoadCredits):
        return _LOAD.format(dollars(held.cents), who_words(held.session))
    if isinstance(held, c.BuyIn):
        return _BUY_IN.format(dollars(held.cents), who_words(held.session))
    if isinstance(held, c.CashOut):
        return _HAND_PAY.format(dollars(held.cents or 0), who_words(held.session))
    if isinstance(held, c.Adjust):
        return _ADJUST.format(dollars(held.cents), who_words(held.session), held.round)
    return held.traits.title


def _asked(held: Any, state: TableState) -> list[Fact]:
    """What the command itself says."""
    match held:
        case c.LoadCredits():
            reason = said("Reason given", held.reason or _NONE)
            return [*_money(held, "Credits"), reason]
        case c.BuyIn():
            return _money(held, "Cash taken")
        case c.CashOut():
            return _money(held, "Set apart")
        case c.Adjust():
            return _adjustment(held, state)
        case c.Reopen():
            ground = said("Ground", title_of(held.ground))
            return [ground, *_in_their_words(held.detail)]
        case c.BurnCards():
            unseen = said("Unseen", f"{held.unseen:,}")
            burned = [unseen, *_in_their_words(held.detail)]
            if held.cards:
                seen = held.cards.replace(",", " ").split()
                burned.insert(0, Fact(name="Cards seen", cards=" ".join(seen)))
            return burned
    return []


def _adjustment(held: c.Adjust, state: TableState) -> list[Fact]:
    award = state.awards.get(held.review)
    clause = held.clause or (award.clause if award and not held.direction else "")
    paid = _AS_CREDITS if held.session in state.sessions else _AT_THE_CAGE
    facts = [*_money(held, "Amount"), said("Paid", paid), said("Round", str(held.round))]
    if held.review:
        facts.append(said("Review", str(held.review)))
    if clause:
        facts.append(said("Clause", clause, clause=clause))
    if held.direction:
        facts.append(said("Inspector's direction", held.direction))
    before = state.adjusted.get(held.session, ())
    cents = sum(each.cents for each in before if each.round == held.round)
    if cents:
        facts.append(Fact(name="Paid for this round before", cents=cents))
    return [*facts, said("Note to the patron", held.note)]


def _money(held: c.LoadCredits | c.BuyIn | c.CashOut | c.Adjust, what: str) -> list[Fact]:
    return [said("Session", who_words(held.session)), Fact(name=what, cents=held.cents)]


def _in_their_words(detail: str | Cause) -> list[Fact]:
    """What happened, as whoever was there wrote it down."""
    if detail:
        return [said("In the dealer's words", words_of(detail))]
    return []


def _follows(state: TableState, event: e.Event) -> list[Fact]:
    """What would follow."""
    round_ = state.round
    match event:
        case e.RoundVoided() if round_:
            returned = sum(line.stake_cents for line in event.lines)
            return [
                _cards("Cards on the table", cards_of(round_)),
                said("Wagers returned", f"{len(event.lines):,}", cents=returned),
            ]
        case e.RoundReconstructed() if round_:
            return _reconstructed(state.playing, round_.play, event)
        case e.RoundResumed() if round_ and round_.stop:
            return [
                _cards("Cards on the table", cards_of(round_)),
                said("What follows", _GOES_ON.format(_PHASES[round_.stop.phase])),
            ]
        case e.RoundReopened() if round_:
            paid = sum(line.paid_cents for line in event.lines)
            back = sum(recovery.recovered_cents for recovery in event.recoveries)
            return [
                said("Settled as", _result(round_.play), cards=cards_of(round_)),
                Fact(name="Paid out", cents=paid),
                Fact(name="Taken back", cents=back),
                Fact(name="No longer there", cents=paid - back),
            ]
        case e.CardCorrected() if round_:
            return [
                said("Place", _PLACES[event.slot]),
                Fact(name="From", cards=event.before),
                Fact(name="To", cards=event.after),
                said("Result before", _result(round_.play)),
            ]
        case e.CardsBurned():
            left = state.cards_left - len(event.cards.split()) - event.unseen
            return [said("Left in the shoe then", f"{left:,}")]
        case e.CashedOut():
            return [Fact(name="Paid in cash", cents=event.cents)]
    return []


def _reconstructed(game: Game, play: Round, event: e.RoundReconstructed) -> list[Fact]:
    again = Round.start(game, play.shoe)
    for card in event.order.split():
        if again.is_complete:
            break
        again = again.deal(game.deck.parse(card))
    return [
        Fact(name="As they lay", cards=event.dealt),
        Fact(name="In their true order", cards=event.order),
        _cards("Not needed, burned", event.surplus),
        said("Result" if again.is_complete else "So far", _result(again)),
    ]


def _cards(name: str, cards: str) -> Fact:
    return said(name, Words("") if cards else _NONE, cards=cards)


def _result(play: Round) -> Words:
    if not play.is_complete:
        return _NOT_COMPLETE
    return total_words(play.player_points, play.banker_points)
