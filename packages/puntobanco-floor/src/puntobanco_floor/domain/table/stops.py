"""How a round stops and ends: an irregularity is declared, the cards are put in order, the round is
settled, voided, resumed or reopened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.rules import irregularities
from puntobanco.rules.cards import Card, codes
from puntobanco.rules.causes import Cause
from puntobanco.rules.irregularities import (
    Evidence,
    Ground,
    Ruling,
    Stage,
    ground_in,
    known_ground,
    not_applying,
    redeal,
    rule_on,
)
from puntobanco.rules.refusals import GroundDoesNotApply
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Line, Wager, settle, void
from puntobanco.rules.terms import NO_CARD, Slot
from puntobanco.scoreboards import result_of
from puntobanco_floor.domain import proposals, stream_rules
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.machine import Events
from puntobanco_floor.domain.stream_rules import BeginEpoch, SetEntriesAside
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import is_last_hand, verify_decided
from puntobanco_floor.domain.table.state import Asked, RoundState, TableState, parsed

MALFUNCTION = irregularities.MALFUNCTION.ground.id
"""A fault of the equipment. No rulebook has a ground for it; regulation 15 and reading 31 do."""
MALFUNCTION_CLAUSE = irregularities.MALFUNCTION.clause
MISREAD_CARD = irregularities.MISREAD_CARD.ground.id
"""A card that was entered otherwise than it lies. No rulebook has a ground for it; reading 45 does.
"""
MISREAD_CLAUSE = irregularities.MISREAD_CARD.clause
LAST_HAND_CLAUSE = "reading 28"
SERVER_DEALT_CLAUSE = "reading 49"
"""Where the server deals, a round is void only if the server cannot finish it."""
NOTHING_TO_VOID = Cause("nothing-to-void")


def declare_irregularity(asked: Asked, command: c.DeclareIrregularity) -> Events:
    """Stop the round on a ground that a person declares; the server itself uses `declaration`."""
    _verify_physical(asked.state, command.ground)
    return declaration(asked, command.ground, command.detail, command.cards_left)


def _verify_physical(state: TableState, ground_id: str) -> None:
    ground = known_ground(state.playing, ground_id)
    if ground_id == MISREAD_CARD or ground is None or not ground.needs_physical_cards:
        return
    if not _is_server_dealt(state, ground):
        return
    why = r.SERVER_COUNTS_CARDS if ground.card_called_for else r.NOBODY_HANDLES_CARDS
    raise GroundDoesNotApply(why, clause=SERVER_DEALT_CLAUSE)


def _is_server_dealt(state: TableState, ground: Ground) -> bool:
    """Return whether the server dealt the cards that a ground is about: those of the round, or,
    once it is over, those of the shoe on the table.
    """
    round_, shoe = state.round, state.shoe
    if round_ is not None and (state.is_in_play or ground.before_next_round or shoe is None):
        return round_.dealing == "virtual"
    return (shoe or state.cards).dealing == "virtual"


def incident(
    ground: str, clause: str, why: Cause, detail: str | Cause, *, spoils: bool = False
) -> e.IncidentRecorded:
    return e.IncidentRecorded(
        ground=ground, clause=clause, why=why, detail=detail, spoils_shoe=spoils
    )


def declaration(asked: Asked, ground: str, detail: str | Cause, cards_left: int | None) -> Events:
    """Stop the round. Where none is in play, record an incident, which voids nothing."""
    state = asked.state
    if ground == MALFUNCTION:
        if not state.is_in_play:
            return (incident(ground, MALFUNCTION_CLAUSE, NOTHING_TO_VOID, detail),)
        clause = MALFUNCTION_CLAUSE
    elif ground == MISREAD_CARD:
        _verify_misread(asked)
        if state.phase == "settled":
            raise _reopen_instead(asked.state.current, MISREAD_CLAUSE)
        clause = MISREAD_CLAUSE
    else:
        ruling = _ruled(asked, ground, None, cards_left)
        if state.phase == "settled" and ruling.follows != "incident":
            raise _reopen_instead(asked.state.current, ruling.clause)
        if not state.is_in_play:
            spoils = ruling.ground.spoils_shoe and state.shoe is not None
            why = ruling.cause or NOTHING_TO_VOID
            return (incident(ground, ruling.clause, why, detail, spoils=spoils),)
        clause = ruling.clause
    declared = e.IrregularityDeclared(
        round=asked.state.current.number,
        ground=ground,
        clause=clause,
        detail=detail,
        cards_left=cards_left,
    )
    return (declared,)


def _reopen_instead(round_: RoundState, clause: str) -> r.NotNow:
    return r.NotNow(r.REOPEN_INSTEAD.format(round_.number), clause=clause)


def _ruled(
    asked: Asked, ground: str, corrected: tuple[Card, ...] | None, cards_left: int | None
) -> Ruling:
    state = asked.state
    game = state.playing
    play = state.round.play if state.round else Round.start(game, game.default_decks)
    # While this round has no card, what was dealt wrongly was an earlier round's (readings 24 and
    # 44).
    before_first_card = state.is_in_play and state.rounds > 1 and not play.cards
    late = before_first_card and ground_in(game, ground).ground.before_next_round
    if cards_left is None:
        cards_left = _by_the_book(state)
    evidence = Evidence(
        round=play,
        stage=_stage(state, play),
        next_round_open=late,
        corrected=corrected,
        cards_left=cards_left,
    )
    return rule_on(game, ground, evidence)


def _stage(state: TableState, play: Round) -> Stage:
    if not state.is_in_play:
        return "settled"
    if state.phase == "betting":
        return "betting"
    return "initial-deal" if len(play.cards) < 5 else "third-card"


def _by_the_book(state: TableState) -> int | None:
    """What is left in the shoe of the round; None where another is on the table."""
    shoe, round_ = state.shoe, state.round
    return state.cards_left if shoe and round_ and round_.shoe == shoe.number else None


def _verify_misread(asked: Asked) -> None:
    """Refuses the ground where no card of this round can have been misread."""
    state, round_ = asked.state, asked.state.round
    if round_ is None or not round_.play.cards or state.phase == "void":
        raise not_applying(irregularities.MISREAD_CARD, r.NO_CARDS_OF_ROUND)
    if round_.dealing == "virtual":
        raise not_applying(irregularities.MISREAD_CARD, r.SERVER_DEALT_THESE)


def reconstruct_round(asked: Asked, command: c.Reconstruct) -> Events:
    round_, stop = asked.state.current, asked.state.current.stop
    assert stop is not None, "a stopped round has a ground"
    if round_.dealing == "virtual":
        raise r.NotNow(r.SERVER_FINISHES, clause=SERVER_DEALT_CLAUSE)
    if stop.ground == MALFUNCTION:
        raise r.NotNow(r.NO_ORDER_TO_RECONSTRUCT)
    if stop.phase == "betting":
        raise r.NotNow(r.NO_CARD_WAS_DEALT)
    order = parsed(command.order)
    if stop.ground == MISREAD_CARD:
        _verify_as_they_lie(round_, order)
    else:
        _ruled(asked, stop.ground, order, stop.cards_left)
        _verify_whole(round_, order)
    play, surplus = redeal(round_.play, order)
    reconstructed = e.RoundReconstructed(
        round=round_.number,
        ground=stop.ground,
        clause=stop.clause,
        dealt=codes(round_.play.cards),
        order=codes(order),
        surplus=codes(surplus),
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    last = last_hand(asked, play, len(surplus))
    return (reconstructed, *announce_totals(asked, play), *last)


def _verify_as_they_lie(round_: RoundState, order: tuple[Card, ...]) -> None:
    """Refuse cards that leave one out, or that are as they were entered: then none was misread."""
    lying = len(round_.lying)
    if len(order) < lying:
        raise r.CorrectionRefused(r.FEWER_THAN_LIE.format(lying, len(order)))
    if not _missing(round_, order):
        raise r.CorrectionRefused(r.AS_ENTERED)
    round_.play.shoe.without(order)


def _verify_whole(round_: RoundState, order: tuple[Card, ...]) -> None:
    """Refuse an order that the shoe cannot have held, or without what was left over before."""
    round_.play.shoe.without(order)
    missing = _missing(round_, order)
    if missing:
        raise r.CorrectionRefused(r.ORDER_LACKS.format(codes(missing)))


def _missing(round_: RoundState, order: tuple[Card, ...]) -> Counter[Card]:
    return Counter(round_.lying) - Counter(order)


def announce_totals(asked: Asked, after: Round) -> Events:
    """Announce both totals once four cards lie, and when they change (reading 41)."""
    before = asked.state.current.play
    if after.slots[Slot.B2] == NO_CARD:
        return ()
    if before.slots[Slot.B2] != NO_CARD and before.announcement == after.announcement:
        return ()
    player, banker = after.announcement
    clause = asked.state.playing.basics.announce_totals
    announced = e.TotalsAnnounced(
        round=asked.state.current.number, player=player, banker=banker, clause=clause
    )
    return (announced,)


def last_hand(asked: Asked, after: Round, surplus: int = 0) -> Events:
    """The call of a shoe's last hand, once, as the cut card comes out in the round."""
    round_, shoe = asked.state.current, asked.state.shoe
    if shoe is None or shoe.number != round_.shoe or shoe.source != "shoe" or round_.last_hand:
        return ()
    # as the round began: it may be open again
    left = len(round_.play.shoe) - shoe.burn - len(after.cards) - surplus
    if not is_last_hand(shoe.cut, left):
        return ()
    return (e.LastHandCalled(round=round_.number, shoe=shoe.number, clause=LAST_HAND_CLAUSE),)


