"""Adjustments: pay a patron what a ruling on a past round awards, after the next round has opened.

One adjustment pays a review. Without a review, a session's round is paid once on a clause, and once
on each direction of an inspector. The table's state has no past rounds: the floor checks in the
journal that the session was at the table, and reads the rules of that round (`floor/reviews.py`).
"""

from __future__ import annotations

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco_floor.domain.machine import check
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table import refusals as r
from puntobanco_floor.domain.table.preconditions import Asked, Events
from puntobanco_floor.domain.table.reviews import citable, is_over, verify_readable
from puntobanco_floor.domain.table.sessions import verify_not_moving
from puntobanco_floor.domain.table.state import Adjustment, Award, TableState

MAX_OF_SESSION = 20
"""Adjustments of one session."""

MAX_ADJUSTED_SESSIONS = 10_000
"""Sessions that a table remembers as paid, so that nothing is paid twice."""


# Deciding


def adjust(asked: Asked, command: c.Adjust) -> Events:
    state = asked.state
    if not is_over(state, command.round):
        raise r.NotNow(f"round {command.round} is not over: pay when it is settled or void")
    verify_readable(command.note)
    verify_readable(command.direction)
    _verify_amount(state, command.cents)
    clause = _verify_ground(state, command)
    _verify_not_paid(state, command)
    is_seated = command.session in state.sessions
    if is_seated:
        verify_not_moving(state, command.session)
    elif asked.approved_by and not asked.window:
        raise r.NotNow(_HAS_LEFT.format(dollars(command.cents)))
    event = e.CreditsAdjusted(
        session=command.session,
        cents=command.cents,
        round=command.round,
        note=command.note,
        review=command.review,
        clause=clause,
        direction=command.direction,
        window=0 if is_seated else asked.window,
        shift=0 if is_seated else asked.shift,
        proposed_by=asked.proposed_by,
        approved_by=asked.approved_by,
    )
    return (event,)


_HAS_LEFT = Words(
    "The patron has left this table: a cashier with an open shift approves it, and pays {} against "
    "the receipt",
    "客人已離開此賭枱：由當值帳房職員核准，憑收據支付 {}",
)
_TOO_LARGE = Words(
    "An adjustment is at most {}, the most that this table may lose in a round",
    "補付款項不可超過 {}，即本賭枱每局的最高風險額",
)
_ONE_GROUND = Words(
    "Give a clause of the round's rules or the inspector's direction, one of the two",
    "請填寫該局規則的條款或督察的指示，兩者取其一",
)
_REFERRED = Words(
    "Review {} was referred to the inspector: give the inspector's direction",
    "覆核 {} 已轉交督察：請填寫督察的指示",
)
_OTHER_ROUND = Words("Review {} is of round {} and session {}", "覆核 {} 屬於第 {} 局及使用時段 {}")
_NO_CLAUSE = Words("The rules of round {} have no clause {}", "第 {} 局的規則沒有條款 {}")
_PAID = Words(
    "Round {} was paid to this session on that ground already: ask for a review to pay more",
    "第 {} 局已按此理由補付：如須再付，請先要求覆核",
)
_NAME_REVIEW = Words(
    "Round {} has an answered review that is not paid: pay review {}",
    "第 {} 局有已答覆而未補付的覆核：請補付覆核 {}",
)
_REVIEW_PAID = Words("Review {} was paid already", "覆核 {} 已經補付")
_NOT_PAYABLE = Words(
    "No review {} was answered in the patron's favour or referred here",
    "此處沒有裁定客人得直或已轉交督察的覆核 {}",
)
_MANY = Words(
    "This session has {} adjustments, the most of one", "此使用時段已有 {} 項補付，已達上限"
)
_MANY_HERE = Words(
    "Adjustments of {} sessions are recorded at this table, the most of one",
    "本賭枱已記錄 {} 個使用時段的補付，已達上限",
)


def _verify_amount(state: TableState, cents: int) -> None:
    most = state.limits.exposure_max_cents if state.limits else 0
    if cents > most:
        raise r.AdjustmentRefused(_TOO_LARGE.format(dollars(most)))


def _verify_ground(state: TableState, command: c.Adjust) -> str:
    """Return the clause that is cited, or nothing where the ground is an inspector's direction."""
    award = _find_award(state, command) if command.review else None
    if award is not None and award.decision == "referred" and not command.direction:
        raise r.AdjustmentRefused(_REFERRED.format(command.review))
    clause = command.clause
    if award is not None and not command.direction:
        clause = clause or award.clause
    if bool(clause) == bool(command.direction):
        raise r.AdjustmentRefused(_ONE_GROUND)
    rules = award.rules if award is not None else command.rules
    if clause and clause not in citable(state, rules):
        raise r.AdjustmentRefused(_NO_CLAUSE.format(command.round, clause))
    return clause


def _find_award(state: TableState, command: c.Adjust) -> Award:
    number = command.review
    if _is_paid(state, command.session, number):
        raise r.AdjustmentRefused(_REVIEW_PAID.format(number))
    award = state.awards.get(number)
    if award is None:
        raise r.UnknownReview(_NOT_PAYABLE.format(number))
    if (award.session, award.round) != (command.session, command.round):
        raise r.AdjustmentRefused(_OTHER_ROUND.format(number, award.round, award.session))
    return award


def _is_paid(state: TableState, session: str, review: int) -> bool:
    return any(each.review == review for each in state.adjusted.get(session, ()))


def _verify_not_paid(state: TableState, command: c.Adjust) -> None:
    own = state.adjusted.get(command.session, ())
    for number, award in state.awards.items():
        is_same = (award.session, award.round) == (command.session, command.round)
        if is_same and not command.review:
            raise r.AdjustmentRefused(_NAME_REVIEW.format(command.round, number))
    for each in own:
        is_same = (each.round, each.direction) == (command.round, command.direction)
        if is_same and not command.review:
            raise r.AdjustmentRefused(_PAID.format(command.round))
    if len(own) >= MAX_OF_SESSION:
        raise r.AdjustmentRefused(_MANY.format(MAX_OF_SESSION))
    if not own and len(state.adjusted) >= MAX_ADJUSTED_SESSIONS:
        raise r.AdjustmentRefused(_MANY_HERE.format(f"{MAX_ADJUSTED_SESSIONS:,}"))


# The next state


def credits_adjusted(state: TableState, event: e.CreditsAdjusted) -> TableState:
    check(event.cents > 0, "moves nothing")
    check(event.proposed_by != event.approved_by, "one person asked and approved")
    check(is_over(state, event.round), f"round {event.round} was paid for before it was over")
    is_seated = event.session in state.sessions
    check(is_seated != bool(event.window), "credits go to a seated session, cash to one that left")
    own = state.adjusted.get(event.session, ())
    awards = state.awards
    if event.review:
        award = awards.get(event.review)
        is_same = award is not None and (award.session, award.round) == (event.session, event.round)
        check(is_same, f"review {event.review} was paid and awards nothing")
        awards = awards.delete(event.review)
    else:
        paid = [(each.round, each.direction) for each in own]
        check((event.round, event.direction) not in paid, "a round was paid for twice")
    adjustment = Adjustment(
        round=event.round,
        cents=event.cents,
        note=event.note,
        review=event.review,
        clause=event.clause,
        direction=event.direction,
    )
    adjusted = state.adjusted.set(event.session, (*own, adjustment))
    return replace(state, awards=awards, adjusted=adjusted)
