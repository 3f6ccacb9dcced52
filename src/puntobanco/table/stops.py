"""Irregularities: a round stops, and is reconstructed, voided, resumed or reopened."""

from __future__ import annotations

from collections import Counter

import puntobanco.events as e
from puntobanco.rules.cards import Card, codes, parse_card
from puntobanco.rules.irregularities import Evidence, Ruling, Stage, ground_in, rule_on
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD, Slot
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.asked import Asked, Events, on
from puntobanco.table.clock import is_last_hand
from puntobanco.table.settling import void_event
from puntobanco.table.state import RoundState

MALFUNCTION = "malfunction"
"""A fault of the equipment. No rulebook has a ground for it; regulation 15 and reading 31 do."""
MALFUNCTION_CLAUSE = "reading 31"
LAST_HAND_CLAUSE = "reading 28"


@on(c.DeclareIrregularity)
def _(asked: Asked, command: c.DeclareIrregularity) -> Events:
    return declaration(asked, command.ground, command.detail, command.cards_left)


def incident(ground: str, clause: str, why: str, detail: str, *, spoils: bool = False) -> e.IncidentRecorded:
    return e.IncidentRecorded(ground=ground, clause=clause, why=why, detail=detail, spoils_shoe=spoils)


def declaration(asked: Asked, ground: str, detail: str, cards_left: int | None) -> Events:
    """The round stops for a decision; where no round is in play an incident is recorded and nothing is void."""
    state = asked.state
    if ground == MALFUNCTION:
        if not state.is_in_play:
            why = "no round is in play: nothing to void, earlier results stand"
            return (incident(ground, MALFUNCTION_CLAUSE, why, detail),)
        clause = MALFUNCTION_CLAUSE
    else:
        ruling = _ruled(asked, ground, None, cards_left)
        if state.phase == "settled" and ruling.follows != "incident":
            raise r.NotNow(f"round {asked.round.number} is settled: reopen it for {ground}", clause=ruling.clause)
        if not state.is_in_play:
            spoils = ruling.ground.spoils_shoe and state.shoe is not None
            nothing = "no round is in play: nothing to void, earlier results stand"
            why = ruling.why.en if ruling.follows == "incident" else nothing
            return (incident(ground, ruling.clause, why, detail, spoils=spoils),)
        clause = ruling.clause
    return (
        e.IrregularityDeclared(
            round=asked.round.number, ground=ground, clause=clause, detail=detail, cards_left=cards_left
        ),
    )


def _ruled(asked: Asked, ground: str, corrected: tuple[Card, ...] | None, cards_left: int | None) -> Ruling:
    state = asked.state
    play = state.round.play if state.round else Round.start(state.playing, state.playing.default_decks)
    stage: Stage = "settled" if not state.is_in_play else "initial-deal" if len(play.cards) < 5 else "third-card"
    # While bets are open no card of the round is dealt: what was dealt wrongly was an earlier round's (reading 24).
    late = state.phase == "betting" and ground_in(state.playing, ground).ground.before_next_round
    evidence = Evidence(round=play, stage=stage, next_round_open=late, corrected=corrected, cards_left=cards_left)
    return rule_on(state.playing, ground, evidence)


@on(c.Reconstruct)
def _(asked: Asked, command: c.Reconstruct) -> Events:
    round_, stop = asked.round, asked.round.stop
    assert stop is not None, "a stopped round has a ground"
    if stop.ground == MALFUNCTION or round_.dealing == "virtual":
        raise r.NotNow("there is no order of cards to reconstruct: resume the round or void it")
    if stop.phase == "betting":
        raise r.NotNow("bets were open and no card was dealt: resume the round or void it")
    order = tuple(parse_card(card) for card in command.order.replace(",", " ").split())
    ruling = _ruled(asked, stop.ground, order, stop.cards_left)
    _verify_whole(round_, order)
    assert ruling.round is not None, "a reconstruction has a round"
    return (
        e.RoundReconstructed(
            round=round_.number, ground=stop.ground, clause=stop.clause, dealt=codes(round_.play.cards),
            order=codes(order), surplus=codes(ruling.surplus), proposed_by=asked.proposed_by,
            approved_by=asked.approved_by,
        ),
        *announced(asked, ruling.round),
        *last_hand(asked, ruling.round, len(ruling.surplus)),
    )  # fmt: skip


def _verify_whole(round_: RoundState, order: tuple[Card, ...]) -> None:
    """Refuses an order that the shoe cannot have held, or that leaves out what an earlier reconstruction left over."""
    round_.play.shoe.without(order)
    missing = Counter((*round_.play.cards, *surplus_of(round_))) - Counter(order)
    if missing:
        raise r.CorrectionRefused(f"the order given lacks {codes(missing)}, which an earlier reconstruction left over")


def surplus_of(round_: RoundState) -> tuple[Card, ...]:
    return tuple(parse_card(card) for card in round_.surplus.split())


def announced(asked: Asked, after: Round) -> Events:
    """Both totals, once four cards lie and whenever they come to others: ahead of any third card (reading 41)."""
    before = asked.round.play
    if after.slots[Slot.B2] == NO_CARD:
        return ()
    if before.slots[Slot.B2] != NO_CARD and before.announcement == after.announcement:
        return ()
    player, banker = after.announcement
    clause = asked.state.playing.basics.announce_totals
    return (e.TotalsAnnounced(round=asked.round.number, player=player, banker=banker, clause=clause),)


def last_hand(asked: Asked, after: Round, surplus: int = 0) -> Events:
    """The call of a shoe's last hand, once, as the cut card comes out in the round."""
    round_, shoe = asked.round, asked.state.shoe
    if shoe is None or shoe.number != round_.shoe or shoe.source != "shoe" or round_.last_hand:
        return ()
    if not is_last_hand(shoe.cut, shoe.cards_left - len(after.cards) - surplus):
        return ()
    return (e.LastHandCalled(round=round_.number, shoe=shoe.number, clause=LAST_HAND_CLAUSE),)


@on(c.VoidRound)
def _(asked: Asked, command: c.VoidRound) -> Events:
    del command
    stop = asked.round.stop
    assert stop is not None, "a stopped round has a ground"
    return (void_event(asked, stop.ground, stop.clause),)


@on(c.Resume)
def _(asked: Asked, command: c.Resume) -> Events:
    del command
    return (e.RoundResumed(round=asked.round.number, proposed_by=asked.proposed_by, approved_by=asked.approved_by),)


@on(c.Reopen)
def _(asked: Asked, command: c.Reopen) -> Events:
    round_ = asked.round
    if round_.dealing == "virtual":
        raise r.NotNow("the server dealt this round by its commitment; its result stands")
    ruling = _ruled(asked, command.ground, None, None)
    if ruling.follows == "incident":
        raise r.NotNow(f"{command.ground} reopens no settled round; earlier results stand", clause=ruling.clause)
    balances = dict[str, int]()
    recoveries = list[e.Recovery]()
    for line in round_.lines:
        has = balances.setdefault(line.session, asked.funds.of(line.session))
        recovered = min(has, line.paid_cents - line.set_off_cents)
        balances[line.session] = has - recovered
        recoveries.append(e.Recovery(line, recovered, line.paid_cents - recovered))
    return (
        e.RoundReopened(
            round=round_.number, ground=command.ground, clause=ruling.clause, recoveries=tuple(recoveries),
            proposed_by=asked.proposed_by, approved_by=asked.approved_by,
        ),
    )  # fmt: skip
