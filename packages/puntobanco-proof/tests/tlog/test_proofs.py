"""Proofs as text: what was logged, under a checkpoint that enough witnesses have cosigned; leaves, and their salts."""

from hashlib import sha256, shake_256

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.checkpoints import Checkpoint, cosign_checkpoint, sign_checkpoint
from puntobanco_proof.tree.faults import (
    MAX_HASHES,
    MAX_SIZE,
    BadLogText,
    BadNote,
    BadProof,
    encode_base64,
)
from puntobanco_proof.tree.leaves import build_leaf, build_leaves, derive_salt
from puntobanco_proof.tree.log_tree import compute_root, prove_inclusion
from puntobanco_proof.tree.notes import add_signatures
from puntobanco_proof.tree.policies import Policy, read_policy
from puntobanco_proof.tree.proofs import (
    FIRST,
    MAX_EXTRA_BYTES,
    Proof,
    read_proof,
    verify_cosigned_proof,
    verify_proof,
)
from tests.tlog.keys import LOG, ORIGIN, policy, witness
from tests.tlog.trees import entries, flipped, hashes_over, leaves

ANN, BEN = witness("ann.example"), witness("ben.example")
AT = 1_763_348_400
SIZE = 21
HASHES = hashes_over(leaves(SIZE))
HEAD = Checkpoint(ORIGIN, SIZE, compute_root(SIZE, HASHES))
BOTH = policy("ann.example", "ben.example")
ENTRY = entries(SIZE)[13]


def proof_of(*witnesses: str, index: int = 13) -> Proof:
    lines = [cosign_checkpoint(HEAD, witness(name), time=AT) for name in witnesses]
    note = add_signatures(sign_checkpoint(HEAD, LOG), lines)
    return Proof(index, tuple(prove_inclusion(index, SIZE, HASHES)), note)


def test_a_proof_as_text() -> None:
    proof = proof_of("ann.example", "ben.example")
    lines = proof.text.split("\n")
    assert lines[:2] == ["c2sp.org/tlog-proof@v1", "index 13"]
    assert lines[2:7] == [*map(encode_base64, proof.hashes[:5])]
    assert lines[7:10] == ["", ORIGIN, "21"]
    assert read_proof(proof.text) == proof


def test_enough_witnesses_or_it_is_refused() -> None:
    found = verify_proof(ENTRY, proof_of("ann.example", "ben.example"), BOTH)
    assert (found.checkpoint, dict(found.times)) == (HEAD, {"ann.example": AT, "ben.example": AT})
    with pytest.raises(
        BadProof, match=r"needs more cosignatures for this policy; it has: ann\.example"
    ):
        verify_proof(ENTRY, proof_of("ann.example"), BOTH)
    with pytest.raises(BadProof, match="it has: none"):
        verify_proof(ENTRY, proof_of("eve.example"), BOTH)
    either = read_policy(BOTH.text.replace(" all ann", " any ann"))
    verify_proof(ENTRY, proof_of("ben.example"), either)


def test_a_policy_without_the_log_knows_no_proof() -> None:
    with pytest.raises(BadNote, match="no known key"):
        verify_proof(ENTRY, proof_of(), Policy())


def test_under_one_witness() -> None:
    verify_cosigned_proof(ENTRY, proof_of("ann.example"), [LOG.verifier], ANN.verifier)
    with pytest.raises(BadProof, match=r"'ben\.example' has not cosigned"):
        verify_cosigned_proof(ENTRY, proof_of("ann.example"), [LOG.verifier], BEN.verifier)


def test_another_entry_or_another_place_is_refused() -> None:
    proof = proof_of("ann.example", "ben.example")
    with pytest.raises(BadProof, match="the entry is not at index 13 of the log of size 21"):
        verify_proof(entries(SIZE)[12], proof, BOTH)
    for index in (0, 12, 14, SIZE, MAX_SIZE):
        with pytest.raises(BadProof, match="the entry is not at index"):
            verify_proof(ENTRY, Proof(index, proof.hashes, proof.checkpoint), BOTH)


@given(st.data())
def test_a_changed_bit_anywhere_is_refused(data: st.DataObject) -> None:
    raw = proof_of("ann.example", "ben.example").text.encode()
    changed = flipped(raw, data.draw(st.integers(0, len(raw) * 8 - 1)))
    with pytest.raises((BadLogText, UnicodeDecodeError)):
        verify_proof(ENTRY, read_proof(changed.decode()), BOTH)


