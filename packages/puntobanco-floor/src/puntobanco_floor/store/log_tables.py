"""The transparency log's tables: where entries stand in it, its tiles, its checkpoints; and how it
grows.

Entries of signed commits become leaves, a portion at a time, by whoever holds the log's row.
Nothing is locked that a wager needs: PostgreSQL locks one row that only growers want; on SQLite all
is worked out in a view of its own, and only what comes of it is written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import ColumnElement, Connection, Engine, Insert, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from puntobanco_floor.domain.definitions import OURS, Definitions
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import engine_for, shorten_errors
from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.store.reader import Reader
from puntobanco_floor.store.signed_chain import (
    Cursor,
    Run,
    cursor_at,
    first_after_epoch,
    runs,
    verify_head,
)
from puntobanco_proof.entry.format import Fault, read_header
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.tree import log_tree, merkle
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint, sign_checkpoint
from puntobanco_proof.tree.faults import BadLogText
from puntobanco_proof.tree.leaves import build_leaves, derive_salt
from puntobanco_proof.tree.log_tree import Hashes
from puntobanco_proof.tree.notes import (
    ED25519,
    Signature,
    Signer,
    Verifier,
    add_signatures,
    read_note,
    verify_name,
)
from puntobanco_proof.tree.policies import Policy
from puntobanco_proof.tree.tiles import HEIGHT, WIDTH, Tile, grow_bundles, grow_tiles, open_tree

LOOKED_AT = 64
"""Checkpoints, from the newest on, among which one that witnesses have cosigned is looked for."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where an entry's leaf stands, the id of the ring's key for its salt, the entry's epoch."""

    index: int
    key: str
    epoch: int


class Range(NamedTuple):
    """Entries of one stream and epoch whose leaves stand side by side."""

    stream: str
    epoch: int
    first: int
    last: int
    place: int
    key: str
    hash: str  # of the last entry

    @property
    def size(self) -> int:
        return self.last - self.first + 1


