"""`keys`, and what `backup` and `restore` do about the key ring."""

import base64
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal import key_files
from puntobanco_floor.journal.key_files import PURPOSES
from puntobanco_floor.journal.key_ring import ROTATED, KeyRing
from puntobanco_floor.journal.refusals import BadKeys
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.sqlite_file import beside
from tests.fixtures.versions import OLDEST, unpack
from tests.test_cli import Runner, run

__all__ = ["run"]

PASSPHRASE = "correct horse battery"


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(unpack(tmp_path, OLDEST))


@pytest.fixture
def given(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, PASSPHRASE)


def ring_of(database: str) -> KeyRing:
    return KeyRing.load(beside(Path(database), "keys"))


def sealed_with(database: str) -> set[str]:
    with closing(sqlite3.connect(database)) as db:
        return {key for (key,) in db.execute("SELECT key FROM sealed")}


def test_keys_are_shown_by_purpose_with_their_ages_and_no_key_is_printed(
    run: Runner, database: str
) -> None:
    before = run("keys", "show", "--database", database)
    assert before.status == 0
    assert "is not protected" in before.out
    assert run("keys", "rotate", "--database", database).status == 0
    assert run("keys", "rotate", "--purpose", "tickets", "--database", database).status == 0
    shown = run("keys", "show", "--database", database).out
    ring = ring_of(database)
    for purpose in PURPOSES:
        lines = [line.split() for line in shown.splitlines() if line.startswith(f"{purpose} ")]
        assert [line[1] for line in lines] == [key.id for key in ring.keys[purpose]]
        assert lines[-1][-1] == "used"
        for key in ring.keys[purpose]:
            assert key.key.hex() not in shown
            assert base64.b64encode(key.key).decode() not in shown
    assert shown.count("replaced 20") == 1
    assert shown.count("good for what it made") == len(ROTATED)


def test_an_auditor_needs_public_keys_only(run: Runner, database: str, tmp_path: Path) -> None:
    run("keys", "rotate", "--purpose", "signing", "--database", database)
    public = tmp_path / "public.json"
    public.write_text(run("keys", "show", "--public", "--database", database).out, "utf-8")
    beside(Path(database), "keys").unlink()
    alone = run("audit", "--database", database, "--json").json
    told = run("audit", "--database", database, "--keys", str(public), "--json").json
    assert told["sound"]
    assert told["signatures"] > 0
    assert len(told["unproven"]) < len(alone["unproven"])
    [first, second] = json.loads(public.read_text("utf-8"))["signing"]
    assert (first["retired_at"], second["retired_at"]) == (0, 0)


def test_undealt_cards_are_sealed_again_with_the_new_key(run: Runner, database: str) -> None:
    with open_store(database, clock=False) as store:
        commands = [c.OpenTable(by="pit", game="rapid"), c.NewShoe(by="pit")]
        for n, command in enumerate(commands):
            assert store.ask(Request(stream="table:9", id=str(n), command=command)).ok
    before = ring_of(database).sealer[0]
    assert sealed_with(database) == {before}
    out = run("keys", "rotate", "--purpose", "vouchers", "--database", database).out
    assert "new keys: vouchers; nodes that run take them within a second" in out
    assert sealed_with(database) == {before} == {ring_of(database).sealer[0]}
    assert run("keys", "rotate", "--database", database).status == 0
    assert sealed_with(database) == {ring_of(database).sealer[0]} != {before}
    assert run("audit", "--database", database).status == 0


def test_what_is_no_purpose_is_refused(run: Runner, database: str) -> None:
    refused = run.refused("keys", "rotate", "--purpose", "doors", "--database", database)
    assert "'doors' is not one of" in refused


def test_a_ring_is_put_under_a_passphrase_and_taken_off(
    run: Runner, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = ("--database", database)
    path = beside(Path(database), "keys")
    before = ring_of(database)
    assert "is not protected" in run.refused("keys", "protect", "--remove", *at)
    assert "needs a passphrase: set PUNTOBANCO_PASSPHRASE" in run.refused("keys", "protect", *at)
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, PASSPHRASE)
    assert run("keys", "protect", *at).out == f"{path} is protected\n"
    assert "is protected already" in run.refused("keys", "protect", *at)
    assert run("keys", "rotate", *at).status == 0
    assert json.loads(path.read_bytes())["format"] == key_files.PROTECTED_FORMAT
    assert "is protected by a passphrase" in run("keys", "show", *at).out
    assert run("table", "list", *at).status == 0
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, "something else")
    for arguments in (["table", "list"], ["keys", "show"], ["keys", "protect", "--remove"]):
        assert f"the passphrase does not open {path}" in run.refused(*arguments, *at)
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, PASSPHRASE)
    assert run("keys", "protect", "--remove", *at).out == f"{path} is no longer protected\n"
    monkeypatch.delenv(key_files.PASSPHRASE_ENV)
    assert ring_of(database).keys["sealing"][0] == before.keys["sealing"][0]


