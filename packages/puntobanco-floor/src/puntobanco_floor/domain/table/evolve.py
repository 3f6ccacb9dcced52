"""Evolve: the next state of a table. Each function checks that its event can follow."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from immutables import Map
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.rules.cards import Card, code, codes, parse_card, points_of
from puntobanco.rules.definition import digest, game_of
from puntobanco.rules.irregularities import MISREAD_CARD, redeal
from puntobanco.rules.round import Round
from puntobanco.rules.terms import NO_CARD, Slot
from puntobanco_floor.domain import proposals
from puntobanco_floor.domain.machine import Events, check
from puntobanco_floor.domain.stream_rules import epoch_begun
from puntobanco_floor.domain.table import reviews
from puntobanco_floor.domain.table.clock import needs_shoe, undecided
from puntobanco_floor.domain.table.limits import MAX_FIRST_BURN
from puntobanco_floor.domain.table.mixing import mixing_of, verified_seed
from puntobanco_floor.domain.table.sessions import change_credits, find_seat
from puntobanco_floor.domain.table.state import (
    BETWEEN,
    Last,
    LastShoe,
    Phase,
    RoundState,
    ShoeState,
    Stop,
    TableState,
    parsed,
)
from puntobanco_proof.entry.format import Fault

SIX = 6
"""The total on which most games pay a win of banker otherwise; it is counted in all of them."""


def stamped(before: TableState, state: TableState, seq: int, at: int, events: Events) -> TableState:
    """Add the entry's number and time, and count its public events. The clock starts again where
    the phase or the cards changed.
    """
    moved = before.phase != state.phase or _cards_moved(before.round, state.round)
    if state.shoe is not before.shoe:
        moved |= _waits_for_mix(state) and not _waits_for_mix(before)
    changed_at = at if moved else state.changed_at
    version = state.version
    for event in events:
        version += event.traits.public
    return replace(state, seq=seq, at=at, changed_at=changed_at, version=version)


def _cards_moved(old: RoundState | None, new: RoundState | None) -> bool:
    if new is None or new is old:
        return False
    return old is None or old.number != new.number or old.play.slots != new.play.slots


def _waits_for_mix(state: TableState) -> bool:
    return state.shoe is not None and state.shoe.waits_for_mix


def _between_rounds(state: TableState) -> None:
    if state.phase not in BETWEEN:
        raise Fault(f"happened while the table was {state.phase}")


def _round(state: TableState, number: int, *phases: Phase) -> RoundState:
    if state.phase not in phases:
        raise Fault(f"happened while the table was {state.phase}")
    if state.round is None or state.round.number != number:
        raise Fault(f"names round {number}, which is not the round on the table")
    return state.round


def _shoe(state: TableState, number: int) -> ShoeState:
    if state.shoe is None or state.shoe.number != number:
        raise Fault(f"names shoe {number}, which is not the shoe on the table")
    return state.shoe


# The table


def table_opened(state: TableState, event: e.TableOpened) -> TableState:
    """Build the game from the event, whatever this program has under its id."""
    check(state.phase == "down", f"happened while the table was {state.phase}")
    game = game_of(event.definition)
    found = digest(game)  # kept by game; a definition that is read is the one its game has
    if game.id != event.game:
        raise Fault(f"names the game {event.game:.60}, and its definition is of {game.id}")
    named = event.digest
    if found != named:
        raise Fault(f"names the definition {named:.12}, and the one it carries is {found:.12}")
    return replace(
        state,
        phase="waiting",
        game=game,
        digest=event.digest,
        definition=event.definition,
        source=event.source,
        opened=state.seq + 1,
        limits=event.limits,
        clock=event.clock,
        cards=event.cards,
        round=None,
    )


def table_halted(state: TableState, event: e.TableHalted) -> TableState:
    may = not state.closing if event.closes else not state.halted
    is_open = state.phase != "down"
    check(is_open and bool(event.reason) and may, "a table was stopped out of turn")
    return replace(state, halted=event.reason, halted_by_floor=event.by_floor, closing=event.closes)


def table_restarted(state: TableState, _: e.TableRestarted) -> TableState:
    check(bool(state.halted), "a table was started again that was not stopped")
    return replace(state, halted="", halted_by_floor=False, closing=False)


def table_closed(state: TableState, _: e.TableClosed) -> TableState:
    _between_rounds(state)
    check(state.shoe is None, "the table was closed with a shoe on it")
    check(not state.scheduled, "the table was closed and a change still scheduled")
    return replace(state, phase="down", halted="", halted_by_floor=False, closing=False)


# The shoe


def shoe_started(state: TableState, event: e.ShoeStarted) -> TableState:
    _between_rounds(state)
    is_next = state.shoe is None and event.shoe == state.shoes + 1
    check(is_next, "a shoe was started out of turn")
    turned = [parse_card(event.first_card)] if event.first_card else []
    left = state.playing.shoe(event.decks).without(turned)
    mixing = mixing_of(event, state.seq + 1)
    shoe = ShoeState(
        number=event.shoe,
        source=event.source,
        dealing=event.dealing,
        decks=event.decks,
        cut=event.cut,
        burn=event.burn,
        commitment=event.commitment,
        left=left,
        drawn=len(turned) + event.burn,
        set_id=event.set_id,
        first_card=event.first_card,
        mixing=mixing,
    )
    return replace(state, shoe=shoe, shoes=event.shoe, results=(), naturals=0, sixes=0, voids=0)


def shoe_mixed(state: TableState, event: e.ShoeMixed) -> TableState:
    """Check the whole mix except the cards, which are still secret."""
    shoe = _shoe(state, event.shoe)
    mixing = shoe.mixing
    if mixing is None or mixing.seed:
        raise Fault("a shoe was mixed that was not to be")
    seed = verified_seed(mixing, state.stream, shoe.number, shoe.commitment, event.signatures)
    check(seed == event.seed, "the seed does not follow from commitment and answers")
    turned = parsed(event.first_card)
    burn = burned_after(shoe, turned)
    check(burn == event.burn, "other cards were burned than the shoe said")
    mixed = replace(
        shoe,
        mixing=replace(mixing, signatures=event.signatures, seed=seed),
        first_card=event.first_card,
        burn=burn,
        left=shoe.left.without(turned),
        drawn=len(turned) + burn,
    )
    return replace(state, shoe=mixed)


def shoe_counted(state: TableState, event: e.ShoeCounted) -> TableState:
    counted = replace(_shoe(state, event.shoe), counted=event.counted)
    return replace(state, shoe=counted)


def last_hand_called(state: TableState, event: e.LastHandCalled) -> TableState:
    round_ = _round(state, event.round, "closed", "dealing")
    _shoe(state, event.shoe)
    check(not round_.last_hand, "the last hand was called twice")
    return replace(state, round=replace(round_, last_hand=True))


def cards_burned(state: TableState, event: e.CardsBurned) -> TableState:
    shoe, round_ = _shoe(state, event.shoe), state.round
    _by_two(event)
    cards = parsed(event.cards)
    burned = len(cards) + event.unseen
    check(event.unseen >= 0 and 0 < burned <= state.cards_left, "burns what is not there")
    if round_ is not None and round_.shoe == shoe.number:
        # The counts that the round began with go along: what is left is taken from them when it is
        # over.
        play = dataclasses.replace(round_.play, shoe=round_.play.shoe.without(cards))
        round_ = replace(round_, play=play)
    left = shoe.left.without(cards)
    shoe = replace(shoe, left=left, burn=shoe.burn + event.unseen)
    return replace(state, shoe=shoe, round=round_)


def shoe_ended(state: TableState, event: e.ShoeEnded) -> TableState:
    """Keep what an audit and the felt need of a shoe that witnesses were to mix."""
    _between_rounds(state)
    shoe = _shoe(state, event.shoe)
    is_so = event.abandoned == is_abandoned(state, shoe)
    check(is_so, "a shoe that was to be mixed is abandoned if it is not played, and only then")
    if shoe.mixing is None:
        return replace(state, shoe=None, last_shoe=None)
    last = LastShoe(
        number=shoe.number,
        commitment=shoe.commitment,
        mixing=shoe.mixing,
        order=event.order,
        nonce=event.nonce,
        abandoned=event.abandoned,
    )
    return replace(state, shoe=None, last_shoe=last)


def is_abandoned(state: TableState, shoe: ShoeState) -> bool:
    """Return whether a shoe that ends was to be mixed and no round was played from it: it was not
    mixed, or somebody who knew its order ended it.
    """
    was_played = state.round is not None and state.round.shoe == shoe.number
    return shoe.mixing is not None and not was_played


def burned_after(shoe: ShoeState, turned: Sequence[Card]) -> int:
    """Return how many cards leave a shoe unseen when it is mixed, after the turned one if any."""
    assert shoe.mixing is not None, "the shoe is to be mixed"
    burns = shoe.mixing.burns
    turns = burns == "first-card"
    check(len(turned) == turns, "the first card of a mixed shoe is turned where the shoe says so")
    if burns == "first-card":
        return points_of(turned[0]) or MAX_FIRST_BURN
    return burns


# Sessions


def recovered(state: TableState, event: e.EpochBegun) -> TableState:
    """In its new epoch: no round is in play, the shoe is retired, sessions wait to be paid."""
    check(not state.is_in_play, "an epoch began with a round in play")
    check(state.shoe is None or bool(state.shoe.spoiled), "an epoch began with a shoe in play")
    seats = {session: replace(seat, by_two=True) for session, seat in state.sessions.items()}
    return replace(epoch_begun(state, event), sessions=Map(seats))


def session_ended(state: TableState, event: e.SessionEnded) -> TableState:
    find_seat(state, event.session)
    waits = state.proposals.held_for(event.session) or event.session in state.moving
    check(not waits, f"session {event.session} ended while a hand pay or a move waited")
    left = replace(state, sessions=state.sessions.delete(event.session))
    return reviews.session_left(left, event.session)


# Wagers


def bets_opened(state: TableState, event: e.BetsOpened) -> TableState:
    _between_rounds(state)
    shoe = _shoe(state, event.shoe)
    check(not state.halted, "bets opened at a table that was stopped")
    check(not state.scheduled, "bets opened before a scheduled change was made")
    check(undecided(state) is None, "bets opened while a proposal on the round before waited")
    if event.round != state.rounds + 1:
        raise Fault(f"round {event.round} does not follow round {state.rounds}")
    check(not needs_shoe(state), "bets opened on a shoe that had to be changed")
    check(not shoe.waits_for_mix, "bets opened on a shoe that was to be mixed and was not")
    round_ = RoundState(
        number=event.round,
        shoe=shoe.number,
        dealing=shoe.dealing,
        play=Round.start(state.playing, shoe.left),
        closes_at=event.closes_at,
        dealer_closes=event.dealer_closes,
        commitment=event.commitment,
    )
    return replace(state, phase="betting", rounds=event.round, round=round_)


def wager_placed(state: TableState, event: e.WagerPlaced) -> TableState:
    round_ = _round(state, event.round, "betting")
    check((event.session, event.bet) not in round_.wagers, "the same wager was placed twice")
    return _staked(state, round_, event.session, event.bet, event.stake_cents, event.stake_cents)


def wager_raised(state: TableState, event: e.WagerRaised) -> TableState:
    round_ = _round(state, event.round, "betting")
    was = round_.wagers.get((event.session, event.bet), 0)
    check(was > 0 and was + event.by_cents == event.stake_cents, "the raise does not add up")
    return _staked(state, round_, event.session, event.bet, event.by_cents, event.stake_cents)


def wager_withdrawn(state: TableState, event: e.WagerWithdrawn) -> TableState:
    round_ = _round(state, event.round, "betting")
    was = round_.wagers.get((event.session, event.bet), 0)
    check(was - event.by_cents == event.stake_cents >= 0, "the withdrawal does not add up")
    return _staked(state, round_, event.session, event.bet, -event.by_cents, event.stake_cents)


def _staked(
    state: TableState,
    round_: RoundState,
    session: str,
    bet_id: str,
    by_cents: int,
    stake_cents: int,
) -> TableState:
    """The round with a stake changed by so much; stakes on the bet and exposure go along."""
    patron, key = find_seat(state, session).patron, (session, bet_id)
    wagers, patrons = round_.wagers, round_.patrons
    added = state.playing.bet(bet_id).added_exposure_cents(by_cents, stake_cents)
    changed = replace(
        round_,
        wagers=wagers.set(key, stake_cents) if stake_cents else wagers.delete(key),
        stakes=_plus(round_.stakes, bet_id, by_cents),
        totals=_plus(round_.totals, patron, by_cents),
        patrons=patrons if session in patrons else patrons.set(session, patron),
        exposure_cents=round_.exposure_cents + added,
    )
    return replace(state, round=changed)


def _plus(sums: Map[str, int], key: str, cents: int) -> Map[str, int]:
    return sums.set(key, sums.get(key, 0) + cents)


def bets_closed(state: TableState, event: e.BetsClosed) -> TableState:
    _round(state, event.round, "betting")
    return replace(state, phase="closed")


# Cards


def card_dealt(state: TableState, event: e.CardDealt) -> TableState:
    round_ = _round(state, event.round, "closed", "dealing")
    slot = round_.play.next_slot
    if slot is None or slot.name.lower() != event.slot:
        raise Fault(f"{event.card} was dealt to {event.slot} out of turn")
    play = round_.play.deal(parse_card(event.card))
    shoe = state.shoe
    if shoe is not None and shoe.dealing == "virtual" and shoe.source == "shoe":
        shoe = replace(shoe, drawn=shoe.drawn + 1)
    keyed = f"{round_.keyed} {event.slot}".strip() if event.by_hand else round_.keyed
    dealt = replace(round_, play=play, questioned="", questioned_why=None, keyed=keyed)
    return replace(state, phase="dealing", round=dealt, shoe=shoe)


def totals_announced(state: TableState, event: e.TotalsAnnounced) -> TableState:
    round_ = _round(state, event.round, "dealing")
    check(len(round_.play.cards) >= 4, "totals are announced after four cards")
    check(
        round_.play.announcement == (event.player, event.banker),
        "the totals announced are not the cards'",
    )
    return state


def card_questioned(state: TableState, event: e.CardQuestioned) -> TableState:
    round_ = _round(state, event.round, "closed", "dealing")
    questioned = replace(round_, questioned=event.card, questioned_why=event.why)
    return replace(state, round=questioned)


def card_corrected(state: TableState, event: e.CardCorrected) -> TableState:
    round_ = _round(state, event.round, "dealing", "stopped")
    if round_.stop is not None:
        check(
            round_.stop.ground == MISREAD_CARD.ground.id,
            "a card was corrected in a round stopped for another ground",
        )
        _by_two(event)
    slot = Slot[event.slot.upper()]
    check(code(round_.play.slots[slot]) == event.before, "the card corrected was another")
    order = corrected_order(round_.play, slot, parse_card(event.after))
    play, surplus = redeal(round_.play, order)
    check(not surplus, "the correction leaves cards over")
    first = dict(each.split(":") for each in round_.corrected.split())
    first.setdefault(event.slot, event.before)  # of several corrections, what was entered first
    told = " ".join(f"{place}:{card}" for place, card in sorted(first.items()))
    corrected = replace(
        round_, play=play, questioned="", questioned_why=None, stop=None, corrected=told
    )
    return replace(state, phase="dealing", round=corrected)


def corrected_order(play: Round, slot: Slot, card: Card) -> list[Card]:
    slots = list(play.slots)
    slots[slot] = card
    return [Card(lying) for lying in slots if lying != NO_CARD]


# Irregularities


def irregularity_declared(state: TableState, event: e.IrregularityDeclared) -> TableState:
    round_ = _round(state, event.round, "betting", "closed", "dealing")
    stop = Stop(
        ground=event.ground,
        clause=event.clause,
        phase=state.phase,
        cards_left=event.cards_left,
        detail=event.detail,
    )
    stopped = replace(round_, stop=stop, questioned="", questioned_why=None)
    return replace(state, phase="stopped", round=stopped)


def incident_recorded(state: TableState, event: e.IncidentRecorded) -> TableState:
    if event.spoils_shoe and state.shoe is not None:
        return replace(state, shoe=replace(state.shoe, spoiled=event.ground))
    return state


def proposals_changed(state: TableState, event: proposals.ProposalEvent) -> TableState:
    """What is set apart has left the session's credits; turned down, it is back."""
    changed = replace(state, proposals=proposals.evolve(state.proposals, event))
    session, cents = proposals.set_apart(event)
    return change_credits(changed, session, -cents) if cents else changed


