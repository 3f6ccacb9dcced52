"""Reviews at the floor: what a patron asks about a past round is held against the journal; and what
the staff look at before they answer.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from msgspec.structs import replace

import puntobanco.events as e
from puntobanco import refusal_words as say
from puntobanco.events import Line, Record
from puntobanco.floor.commands import Commands
from puntobanco.floor.past.patron_replay import replayed, told
from puntobanco.floor.past.round_review import Retold, retold
from puntobanco.floor.pit.facts import Fact, total_text, who
from puntobanco.floor.views.recall import Recall
from puntobanco.floor.world import NowMs
from puntobanco.machine import CLOCK
from puntobanco.rules.game import Game
from puntobanco.rules.money import dollars
from puntobanco.storage.batch import Answer
from puntobanco.storage.replay import Story
from puntobanco.table import commands as c
from puntobanco.table.refusals import ReviewRefused
from puntobanco.table.reviews import citable, find, open_reviews
from puntobanco.table.state import Review, TableState

DAYS = 7
"""How long after a round a patron may ask, as the rules page says."""

_DAY_MS = 86_400_000
MAX_TOLD = 60
"""Records of a round that are told one by one before a decision; the pack has all."""


class PitReview(Record):
    """A review that waits for its answer."""

    review: int
    round: int
    at: int  # when it was asked
    who: str  # the terminal, or the guest
    complaint: str
    note: str
    barred: tuple[str, ...]  # who of the staff does not answer it


class Choice(Record):
    """Something to choose, by its code."""

    code: str
    text: str


class ToldLine(Record):
    at: int
    by: str
    says: str


class ReviewCase(Record):
    """What a supervisor decides on: the round as its journal tells it, and what may be answered."""

    table: str
    review: int
    round: int
    facts: tuple[Fact, ...]
    records: list[ToldLine]
    decisions: list[Choice]
    clauses: list[Choice]


@dataclass(frozen=True)
class Reviews:
    """The way in for patrons who ask, and for the desk that asks for one. What the journal says of
    the round comes first: the table's state knows no past rounds.
    """

    commands: Commands
    database: str
    now_ms: NowMs

    async def ask(self, table: str, id_: str, asked: c.AskReview) -> Answer:
        found = await asyncio.to_thread(replayed, self.database, table, asked.round)
        _verify(told(found, asked.session, demo=False), asked.complaint, self.now_ms())
        is_desk = asked.by != asked.session
        patron = patron_of(found, asked.session) if is_desk else ""
        whole = replace(
            asked,
            rules=found.rules,
            dealt_by=dealers_of(found),
            ruled_by=rulers_of(found),
            patron=patron,
        )
        return await self.commands.ask(table, id_, whole)


def _verify(seen: Recall, complaint: str, now: int) -> None:
    number = seen.round
    if now - seen.at > DAYS * _DAY_MS:
        raise ReviewRefused(say.REVIEW_TOO_LATE.format(number, DAYS))
    if complaint not in [each.code for each in seen.complaints]:
        raise ReviewRefused(say.REVIEW_NO_WAGER.format(number))


def patron_of(found: Story, session: str) -> str:
    """Whose session it was in that round; the session itself, when nobody is known."""
    seat, round_ = found.after.sessions.get(session), found.after.round
    if seat is not None:
        return seat.patron
    wagered = round_.patrons.get(session) if round_ else None
    return wagered or session


def dealers_of(found: Story) -> tuple[str, ...]:
    """Who of the staff gave commands that dealt cards in it."""
    dealt = set[str]()
    for entry, event in found.events:
        if event.traits.group == "cards" and entry.by != CLOCK:
            dealt.add(entry.by)
    return tuple(sorted(dealt))


def rulers_of(found: Story) -> tuple[str, ...]:
    """Who of the staff ruled on it: stopped it, corrected a card, asked for a void or a reopening,
    or decided on one.
    """
    proposals = set[int]()
    ruled = set[str]()
    for entry, event in found.events:
        if isinstance(event, e.ReviewAsked | e.ReviewAnswered):
            continue
        proposal = getattr(event, "proposal", 0)
        if getattr(event, "about", "") == "round":
            proposals.add(proposal)
        is_decision = event.traits.group == "decisions"
        is_of_round = is_decision and getattr(event, "round", None) == found.number
        if is_of_round or proposal in proposals:
            ruled.add(entry.by)
    return tuple(sorted(ruled - {CLOCK}))


# What the staff see


def complaints() -> list[Choice]:
    return [Choice(code=code, text=words.en) for code, words in e.COMPLAINTS.items()]


def pit_reviews(state: TableState) -> list[PitReview]:
    """The longest waiting first."""
    found = [_pit_review(session, review) for session, review in open_reviews(state)]
    return sorted(found, key=lambda each: each.review)


def _pit_review(session: str, review: Review) -> PitReview:
    return PitReview(
        review=review.number,
        round=review.round,
        at=review.at,
        who=who(session),
        complaint=e.complaint_words(review.complaint).en,
        note=review.note,
        barred=review.dealt_by,
    )


def case_of(database: str, state: TableState, number: int) -> ReviewCase:
    session, review = find(state, number)
    table, round_ = state.stream, review.round
    found = replayed(database, table, round_)
    seen = told(found, session, demo=False)
    again = retold(database, table, round_, rounds=state.rounds)
    decisions = [Choice(code=code, text=words.en) for code, words in e.DECISIONS.items()]
    clauses = [Choice(code=code, text=text) for code, text in citable(state, review).items()]
    return ReviewCase(
        table=table,
        review=number,
        round=round_,
        facts=(
            *_of_round(seen),
            *_of_wagers(found.game, seen),
            *_of_people(found),
            *_of_rules(again),
        ),
        records=_records(again, session),
        decisions=decisions,
        clauses=clauses,
    )


def _of_round(seen: Recall) -> list[Fact]:
    cards = " ".join(draw.card for draw in seen.cards)
    result = "Void, all wagers returned"
    if seen.result != "VOID":
        result = total_text(seen.player, seen.banker)
    found = [Fact(name="Result", text=result, cards=cards, clause=seen.clause)]
    if seen.reopened is not None:
        again = Fact(name="Settled anew", text=seen.reopened.title, clause=seen.reopened.clause)
        found.append(again)
    found += [
        Fact(name="Corrected", cards=f"{each.before} {each.after}") for each in seen.corrected
    ]
    return found


def _of_wagers(game: Game, seen: Recall) -> list[Fact]:
    if not seen.lines:
        return [Fact(name="Wagers", text="none of this patron")]
    found = [_of_wager(game, line) for line in seen.lines]
    before = Fact(name="Credits before", cents=seen.before_cents)
    return [*found, before, Fact(name="Credits after", cents=seen.after_cents)]


def _of_wager(game: Game, line: Line) -> Fact:
    title = game.bet(line.bet).title.en
    text = f"staked {dollars(line.stake_cents)}, {line.outcome}, paid"
    return Fact(name=title, text=text, cents=line.paid_cents, clause=line.clause)


def _of_people(found: Story) -> list[Fact]:
    dealt = ", ".join(dealers_of(found)) or "the server"
    facts = [Fact(name="Dealt by", text=dealt)]
    if ruled := rulers_of(found):
        facts.append(Fact(name="Ruled on by", text=", ".join(ruled)))
    return facts


def _of_rules(again: Retold) -> list[Fact]:
    off = [check.what for check in again.checks if not check.agrees]
    agrees = f"all {len(again.checks)} checks agree"
    if off:
        agrees = f"{len(off)} of {len(again.checks)} checks do not agree: {', '.join(off)}"
    return [Fact(name="Computed anew", text=agrees)]


def _records(again: Retold, session: str) -> list[ToldLine]:
    """Of the wagers only the patron's own."""
    found = list[ToldLine]()
    for record in again.records:
        row = record.row
        if row.group == "wagers" and row.by != session:
            continue
        if row.round in (None, again.round):
            found.append(ToldLine(at=row.at, by=who(row.by), says=row.says))
    return found[:MAX_TOLD]
