"""The key ring: who may read its file, what is no key ring, that old keys still read what they made, and that a running
program sees new ones."""

import base64
import json
import logging
import os
import stat
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_floor.journal import key_files, key_ring
from puntobanco_floor.journal.key_files import KEY_BYTES, PURPOSES, Key
from puntobanco_floor.journal.key_ring import KeyRing, roots_in
from puntobanco_floor.journal.refusals import BadKeys, BadPassphrase
from puntobanco_floor.journal.sealed_shoes import new_order, seal, unseal
from puntobanco_proof.entry.heads import Head, sign_head, verify_signature

RAW = bytes(range(KEY_BYTES))
TEXT = base64.b64encode(RAW).decode()
ROW = {"id": "k1", "key": TEXT, "made_at": 1, "retired_at": 0}
ROWS = {purpose: [ROW] for purpose in PURPOSES}
GOOD = {"format": "puntobanco-keys-2", "keys": ROWS}
PASSPHRASE = "correct horse battery"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "floor.db.keys"


@pytest.fixture(autouse=True)
def _no_passphrase(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in (key_files.PASSPHRASE_ENV, key_files.PASSPHRASE_FILE_ENV):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.stdin", None)  # nobody is asked
    key_files._typed.cache_clear()
    yield
    key_files._typed.cache_clear()


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def every_key(ring: KeyRing) -> list[bytes]:
    return [key.key for some in ring.keys.values() for key in some]


def test_a_ring_is_made_once_and_then_read(path: Path) -> None:
    first = KeyRing.at(path)
    assert KeyRing.at(path) == first == KeyRing.load(path)
    assert set(first.keys) == set(PURPOSES)
    assert {len(key) for key in every_key(first)} == {KEY_BYTES}
    assert len(set(every_key(first))) == len(PURPOSES), "no two purposes share a key"


@pytest.mark.skipif(os.name == "nt", reason="permissions of another kind")
def test_only_its_owner_may_read_the_file_whatever_the_umask(path: Path) -> None:
    before = os.umask(0)
    try:
        ring = KeyRing.at(path)
        assert mode(path) == 0o600
        path.chmod(0o644)
        ring.save(path)
        assert mode(path) == 0o600
    finally:
        os.umask(before)


def test_the_folder_is_made_and_nothing_else_is_left_in_it(path: Path) -> None:
    ring = KeyRing.at(path.parent / "deep" / "er" / "keys")
    ring.save(path)
    ring.save(path)
    assert sorted(p.name for p in path.parent.iterdir()) == ["deep", path.name]
    assert [p.name for p in (path.parent / "deep" / "er").iterdir()] == ["keys"]


def test_programs_that_start_at_once_get_the_same_ring(path: Path) -> None:
    """Each would make its own; what one of them sealed, the others could not open."""
    rings, gate = list[KeyRing](), threading.Barrier(8)

    def start() -> None:
        gate.wait()
        rings.append(KeyRing.at(path))

    threads = [threading.Thread(target=start) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(rings) == 8
    assert all(ring == KeyRing.load(path) for ring in rings)


def with_key(**changed: object) -> str:
    return json.dumps(GOOD | {"keys": ROWS | {"sealing": [ROW | changed]}})


NO_RINGS = {
    "an empty file": "",
    "no json": "format",
    "half of it": json.dumps(GOOD)[:-1],
    "a number": "7",
    "a list": "[]",
    "nothing in it": "{}",
    "another format": json.dumps(GOOD | {"format": "puntobanco-keys-3"}),
    "no keys of a purpose": json.dumps(GOOD | {"keys": ROWS | {"cards": []}}),
    "a purpose missing": json.dumps(GOOD | {"keys": {"signing": [ROW]}}),
    "keys by id": json.dumps(GOOD | {"keys": ROWS | {"signing": {"k1": TEXT}}}),
    "a short key": with_key(key=base64.b64encode(RAW[1:]).decode()),
    "a long key": with_key(key=base64.b64encode(RAW + b"x").decode()),
    "no base64": with_key(key="?" * 44),
    "a key that is a number": with_key(key=7),
    "a field that is none": with_key(name="x"),
    "too deep": "[" * 100_000,
}


@pytest.mark.parametrize("text", NO_RINGS.values(), ids=NO_RINGS)
def test_what_is_no_key_ring_is_refused_in_one_line(path: Path, text: str) -> None:
    path.write_text(text, "utf-8")
    with pytest.raises(BadKeys) as refused:
        KeyRing.load(path)
    assert str(refused.value) == f"{path} is no key ring"
    with pytest.raises(BadKeys):
        KeyRing.at(path)
    assert path.read_text("utf-8") == text, "a file that is there is never replaced by a fresh ring"


def test_the_good_one_among_them_is_read(path: Path) -> None:
    path.write_text(json.dumps(GOOD), "utf-8")
    key = Key(id="k1", key=RAW, made_at=1)
    assert KeyRing.load(path) == KeyRing(dict.fromkeys(PURPOSES, (key,)))


@pytest.mark.parametrize("purpose", ["patrons", "log", "leaves", "receipts"])
def test_a_ring_from_before_a_purpose_gets_the_same_key_for_it_at_every_node(
    path: Path, purpose: str
) -> None:
    fresh = KeyRing.fresh()
    fresh.save(path)
    file = json.loads(path.read_bytes())
    del file["keys"][purpose]
    path.write_text(json.dumps(file), "utf-8")
    ring = KeyRing.load(path)
    assert ring == KeyRing.load(path)
    assert len(set(every_key(ring))) == len(PURPOSES)
    with KeyRing.changed(path) as changed:
        changed.rotate(["signing", "sealing", "cards"])
    assert KeyRing.load(path).keys[purpose] == ring.keys[purpose], "it is written, and stays"  # type: ignore[index]


def test_keys_of_a_purpose_that_only_a_newer_program_knows_are_kept(path: Path) -> None:
    doors = [ROW | {"id": "d1"}]
    path.write_text(json.dumps(GOOD | {"keys": ROWS | {"doors": doors}}), "utf-8")
    with KeyRing.changed(path) as ring:
        ring.rotate()
    assert json.loads(path.read_bytes())["keys"]["doors"] == doors


def test_bytes_that_are_no_text_are_refused(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadKeys, match="is no key ring"):
        KeyRing.load(path)


def test_a_missing_file_says_where_it_should_be(path: Path) -> None:
    with pytest.raises(BadKeys) as refused:
        KeyRing.load(path)
    assert (
        str(refused.value)
        == f"there is no key ring at {path}; it is made with the database and kept beside it"
    )


def test_what_cannot_be_read_or_written_is_refused_in_one_line(path: Path) -> None:
    with pytest.raises(BadKeys, match=r"cannot read the key ring .*: is a directory"):
        KeyRing.load(path.parent)
    path.write_text("a file", "utf-8")
    with pytest.raises(BadKeys) as refused:
        KeyRing.fresh().save(path / "keys")
    assert str(refused.value).startswith(f"cannot write the key ring {path / 'keys'}: ")
    assert "\n" not in str(refused.value)
    with pytest.raises(Refusal):
        KeyRing.at(path / "keys")


def test_a_new_key_is_used_and_the_old_ones_still_read_what_they_wrote(path: Path) -> None:
    ring = KeyRing.at(path)
    order = new_order(range(52))
    sealed, head = (
        seal(order, ring, place="table:1/shoe/1"),
        sign_head(
            Head(stream="table:1", epoch=1, seq=1, hash="ab", key=ring.signer[0]),
            ring.signer[1].sign,
        ),
    )
    old = (ring.signer[0], ring.sealer)
    for _ in range(3):
        ring.rotate()
    ring.save(path)

    again = KeyRing.load(path)
    assert again == ring
    assert (again.signer[0], again.sealer) == (ring.signer[0], ring.sealer)
    assert again.signer[0] != old[0]
    assert again.sealer != old[1]
    assert (len(again.signing), len(again.sealing)) == (4, 4)
    assert len(set(every_key(again))) == 4 * len(PURPOSES), "no two keys are the same"
    assert unseal(sealed, again, place="table:1/shoe/1") == order
    verify_signature(head, again.public()[head.key])
    assert seal(order, again, place="x").key == again.sealer[0] != sealed.key


def test_one_purpose_is_rotated_alone_and_a_second_rotation_retires_the_key_before_the_last() -> (
    None
):
    ring = KeyRing.fresh()
    others = {purpose: some for purpose, some in ring.keys.items() if purpose != "tickets"}
    first = ring.mac("tickets", "a")
    ring.rotate(["tickets"])
    second = ring.mac("tickets", "a")
    assert ring.holds("tickets", "a", first)
    ring.rotate(["tickets"])
    assert [bool(key.replaced_at) for key in ring.keys["tickets"]] == [True, False, False]
    assert not ring.holds("tickets", "a", first)
    assert ring.holds("tickets", "a", second)
    assert ring.macs("tickets", "a") == [ring.mac("tickets", "a"), second, first]
    assert {purpose: ring.keys[purpose] for purpose in others} == others


def test_a_mac_is_of_its_purpose_its_text_and_its_ring() -> None:
    ring = KeyRing.fresh()
    mac = ring.mac("codes", "a")
    assert ring.holds("codes", "a", mac)
    assert not ring.holds("codes", "b", mac)
    assert not ring.holds("logins", "a", mac)
    assert not KeyRing.fresh().holds("codes", "a", mac)
    assert not ring.holds("codes", "a", "")
    assert not ring.holds("codes", "a", "é")


# A program that runs


def test_a_running_program_sees_new_keys_at_once_where_it_would_refuse(path: Path) -> None:
    running = KeyRing.at(path)
    with KeyRing.changed(path) as other:
        other.rotate()
    assert running.holds("tickets", "a", other.mac("tickets", "a"))
    assert running == other


def test_a_running_program_looks_up_with_new_keys_at_once(path: Path) -> None:
    running = KeyRing.at(path)
    with KeyRing.changed(path) as other:
        other.rotate()
    assert running.macs("vouchers", "a") == other.macs("vouchers", "a")


def test_a_running_program_makes_with_new_keys_after_a_second(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    running = KeyRing.at(path)
    before = running.sealer
    with KeyRing.changed(path) as other:
        other.rotate()
    assert running.sealer == before, "the file is not looked at each time"
    later = time.monotonic() + key_ring.LOOK_S + 0.1
    monkeypatch.setattr("puntobanco_floor.journal.key_ring.time.monotonic", lambda: later)
    assert running.sealer == other.sealer != before
    assert before[0] in running.sealing


def test_a_running_program_goes_on_with_its_keys_where_the_file_is_spoilt(
    path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    running = KeyRing.at(path)
    mac = running.mac("tickets", "a")
    path.write_text("{}", "utf-8")
    with caplog.at_level(logging.ERROR):
        assert not running.holds("tickets", "a", "b")
        assert not running.holds("tickets", "a", "c")
    [record] = caplog.records
    assert "is no key ring; the keys from before are used" in record.getMessage()
    assert running.holds("tickets", "a", mac)
    path.unlink()
    assert running.holds("tickets", "a", mac)


def test_changes_at_once_lose_no_key(path: Path) -> None:
    KeyRing.at(path)
    gate = threading.Barrier(6)

    def change() -> None:
        gate.wait()
        with KeyRing.changed(path) as ring:
            ring.rotate(["sealing"])

    threads = [threading.Thread(target=change) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(KeyRing.load(path).sealing) == 7


# For auditors


def test_public_keys_come_from_a_ring_or_from_a_file_without_secrets(path: Path) -> None:
    ring = KeyRing.at(path)
    for _ in range(2):
        ring.rotate()
    ring.save(path)
    public = path.with_name("public.json")
    text = ring.public_text()
    public.write_text(text, "utf-8")
    assert roots_in(public).keys == roots_in(path).keys == ring.public()
    assert list(roots_in(public).keys) == list(ring.signing)
    assert [bool(row["retired_at"]) for row in json.loads(text)["signing"]] == [True, False, False]
    for key in every_key(ring):
        assert key.hex() not in text
        assert base64.b64encode(key).decode() not in text
    with pytest.raises(BadKeys, match="it holds public keys only"):
        KeyRing.load(public)


# Under a passphrase


def test_a_protected_ring_opens_with_its_passphrase_only(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = KeyRing.at(path)
    ring.passphrase = PASSPHRASE
    ring.save(path)
    text = path.read_text("utf-8")
    assert not any(base64.b64encode(key).decode() in text for key in every_key(ring))
    assert mode(path) == 0o600
    with pytest.raises(BadPassphrase, match="set PUNTOBANCO_PASSPHRASE or"):
        KeyRing.load(path)
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, "another one")
    with pytest.raises(BadPassphrase, match="the passphrase does not open"):
        KeyRing.at(path)
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, PASSPHRASE)
    assert KeyRing.at(path) == ring
    monkeypatch.delenv(key_files.PASSPHRASE_ENV)
    file = path.with_name("passphrase")
    file.write_text(PASSPHRASE + "\n", "utf-8")
    monkeypatch.setenv(key_files.PASSPHRASE_FILE_ENV, str(file))
    assert KeyRing.load(path) == ring
    file.unlink()
    with pytest.raises(BadPassphrase, match="cannot read the passphrase"):
        KeyRing.load(path)


def test_a_protected_ring_that_was_changed_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = KeyRing.fresh()
    ring.passphrase = PASSPHRASE
    ring.save(path)
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, PASSPHRASE)
    protected = json.loads(path.read_bytes())
    data = bytearray(base64.b64decode(protected["data"]))
    data[7] ^= 1
    path.write_text(json.dumps(protected | {"data": base64.b64encode(data).decode()}))
    with pytest.raises(BadPassphrase):
        KeyRing.load(path)
    path.write_text(json.dumps(protected | {"salt": ""}))
    with pytest.raises(BadKeys, match="is no key ring"):
        KeyRing.load(path)


def test_it_stays_protected_when_keys_are_rotated_and_a_running_program_still_sees_them(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ring = KeyRing.fresh()
    ring.passphrase = PASSPHRASE
    ring.save(path)
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, PASSPHRASE)
    running = KeyRing.load(path)
    with KeyRing.changed(path) as other:
        other.rotate()
    monkeypatch.delenv(key_files.PASSPHRASE_ENV)
    assert json.loads(path.read_bytes())["format"] == key_files.PROTECTED_FORMAT
    assert running.holds("tickets", "a", other.mac("tickets", "a"))


def test_a_passphrase_is_asked_for_once_at_a_terminal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Terminal:
        def isatty(self) -> bool:
            return True

    asked = list[str]()

    def typed(prompt: str) -> str:
        asked.append(prompt)
        return PASSPHRASE

    monkeypatch.setattr("sys.stdin", Terminal())
    monkeypatch.setattr(key_files, "getpass", typed)
    ring = KeyRing.fresh()
    ring.passphrase = key_files.new_passphrase(path)
    assert len(asked) == 2, "a new one is typed twice"
    ring.save(path)
    key_files._typed.cache_clear()
    asked.clear()
    assert KeyRing.load(path) == KeyRing.load(path) == ring
    assert asked == [f"Passphrase of {path}: "]


def test_a_short_passphrase_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, "x" * (key_files.MIN_PASSPHRASE - 1))
    with pytest.raises(BadPassphrase, match="at least 12"):
        key_files.new_passphrase(path)
    monkeypatch.setenv(key_files.PASSPHRASE_ENV, "x" * key_files.MIN_PASSPHRASE)
    assert key_files.new_passphrase(path)


def test_a_ring_that_is_printed_shows_no_key(path: Path) -> None:
    ring = KeyRing.at(path)
    ring.passphrase = PASSPHRASE
    shown = f"{ring!r} {ring.keys!r}"
    assert PASSPHRASE not in shown
    for key in every_key(ring):
        assert key.hex() not in shown
        assert repr(key)[2:-1] not in shown
