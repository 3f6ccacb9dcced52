"""Trees for tests: leaves that are made, and the hashes of complete subtrees computed from them one by one."""

from collections.abc import Sequence

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.log_tree import Hashes


def entries(count: int) -> list[bytes]:
    return [f"entry {number}".encode() for number in range(count)]


def leaves(count: int) -> list[bytes]:
    """As they stand in a tile of level 0."""
    return [merkle.hash_leaf(entry) for entry in entries(count)]


def hashes_over(row: Sequence[bytes]) -> Hashes:
    def hash_of(level: int, index: int) -> bytes:
        held = row[index << level : (index + 1) << level]
        assert len(held) == 1 << level
        return merkle.compute_root(held)

    return hash_of


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)
