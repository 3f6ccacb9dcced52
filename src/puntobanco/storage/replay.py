"""A past round, from the journal or from an archive: every entry that belongs to it, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import msgspec

import puntobanco.events as e
from puntobanco.definitions import OURS, Definitions
from puntobanco.journal import Entry, Fault
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
        raise Fault(
            f"there is no stream {stream}; there are {', '.join(reader.streams()) or 'none'}"
        )
    machine = reader.definitions.table
    found = reader.snapshot_before(stream, number)
    begin = Stream.restored(stream, machine, found[1]) if found else Stream.empty(stream, machine)
    entries = reader.chain(stream, after=begin.state.seq, head=begin.head)
    return _found(begin, entries, number)


def archived_story(archive: Archive, number: int, definitions: Definitions = OURS) -> Story:
    return _found(archive.begin(definitions.table), archive.entries(definitions), number)


def _found(stream: Stream[TableState], entries: Iterable[tuple[Entry, str]], number: int) -> Story:
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
    return Story(
        stream.name,
        number,
        before.playing,
        found[0].rules,
        before,
        stream.state,
        found,
        cents_after,
    )


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
        case e.CardsChanged():
            return f"new shoes: {_cards_in_words(event.cards)}"
        case e.ShoeStarted():
            return _shoe_in_words(event)
        case e.ShoeCounted():
            of_set = f" (set {event.set_id})" if event.set_id else ""
            return (
                f"shoe {event.shoe}{of_set}: {event.counted} cards counted, {event.expected} "
                "expected"
            )
        case e.LastHandCalled():
            return (
                f"the last hand of shoe {event.shoe} is called: the cut card is out "
                f"[{event.clause}]"
            )
        case e.CardQuestioned():
            return f"{event.card} cannot be: {event.why}"
        case e.CardCorrected():
            cited = f" [{event.clause}]" if event.clause else ""
            return f"{event.slot} corrected from {event.before} to {event.after}{cited}"
        case e.CardsBurned():
            seen = f"{event.cards} and " if event.cards else ""
            return f"shoe {event.shoe}: {seen}{event.unseen} unseen burned {event.detail}".rstrip()
        case e.IrregularityDeclared():
            return f"stopped: {event.ground} [{event.clause}] {event.detail}".rstrip()
        case e.IncidentRecorded():
            return f"incident: {event.ground}, {event.why} [{event.clause}]"
        case e.Proposed():
            held = f", {format_cents(event.held_cents)} set apart" if event.held_cents else ""
            return f"proposal {event.proposal}: {event.command['command']}{held}"
        case e.ProposalApproved():
            return f"proposal {event.proposal} approved by {event.by}"
        case e.ProposalRejected():
            return f"proposal {event.proposal} rejected by {event.by} {event.reason}".rstrip()
        case e.ProposalWithdrawn():
            return f"proposal {event.proposal} withdrawn"
        case e.ProposalLapsed():
            return f"proposal {event.proposal} lapsed: {event.why}"
        case e.RoundReconstructed():
            return f"reconstructed [{event.clause}]: {event.order}; over: {event.surplus or 'none'}"
        case e.RoundResumed():
            return "the round goes on"
        case e.RoundVoided():
            return f"VOID [{event.clause}] {event.ground}: all wagers returned"
        case e.RoundSettled():
            return f"settled: player {event.player}, banker {event.banker}, result {event.result}"
        case e.RoundReopened():
            return f"reopened: {event.ground} [{event.clause}] {event.detail}".rstrip()
    told = (
        (k, v)
        for k, v in msgspec.structs.asdict(event).items()
        if isinstance(v, str | int) and v != ""
    )
    return " ".join([type(event).__name__, *(f"{name}={value}" for name, value in told)])


def _shoe_in_words(event: e.ShoeStarted) -> str:
    parts = [
        f"{event.decks} decks, {event.dealing}",
        "a shuffler" if event.source == "continuous" else "",
        f"set {event.set_id}" if event.set_id else "",
        f"{event.first_card} turned" if event.first_card else "",
        f"{event.burn} burned unseen" if event.burn else "",
        f"commitment {event.commitment[:12]}" if event.commitment else "",
    ]
    return f"shoe {event.shoe}: {', '.join(filter(None, parts))}"


def _cards_in_words(cards: e.Cards) -> str:
    """What a new shoe of a table is."""
    burn = "by the first card" if cards.burn == "first-card" else str(cards.burn)
    parts = [
        "a shuffler" if cards.source == "continuous" else "a shoe",
        f"{cards.decks} decks" if cards.decks else "the game's decks",
        f"{cards.dealing}, cut {cards.cut}, burn {burn}",
        "with set id and count" if cards.count_shoes else "",
        f"roads of {cards.road_rounds} rounds" if cards.source == "continuous" else "",
    ]
    return ", ".join(filter(None, parts))
