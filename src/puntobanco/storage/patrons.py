"""Patrons by their cards: a MAC of each card's id, and the random id that the journal has for who
holds it.

The one place that leads from a card to a patron. It is no part of the journal, so that a row can be
erased for good: without it, what the journal keeps is about nobody in particular.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager

from sqlalchemy import Connection, delete, select, text

from puntobanco.storage import schema
from puntobanco.storage.errors import BadDatabase, NotStored
from puntobanco.storage.locate import connected, engine_for, is_postgres, sqlite_path
from puntobanco.storage.sqlite_file import connect

_T = schema.patrons.c
_log = logging.getLogger("puntobanco.store")

# both databases know it: of nodes that come at once, the first one's row stays
_PUT = text(
    "INSERT INTO patrons (card, patron, made_at) VALUES (:card, :patron, :made_at) "
    "ON CONFLICT DO NOTHING"
)


class PatronTable:
    """On either database, over a connection for each question: a card is read when somebody sits
    down, and waits for nobody's batch.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    def patron_of(self, *cards: str) -> str | None:
        """Whose card it is, by any of its MACs."""
        with self._looking() as db:
            return db.scalar(select(_T.patron).where(_T.card.in_(cards)))

    def has(self, patron: str) -> bool:
        with self._looking() as db:
            return db.scalar(select(_T.card).where(_T.patron == patron)) is not None

    def put(self, card: str, patron: str, at: int) -> str | None:
        """The patron of this card: this one, or who was put first, perhaps by another node a moment
        ago. None where the id is another card's.
        """
        with self._changing() as db:
            db.execute(_PUT, {"card": card, "patron": patron, "made_at": at})
            return db.scalar(select(_T.patron).where(_T.card == card))

    def erase(self, patron: str) -> None:
        """The row, and what the database keeps of rows that are deleted: a backup that is made
        later has none of it.
        """
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


@contextmanager
def _said() -> Iterator[None]:
    try:
        yield
    except BadDatabase as error:
        raise NotStored(f"patrons cannot be looked up now: {error.reason}; try again") from None
