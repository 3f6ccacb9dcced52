"""Reviews and adjustments: a patron asks the house to look at a past round again, a supervisor
answers, and two people pay what a ruling awards after the next round has opened.

The table's state has no past rounds. The floor reads in the journal that the patron was at the
table and had a wager, the rules of the round, and who dealt it or ruled on it
(`service/patron_reviews.py`). One adjustment pays a review. Without a review, a session's round is
paid once on a clause, and once on each direction of an inspector.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.rules.clauses import CLAUSES
from puntobanco.rules.game import HOUSE
from puntobanco.rules.readings import MALFUNCTION_POLICY
from puntobanco_floor.domain import refusals as r
from puntobanco_floor.domain.machine import Events, check
from puntobanco_floor.domain.stream_names import terminal_of
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.sessions import verify_not_moving
from puntobanco_floor.domain.table.state import Adjustment, Asked, Award, Review, TableState

MAX_OPEN = 3
"""Reviews of one session that wait for an answer."""

MAX_OPEN_OF_ONE = 6
"""Of one terminal or one patron, whatever the session: no team closes the desk to others."""

MAX_OPEN_OF_GUESTS = 100
"""Of a demonstration's guests together, whom nobody can tell apart."""

MAX_OPEN_AT_TABLE = 500
MAX_OPEN_OF_DESK = 100
"""More than those at the table, asked for at the desk: terminals that fill theirs close no desk."""

MAX_KEPT = 5
"""Answered reviews of one session that its terminal is still told of."""

MAX_AWARDS = 100
"""Reviews that an adjustment may still pay; past that the oldest is paid by its round alone."""

MAX_OF_SESSION = 20
"""Adjustments of one session."""

MAX_ADJUSTED_SESSIONS = 10_000
"""Sessions that a table remembers as paid, so that nothing is paid twice."""

_WIDE_SPACE = "\u3000"


# Deciding reviews


def ask_review(asked: Asked, command: c.AskReview) -> Events:
    state, session = asked.state, command.session
    seat = state.sessions.get(session)
    patron = seat.patron if seat else command.patron
    if not patron:
        raise r.NotSeated(r.NOT_SEATED)
    if not is_over(state, command.round):
        raise r.NotNow(f"round {command.round} is not over: ask when it is settled or void")
    verify_readable(command.note)
    own = [review for review in state.reviews.get(session, ()) if review.is_open]
    for review in own:
        if review.round == command.round:
            raise r.ReviewRefused(r.REVIEW_WAITS.format(review.number, command.round))
    if len(own) >= MAX_OPEN:
        raise r.ReviewRefused(r.REVIEWS_WAIT.format(MAX_OPEN))
    most = MAX_OPEN_AT_TABLE + MAX_OPEN_OF_DESK
    if command.by == session:  # the desk has the person before it
        _verify_share(state, session, patron)
        most = MAX_OPEN_AT_TABLE
    if len(list(open_reviews(state))) >= most:
        raise r.ReviewRefused(r.REVIEWS_WAIT_HERE)
    event = e.ReviewAsked(
        review=state.reviewed + 1,
        round=command.round,
        session=session,
        patron=patron,
        at=asked.now,
        complaint=command.complaint,
        note=command.note,
        rules=command.rules,
        dealt_by=command.dealt_by,
        ruled_by=command.ruled_by,
        asked_by="" if command.by == session else command.by,
    )
    return (event,)


def _verify_share(state: TableState, session: str, patron: str) -> None:
    terminal = terminal_of(session)
    waiting = 0
    for other, review in open_reviews(state):
        waiting += review.patron == patron or terminal_of(other) == terminal
    if terminal and waiting >= MAX_OPEN_OF_ONE:
        raise r.ReviewRefused(r.REVIEWS_WAIT.format(waiting))
    if waiting >= MAX_OPEN_OF_GUESTS:
        raise r.ReviewRefused(r.REVIEWS_WAIT_HERE)


