"""Log trees (RFC 6962): root, inclusion proofs and consistency proofs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeAlias

from puntobanco_proof.tree import merkle

Hashes: TypeAlias = Callable[[int, int], bytes]
"""Look up the hash of a complete subtree of 2**level leaves, by level and index."""

EMPTY = sha256(b"").digest()
"""The root of an empty tree."""


def compute_root(size: int, hashes: Hashes) -> bytes:
    return _hash_range(0, size, hashes) if size else EMPTY


def prove_inclusion(index: int, size: int, hashes: Hashes) -> list[bytes]:
    """Return the sibling hashes from a leaf to the root, lowest first."""
    assert 0 <= index < size
    beside, begin, end = list[bytes](), 0, size
    while end - begin > 1:
        middle = begin + _split_size(end - begin)
        if index < middle:
            beside.append(_hash_range(middle, end, hashes))
            end = middle
        else:
            beside.append(_hash_range(begin, middle, hashes))
            begin = middle
    return beside[::-1]


def prove_consistency(old: int, new: int, hashes: Hashes) -> list[bytes]:
    """Prove that the tree of size `new` extends the tree of size `old`.

    Return the sibling hashes of the largest complete subtree that ends where the old tree ends.
    """
    assert 0 <= old <= new
    beside, begin, end = list[bytes](), 0, new
    while old not in (0, end):
        middle = begin + _split_size(end - begin)
        if old <= middle:
            beside.append(_hash_range(middle, end, hashes))
            end = middle
        else:
            beside.append(_hash_range(begin, middle, hashes))
            begin = middle
    if begin:  # otherwise the subtree is the whole old tree, whose root the verifier knows
        beside.append(_hash_range(begin, end, hashes))
    return beside[::-1]


def is_included(
    leaf_hash: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    return merkle.follow_proof(leaf_hash, index, size, proof) == root


def is_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether the proof shows that the new tree extends the old one."""
    if not 0 <= old <= new:
        return False
    if old == new:
        return old_root == new_root and not proof
    if old == 0:
        return old_root == EMPTY and not proof
    is_complete = old & (old - 1) == 0  # then the proof omits the old root
    first, *beside = [old_root, *proof] if is_complete else proof or [b""]
    before = after = first
    at_old, at_new = old - 1, new - 1  # RFC 9162, 2.1.4.2
    while at_old & 1:
        at_old, at_new = at_old >> 1, at_new >> 1
    for hash_ in beside:
        if not at_new:
            return False
        if at_old & 1 or at_old == at_new:
            before, after = merkle.hash_node(hash_, before), merkle.hash_node(hash_, after)
            while at_old and not at_old & 1:
                at_old, at_new = at_old >> 1, at_new >> 1
        else:
            after = merkle.hash_node(after, hash_)
        at_old, at_new = at_old >> 1, at_new >> 1
    return not at_new and (before, after) == (old_root, new_root)


def _hash_range(begin: int, end: int, hashes: Hashes) -> bytes:
    """Hash a range of leaves; `begin` is a multiple of a power of two >= the range's size."""
    size = end - begin
    level = size.bit_length() - 1
    if size == 1 << level:
        return hashes(level, begin >> level)
    middle = begin + _split_size(size)
    return merkle.hash_node(_hash_range(begin, middle, hashes), _hash_range(middle, end, hashes))


def _split_size(size: int) -> int:
    """Return the size of the left subtree: the largest power of two below `size`."""
    return 1 << (size - 1).bit_length() - 1
