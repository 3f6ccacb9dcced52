"""Stores of every kind, for tests that hold for all of them."""

import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.store import Store
from tests.storage.servers import database, server

KINDS = ("sqlite", "postgres", "postgres without notify")
USUAL = KINDS if os.environ.get("PUNTOBANCO_SLOW") == "1" else KINDS[:2]
"""Whether nodes are notified is told where test_contract.py has two of them; to other tests it is the same store."""

Opener = Callable[[], Store]


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A server for the whole run."""
    with server() as url:
        yield url


class Place:
    """A database that stores are opened on, one after another or several at once."""

    def __init__(self, url: str, folder: Path, *, notify: bool) -> None:
        self.url, self.folder, self.notify = url, folder, notify
        self.keys, self.opened = folder / "floor.keys", 0
        self.stores = ExitStack()

    def open(self) -> Store:
        """Another node; each has a file of heads of its own."""
        self.opened += 1
        heads = self.folder / f"{self.opened}.heads"
        store = open_store(self.url, keys=self.keys, heads=heads, notify=self.notify)
        self.stores.callback(store.close)
        return store

    @property
    def heads(self) -> list[Path]:
        return sorted(self.folder.glob("*.heads"))


@pytest.fixture(params=USUAL)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    """An empty database of each kind in turn."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = str(tmp_path / "floor.db")
        else:
            url = stack.enter_context(database(request.getfixturevalue("postgres")))
        found = Place(url, tmp_path, notify=request.param != KINDS[2])
        stack.callback(found.stores.close)
        yield found


@pytest.fixture
def store(place: Place) -> Store:
    return place.open()
