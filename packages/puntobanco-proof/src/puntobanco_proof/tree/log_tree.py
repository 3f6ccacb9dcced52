"""The tree of a log (RFC 6962): its root, proofs that it has a leaf, that it has only grown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from typing import TypeAlias

from puntobanco_proof.tree import merkle

Hashes: TypeAlias = Callable[[int, int], bytes]
"""The hash of the complete subtree of 2**level leaves, by level and by its place among those."""

EMPTY = sha256(b"").digest()
"""The root of a tree without a leaf."""


def root(size: int, hashes: Hashes) -> bytes:
    return _over(0, size, hashes) if size else EMPTY


def inclusion(index: int, size: int, hashes: Hashes) -> list[bytes]:
    """Return the hashes beside the way from a leaf to the root, the lowest first."""
    assert 0 <= index < size
    beside, begin, end = list[bytes](), 0, size
    while end - begin > 1:
        middle = begin + _left_of(end - begin)
        if index < middle:
            beside.append(_over(middle, end, hashes))
            end = middle
        else:
            beside.append(_over(begin, middle, hashes))
            begin = middle
    return beside[::-1]


def consistency(old: int, new: int, hashes: Hashes) -> list[bytes]:
    """Prove that the tree of `new` leaves begins with those of the tree of `old` leaves: the hashes
    beside the way to the largest complete subtree that ends where the old tree ends.
    """
    assert 0 <= old <= new
    beside, begin, end = list[bytes](), 0, new
    while old not in (0, end):
        middle = begin + _left_of(end - begin)
        if old <= middle:
            beside.append(_over(middle, end, hashes))
            end = middle
        else:
            beside.append(_over(begin, middle, hashes))
            begin = middle
    if begin:  # else the subtree is the whole old tree, whose root is known
        beside.append(_over(begin, end, hashes))
    return beside[::-1]


def is_included(
    leaf_hash: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    return merkle.root_by(leaf_hash, index, size, proof) == root


def is_consistent(
    old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether the tree of `new` leaves is the old one, and what came after it."""
    if not 0 <= old <= new:
        return False
    if old == new:
        return old_root == new_root and not proof
    if old == 0:
        return old_root == EMPTY and not proof
    is_complete = old & (old - 1) == 0  # then the proof does not repeat the old root
    first, *beside = [old_root, *proof] if is_complete else proof or [b""]
    before = after = first
    at_old, at_new = old - 1, new - 1  # as RFC 9162 verifies it, 2.1.4.2
    while at_old & 1:
        at_old, at_new = at_old >> 1, at_new >> 1
    for hash_ in beside:
        if not at_new:
            return False
        if at_old & 1 or at_old == at_new:
            before, after = merkle.node(hash_, before), merkle.node(hash_, after)
            while at_old and not at_old & 1:
                at_old, at_new = at_old >> 1, at_new >> 1
        else:
            after = merkle.node(after, hash_)
        at_old, at_new = at_old >> 1, at_new >> 1
    return not at_new and (before, after) == (old_root, new_root)


def _over(begin: int, end: int, hashes: Hashes) -> bytes:
    """The hash over these leaves; `begin` is a multiple of a power of two that is no smaller."""
    size = end - begin
    level = size.bit_length() - 1
    if size == 1 << level:
        return hashes(level, begin >> level)
    middle = begin + _left_of(size)
    return merkle.node(_over(begin, middle, hashes), _over(middle, end, hashes))


def _left_of(size: int) -> int:
    """Leaves of the left half: the largest power of two that is smaller than all."""
    return 1 << (size - 1).bit_length() - 1
