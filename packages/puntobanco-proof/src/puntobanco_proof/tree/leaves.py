"""Leaves: what of an entry stands in the log: hashes that say nothing to who has no receipt."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256, shake_256

KEY_BYTES = SALT_BYTES = 32
DRAWN = 256
"""Entries whose salts one hash gives: one for each would cost as much as the leaf."""

KEPT = 8
"""Such hashes: who asks for one salt asks for the next."""


def salt(key: bytes, stream: str, seq: int, epoch: int) -> bytes:
    """Derive the salt of an entry's leaf, which cannot be guessed from other salts."""
    block, place = divmod(seq, DRAWN)
    row = _drawn(key, stream, block, epoch)
    return row[SALT_BYTES * place : SALT_BYTES * (place + 1)]


@lru_cache(KEPT)
def _drawn(key: bytes, stream: str, block: int, epoch: int) -> bytes:
    """Of the entries of a block, one behind the other."""
    assert len(key) == KEY_BYTES
    own = shake_256(key + f"{stream}\0{block}\0{epoch}".encode())
    return own.digest(SALT_BYTES * DRAWN)


def leaf(salt: bytes, entry_hash: str) -> bytes:
    """`entry_hash` is in hexadecimal, as the journal has it; its 32 bytes are hashed. The tree
    hashes the leaf once more, as RFC 6962 says.

    >>> leaf(bytes(32), "00" * 32).hex()
    'f5a5fd42d16a20302798ef6ed309979b43003d2320d9f0e8ea9831a92759fb4b'
    """
    assert len(salt) == SALT_BYTES
    return sha256(salt + bytes.fromhex(entry_hash)).digest()


def leaves_of(
    key: bytes, stream: str, first: int, epoch: int, hashes: Sequence[str]
) -> list[bytes]:
    """Of entries that follow each other in an epoch."""
    begin, skipped = divmod(first, DRAWN)
    end = (first + len(hashes) - 1) // DRAWN
    rows = [_drawn(key, stream, block, epoch) for block in range(begin, end + 1)]
    salts = b"".join(rows)[SALT_BYTES * skipped :]
    raw = bytes.fromhex("".join(hashes))
    # as `leaf` makes them, without a call for each: a busy floor makes thousands a second
    made = list[bytes]()
    for start in range(0, len(raw), SALT_BYTES):
        end = start + SALT_BYTES
        made.append(sha256(salts[start:end] + raw[start:end]).digest())
    return made
