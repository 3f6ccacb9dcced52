"""The journal: canonical bytes, a chain of hashes, signed heads.

An entry is one accepted command: who, when, under which rules, and the events that followed. Its
bytes are JSON as ARCHITECTURE.md specifies it; the hash of an entry is the SHA-256 of its bytes,
and the next entry holds it.
"""

from __future__ import annotations

import hashlib
import operator
import types
from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from typing import TypeAlias, cast, get_args

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from puntobanco.events import AnyEvent, Event, Record
from puntobanco.rules.refusals import Refusal

VERSION = 1
NOTHING = "0" * 64
"""The hash before the first entry."""


class Entry(Record):
    stream: str
    seq: int  # from 1
    at: int  # milliseconds; never less than the entry before
    by: str
    command: str  # the command's name
    rules: str  # the rulebook and its version, as the table plays it
    prev: str
    events: tuple[AnyEvent, ...]
    v: int = VERSION


class Head(Record):
    """Where a stream stands; signed at the end of a round."""

    stream: str
    seq: int
    hash: str
    key: str = ""  # id of the signing key
    signature: str = ""


class Fault(Refusal):
    """A journal that does not hold: what is wrong, and where."""

    def __init__(self, reason: str, *, stream: str = "", seq: int = 0) -> None:
        super().__init__(f"{stream} entry {seq}: {reason}" if stream else reason)
        self.stream, self.seq = stream, seq


_encode = msgspec.json.Encoder(order="sorted").encode
_head = msgspec.json.Decoder(Head).decode

Row: TypeAlias = tuple[int, bytes]
"""An entry as it is stored: its number and its bytes."""

Chain: TypeAlias = Iterator[tuple[Entry, str]]
"""Entries with their hashes, each checked against the one before."""

Decode: TypeAlias = Callable[[bytes], Entry]
_ours: Decode = msgspec.json.Decoder(Entry).decode


def decoder(kinds: Iterable[type[Event]]) -> Decode:
    """Reads entries that hold events of these kinds, which may be others than ours."""
    kinds = tuple(kinds)
    if set(kinds) == set(get_args(AnyEvent)):
        return _ours
    events = types.GenericAlias(tuple, (reduce(operator.or_, kinds), ...))
    of_these = msgspec.defstruct("Entry", [("events", events)], bases=(Entry,))
    decode: Decode = msgspec.json.Decoder(cast("type[Entry]", of_these)).decode
    return decode


def canonical(value: Record | dict[str, object]) -> bytes:
    """The one way to write a value: UTF-8 JSON, keys sorted, no spaces.

    >>> canonical(Head(stream="table:1", seq=1, hash="ab"))
    b'{"hash":"ab","key":"","seq":1,"signature":"","stream":"table:1"}'
    """
    return _encode(value)


def hash_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def read_entry(data: bytes, *, stream: str = "", seq: int = 0, decode: Decode = _ours) -> Entry:
    try:
        entry = decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None
    if canonical(entry) != data and not _is_of_an_earlier_program(data):
        raise Fault("is not written in canonical bytes", stream=stream, seq=seq)
    return entry


def _is_of_an_earlier_program(data: bytes) -> bool:
    """Whether the bytes are canonical but for fields that were added since, which have defaults."""
    plain = msgspec.json.decode(data)
    return "v" in plain and _encode(plain) == data


def chained(
    rows: Iterable[Row],
    stream: str,
    *,
    seq: int = 0,
    head: str = NOTHING,
    at: int = 0,
    decode: Decode = _ours,
) -> Chain:
    """Entries with their hashes, each checked against the one before; from after `seq`, whose hash
    is `head`.
    """
    for numbered, data in rows:
        seq += 1
        if numbered != seq:
            raise Fault(f"is missing; the next one is {numbered}", stream=stream, seq=seq)
        entry = read_entry(data, stream=stream, seq=seq, decode=decode)
        if entry.v != VERSION:
            raise Fault(
                f"is of version {entry.v}; this program reads version {VERSION}",
                stream=stream,
                seq=seq,
            )
        if (entry.stream, entry.seq) != (stream, seq):
            raise Fault(f"says that it is {entry.stream} entry {entry.seq}", stream=stream, seq=seq)
        if entry.prev != head:
            raise Fault("does not follow from the entry before it", stream=stream, seq=seq)
        if entry.at < at:
            raise Fault("is earlier than the entry before it", stream=stream, seq=seq)
        if not entry.events:
            raise Fault("holds no event", stream=stream, seq=seq)
        head, at = hash_of(data), entry.at
        yield entry, head


def signed(stream: str, seq: int, hash_: str, key_id: str, key: Ed25519PrivateKey) -> Head:
    bare = Head(stream=stream, seq=seq, hash=hash_, key=key_id)
    return msgspec.structs.replace(bare, signature=key.sign(canonical(bare)).hex())


def verify_signature(head: Head, key: Ed25519PublicKey) -> None:
    bare = msgspec.structs.replace(head, signature="")
    try:
        signature = bytes.fromhex(head.signature)
        if signature.hex() != head.signature:  # one way to write it
            raise ValueError
        key.verify(signature, canonical(bare))
    except (InvalidSignature, ValueError):
        raise Fault(
            "the signature of the head is not its key's", stream=head.stream, seq=head.seq
        ) from None


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
