"""Ready nodes of a floor: whether a node may leave the others to serve its terminals.

On PostgreSQL each ready node holds a shared advisory lock, on a connection of its own. The server
releases the lock when the node or its connection ends, so a node that died does not count. A node
whose readiness no balancer asks for takes no lock, and does not count either.
"""

from __future__ import annotations

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from puntobanco_floor.store.addresses import is_postgres
from puntobanco_floor.store.engines import engine_for
from puntobanco_floor.store.errors import BadDatabase

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
        if not self._is_held:
            return
        try:
            self._run("SELECT pg_advisory_unlock_shared(:key, :lock)", READY)
            self._is_held = False
        except (SQLAlchemyError, BadDatabase):
            self.close()

    def close(self) -> None:
        connection, self._connection, self._is_held = self._connection, None, False
        if connection is not None:
            connection.invalidate()  # closes the session, and with it the lock
            connection.close()

    def _decide(self, *, would_leave: bool) -> bool:
        if not would_leave:
            if not self._is_held:
                self._run("SELECT pg_advisory_lock_shared(:key, :lock)", READY)
                self._is_held = True
            else:
                self._opened().execute(text("SELECT 1"))  # is the session still there?
            return True
        self._run("SELECT pg_advisory_lock(:key, :lock)", DECIDING)
        try:
            others = self._opened().scalar(_OTHERS, {"key": _KEY, "lock": READY})
            if others and self._is_held:
                self._run("SELECT pg_advisory_unlock_shared(:key, :lock)", READY)
                self._is_held = False
            elif not others and not self._is_held:
                self._run("SELECT pg_advisory_lock_shared(:key, :lock)", READY)
                self._is_held = True
        finally:
            self._run("SELECT pg_advisory_unlock(:key, :lock)", DECIDING)
        return not others

    def _run(self, statement: str, lock: int) -> None:
        self._opened().execute(text(statement), {"key": _KEY, "lock": lock})

    def _opened(self) -> Connection:
        if self._connection is None:
            engine = engine_for(self.url).execution_options(isolation_level="AUTOCOMMIT")
            self._connection = engine.connect()
            self._connection.execute(text(f"SET statement_timeout = {ANSWER_MS}"))
        return self._connection
