"""Before the port opens: changed code, a newer schema, a broken chain and a clock set back are refused in one line."""

import hashlib
import json
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from importlib.metadata import distribution
from pathlib import Path

import psycopg
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from puntobanco.base.version import DISTRIBUTIONS
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.integrity.release import _digest, is_own
from puntobanco_floor.integrity.self_test import SelfTestFailed, selftest
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.table_clock import TableTime
from puntobanco_proof.entry.format import canonical, hash_entry, read_header
from puntobanco_proof.entry.heads import Head
from tests.floor.test_recovery_commands import open_house
from tests.storage.played import played
from tests.storage.servers import database
from tests.support.forked import command_line
from tests.support.installed import Installed, dependencies_of, place, python, unpacked
from tests.support.served import Served, api
from tools.tree import SOURCES


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
        ("file", "passed"),
        ("schema", "passed"),
        ("chain", "passed"),
        ("log", "passed"),
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
        hash_entry(before),
        read_header(before)[0].at,
        stream,
    )
    refused(floor, f"the tail after {seq - 1} was cut off")


def test_a_floor_of_the_provisional_format_is_named_as_one(floor: Path) -> None:
    changed(floor, "UPDATE entries SET data = CAST('{\"v\":1}' AS BLOB) WHERE seq = 1")
    floor.with_name("floor.db.heads").write_bytes(b'{"hash":"ab","seq":1,"stream":"table:1"}\n')
    refused(floor, "provisional format 1")
    done = command_line("audit", "--database", str(floor))
    assert done.returncode in (1, 2)
    assert "provisional format 1" in (done.stdout + done.stderr)
    assert "heads" not in (done.stdout + done.stderr)


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


def test_a_file_of_heads_that_cannot_be_reached_fails_its_check(floor: Path) -> None:
    found = selftest(
        str(floor), heads=floor.with_name("h" * 300), keys=floor.with_name("floor.db.keys")
    )
    [chain] = [check for check in found.checks if check.name == "chain"]
    assert chain.outcome == "failed"
    assert "cannot read the file of heads" in chain.said


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


