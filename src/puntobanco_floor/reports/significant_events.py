"""Significant events: what somebody has to be able to look up later (GLI-19 2.8.8).

Which kinds are significant, under which heading and in which words, stands with each kind. What is
large depends on the house's thresholds, and is worked out here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import puntobanco_floor.domain.events as e
from puntobanco.base.money import dollars
from puntobanco.base.record import Record
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.stream_names import bet_words


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


def significant(entry: Entry, over: Thresholds) -> Iterator[Significant]:
    for event in entry.events:
        for heading, what in _found(event, over):
            yield Significant(
                at=entry.at,
                stream=entry.stream,
                entry=entry.seq,
                by=entry.by,
                kind=heading,
                what=what,
            )


def _found(event: e.Event, over: Thresholds) -> Iterator[tuple[str, str]]:
    if event.traits.heading:
        if what := event.reported():
            yield event.traits.heading, what
    elif isinstance(event, e.Wagered):
        before = event.stake_cents - event.change_cents
        if before < over.large_wager_cents <= event.stake_cents:
            stake, title = dollars(event.stake_cents), bet_words(event.bet).en
            yield "large wager", f"round {event.round}: {event.session} has {stake} on {title}"
    elif isinstance(event, e.Outcome):
        yield from _large_wins(event, over.large_win_cents)


def _large_wins(event: e.Outcome, least: int) -> Iterator[tuple[str, str]]:
    won = Counter[str]()
    for line in event.lines:
        won[line.session] += line.won_cents
    for session, cents in won.items():
        if cents >= least:
            yield "large win", f"round {event.round}: {session} wins {dollars(cents)}"
