"""Reviews at the floor: what a patron asks about a past round is held against the journal; what the
staff look at before they answer; and payments that follow from a ruling.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.words import Words, join
from puntobanco.rules.game import Game
from puntobanco_floor.audit.round_replay import Story, build_recall, load_story
from puntobanco_floor.audit.round_review import Retold, review_round
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.events import Line
from puntobanco_floor.domain.machine import CLOCK
from puntobanco_floor.domain.refusals import AdjustmentRefused, ReviewRefused
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.reviews import citable, find, open_reviews
from puntobanco_floor.domain.table.state import Review, TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.service.dispatch import Commands
from puntobanco_floor.service.pit.alert_facts import Fact, said, total_words, who
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.views.table_view import Recall
from puntobanco_proof.entry.record import Record

DAYS = 7
"""How long after a round a patron may ask, as the rules page says."""

_DAY_MS = 86_400_000
MAX_TOLD = 60
"""Records of a round that are told one by one before a decision; the pack has all."""

_VOID = Words("Void, all wagers returned", "作廢，退回全部投注")
_NOT_THERE = Words(
    "Session {} was not at this table in round {}", "使用時段 {} 在第 {} 局不在此賭枱"
)
_NONE_OF_PATRON = Words("none of this patron", "此客人沒有投注")
_STAKED = Words("staked {}, {}, paid", "注額 {}，{}，派回")
_SERVER = Words("the server", "伺服器")
_ALL_AGREE = Words("all {} checks agree", "全部 {} 項核對相符")
_NOT_AGREED = Words("{} of {} checks do not agree: {}", "{1} 項核對中 {0} 項不符：{2}")
_OUTCOMES = {
    "wins": Words("wins", "贏"),
    "loses": Words("loses", "輸"),
    "pushes": Words("pushes", "退回本金"),
    "void": Words("void", "作廢"),
}


class PitReview(Record):
    """A review that waits for its answer."""

    review: int
    round: int
    at: int  # when it was asked
    who: str  # the terminal, or the guest
    complaint: Words
    note: str
    barred: tuple[str, ...]  # who of the staff does not answer it


class PitAward(Record):
    """A review that was answered in the patron's favour or referred, and is not paid."""

    review: int
    round: int
    session: str
    who: str  # the terminal, or the guest
    seated: bool  # where not, a cashier pays it in cash
    decision: Words
    clause: str
    referred: bool  # the inspector's direction is needed


class Choice(Record):
    """Something to choose, by its code."""

    code: str
    text: Words


class ToldLine(Record):
    at: int
    by: str
    says: Words


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
    """Takes in reviews of past rounds, and payments after a ruling, checked by the journal."""

    commands: Commands
    database: str
    now_ms: NowMs

    async def ask(self, table: str, id_: str, asked: c.AskReview) -> Answer:
        found = await asyncio.to_thread(load_story, self.database, table, asked.round)
        _verify(build_recall(found, asked.session, demo=False), asked.complaint, self.now_ms())
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

    async def adjust(self, table: str, id_: str, asked: c.Adjust) -> Answer:
        """Pay an award to a session that was at the table, under the rules of that round."""
        found = await asyncio.to_thread(load_story, self.database, table, asked.round)
        if not build_recall(found, asked.session, demo=False).complaints:
            raise AdjustmentRefused(_NOT_THERE.format(asked.session, asked.round))
        return await self.commands.ask(table, id_, replace(asked, rules=found.rules))


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
    """List the staff who stopped it, corrected a card, or asked for or decided a ruling."""
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
    return [Choice(code=code, text=text) for code, text in e.COMPLAINTS.items()]


def pit_reviews(state: TableState) -> list[PitReview]:
    """The longest waiting first."""
    found = [_pit_review(session, review) for session, review in open_reviews(state)]
    return sorted(found, key=lambda each: each.review)


def pit_awards(state: TableState) -> list[PitAward]:
    """Those that wait for a second person are left out."""
    proposed = {proposal.command.get("review") for proposal in state.proposals.waiting.values()}
    found = list[PitAward]()
    for number, award in sorted(state.awards.items()):
        if number in proposed:
            continue
        decision = e.decision_words(award.decision)
        found.append(
            PitAward(
                review=number,
                round=award.round,
                session=award.session,
                who=who(award.session),
                seated=award.session in state.sessions,
                decision=decision,
                clause=award.clause,
                referred=award.decision == "referred",
            )
        )
    return found


def _pit_review(session: str, review: Review) -> PitReview:
    complaint = e.complaint_words(review.complaint)
    return PitReview(
        review=review.number,
        round=review.round,
        at=review.at,
        who=who(session),
        complaint=complaint,
        note=review.note,
        barred=review.dealt_by,
    )


def case_of(database: str, state: TableState, number: int) -> ReviewCase:
    session, review = find(state, number)
    table, round_ = state.stream, review.round
    found = load_story(database, table, round_)
    seen = build_recall(found, session, demo=False)
    again = review_round(database, table, round_, rounds=state.rounds)
    decisions = [Choice(code=code, text=text) for code, text in e.DECISIONS.items()]
    clauses = [
        Choice(code=code, text=Words(text)) for code, text in citable(state, review.rules).items()
    ]
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
    result = _VOID
    if seen.result != "VOID":
        result = total_words(seen.player, seen.banker)
    found = [said("Result", result, cards=cards, clause=seen.clause)]
    if seen.reopened is not None:
        again = seen.reopened
        found.append(said("Settled anew", again.title, clause=again.clause))
    found += [
        Fact(name="Corrected", cards=f"{each.before} {each.after}") for each in seen.corrected
    ]
    return found


def _of_wagers(game: Game, seen: Recall) -> list[Fact]:
    if not seen.lines:
        return [said("Wagers", _NONE_OF_PATRON)]
    found = [_of_wager(game, line) for line in seen.lines]
    before = Fact(name="Credits before", cents=seen.before_cents)
    return [*found, before, Fact(name="Credits after", cents=seen.after_cents)]


def _of_wager(game: Game, line: Line) -> Fact:
    staked = _STAKED.format(dollars(line.stake_cents), _OUTCOMES[line.outcome])
    return Fact(
        name="Wager",
        bet=game.bet(line.bet).title,
        text=staked,
        cents=line.paid_cents,
        clause=line.clause,
    )


def _of_people(found: Story) -> list[Fact]:
    dealers = dealers_of(found)
    dealt = Words(", ".join(dealers)) if dealers else _SERVER
    facts = [said("Dealt by", dealt)]
    if ruled := rulers_of(found):
        facts.append(said("Ruled on by", ", ".join(ruled)))
    return facts


def _of_rules(again: Retold) -> list[Fact]:
    off = [check.what for check in again.checks if not check.agrees]
    agrees = _ALL_AGREE.format(len(again.checks))
    if off:
        agrees = _NOT_AGREED.format(len(off), len(again.checks), join(off, en=", ", zh="、"))
    return [said("Computed anew", agrees)]


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
