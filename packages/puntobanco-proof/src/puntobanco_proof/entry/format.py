"""The bytes of an entry, without its kinds of events: header, salt, parts and their hashes.

The format is specified in docs/reference/journal-format.md. A witness or a verifier needs nothing
else to check an entry.
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
"""The hash before the first entry."""

SALT_BYTES = 16
DRAWN = 64
"""So many salts at a time."""


class Header(Record):
    """What of an entry is hashed. It has the root of the parts, and names nobody."""

    stream: str
    epoch: int
    seq: int
    at: int
    rules: str
    prev: str
    root: str
    size: int  # how many parts: a root alone does not say it
    v: int = VERSION


class WrittenHeader(Record):
    """A header with its fields in the order in which they are written: nothing is left to sort."""

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
    """Who gave which command, as the first part; fields are in the order of their bytes."""

    by: str
    command: str
    id: str


class Fault(Refusal):
    """A journal that does not hold: what is wrong, and where. `advice` is what to do, where that is
    something else than to look at the entries and set them aside.
    """

    remedy = "Run `puntobanco audit`, keep a backup as evidence, and follow the operations page."

    def __init__(self, reason: str, *, stream: str = "", seq: int = 0, advice: str = "") -> None:
        self.stream, self.seq, self.advice = stream, seq, advice
        where = f"{stream} entry {seq}" if seq else stream
        said = f"{where}: {reason}" if where else reason
        super().__init__(f"{said}; {advice}" if advice else said)


NOT_CANONICAL = "is not written in canonical bytes"
NOT_ITS_PARTS = "its parts are not those that its header names"

# Copies are made of these, on the way of every wager: OpenSSL looks a new hash up by its name
_nothing, _leaf, _shake = hashlib.sha256(), hashlib.sha256(merkle.LEAF), hashlib.shake_128()
_encode = msgspec.json.Encoder(order="sorted").encode
_header = msgspec.json.Decoder(Header).decode
read_origin = msgspec.json.Decoder(Origin).decode
_salt = msgspec.json.Decoder(str).decode
_raw = msgspec.json.Decoder(list[msgspec.Raw]).decode

UNREADABLE = (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError)

Row: TypeAlias = tuple[int, bytes]
"""An entry as it is stored: its number and its bytes."""


def canonical(value: Record | dict[str, object]) -> bytes:
    """The one way to write a value: UTF-8 JSON, keys sorted, no spaces.

    >>> canonical(Origin(by="ann", command="place-wager", id="1"))
    b'{"by":"ann","command":"place-wager","id":"1"}'
    """
    return _encode(value)


def hash_of(data: bytes) -> str:
    hashed = _nothing.copy()
    hashed.update(data)
    return hashed.hexdigest()


def leaves_of(salt: str, parts: Sequence[bytes]) -> list[bytes]:
    """Hash the parts of an entry, each with its own salt: one can be shown without the others."""
    salts = _salts(salt, len(parts))
    leaves, place = [], 0
    for part in parts:  # on the way of every wager: without a call for each part
        leaf = _leaf.copy()
        leaf.update(salts[place : place + SALT_BYTES] + part)
        leaves.append(leaf.digest())
        place += SALT_BYTES
    return leaves


def salt_of(salt: str, place: int) -> str:
    """Of one part, from the entry's."""
    return _salts(salt, place + 1)[-SALT_BYTES:].hex()


def _salts(salt: str, count: int) -> bytes:
    """Of so many parts, one behind the other: who knows one does not know another."""
    stream = _shake.copy()
    stream.update(bytes.fromhex(salt))
    return stream.digest(SALT_BYTES * count)


def is_salt(text: str) -> bool:
    """Whether it is written in the one way that there is."""
    return len(text) == 2 * SALT_BYTES and bytes.fromhex(text).hex() == text


def new_salts() -> Iterator[str]:
    """Yield salts without end; each draw of many gives the interpreter's lock away once."""
    while True:
        drawn = secrets.token_hex(SALT_BYTES * DRAWN)
        digits = 2 * SALT_BYTES
        for place in range(0, len(drawn), digits):
            yield drawn[place : place + digits]


def join_pieces(header: bytes, salt: str, parts: Iterable[bytes]) -> bytes:
    return b"".join((b"[", header, b',"', salt.encode(), b'",', b",".join(parts), b"]"))


class Pieces(NamedTuple):
    """An entry taken apart, each piece as its bytes stand."""

    header: bytes
    salt: str
    parts: list[bytes]


def pieces_of(data: bytes) -> Pieces:
    """Of bytes that are known to be an entry."""
    header, salt, *parts = map(bytes, _raw(data))
    return Pieces(header, _salt(salt), parts)


def header_of(data: bytes, *, stream: str = "", seq: int = 0) -> tuple[Header, str]:
    """The header of an entry, and the entry's hash; its parts are not looked at."""
    try:
        raw = bytes(_raw(data)[0])
        return _header(raw), hash_of(raw)
    except (*UNREADABLE, IndexError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None


def origin_of(data: bytes, *, stream: str = "", seq: int = 0) -> Origin:
    """Who gave the command of an entry; its other parts are not looked at."""
    try:
        return read_origin(pieces_of(data).parts[0])
    except (*UNREADABLE, IndexError) as error:
        raise Fault(f"cannot be read: {error}", stream=stream, seq=seq) from None


def entry_hash(data: bytes) -> str:
    """Hash an entry with its root computed again; no entry has the hash of other bytes."""
    try:
        pieces = pieces_of(data)
        header = _header(pieces.header)
        root = merkle.root(leaves_of(pieces.salt, pieces.parts)).hex()
    except (*UNREADABLE, IndexError):
        return hash_of(data)
    if join_pieces(*pieces) != data or not is_salt(pieces.salt):
        return hash_of(data)
    if (root, len(pieces.parts)) != (header.root, header.size):
        return hash_of(_encode(msgspec.structs.replace(header, root=root, size=len(pieces.parts))))
    return hash_of(pieces.header)


HASH_BYTES = 32


class Part(Record):
    """Who gave the command, an event without its lines, or one line of it."""

    part: msgspec.Raw  # its bytes as they were hashed
    place: int  # among the parts of its entry, from 0
    proof: list[str]  # the hashes beside the way to the root, the lowest first
    salt: str


def shown_parts(data: bytes, places: Sequence[int]) -> tuple[bytes, list[Part]]:
    """The header of an entry, as its bytes stand, and the parts at these places."""
    header, salt, parts = pieces_of(data)
    leaves = leaves_of(salt, parts)
    shown = list[Part]()
    for place in places:
        proof = [hash_.hex() for hash_ in merkle.proof(leaves, place)]
        own_salt = salt_of(salt, place)
        part = Part(part=msgspec.Raw(parts[place]), place=place, proof=proof, salt=own_salt)
        shown.append(part)
    return header, shown


def verify_part(part: Part, header: Header) -> None:
    """Raises a fault unless it is a part of the entry with this header."""
    leaf = merkle.leaf(from_hex(part.salt, SALT_BYTES) + bytes(part.part))
    beside = [from_hex(hash_, HASH_BYTES) for hash_ in part.proof]
    root = merkle.root_by(leaf, part.place, header.size, beside)
    if root is None or root.hex() != header.root:
        raise Fault(f"part {part.place} is not in it")


def from_hex(text: str, length: int) -> bytes:
    """From hexadecimal; there is one way to write it."""
    try:
        found = bytes.fromhex(text)
    except ValueError:
        found = b""
    if found.hex() != text or len(found) != length:
        raise Fault(f"has {text:.40} where {length} bytes belong")
    return found
