"""Log leaves: salted hashes of entries, which reveal nothing without a receipt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256, shake_256

KEY_BYTES = SALT_BYTES = 32
SALTS_PER_BLOCK = 256
"""Salts derived by one hash; a hash per salt would cost as much as the leaf itself."""

CACHED_BLOCKS = 8
"""Cached blocks; a caller that needs one salt usually needs the next."""


def derive_salt(key: bytes, stream: str, seq: int, epoch: int) -> bytes:
    """Derive the salt of an entry's leaf; other salts give no hint of it."""
    block, place = divmod(seq, SALTS_PER_BLOCK)
    row = _derive_block(key, stream, block, epoch)
    return row[SALT_BYTES * place : SALT_BYTES * (place + 1)]


@lru_cache(CACHED_BLOCKS)
def _derive_block(key: bytes, stream: str, block: int, epoch: int) -> bytes:
    """Derive the concatenated salts of a block of entries."""
    assert len(key) == KEY_BYTES
    own = shake_256(key + f"{stream}\0{block}\0{epoch}".encode())
    return own.digest(SALT_BYTES * SALTS_PER_BLOCK)


def build_leaf(salt: bytes, entry_hash: str) -> bytes:
    """Build the leaf of an entry from its salt and its hash in hexadecimal.

    The tree hashes the leaf again, as RFC 6962 requires.

    >>> build_leaf(bytes(32), "00" * 32).hex()
    'f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b'
    """
    assert len(salt) == SALT_BYTES
    return sha256(salt + bytes.fromhex(entry_hash)).digest()


def build_leaves(
    key: bytes, stream: str, first: int, epoch: int, hashes: Sequence[str]
) -> list[bytes]:
    """Build the leaves of consecutive entries of one epoch."""
    begin, skipped = divmod(first, SALTS_PER_BLOCK)
    end = (first + len(hashes) - 1) // SALTS_PER_BLOCK
    rows = [_derive_block(key, stream, block, epoch) for block in range(begin, end + 1)]
    salts = b"".join(rows)[SALT_BYTES * skipped :]
    raw = bytes.fromhex("".join(hashes))
    # `build_leaf` inlined: a busy floor builds thousands of leaves a second
    made = list[bytes]()
    for start in range(0, len(raw), SALT_BYTES):
        end = start + SALT_BYTES
        made.append(sha256(salts[start:end] + raw[start:end]).digest())
    return made
