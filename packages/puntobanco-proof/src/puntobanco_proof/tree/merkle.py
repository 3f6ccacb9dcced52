"""Merkle trees (RFC 6962): one hash for many leaves, short proofs that a leaf is among them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256

LEAF = b"\x00"
NODE = b"\x01"
"""In front of what is hashed, so that no leaf can pass for a node."""

_inner = sha256(NODE)  # a copy of it is faster than a new hash


def leaf(data: bytes) -> bytes:
    return sha256(LEAF + data).digest()


def leaves(data: Iterable[bytes]) -> list[bytes]:
    """The same of many, without a call for each."""
    return [sha256(LEAF + each).digest() for each in data]


def node(left: bytes, right: bytes) -> bytes:
    """The hash over two subtrees."""
    hashed = _inner.copy()
    hashed.update(left + right)
    return hashed.digest()


def root(leaves: Sequence[bytes]) -> bytes:
    """The hash over all of these, at least one.

    >>> root([leaf(b"a"), leaf(b"b")]) == node(leaf(b"a"), leaf(b"b"))
    True
    """
    if len(leaves) == 2:  # nearly every entry
        return node(*leaves)
    level = leaves
    while len(level) > 1:
        level = _above(level)
    return level[0]


def proof(leaves: Sequence[bytes], place: int) -> list[bytes]:
    """The hashes beside the way from a leaf to the root, the lowest first."""
    beside = list[bytes]()
    level = leaves
    while len(level) > 1:
        other = place ^ 1
        if other < len(level):
            beside.append(level[other])
        level = _above(level)
        place //= 2
    return beside


def root_by(found: bytes, place: int, size: int, beside: Sequence[bytes]) -> bytes | None:
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
            found = node(hash_, found) if place & 1 else node(found, hash_)
        place //= 2
        size = (size + 1) // 2
    return None if left else found


def _above(level: Sequence[bytes]) -> list[bytes]:
    """The nodes over these, two and two; one that is left over goes up as it is."""
    above = list[bytes]()
    for left, right in zip(level[::2], level[1::2], strict=False):
        hashed = _inner.copy()  # `node`, without a call for each: logs hash many
        hashed.update(left + right)
        above.append(hashed.digest())
    if len(level) % 2:
        above.append(level[-1])
    return above