def test_a_backup_holds_no_keys_and_a_restore_makes_none(
    run: Runner, database: str, tmp_path: Path
) -> None:
    copy, back = tmp_path / "copy", tmp_path / "back" / "floor.db"
    out = run("backup", "--database", database, "--to", str(copy))
    assert "without the key ring" in out.out
    names = {path.name for path in copy.iterdir()}
    assert {"floor.db", "floor.db.heads", "manifest.json"} <= names
    assert "floor.db.keys" not in names
    out = run("restore", "--from", str(copy), "--database", str(back))
    assert f"put the floor's at {beside(back, 'keys')} before you serve it" in out.out
    refused = run.refused("init", "--database", str(back), "--name", "x")
    assert "holds a floor, and its key ring is not at" in refused
    assert "there is no key ring at" in run.refused("table", "list", "--database", str(back))
    with pytest.raises(BadKeys, match="holds a floor"):
        open_store(str(back), clock=False)
    assert not beside(back, "keys").exists(), "nobody makes a fresh one"
    ring = beside(Path(database), "keys")
    beside(back, "keys").write_bytes(ring.read_bytes())
    assert "puntobanco epoch begin" in run.refused("table", "list", "--database", str(back))


def test_a_ring_may_be_in_its_place_before_a_restore(
    run: Runner, database: str, tmp_path: Path
) -> None:
    copy, back = tmp_path / "copy", tmp_path / "back.db"
    run("backup", "--database", database, "--to", str(copy))
    ring = beside(Path(database), "keys").read_bytes()
    beside(back, "keys").write_bytes(ring)
    out = run("restore", "--from", str(copy), "--database", str(back))
    assert (out.status, "put the floor's" in out.out) == (0, False)
    assert beside(back, "keys").read_bytes() == ring


@pytest.mark.usefixtures("given")
def test_a_backup_with_keys_has_them_under_a_passphrase(
    run: Runner, database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy, back = tmp_path / "copy", tmp_path / "back.db"
    out = run("backup", "--database", database, "--to", str(copy), "--with-keys")
    assert "with the key ring under its passphrase" in out.out
    kept = copy / "floor.db.keys"
    assert json.loads(kept.read_bytes())["format"] == key_files.PROTECTED_FORMAT
    assert run("restore", "--from", str(copy), "--database", str(back)).status == 0
    assert ring_of(str(back)) == ring_of(database)
    assert "puntobanco epoch begin" in run.refused("table", "list", "--database", str(back))
    monkeypatch.delenv(key_files.PASSPHRASE_ENV)
    assert "needs a passphrase" in run.refused("table", "list", "--database", str(back))


def test_a_backup_with_keys_needs_a_passphrase_before_anything_is_copied(
    run: Runner, database: str, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    at = ("--database", database, "--to", str(copy), "--with-keys")
    assert "needs a passphrase" in run.refused("backup", *at)
    assert not copy.exists()


def test_a_nodes_key_is_replaced_and_the_old_one_retired_in_every_stream(
    run: Runner, database: str
) -> None:
    with open_store(database, keys=None, heads=None, clock=False) as store:
        old, names = store.node.id, store.names()
        seat = c.SeatSession(by="eve", session="eve")
        store.ask(Request(stream="table:1", id="first", command=seat))
    own = run.refused("keys", "retire", old, "--database", database)
    assert "this node signs with that key" in own
    beside(Path(database), "node").unlink()
    done = run("keys", "retire", old, "--database", database)
    assert done.status == 0
    assert f"key {old} is retired in" in done.out
    assert names
    assert "sound" in run("audit", "--database", database).out
    assert "no key" in run.refused("keys", "retire", old, "--database", database)


def test_a_key_is_retired_where_it_can_be_and_blocked_streams_are_named(
    run: Runner, database: str
) -> None:
    with open_store(database, keys=None, heads=None, clock=False) as store:
        old = store.node.id
        other = max(set(store.names()) - {"table:1", "floor"})
        seat = c.SeatSession(by="eve", session="eve")
        store.ask(Request(stream="table:1", id="first", command=seat))
    beside(Path(database), "node").unlink()
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("INSERT INTO entries (stream, seq, data) VALUES (?, 9999, x'00')", (other,))
    refused = run("keys", "retire", old, "--database", database)
    assert f"key {old} is retired in" in refused.out
    assert f"blocked, and not looked at: {other}" in refused.err
    with open_store(database, keys=None, heads=None, clock=False) as store:
        assert store.table("table:1").state.keys[old].is_retired


def test_the_second_rotation_certifies_the_node_anew_in_every_stream(
    run: Runner, database: str
) -> None:
    at = ("--purpose", "signing", "--database", database)
    assert "certified" not in run("keys", "rotate", *at).out
    with open_store(database, keys=None, heads=None, clock=False) as store:
        names = store.names()
    assert f"is certified anew in {len(names)} streams" in run("keys", "rotate", *at).out
    path = beside(Path(database), "keys")
    with KeyRing.changed(path) as ring:  # two hours later
        first, *others = ring.keys["signing"]
        aged = replace(first, replaced_at=first.replaced_at - 7_200_000)
        ring.keys = ring.keys | {"signing": (aged, *others)}
    beside(Path(database), "heads").unlink()
    assert run("selftest", "--database", database).status == 0
    assert "sound" in run("audit", "--database", database).out
    with open_store(database, keys=None, heads=None, clock=False) as store:
        roots = {store.stream(name).state.keys[store.node.id].root for name in names}
    assert roots == {others[0].id}
    assert "is certified anew" in run("keys", "certify", "--database", database).out


def test_a_stream_that_is_blocked_at_the_rotation_is_named(run: Runner, database: str) -> None:
    at = ("--purpose", "signing", "--database", database)
    run("keys", "rotate", *at)
    with closing(sqlite3.connect(database)) as db, db:
        db.execute("INSERT INTO entries (stream, seq, data) VALUES ('table:1', 9999, x'00')")
    said = run("keys", "rotate", *at)
    assert "blocked, and left out: table:1" in said.err
    assert "is certified anew in" in said.out