@given(
    st.integers(0, MAX_SIZE),
    st.lists(st.binary(min_size=32, max_size=32), max_size=MAX_HASHES),
    st.binary(max_size=40),
)
def test_a_proof_is_read_as_it_was_written(index: int, hashes: list[bytes], extra: bytes) -> None:
    written = Proof(index, tuple(hashes), sign_checkpoint(HEAD, LOG), extra)
    assert read_proof(written.text) == written


HASH = encode_base64(bytes(32))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a proof must start with"),
        (f"{FIRST}\nindex 1\n", "have a blank line before"),
        ("c2sp.org/tlog-proof@v2\nindex 1\n\n", "a proof must start with"),
        (f"{FIRST}\n\n", "needs the index"),
        (f"{FIRST}\nindex\n\n", "needs the index"),
        (f"{FIRST}\nindex 01\n\n", "'01' is not a whole number"),
        (f"{FIRST}\nindex -1\n\n", "'-1' is not a whole number"),
        (f"{FIRST}\nindex {MAX_SIZE + 1}\n\n", "is not a whole number"),
        (f"{FIRST}\nextra \nindex 1\n\n", "the extra data must have 1 to"),
        (f"{FIRST}\nextra AB==\nindex 1\n\n", "is not canonical base64"),
        (
            f"{FIRST}\nextra {encode_base64(bytes(MAX_EXTRA_BYTES + 1))}\nindex 1\n\n",
            "the extra data must have",
        ),
        (f"{FIRST}\nindex 1\nAAAA\n\n", "has 3 bytes; a hash must have 32"),
        (f"{FIRST}\nindex 1\n{HASH[:-2]}B=\n\n", "is not canonical base64"),
        (
            f"{FIRST}\nindex 1\n" + f"{HASH}\n" * (MAX_HASHES + 1) + "\n",
            "at most 63 hashes, not 64",
        ),
        ("x" * 500_000, "at most"),
    ],
)
def test_other_texts_are_refused_in_a_line(text: str, said: str) -> None:
    with pytest.raises(BadProof, match=said) as caught:
        read_proof(text)
    assert "\n" not in caught.value.reason


def test_as_many_hashes_as_there_may_be() -> None:
    text = f"{FIRST}\nindex 1\n" + f"{HASH}\n" * MAX_HASHES + "\nnote"
    assert len(read_proof(text).hashes) == MAX_HASHES


# Leaves


def test_a_leaf_by_hand() -> None:
    """As docs/reference/log.md describes it, step by step."""
    key, entry_hash = bytes(range(32)), sha256(b"header").hexdigest()
    drawn = shake_256(key + b"table:3\x003\x001").digest(256 * 32)  # 812 = 3 * 256 + 44
    by_hand = drawn[44 * 32 : 45 * 32]
    assert derive_salt(key, "table:3", 812, 1) == by_hand
    assert build_leaf(by_hand, entry_hash) == sha256(by_hand + sha256(b"header").digest()).digest()
    assert len(build_leaf(by_hand, entry_hash)) == 32


def test_many_leaves_are_those_of_each_entry() -> None:
    key, stream = bytes(range(32)), "table:3"
    hashes = [sha256(bytes([n % 256])).hexdigest() for n in range(600)]
    for first in (1, 255, 256, 257):
        own = [
            build_leaf(derive_salt(key, stream, first + n, 2), hash_)
            for n, hash_ in enumerate(hashes)
        ]
        assert build_leaves(key, stream, first, 2, hashes) == own
    assert len(set(own)) == len(own)


def test_no_two_places_have_one_salt() -> None:
    key = bytes(32)
    places = [
        ("table:1", 11, 1),
        ("table:1", 1, 11),
        ("table:11", 1, 1),
        ("table:1", 1, 1),
        ("table:1", 11, 11),
    ]
    assert len({derive_salt(key, *place) for place in places}) == len(places)
    assert derive_salt(key, "table:1", 1, 1) != derive_salt(bytes([1]) + key[1:], "table:1", 1, 1)


def test_in_the_tree_a_leaf_is_hashed_once_more() -> None:
    one = build_leaf(bytes(32), "ab" * 32)
    head = Checkpoint(ORIGIN, 1, sha256(b"\0" + one).digest())
    proof = Proof(0, (), sign_checkpoint(head, LOG))
    verify_proof(one, proof, policy())
    assert merkle.hash_leaf(one) == head.root