class LogView:
    """The log as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection

    def standing(self) -> tuple[str, int]:
        """Its name and its size; no name where there is none yet."""
        t = schema.log.c
        for origin, size in self.connection.execute(select(t.origin, t.size)):
            return origin, size
        return "", 0

    def last(self, stream: str) -> Range | None:
        return self._last_range(stream)

    def covered(self, stream: str, size: int) -> int:
        """The last entry of a stream that is among the first `size` leaves; 0 where none is."""
        found = self._last_range(stream, schema.log_places.c.place < size)
        return min(found.last, found.first + size - found.place - 1) if found else 0

    def place(self, stream: str, seq: int) -> Place | None:
        """None where the entry is not there, or not in the log yet."""
        t = schema.entries.c
        data = self.connection.scalar(select(t.data).where(t.stream == stream, t.seq == seq))
        if data is None:
            return None
        header, _ = read_header(bytes(data), stream=stream, seq=seq)
        found = self.range(stream, header.epoch, seq)
        if found is None:
            return None
        return Place(found.place + seq - found.first, found.key, found.epoch)

    def range(self, stream: str, epoch: int, seq: int) -> Range | None:
        """What an entry of that epoch is logged with."""
        t = schema.log_places.c
        found = self._last_range(stream, t.epoch == epoch, t.first <= seq)
        return found if found and seq <= found.last else None

    def _last_range(self, stream: str, *conditions: ColumnElement[bool]) -> Range | None:
        t = schema.log_places.c
        wanted = select(schema.log_places).where(t.stream == stream, *conditions)
        for row in self.connection.execute(
            wanted.order_by(t.epoch.desc(), t.first.desc()).limit(1)
        ):
            return Range(*row)
        return None

    def ranges(self) -> Iterator[Range]:
        wanted = select(schema.log_places).order_by(schema.log_places.c.place)
        with self.connection.execute(wanted, execution_options={"yield_per": 1_000}) as rows:
            for row in rows:
                yield Range(*row)

    def tile(self, tile: Tile) -> bytes:
        """At least so wide, where the log has it."""
        t = schema.log_tiles.c
        wanted = select(t.data).where(t.level == tile.level, t.n == tile.index)
        data = self.connection.scalar(wanted)
        return _held(tile, data)

    def tiles(self, tiles: Sequence[Tile]) -> Iterator[tuple[Tile, bytes]]:
        """The same of many, which follow each other in one level."""
        t, first, last = schema.log_tiles.c, tiles[0], tiles[-1]
        of_level = select(t.n, t.data).where(t.level == first.level)
        wanted = of_level.where(t.n.between(first.index, last.index)).order_by(t.n)
        with self.connection.execute(wanted, execution_options={"yield_per": WIDTH}) as rows:
            for tile in tiles:
                index, data = next(rows, (tile.index, None))
                yield tile, _held(tile, data if index == tile.index else None)

    def hashes(self, size: int) -> Hashes:
        return open_tree(self.tile, size)

    def root(self, size: int) -> bytes:
        return log_tree.compute_root(size, self.hashes(size))

    def checkpoint(self, size: int) -> str | None:
        t = schema.checkpoints.c
        return self.connection.scalar(select(t.note).where(t.size == size))

    def newest(self, count: int) -> list[str]:
        """The last checkpoints, the newest first."""
        t = schema.checkpoints.c
        return list(self.connection.scalars(select(t.note).order_by(t.size.desc()).limit(count)))


def _held(tile: Tile, data: object) -> bytes:
    if not isinstance(data, bytes | memoryview):
        raise LogFault(f"the log has no tile {tile.index} of level {tile.level}")
    return bytes(data)


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

    def hash_leaves(self, view: LogView) -> None:
        """Make the tiles that the leaves change."""
        self.tiles |= grow_tiles(self.size, merkle.hash_leaves(self.leaves), view.tile)
        self.tiles |= grow_bundles(self.size, self.leaves, view.tile)

    def write(self, connection: Connection) -> None:
        put_tiles(connection, self.size, self.tiles)
        if self.ranges:
            rows = [each._asdict() for each in self.ranges]
            connection.execute(insert(schema.log_places), rows)
        size = self.size + len(self.leaves)
        connection.execute(update(schema.log).values(size=size))


class TransparencyLog:
    """The log of a floor. Its connections are its own: nobody waits for it."""

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
        self.url, self.ring, self.trust, self.definitions = url, ring, trust, definitions
        self._seen, self._point = seen, point
        self._size = -1  # of the log when the cursors were true
        self._cursors = dict[str, Cursor]()

    @cached_property
    def _reads(self) -> Engine:
        return engine_for(self.url, read_only=True, pooled=True)

    @cached_property
    def _writes(self) -> Engine:
        return engine_for(self.url, pooled=True)

    def close(self) -> None:
        for name in ("_reads", "_writes"):
            engine: Engine | None = self.__dict__.pop(name, None)
            if engine is not None:
                engine.dispose()

    @contextmanager
    def view(self) -> Iterator[LogView]:
        with shorten_errors(self.url), self._reads.begin() as connection:
            yield LogView(connection)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with shorten_errors(self.url), self._writes.begin() as connection:
            yield connection

    # What there is

    @property
    def origin(self) -> str:
        """The log's name; what it would be made as, where there is none yet."""
        with self.view() as view:
            origin, _ = view.standing()
        return origin or self._own_name()

    def _own_name(self) -> str:
        """From its oldest key: programs that start at once find the same."""
        private = Ed25519PrivateKey.from_private_bytes(self.ring.of("log")[0].key)
        public = private.public_key().public_bytes_raw()
        return f"puntobanco/{sha256(public).hexdigest()[:16]}"

    def open(self, origin: str = "") -> str:
        """Make it, where there is none; its name, which is never changed."""
        if origin:
            verify_name(origin)
        with self.view() as view:
            found, _ = view.standing()
        if not found:
            name = origin or self._own_name()
            self._insert(insert(schema.log).values(id=1, origin=name, size=0))
            return self.open(origin)
        if origin and origin != found:
            raise LogFault(
                f"the log of this floor is {found}, and log_origin says {origin}: a log keeps its "
                "name; correct the setting"
            )
        return found

    def _insert(self, row: Insert) -> None:
        """Insert a row unless another program was first."""
        with suppress(IntegrityError), self._writes.begin() as connection:
            connection.execute(row)

    def size(self) -> int:
        with self.view() as view:
            _, size = view.standing()
        return size

    def place(self, stream: str, seq: int) -> Place | None:
        with self.view() as view:
            return view.place(stream, seq)

    def salt(self, stream: str, seq: int, place: Place) -> bytes:
        """Of an entry's leaf."""
        for key in self.ring.of("leaves"):
            if key.id == place.key:
                return derive_salt(key.key, stream, seq, place.epoch)
        raise LogFault(
            f"key {place.key} of the log's leaves is not in the key ring: put the newest one here"
        )

    def tile(self, tile: Tile) -> bytes:
        with self.view() as view:
            return view.tile(tile)

    def hashes(self, size: int) -> Hashes:
        return open_tree(self.tile, size)

    # Checkpoints

    def signers(self, origin: str) -> list[Signer]:
        """The newest first. The one before signs too: whoever knows the log by it has time."""
        keys = [key for key in self.ring.of("log") if not key.replaced_at]
        return [Signer(origin, ED25519, key.key) for key in reversed(keys)]

    def verifiers(self) -> tuple[Verifier, ...]:
        """The keys by which a checkpoint of this log is known, the newest first."""
        return tuple(signer.verifier for signer in self.signers(self.origin))

    def checkpoint(self) -> str | None:
        """The newest, with the signatures that it has so far."""
        with self.view() as view:
            return next(iter(view.newest(1)), None)

    def signed_size(self) -> int:
        """Of the newest checkpoint; 0 where there is none."""
        with self.view() as view:
            newest = view.connection.scalar(select(func.max(schema.checkpoints.c.size)))
        return newest or 0

    def witnessed(self, policy: Policy) -> str | None:
        """The newest that enough witnesses have cosigned."""
        logs = self.verifiers()
        with self.view() as view:
            notes = view.newest(LOOKED_AT)
        for note in notes:
            names = cosigners(note, logs, policy)
            if policy.witnesses and policy.is_witnessed(names):
                return note
        return None

    def sign(self) -> str:
        """A checkpoint of what is committed, signed and stored."""
        with self.view() as view:
            origin, size = view.standing()
            if not origin:
                raise LogFault("there is no log yet")
            kept = view.checkpoint(size)
            root = view.root(size) if kept is None else b""
        if kept is not None:
            return kept
        newest, *older = self.signers(origin)
        checkpoint = Checkpoint(origin, size, root)
        note = sign_checkpoint(checkpoint, newest)
        note = add_signatures(note, [signer.sign(checkpoint.text) for signer in older])
        self._insert(insert(schema.checkpoints).values(size=size, note=note))
        return note

    def cosign(self, size: int, signatures: Iterable[Signature]) -> str:
        """The checkpoint of that size, with further signatures behind those that it has."""
        t = schema.checkpoints.c
        with self.writing() as connection:
            wanted = select(t.note).where(t.size == size).with_for_update()
            note = connection.scalar(wanted)
            if note is None:
                raise LogFault(f"there is no checkpoint of {size} leaves")
            known = {(each.name, each.id) for each in read_note(note).signatures}
            more = [each for each in signatures if (each.name, each.id) not in known]
            grown = add_signatures(note, more)
            if more:
                connection.execute(
                    update(schema.checkpoints).where(t.size == size).values(note=grown)
                )
        return grown

    # Growth

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
        if is_postgres(self.url):
            with self.writing() as connection:
                lock = select(schema.log.c.size).with_for_update(skip_locked=True)
                if connection.scalar(lock) is None:
                    return None
                portion = self._taken(LogView(connection), most)
                self._point("taken")
                self._write(connection, portion)
            return portion
        with self.view() as view:
            portion = self._taken(view, most)
        self._point("taken")
        if portion.leaves:
            with self.writing() as connection:
                if LogView(connection).standing()[1] != portion.size:
                    return None
                self._write(connection, portion)
        return portion

    def _write(self, connection: Connection, portion: Portion) -> None:
        if portion.leaves:
            portion.write(connection)
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
        portion.hash_leaves(view)
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
            portion.leaves += build_leaves(newest.key, name, first, epoch, hashes)


def verifiers_of(ring: KeyRing, origin: str) -> tuple[Verifier, ...]:
    """Every key that has ever signed a log of this name, the newest first."""
    keys = reversed(ring.of("log"))
    return tuple(Signer(origin, ED25519, key.key).verifier for key in keys)


def cosigners(note: str, logs: Iterable[Verifier], policy: Policy) -> frozenset[str]:
    """Name the witnesses that have cosigned a checkpoint; an unreadable note has none."""
    try:
        opened = open_checkpoint(note, logs, policy.verifiers)
    except BadLogText:
        return frozenset()
    return policy.find_names(opened.times)


def _stands(reader: Reader, cursor: Cursor) -> bool:
    """Whether the entry is still there."""
    rows = dict(reader.entries(cursor.stream, after=cursor.seq - 1, upto=cursor.seq))
    if cursor.seq not in rows:
        return not cursor.seq
    return read_header(rows[cursor.seq], stream=cursor.stream)[1] == cursor.hash


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
