"""Commits that fail on SQLite: "nothing was stored" is said only where that is known; else the process stops, and the restart knows."""

import logging
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.cli.serve import IO_ERROR
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store import sqlite
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import InDoubt, NotStored
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import connect
from tests.storage.failing_sync import TABLE, build_library, play
from tests.support.http import http
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.served import Served
from tools.tree import ROOT

OPEN = c.OpenTable(by="boss", game="six-star")
SEAT = c.SeatSession(by="ann", session="ann")


class FailingCommit:
    """A connection whose next COMMIT fails, before or after it was done."""

    def __init__(self, db: sqlite3.Connection, code: int, *, is_done: bool) -> None:
        self.db, self.code, self.is_done = db, code, is_done

    def __getattr__(self, name: str) -> Any:
        return getattr(self.db, name)

    def execute(self, statement: str, *values: Any) -> Any:
        if statement != "COMMIT" or not self.code:
            return self.db.execute(statement, *values)
        error = sqlite3.OperationalError("the disk failed")
        error.sqlite_errorcode, self.code = self.code, 0
        if self.is_done:
            self.db.execute("COMMIT")
        raise error


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "floor.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(path) as store:
        assert ask(store, "open", OPEN).ok
        yield store


def ask(store: SqliteStore, id_: str, command: Command) -> Answer:
    return store.ask(Request(stream=TABLE, id=id_, command=command))


def fail_commit(store: SqliteStore, code: int, *, is_done: bool) -> None:
    failing: Any = FailingCommit(store._db, code, is_done=is_done)
    store._db = failing


def seated(store: SqliteStore) -> list[str]:
    events = [event for _, data in store.entries(TABLE) for event in read_entry(data).events]
    return [event.session for event in events if isinstance(event, e.SessionSeated)]


IO_ERRORS = [
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_WRITE,
    sqlite3.SQLITE_IOERR_SHMSIZE,
    sqlite3.SQLITE_NOMEM,
]


@pytest.mark.parametrize("code", IO_ERRORS)
@pytest.mark.parametrize("is_done", [True, False])
def test_after_an_io_error_in_commit_the_store_says_in_doubt_and_stops(
    store: SqliteStore, code: int, is_done: bool, caplog: pytest.LogCaptureFixture
) -> None:
    stopped = list[str]()
    store.on_stopped = stopped.append
    fail_commit(store, code, is_done=is_done)
    with pytest.raises(InDoubt, match="not yet known"):
        ask(store, "seat", SEAT)
    for id_ in ("seat", "another"):
        with pytest.raises(NotStored, match="stopped after an I/O error"):
            ask(store, id_, SEAT)
    assert stopped == ["the disk failed"]
    [said] = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert "start it again, and the file decides" in said.getMessage()
    store.close()
    with SqliteStore(store.path) as again:
        assert seated(again) == (["ann"] if is_done else [])
        assert ask(again, "seat", SEAT).ok
        assert seated(again) == ["ann"]
    assert audit(store.path).sound


def test_commands_of_one_batch_in_doubt_all_hear_so(store: SqliteStore) -> None:
    fail_commit(store, sqlite3.SQLITE_IOERR_FSYNC, is_done=True)
    requests = [
        Request(stream=TABLE, id=f"{n}", command=c.SeatSession(by="x", session=f"s{n}"))
        for n in range(50)
    ]
    heard = [type(future.exception()) for future in [store.submit(each) for each in requests]]
    assert set(heard) <= {InDoubt, NotStored}
    in_doubt = [f"s{n}" for n, kind in enumerate(heard) if kind is InDoubt]
    assert in_doubt
    store.close()
    with SqliteStore(store.path) as again:
        assert seated(again) == in_doubt, "what was refused as not stored is not stored"


@pytest.mark.parametrize("code", [sqlite3.SQLITE_FULL, sqlite3.SQLITE_BUSY])
def test_a_full_disk_in_commit_is_not_stored_and_the_node_goes_on(
    store: SqliteStore, code: int
) -> None:
    fail_commit(store, code, is_done=False)
    with pytest.raises(NotStored, match="nothing was stored"):
        ask(store, "seat", SEAT)
    assert seated(store) == []
    assert ask(store, "seat", SEAT).ok
    assert seated(store) == ["ann"]


def test_a_full_disk_is_believed_only_if_the_heads_have_not_moved(store: SqliteStore) -> None:
    fail_commit(store, sqlite3.SQLITE_FULL, is_done=True)
    with pytest.raises(InDoubt):
        ask(store, "seat", SEAT)
    store.close()
    with SqliteStore(store.path) as again:
        assert seated(again) == ["ann"]


def test_keys_rotated_in_a_commit_in_doubt_are_said_to_be_in_doubt(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = connect

    def failing(*args: Any, **options: Any) -> Any:
        return FailingCommit(real(*args, **options), sqlite3.SQLITE_IOERR_FSYNC, is_done=False)

    monkeypatch.setattr(sqlite, "connect", failing)
    with pytest.raises(InDoubt):
        store.rotate_keys()


# A disk that fails to sync


def test_when_fsync_fails_every_answer_that_a_client_heard_agrees_with_the_journal(
    tmp_path: Path,
) -> None:
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("needs a C compiler on Linux")
    library = build_library(tmp_path, compiler)
    was_in_doubt = was_stored = 0
    for nth in (2, 3, 7, 12, 25):
        database, answers = tmp_path / f"{nth}.db", tmp_path / f"{nth}.answers"
        where = [str(database), str(answers), str(nth)]
        command = [sys.executable, "-m", "tests.storage.failing_sync", *where]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"LD_PRELOAD": str(library)},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == IO_ERROR, done.stderr
        assert "this process stops" in done.stderr
        heard = dict(line.split() for line in answers.read_text().splitlines())
        assert set(heard.values()) <= {"ok"}, "a client heard the truth, or nothing"
        with SqliteStore(database) as store:
            kept = {read_entry(data).id for _, data in store.entries(TABLE)} - {""}
            assert set(heard) <= kept
            for id_, sent in play()[: len(heard) + 1]:
                was_in_doubt += id_ not in heard
                was_stored += id_ not in heard and id_ in kept
                assert ask(store, id_, sent).ok
            ids = [read_entry(data).id for _, data in store.entries(TABLE)]
            assert all(ids.count(id_) == 1 for id_, _ in play()[: len(heard) + 1])
        assert audit(database).sound
    assert was_in_doubt == 5
    assert was_stored == 5, "the log holds what was not synced: the old answer would be false"


def test_a_server_whose_commit_fails_ends_with_one_line_and_starts_again_sound(
    tmp_path: Path,
) -> None:
    served = Served(tmp_path)
    try:
        log = tmp_path / "log"
        limit = served.database.with_name("floor.db-wal").stat().st_size
        assert log.stat().st_size < limit, "the log can still be written"
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(served.process.pid, resource.RLIMIT_FSIZE, (limit, hard))
        assert served.process.wait(PATIENCE_S) == IO_ERROR
        [line] = [line for line in log.read_text().splitlines() if "CRITICAL" in line.upper()]
        assert "start it again, and the file decides" in line
        served.start()
        wait_until(lambda: http(served, "GET", "/readyz")[0] == 200)
    finally:
        served.stop()
    assert audit(served.database).sound
