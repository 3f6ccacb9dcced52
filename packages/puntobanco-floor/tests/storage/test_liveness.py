"""A node that runs is noticed, by each way in which it can hold the database."""

import fcntl
import os
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_floor.store import nodes
from puntobanco_floor.store.nodes import nodes_stopped
from puntobanco_floor.store.reader import reading
from tests.storage.conftest import Place
from tests.storage.test_log import play


def test_a_store_that_is_open_is_a_node_that_runs(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nodes, "GONE_S", 0.0)
    play(place.open(), "table:1")
    with pytest.raises(Refusal, match="stop every node"), nodes_stopped(place.url):
        pass


def test_one_that_has_stopped_is_none(place: Place) -> None:
    """PostgreSQL may list its connections for a moment."""
    play(place.open(), "table:1")
    place.stores.close()
    with nodes_stopped(place.url), reading(place.url) as reader:
        assert "table:1" in reader.streams()


def test_whoever_holds_the_lock_of_the_server_is_a_node(tmp_path: Path) -> None:
    path, lock = tmp_path / "floor.db", tmp_path / "floor.db.lock"
    path.touch()
    held = os.open(lock, os.O_RDWR | os.O_CREAT)
    fcntl.flock(held, fcntl.LOCK_EX)
    with (
        pytest.raises(Refusal, match=r"floor\.db is already served by process"),
        nodes_stopped(str(path)),
    ):
        pass
    os.close(held)
    with nodes_stopped(str(path)), closing(lock.open()) as other, pytest.raises(BlockingIOError):
        fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)


def test_a_database_that_is_not_there_is_left_to_whoever_opens_it(tmp_path: Path) -> None:
    with nodes_stopped(str(tmp_path / "none.db")):
        pass
    assert list(tmp_path.iterdir()) == []
