"""Nodes of one floor: whether one may leave the others to serve its terminals, and whether any has
the database open.

On PostgreSQL each ready node holds a shared advisory lock, on a connection of its own. The server
releases the lock when the node or its connection ends, so a node that died does not count. A node
whose readiness no balancer asks for takes no lock, and does not count either.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from puntobanco.base.refusal import Refusal
from puntobanco_floor.store.addresses import NODE_NAME, is_postgres
from puntobanco_floor.store.engines import connected, engine_for, shown, sqlite_path
from puntobanco_floor.store.errors import BadDatabase
from puntobanco_floor.store.sqlite_file import serving

READY, DECIDING = 1, 2
ANSWER_MS = 2_000
_KEY = 5_227_310
"""First half of the advisory locks of this program."""

_OTHERS = text(
    "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock' "
    "AND classid = :key AND objid = :lock AND objsubid = 2 AND pid <> pg_backend_pid() "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
)


class ReadyNodes:
    """One node among those of its floor. Not for two threads at once."""

    def __init__(self, url: str) -> None:
        self.url = url
        self._connection: Connection | None = None
        self._is_held = False

    def is_needed(self, *, would_leave: bool) -> bool:
        """Return whether this node has to be ready: always, unless it would leave and another node
        is ready. Two nodes that would both leave are asked one after the other, and one stays.
        """
        if not is_postgres(self.url):
            return True
        try:
            return self._decide(would_leave=would_leave)
        except (SQLAlchemyError, BadDatabase):  # how many there are is not known
            self.close()
            return True

    def leave(self) -> None:
        """Say that this node is not ready, for a reason that no other node can help."""
        try:
            self._release()
        except (SQLAlchemyError, BadDatabase):
            self.close()

    def close(self) -> None:
        connection, self._connection, self._is_held = self._connection, None, False
        if connection is not None:
            connection.invalidate()  # closes the session, and with it the lock
            connection.close()

    def _decide(self, *, would_leave: bool) -> bool:
        if not would_leave:
            if self._is_held:
                self._opened().execute(text("SELECT 1"))  # is the session still there?
            self._hold()
            return True
        self._run("SELECT pg_advisory_lock(:key, :lock)", DECIDING)
        try:
            others = self._opened().scalar(_OTHERS, {"key": _KEY, "lock": READY})
            if others:
                self._release()
            else:
                self._hold()
        finally:
            self._run("SELECT pg_advisory_unlock(:key, :lock)", DECIDING)
        return not others

    def _hold(self) -> None:
        if not self._is_held:
            self._run("SELECT pg_advisory_lock_shared(:key, :lock)", READY)
            self._is_held = True

    def _release(self) -> None:
        if self._is_held:
            self._run("SELECT pg_advisory_unlock_shared(:key, :lock)", READY)
            self._is_held = False

    def _run(self, statement: str, lock: int) -> None:
        self._opened().execute(text(statement), {"key": _KEY, "lock": lock})

    def _opened(self) -> Connection:
        if self._connection is None:
            engine = engine_for(self.url).execution_options(isolation_level="AUTOCOMMIT")
            self._connection = engine.connect()
            self._connection.execute(text(f"SET statement_timeout = {ANSWER_MS}"))
        return self._connection


GONE_S = 3.0
"""How long PostgreSQL may still list the connections of a node that has just stopped."""

_OF_NODES = text(
    "SELECT coalesce(host(client_addr), 'this machine'), count(*) FROM pg_stat_activity "
    "WHERE datname = current_database() AND application_name = :name AND pid <> pg_backend_pid() "
    "GROUP BY 1 ORDER BY 1"
)


@contextmanager
def nodes_stopped(url: str) -> Iterator[None]:
    """Raise a refusal while a node is running. On SQLite no server starts before this ends."""
    if is_postgres(url):
        _verify_no_connections(url)
        yield
        return
    path = sqlite_path(url)
    if not path.is_file():  # who opens it says so
        yield
        return
    with serving(path):
        _verify_alone(path)
        yield


def _verify_no_connections(url: str) -> None:
    until = time.monotonic() + GONE_S
    while True:
        with connected(url, read_only=True) as connection:
            rows = connection.execute(_OF_NODES, {"name": NODE_NAME}).all()
        if not rows:
            return
        if time.monotonic() > until:
            listed = ", ".join(f"{count} from {address}" for address, count in rows)
            raise Refusal(
                f"nodes are connected to {shown(url)} ({listed}); stop every node, then run this "
                "again"
            )
        time.sleep(0.1)


def _verify_alone(path: Path) -> None:
    """A connection in WAL mode holds a shared lock on the file for as long as it is open."""
    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as db:
        try:
            db.execute("PRAGMA locking_mode = EXCLUSIVE")
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                return  # who opens it says what is wrong
            raise Refusal(
                f"another program has {path} open: stop every node, audit and backup, then run "
                "this again"
            ) from None
