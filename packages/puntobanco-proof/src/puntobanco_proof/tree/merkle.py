"""Merkle trees (RFC 6962): root hashes and inclusion proofs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

LEAF = b"\x00"
NODE = b"\x01"
"""Prefixes of the hashed data, so a leaf can never pass for a node."""

_inner = sha256(NODE)  # copying it is faster than creating a hash


def hash_leaf(data: bytes) -> bytes:
    return sha256(LEAF + data).digest()


def hash_leaves(data: Iterable[bytes]) -> list[bytes]:
    """Hash many leaves, without a call for each."""
    return [sha256(LEAF + each).digest() for each in data]


def hash_node(left: bytes, right: bytes) -> bytes:
    """Hash two subtrees."""
    hashed = _inner.copy()
    hashed.update(left + right)
    return hashed.digest()


def compute_root(leaves: Sequence[bytes]) -> bytes:
    """Compute the root over one or more leaf hashes.

    >>> a, b = hash_leaf(b"a"), hash_leaf(b"b")
    >>> compute_root([a, b]) == hash_node(a, b)
    True
    """
    if len(leaves) == 2:  # true of nearly every entry
        return hash_node(*leaves)
    level = leaves
    while len(level) > 1:
        level = _build_next_level(level)
    return level[0]


def build_proof(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """Build an inclusion proof: the sibling hashes from a leaf to the root, lowest first."""
    beside = list[bytes]()
    level = leaves
    while len(level) > 1:
        other = place ^ 1
        if other < len(level):
            beside.append(level[other])
        level = _build_next_level(level)
        place //= 2
    return beside


def follow_proof(found: bytes, place: int, size: int, beside: Sequence[bytes]) -> bytes | None:
    """Compute the root that a proof leads to; None if the proof is too short or too long."""
    if not 0 <= place < size:
        return None
    left = list(reversed(beside))
    while size > 1:
        other = place ^ 1
        if other < size:
            if not left:
                return None
            hash_ = left.pop()
            found = hash_node(hash_, found) if place & 1 else hash_node(found, hash_)
        place //= 2
        size = (size + 1) // 2
    return None if left else found


def _build_next_level(level: Sequence[bytes]) -> list[bytes]:
    """Hash pairs of nodes into the next level; promote an odd last node unchanged."""
    above = list[bytes]()
    for left, right in zip(level[::2], level[1::2], strict=False):
        hashed = _inner.copy()  # `hash_node` inlined: logs hash many nodes
        hashed.update(left + right)
        above.append(hashed.digest())
    if len(level) % 2:
        above.append(level[-1])
    return above
