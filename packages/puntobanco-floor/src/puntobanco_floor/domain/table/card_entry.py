"""Cards: dealt by the server, entered by a dealer, questioned, corrected."""

from __future__ import annotations

import puntobanco_floor.domain.events as e
from puntobanco.rules.cards import code, name, parse_card
from puntobanco.rules.causes import Cause
from puntobanco.rules.irregularities import FOREIGN_CARD, redeal
from puntobanco.rules.refusals import CardRefused, UnknownCard
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD, Slot
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.machine import Events
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.evolve import corrected_order
from puntobanco_floor.domain.table.shoes import shoe_on_table
from puntobanco_floor.domain.table.state import SAYS, Asked, ShoeState, parsed
from puntobanco_floor.domain.table.stops import (
    MISREAD_CARD,
    MISREAD_CLAUSE,
    SERVER_DEALT_CLAUSE,
    announce_totals,
    declaration,
    last_hand,
    void_event,
)


def deal_card(asked: Asked, _: c.DealCard) -> Events:
    shoe, round_ = _shoe_of_round(asked), asked.state.current
    if shoe.dealing != "virtual":
        raise r.ShoeRefused(r.DEALER_DEALS)
    _verify_card_due(asked)
    assert asked.order is not None, "a virtual shoe has an order"
    place = shoe.drawn if shoe.source == "shoe" else len(round_.play.cards)
    cards = asked.order.dealt
    if place >= len(cards):  # the table calls for a card and there is none: void by rule
        declared = declaration(asked, "insufficient-cards", Cause("virtual-shoe-empty"), 0)
        [stop] = declared
        assert isinstance(stop, e.IrregularityDeclared)
        return (*declared, void_event(asked, stop.ground, stop.clause))
    return _dealt(asked, cards[place])


def enter_card(asked: Asked, command: c.EnterCard) -> Events:
    shoe, round_ = _shoe_of_round(asked), asked.state.current
    if shoe.dealing == "virtual":
        raise r.ShoeRefused(r.SERVER_DEALS)
    _verify_card_due(asked)
    why = _why_impossible(round_.play, command.card)
    if why is None:
        return _dealt(asked, parse_card(command.card), by_hand=command.by_hand)
    if round_.questioned != command.card:
        return (e.CardQuestioned(round=round_.number, card=command.card, why=why),)
    return declaration(asked, FOREIGN_CARD.id, Cause(f"{why.code}-twice", why.values), None)


def _why_impossible(play: Round, entered: str) -> Cause | None:
    """Return why a scanned or keyed card cannot be the next one; None where it can."""
    try:
        card = parse_card(entered)
    except UnknownCard:
        return Cause("card-of-no-deck", (entered,))
    return play.impossible(card)


def _shoe_of_round(asked: Asked) -> ShoeState:
    shoe = shoe_on_table(asked.state)
    if shoe.number != asked.state.current.shoe:
        raise r.ShoeRefused(r.SHOE_IS_OFF.format(asked.state.current.shoe))
    return shoe


def _verify_card_due(asked: Asked) -> None:
    state, play = asked.state, asked.state.current.play
    if play.is_complete:
        raise CardRefused(r.ROUND_COMPLETE.format(play.next.why), clause=play.next.clause)
    ready = state.changed_at + state.clock.guard_ms
    if state.phase == "closed" and asked.now < ready:
        raise r.TooEarly(r.GUARD_TIME.format(state.clock.guard_ms))


def _dealt(asked: Asked, card: int, *, by_hand: bool = False) -> Events:
    round_, upcoming = asked.state.current, asked.state.current.play.next
    assert upcoming.slot is not None, "a card is due"
    dealt = e.CardDealt(
        round=round_.number,
        slot=upcoming.slot.name.lower(),
        card=code(card),
        why=upcoming.cause,
        clause=upcoming.clause,
        by_hand=by_hand,
    )
    after = round_.play.deal(card)
    return (dealt, *announce_totals(asked, after), *last_hand(asked, after))


def correct_card(asked: Asked, command: c.CorrectCard) -> Events:
    round_, stop = asked.state.current, asked.state.current.stop
    if stop is not None and stop.ground != MISREAD_CARD:
        raise r.NotNow(r.NOT_NOW.format(command.traits.title, SAYS["stopped"]))
    if round_.dealing == "virtual":
        raise r.ShoeRefused(r.NOT_MISREAD, clause=SERVER_DEALT_CLAUSE)
    try:
        slot = Slot[command.slot.upper()]
    except KeyError:
        raise r.CorrectionRefused(r.NO_SUCH_PLACE) from None
    before, after = round_.play.slots[slot], parse_card(command.card)
    if before == NO_CARD:
        raise r.CorrectionRefused(r.NO_CARD_THERE)
    if before == after:
        raise r.CorrectionRefused(r.SAME_CARD.format(name(after)))
    play, surplus = redeal(round_.play, corrected_order(round_.play, slot, after))
    unfinished = not play.is_complete and bool(round_.surplus or (stop and round_.play.is_complete))
    if surplus or unfinished or _lost_places(round_.play, play):
        then = r.DECLARE_FIRST if stop is None else r.AS_THEY_LIE
        drawn = r.WOULD_HAVE_DRAWN.format(name(after), then)
        raise r.CorrectionRefused(drawn, clause=MISREAD_CLAUSE)
    round_.play.shoe.without((*play.cards, *parsed(round_.surplus)))
    corrected = e.CardCorrected(
        round=round_.number,
        slot=command.slot.lower(),
        before=code(before),
        after=code(after),
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
        clause=stop.clause if stop else "",
    )
    return (corrected, *announce_totals(asked, play))


def _lost_places(before: Round, after: Round) -> bool:
    """Whether a card has come to lie in another hand than the one it was dealt to."""
    slots = zip(before.slots, after.slots, strict=True)
    return any((old == NO_CARD) != (new == NO_CARD) for old, new in slots)
