"""Signed notes (C2SP signed-note): a text, a blank line and signature lines.

Two signature types are supported: a log signs the text with Ed25519; a witness cosigns a time and
the text with Ed25519.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from puntobanco_proof.tree.faults import MAX_SIZE, BadNote, decode_base64, encode_base64, quote_text

ED25519 = 1
COSIGNATURE = 4
TYPES = {ED25519: "a log's Ed25519 key", COSIGNATURE: "a witness's Ed25519 key"}

ID_BYTES = 4
KEY_BYTES = 32
SIGNATURE_BYTES = 64
TIME_BYTES = 8
MAX_NAME_BYTES = 255
MAX_NOTE_BYTES = 256 * 1024
MAX_SIGNATURES = 64
MARK = "\N{EM DASH} "
"""Prefix of each signature line."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key that verifies signatures: name, type and 32 bytes."""

    name: str
    type: int
    key: bytes

    @property
    def id(self) -> bytes:
        hashed = self.name.encode() + b"\n" + bytes([self.type]) + self.key
        return sha256(hashed).digest()[:ID_BYTES]

    @property
    def text(self) -> str:
        """The key as it is published: a vkey."""
        return f"{self.name}+{self.id.hex()}+{encode_base64(bytes([self.type]) + self.key)}"

    def verifies(self, text: str, data: bytes) -> bool:
        """Whether `data` is this key's signature over the text of a note."""
        signature, message = data, text.encode()
        if self.type == COSIGNATURE:
            time, signature = data[:TIME_BYTES], data[TIME_BYTES:]
            message = _build_cosigned_message(text, int.from_bytes(time))
        if len(signature) != SIGNATURE_BYTES:
            return False
        try:
            Ed25519PublicKey.from_public_bytes(self.key).verify(signature, message)
        except InvalidSignature:
            return False
        return True


def read_vkey(text: str) -> Verifier:
    name, *rest = text.split("+", 2)
    if len(rest) != 2:
        raise BadNote(f"{quote_text(text)} is not a verifier key; write NAME+ID+KEY")
    id_, encoded = rest
    verify_name(name)
    data = decode_base64(encoded, BadNote)
    type_ = data[0] if data else 0
    if type_ not in TYPES:
        raise BadNote(f"the key of {quote_text(name)} has the unsupported type {type_}")
    verifier = Verifier(name, type_, data[1:])
    if len(verifier.key) != KEY_BYTES:
        raise BadNote(
            f"the key of {quote_text(name)} has {len(verifier.key)} bytes, not {KEY_BYTES}"
        )
    if verifier.id.hex() != id_:
        raise BadNote(
            f"the key of {quote_text(name)} has the id {verifier.id.hex()}, not {quote_text(id_)}"
        )
    return verifier


def verify_name(name: str) -> None:
    """Refuse an invalid key name."""
    is_short = 0 < len(_encode_text(name)) <= MAX_NAME_BYTES
    is_plain = not any(char.isspace() or char == "+" or char < " " for char in name)
    if not is_short or not is_plain:
        raise BadNote(
            f"{quote_text(name)} is not a valid key name: use 1 to {MAX_NAME_BYTES} bytes without "
            "spaces or plus signs"
        )


class Signature(NamedTuple):
    """A signature line of a note: key name, key id and signature bytes."""

    name: str
    id: bytes
    data: bytes

    @property
    def line(self) -> str:
        return f"{MARK}{self.name} {encode_base64(self.id + self.data)}\n"


class Signer:
    """A private key that signs and is never exposed."""

    def __init__(self, name: str, type_: int, seed: bytes) -> None:
        assert type_ in TYPES
        verify_name(name)
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._key.public_key().public_bytes_raw()
        self.verifier = Verifier(name, type_, public)

    def sign(self, text: str, *, time: int = 0) -> Signature:
        """Sign a text; only a cosignature includes `time`, in seconds."""
        data = self._key.sign(text.encode())
        if self.verifier.type == COSIGNATURE:
            data = time.to_bytes(TIME_BYTES) + self._key.sign(_build_cosigned_message(text, time))
        return Signature(self.verifier.name, self.verifier.id, data)