_Corrected = e.CardsBurned | e.CardCorrected | e.RoundReconstructed
_Decided = _Corrected | e.RoundResumed | e.RoundReopened | e.RoundVoided


def _by_two(event: _Decided) -> None:
    check(event.proposed_by != event.approved_by, "one person asked and approved")


def round_resumed(state: TableState, event: e.RoundResumed) -> TableState:
    round_ = _round(state, event.round, "stopped")
    _by_two(event)
    assert round_.stop is not None
    return replace(state, phase=round_.stop.phase, round=replace(round_, stop=None))


def round_reconstructed(state: TableState, event: e.RoundReconstructed) -> TableState:
    round_ = _round(state, event.round, "stopped")
    _by_two(event)
    has_cards = round_.stop is not None and round_.stop.phase != "betting"
    check(has_cards, "a round without cards was reconstructed")
    check(codes(round_.play.cards) == event.dealt, "the cards dealt were others")
    play, surplus = redeal(round_.play, parsed(event.order))
    check(codes(surplus) == event.surplus, "the cards left over are others")
    reconstructed = replace(
        round_,
        play=play,
        stop=None,
        surplus=event.surplus,
        corrected="",
        reconstructed=event.ground,
    )
    return replace(state, phase="dealing", round=reconstructed)


def _spoils(state: TableState, ground: str) -> bool:
    """Whether a ground retires the shoe, by the game that is played here."""
    return any(i.ground.spoils_shoe for i in state.playing.irregularities if i.ground.id == ground)


