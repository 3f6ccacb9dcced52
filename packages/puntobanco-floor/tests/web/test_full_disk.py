"""A disk that takes nothing: the log says so once a second at most, the node is not ready, the pit shows it; and it goes on by itself."""

import asyncio
import logging
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.pit.board import Board
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.sqlite import SqliteStore
from tests.floor.started import started
from tests.support.patience import PATIENCE_S, until

TABLE = "table:1"


class FullDisk:
    """A connection that writes nothing while the disk is full."""

    def __init__(self, store: SqliteStore) -> None:
        self.db, self.is_full = store._db, False

    def __getattr__(self, name: str) -> object:
        return getattr(self.db, name)

    def execute(self, statement: str, *values: object) -> object:
        if statement == "COMMIT" and self.is_full:
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        return self.db.execute(statement, *values)  # type: ignore[arg-type]


@contextmanager
def on_a_disk(store: SqliteStore) -> Iterator[FullDisk]:
    disk = FullDisk(store)
    store._db = disk  # type: ignore[assignment]
    yield disk
    store._db = disk.db


async def seat(store: SqliteStore, name: str) -> None:
    await store.asked(Request(stream=TABLE, id=name, command=c.SeatSession(by=name, session=name)))


def test_a_full_disk_is_logged_seldom_not_ready_and_shown_in_the_pit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("puntobanco_floor.service.readiness.KEPT_S", 0.0)
    monkeypatch.setattr("puntobanco_floor.store.store.SAY_AGAIN_S", 2 * PATIENCE_S)

    async def day() -> None:
        with SqliteStore(tmp_path / "floor.db", clock=False) as store:
            floor = Floor(store, KeyRing.load(store.ring_path))
            await floor.commands.administration("init").open_house("Marina", "root", "long enough")
            opened = c.OpenTable(by="pit", game="rapid")
            assert (await store.asked(Request(stream=TABLE, id="open", command=opened))).ok
            async with started(floor):
                ready = Readiness(store, floor.follower, floor.shutdown)

                async def board() -> Board:
                    return await floor.screens.pit("supervisor")

                assert (await ready.look()).ready
                with on_a_disk(store) as disk:
                    disk.is_full = True
                    for n in range(30):
                        with pytest.raises(NotStored, match="database or disk is full"):
                            await seat(store, f"s{n}")
                    found = await ready.look()
                    assert not found.ready
                    assert found.store == "cannot be written: database or disk is full"
                    await until(lambda: floor.pit.watch.failing != "", "the pit to hear of it")
                    assert (await board()).failing == "database or disk is full"
                    [alert] = [x for x in (await board()).alerts if x.kind == "store"]
                    assert "database or disk is full" in alert.text.en
                    assert "本節點未能記錄" in alert.text.zh
                    disk.is_full = False
                    # nobody asks anything: the store tries by itself
                    await until(lambda: not store.failing, "the store to write again")
                    assert (await ready.look()).ready
                    await until(lambda: floor.pit.watch.failing == "", "the pit to hear of it")
                    assert (await board()).failing == ""
                    await seat(store, "s0")

    asyncio.run(day())
    said = [x.getMessage() for x in caplog.records if x.levelno >= logging.ERROR]
    assert said == [
        "nothing stored: database or disk is full; check the disk and the database, retried"
    ]


def test_a_damaged_page_met_while_running_keeps_the_node_not_ready(tmp_path: Path) -> None:
    """A later write elsewhere may pass, and proves nothing of that page."""
    with SqliteStore(tmp_path / "floor.db", clock=False) as store:

        def fail(point: str) -> None:
            if point == "commit":
                error = sqlite3.DatabaseError("database disk image is malformed")
                error.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise error

        store._point = fail
        opened = Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid"))
        with pytest.raises(NotStored, match="malformed"):
            store.ask(opened)
        store._point = lambda _: None
        assert store.ask(opened).ok
        assert store.failing == "database disk image is malformed"
