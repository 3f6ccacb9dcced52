"""Heads: where a stream stands after a commit, signed by the node that wrote it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from typing import TypeAlias

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from puntobanco_proof.entry.format import Fault, canonical
from puntobanco_proof.entry.record import Record

BEGIN_EPOCH = "after a recovery run `puntobanco epoch begin`"
"""What to do where a database is behind what was seen of it."""


class Head(Record):
    """Where a stream stands after a commit, signed by the node that wrote it."""

    stream: str
    epoch: int
    seq: int
    hash: str
    key: str = ""  # id of the node's key
    signature: str = ""


_head = msgspec.json.Decoder(Head).decode

Sign: TypeAlias = Callable[[bytes], bytes]


def signed(head: Head, sign: Sign) -> Head:
    """`head` names the key."""
    return msgspec.structs.replace(head, signature=sign(canonical(head)).hex())


def verify_signature(head: Head, key: Ed25519PublicKey) -> None:
    bare = msgspec.structs.replace(head, signature="")
    if not is_signature(head.signature, canonical(bare), key):
        raise Fault("the signature of the head is not its key's", stream=head.stream, seq=head.seq)


def is_signature(signature: str, data: bytes, key: Ed25519PublicKey) -> bool:
    try:
        raw = bytes.fromhex(signature)
        if raw.hex() != signature:  # one way to write it
            return False
        key.verify(raw, data)
    except (InvalidSignature, ValueError):
        return False
    return True


def read_head(line: bytes, number: int) -> Head:
    """A line of the file of heads."""
    try:
        return _head(line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Fault(f"line {number} of the file of heads cannot be read: {error}") from None


def read_heads(lines: Iterable[bytes]) -> Iterator[Head]:
    """The heads of a file, from its lines with their ends.

    A last line without its end is being written, or was cut by a crash and is mended at the next
    start: it is no head yet. Any other line that cannot be read is a fault.
    """
    for number, line in enumerate(lines, 1):
        is_whole = line.endswith(b"\n")
        if is_whole and len(line) > 1:
            yield read_head(line[:-1], number)


def verify_standing(heads: Iterable[Head], standing: Container[str], epoch: int) -> None:
    """Raise a fault if a stream of the file of heads is gone, unless a recovery lost all of it."""
    for head in heads:
        if head.stream not in standing and head.epoch >= epoch:
            raise Fault(
                "is in the file of heads and not in the database",
                stream=head.stream,
                seq=head.seq,
                advice=BEGIN_EPOCH,
            )
