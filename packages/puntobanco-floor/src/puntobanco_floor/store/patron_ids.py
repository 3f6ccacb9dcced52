"""Patrons by their cards: a MAC of each card's id, and the random id that the journal has for who
holds it.

The one place that leads from a card to a patron. It is no part of the journal, so that a row can be
erased for good: without it, what the journal keeps is about nobody in particular. So it must not
decide alone who is excluded: a row has a MAC over card and patron, and to every patron whom the
house's stream protects a row leads, unless the stream says that it was erased.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import islice
from typing import NamedTuple

from sqlalchemy import Connection, delete, literal, select, text, update

from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import connected, engine_for, sqlite_path
from puntobanco_floor.store.errors import BadDatabase, NotStored
from puntobanco_floor.store.schema_upgrade import version_of
from puntobanco_floor.store.sqlite_file import connect

_T = schema.patrons.c
_log = logging.getLogger("puntobanco.store")

AT_ONCE = 1_000
"""Patrons that are asked for at once."""

FIRST_WITH_MACS = "0007"
"""The version of the database."""

# both databases know it: of nodes that come at once, the first one's row stays
_PUT = text(
    "INSERT INTO patrons (card, patron, made_at, mac) VALUES (:card, :patron, :made_at, :mac) "
    "ON CONFLICT DO NOTHING"
)


class CardRow(NamedTuple):
    """A MAC of a card's id, the patron whose it is, and the MAC of the two."""

    card: str
    patron: str
    mac: str

    @property
    def text(self) -> str:
        return f"{self.card}\n{self.patron}"

    def is_believed(self, ring: KeyRing | None, *, is_bound: bool) -> bool:
        """Whether this floor wrote it, as far as can be told: without a ring not by its MAC. One
        without a MAC is from before `is_bound` became true, or made up.
        """
        if not self.mac:
            return not is_bound
        return ring is None or ring.has_made("patrons", self.text, self.mac)


def bound(ring: KeyRing, card: str, patron: str) -> CardRow:
    bare = CardRow(card, patron, "")
    return bare._replace(mac=ring.mac("patrons", bare.text))


def unreachable(db: Connection, house: HouseState, ring: KeyRing | None) -> list[str]:
    """Patrons whom the house protects and to whom no card leads that can be believed: who comes
    with the card of one of them would be somebody new.
    """
    left = house.protected
    for row in _rows_of(db, sorted(left)):
        if row.is_believed(ring, is_bound=house.cards_bound):
            left.discard(row.patron)
    return sorted(left)


def _rows_of(db: Connection, patrons: Iterable[str]) -> Iterator[CardRow]:
    has_macs = (version_of(db) or "") >= FIRST_WITH_MACS
    wanted = select(_T.card, _T.patron, _T.mac if has_macs else literal(""))
    names = iter(patrons)
    while some := list(islice(names, AT_ONCE)):
        for row in db.execute(wanted.where(_T.patron.in_(some))):
            yield CardRow(*map(str, row))


class PatronTable:
    """One connection for each question: a card is read at sitting down and waits for no batch."""

    def __init__(self, url: str) -> None:
        self._url = url

    def row_of(self, *cards: str) -> CardRow | None:
        """Whose card it is, by any of its MACs."""
        with self._looking() as db:
            return _first(db, cards)

    def has(self, patron: str) -> bool:
        with self._looking() as db:
            return db.scalar(select(_T.card).where(_T.patron == patron)) is not None

    def unreachable(self, house: HouseState, ring: KeyRing) -> list[str]:
        with self._looking() as db:
            return unreachable(db, house, ring)

    def put(self, row: CardRow, at: int) -> CardRow | None:
        """The row of this card: this one, or the one that was put first, perhaps by another node a
        moment ago. None where the id is another card's.
        """
        with self._changing() as db:
            db.execute(_PUT, {**row._asdict(), "made_at": at})
            return _first(db, [row.card])

    def bind(self, ring: KeyRing) -> int:
        """Give every row that has none its MAC; how many there were. Once in the life of a floor,
        before the journal says that every row has one.
        """
        with self._changing() as db:
            rows = db.execute(select(_T.card, _T.patron).where(_T.mac == "")).all()
            for card, patron in rows:
                mac = bound(ring, card, patron).mac
                db.execute(update(schema.patrons).where(_T.card == card).values(mac=mac))
        return len(rows)

    def mend(self, ring: KeyRing, house: HouseState, backup: str | None) -> tuple[int, int]:
        """Take out rows that this floor did not write, and put back those of a backup that it did
        and that are missing; how many of either. An erased card stays erased.
        """
        kept = list[CardRow]()
        if backup is not None:
            with _said(), connected(backup, read_only=True) as other:
                kept += _rows_of(other, other.scalars(select(_T.patron)).all())
        is_bound = house.cards_bound
        with self._changing() as db:
            now = list(_rows_of(db, db.scalars(select(_T.patron)).all()))
            false = [row for row in now if not row.is_believed(ring, is_bound=is_bound)]
            for row in false:
                db.execute(delete(schema.patrons).where(_T.card == row.card))
            there = {row.patron for row in now} - {row.patron for row in false}
            back = 0
            for row in kept:
                is_ours = bool(row.mac) and row.is_believed(ring, is_bound=True)
                if is_ours and row.patron not in there and row.patron not in house.erased:
                    back += db.execute(_PUT, {**row._asdict(), "made_at": 0}).rowcount
        return len(false), back

    def erase(self, patron: str) -> None:
        """Delete the row and what the database keeps of it: no later backup has any."""
        with self._changing() as db:
            db.execute(delete(schema.patrons).where(_T.patron == patron))
        if is_postgres(self._url):
            self._rewrite_table()
        else:
            self._empty_log()

    @contextmanager
    def _looking(self) -> Iterator[Connection]:
        """To read only: SQLite has one writer at a time, and nobody stands in its way."""
        with _said(), connected(self._url, read_only=True) as db:
            yield db

    @contextmanager
    def _changing(self) -> Iterator[Connection]:
        with _said(), connected(self._url) as db:
            if not is_postgres(self._url):
                # with every change: pages that are split or joined leave no old row behind
                db.exec_driver_sql("PRAGMA secure_delete = ON")
            yield db

    def _rewrite_table(self) -> None:
        """FULL: a plain VACUUM frees the place of a row and leaves its bytes in the page."""
        engine = engine_for(self._url).execution_options(isolation_level="AUTOCOMMIT")
        with engine.connect() as db:
            db.exec_driver_sql("VACUUM FULL patrons")

    def _empty_log(self) -> None:
        """The write-ahead log, which has the row as it was."""
        with closing(connect(sqlite_path(self._url))) as db:
            is_busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if is_busy:
            _log.warning(
                "%s-wal still has an erased row, since somebody reads the database; "
                "it goes when the floor is next stopped",
                sqlite_path(self._url),
            )


def _first(db: Connection, cards: Collection[str]) -> CardRow | None:
    wanted = select(_T.card, _T.patron, _T.mac).where(_T.card.in_(cards))
    row = db.execute(wanted).first()
    return None if row is None else CardRow(*map(str, row))


@contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except BadDatabase as error:
        raise NotStored(f"patrons cannot be looked up now: {error.reason}; try again") from None
