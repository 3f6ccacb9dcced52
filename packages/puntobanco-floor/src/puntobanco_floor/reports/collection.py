"""Collecting a report: the tally of an interval, and the ledger's side of the same entries."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import msgspec

from puntobanco_floor.domain.events import GamingDaySet, HouseOpened
from puntobanco_floor.domain.house.gaming_day import Calendar, Cut
from puntobanco_floor.domain.ledger import WAGERS, account_of, is_patron
from puntobanco_floor.domain.snapshots import SNAPSHOT
from puntobanco_floor.domain.stream_names import FLOOR, is_table, terminal_of
from puntobanco_floor.reports.figures import (
    GUESTS,
    SESSIONS,
    GameKey,
    Place,
    Tally,
    Thresholds,
    find_significant,
)
from puntobanco_floor.reports.interval import Interval
from puntobanco_floor.reports.rows import Significant
from puntobanco_floor.store.reader import Reader

MAX_EVENTS = 10_000
"""Significant events in a report; more are counted and not listed."""


@dataclass
class Ledger:
    """Accounts of a stream between two entries, from the tables beside the journal, by class."""

    first: int
    last: int
    opening: Counter[str]
    moved: Counter[str]
    closing: Counter[str]


@dataclass
class Gathered:
    house: str = ""
    demo: bool = False
    tally: Tally = field(default_factory=Tally)
    ledgers: dict[str, Ledger] = field(default_factory=dict)
    terminals: Counter[str] = field(default_factory=Counter)  # what the ledger moved at each
    # stream -> round, cents in play at the end
    unfinished: dict[str, tuple[int, int]] = field(default_factory=dict)
    events: list[Significant] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)  # of significant events, not listed too
    definitions: dict[str, dict[str, object]] = field(default_factory=dict)  # of games, by digest


def gather(reader: Reader, wanted: Interval, over: Thresholds, calendar: Calendar) -> Gathered:
    found = Gathered(tally=Tally(calendar))
    found.house, found.demo = read_house(reader)
    for stream, (head, _, _) in reader.streams().items():
        first = reader.first_at(stream, wanted.start) if wanted.start else 1
        last = reader.first_at(stream, wanted.end) - 1
        place = find_place(reader, stream, first)
        for entry, _ in reader.chain_between(stream, first, last):
            found.tally.take(entry, place)
            for event in find_significant(entry, over):
                found.kinds[event.kind] += 1
                if len(found.events) < MAX_EVENTS:
                    found.events.append(event)
        moved = reader.moved(stream, after=first - 1, upto=last)
        for account, cents in moved.items():
            if is_patron(account):
                terminal = terminal_of(account.removeprefix(account_of(""))) or GUESTS
                found.terminals[terminal] += cents
        closing = reader.balances(stream) if last == head else reader.balances_at(stream, last)
        opening = _by_class(reader.balances_at(stream, first - 1))
        found.ledgers[stream] = Ledger(first, last, opening, _by_class(moved), _by_class(closing))
        found.definitions |= place.definitions
        if place.in_play:
            found.unfinished[stream] = place.round, closing.get(WAGERS, 0)
    found.events.sort(key=lambda event: (event.at, event.stream, event.entry))
    return found


def read_house(reader: Reader) -> tuple[str, bool]:
    """Read the operator's name, and whether it is a demonstration; nothing without a house."""
    for entry, _ in reader.chain(FLOOR, upto=10):
        for event in entry.events:
            if isinstance(event, HouseOpened):
                return event.house, event.demo
    return "", False


def read_calendar(reader: Reader) -> Calendar:
    """Read the gaming days of the house from its last snapshot and the entries since."""
    found = Calendar()
    after = reader.last_snapshot(FLOOR)
    if after:
        kept = reader.snapshot(FLOOR, after).state
        if kept["snapshot"] == SNAPSHOT:
            found = msgspec.convert(kept["calendar"], Calendar)
        else:  # of an older program: the journal says it too
            after = 0
    for entry in reader.decoded(FLOOR, after=after):
        for event in entry.events:
            if isinstance(event, HouseOpened):
                found = Calendar((Cut(event.zone, event.day_starts),))
            elif isinstance(event, GamingDaySet):
                found = found.plus(Cut(event.zone, event.day_starts, event.day, event.since))
    return found


def find_place(reader: Reader, stream: str, first: int) -> Place:
    """Find what a table played before an entry, from a snapshot before its shoe and its round."""
    place = Place()
    if not is_table(stream):
        return place
    for after in [*reversed(reader.snapshot_places(stream, upto=first - 1)), 0]:
        place = Place()
        if after:
            kept = msgspec.convert(reader.snapshot(stream, after).state, _Played)
            place.game = GameKey(kept.game or "", kept.digest)
            place.definitions[kept.digest] = kept.definition
        for entry, _ in reader.chain_between(stream, after + 1, first - 1):
            for event in entry.events:
                place.follow(event)
        if place.game.decks and place.round_game:
            break
    return place


class _Played(msgspec.Struct):
    """Of a snapshot: the game on the table."""

    game: str | None
    digest: str
    definition: dict[str, object]


def _by_class(balances: dict[str, int]) -> Counter[str]:
    """Add up patrons' accounts as one, as reports tie them out; each other by its name."""
    found = Counter({SESSIONS: 0})
    for account, cents in balances.items():
        found[SESSIONS if is_patron(account) else account] += cents
    return found