def round_voided(state: TableState, event: e.RoundVoided) -> TableState:
    round_ = _round(state, event.round, "stopped")
    # a virtual shoe that runs out voids by itself
    if event.ground != "insufficient-cards" or event.proposed_by:
        _by_two(event)
    check(_is_of_all(round_, event.lines), "a void round returns every wager and no other")
    for line in event.lines:
        is_whole = line.outcome == "void" and line.paid_cents == line.stake_cents
        check(is_whole, "a void line returns its stake")
    spoiled = event.ground if _spoils(state, event.ground) else ""
    shoe = _discarded(state, round_, spoiled=spoiled)
    return replace(
        state,
        phase="void",
        round=_with_lines(round_, event.lines),
        shoe=shoe,
        voids=state.voids + _is_of_last_shoe(state, round_),
        last=Last(round=event.round, result="VOID"),
    )


def round_settled(state: TableState, event: e.RoundSettled) -> TableState:
    round_ = _round(state, event.round, "dealing")
    play = round_.play
    check(play.is_complete, "a round was settled before its last card")
    check(codes(play.cards) == event.cards, "the cards settled are not the cards dealt")
    totals = (play.player_points, play.banker_points)
    check(totals == (event.player, event.banker), "the totals are not the cards'")
    is_whole = _is_of_all(round_, event.lines)
    check(is_whole, "a settlement has a line for every wager and for no other")
    results = (*state.results, event.result) if _is_of_last_shoe(state, round_) else state.results
    last = Last(round=event.round, result=event.result, player=event.player, banker=event.banker)
    return replace(
        _with_counts(state, round_, 1),
        phase="settled",
        round=_with_lines(round_, event.lines),
        shoe=_discarded(state, round_),
        results=results,
        last=last,
    )


