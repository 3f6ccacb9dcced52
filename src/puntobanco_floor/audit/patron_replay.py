"""A past round as its patron may see it again: marked as a replay, with funds before and after."""

from __future__ import annotations

import puntobanco_floor.domain.events as e
from puntobanco.rules.cards import code
from puntobanco_floor.audit.refusals import NoSuchRound
from puntobanco_floor.audit.round_replay import Story, story
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.stream_names import place_words
from puntobanco_floor.domain.table.state import RoundState, slots_of
from puntobanco_floor.store.reader import reading
from puntobanco_floor.views.pay_table import paying
from puntobanco_floor.views.recall import ComplaintView, Draw, Recall
from puntobanco_floor.views.shuffle_view import shuffle_of
from puntobanco_floor.views.table_view import (
    StopView,
    corrected_of,
    reconstructed_of,
    stop_view,
    why_of,
)
from puntobanco_proof.entry.format import Fault


def recall(database: str, table: str, number: int, session: str, *, demo: bool) -> Recall:
    return told(replayed(database, table, number), session, demo=demo)


def replayed(database: str, table: str, number: int) -> Story:
    """From the database, apart from the tables that play."""
    try:
        with reading(database) as reader:
            return story(reader, table, number)
    except Fault:
        raise NoSuchRound(say.NO_ROUND.format(number, place_words(table))) from None


def told(found: Story, session: str, *, demo: bool) -> Recall:
    ends = [(entry.at, event) for entry, event in found.events if isinstance(event, e.Outcome)]
    round_ = found.after.round
    if not ends or found.after.is_in_play or round_ is None:
        raise NoSuchRound(say.ROUND_NOT_OVER.format(found.number))
    at, end = ends[-1]
    lines = [line for line in end.lines if line.session == session]
    wagered = sum(line.stake_cents for line in lines)
    paid = sum(line.paid_cents for line in lines)
    after = found.after_cents.get(account_of(session), 0)
    shoe = found.before.shoe
    assert shoe is not None, "bets open on a shoe"
    order, nonce = found.revealed
    return Recall(
        replay=True,
        table=found.stream,
        round=found.number,
        game=found.game.id,
        rules=found.rules,
        at=at,
        result=end.result,
        clause=end.clause,
        player=round_.play.player_points,
        banker=round_.play.banker_points,
        cards=_draws(round_),
        corrected=corrected_of(round_),
        reconstructed=reconstructed_of(found.game, round_),
        reopened=_reopened(found),
        lines=lines,
        wagered_cents=wagered,
        paid_cents=paid,
        after_cents=after,
        demo=demo,
        complaints=_complaints(found, session, at, has_wagers=bool(lines)),
        shoe=shoe.number,
        shuffle=shuffle_of(shoe),
        order=order,
        nonce=nonce,
        paying=paying(found.game, round_.play) if round_.play.is_complete else {},
        before_cents=after + wagered - paid + sum(line.set_off_cents for line in lines),
    )


def _complaints(found: Story, session: str, at: int, *, has_wagers: bool) -> list[ComplaintView]:
    """What the session may ask a review for: all of it where it had wagers; that one was not taken,
    where it sat at the table when the round was over.
    """
    seat = found.after.sessions.get(session)
    was_there = seat is not None and seat.since <= at
    if not (has_wagers or was_there):
        return []
    codes = tuple(e.COMPLAINTS) if has_wagers else (e.NOT_TAKEN,)
    views = list[ComplaintView]()
    for each in codes:
        words = e.complaint_words(each)
        views.append(ComplaintView(code=each, text=words.en, text_zh=words.zh))
    return views


def _draws(round_: RoundState) -> list[Draw]:
    """The cards in dealing order with what the table called for, which a correction may have
    changed.
    """
    found = list[Draw]()
    for dealt, (slot, card) in enumerate(slots_of(round_).items()):
        why = why_of(round_.play, dealt)
        draw = Draw(slot=slot, card=code(card), why=why.en, why_zh=why.zh, clause=why.clause)
        found.append(draw)
    return found


def _reopened(found: Story) -> StopView | None:
    reopenings = [event for _, event in found.events if isinstance(event, e.RoundReopened)]
    if reopenings:
        last = reopenings[-1]
        return stop_view(last.ground, last.clause)
    return None