@pytest.fixture
def release(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this source in a folder of the test's own."""
    return unpacked(tmp_path_factory, tmp_path / "site")


def program(site: Path, *signed: str, beside: Sequence[Path] = ()) -> tuple[str, str]:
    """What is wrong with the installed code, and its digest; without other dependencies than those in these folders."""
    ask = """
import sys
from puntobanco_floor.integrity.release import program
found = program(*sys.argv[1:])
print(found.fault)
print(found.digest)
"""
    done = python("-c", ask, *signed, path=[site, *beside])
    assert done.returncode == 0, done.stderr
    fault, digest = done.stdout.splitlines()
    return fault, digest


@pytest.fixture
def installed(release: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(release, dependencies_of(tmp_path_factory))


def test_an_installed_release_passes_and_one_changed_byte_is_refused(
    installed: Installed, tmp_path: Path
) -> None:
    folder = ("--database", str(tmp_path / "floor.db"))
    done = installed.run("selftest", *folder, "--json")
    assert json.loads(done.stdout)["outcome"] == "passed", done.stdout
    victim = installed.site / "puntobanco/rules/settle.py"
    before = victim.read_bytes()
    victim.write_bytes(before.replace(b"cents", b"cent5", 1))
    done = installed.run("serve", *folder, "--port", "1")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert (
        "self-test, code: puntobanco/rules/settle.py is not the file of the release; install"
        in done.stderr
    )
    victim.unlink()
    assert program(installed.site)[0] == "puntobanco/rules/settle.py is missing"
    victim.write_bytes(before)
    assert program(installed.site)[0] == "", "whole again"
    (installed.site / "puntobanco/rules/sideload.py").write_text("")
    assert (
        program(installed.site)[0] == "puntobanco/rules/sideload.py does not belong to the release"
    )


@pytest.mark.parametrize("package", ["puntobanco", "puntobanco_proof"])
def test_a_package_of_ours_from_another_folder_is_a_fault(
    release: Path, tmp_path: Path, package: str
) -> None:
    """The files of the release are whole, and Python runs others."""
    other = tmp_path / "other"
    shutil.copytree(release / package, other / package)
    assert program(release)[0] == ""
    assert program(other, beside=[release])[0] == f"{package} is imported from another folder"


@pytest.mark.parametrize("name", DISTRIBUTIONS.values())
def test_every_package_of_ours_is_compared(release: Path, name: str) -> None:
    victim = release / name / "__init__.py"
    victim.write_bytes(victim.read_bytes() + b"# changed\n")
    assert program(release)[0] == f"{name}/__init__.py is not the file of the release"


def test_a_changed_byte_of_a_dependency_is_refused(installed: Installed, tmp_path: Path) -> None:
    """Of one that lies first on the path, as a planted one would."""
    place(distribution("segno"), installed.site, copied=True)
    victim = installed.site / "segno" / "consts.py"
    data = bytearray(victim.read_bytes())
    data[data.index(b"# ") + 1] = ord("!")  # in a comment: it can still be loaded
    victim.write_bytes(data)
    done = installed.run("serve", "--database", str(tmp_path / "floor.db"), "--port", "1")
    assert done.returncode == 2
    assert "self-test, code: segno/consts.py is not the file of the release" in done.stderr


@pytest.mark.parametrize(
    "planted",
    ["sitecustomize/__init__.py", "uvloop/__init__.py", "uvloop.pyc", "uvloop/loop.abi3.so"],
)
def test_a_package_that_was_added_is_found(release: Path, planted: str) -> None:
    """Python runs the one at its start; uvicorn imports the other where it is there."""
    path = release / planted
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"")
    assert program(release)[0] == f"{planted} does not belong to the release"


def test_a_package_that_is_a_link_is_found(release: Path, tmp_path: Path) -> None:
    (release / "uvloop").symlink_to(tmp_path)
    assert program(release)[0] == "uvloop does not belong to the release"


def test_a_package_that_was_added_with_its_list_has_another_digest(release: Path) -> None:
    before = program(release)
    planted, listed = release / "uvloop", release / "uvloop-1.0.dist-info"
    planted.mkdir()
    listed.mkdir()
    (planted / "__init__.py").write_text("")
    (listed / "METADATA").write_text("Name: uvloop\nVersion: 1.0\n")
    (listed / "RECORD").write_text("uvloop/__init__.py,,\n")
    fault, digest = program(release)
    assert fault == before[0] == ""
    assert digest != before[1]


def test_a_file_that_was_added_to_a_dependency_is_found(release: Path) -> None:
    """A folder goes before a module of its name."""
    place(distribution("segno"), release, copied=True)
    assert program(release)[0] == ""
    (release / "segno" / "consts").mkdir()
    (release / "segno" / "consts" / "__init__.py").write_text("")
    assert program(release)[0] == "segno/consts/__init__.py does not belong to the release"


def test_a_program_that_was_changed_with_its_list_is_refused_until_two_people_accept_it(
    installed: Installed, tmp_path: Path
) -> None:
    """The self-test alone cannot tell; the digest that the journal has can."""
    folder = ["--database", str(tmp_path / "floor.db")]
    open_house(tmp_path)
    first = installed.run("check-program", *folder)
    assert first.returncode == 0, first.stderr

    victim = installed.site / "puntobanco/rules/settle.py"
    [record] = installed.site.glob("puntobanco-*.dist-info/RECORD")
    before = victim.read_bytes()
    victim.write_bytes(before + b"# a byte\n")
    was, now = _digest(before), _digest(victim.read_bytes())
    record.write_text(record.read_text().replace(was, now))
    locked = installed.run("serve", *folder, "--port", "1")
    assert locked.returncode == 2
    assert "self-test, program: this program or one of its dependencies" in locked.stderr
    people = ["--first", "root", "--second", "sue"]
    for which, name in (("first", "root"), ("second", "sue")):
        people += [f"--{which}-password-file", str(tmp_path / name)]
    accepted = installed.run("accept", *folder, *people)
    assert accepted.returncode == 0, accepted.stderr
    assert installed.run("selftest", *folder).returncode == 0


def signed_release(site: Path, folder: Path) -> list[str]:
    """The list of the release's files, signed, and the public key: as `tools.release` leaves them."""
    lines = []
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if path.is_file() and is_own(name) and "__pycache__" not in path.parts:
            lines.append(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}\n")
    listed, key = folder / "release.files", folder / "release-key.pem"
    listed.write_text("".join(lines), "utf-8")
    private = Ed25519PrivateKey.generate()
    listed.with_name(f"{listed.name}.sig").write_bytes(private.sign(listed.read_bytes()))
    public = private.public_key()
    key.write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return [str(listed), str(key)]


def test_a_file_that_was_changed_with_its_record_is_not_that_of_the_signed_list(
    installed: Installed, tmp_path: Path
) -> None:
    """On a floor that is new nobody has accepted a program yet: only the signature can tell."""
    site, beside = installed.site, [installed.dependencies]
    listed, key = signed_release(site, tmp_path)
    assert program(site, listed, key, beside=beside)[0] == ""
    options = ["--release-list", listed, "--release-key", key]
    words = ["selftest", "--database", str(tmp_path / "floor.db"), *options]
    done = installed.run(*words)
    assert done.returncode == 0, done.stderr
    name = "puntobanco/rules/settle.py"
    victim = site / name
    [record] = site.glob("puntobanco-*.dist-info/RECORD")
    before, list_before = victim.read_bytes(), record.read_text()
    victim.write_bytes(before + b"# a byte\n")
    record.write_text(list_before.replace(_digest(before), _digest(victim.read_bytes())))
    assert program(site)[0] == "", "RECORD alone cannot tell"
    assert (
        program(site, listed, key, beside=beside)[0] == f"{name} is not the file of the signed list"
    )
    refused = installed.run(*words)
    assert refused.returncode == 2
    assert f"self-test, code: {name} is not the file of the" in refused.stderr
    victim.unlink()
    record.write_text("".join(x for x in list_before.splitlines(True) if name not in x))
    assert program(site, listed, key, beside=beside)[0] == f"{name} of the signed list is missing"
    victim.write_bytes(before)
    (site / "puntobanco/rules/sideload.py").write_text("")
    stray = f"puntobanco/rules/sideload.py,sha256={_digest(b'')},0\n"
    record.write_text(list_before + stray)
    said = "puntobanco/rules/sideload.py is not in the signed list of the release"
    assert program(site, listed, key, beside=beside)[0] == said


def test_which_code_a_command_runs_is_compared_too(installed: Installed) -> None:
    """A changed list of commands, or another distribution's, changes the digest or is a fault."""
    accepted = program(installed.site)[1]
    ours = next(installed.site.glob("puntobanco_floor-*.dist-info"))
    points, record = ours / "entry_points.txt", ours / "RECORD"
    before, listed = points.read_text(), record.read_text()
    changed = before.replace("cli.audit:audit", "cli.program:selftest")
    points.write_text(changed)
    assert ours.name in program(installed.site)[0]
    name = f"{ours.name}/entry_points.txt"
    line = next(line for line in listed.splitlines() if line.startswith(name))
    record.write_text(
        listed.replace(line, f"{name},sha256={_digest(changed.encode())},{len(changed)}")
    )
    assert program(installed.site)[1] != accepted
    points.write_text(before)
    record.write_text(listed)
    assert program(installed.site) == ("", accepted)
    foreign = installed.site / "aaa-1.dist-info"
    foreign.mkdir()
    (foreign / "entry_points.txt").write_text("[puntobanco.commands]\naudit = aaa:own\n")
    fault, digest = program(installed.site)
    assert fault or digest != accepted


def test_a_signed_list_needs_its_key_and_a_release(installed: Installed, tmp_path: Path) -> None:
    listed, _ = signed_release(installed.site, tmp_path)
    assert program(installed.site, listed)[0].endswith("are given together")
    checkout = [source.parent for source in SOURCES.values()]
    assert (
        program(checkout[0], listed, beside=checkout[1:])[0]
        == "this is a checkout, and not the signed release"
    )
    words = ["selftest", "--database", str(tmp_path / "floor.db"), "--release-list", listed]
    done = command_line(*words)
    assert "self-test, code: this is a checkout, and not the signed release" in done.stderr


def test_a_demonstration_with_changed_code_is_only_warned(
    installed: Installed, tmp_path: Path
) -> None:
    victim = installed.site / "puntobanco/rules/settle.py"
    victim.write_bytes(victim.read_bytes() + b"\n")
    words = ("selftest", "--demo", "--json", "--database", str(tmp_path / "floor.db"))
    done = installed.run(*words)
    assert done.returncode == 0
    assert json.loads(done.stdout)["checks"][0]["outcome"] == "warned"


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
