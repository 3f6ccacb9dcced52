"""The tree of a log, as RFC 6962 has it, over hashes of complete subtrees that are kept: its root,
proofs that a leaf is in it, proofs that it has only grown.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import NamedTuple, TypeAlias

from puntobanco_proof.tree import merkle

Hashes: TypeAlias = Callable[[int, int], bytes]
"""The hash of the complete subtree of 2**level leaves, by level and by its place among those."""

EMPTY = sha256(b"").digest()
"""The root of a tree without a leaf."""


def root(size: int, hashes: Hashes) -> bytes:
    return _over(0, size, hashes) if size else EMPTY


def inclusion(index: int, size: int, hashes: Hashes) -> list[bytes]:
    """The hashes beside the way from a leaf to the root, the lowest first."""
    assert 0 <= index < size
    way = _way(size, lambda step: index < step.middle)
    return [_over(*step.beside, hashes) for step in reversed(list(way))]


def consistency(old: int, new: int, hashes: Hashes) -> list[bytes]:
    """That the tree of `new` leaves begins with those of the tree of `old` leaves."""
    assert 0 <= old <= new
    if old == 0:
        return []
    steps = _to_the_old_edge(old, new)
    begin, end = steps[-1].taken if steps else (0, new)
    # a subtree that begins at the first leaf is the whole old tree, whose root is known
    below = [_over(begin, end, hashes)] if begin else []
    return below + [_over(*step.beside, hashes) for step in reversed(steps)]


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
    steps = _to_the_old_edge(old, new)
    begin, _ = steps[-1].taken
    known = list(proof) if begin else [old_root, *proof]
    if len(known) != 1 + len(steps):
        return False
    first, *beside = known
    before = after = first
    for step, hash_ in zip(reversed(steps), beside, strict=True):
        if step.is_left:
            after = merkle.node(after, hash_)
        else:
            before = merkle.node(hash_, before)
            after = merkle.node(hash_, after)
    return (before, after) == (old_root, new_root)


class _Step(NamedTuple):
    """One step down from a subtree to one of its halves."""

    begin: int
    middle: int
    end: int
    is_left: bool

    @property
    def taken(self) -> tuple[int, int]:
        return (self.begin, self.middle) if self.is_left else (self.middle, self.end)

    @property
    def beside(self) -> tuple[int, int]:
        return (self.middle, self.end) if self.is_left else (self.begin, self.middle)


def _way(size: int, goes_left: Callable[[_Step], bool]) -> Iterator[_Step]:
    """Steps from the root of `size` leaves down to one leaf."""
    begin, end = 0, size
    while end - begin > 1:
        middle = begin + _left_of(end - begin)
        left = _Step(begin, middle, end, is_left=True)
        step = left if goes_left(left) else left._replace(is_left=False)
        yield step
        begin, end = step.taken


def _to_the_old_edge(old: int, new: int) -> list[_Step]:
    """Steps down to the largest complete subtree that ends where the old tree ends."""
    steps = list[_Step]()
    if old == new:
        return steps
    for step in _way(new, lambda step: old <= step.middle):
        steps.append(step)
        if step.taken[1] == old:
            break
    return steps


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
