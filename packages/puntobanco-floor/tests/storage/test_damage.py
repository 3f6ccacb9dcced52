"""Damaged pages of a SQLite file: the self-test refuses every one, the audit never calls it sound, and both say what to do."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.integrity.self_test import selftest
from tests.storage.played import played
from tests.support.forked import command_line

PAGE_BYTES, PAGES = 4_096, 50


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A floor that has played and was stopped: everything is in the one file."""
    path = tmp_path_factory.mktemp("played") / "floor.db"
    played(path, entries=300)
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        assert db.execute("PRAGMA page_size").fetchone() == (PAGE_BYTES,)
    return path


def overwrite(path: Path, page: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek((page - 1) * PAGE_BYTES)
        file.write(data)


def test_the_self_test_refuses_any_page_overwritten_at_random_and_no_audit_is_sound(
    whole: Path, tmp_path: Path
) -> None:
    chance = random.Random(5)
    pages = whole.stat().st_size // PAGE_BYTES
    for n in range(PAGES):
        path = shutil.copytree(whole.parent, tmp_path / str(n)) / whole.name
        page = chance.randint(1, pages)
        overwrite(path, page, chance.randbytes(PAGE_BYTES))
        assert selftest(str(path)).outcome == "failed", f"page {page}"
        try:
            report = audit(path)
        except Refusal:  # of a first page: it is not a database any more
            continue
        assert not report.sound, f"page {page}"


def page_of(path: Path, index: str) -> int:
    with closing(sqlite3.connect(path)) as db:
        [[page]] = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (index,))
    return int(page)


def test_a_damaged_index_is_refused_in_one_line_by_serve_selftest_and_audit(
    whole: Path, tmp_path: Path
) -> None:
    """No command reads this index before a refusal is stored: nothing else would find it."""
    path = shutil.copytree(whole.parent, tmp_path / "floor") / whole.name
    overwrite(path, page_of(path, "answers_refused"), bytes(range(256)) * 16)
    for command in (("serve", "--port", "1"), ("selftest",)):
        done = command_line(*command, "--database", str(path))
        assert done.returncode == 2
        [line] = done.stderr.splitlines()
        assert line.startswith("puntobanco: self-test, file: ")
        assert "bring back a backup with `puntobanco restore`" in line
    done = command_line("audit", "--database", str(path))
    assert done.returncode == 1
    assert "FAULT: the database file is damaged" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
