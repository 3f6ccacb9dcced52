"""A past round, from the journal or from an archive: every entry that belongs to it, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import puntobanco_floor.domain.events as e
from puntobanco.base.progress import Begin, counted, silent
from puntobanco.rules.game import Game
from puntobanco_floor.audit.archive import Archive
from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry.format import Fault


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
    revealed: tuple[str, str] = ("", "")  # its shoe's order and nonce, once the shoe is over

    @property
    def events(self) -> Iterator[tuple[Entry, e.Event]]:
        return ((entry, event) for entry in self.entries for event in entry.events)


def story(reader: Reader, stream: str, number: int, begin: Begin = silent) -> Story:
    if stream not in reader.streams():
        raise Fault(
            f"there is no stream {stream}; there are {', '.join(reader.streams()) or 'none'}"
        )
    machine = reader.definitions.table
    found = reader.snapshot_before(stream, number)
    start = Stream.restored(stream, machine, found[1]) if found else Stream.empty(stream, machine)
    first, last = start.state.seq, reader.streams()[stream].seq
    entries = reader.chain(stream, after=first, head=start.head)
    told = _found(start, counted(entries, begin("entries", last - first)), number)
    return replace(told, revealed=_revealed(reader, told))


def _revealed(reader: Reader, found: Story) -> tuple[str, str]:
    """By the end of its shoe, which is the last entry of a period."""
    shoe, last = found.before.shoe, found.entries[-1].seq
    assert shoe is not None, "bets open on a shoe"
    for seq in reader.snapshot_places(found.stream, upto=2**62):
        if seq < found.entries[0].seq:
            continue
        for entry in reader.decoded(found.stream, after=seq - 1, upto=seq):
            ended = e.end_of(entry.events, shoe.number)
            if ended is not None:
                return ended.revealed()
        if seq > last:
            break
    return "", ""


def archived_story(archive: Archive, number: int, definitions: Definitions = OURS) -> Story:
    return _found(archive.begin(definitions.table), archive.entries(definitions), number)


def _found(stream: Stream[TableState], entries: Iterable[tuple[Entry, str]], number: int) -> Story:
    found, before = list[Entry](), stream.state
    cents_after = dict[str, int]()
    for entry, head in entries:
        opens = e.round_opened(entry.events)
        if opens is not None and opens > number:
            break
        if opens == number:
            before = stream.state
        stream.follow(entry, head)
        if opens == number or found:
            found.append(entry)
            if any(isinstance(x, e.Outcome) for x in entry.events):
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