def _is_of_last_shoe(state: TableState, round_: RoundState) -> bool:
    """Results and counts are the last shoe's, also when it is off the table."""
    return state.shoes == round_.shoe


def _with_counts(state: TableState, round_: RoundState, by: int) -> TableState:
    """With a round that is settled (1), or without one whose settlement is taken back (-1)."""
    if not _is_of_last_shoe(state, round_):
        return state
    play = round_.play
    is_natural = play.tableau.is_natural(*play.announcement)  # of either hand's first two cards
    is_six = play.winner == "banker" and play.banker_points == SIX
    return replace(
        state, naturals=state.naturals + by * is_natural, sixes=state.sixes + by * is_six
    )


def _is_of_all(round_: RoundState, lines: tuple[e.Line, ...]) -> bool:
    """Whether each wager of the round has its line, and nothing else has one."""
    found = {(line.session, line.bet): line.stake_cents for line in lines}
    return len(found) == len(lines) and found == dict(round_.wagers.items())


def _with_lines(round_: RoundState, lines: tuple[e.Line, ...]) -> RoundState:
    return replace(round_, lines=lines, owed=_owed(round_, lines))


def _owed(round_: RoundState, lines: tuple[e.Line, ...]) -> Map[str, int]:
    owed = dict(round_.owed)
    for line in lines:
        if line.set_off_cents:
            owed[line.session] -= line.set_off_cents
    check(all(cents >= 0 for cents in owed.values()), "more was set off than is owed")
    return _not_zero(owed)


