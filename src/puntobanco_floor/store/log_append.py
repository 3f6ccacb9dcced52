"""Growing the log: entries of signed commits become leaves, a portion at a time, by whoever holds
the log's row.

Nothing is locked that a wager needs: PostgreSQL locks one row that only growers want; on SQLite all
is worked out in a view of its own, and only what comes of it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import Connection, insert, select, update

from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store import schema
from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.store.log_tables import LogTables, LogView, Range
from puntobanco_floor.store.reader import Reader
from puntobanco_floor.store.signed_chain import (
    Cursor,
    Run,
    cursor_at,
    first_after_epoch,
    runs,
    verify_head,
)
from puntobanco_proof.entry.format import Fault, header_of
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.leaves import leaves_of
from puntobanco_proof.tree.tiles import HEIGHT, WIDTH, Tile, bundled, grown

MOST = 16_384
"""Entries that are taken at a time, all streams together."""


class Growth(NamedTuple):
    """What came of it."""

    size: int
    added: int = 0
    waiting: int = 0  # entries that were left for the next time
    is_busy: bool = False  # another node has the log in hand
    left_out: Mapping[str, str] = {}  # streams that fail, and why


@dataclass
class Portion:
    """What is to be written: leaves, their ranges and tiles, and where the streams then stand."""

    origin: str
    size: int  # before it
    leaves: list[bytes] = field(default_factory=list)
    ranges: list[Range] = field(default_factory=list)
    cursors: dict[str, Cursor] = field(default_factory=dict)
    tiles: dict[Tile, bytes] = field(default_factory=dict)
    waiting: int = 0
    left_out: dict[str, str] = field(default_factory=dict)


class Log(LogTables):
    """The log of a store, which can grow."""

    def __init__(
        self,
        url: str,
        ring: KeyRing,
        trust: Trust,
        *,
        definitions: Definitions = OURS,
        seen: Callable[[], Mapping[str, Head]] = dict[str, Head],
        point: Callable[[str], object] = lambda _: None,
    ) -> None:
        """`seen` is what the file of heads knows. `point` is called at every step."""
        super().__init__(url, ring)
        self.trust, self.definitions = trust, definitions
        self._seen, self._point = seen, point
        self._size = -1  # of the log when the cursors were true
        self._cursors = dict[str, Cursor]()

    def grow(self, *, most: int = MOST) -> Growth:
        """One portion. Whatever fails of it, the next grower begins where the log stands."""
        try:
            portion = self._grown(most)
        except BaseException:
            self._size = -1
            raise
        if portion is None:
            return Growth(self.size(), is_busy=True)
        added = len(portion.leaves)
        self._size = portion.size + added
        self._cursors |= portion.cursors
        return Growth(self._size, added, portion.waiting, left_out=portion.left_out)

    def _grown(self, most: int) -> Portion | None:
        """None where another grows it."""
        if not self.has_row_locks:
            with self.view() as view:
                portion = self._taken(view, most)
            self._point("taken")
            if portion.leaves:
                with self.writing() as connection:
                    if LogView(connection).standing()[1] != portion.size:
                        return None
                    self._written(connection, portion)
            return portion
        with self._row() as held:
            if held is None:
                return None
            portion = self._taken(LogView(held), most)
            self._point("taken")
            if portion.leaves:
                self._written(held, portion)
        return portion

    @contextmanager
    def _row(self) -> Iterator[Connection | None]:
        """The log's one row, locked; None where another has it."""
        with self.writing() as connection:
            lock = select(schema.log.c.size).with_for_update(skip_locked=True)
            yield None if connection.scalar(lock) is None else connection

    def _written(self, connection: Connection, portion: Portion) -> None:
        put_tiles(connection, portion.size, portion.tiles)
        rows = [each._asdict() for each in portion.ranges]
        connection.execute(insert(schema.log_places), rows)
        size = portion.size + len(portion.leaves)
        connection.execute(update(schema.log).values(size=size))
        self._point("written")

    # What is taken

    def _taken(self, view: LogView, most: int) -> Portion:
        origin, size = view.standing()
        if not origin:
            raise LogFault("there is no log yet")
        portion = Portion(origin, size)
        reader = Reader(view.connection, self.definitions)
        behind = self._behind(reader, view, portion, is_mine=size == self._size)
        for name, cursor in behind.items():
            most_each = max(1, most // len(behind))
            try:
                self._take(reader, cursor, portion, most_each)
            except Fault as fault:
                portion.left_out[name] = fault.reason
        portion.tiles |= grown(size, merkle.leaves(portion.leaves), view.tile)
        portion.tiles |= bundled(size, portion.leaves, view.tile)
        return portion

    def _behind(
        self, reader: Reader, view: LogView, portion: Portion, *, is_mine: bool
    ) -> dict[str, Cursor]:
        """The streams that have entries which are not in the log. `is_mine` says that nobody else
        has grown it since the cursors were true.
        """
        found = dict[str, Cursor]()
        for name, row in reader.streams().items():
            known = self._cursors.get(name)
            if known and is_mine and (known.seq, known.hash) == (row.seq, row.hash):
                continue
            try:
                if known and not _stands(reader, known):  # entries were set aside
                    known = None
                if known is None or not is_mine:
                    known = self._logged(reader, view, known or Cursor(name), row.seq)
            except Fault as fault:
                portion.left_out[name] = fault.reason
                continue
            self._cursors[name] = known
            if row.seq > known.seq:
                found[name] = known
        return found

    def _logged(self, reader: Reader, view: LogView, known: Cursor, standing: int) -> Cursor:
        """Where a stream's next entry for the log follows; `known` may be an earlier one."""
        name = known.stream
        logged = view.last(name)
        if logged is None:
            return Cursor(name)
        if logged.last <= standing:
            if (known.seq, known.hash) == (logged.last, logged.hash):
                return known
            cursor = cursor_at(reader, name, logged.last, known)
            if cursor.hash == logged.hash:
                return cursor
        first = first_after_epoch(reader, name, standing, logged.epoch)
        if first > standing:
            raise Fault(
                "is not the entry that the log has", stream=name, seq=min(standing, logged.last)
            )
        return cursor_at(reader, name, first - 1) if first > 1 else Cursor(name)

    def _take(self, reader: Reader, cursor: Cursor, portion: Portion, most: int) -> None:
        """Entries of one stream, as far as a head that a node has signed."""
        name = cursor.stream
        head = reader.head_upto(name, after=cursor.seq, upto=cursor.seq + most)
        last = reader.last_head(name)
        if head is None or last is None:
            raise Fault(
                f"no node has signed what comes after entry {cursor.seq}",
                stream=name,
                seq=cursor.seq + 1,
            )
        rows = reader.some_entries(name, after=cursor.seq, upto=head.seq)
        taken, end = runs(cursor, rows, self.definitions)
        if not taken:
            raise Fault("is missing", stream=name, seq=head.seq)
        seen = self._seen().get(name)
        verify_head(self.trust, head, end, seen, is_last=head == last)
        self._add(portion, name, taken)
        portion.cursors[name] = end
        portion.waiting += last.seq - head.seq

    def _add(self, portion: Portion, name: str, taken: Sequence[Run]) -> None:
        newest = self.ring.of("leaves")[-1]
        for epoch, first, hashes in taken:
            place = portion.size + len(portion.leaves)
            last = first + len(hashes) - 1
            stands = Range(name, epoch, first, last, place, newest.id, hashes[-1])
            portion.ranges.append(stands)
            portion.leaves += leaves_of(newest.key, name, first, epoch, hashes)


def _stands(reader: Reader, cursor: Cursor) -> bool:
    """Whether the entry is still there."""
    rows = dict(reader.entries(cursor.stream, after=cursor.seq - 1, upto=cursor.seq))
    if cursor.seq not in rows:
        return not cursor.seq
    return header_of(rows[cursor.seq], stream=cursor.stream)[1] == cursor.hash


def put_tiles(connection: Connection, size: int, tiles: Mapping[Tile, bytes]) -> None:
    """Tiles that are new, and those that are wider than in a log of `size` leaves."""
    t = schema.log_tiles.c
    new = list[dict[str, object]]()
    for tile, data in tiles.items():
        in_level = size >> HEIGHT * max(0, tile.level)
        if tile.index * WIDTH < in_level:
            there = update(schema.log_tiles).where(t.level == tile.level, t.n == tile.index)
            connection.execute(there.values(data=data))
        else:
            new.append({"level": tile.level, "n": tile.index, "data": data})
    if new:
        connection.execute(insert(schema.log_tiles), new)
