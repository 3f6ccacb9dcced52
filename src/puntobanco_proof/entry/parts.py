"""Parts of an entry that are shown by themselves, each with its salt and a Merkle proof: it leads
to the root in the header of the entry, and what is not shown stays unknown.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from puntobanco.base.record import Record
from puntobanco_proof.entry.format import SALT_BYTES, Fault, Header, leaves_of, pieces_of, salt_of
from puntobanco_proof.tree import merkle

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