def _not_zero(owed: dict[str, int]) -> Map[str, int]:
    return Map({session: cents for session, cents in owed.items() if cents})


def _discarded(state: TableState, round_: RoundState, *, spoiled: str = "") -> ShoeState | None:
    """The shoe without the cards of the round, if it is still the same shoe."""
    shoe = state.shoe
    if shoe is None or shoe.number != round_.shoe:
        return shoe
    if shoe.source == "shoe":  # a continuous one is full again
        shoe = replace(shoe, left=round_.play.shoe.without(round_.lying))
    return replace(shoe, spoiled=spoiled or shoe.spoiled)


def round_reopened(state: TableState, event: e.RoundReopened) -> TableState:
    round_ = _round(state, event.round, "settled")
    _by_two(event)
    check(event.lines == round_.lines, "a reopening takes back the settlement, all of it")
    owed = dict(round_.owed)
    for recovery in event.recoveries:
        line, recovered = recovery.line, recovery.recovered_cents
        adds_up = recovered + recovery.unrecovered_cents == line.paid_cents
        check(adds_up, "a recovery does not add up")
        # What was set off before is owed again; what cannot be taken back now is owed besides.
        owed[line.session] = owed.get(line.session, 0) + recovery.unrecovered_cents
    results = state.results[:-1] if _is_of_last_shoe(state, round_) else state.results
    stop = Stop(ground=event.ground, clause=event.clause, phase="dealing", detail=event.detail)
    reopened = replace(round_, stop=stop, lines=(), owed=_not_zero(owed))
    return replace(
        _with_counts(state, round_, -1),
        phase="stopped",
        round=reopened,
        results=results,
        last=None,
    )
