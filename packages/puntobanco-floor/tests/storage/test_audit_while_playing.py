"""The audit and the self-test of a floor that plays on: what grows meanwhile is no fault."""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from puntobanco_floor.audit import floor_audit as audit_module
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.audit.log_checks import Others
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.settings import Settings
from puntobanco_floor.store import reader as reader_module
from puntobanco_floor.store.log_tables import LogView, TransparencyLog
from puntobanco_floor.store.reader import Reader
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.transparency.publication import Publication
from tests.storage.conftest import Place
from tests.storage.test_log import TABLES, grown, play, seat
from tests.support.patience import wait_until

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
AUDITS = 50 if SLOW else 4


class Floor:
    """Two tables with a log, which is published."""

    def __init__(self, place: Place) -> None:
        self.place, self.store = place, place.open()
        self.publication = Publication(place.folder / "published")
        self.store.log.open()
        for stream in TABLES:
            play(self.store, stream)
        self.publish()

    def publish(self) -> int:
        size = grown(self.store.log)
        self.publication.publish(self.store.log, self.store.log.sign())
        return size

    def play_on(self, name: str) -> None:
        """Another entry of each table, in the log and published."""
        for stream in TABLES:
            seat(self.store, stream, name)
        self.publish()

    def audit(self, heads: list[Path] | None = None, jobs: int = 1) -> None:
        report = audit(
            self.place.url,
            keys=self.place.keys,
            heads=self.place.heads if heads is None else heads,
            others=Others(folder=self.publication),
            jobs=jobs,
        )
        assert report.fault is None

    def selftest(self) -> None:
        tested = selftest(
            self.place.url,
            keys=self.place.keys,
            heads=self.place.heads[0],
            publication=str(self.publication.folder),
            demo=True,
        )
        assert [check.said for check in tested.checks if check.outcome == "failed"] == []


@pytest.fixture
def floor(place: Place) -> Floor:
    return Floor(place)


def once(then: Callable[[], object]) -> Callable[[], None]:
    left = [then]

    def run() -> None:
        while left:
            left.pop()()

    return run


@pytest.mark.parametrize("check", [Floor.audit, Floor.selftest])
def test_a_log_that_grows_after_the_view_was_taken_is_no_fault(
    floor: Floor, monkeypatch: pytest.MonkeyPatch, check: Callable[[Floor], None]
) -> None:
    streams, grow = Reader.streams, once(lambda: floor.play_on("zoe"))

    def then_streams(reader: Reader) -> object:
        grow()
        return streams(reader)

    monkeypatch.setattr(Reader, "streams", then_streams)
    check(floor)
    assert "zoe" in floor.store.table("table:1").state.sessions


def test_a_keeper_compares_what_it_had_seen_before_it_looks(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = LogKeeper(floor.store.log, floor.publication, Settings(), keys=floor.place.keys)
    view, grow = TransparencyLog.view, once(lambda: floor.play_on("zoe"))

    @contextmanager
    def then_grow(log: TransparencyLog) -> Iterator[LogView]:
        with view(log) as found:
            found.standing()
            grow()
            yield found

    keeper.origin = floor.store.log.open()
    monkeypatch.setattr(TransparencyLog, "open", lambda *_: keeper.origin)
    monkeypatch.setattr(TransparencyLog, "view", then_grow)
    assert keeper.compare() == []


def test_a_root_key_that_is_new_when_the_view_is_taken_is_known(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading = reader_module.reading

    def rotate() -> None:
        for _ in range(2):  # the first root is replaced: a node that writes is certified anew
            floor.store.rotate_keys(["signing"])
        floor.play_on("zoe")

    rotated = once(rotate)

    @contextmanager
    def then_reading(*arguments: object) -> Iterator[Reader]:
        rotated()
        with reading(*arguments) as reader:  # type: ignore[arg-type]
            yield reader

    monkeypatch.setattr(audit_module, "reading", then_reading)
    floor.audit(heads=[])


def test_audits_of_a_playing_floor_find_no_fault(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The log is published at least once more from the begin of one audit to that of the next."""
    monkeypatch.setattr(audit_module, "MANY", 1)
    floor = Floor(place)
    player = Player(floor)
    with player:
        for n in range(AUDITS):
            before = player.published
            floor.audit(jobs=2 if n % 10 == 3 else 1)
            if n % 5 == 0:
                floor.selftest()
            wait_until(partial(player.has_published_since, before), "the growth of the log")
    assert player.fault is None
    assert player.published >= AUDITS


class Player:
    """Plays tables and publishes their log in a thread, until it is told to stop."""

    def __init__(self, floor: Floor) -> None:
        self.floor, self.published = floor, 0
        self.fault: BaseException | None = None
        self._is_stopping = threading.Event()
        self._thread = threading.Thread(target=self._play)

    def __enter__(self) -> "Player":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_stopping.set()
        self._thread.join()

    def has_published_since(self, before: int) -> bool:
        return self.published > before or self.fault is not None

    def _play(self) -> None:
        try:
            while not self._is_stopping.is_set():
                self.floor.play_on(f"p{self.published}")
                self.published += 1
        except BaseException as error:  # the test that waits is told
            self.fault = error
            raise