def verify_readable(note: str) -> None:
    """Refuse control characters, and marks that turn the direction of a text."""
    if not note.replace(_WIDE_SPACE, " ").isprintable():
        raise r.BadCommand("a note is one line of plain text")


def answer_review(asked: Asked, command: c.AnswerReview) -> Events:
    state = asked.state
    session, review = find(state, command.review)
    if command.by in review.dealt_by:
        raise r.ReviewRefused(
            f"{command.by} dealt round {review.round}, ruled on it or asked: somebody else answers"
        )
    if command.by in (session, review.patron):
        raise r.ReviewRefused(f"{command.by} asked for review {review.number}")
    if command.clause not in citable(state, review.rules):
        raise r.ReviewRefused(f"the rules of round {review.round} have no clause {command.clause}")
    verify_readable(command.note)
    event = e.ReviewAnswered(
        review=review.number,
        round=review.round,
        session=session,
        decision=command.decision,
        clause=command.clause,
        note=command.note,
        by=command.by,
        payable=command.decision in e.PAYABLE,
    )
    return (event,)


# Deciding adjustments


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
        raise r.NotNow(r.PATRON_HAS_LEFT.format(dollars(command.cents)))
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


def _verify_amount(state: TableState, cents: int) -> None:
    most = state.limits.exposure_max_cents if state.limits else 0
    if cents > most:
        raise r.AdjustmentRefused(r.ADJUSTMENT_TOO_LARGE.format(dollars(most)))


def _verify_ground(state: TableState, command: c.Adjust) -> str:
    """Return the clause that is cited, or nothing where the ground is an inspector's direction."""
    award = _find_award(state, command) if command.review else None
    if award is not None and award.decision == "referred" and not command.direction:
        raise r.AdjustmentRefused(r.REVIEW_REFERRED.format(command.review))
    clause = command.clause
    if award is not None and not command.direction:
        clause = clause or award.clause
    if bool(clause) == bool(command.direction):
        raise r.AdjustmentRefused(r.ONE_GROUND)
    rules = award.rules if award is not None else command.rules
    if clause and clause not in citable(state, rules):
        raise r.AdjustmentRefused(r.NO_SUCH_CLAUSE.format(command.round, clause))
    return clause


def _find_award(state: TableState, command: c.Adjust) -> Award:
    number = command.review
    if any(each.review == number for each in state.adjusted.get(command.session, ())):
        raise r.AdjustmentRefused(r.REVIEW_PAID.format(number))
    award = state.awards.get(number)
    if award is None:
        raise r.UnknownReview(r.REVIEW_NOT_PAYABLE.format(number))
    if (award.session, award.round) != (command.session, command.round):
        raise r.AdjustmentRefused(
            r.REVIEW_OF_OTHER_ROUND.format(number, award.round, award.session)
        )
    return award


def _verify_not_paid(state: TableState, command: c.Adjust) -> None:
    own = state.adjusted.get(command.session, ())
    for number, award in state.awards.items():
        is_same = (award.session, award.round) == (command.session, command.round)
        if is_same and not command.review:
            raise r.AdjustmentRefused(r.NAME_REVIEW.format(command.round, number))
    for each in own:
        is_same = (each.round, each.direction) == (command.round, command.direction)
        if is_same and not command.review:
            raise r.AdjustmentRefused(r.ROUND_PAID.format(command.round))
    if len(own) >= MAX_OF_SESSION:
        raise r.AdjustmentRefused(r.TOO_MANY_ADJUSTMENTS.format(MAX_OF_SESSION))
    if not own and len(state.adjusted) >= MAX_ADJUSTED_SESSIONS:
        raise r.AdjustmentRefused(r.TOO_MANY_ADJUSTED.format(f"{MAX_ADJUSTED_SESSIONS:,}"))


# What is asked of the state


def is_over(state: TableState, number: int) -> bool:
    last = state.rounds - state.is_in_play
    return 1 <= number <= last


def open_reviews(state: TableState) -> Iterator[tuple[str, Review]]:
    for session, reviews in state.reviews.items():
        for review in reviews:
            if review.is_open:
                yield session, review


