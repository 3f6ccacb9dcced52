"""A past round, from the journal or from an archive: every entry that belongs to it, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

import puntobanco.events as e
from puntobanco.journal import NOTHING, Entry, Fault, chained
from puntobanco.rules.game import Game
from puntobanco.rules.money import format_cents
from puntobanco.storage.archive import Archive
from puntobanco.storage.batch import Stream
from puntobanco.storage.reader import Reader
from puntobanco.table.state import TableState


@dataclass
class Story:
    """A round from the opening of its bets to the opening of the next ones."""

    stream: str
    number: int
    game: Game
    rules: str
    before: TableState  # as bets opened
    after: TableState
    entries: list[Entry]
    after_cents: dict[str, int]  # balances as the round was last settled or void

    @property
    def events(self) -> Iterator[tuple[Entry, e.Event]]:
        return ((entry, event) for entry in self.entries for event in entry.events)


def story(reader: Reader, stream: str, number: int) -> Story:
    if stream not in reader.streams():
        raise Fault(f"there is no stream {stream}; there are {', '.join(reader.streams()) or 'none'}")
    begin, after, head = Stream.empty(stream), 0, NOTHING
    if (kept := reader.snapshot_before(stream, number)) is not None:
        after, plain = kept
        begin, head = Stream.from_plain(stream, plain), plain["head"]
    return _found(begin, chained(reader.entries(stream, after=after), stream, seq=after, head=head), number)


def archived_story(archive: Archive, number: int) -> Story:
    return _found(archive.begin(), archive.entries(), number)


def _found(stream: Stream, entries: Iterable[tuple[Entry, str]], number: int) -> Story:
    found, before = list[Entry](), stream.state
    cents_after = dict[str, int]()
    for entry, head in entries:
        opens = next((x.round for x in entry.events if isinstance(x, e.BetsOpened)), None)
        if opens is not None and opens > number:
            break
        if opens == number:
            before = stream.state
        stream.follow(entry, head)
        if opens == number or found:
            found.append(entry)
            if any(isinstance(x, e.RoundSettled | e.RoundVoided) for x in entry.events):
                cents_after = dict(stream.balances)
    if not found:
        raise Fault(f"{stream.name} has no round {number}; its last is {stream.state.rounds}")
    return Story(stream.name, number, before.playing, found[0].rules, before, stream.state, found, cents_after)


def say(event: e.Event) -> str:  # noqa: PLR0912 - one line for each kind
    """An event in a line for people."""
    match event:
        case e.TableOpened():
            return f"the table is opened with {event.game}, definition {event.digest[:12]}"
        case e.BetsOpened():
            return f'"{event.announcement}": round {event.round}, shoe {event.shoe}'
        case e.WagerPlaced():
            return f"{event.session} wagers {format_cents(event.stake_cents)} on {event.bet}"
        case e.WagerRaised():
            by, to = format_cents(event.by_cents), format_cents(event.stake_cents)
            return f"{event.session} raises {event.bet} by {by} to {to}"
        case e.WagerWithdrawn():
            return f"{event.session} withdraws {format_cents(event.by_cents)} from {event.bet}"
        case e.BetsClosed():
            return f'"{event.announcement}"'
        case e.CardDealt():
            return f"{event.slot} {event.card}: {event.why} [{event.clause}]"
        case e.TotalsAnnounced():
            return f"totals: player {event.player}, banker {event.banker} [{event.clause}]"
        case e.CardQuestioned():
            return f"{event.card} cannot be: {event.why}"
        case e.CardCorrected():
            return f"{event.slot} corrected from {event.before} to {event.after}"
        case e.IrregularityDeclared():
            return f"stopped: {event.ground} [{event.clause}] {event.detail}".rstrip()
        case e.IncidentRecorded():
            return f"incident: {event.ground}, {event.why} [{event.clause}]"
        case e.Proposed():
            return f"proposal {event.proposal}: {event.command['command']}"
        case e.ProposalApproved():
            return f"proposal {event.proposal} approved"
        case e.ProposalRejected():
            return f"proposal {event.proposal} rejected {event.reason}".rstrip()
        case e.RoundReconstructed():
            return f"reconstructed [{event.clause}]: {event.order}; over: {event.surplus or 'none'}"
        case e.RoundResumed():
            return "the round goes on"
        case e.RoundVoided():
            return f"VOID [{event.clause}] {event.ground}: all wagers returned"
        case e.RoundSettled():
            return f"settled: player {event.player}, banker {event.banker}, result {event.result}"
        case e.RoundReopened():
            return f"reopened: {event.ground} [{event.clause}]"
    told = ((k, v) for k, v in msgspec.structs.asdict(event).items() if isinstance(v, str | int) and v != "")
    return " ".join([type(event).__name__, *(f"{name}={value}" for name, value in told)])
