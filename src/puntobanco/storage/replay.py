"""A past round, from the journal or from an archive: every entry that belongs to it, in order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import puntobanco.events as e
from puntobanco.journal import NOTHING, Entry, Fault, chained
from puntobanco.rules.game import Game
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
    begin, after, head = Stream.empty(stream), 0, NOTHING
    if (kept := reader.snapshot_before(stream, number)) is not None:
        after, plain = kept
        begin, head = Stream.from_plain(stream, plain), plain["head"]
    return _found(
        begin, chained(reader.entries(stream, after=after), stream, seq=after, head=head), number
    )


def archived_story(archive: Archive, number: int) -> Story:
    return _found(archive.begin(), archive.entries(), number)


def _found(stream: Stream, entries: Iterable[tuple[Entry, str]], number: int) -> Story:
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
