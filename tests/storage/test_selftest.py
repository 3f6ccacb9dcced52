"""Before the port opens: changed code, a newer schema, a broken chain and a clock set back are refused in one line."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from importlib.metadata import distribution
from pathlib import Path

import psycopg
import pytest

from puntobanco.journal import Head, canonical, entry_hash, header_of
from puntobanco.keys import KeyRing
from puntobanco.release import _digest
from puntobanco.storage.batch import Request
from puntobanco.storage.locate import open_store
from puntobanco.storage.selftest import SelfTestFailed, selftest
from puntobanco.storage.sqlite import SqliteStore
from puntobanco.storage.time import TableTime
from puntobanco.table import commands as c
from tests.floor.test_recovery_commands import open_house
from tests.forked import command_line
from tests.served import Served, api
from tests.storage.played import played
from tests.storage.servers import database

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def played_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A table that has played a shoe: entries, signatures, a snapshot, a file of heads."""
    folder = tmp_path_factory.mktemp("played")
    played(folder / "floor.db", entries=300)
    return folder


@pytest.fixture
def floor(played_once: Path, tmp_path: Path) -> Path:
    return shutil.copytree(played_once, tmp_path / "floor") / "floor.db"


def outcome(path: Path, check: str) -> tuple[str, str]:
    [found] = [x for x in selftest(str(path)).checks if x.name == check]
    return found.outcome, found.said