def _build_cosigned_message(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


# Notes


class Note(NamedTuple):
    """A parsed note whose signatures are not verified yet; do not trust it."""

    text: str
    signatures: tuple[Signature, ...]

    @property
    def note(self) -> str:
        return self.text + "\n" + "".join(signature.line for signature in self.signatures)


class Signed(NamedTuple):
    """A verified signature: the key, and for a cosignature the time in seconds."""

    by: Verifier
    time: int | None
    signature: Signature


class Opened(NamedTuple):
    text: str
    signed: tuple[Signed, ...]


def read_note(note: str) -> Note:
    if len(_encode_text(note)) > MAX_NOTE_BYTES:
        raise BadNote(f"a note may have at most {MAX_NOTE_BYTES} bytes")
    if any(char < " " and char != "\n" for char in note):
        raise BadNote("a note must not contain control characters")
    text, blank, lines = note.rpartition("\n\n")
    if not blank or not lines.endswith("\n"):
        raise BadNote("a note must be a text, a blank line and signature lines")
    return Note(text + "\n", read_signatures(lines))


def read_signatures(text: str) -> tuple[Signature, ...]:
    """Read complete signature lines, at most one per key."""
    *lines, rest = text.split("\n")
    if rest or not 0 < len(lines) <= MAX_SIGNATURES:
        raise BadNote(f"a note must have 1 to {MAX_SIGNATURES} complete signature lines")
    signatures = tuple(map(_read_signature, lines))
    if len({(found.name, found.id) for found in signatures}) != len(signatures):
        raise BadNote("a key has signed a note more than once")
    return signatures


def _read_signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(MARK).partition(" ")
    if not line.startswith(MARK) or not space:
        raise BadNote(f"{quote_text(line)} is not a signature line")
    verify_name(name)
    data = decode_base64(encoded, BadNote)
    if len(data) <= ID_BYTES:
        raise BadNote(f"the signature of {quote_text(name)} is too short")
    return Signature(name, data[:ID_BYTES], data[ID_BYTES:])


def open_note(note: str, verifiers: Iterable[Verifier]) -> Opened:
    """Return the text and the known keys that have signed it; refuse a wrong signature of one."""
    read = read_note(note)
    signed = verify_signatures(read.text, read.signatures, verifiers)
    if not signed:
        raise BadNote("no known key has signed the note")
    return Opened(read.text, signed)


def verify_signatures(
    text: str, signatures: Sequence[Signature], verifiers: Iterable[Verifier]
) -> tuple[Signed, ...]:
    """Return the verified signatures of known keys, skip unknown keys, refuse a wrong signature."""
    known = {(verifier.name, verifier.id): verifier for verifier in verifiers}
    found = list[Signed]()
    for signature in signatures:
        verifier = known.get((signature.name, signature.id))
        if verifier is None:
            continue
        if not verifier.verifies(text, signature.data):
            raise BadNote(f"the signature of {quote_text(signature.name)} is wrong")
        found.append(Signed(verifier, _read_time(verifier, signature), signature))
    return tuple(found)


def _read_time(verifier: Verifier, signature: Signature) -> int | None:
    if verifier.type != COSIGNATURE:
        return None
    time = int.from_bytes(signature.data[:TIME_BYTES])
    if time > MAX_SIZE:
        raise BadNote(f"the time of the signature of {quote_text(signature.name)} is out of range")
    return time


def add_signatures(note: str, more: Iterable[Signature]) -> str:
    """Add signatures to a note; a new signature replaces an older one of the same key."""
    read = read_note(note)
    signatures = {(found.name, found.id): found for found in (*read.signatures, *more)}
    return Note(read.text, tuple(signatures.values())).note


def _encode_text(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise BadNote("a note must not contain surrogate characters") from None
