"""What a pack tells of a round: its context, and everything that follows from the entries. Pure."""

from __future__ import annotations

from collections.abc import Iterable

import puntobanco.events as e
from puntobanco.events import Line, Record
from puntobanco.journal import Entry
from puntobanco.rules.irregularities import title_of
from puntobanco.rules.money import format_cents
from puntobanco.storage.replay import say

FORMAT = "puntobanco-dispute-1"


class Segment(Record):
    """Entries in a row. `prev` is the hash before the first; `signed` says which of them have a
    signed head.
    """

    file: str
    first: int
    last: int
    prev: str
    signed: list[int]


class Context(Record):
    """What the entries of a pack do not say themselves."""

    format: str
    house: str
    demo: bool
    stream: str
    round: int
    first: int  # entry of the round, from the opening of its bets
    last: int  # to the last before the next round's
    session: str  # the only one that is shown; empty: all
    at: int  # when the pack was made
    program: str
    game: str
    digest: str  # of the game's definition
    # the entry that opened the table with that game; it is in the pack, with the definition
    opened: int
    rules: str  # the rulebook and its version
    decks: int
    shoe: int
    dealing: str
    source: str
    drawn: int  # cards of a virtual shoe that were used up before this round
    patrons: dict[str, str]  # of each session; a bonus is a patron's
    segments: list[Segment]


class Card(Record):
    entry: int
    slot: str
    card: str
    why: str
    clause: str


class Stake(Record):
    entry: int
    at: int
    by: str
    session: str
    bet: str
    what: str  # placed, raised, withdrawn
    by_cents: int
    stake_cents: int  # as it stood then


class Outcome(Record):
    """A settlement, a void, or the taking back of a settlement."""

    entry: int
    at: int
    what: str
    result: str
    cards: str
    clause: str
    lines: list[Line]
    note: str = ""  # what was taken back of each line, where a settlement is


class Act(Record):
    """Something that somebody did about the round."""

    entry: int
    at: int
    by: str
    command: str
    what: str


class Promise(Record):
    """A commitment to cards, or its reveal."""

    entry: int
    at: int
    commitment: str = ""
    order: str = ""
    nonce: str = ""


class Told(Record):
    """Each row names the entry that it comes from."""

    cards: list[Card]
    stakes: list[Stake]
    outcomes: list[Outcome]
    acts: list[Act]
    promises: list[Promise]


class Dispute(Record):
    context: Context
    told: Told


def told(entries: Iterable[Entry], context: Context) -> Told:
    """From the entries at hand; of patrons only the one that is shown, where one is."""
    found = Told(cards=[], stakes=[], outcomes=[], acts=[], promises=[])
    for entry in entries:
        for event in entry.events:
            _tell(found, entry, event, context)
    return found


_STAKES = {e.WagerPlaced: "placed", e.WagerRaised: "raised", e.WagerWithdrawn: "withdrawn"}


def _tell(found: Told, entry: Entry, event: e.Event, context: Context) -> None:  # noqa: PLR0912 - one case a kind
    match event:
        case e.ShoeStarted() if event.shoe == context.shoe and event.commitment:
            found.promises.append(
                Promise(entry=entry.seq, at=entry.at, commitment=event.commitment)
            )
        case e.ShoeEnded() if event.shoe == context.shoe and event.order:
            found.promises.append(
                Promise(entry=entry.seq, at=entry.at, order=event.order, nonce=event.nonce)
            )
        case e.Proposed() | e.ProposalApproved() | e.ProposalRejected() | e.CardsBurned():
            if context.first <= entry.seq <= context.last:
                found.acts.append(_act(entry, event))
    if getattr(event, "round", None) != context.round:
        return
    only = context.session
    match event:
        case e.BetsOpened() if event.commitment:
            found.promises.append(
                Promise(entry=entry.seq, at=entry.at, commitment=event.commitment)
            )
            found.acts.append(_act(entry, event))
        case e.WagerPlaced() | e.WagerRaised() | e.WagerWithdrawn():
            if only in ("", event.session):
                by = event.stake_cents if isinstance(event, e.WagerPlaced) else event.by_cents
                found.stakes.append(
                    Stake(
                        entry=entry.seq,
                        at=entry.at,
                        by=entry.by,
                        session=event.session,
                        bet=event.bet,
                        what=_STAKES[type(event)],
                        by_cents=by,
                        stake_cents=event.stake_cents,
                    )
                )
        case e.CardDealt():
            found.cards.append(
                Card(
                    entry=entry.seq,
                    slot=event.slot,
                    card=event.card,
                    why=event.why,
                    clause=event.clause,
                )
            )
        case e.CardCorrected():
            why = f"corrected from {event.before}"
            found.cards.append(
                Card(
                    entry=entry.seq, slot=event.slot, card=event.after, why=why, clause=event.clause
                )
            )
            found.acts.append(_act(entry, event))
        case e.RoundSettled() | e.RoundVoided() | e.RoundReopened():
            found.outcomes.append(_outcome(entry, event, only))
            found.acts.append(_act(entry, event))
            if not isinstance(event, e.RoundReopened) and event.reveal:
                found.promises.append(
                    Promise(entry=entry.seq, at=entry.at, order=event.reveal, nonce=event.nonce)
                )
        case _:
            found.acts.append(_act(entry, event))


