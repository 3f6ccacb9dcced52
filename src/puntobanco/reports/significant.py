"""Significant events: what somebody has to be able to look up later (GLI-19 2.8.8). One line for
each trigger.

Verifiers, codes and keys stay in the journal: a report names who and what, never a secret's hash.
"""

from __future__ import annotations

from collections.abc import Iterator

import puntobanco.events as e
from puntobanco.events import Record
from puntobanco.journal import Entry
from puntobanco.ledger import transfers
from puntobanco.rules.money import format_cents
from puntobanco.storage.replay import say


class Thresholds(Record):
    """From where on a wager, and what a session wins in a round, are large."""

    large_wager_cents: int = 1_000_000
    large_win_cents: int = 1_000_000


class Significant(Record):
    at: int
    stream: str
    entry: int
    by: str
    kind: str
    what: str


_EVERYDAY = frozenset(
    {
        e.BetsOpened,
        e.BetsClosed,
        e.CardDealt,
        e.TotalsAnnounced,
        e.LastHandCalled,
        e.WagerWithdrawn,
        e.SessionSeated,
        e.SessionEnded,
    }
)
"""Most of a journal, passed over at once."""


def significant(entry: Entry, over: Thresholds) -> Iterator[Significant]:
    for event in entry.events:
        if type(event) in _EVERYDAY:
            continue
        for kind, what in _found(event, over):
            yield Significant(
                at=entry.at, stream=entry.stream, entry=entry.seq, by=entry.by, kind=kind, what=what
            )


def _found(event: e.Event, over: Thresholds) -> Iterator[tuple[str, str]]:  # noqa: PLR0912 - one case a kind
    match event:
        case e.WagerPlaced() | e.WagerRaised():
            before = 0 if isinstance(event, e.WagerPlaced) else event.stake_cents - event.by_cents
            if before < over.large_wager_cents <= event.stake_cents:
                cents = format_cents(event.stake_cents)
                yield (
                    "large wager",
                    f"round {event.round}: {event.session} has {cents} on {event.bet}",
                )
        case e.RoundSettled():
            yield from _large_wins(event, over.large_win_cents)
        case e.RoundVoided():
            cents = format_cents(sum(line.stake_cents for line in event.lines))
            yield (
                "void",
                f"round {event.round} [{event.clause}] {event.ground}: {cents} "
                f"returned{_two(event)}",
            )
        case e.RoundReopened():
            short = sum(r.unrecovered_cents for r in event.recoveries)
            lost = f"; not recovered {format_cents(short)}" if short else ""
            yield (
                "reopening",
                f"round {event.round} [{event.clause}] {event.ground}{lost}{_two(event)}",
            )
        case e.CardCorrected():
            yield "correction", f"round {event.round}: {say(event)}{_two(event)}"
        case e.RoundReconstructed():
            yield "correction", f"round {event.round}: {say(event)}{_two(event)}"
        case e.CardsBurned():
            yield "burned cards", f"{say(event)}{_two(event)}"
        case e.RoundResumed():
            yield "override", f"round {event.round} goes on{_two(event)}"
        case e.IrregularityDeclared():
            yield "irregularity", f"round {event.round}: {say(event)}"
        case e.IncidentRecorded():
            yield "incident", say(event)
        case e.ProposalRejected() | e.ProposalWithdrawn() | e.ProposalLapsed():
            yield "override", say(event)
        case e.CreditsLoaded():
            why = f": {event.reason}" if event.reason else ""
            yield "staff load", f"{format_cents(event.cents)} to {event.session}{why}{_two(event)}"
        case e.ShoeCounted() if event.counted != event.expected:
            yield "shoe count", say(event)
        case e.LoginNoted() if not event.ok:
            yield "failed login", event.person
        case _ if type(event) in _PLAIN:
            yield _PLAIN[type(event)], _plain(event)
        case _:
            yield from _cash(event)


def _cash(event: e.Event) -> Iterator[tuple[str, str]]:
    """Much of it, which two people decided on, and drawers that were not right."""
    match event:
        case e.CreditsBought() if event.approved_by:
            yield "large buy-in", f"{format_cents(event.cents)} by {event.session}{_two(event)}"
        case e.CashedOut() if event.approved_by:
            yield "hand pay", f"{format_cents(event.cents)} to {event.session}{_two(event)}"
        case e.VoucherSold() if event.approved_by:
            yield (
                "large buy-in",
                f"a voucher of {format_cents(event.cents)} sold for cash{_two(event)}",
            )
        case e.VoucherPaid() if event.approved_by:
            expired = "expired " if event.expired else ""
            yield "hand pay", f"{expired}voucher of {format_cents(event.cents)} paid{_two(event)}"
        case e.ShiftClosed() if event.difference_cents:
            how = "short" if event.difference_cents < 0 else "over"
            cents = format_cents(abs(event.difference_cents))
            yield (
                "drawer",
                f"shift {event.shift} of {event.cashier}: {cents} {how}, counted with {event.by}",
            )
        case e.CountsDiffered():
            yield (
                "drawer",
                f"shift {event.shift}: {event.by} counted otherwise than the first count; "
                "both count again",
            )
        case e.CashNoted() if event.late:
            cents = format_cents(event.cents)
            yield (
                "drawer",
                f"shift {event.shift} was closed before {cents} of cash at {event.table} was noted",
            )


