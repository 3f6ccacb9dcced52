"""A machine that dies, a disk that is full: nothing acknowledged is lost, nothing is doubled, the game goes on by rule.

`crash.py` is the process that kills; here are what it must show, and what becomes of a round that was interrupted.
"""

import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from puntobanco.rules.readings import MALFUNCTION_POLICY
from puntobanco_floor.audit.floor_audit import audit, audit_reader
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.sealed_shoes import revealed
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store import sqlite
from puntobanco_floor.store import store as stores
from puntobanco_floor.store.batch import Answer, Request, state_hash
from puntobanco_floor.store.errors import BadDatabase, NotStored
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside, connect
from puntobanco_proof.entry.format import canonical
from puntobanco_proof.entry.heads import read_head
from tests.storage.crash import DATABASE, ITSELF
from tests.support.claims import reads
from tests.support.patience import wait_until
from tools.tree import ROOT

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
KILLS = 2_000 if SLOW else 60
POINTS = {"begin", "answers", "entries", "money", "head", "commit", "committed", "heads", "answer"}


def crash(*args: object) -> Any:
    """What the killing process reports."""
    command = [sys.executable, "-m", "tests.storage.crash", *map(str, args)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4_000:]
    return json.loads(done.stdout) if done.stdout else None


def test_a_day_killed_at_every_write_point_ends_as_the_undisturbed_day(tmp_path: Path) -> None:
    """Some of it is sent again, or all of it. The table with physical cards comes out the same, byte for byte."""
    report = crash("points", tmp_path, "all" if SLOW else "some")
    assert set(report["killed"]) == POINTS
    assert report["points"] > 700
    assert sum(report["killed"].values()) >= (report["points"] if SLOW else report["groups"] // 2)


def test_killed_at_any_moment_under_load_nothing_acknowledged_is_lost_and_nothing_doubled(
    tmp_path: Path,
) -> None:
    report = crash("random", tmp_path, KILLS, 1)
    assert report["kills"] == KILLS
    assert report["acknowledged"] > KILLS // 4, "clients were answered between the kills"
    assert report["rounds"] > 0, "the tables went on by themselves"
    assert report["shoes"] > 0, "shoes were changed"
    assert report["voids"] == report["stopped"] == 0, "no round was given up"


# A virtual round that was interrupted


@pytest.fixture(scope="module")
def died(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Databases whose processes died with two cards of round 1 on the table and ann's 100.00 on player."""
    folder = tmp_path_factory.mktemp("midround")
    crash("midround", folder)
    return folder


@pytest.fixture(params=["shoe", "continuous"])
def interrupted(request: pytest.FixtureRequest, died: Path, tmp_path: Path) -> Path:
    return shutil.copytree(died / request.param, tmp_path / "copy") / DATABASE


@pytest.fixture
def interrupted_shoe(died: Path, tmp_path: Path) -> Path:
    return shutil.copytree(died / "shoe", tmp_path / "copy") / DATABASE


def _until(
    store: SqliteStore, holds: Callable[[list[e.Event]], bool], stream: str = ITSELF
) -> list[e.Event]:
    """The events of the stream, once this holds of them."""
    wait_until(lambda: holds(_events(store, stream)))
    return _events(store, stream)


def _events(store: SqliteStore, stream: str = ITSELF) -> list[e.Event]:
    return [event for _, data in store.entries(stream) for event in read_entry(data).events]


def _has(kind: type[e.Event]) -> Callable[[list[e.Event]], bool]:
    return lambda found: any(isinstance(event, kind) for event in found)


def _ask(store: SqliteStore, id_: str, command: Command, stream: str = ITSELF) -> Answer:
    return store.ask(Request(stream=stream, id=id_, command=command))


@reads(31)
def test_an_interrupted_virtual_round_goes_on_by_its_clock_with_the_cards_committed_to(
    interrupted: Path,
) -> None:
    """As patrons are told: text and behaviour are held together here."""
    said = "A round that is interrupted by a fault of the equipment is finished by rule, with the cards as committed"
    assert MALFUNCTION_POLICY.text.en.startswith(said)
    with SqliteStore(interrupted) as store:
        events = _until(store, _has(e.RoundSettled))
        [settled] = [
            event for event in events if isinstance(event, e.RoundSettled) and event.round == 1
        ]
        assert [(line.session, line.bet, line.stake_cents) for line in settled.lines] == [
            ("ann", "player", 10_000)
        ]
        assert _ask(store, "close", c.CloseTable(by="boss")).ok
        events = _events(store)
    revealing = (
        settled
        if settled.reveal
        else next(event for event in events if isinstance(event, e.ShoeEnded))
    )
    text = revealing.reveal if isinstance(revealing, e.RoundSettled) else revealing.order
    committed = {
        event.commitment for event in events if isinstance(event, e.ShoeStarted | e.BetsOpened)
    }
    assert revealed(text, revealing.nonce).commitment in committed
    assert text.split()[: len(settled.cards.split())] == settled.cards.split()
    report = audit(interrupted)
    assert report.sound, report.fault
    assert report.voids == 0


def _without_the_sealed_row(path: Path) -> None:
    with closing(connect(path)) as db:
        assert db.execute("DELETE FROM sealed").rowcount == 1


def _with_another_sealing_key(path: Path) -> None:
    ring = KeyRing.load(beside(path, "keys"))
    ring.keys = ring.keys | {"sealing": KeyRing.fresh().keys["sealing"]}
    beside(path, "keys").unlink()
    ring.save(beside(path, "keys"))


def _with_a_changed_byte(path: Path) -> None:
    with closing(connect(path)) as db:
        [(data,)] = db.execute("SELECT data FROM sealed")
        db.execute("UPDATE sealed SET data = ?", (bytes([data[0] ^ 1]) + data[1:],))


LOSSES = [_without_the_sealed_row, _with_another_sealing_key, _with_a_changed_byte]


@reads(31)
@pytest.mark.parametrize("lose", LOSSES)
def test_a_round_whose_cards_cannot_be_had_stops_for_a_decision_and_two_people_void_it(
    interrupted: Path, lose: Callable[[Path], None]
) -> None:
    said = "It is void, and all wagers on it are returned, only if it cannot be finished."
    assert said in MALFUNCTION_POLICY.text.en
    public = KeyRing.load(beside(interrupted, "keys")).public()
    lose(interrupted)
    with SqliteStore(interrupted) as store:
        events = _until(store, _has(e.IrregularityDeclared))
        stop = events[-1]
        assert isinstance(stop, e.IrregularityDeclared)
        assert (stop.round, stop.ground, stop.clause) == (1, "malfunction", "reading 31")
        asked = _ask(store, "void", c.VoidRound(by="dealer"))
        assert asked.proposal == 1
        assert (
            _ask(store, "alone", c.Approve(by="dealer", proposal=1)).code == "second-person-needed"
        )
        before = store.table(ITSELF)
        assert (before.state.phase, before.balances["session:ann"]) == ("stopped", 40_000)
        assert _ask(store, "by two", c.Approve(by="boss", proposal=1)).ok
        assert store.stream(ITSELF).balances["session:ann"] == 50_000
    public |= KeyRing.load(beside(interrupted, "keys")).public()
    with reading(str(interrupted)) as reader:
        report = audit_reader(reader, heads=None, trust=Trust(public))
    assert report.sound, report.fault
    assert (report.rounds, report.voids) == (0, 1)


def test_bets_do_not_open_again_on_a_shoe_whose_cards_cannot_be_had(interrupted_shoe: Path) -> None:
    path = interrupted_shoe
    _without_the_sealed_row(path)
    with SqliteStore(path) as store:
        _until(store, _has(e.IrregularityDeclared))
        _ask(store, "void", c.VoidRound(by="dealer"))
        assert _ask(store, "approve", c.Approve(by="boss", proposal=1)).ok
        [incident] = [
            event
            for event in _until(store, _has(e.IncidentRecorded))
            if isinstance(event, e.IncidentRecorded)
        ]
        assert (incident.ground, incident.spoils_shoe) == ("malfunction", True)
        assert _ask(store, "open", c.OpenBets(by="dealer")).code == "shoe-must-be-changed"
        assert _ask(store, "end", c.EndShoe(by="dealer")).ok
        assert _ask(store, "new", c.NewShoe(by="dealer")).ok
        _until(
            store,
            lambda found: any(
                isinstance(event, e.RoundSettled) and event.round == 2 for event in found
            ),
        )
    report = audit(path)
    assert report.sound, report.fault
    assert any("without revealing" in line for line in report.unproven)


def test_the_round_goes_on_once_the_right_key_ring_is_back(interrupted_shoe: Path) -> None:
    path = interrupted_shoe
    right = beside(path, "keys").read_bytes()
    _with_another_sealing_key(path)
    with SqliteStore(path) as store:
        _until(store, _has(e.IrregularityDeclared))
        beside(path, "keys").write_bytes(right)
        assert _ask(store, "resume", c.Resume(by="dealer")).ok
        assert _ask(store, "approve", c.Approve(by="boss", proposal=1)).ok
        _until(store, _has(e.RoundSettled))


def test_with_another_key_ring_nothing_is_believed_and_nothing_is_written(
    interrupted_shoe: Path,
) -> None:
    path = interrupted_shoe
    right = beside(path, "keys").read_bytes()
    beside(path, "keys").unlink()
    KeyRing.fresh().save(beside(path, "keys"))
    with SqliteStore(path) as store:
        before = _events(store)
        with pytest.raises(NotStored, match="not certified by a root key of this floor"):
            _ask(store, "resume", c.Resume(by="dealer"))
        assert _events(store) == before
    beside(path, "keys").write_bytes(right)
    with SqliteStore(path) as store:
        _until(store, _has(e.RoundSettled))
    assert audit(path).sound


# A disk that is full


@contextmanager
def full(store: SqliteStore) -> Iterator[None]:
    """The database may not grow."""
    [pages] = store._db.execute("PRAGMA page_count").fetchone()
    store._db.execute(f"PRAGMA max_page_count = {pages}")
    yield
    store._db.execute("PRAGMA max_page_count = 1073741823")


@contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """The system lets this process write no byte beyond this place of any file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def full_at_commit(store: SqliteStore) -> Iterator[None]:
    """No commit fits: SQLite says so before it writes."""

    def refuse(point: str) -> None:
        if point == "commit":
            error = sqlite3.OperationalError("database or disk is full")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error

    before, store._point = store._point, refuse
    yield
    store._point = before


def _refused_for_space(store: SqliteStore, prefix: str) -> tuple[str, Command]:
    """Send commands until one does not fit any more."""
    for n in range(500):
        id_, command = (
            f"{prefix}-{n}",
            c.SeatSession(by="dealer", session=f"{prefix}-{n}-{'x' * 40}"),
        )
        refusal = store.submit(Request(stream=ITSELF, id=id_, command=command)).exception()
        if refusal is not None:
            assert isinstance(refusal, NotStored)
            assert "database or disk is full" in str(refusal)
            return id_, command
    raise AssertionError("the disk is never full")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / DATABASE) as store:
        assert _ask(
            store,
            "open",
            c.OpenTable(by="boss", game="rapid", clock=Clock(betting_ms=100, closes_by_clock=True)),
        ).ok
        yield store


def test_on_a_full_disk_commands_are_refused_and_succeed_under_the_same_id_when_there_is_space(
    store: SqliteStore,
) -> None:
    with full(store):
        id_, command = _refused_for_space(store, "s")
        before = state_hash(store.stream(ITSELF))
        for _ in range(3):
            with pytest.raises(NotStored, match="try again"):
                _ask(store, id_, command)
        assert state_hash(store.stream(ITSELF)) == before
    accepted = _ask(store, id_, command)
    assert accepted.ok
    assert _ask(store, id_, command) == accepted
    seated = [event.session for event in _events(store) if isinstance(event, e.SessionSeated)]
    assert len(seated) == len(set(seated))
    assert audit(store.path).sound


def test_a_full_disk_refuses_a_whole_batch_and_none_of_its_neighbours_is_half_done(
    store: SqliteStore,
) -> None:
    requests = [
        Request(stream=f"table:{n}", id="open", command=c.OpenTable(by="boss", game="six-star"))
        for n in range(10, 90)
    ]
    outcomes = list[bool]()
    with full(store):
        for future in [store.submit(request) for request in requests]:
            outcomes.append(future.exception() is None)
    assert False in outcomes
    stored = {name for name in store.names() if name != ITSELF}
    assert stored == {request.stream for request, ok in zip(requests, outcomes, strict=True) if ok}
    assert all(store.ask(request).ok for request in requests)
    assert audit(store.path).sound


@pytest.mark.waits
def test_what_the_clock_owes_on_a_full_disk_is_done_when_there_is_space_without_hands(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "RETRY_MS", 50)
    # long enough that the disk is full before the time is up, on a busy machine too
    clock = Clock(betting_ms=3_000, closes_by_clock=True)
    assert _ask(store, "clock", c.ChangeClock(by="boss", clock=clock)).ok
    assert _ask(store, "shoe", c.NewShoe(by="dealer", dealing="physical")).ok
    assert _ask(store, "bets", c.OpenBets(by="dealer")).ok
    late = Request(
        stream=ITSELF,
        id="late",
        command=c.PlaceWager(by="ann", round=1, session="ann", bet="tie", stake_cents=1_000),
    )
    with full_at_commit(store):
        time.sleep(3.4)
        assert store.table(ITSELF).state.phase == "betting"
        with pytest.raises(NotStored, match="try again"):
            store.ask(late)
    closed = _until(store, _has(e.BetsClosed))[-1]
    assert isinstance(closed, e.BetsClosed)
    assert store.ask(late).code == "bets-are-closed"
    assert audit(store.path).sound


# The file of heads


def _heads(store: SqliteStore) -> list[tuple[str, int]]:
    lines = store.heads_path.read_bytes().splitlines(keepends=True)
    assert all(line.endswith(b"\n") for line in lines)
    return [
        (head.stream, head.seq) for head in (read_head(line, n) for n, line in enumerate(lines, 1))
    ]


def _descriptor(path: Path) -> int:
    """Of a file that this process has open."""
    links = {link: link.resolve() for link in Path("/proc/self/fd").iterdir()}
    return next(int(link.name) for link, file in links.items() if file == path.resolve())


def test_heads_that_cannot_be_written_lose_no_commit_and_are_mended_by_themselves(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stores, "RETRY_MS", 0)
    heads = _descriptor(store.heads_path)
    kept = os.dup(heads)
    with Path("/dev/full").open("wb", buffering=0) as device:
        os.dup2(device.fileno(), heads)
        accepted = _ask(store, "seat", c.SeatSession(by="ann", session="ann"))
    assert accepted.ok
    assert set(_heads(store)) == {(ITSELF, 2)}
    os.dup2(kept, heads)
    os.close(kept)
    assert _ask(store, "another", c.SeatSession(by="ben", session="ben")).ok
    assert set(_heads(store)) == {(ITSELF, 2), (ITSELF, 4)}


def test_heads_that_were_not_written_are_mended_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / DATABASE
    with SqliteStore(path) as store:
        _ask(store, "open", c.OpenTable(by="boss", game="rapid"))
        _ask(store, "close", c.CloseTable(by="boss"))
        _ask(store, "open again", c.OpenTable(by="boss", game="rapid"))
    whole = store.heads_path.read_bytes()
    # each commit once: the node's key and the opening, the closing and the seal, the opening
    assert _heads(store) == [(ITSELF, 2), (ITSELF, 4), (ITSELF, 5)]
    for lost in (b"", whole[:-1], whole[:-20], whole.splitlines(keepends=True)[0]):
        store.heads_path.write_bytes(lost)
        with SqliteStore(path) as store:
            pass
        # where the stream stands: the chain holds what came before
        assert (ITSELF, 5) in _heads(store)
        report = audit(path)
        assert report.sound, report.fault
        assert not any("behind" in line for line in report.unproven)


def test_half_a_line_written_while_running_is_taken_back_before_the_next(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file may grow by thirty bytes only: the system writes as many and says so."""
    monkeypatch.setattr(stores, "RETRY_MS", 0)
    line = store.heads_path.read_bytes()
    big = line * (
        2_000_000 // len(line)
    )  # far larger than the database, which must not meet the limit
    store.heads_path.write_bytes(big)
    with files_up_to(len(big) + 30):
        assert _ask(store, "seat", c.SeatSession(by="ann", session="ann")).ok
    assert len(store.heads_path.read_bytes()) == len(big) + 30
    assert _ask(store, "another", c.SeatSession(by="ben", session="ben")).ok
    assert (
        store.heads_path.read_bytes()[len(big) :]
        == canonical(read_head(store.heads_path.read_bytes().splitlines()[-1], 0)) + b"\n"
    )
    assert audit(store.path).sound


def test_a_file_of_heads_that_cannot_be_opened_is_refused_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="file of heads") as refused:
        SqliteStore(tmp_path / DATABASE, heads=tmp_path)
    assert "\n" not in str(refused.value)