def _act(entry: Entry, event: e.Event) -> Act:
    """A load that waits for a second person names a patron; what was proposed is enough here."""
    what = say(event)
    proposed, approved = getattr(event, "proposed_by", ""), getattr(event, "approved_by", "")
    if approved:
        what += f"; asked by {proposed}, approved by {approved}"
    return Act(entry=entry.seq, at=entry.at, by=entry.by, command=entry.command, what=what)


def _outcome(
    entry: Entry, event: e.RoundSettled | e.RoundVoided | e.RoundReopened, only: str
) -> Outcome:
    note = ""
    if isinstance(event, e.RoundReopened):
        note = "; ".join(_taken(r) for r in event.recoveries if only in ("", r.line.session))
        lines = [recovery.line for recovery in event.recoveries]
        what = f"reopened: the settlement is taken back, {title_of(event.ground).en}"
        result, cards, clause = "", "", event.clause
    elif isinstance(event, e.RoundVoided):
        lines, what, result, cards, clause = (
            list(event.lines),
            f"void: {event.ground}",
            "VOID",
            "",
            event.clause,
        )
    else:
        lines, what, result, cards, clause = (
            list(event.lines),
            "settled",
            event.result,
            event.cards,
            "",
        )
    shown = [line for line in lines if only in ("", line.session)]
    return Outcome(
        entry=entry.seq,
        at=entry.at,
        what=what,
        result=result,
        cards=cards,
        clause=clause,
        lines=shown,
        note=note,
    )


def _taken(recovery: e.Recovery) -> str:
    line, short = recovery.line, recovery.unrecovered_cents
    missing = f", {format_cents(short)} not" if short else ""
    return (
        f"{line.session} {line.bet}: {format_cents(recovery.recovered_cents)} taken back{missing}"
    )


def sessions_of(entry: Entry) -> set[str]:
    """Every session that an entry names."""
    found = set[str]()
    for event in entry.events:
        if isinstance(session := getattr(event, "session", None), str):
            found.add(session)
        found |= {line.session for line in getattr(event, "lines", ())}
        found |= {recovery.line.session for recovery in getattr(event, "recoveries", ())}
        if isinstance(event, e.Proposed) and isinstance(
            session := event.command.get("session"), str
        ):
            found.add(session)
    return found


def line_text(line: Line) -> tuple[str, ...]:
    """
    >>> line_text(Line("ann", "tie", 1000, "loses", 0, 0, 0, "4.1"))
    ('ann', 'tie', '10.00', 'loses', '0.00', '0.00', '0.00', '0.00', '4.1')
    """
    return (
        line.session,
        line.bet,
        format_cents(line.stake_cents),
        line.outcome,
        format_cents(line.winnings_cents),
        format_cents(line.returned_cents),
        format_cents(line.bonus_cents),
        format_cents(line.set_off_cents),
        f"{line.clause} {line.bonus_clause}".strip(),
    )
