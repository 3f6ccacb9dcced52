"""The byte format of an entry: header, salt, parts and their hashes.

docs/reference/journal-format.md specifies it. A witness or a verifier can check an entry with this
module alone; it knows no event kinds.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco_proof.entry.record import Record
from puntobanco_proof.tree import merkle

VERSION = 2
NOTHING = "0" * 64
"""The previous hash of the first entry."""

SALT_BYTES = 16
SALTS_PER_DRAW = 64
"""Salts drawn from the system at a time."""


class Header(Record):
    """The hashed part of an entry. It contains the root of the parts and no personal data."""

    stream: str
    epoch: int
    seq: int
    at: int
    rules: str
    prev: str
    root: str
    size: int  # number of parts, which the root does not determine
    v: int = VERSION


class WrittenHeader(Record):
    """A header with its fields in written order, so that encoding need not sort them."""

    at: int
    epoch: int
    prev: str
    root: str
    rules: str
    seq: int
    size: int
    stream: str
    v: int


class Origin(Record):
    """The first part of an entry: who gave which command. Fields are in written order."""

    by: str
    command: str
    id: str


class Fault(Refusal):
    """A journal that fails verification: the reason and the place.

    `advice` replaces the usual next step, which is to inspect the entries and quarantine them.
    """

    remedy = "Run `puntobanco audit`, keep a backup as evidence, and follow the operations page."

    def __init__(self, reason: str, *, stream: str = "", seq: int = 0, advice: str = "") -> None:
        self.stream, self.seq, self.advice = stream, seq, advice
        where = f"{stream} entry {seq}" if seq else stream
        said = f"{where}: {reason}" if where else reason
        super().__init__(f"{said}; {advice}" if advice else said)


NOT_CANONICAL = "is not written in canonical bytes"
NOT_ITS_PARTS = "its parts are not those that its header names"

# Copy these on the path of every wager: OpenSSL looks up each new hash by name
_nothing, _leaf, _shake = hashlib.sha256(), hashlib.sha256(merkle.LEAF), hashlib.shake_128()
_encode = msgspec.json.Encoder(order="sorted").encode
_header = msgspec.json.Decoder(Header).decode
decode_origin = msgspec.json.Decoder(Origin).decode
_salt = msgspec.json.Decoder(str).decode
_raw = msgspec.json.Decoder(list[msgspec.Raw]).decode

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)

Row: TypeAlias = tuple[int, bytes]
"""A stored entry: its number and its bytes."""


def canonical(value: Record | dict[str, object]) -> bytes:
    """Encode a value as canonical JSON: UTF-8, keys sorted, no spaces.

    >>> canonical(Origin(by="ann", command="place-wager", id="1"))
    b'{"by":"ann","command":"place-wager","id":"1"}'
    """
    return _encode(value)


def hash_bytes(data: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    hashed = _nothing.copy()
    hashed.update(data)
    return hashed.hexdigest()


def hash_parts(salt: str, parts: Sequence[bytes]) -> list[bytes]:
    """Hash the parts of an entry, each with its own salt, so each can be disclosed alone."""
    salts = _derive_salts(salt, len(parts))
    leaves, place = [], 0
    for part in parts:  # on the path of every wager: no call for each part
        leaf = _leaf.copy()
        leaf.update(salts[place : place + SALT_BYTES] + part)
        leaves.append(leaf.digest())
        place += SALT_BYTES
    return leaves


def derive_part_salt(salt: str, place: int) -> str:
    """Derive the salt of one part from the salt of its entry."""
    return _derive_salts(salt, place + 1)[-SALT_BYTES:].hex()


def _derive_salts(salt: str, count: int) -> bytes:
    """Derive the salts of `count` parts, concatenated; one salt does not reveal another."""
    stream = _shake.copy()
    stream.update(bytes.fromhex(salt))
    return stream.digest(SALT_BYTES * count)


def is_salt(text: str) -> bool:
    """Whether a text is a canonical salt: lowercase hexadecimal of SALT_BYTES bytes."""
    return len(text) == 2 * SALT_BYTES and bytes.fromhex(text).hex() == text


def generate_salts() -> Iterator[str]:
    """Yield salts endlessly; draw many at once, because each draw releases the GIL."""
    while True:
        drawn = secrets.token_hex(SALT_BYTES * SALTS_PER_DRAW)
        digits = 2 * SALT_BYTES
        for place in range(0, len(drawn), digits):
            yield drawn[place : place + digits]


def join_pieces(header: bytes, salt: str, parts: Iterable[bytes]) -> bytes:
    return b"".join((b"[", header, b',"', salt.encode(), b'",', b",".join(parts), b"]"))


class Pieces(NamedTuple):
    """The pieces of an entry, as the stored bytes."""

    header: bytes
    salt: str
    parts: list[bytes]


def split_entry(data: bytes) -> Pieces:
    """Split the bytes of a valid entry into its pieces."""
    header, salt, *parts = map(bytes, _raw(data))
    return Pieces(header, _salt(salt), parts)


def read_header(data: bytes, *, stream: str = "", seq: int = 0) -> tuple[Header, str]:
    """Read the header and the hash of an entry; do not check its parts."""
    try:
        raw = bytes(_raw(data)[0])
        return _header(raw), hash_bytes(raw)
    except (*UNREADABLE, IndexError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None


def read_origin(data: bytes, *, stream: str = "", seq: int = 0) -> Origin:
    """Read the origin of an entry; do not check its other parts."""
    try:
        return decode_origin(split_entry(data).parts[0])
    except (*UNREADABLE, IndexError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None


def hash_entry(data: bytes) -> str:
    """Hash an entry and recompute its root; different bytes never give the same hash."""
    try:
        pieces = split_entry(data)
        header = _header(pieces.header)
        root = merkle.compute_root(hash_parts(pieces.salt, pieces.parts)).hex()
    except (*UNREADABLE, IndexError):
        return hash_bytes(data)
    if join_pieces(*pieces) != data or not is_salt(pieces.salt):
        return hash_bytes(data)
    if (root, len(pieces.parts)) != (header.root, header.size):
        return hash_bytes(
            _encode(msgspec.structs.replace(header, root=root, size=len(pieces.parts)))
        )
    return hash_bytes(pieces.header)


HASH_BYTES = 32


class Part(Record):
    """A disclosed part: the origin, an event without its lines, or one line."""

    part: msgspec.Raw  # the hashed bytes
    place: int  # index among the parts of its entry, from 0
    proof: list[str]  # the sibling hashes up to the root, lowest first
    salt: str


def disclose_parts(data: bytes, places: Sequence[int]) -> tuple[bytes, list[Part]]:
    """Return the header bytes of an entry and the parts at these places, with proofs."""
    header, salt, parts = split_entry(data)
    leaves = hash_parts(salt, parts)
    shown = list[Part]()
    for place in places:
        proof = [hash_.hex() for hash_ in merkle.build_proof(leaves, place)]
        own_salt = derive_part_salt(salt, place)
        part = Part(part=msgspec.Raw(parts[place]), place=place, proof=proof, salt=own_salt)
        shown.append(part)
    return header, shown


def verify_part(part: Part, header: Header) -> None:
    """Raise a fault unless the part belongs to the entry with this header."""
    leaf = merkle.hash_leaf(decode_hex(part.salt, SALT_BYTES) + bytes(part.part))
    beside = [decode_hex(hash_, HASH_BYTES) for hash_ in part.proof]
    root = merkle.follow_proof(leaf, part.place, header.size, beside)
    if root is None or root.hex() != header.root:
        raise Fault(f"part {part.place} is not in it")


def decode_hex(text: str, length: int) -> bytes:
    """Decode canonical hexadecimal of `length` bytes."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if found.hex() != text or len(found) != length:
        raise Fault(f"has {text:.40} where {length} bytes belong")
    return found
