"""The log after a recovery: go on from the longer of database and publication; count losses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import insert

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.journal.key_files import Key
from puntobanco_floor.store import schema
from puntobanco_floor.store.errors import LogFault
from puntobanco_floor.store.log_tables import LogView, Portion, Range, TransparencyLog
from puntobanco_floor.store.reader import Reader
from puntobanco_floor.store.signed_chain import Cursor, follow
from puntobanco_floor.transparency.publication import Publication, verify_published
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import Checkpoint, open_checkpoint
from puntobanco_proof.tree.leaves import build_leaf, derive_salt
from puntobanco_proof.tree.tiles import (
    ENTRIES,
    WIDTH,
    Tile,
    open_tree,
    split_bundle,
)

_EPOCH = f'"{e.EpochBegun.__name__}"'.encode()


def go_on(log: TransparencyLog, publication: Publication) -> int:
    """Bring the database's log to what was published. How many leaves have no entry, that no epoch
    has said yet; run again after a crash it comes to the same.
    """
    published = publication.checkpoint()
    if published is not None:
        log.open(published.origin)
        with log.view() as view:
            _, size = view.standing()
            if size >= published.size:
                verify_published(view, published, publication.folder)
        if size < published.size:
            _take_over(log, publication, published)
    with log.view() as view:
        return unplaced(view) - journalled(Reader(view.connection, log.definitions))


def lost_leaves(log: TransparencyLog, publication: Publication) -> int:
    """Count the leaves that `go_on` would find lost, or published only; write nothing."""
    published = publication.checkpoint()
    with log.view() as view:
        _, size = view.standing()
        ahead = max(0, published.size - size) if published else 0
        return ahead + unplaced(view) - journalled(Reader(view.connection, log.definitions))


def unplaced(view: LogView) -> int:
    """Leaves that no entry of the database has."""
    _, size = view.standing()
    return size - sum(each.size for each in view.ranges())


def journalled(reader: Reader) -> int:
    """Leaves that epochs of the house's stream have said to be lost."""
    lost = 0
    for seq, data in reader.entries(FLOOR):
        if _EPOCH not in data:
            continue
        entry = reader.definitions.read(data, stream=FLOOR, seq=seq)
        begun = [event for event in entry.events if isinstance(event, e.EpochBegun)]
        lost += sum(event.lost_leaves for event in begun)
    return lost


def _take_over(log: TransparencyLog, publication: Publication, published: Checkpoint) -> None:
    """Published leaves that the database has not, with places for those whose entries it has."""
    note = publication.note() or ""
    open_checkpoint(note, log.verifiers())
    folder = open_tree(publication.tile, published.size)
    with log.view() as view:
        origin, size = view.standing()
        if log_tree.compute_root(size, folder) != view.root(size):
            raise LogFault(
                f"the database's log and the publication folder {publication.folder} have other "
                f"pasts, of {size} and {published.size} leaves: neither goes on from the other; "
                "name the folder of this floor with --publication, or bring back another backup"
            )
        portion = Portion(origin, size)
        portion.leaves += _leaves(publication, size, published.size)
        portion.hash_leaves(view)
        places = {each: size + n for n, each in enumerate(portion.leaves)}
        portion.ranges += _placed(log, view, places)
    with log.writing() as connection:
        portion.write(connection)
        if LogView(connection).root(published.size) != published.root:
            raise LogFault(
                f"the leaves in {publication.folder} do not come to its checkpoint: bring the "
                "folder back from a copy"
            )
        connection.execute(insert(schema.checkpoints).values(size=published.size, note=note))


def _leaves(publication: Publication, begin: int, end: int) -> Iterator[bytes]:
    for index in range(begin // WIDTH, -(-end // WIDTH)):
        tile = Tile(ENTRIES, index, min(WIDTH, end - index * WIDTH))
        found = split_bundle(tile, publication.tile(tile))
        yield from found[max(0, begin - index * WIDTH) :]


def _placed(log: TransparencyLog, view: LogView, places: dict[bytes, int]) -> Iterator[Range]:
    """Entries that were logged after the copy of the database's log, and are still there."""
    reader = Reader(view.connection, log.definitions)
    keys = log.ring.of("leaves")
    for name in reader.streams():
        logged = view.last(name)
        start = Cursor(name)
        if logged is not None:
            start = Cursor(name, logged.epoch, logged.last, logged.hash)
        rows = reader.entries(name, after=start.seq)
        try:
            found = [_found(each, keys, places) for each in follow(start, rows, log.definitions)]
        except Fault:  # whoever opens the stream hears of it
            continue
        yield from _join(each for each in found if each is not None)


def _found(entry: Cursor, keys: Iterable[Key], places: dict[bytes, int]) -> Range | None:
    for key in keys:
        own = build_leaf(derive_salt(key.key, entry.stream, entry.seq, entry.epoch), entry.hash)
        if own in places:
            at = places[own]
            return Range(entry.stream, entry.epoch, entry.seq, entry.seq, at, key.id, entry.hash)
    return None


def _join(ranges: Iterable[Range]) -> list[Range]:
    """Join neighbours."""
    joined = list[Range]()
    for each in ranges:
        before = joined[-1] if joined else each
        next_place = before.place + before.size
        follows = before._replace(first=before.last + 1, last=each.last, place=next_place)
        if each == follows._replace(hash=each.hash):
            joined[-1] = before._replace(last=each.last, hash=each.hash)
        else:
            joined.append(each)
    return joined
