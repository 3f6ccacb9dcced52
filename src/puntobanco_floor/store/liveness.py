"""Running nodes: whether another program has the floor's database open."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy import text

from puntobanco.base.refusal import Refusal
from puntobanco_floor.store.addresses import NODE_NAME, is_postgres
from puntobanco_floor.store.engines import connected, shown, sqlite_path
from puntobanco_floor.store.sqlite_file import serving

GONE_S = 3.0
"""How long PostgreSQL may still list the connections of a node that has just stopped."""

STOP = "stop every node, then run this again"

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
            raise Refusal(f"nodes are connected to {shown(url)} ({listed}); {STOP}")
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