def find(state: TableState, number: int) -> tuple[str, Review]:
    for session, review in open_reviews(state):
        if review.number == number:
            return session, review
    if 1 <= number <= state.reviewed:
        raise r.UnknownReview(f"review {number} was answered already")
    raise r.UnknownReview(f"nobody asked for a review {number} here")


def citable(state: TableState, rules: str) -> dict[str, str]:
    """Return the clauses that a decision on a round of these rules may cite, with their texts, also
    if the table plays another game now.
    """
    _, _, edition = rules.partition(" ")
    rulebook, _, _ = edition.partition(" ")
    found = dict(CLAUSES.get(rulebook, {}))
    if state.game is not None and state.rules == rules:
        found |= state.game.house_rules
        found |= {each.citation: each.text.en for each in state.game.numbered_readings}
    found[MALFUNCTION_POLICY.citation] = MALFUNCTION_POLICY.text.en
    found[HOUSE] = "What the house has said on its rules page."
    return found


# The next state


def review_asked(state: TableState, event: e.ReviewAsked) -> TableState:
    may_ask = event.session in state.sessions or bool(event.asked_by)
    check(may_ask, f"session {event.session} is not seated")
    check(event.review == state.reviewed + 1, "a review was asked out of turn")
    check(is_over(state, event.round), f"round {event.round} was reviewed before it was over")
    own = state.reviews.get(event.session, ())
    is_twice = any(each.is_open and each.round == event.round for each in own)
    check(not is_twice, "the same round was to be reviewed twice at once")
    review = Review(
        number=event.review,
        round=event.round,
        patron=event.patron,
        at=event.at,
        complaint=event.complaint,
        note=event.note,
        rules=event.rules,
        dealt_by=event.barred,
    )
    reviews = state.reviews.set(event.session, (*own, review))
    return replace(state, reviews=reviews, reviewed=event.review)


def review_answered(state: TableState, event: e.ReviewAnswered) -> TableState:
    own = state.reviews.get(event.session, ())
    found = [each for each in own if each.number == event.review and each.is_open]
    check(len(found) == 1, f"review {event.review} was answered and is not open")
    [review] = found
    check(review.round == event.round, "a review was answered of another round")
    check(bool(event.decision), "a review was answered without a decision")
    is_another = event.by not in review.dealt_by
    check(is_another, "who dealt a round, ruled on it or asked answered a review of it")
    answered = replace(review, decision=event.decision, clause=event.clause, answer=event.note)
    changed = tuple(answered if each is review else each for each in own)
    kept = _newest(changed) if event.session in state.sessions else _open(changed)
    answered_state = _with(state, event.session, kept)
    if not event.payable:
        return answered_state
    award = Award(
        session=event.session,
        round=event.round,
        rules=review.rules,
        decision=event.decision,
        clause=event.clause,
    )
    awards = state.awards.set(event.review, award)
    if len(awards) > MAX_AWARDS:
        awards = awards.delete(min(awards))
    return replace(answered_state, awards=awards)


def session_left(state: TableState, session: str) -> TableState:
    """Its answers have nobody to be told to; what is open stays open."""
    if session not in state.reviews:
        return state
    return _with(state, session, _open(state.reviews[session]))


def _open(reviews: tuple[Review, ...]) -> tuple[Review, ...]:
    return tuple(review for review in reviews if review.is_open)


def _newest(reviews: tuple[Review, ...]) -> tuple[Review, ...]:
    """Without the oldest answers, where there are too many to tell."""
    answered = [review.number for review in reviews if not review.is_open]
    dropped = answered[:-MAX_KEPT]
    return tuple(review for review in reviews if review.number not in dropped)


def _with(state: TableState, session: str, reviews: tuple[Review, ...]) -> TableState:
    if reviews:
        return replace(state, reviews=state.reviews.set(session, reviews))
    return replace(state, reviews=state.reviews.delete(session))


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
