"""What an audit costs SQLite, in steps of its virtual machine: the same number on every machine."""

import sqlite3
from pathlib import Path

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.store import sqlite_file
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.sqlite import SqliteStore
from tests.storage.test_log import grown, play, seat

EVERY = 100
"""Steps of SQLite's virtual machine between two calls of its progress handler."""


class Steps:
    """Counts them for each connection that is opened from now on."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.count, self._connect = 0, sqlite_file.connect
        patch.setattr(sqlite_file, "connect", self._connected)

    def _connected(self, path: Path, **options: bool) -> sqlite3.Connection:
        connection = self._connect(path, **options)
        connection.set_progress_handler(self._step, EVERY)
        return connection

    def _step(self) -> int:
        self.count += 1
        return 0

    def take(self) -> int:
        count, self.count = self.count, 0
        return count


def test_some_answers_cost_the_same_among_few_and_among_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    costs, keys = list[int](), [("ann", f"id {n}") for n in range(500)]
    for rows in (500, 20_000):
        path = tmp_path / f"{rows}.db"
        migrate(str(path))
        db = sqlite_file.connect(path)
        db.execute("BEGIN")
        db.executemany(
            "INSERT INTO answers (stream, asked_by, command_id, body, answer, at) "
            "VALUES ('table:1', 'ann', ?, x'', x'00', 0)",
            [(f"id {n}",) for n in range(rows)],
        )
        db.execute("COMMIT")
        db.close()
        with monkeypatch.context() as patch:
            steps = Steps(patch)
            with reading(str(path)) as reader:
                steps.take()
                assert len(reader.answers("table:1", keys)) == len(keys)
                costs.append(steps.take())
    few, many = costs
    assert 0 < many < 1.2 * few


def test_the_cost_of_an_audit_grows_with_the_journal_and_no_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From one size to the next by as much as from that to the one after: no part is quadratic."""
    path, costs, entries = tmp_path / "floor.db", list[int](), list[int]()
    for part in range(3):
        with SqliteStore(path, clock=False) as store:
            if not part:
                store.log.open()
                play(store, "table:1")
            seat(store, "table:1", *(f"{part} {n}" for n in range(2_000)))
            grown(store.log)
        with monkeypatch.context() as patch:
            steps = Steps(patch)
            report = audit(path)
            costs.append(steps.take())
        assert report.fault is None
        entries.append(report.entries)
    first, second = ((costs[n + 1] - costs[n]) / (entries[n + 1] - entries[n]) for n in range(2))
    assert second < 1.2 * first
