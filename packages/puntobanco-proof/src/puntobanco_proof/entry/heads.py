"""Heads: the latest entry of a stream after a commit, signed by the node that wrote it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TypeAlias

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from puntobanco_proof.entry.format import Fault, canonical
from puntobanco_proof.entry.record import Record

BEGIN_EPOCH = "after a recovery run `puntobanco epoch begin`"
"""Advice for a database that is behind its recorded heads."""


class Head(Record):
    """Number and hash of the last entry of a stream after a commit, signed by a node."""

    stream: str
    epoch: int
    seq: int
    hash: str
    key: str = ""  # id of the node's key
    signature: str = ""


_head = msgspec.json.Decoder(Head).decode

Sign: TypeAlias = Callable[[bytes], bytes]


def sign_head(head: Head, sign: Sign) -> Head:
    """Sign a head that already names its key."""
    return msgspec.structs.replace(head, signature=sign(canonical(head)).hex())


def verify_signature(head: Head, key: Ed25519PublicKey) -> None:
    bare = msgspec.structs.replace(head, signature="")
    if not is_signature(head.signature, canonical(bare), key):
        raise Fault("the signature of the head is not its key's", stream=head.stream, seq=head.seq)


def is_signature(signature: str, data: bytes, key: Ed25519PublicKey) -> bool:
    try:
        raw = bytes.fromhex(signature)
        if raw.hex() != signature:  # canonical hexadecimal only
            return False
        key.verify(raw, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def read_head(line: bytes, number: int) -> Head:
    """Read one line of the file of heads."""
    try:
        return _head(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Fault(f"line {number} of the file of heads cannot be read: {error}") from None


def read_heads(lines: Iterable[bytes]) -> Iterator[Head]:
    """Read the heads from the lines of a file, with their line ends.

    Skip a last line without a line end: a node is still writing it, or a crash cut it off and the
    next start repairs it. Raise a fault for any other line that cannot be read.
    """
    for number, line in enumerate(lines, 1):
        is_whole = line.endswith(b"\n")
        if is_whole and len(line) > 1:
            yield read_head(line[:-1], number)


def verify_streams_exist(heads: Iterable[Head], streams: Container[str], epoch: int) -> None:
    """Raise a fault if a stream of the file of heads is missing, unless a recovery dropped it."""
    for head in heads:
        if head.stream not in streams and head.epoch >= epoch:
            raise Fault(
                "is in the file of heads and not in the database",
                stream=head.stream,
                seq=head.seq,
                advice=BEGIN_EPOCH,
            )
