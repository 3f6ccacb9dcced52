"""The transparency log's tables: where entries stand in it, its tiles, its checkpoints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from sqlalchemy import Connection, Engine, func, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import engine_for, shown
from puntobanco_floor.store.errors import BadDatabase, LogFault, first_line
from puntobanco_proof.entry.format import header_of
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint, signed
from puntobanco_proof.tree.faults import BadLogText
from puntobanco_proof.tree.leaves import salt
from puntobanco_proof.tree.log_tree import Hashes
from puntobanco_proof.tree.notes import (
    ED25519,
    Signature,
    Signer,
    Verifier,
    read_note,
    verify_name,
    with_signatures,
)
from puntobanco_proof.tree.policies import Policy
from puntobanco_proof.tree.tiles import WIDTH, Tile, hashes_from

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
        """The last entries of a stream that are in the log."""
        t = schema.log_places.c
        mine = select(schema.log_places).where(t.stream == stream)
        wanted = mine.order_by(t.epoch.desc(), t.first.desc()).limit(1)
        for row in self.connection.execute(wanted):
            return Range(*row)
        return None

    def covered(self, stream: str, size: int) -> int:
        """The last entry of a stream that is among the first `size` leaves; 0 where none is."""
        t = schema.log_places.c
        mine = select(schema.log_places).where(t.stream == stream, t.place < size)
        for row in self.connection.execute(mine.order_by(t.epoch.desc(), t.first.desc()).limit(1)):
            found = Range(*row)
            return min(found.last, found.first + size - found.place - 1)
        return 0

    def place(self, stream: str, seq: int) -> Place | None:
        """None where the entry is not there, or not in the log yet."""
        t = schema.entries.c
        data = self.connection.scalar(select(t.data).where(t.stream == stream, t.seq == seq))
        if data is None:
            return None
        header, _ = header_of(bytes(data), stream=stream, seq=seq)
        found = self.range(stream, header.epoch, seq)
        if found is None:
            return None
        return Place(found.place + seq - found.first, found.key, found.epoch)

    def range(self, stream: str, epoch: int, seq: int) -> Range | None:
        """What an entry of that epoch is logged with."""
        t = schema.log_places.c
        mine = select(schema.log_places).where(t.stream == stream, t.epoch == epoch)
        before = mine.where(t.first <= seq).order_by(t.first.desc()).limit(1)
        for row in self.connection.execute(before):
            found = Range(*row)
            return found if seq <= found.last else None
        return None

    def ranges(self) -> Iterator[Range]:
        """All of them, in the order of the log."""
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
        return hashes_from(self.tile, size)

    def root(self, size: int) -> bytes:
        return log_tree.root(size, self.hashes(size))

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


class LogTables:
    """The log of a floor. Its connections are its own: nobody waits for it."""

    def __init__(self, url: str, ring: KeyRing) -> None:
        self.url, self.ring = url, ring
        self.has_row_locks = is_postgres(url)

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
        with self._said(), self._reads.begin() as connection:
            yield LogView(connection)

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        with self._said(), self._writes.begin() as connection:
            yield connection

    @contextmanager
    def _said(self) -> Iterator[None]:
        try:
            yield
        except DBAPIError as error:
            raise BadDatabase(f"{shown(self.url)} cannot be used: {first_line(error)}") from None

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
            self._make(origin or self._own_name())
            return self.open(origin)
        if origin and origin != found:
            raise LogFault(
                f"the log of this floor is {found}, and log_origin says {origin}: a log keeps its "
                "name; correct the setting"
            )
        return found

    def _make(self, origin: str) -> None:
        try:
            with self._writes.begin() as connection:
                connection.execute(insert(schema.log).values(id=1, origin=origin, size=0))
        except IntegrityError:
            return  # another program was first

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
                return salt(key.key, stream, seq, place.epoch)
        raise LogFault(
            f"key {place.key} of the log's leaves is not in the key ring: put the newest one here"
        )

    def tile(self, tile: Tile) -> bytes:
        with self.view() as view:
            return view.tile(tile)

    def hashes(self, size: int) -> Hashes:
        return hashes_from(self.tile, size)

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
        note = signed(checkpoint, newest)
        note = with_signatures(note, [signer.sign(checkpoint.text) for signer in older])
        self._keep(size, note)
        return note

    def _keep(self, size: int, note: str) -> None:
        try:
            with self._writes.begin() as connection:
                connection.execute(insert(schema.checkpoints).values(size=size, note=note))
        except IntegrityError:
            return  # another node has signed the same

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
            grown = with_signatures(note, more)
            if more:
                connection.execute(
                    update(schema.checkpoints).where(t.size == size).values(note=grown)
                )
        return grown


def verifiers_of(ring: KeyRing, origin: str) -> tuple[Verifier, ...]:
    """Every key that has ever signed a log of this name, the newest first."""
    keys = reversed(ring.of("log"))
    return tuple(Signer(origin, ED25519, key.key).verifier for key in keys)


def cosigners(note: str, logs: Iterable[Verifier], policy: Policy) -> frozenset[str]:
    """The witnesses that have cosigned a checkpoint, as the policy calls them; a note that cannot
    be read has none.
    """
    try:
        opened = open_checkpoint(note, logs, policy.verifiers)
    except BadLogText:
        return frozenset()
    return policy.names_of(opened.times)
