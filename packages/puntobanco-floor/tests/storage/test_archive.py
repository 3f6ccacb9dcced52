"""Archives and backups: what was played can be checked, replayed and brought back from files alone."""

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.archive import read_archive, read_period
from puntobanco_floor.audit.floor_audit import audit, audit_archive
from puntobanco_floor.audit.round_replay import archived_story, story
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import BetsOpened
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.backup import backup, hashes, restore
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside
from puntobanco_proof.entry.format import Fault
from tests.storage.played import TABLE, Script, played


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "floor.db"
    played(path, entries=400)
    return path


@pytest.fixture(scope="module")
def periods(database: Path) -> list[Path]:
    """Every sealed period in a file of its own."""
    files = list[Path]()
    with reading(str(database)) as reader:
        for number in range(1, len(reader.snapshots(TABLE)) + 1):
            files.append(database.with_name(f"period-{number}.jsonl"))
            files[-1].write_bytes(read_period(reader, TABLE, number).bytes())
    assert len(files) >= 4
    return files


def test_every_sealed_period_is_checked_alone(database: Path, periods: list[Path]) -> None:
    trust = Trust(KeyRing.load(beside(database, "keys")).public())
    reports = [audit_archive(read_archive(file), trust=trust) for file in periods]
    assert [report.fault for report in reports] == [None] * len(periods)
    whole = audit(database)
    in_periods = sum(report.rounds + report.voids for report in reports)
    assert whole.rounds + whole.voids - in_periods in range(7)  # the last shoe is not sealed yet
    assert all(report.signatures and report.shoes == 1 for report in reports)


def test_an_archive_of_another_house_is_not_ours(periods: list[Path]) -> None:
    """The nodes' keys come with the archive; only the root keys say whose they are."""
    stranger = Trust(KeyRing.fresh().public())
    for file in periods[:2]:
        fault = audit_archive(read_archive(file), trust=stranger).fault
        assert fault is not None
        assert "is not certified by a root key of this floor" in fault


def test_a_period_that_ends_within_a_commit_is_signed_at_its_end(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with SqliteStore(path) as store:
        script = Script(store)
        script.do(c.OpenTable(by="pit", game="rapid"))
        script.do(c.NewShoe(by="pit"))
        asked: list[Command] = [c.EndShoe(by="pit"), c.NewShoe(by="pit"), c.OpenBets(by="d")]
        requests = [Request(stream=TABLE, id=f"q{n}", command=x) for n, x in enumerate(asked)]
        waiting = [store.submit(request) for request in requests]
        assert all(each.result().ok for each in waiting)
    trust = Trust(KeyRing.load(beside(path, "keys")).public())
    with reading(str(path)) as reader:
        held = read_period(reader, TABLE, 1)
    report = audit_archive(held, trust=trust)
    assert report.fault is None
    assert held.heads[-1].seq == held.header.last


def test_periods_follow_each_other_without_a_gap(periods: list[Path]) -> None:
    headers = [read_archive(file).header for file in periods]
    assert headers[0].first == 1
    assert [h.first for h in headers[1:]] == [
        h.last for h in headers[:-1]
    ]  # the sealing entry ends one, begins the next


def test_any_past_round_is_replayed_from_its_archive_as_from_the_database(
    database: Path, periods: list[Path]
) -> None:
    """All but the tail of a period's last round, which reaches into the next."""
    with reading(str(database)) as reader:
        for file in periods:
            held = read_archive(file)
            numbers = [
                e.round
                for entry, _ in held.entries()
                for e in entry.events
                if isinstance(e, BetsOpened)
            ]
            for number in numbers[:-1]:
                assert archived_story(held, number).entries == story(reader, TABLE, number).entries


def test_a_changed_line_of_an_archive_is_found(
    database: Path, periods: list[Path], tmp_path: Path
) -> None:
    trust = Trust(KeyRing.load(beside(database, "keys")).public())
    lines = periods[1].read_bytes().split(b"\n")
    for i in range(len(lines) - 1):
        spoiled = tmp_path / "spoiled.jsonl"
        middle = len(lines[i]) // 2
        line = lines[i][:middle] + bytes([lines[i][middle] ^ 1]) + lines[i][middle + 1 :]
        spoiled.write_bytes(b"\n".join([*lines[:i], line, *lines[i + 1 :]]))
        with suppress(Fault):
            assert audit_archive(read_archive(spoiled), trust=trust).fault, f"line {i + 1}"


@pytest.mark.parametrize(
    "text", [b"", b"{}\n", b"not json\n", b'{"format":"puntobanco-archive-9"}\n']
)
def test_what_is_no_archive_is_refused_in_a_line(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "x"
    file.write_bytes(text)
    with pytest.raises(Fault, match="is no archive"):
        read_archive(file)


def test_a_period_that_is_not_sealed_is_refused_with_those_that_are(database: Path) -> None:
    with (
        reading(str(database)) as reader,
        pytest.raises(Fault, match=r"no sealed period 99; 1 to \d+ are"),
    ):
        read_period(reader, TABLE, 99)


def test_a_restored_database_comes_to_the_same_state_and_waits_for_an_epoch(
    database: Path, tmp_path: Path
) -> None:
    """What two people do then, and how it plays on, is told in test_epochs."""
    with reading(str(database)) as reader:
        before = hashes(reader)
    assert backup(database, tmp_path / "copy") == before
    assert restore(tmp_path / "copy", tmp_path / "new.db") == before
    shutil.copy(beside(database, "keys"), beside(tmp_path / "new.db", "keys"))
    assert audit(tmp_path / "new.db").fault is None
    with SqliteStore(tmp_path / "new.db") as store:
        opens = Request(stream=TABLE, id="again", command=c.OpenBets(by="d"))
        with pytest.raises(NotStored, match="puntobanco epoch begin"):
            store.ask(opens)
    with reading(str(tmp_path / "new.db")) as reader:
        assert hashes(reader) == before


def test_a_backup_is_consistent_while_the_table_plays(tmp_path: Path) -> None:
    path = tmp_path / "live.db"
    with SqliteStore(path) as store:
        store.ask(Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid")))
        for name in map(str, range(300)):
            store.submit(
                Request(stream=TABLE, id=name, command=c.SeatSession(by="x", session=f"s{name}"))
            )
        backup(path, tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "new.db")
    report = audit(tmp_path / "new.db")
    assert report.fault is None


def test_a_damaged_backup_is_not_restored(database: Path, tmp_path: Path) -> None:
    backup(database, tmp_path / "copy")
    file = tmp_path / "copy" / "floor.db"
    data = file.read_bytes()
    at = data.index(b'"stake_cents":1000')
    file.write_bytes(data[:at] + data[at:].replace(b'"stake_cents":1000', b'"stake_cents":2000', 1))
    with pytest.raises(Refusal):
        restore(tmp_path / "copy", tmp_path / "new.db")
    assert not (tmp_path / "new.db").exists()


def test_nothing_is_overwritten(database: Path, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    with pytest.raises(Refusal, match="folder of its own"):
        backup(database, tmp_path / "there")
    backup(database, tmp_path / "copy")
    with pytest.raises(Refusal, match="there already"):
        restore(tmp_path / "copy", database)
    shutil.rmtree(tmp_path / "copy")
    with pytest.raises(Refusal, match="is no backup"):
        restore(tmp_path / "copy", tmp_path / "new.db")
