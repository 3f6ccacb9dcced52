"""Trees of a log: roots and proofs as RFC 6962 has them, compared with merkle.py and with pymerkle, which is not ours."""

import random

import pymerkle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.faults import MAX_HASHES
from puntobanco_proof.tree.log_tree import (
    EMPTY,
    compute_root,
    is_consistent,
    is_included,
    prove_consistency,
    prove_inclusion,
)
from tests.tlog.trees import entries, flipped, hashes_over, leaves

MOST = 130
"""Every size up to here, with every leaf and every older size."""

LEAVES = leaves(600)
HASHES = hashes_over(LEAVES)
ROOTS = [compute_root(size, HASHES) for size in range(MOST + 1)]


def test_known_roots() -> None:
    """Written down by hand from RFC 6962, section 2.1."""
    a, b, c = LEAVES[:3]
    assert ROOTS[0] == EMPTY
    assert EMPTY.hex().startswith("e3b0c44298fc1c14")
    assert ROOTS[1] == a
    assert ROOTS[3] == merkle.hash_node(merkle.hash_node(a, b), c)
    assert prove_consistency(1, 3, HASHES) == [b, c]
    assert prove_consistency(2, 3, HASHES) == [c]
    assert prove_consistency(3, 4, HASHES) == [c, LEAVES[3], merkle.hash_node(a, b)]


def test_every_leaf_of_every_tree_is_included() -> None:
    for size in range(1, MOST + 1):
        assert ROOTS[size] == merkle.compute_root(LEAVES[:size])
        for index in range(size):
            proof = prove_inclusion(index, size, HASHES)
            assert proof == merkle.build_proof(LEAVES[:size], index)
            assert is_included(LEAVES[index], index, size, proof, ROOTS[size])


def test_every_tree_is_consistent_with_every_older_one() -> None:
    for new in range(MOST + 1):
        for old in range(new + 1):
            proof = prove_consistency(old, new, HASHES)
            assert is_consistent(old, ROOTS[old], new, ROOTS[new], proof), (old, new)


def test_pymerkle_has_the_same_roots_and_proofs() -> None:
    tree = pymerkle.InmemoryTree()
    for entry in entries(MOST):
        tree.append_entry(entry)
    for size in range(1, MOST + 1):
        assert tree.get_root(size) == ROOTS[size]
        for index in range(size):
            base, *beside = tree.prove_inclusion(index + 1, size).path
            assert (base, beside) == (LEAVES[index], prove_inclusion(index, size, HASHES))
        for old in range(1, size + 1):
            theirs = tree.prove_consistency(old, size)
            pymerkle.verify_consistency(ROOTS[old], ROOTS[size], theirs, old, size)


@pytest.mark.parametrize("size", [255, 256, 257, 511, 513, 600])
def test_larger_trees_too(size: int) -> None:
    whole = compute_root(size, HASHES)
    assert whole == merkle.compute_root(LEAVES[:size])
    for index in range(size):
        proof = prove_inclusion(index, size, HASHES)
        assert is_included(LEAVES[index], index, size, proof, whole)
    for old in range(size + 1):
        proof = prove_consistency(old, size, HASHES)
        assert is_consistent(old, compute_root(old, HASHES), size, whole, proof)


# Forged


@given(data=st.data())
def test_a_changed_bit_is_refused_wherever_it_is(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, MOST))
    index = data.draw(st.integers(0, size - 1))
    proof = prove_inclusion(index, size, HASHES)
    known = [LEAVES[index], ROOTS[size], *proof]
    place = data.draw(st.integers(0, len(known) - 1))
    known[place] = flipped(known[place], data.draw(st.integers(0, 255)))
    leaf, whole, *beside = known
    assert not is_included(leaf, index, size, beside, whole)


@given(data=st.data())
def test_a_changed_bit_of_a_history_is_refused_wherever_it_is(data: st.DataObject) -> None:
    new = data.draw(st.integers(2, MOST))
    old = data.draw(st.integers(1, new))
    known = [ROOTS[old], ROOTS[new], *prove_consistency(old, new, HASHES)]
    place = data.draw(st.integers(0, len(known) - 1))
    known[place] = flipped(known[place], data.draw(st.integers(0, 255)))
    before, after, *proof = known
    assert not is_consistent(old, before, new, after, proof)


def test_no_other_place_no_other_size() -> None:
    """A proof is of one leaf at one place: all others are tried."""
    for size in range(1, 24):
        for index in range(size):
            proof = prove_inclusion(index, size, HASHES)
            for other in range(-1, 30):
                fits = is_included(LEAVES[index], other, size, proof, ROOTS[size])
                assert fits == (other == index)


def test_no_hash_more_and_none_less() -> None:
    for new in range(1, 40):
        for old in range(new + 1):
            proof = prove_consistency(old, new, HASHES)
            more = [*proof, LEAVES[0]]
            assert not is_consistent(old, ROOTS[old], new, ROOTS[new], more)
            assert not is_consistent(old, ROOTS[old], new, ROOTS[new], [LEAVES[0], *proof])
            if proof:
                assert not is_consistent(old, ROOTS[old], new, ROOTS[new], proof[:-1])
                assert not is_consistent(old, ROOTS[old], new, ROOTS[new], proof[1:])


def test_a_tree_does_not_shrink() -> None:
    assert not is_consistent(3, ROOTS[3], 2, ROOTS[2], [])
    assert not is_consistent(-1, EMPTY, 2, ROOTS[2], [])
    assert not is_consistent(0, ROOTS[1], 2, ROOTS[2], [])


def test_a_rewritten_leaf_is_found_by_every_later_size() -> None:
    """Whoever changes one entry cannot show any proof: here those that are honest for either history."""
    seeded = random.Random(21)
    for _ in range(300):
        new = seeded.randint(2, MOST)
        old = seeded.randint(1, new)
        changed = seeded.randrange(old)
        other = list(LEAVES[:new])
        other[changed] = merkle.hash_leaf(b"another entry")
        forged = hashes_over(other)
        for proof in (prove_consistency(old, new, forged), prove_consistency(old, new, HASHES)):
            assert not is_consistent(old, ROOTS[old], new, compute_root(new, forged), proof)


def test_the_longest_proofs_of_a_log_of_2_to_the_62_leaves() -> None:
    """All leaves alike, so that a subtree's hash depends on its level alone."""
    by_level = [LEAVES[0]]
    for _ in range(62):
        by_level.append(merkle.hash_node(by_level[-1], by_level[-1]))
    most = 2**62

    def alike(level: int, _: int) -> bytes:
        return by_level[level]

    for size in (most, most - 1, most - 12_345):
        whole = compute_root(size, alike)
        for index in (0, 1, size // 3, size - 1):
            proof = prove_inclusion(index, size, alike)
            assert len(proof) <= MAX_HASHES
            assert is_included(LEAVES[0], index, size, proof, whole)
        for old in (1, 3, size // 3, size - 1):
            proof = prove_consistency(old, size, alike)
            assert len(proof) <= MAX_HASHES
            assert is_consistent(old, compute_root(old, alike), size, whole, proof)
    assert len(prove_consistency(3, most, alike)) == MAX_HASHES