def _large_wins(event: e.RoundSettled, least: int) -> Iterator[tuple[str, str]]:
    won = dict[str, int]()
    for line in event.lines:
        won[line.session] = won.get(line.session, 0) + line.winnings_cents + line.bonus_cents
    for session, cents in won.items():
        if cents >= least:
            yield "large win", f"round {event.round}: {session} wins {format_cents(cents)}"


_Two = (
    e.RoundVoided
    | e.RoundReopened
    | e.CardCorrected
    | e.CardsBurned
    | e.RoundReconstructed
    | e.RoundResumed
    | e.CreditsLoaded
    | e.CreditsBought
    | e.CashedOut
    | e.VoucherSold
    | e.VoucherPaid
)


def _two(event: _Two) -> str:
    return (
        f"; asked by {event.proposed_by}, approved by {event.approved_by}"
        if event.approved_by
        else ""
    )


_PLAIN: dict[type[e.Event], str] = {
    e.TableOpened: "table",
    e.TableClosed: "table",
    e.LimitsChanged: "limits",
    e.ClockChanged: "clock of a table",
    e.CardsChanged: "cards of a table",
    e.TableHalted: "stop",
    e.TableRestarted: "stop",
    e.SessionStopped: "stop",
    e.SessionRestarted: "stop",
    e.FloorStopped: "stop",
    e.FloorStarted: "stop",
    e.HouseOpened: "house",
    e.StaffAdded: "staff",
    e.StaffChanged: "staff",
    e.TerminalAdded: "terminal",
    e.TerminalEnrolled: "terminal",
    e.TerminalChanged: "terminal",
    e.PatronExcluded: "exclusion",
    e.PatronReadmitted: "exclusion",
    e.ClockStepped: "time",
}


def _plain(event: e.Event) -> str:  # noqa: PLR0912 - one case a kind
    match event:
        case e.TableOpened():
            return f"opened with {event.game}, definition {event.digest[:12]}"
        case e.TableClosed():
            return f"closed: {event.reason}"
        case e.LimitsChanged():
            bets = ", ".join(
                f"{bet} closed"
                if x.closed
                else f"{bet} {format_cents(x.min_cents)} to {format_cents(x.max_cents)}"
                for bet, x in event.limits.bets.items()
            )
            return f"{bets}; staff load {format_cents(event.limits.staff_load_cents)}"
        case e.ClockChanged():
            c = event.clock
            closes = ", bets of a dealer close by the clock" if c.closes_by_clock else ""
            return (
                f"betting {c.betting_ms} ms, guard {c.guard_ms}, card {c.card_ms}, pause "
                f"{c.pause_ms}{closes}"
            )
        case e.CardsChanged():
            return say(event)
        case e.TableHalted():
            return f"table {'closes after its round' if event.closes else 'halted'}: {event.reason}"
        case e.TableRestarted():
            return "table goes on"
        case e.SessionStopped():
            return f"session {event.session} stopped: {event.reason}"
        case e.SessionRestarted():
            return f"session {event.session} goes on"
        case e.FloorStopped():
            return f"the floor stopped: {event.reason}"
        case e.FloorStarted():
            return "the floor goes on"
        case e.HouseOpened():
            return f"set up as {event.house}"
        case e.StaffAdded():
            return f"{event.person} added as {event.role}"
        case e.StaffChanged():
            return f"{event.person} is {event.role}" + (
                f", disabled: {event.disabled}" if event.disabled else ""
            )
        case e.TerminalAdded() | e.TerminalEnrolled():
            return (
                f"{event.terminal} {'added' if isinstance(event, e.TerminalAdded) else 'enrolled'}"
            )
        case e.TerminalChanged():
            why = (
                f"disabled: {event.disabled}"
                if event.disabled
                else f"at {event.table or 'any table'}"
            )
            return f"{event.terminal} {why}"
        case e.PatronExcluded():
            return f"{event.patron} excluded: {event.reason}"
        case e.PatronReadmitted():
            return f"{event.patron} readmitted"
        case e.ClockStepped():
            return (
                f"the wall clock was set by {event.wall_ms - event.table_ms:+} ms against "
                "table time"
            )
    assert not transfers(event), "what moves money has a case of its own"
    return type(event).__name__
