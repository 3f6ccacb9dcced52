"""Login sessions of the staff: hashed tokens, who, with which password, and when last seen.

They are in the database where several nodes share a floor, else in memory. A token is random and
only its hash is stored, so that whoever reads the database cannot use one. It is no part of the
journal: who logged in is there, when somebody last touched a key is not worth an entry. A login
that ends is removed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import DBAPIError

from puntobanco_floor.store import schema
from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import engine_for
from puntobanco_floor.store.errors import NotStored, first_line

_T = schema.logins.c


class LoginsInMemory:
    """SQLite has one process: its logins end with it."""

    def __init__(self) -> None:
        self._rows = dict[str, tuple[str, str, int]]()

    def put(self, token: str, person: str, password: str, at: int) -> None:
        self._rows[token] = person, password, at

    def get(self, token: str) -> tuple[str, str, int] | None:
        return self._rows.get(token)

    def touch(self, token: str, at: int) -> None:
        if token in self._rows:
            self._rows[token] = *self._rows[token][:2], at

    def remove(self, token: str) -> None:
        self._rows.pop(token, None)

    def sweep(self, before: int) -> None:
        """Remove those not seen since."""
        self._rows = {token: row for token, row in self._rows.items() if row[2] >= before}


class LoginTable:
    """In PostgreSQL, over connections of its own that are kept."""

    def __init__(self, url: str) -> None:
        self._engine = engine_for(url, pooled=True)

    @contextmanager
    def _begun(self) -> Iterator[Connection]:
        try:
            with self._engine.begin() as db:
                yield db
        except DBAPIError as error:
            raise NotStored(
                f"logins cannot be looked up now: {first_line(error)}; try again"
            ) from None

    def put(self, token: str, person: str, password: str, at: int) -> None:
        with self._begun() as db:
            row = {"token": token, "person": person, "password": password, "seen_at": at}
            db.execute(insert(schema.logins), row)

    def get(self, token: str) -> tuple[str, str, int] | None:
        wanted = select(_T.person, _T.password, _T.seen_at).where(_T.token == token)
        with self._begun() as db:
            row = db.execute(wanted).first()
        return tuple(row) if row else None

    def touch(self, token: str, at: int) -> None:
        # never backwards: two nodes may touch the same login in either order
        older = update(schema.logins).where(_T.token == token, _T.seen_at < at)
        with self._begun() as db:
            db.execute(older.values(seen_at=at))

    def remove(self, token: str) -> None:
        with self._begun() as db:
            db.execute(delete(schema.logins).where(_T.token == token))

    def sweep(self, before: int) -> None:
        with self._begun() as db:
            db.execute(delete(schema.logins).where(_T.seen_at < before))


LoginRows: TypeAlias = LoginTable | LoginsInMemory


def login_rows(url: str) -> LoginRows:
    return LoginTable(url) if is_postgres(url) else LoginsInMemory()