def changed(path: Path, sql: str, *values: object) -> None:
    with closing(sqlite3.connect(path)) as db:
        for (trigger,) in db.execute(
            "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        ).fetchall():
            db.execute(f"DROP TRIGGER {trigger}")
        db.execute(sql, values)
        db.commit()


def refused(path: Path, said: str) -> None:
    """By `serve`, whose port never opens, and by `selftest`: status 2, and one line that says what to do."""
    for command in ("serve", "selftest"):
        port = ["--port", "1"] if command == "serve" else []
        done = command_line(command, "--database", str(path), *port)
        assert done.returncode == 2
        [line] = done.stderr.splitlines()
        assert line.startswith("puntobanco: self-test, ")
        assert said in line
        assert ";" in line, "what to do"


def test_a_sound_floor_passes_and_nothing_is_written(floor: Path) -> None:
    before = {file: file.read_bytes() for file in floor.parent.iterdir()}
    done = command_line("selftest", "--database", str(floor), "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert said["outcome"] == "warned", "a checkout is compared with nothing, and says so"
    assert [(x["name"], x["outcome"]) for x in said["checks"]] == [
        ("code", "warned"),
        ("schema", "passed"),
        ("chain", "passed"),
        ("program", "passed"),
        ("patrons", "passed"),
        ("games", "passed"),
        ("clock", "passed"),
    ]
    assert {file: file.read_bytes() for file in floor.parent.iterdir() if file in before} == before


def test_what_is_not_there_yet_passes(tmp_path: Path) -> None:
    assert selftest(str(tmp_path / "new.db")).outcome == "warned"
    assert not (tmp_path / "new.db").exists()


def test_a_newer_schema_is_refused(floor: Path) -> None:
    changed(floor, "UPDATE alembic_version SET version_num = '9999'")
    refused(floor, "version 9999, newer than this program's")


def test_a_changed_entry_is_refused(floor: Path) -> None:
    [(stream, seq, data)] = _last(floor)
    other = bytes(data).replace(b'"at":1', b'"at":2', 1)
    assert other != data
    changed(floor, "UPDATE entries SET data = ? WHERE stream = ? AND seq = ?", other, stream, seq)
    refused(floor, "puntobanco audit")


def test_a_cut_tail_is_refused_by_the_file_of_heads(floor: Path) -> None:
    """Even where the head was set back with it."""
    [(stream, seq, _)] = _last(floor)
    [(_, _, before)] = _last(floor, seq - 1)
    changed(floor, "DELETE FROM entries WHERE stream = ? AND seq = ?", stream, seq)
    changed(floor, "DELETE FROM heads WHERE stream = ? AND seq = ?", stream, seq)
    changed(floor, "DELETE FROM snapshots WHERE stream = ? AND seq >= ?", stream, seq - 1)
    changed(
        floor,
        "UPDATE streams SET seq = ?, hash = ?, at = ? WHERE stream = ?",
        seq - 1,
        entry_hash(before),
        header_of(before)[0].at,
        stream,
    )
    refused(floor, f"the tail after {seq - 1} was cut off")


def test_a_floor_of_the_provisional_format_is_named_as_one(floor: Path) -> None:
    changed(floor, "UPDATE entries SET data = CAST('{\"v\":1}' AS BLOB) WHERE seq = 1")
    floor.with_name("floor.db.heads").write_bytes(b'{"hash":"ab","seq":1,"stream":"table:1"}\n')
    refused(floor, "provisional format 1")


def test_a_head_that_is_not_the_last_entry_is_refused(floor: Path) -> None:
    changed(floor, "UPDATE streams SET hash = ?", "0" * 64)
    assert outcome(floor, "chain")[0] == "failed"


def test_an_entry_missing_from_the_last_period_is_refused(floor: Path) -> None:
    [(stream, seq, _)] = _last(floor)
    changed(floor, "DELETE FROM snapshots")
    changed(floor, "DELETE FROM entries WHERE stream = ? AND seq = ?", stream, seq // 2)
    assert outcome(floor, "chain") == ("failed", outcome(floor, "chain")[1])
    assert f"{stream} entry {seq // 2}: is missing" in outcome(floor, "chain")[1]


def test_a_signature_of_another_key_is_refused(floor: Path) -> None:
    changed(floor, "UPDATE heads SET signature = ?", "00" * 64)
    assert "signature" in outcome(floor, "chain")[1]
    KeyRing.fresh().save(floor.with_name("floor.db.keys"))
    assert "is not certified by a root key of this floor" in outcome(floor, "chain")[1]
    floor.with_name("floor.db.keys").unlink()
    assert outcome(floor, "chain")[0] == "failed"
    assert "there is no key ring" in outcome(floor, "chain")[1]


def test_heads_of_another_floor_are_refused_and_half_a_line_is_not(floor: Path) -> None:
    heads = floor.with_name("floor.db.heads")
    with heads.open("ab") as file:
        file.write(b'{"hash":"ab')
    assert outcome(floor, "chain")[0] == "passed"
    heads.write_bytes(canonical(Head(stream="table:77", epoch=1, seq=3, hash="ab")) + b"\n")
    assert "not in the database" in outcome(floor, "chain")[1]
    heads.write_bytes(b"rubbish\n")
    assert outcome(floor, "chain")[0] == "failed"


def test_a_clock_behind_the_journal_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with SqliteStore(path, time=TableTime(wall=lambda: time.time() + 7_200)) as store:
        store.ask(Request(stream="table:1", id="1", command=c.OpenTable(by="pit", game="rapid")))
    refused(path, "behind the journal's last entry; set the clock")
    selftest(str(path), clock_tolerance_s=8_000).verify()
    with pytest.raises(SelfTestFailed):
        selftest(str(path), clock_tolerance_s=7_000).verify()


def test_no_database_at_all_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "floor.db").write_bytes(b"this is no database" * 100)
    done = command_line("selftest", "--database", str(tmp_path / "floor.db"))
    assert done.returncode == 2
    assert "file is not a database" in done.stderr


def test_the_same_on_postgresql(postgres: str, tmp_path: Path) -> None:
    """Its schema, its chain, and its own clock, by which tables go."""
    with database(postgres) as url:
        keys, heads = tmp_path / "keys", tmp_path / "heads"

        def said(check: str, tolerance_s: float = 60) -> tuple[str, str]:
            done = selftest(url, keys=keys, heads=heads, clock_tolerance_s=tolerance_s)
            found = {x.name: (x.outcome, x.said) for x in done.checks}
            return found[check]

        assert said("schema") == ("passed", "the database is empty; tables will be made")
        with open_store(url, keys=keys, heads=heads) as store:
            assert store.ask(
                Request(stream="table:1", id="1", command=c.OpenTable(by="pit", game="rapid"))
            ).ok
        assert [said(x)[0] for x in ("schema", "chain", "clock")] == ["passed"] * 3
        assert said("clock", tolerance_s=-7_200)[0] == "failed"
        with psycopg.connect(url, autocommit=True) as db:
            db.execute("UPDATE streams SET at = at + 7200000")
            assert "of another time" in said("chain")[1]
            db.execute("UPDATE streams SET seq = 3")
            assert "the last entry is another" in said("chain")[1]
            db.execute("UPDATE alembic_version SET version_num = '9999'")
            assert "newer than this program" in said("schema")[1]


def _last(path: Path, seq: int | None = None) -> list[tuple[str, int, bytes]]:
    with closing(sqlite3.connect(path)) as db:
        stream, last = db.execute(
            "SELECT stream, max(seq) FROM entries WHERE stream LIKE 'table:%'"
        ).fetchone()
        return db.execute(
            "SELECT stream, seq, data FROM entries WHERE stream = ? AND seq = ?",
            (stream, seq or last),
        ).fetchall()


# Installed releases


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source, installed to a folder of its own."""
    folder = tmp_path_factory.mktemp("release")
    source = folder / "source"
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(ROOT / "src", source / "src", ignore=shutil.ignore_patterns("__pycache__"))
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    built = subprocess.run(
        [*pip, "wheel", "--no-deps", "--wheel-dir", str(folder), str(source)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr[-400:]
    [wheel] = folder.glob("*.whl")
    subprocess.run(
        [*pip, "install", "--no-deps", "--target", str(folder / "site"), str(wheel)], check=True
    )
    return folder / "site"


def installed(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "puntobanco", *words],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env={**os.environ, "PYTHONPATH": str(site)},
    )


def serve_installed(site: Path, database: Path) -> subprocess.CompletedProcess[str]:
    """The installed code on a floor that nobody set up: past the self-test that is the next refusal."""
    return installed(site, "serve", "--database", str(database), "--port", "1")


def test_an_installed_release_passes_and_one_changed_byte_is_refused(
    release: Path, tmp_path: Path
) -> None:
    done = installed(release, "selftest", "--database", str(tmp_path / "floor.db"), "--json")
    assert json.loads(done.stdout)["outcome"] == "passed", done.stdout
    victim = release / "puntobanco/rules/money.py"
    before = victim.read_bytes()
    try:
        victim.write_bytes(before.replace(b"cents", b"cent5", 1))
        done = serve_installed(release, tmp_path / "floor.db")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        assert (
            "self-test, code: puntobanco/rules/money.py is not the file of the release; install"
            in done.stderr
        )
        victim.unlink()
    finally:
        victim.write_bytes(before)
    stray = release / "puntobanco/rules/sideload.py"
    stray.write_text("")
    try:
        assert (
            "sideload.py does not belong to the release"
            in serve_installed(release, tmp_path / "floor.db").stderr
        )
    finally:
        stray.unlink()
    assert "is not set up" in serve_installed(release, tmp_path / "floor.db").stderr, "whole again"


def test_a_changed_byte_of_a_dependency_is_refused(release: Path, tmp_path: Path) -> None:
    """Of one that lies first on the path, as a planted one would."""
    found = distribution("segno")
    site = Path(str(found.locate_file("")))
    names = {Path(file).parts[0] for file in found.files or () if file.parts[0] != ".."}
    for name in names:
        shutil.copytree(site / name, release / name)
    try:
        victim = release / "segno" / "consts.py"
        data = bytearray(victim.read_bytes())
        data[data.index(b"# ") + 1] = ord("!")  # in a comment: it can still be loaded
        victim.write_bytes(data)
        done = serve_installed(release, tmp_path / "floor.db")
        assert done.returncode == 2
        assert "self-test, code: segno/consts.py is not the file of the release" in done.stderr
    finally:
        for name in names:
            shutil.rmtree(release / name)


def program(site: Path) -> tuple[str, str]:
    """What is wrong with the installed code, and its digest."""
    ask = "from puntobanco.release import program as p; x = p(); print(x.fault); print(x.digest)"
    done = subprocess.run(
        [sys.executable, "-c", ask],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        text=True,
        check=True,
    )
    fault, digest = done.stdout.splitlines()
    return fault, digest


@pytest.mark.parametrize(
    "planted",
    ["sitecustomize/__init__.py", "uvloop/__init__.py", "uvloop.pyc", "uvloop/loop.abi3.so"],
)
def test_a_package_that_was_added_is_found(release: Path, planted: str) -> None:
    """Python runs the one at its start; uvicorn imports the other where it is there."""
    path = release / planted
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    try:
        assert program(release)[0] == f"{planted} does not belong to the release"
    finally:
        path.unlink()
        if path.parent != release:
            shutil.rmtree(path.parent)


def test_a_package_that_is_a_link_is_found(release: Path, tmp_path: Path) -> None:
    link = release / "uvloop"
    link.symlink_to(tmp_path)
    try:
        assert program(release)[0] == "uvloop does not belong to the release"
    finally:
        link.unlink()


def test_a_package_that_was_added_with_its_list_has_another_digest(release: Path) -> None:
    before = program(release)
    planted, listed = release / "uvloop", release / "uvloop-1.0.dist-info"
    planted.mkdir()
    listed.mkdir()
    (planted / "__init__.py").write_text("")
    (listed / "METADATA").write_text("Name: uvloop\nVersion: 1.0\n")
    (listed / "RECORD").write_text("uvloop/__init__.py,,\n")
    try:
        fault, digest = program(release)
        assert fault == before[0] == ""
        assert digest != before[1]
    finally:
        shutil.rmtree(planted)
        shutil.rmtree(listed)


def test_a_file_that_was_added_to_a_dependency_is_found(release: Path) -> None:
    """A folder goes before a module of its name."""
    found = distribution("segno")
    names = {Path(file).parts[0] for file in found.files or () if file.parts[0] != ".."}
    for name in names:
        shutil.copytree(Path(str(found.locate_file(name))), release / name)
    try:
        assert program(release)[0] == ""
        (release / "segno" / "consts").mkdir()
        (release / "segno" / "consts" / "__init__.py").write_text("")
        assert program(release)[0] == "segno/consts/__init__.py does not belong to the release"
    finally:
        for name in names:
            shutil.rmtree(release / name)


def test_a_program_that_was_changed_with_its_list_is_refused_until_two_people_accept_it(
    release: Path, tmp_path: Path
) -> None:
    """The self-test alone cannot tell; the digest that the journal has can."""
    folder = ["--database", str(tmp_path / "floor.db")]
    open_house(tmp_path)
    first = installed(release, "verify", *folder)
    assert first.returncode == 0, first.stderr

    victim = release / "puntobanco/rules/money.py"
    [record] = release.glob("puntobanco-*.dist-info/RECORD")
    before, list_before = victim.read_bytes(), record.read_text()
    try:
        victim.write_bytes(before + b"# a byte\n")
        was, now = _digest(before), _digest(victim.read_bytes())
        record.write_text(list_before.replace(was, now))
        locked = installed(release, "serve", *folder, "--port", "1")
        assert locked.returncode == 2
        assert "self-test, program: this program or one of its dependencies" in locked.stderr
        people = ["--first", "root", "--second", "sue"]
        for which, name in (("first", "root"), ("second", "sue")):
            people += [f"--{which}-password-file", str(tmp_path / name)]
        accepted = installed(release, "accept", *folder, *people)
        assert accepted.returncode == 0, accepted.stderr
        assert installed(release, "selftest", *folder).returncode == 0
    finally:
        victim.write_bytes(before)
        record.write_text(list_before)


def test_a_demonstration_with_changed_code_is_only_warned(release: Path, tmp_path: Path) -> None:
    victim = release / "puntobanco/rules/money.py"
    before = victim.read_bytes()
    victim.write_bytes(before + b"\n")
    try:
        words = ("selftest", "--demo", "--json", "--database", str(tmp_path / "floor.db"))
        done = installed(release, *words)
        assert done.returncode == 0
        assert json.loads(done.stdout)["checks"][0]["outcome"] == "warned"
    finally:
        victim.write_bytes(before)


def test_a_checkout_is_served_with_a_warning(tmp_path: Path) -> None:
    served = Served(tmp_path)
    try:
        status, said = api(served, "GET", "/readyz")
        assert (status, said["ready"], said["selftest"], said["checks"]["code"]) == (
            200,
            True,
            "warned",
            "warned",
        )
    finally:
        served.stop()
    assert (
        "WARNING puntobanco.serve: self-test, code: this is a checkout"
        in (tmp_path / "log").read_text()
    )
