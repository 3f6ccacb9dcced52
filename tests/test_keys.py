"""The key ring: who may read its file, what is no key ring, and that old keys still open what they sealed."""

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from puntobanco.journal import signed, verify_signature
from puntobanco.keys import FORMAT, KEY_BYTES, BadKeys, KeyRing
from puntobanco.rules.refusals import Refusal
from puntobanco.vault import new_order, seal, unseal

KEY = "ab" * KEY_BYTES
GOOD = {"format": FORMAT, "signing": {"s1": KEY}, "sealing": {"k1": KEY}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "floor.db.keys"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_ring_is_made_once_and_then_read(path: Path) -> None:
    first = KeyRing.at(path)
    assert KeyRing.at(path) == first == KeyRing.load(path)
    assert {len(key) for key in (*first.signing.values(), *first.sealing.values())} == {KEY_BYTES}


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


NO_RINGS = {
    "an empty file": "",
    "no json": "format",
    "half of it": json.dumps(GOOD)[:-1],
    "a number": "7",
    "a list": "[]",
    "nothing in it": "{}",
    "another format": json.dumps(GOOD | {"format": "puntobanco-keys-2"}),
    "no signing keys": json.dumps(GOOD | {"signing": {}}),
    "no sealing keys": json.dumps(GOOD | {"sealing": {}}),
    "sealing keys missing": json.dumps({k: v for k, v in GOOD.items() if k != "sealing"}),
    "keys in a list": json.dumps(GOOD | {"signing": [KEY]}),
    "a short key": json.dumps(GOOD | {"sealing": {"k1": KEY[2:]}}),
    "a long key": json.dumps(GOOD | {"sealing": {"k1": KEY + "ab"}}),
    "no hexadecimal": json.dumps(GOOD | {"sealing": {"k1": "xy" * KEY_BYTES}}),
    "a key that is a number": json.dumps(GOOD | {"sealing": {"k1": 7}}),
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
    assert KeyRing.load(path) == KeyRing({"s1": bytes.fromhex(KEY)}, {"k1": bytes.fromhex(KEY)})


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
        signed("table:1", 1, "ab", *ring.signer),
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
    assert len({*again.signing.values(), *again.sealing.values()}) == 8, "no two keys are the same"
    assert unseal(sealed, again, place="table:1/shoe/1") == order
    verify_signature(head, again.public()[head.key])
    assert seal(order, again, place="x").key == again.sealer[0] != sealed.key


def test_a_ring_that_is_printed_shows_no_key(path: Path) -> None:
    ring = KeyRing.at(path)
    for key in (*ring.signing.values(), *ring.sealing.values()):
        assert key.hex() not in repr(ring)
        assert repr(key)[2:-1] not in repr(ring)
