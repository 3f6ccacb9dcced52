"""What the program writes, only its owner reads, whatever the umask says."""

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco.base.private_files import copy_private, make_private_database, write_private
from puntobanco.cli import main
from puntobanco_floor.store.sqlite_file import connect
from tests.fixtures.versions import OLDEST, unpack

pytestmark = pytest.mark.skipif(os.name == "nt", reason="permissions of another kind")


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, str]:
    found = sorted(path for path in folder.rglob("*") if path.is_file())
    return {
        path.relative_to(folder).as_posix(): oct(stat.S_IMODE(path.stat().st_mode))[2:]
        for path in found
    }


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_file_is_its_owners_also_where_it_was_there_before(tmp_path: Path) -> None:
    path, copy = tmp_path / "a", tmp_path / "b"
    path.write_text("old and longer", "utf-8")
    copy.write_text("x", "utf-8")
    write_private(path, b"new")
    copy_private(path, copy)
    assert path.read_bytes() == copy.read_bytes() == b"new"
    assert modes(tmp_path) == {"a": "600", "b": "600"}


def test_a_database_is_narrowed_with_what_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE a (b)")
        assert set(modes(tmp_path).values()) == {"644"}
        with closing(connect(path)):
            names = ("floor.db", "floor.db-shm", "floor.db-wal")
            assert modes(tmp_path) == dict.fromkeys(names, "600")


def test_who_narrows_a_database_does_not_take_its_locks_away(tmp_path: Path) -> None:
    """POSIX lets go of all locks of a process on a file when the process closes it once."""
    path = tmp_path / "floor.db"
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("CREATE TABLE a (b)")
        db.execute("BEGIN EXCLUSIVE")
        make_private_database(path)
        reads = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('SELECT * FROM a')"
        other = subprocess.run(
            [sys.executable, "-c", reads, str(path)], capture_output=True, check=False
        )
        assert b"database is locked" in other.stderr


def test_every_file_that_the_commands_make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unpack(tmp_path, OLDEST)
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PUNTOBANCO_PASSPHRASE", "correct horse battery")
    at = ("--database", "floor.db")
    assert run("table", "list", *at) == 0
    assert run("keys", "rotate", *at) == 0
    assert run("backup", *at, "--to", "backup", "--with-keys") == 0
    assert run("restore", "--from", "backup", "--database", "back/floor.db") == 0
    assert run("copy", "--from", "floor.db", "--to", "copied.db") == 0
    assert run("archive", *at, "--table", "table:2", "--period", "1", "--to", "period") == 0
    assert run("dispute", *at, "--round", "table:1:1", "--to", "pack") == 0
    assert run("report", "life", *at, "--format", "csv", "--to", "report.csv") == 0
    assert run("init", "--database", "new.db", "--name", "x") == 0
    found = modes(tmp_path)
    assert {"new.db", "new.db.keys", "new.db.heads", "period", "report.csv"} <= set(found)
    assert {name for name, mode in found.items() if mode != "600"} == set()