def void_round(asked: Asked, _: c.VoidRound) -> Events:
    round_, stop = asked.state.current, asked.state.current.stop
    assert stop is not None, "a stopped round has a ground"
    if round_.dealing == "virtual":
        _verify_unreadable(asked, stop.ground)
    if stop.ground == MISREAD_CARD:
        raise r.NotNow(r.MISREAD_VOIDS_NOTHING, clause=stop.clause)
    return (void_event(asked, stop.ground, stop.clause),)


def _verify_unreadable(asked: Asked, ground_id: str) -> None:
    """Refuse to void a round that the server can finish. Resumed, it stops again if the server
    cannot read its cards.
    """
    ground = known_ground(asked.state.playing, ground_id)
    if asked.order is not None or (ground is not None and ground.needs_physical_cards):
        raise r.NotNow(r.SERVER_FINISHES, clause=SERVER_DEALT_CLAUSE)


def resume_round(asked: Asked, _: c.Resume) -> Events:
    resumed = e.RoundResumed(
        round=asked.state.current.number,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (resumed,)


def reopen_round(asked: Asked, command: c.Reopen) -> Events:
    round_ = asked.state.current
    if round_.dealing == "virtual":
        raise r.NotNow(r.SERVER_DEALT_RESULT, clause=SERVER_DEALT_CLAUSE)
    if any(each.round == round_.number for own in asked.state.adjusted.values() for each in own):
        raise r.NotNow(r.ADJUSTMENT_WAS_PAID)
    clause = _reopening_clause(asked, command.ground)
    balances = dict[str, int]()
    recoveries = list[e.Recovery]()
    for line in round_.lines:
        has = balances.setdefault(line.session, asked.funds.of(line.session))
        due = line.paid_cents - line.set_off_cents
        held = asked.state.proposals.held_for(line.session)
        if has < due and held:
            raise r.NotNow(r.HAND_PAY_FIRST.format(dollars(held)))
        recovered = min(has, due)
        balances[line.session] = has - recovered
        recoveries.append(e.Recovery(line, recovered, line.paid_cents - recovered))
    reopened = e.RoundReopened(
        round=round_.number,
        ground=command.ground,
        clause=clause,
        recoveries=tuple(recoveries),
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
        detail=command.detail,
    )
    return (reopened,)


def _reopening_clause(asked: Asked, ground: str) -> str:
    """Refuses a ground that reopens no settled round."""
    if ground == MISREAD_CARD:
        _verify_misread(asked)
        return MISREAD_CLAUSE
    ruling = _ruled(asked, ground, None, None)
    if ruling.follows == "incident":
        raise r.NotNow(r.REOPENS_NOTHING, clause=ruling.clause)
    return ruling.clause


# How a round ends


def settle_round(asked: Asked, _: c.Settle) -> Events:
    state, round_ = asked.state, asked.state.current
    verify_decided(state)
    lines = lines_by_rule(state)  # first: it refuses a round that is not complete
    play, result = round_.play, result_of(round_.play)
    pairs = "b" * result.banker_pair + "p" * result.player_pair
    reveal, nonce = _reveal(asked)
    settled = e.RoundSettled(
        round=round_.number,
        player=play.player_points,
        banker=play.banker_points,
        result=result.winner[0].upper() + pairs,
        cards=codes(play.cards),
        lines=_set_off(round_, lines),
        reveal=reveal,
        nonce=nonce,
    )
    return (settled,)


def void_event(asked: Asked, ground: str, clause: str) -> e.RoundVoided:
    state, round_ = asked.state, asked.state.current
    returned = void(state.playing, _wagers(state), clause=clause)
    reveal, nonce = _reveal(asked)
    return e.RoundVoided(
        round=round_.number,
        ground=ground,
        clause=clause,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
        lines=_set_off(round_, _lines(round_, returned)),
        reveal=reveal,
        nonce=nonce,
    )


def lines_by_rule(state: TableState) -> list[e.Line]:
    """What the rules say of the wagers and the cards on the table; set-offs are not theirs."""
    settled = settle(state.playing, state.current.play, _wagers(state))
    return _lines(state.current, settled)


def _lines(round_: RoundState, decided: Sequence[Line]) -> list[e.Line]:
    """As the journal has them, in the order of `_wagers`."""
    placed = zip(sorted(round_.wagers), decided, strict=True)
    return [e.Line.of(session, line) for (session, _), line in placed]


def _wagers(state: TableState) -> list[Wager]:
    """Return the wagers in one order, each with its patron: a bonus is paid once a patron."""
    patrons, placed = state.current.patrons, sorted(state.current.wagers.items())
    return [Wager(patrons[session], bet, stake) for (session, bet), stake in placed]


def _set_off(round_: RoundState, lines: Iterable[e.Line]) -> tuple[e.Line, ...]:
    """What a session owes from a reopened round comes first out of what it is paid."""
    owed, found = dict(round_.owed), list[e.Line]()
    for line in lines:
        part = min(owed.get(line.session, 0), line.paid_cents)
        if part:
            owed[line.session] -= part
            found.append(msgspec.structs.replace(line, set_off_cents=part))
        else:
            found.append(line)
    return tuple(found)


def _reveal(asked: Asked) -> tuple[str, str]:
    """The cards that a continuous virtual shoe committed to for this round."""
    order = asked.order if asked.state.current.commitment else None
    return (order.text, order.nonce.hex()) if order else ("", "")


# After a recovery


def begin_epoch(asked: Asked, command: BeginEpoch) -> Events:
    begun = stream_rules.begin_epoch(asked, command)
    return (*_round_ended(asked, command), *_shoe_retired(asked, command), *begun)


def set_aside(asked: Asked, command: SetEntriesAside) -> Events:
    """Entries that no node signed were shown to nobody: the shoe is played on with. Others were."""
    aside, *begun = stream_rules.set_aside(asked, command)
    retired = _shoe_retired(asked, command) if begun else ()
    return (aside, *_round_ended(asked, command), *retired, *begun)


def _round_ended(asked: Asked, command: BeginEpoch | SetEntriesAside) -> Events:
    """Void as after any malfunction (reading 31); what was lost of it nobody can say."""
    state = asked.state
    if not state.is_in_play:
        # a settled round is not looked at again: what was proposed about it goes
        return tuple(proposals.lapsed(state.proposals, "round", "closed"))
    by_two = msgspec.structs.replace(asked, proposed_by=command.by, approved_by=command.second)
    void = void_event(by_two, MALFUNCTION, MALFUNCTION_CLAUSE)
    if state.phase == "stopped":
        return (void,)
    return (*declaration(asked, MALFUNCTION, command.reason, None), void)


def _shoe_retired(asked: Asked, command: BeginEpoch | SetEntriesAside) -> Events:
    """Retire the shoe: its cards may have been dealt in the lost time."""
    if asked.state.shoe is None:
        return ()
    why = Cause("cards-may-be-lost")
    return (incident(MALFUNCTION, MALFUNCTION_CLAUSE, why, command.reason, spoils=True),)
