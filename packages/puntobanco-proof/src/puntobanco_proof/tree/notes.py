"""Signed notes: a text, a blank line, a line for each signature, as C2SP's signed-note has them.

Two kinds of signatures are known: Ed25519 over the text, with which a log signs, and the timed
cosignature of a witness, which is Ed25519 over a time and the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from puntobanco_proof.tree.faults import MOST_SIZE, BadNote, from_base64, shown, to_base64

ED25519 = 1
COSIGNATURE = 4
TYPES = {ED25519: "a log's Ed25519 key", COSIGNATURE: "a witness's Ed25519 key"}

ID_BYTES = 4
KEY_BYTES = 32
SIGNATURE_BYTES = 64
TIME_BYTES = 8
MOST_NAME_BYTES = 255
MOST_NOTE_BYTES = 256 * 1024
MOST_SIGNATURES = 64
MARK = "\N{EM DASH} "
"""In front of each signature."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A key that signatures are checked with: whose it is, of which type, and its 32 bytes."""

    name: str
    type: int
    key: bytes

    @property
    def id(self) -> bytes:
        hashed = self.name.encode() + b"\n" + bytes([self.type]) + self.key
        return sha256(hashed).digest()[:ID_BYTES]

    @property
    def text(self) -> str:
        """As it is published: a vkey."""
        return f"{self.name}+{self.id.hex()}+{to_base64(bytes([self.type]) + self.key)}"

    def verifies(self, text: str, data: bytes) -> bool:
        """Whether this is this key's signature over the text of a note."""
        signature, message = data, text.encode()
        if self.type == COSIGNATURE:
            time, signature = data[:TIME_BYTES], data[TIME_BYTES:]
            message = _timed(text, int.from_bytes(time))
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
        raise BadNote(f"{shown(text)} is not a key: NAME+ID+KEY is")
    id_, encoded = rest
    verify_name(name)
    data = from_base64(encoded, BadNote)
    type_ = data[0] if data else 0
    if type_ not in TYPES:
        raise BadNote(f"the key of {shown(name)} is of type {type_}, which is not known here")
    verifier = Verifier(name, type_, data[1:])
    if len(verifier.key) != KEY_BYTES:
        raise BadNote(f"the key of {shown(name)} has {len(verifier.key)} bytes, not {KEY_BYTES}")
    if verifier.id.hex() != id_:
        raise BadNote(f"the key of {shown(name)} has the id {verifier.id.hex()}, not {shown(id_)}")
    return verifier


def verify_name(name: str) -> None:
    """Raises unless keys may be called so."""
    is_short = 0 < len(_encoded(name)) <= MOST_NAME_BYTES
    is_plain = not any(char.isspace() or char == "+" or char < " " for char in name)
    if not is_short or not is_plain:
        raise BadNote(
            f"{shown(name)} is no name of a key: 1 to {MOST_NAME_BYTES} bytes, no space, no plus"
        )


class Signature(NamedTuple):
    """A line under a note: of whom, by which key, and what the key made."""

    name: str
    id: bytes
    data: bytes

    @property
    def line(self) -> str:
        return f"{MARK}{self.name} {to_base64(self.id + self.data)}\n"


class Signer:
    """A key that signs; it never shows itself."""

    def __init__(self, name: str, type_: int, seed: bytes) -> None:
        assert type_ in TYPES
        verify_name(name)
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        public = self._key.public_key().public_bytes_raw()
        self.verifier = Verifier(name, type_, public)

    def sign(self, text: str, *, time: int = 0) -> Signature:
        """`time` is in seconds; only a cosignature has one."""
        data = self._key.sign(text.encode())
        if self.verifier.type == COSIGNATURE:
            data = time.to_bytes(TIME_BYTES) + self._key.sign(_timed(text, time))
        return Signature(self.verifier.name, self.verifier.id, data)


def _timed(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()


# Notes


class Note(NamedTuple):
    """A note as it is read, before any signature is checked: believe nothing of it yet."""

    text: str
    signatures: tuple[Signature, ...]

    @property
    def note(self) -> str:
        return self.text + "\n" + "".join(signature.line for signature in self.signatures)


class Signed(NamedTuple):
    """A signature that verifies: by which key, and when, in seconds, where it says so."""

    by: Verifier
    time: int | None
    signature: Signature


class Opened(NamedTuple):
    text: str
    signed: tuple[Signed, ...]


def read_note(note: str) -> Note:
    if len(_encoded(note)) > MOST_NOTE_BYTES:
        raise BadNote(f"a note has at most {MOST_NOTE_BYTES} bytes")
    if any(char < " " and char != "\n" for char in note):
        raise BadNote("a note has a control character in it")
    text, blank, lines = note.rpartition("\n\n")
    if not blank or not lines.endswith("\n"):
        raise BadNote("a note is a text, a blank line, and lines with signatures")
    return Note(text + "\n", read_signatures(lines))


def read_signatures(text: str) -> tuple[Signature, ...]:
    """Lines with signatures, each with its end; a key has signed once."""
    *lines, rest = text.split("\n")
    if rest or not 0 < len(lines) <= MOST_SIGNATURES:
        raise BadNote(f"a note has 1 to {MOST_SIGNATURES} lines with signatures")
    signatures = tuple(map(_signature, lines))
    if len({(found.name, found.id) for found in signatures}) != len(signatures):
        raise BadNote("a key has signed a note more than once")
    return signatures


def _signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(MARK).partition(" ")
    if not line.startswith(MARK) or not space:
        raise BadNote(f"{shown(line)} is not a line with a signature")
    verify_name(name)
    data = from_base64(encoded, BadNote)
    if len(data) <= ID_BYTES:
        raise BadNote(f"the signature of {shown(name)} is too short")
    return Signature(name, data[:ID_BYTES], data[ID_BYTES:])


def open_note(note: str, verifiers: Iterable[Verifier]) -> Opened:
    """Return the text and the known keys that have signed it; refuse a wrong signature of one."""
    read = read_note(note)
    signed = verified(read.text, read.signatures, verifiers)
    if not signed:
        raise BadNote("no key that is known here has signed the note")
    return Opened(read.text, signed)


def verified(
    text: str, signatures: Sequence[Signature], verifiers: Iterable[Verifier]
) -> tuple[Signed, ...]:
    known = {(verifier.name, verifier.id): verifier for verifier in verifiers}
    found = list[Signed]()
    for signature in signatures:
        verifier = known.get((signature.name, signature.id))
        if verifier is None:
            continue
        if not verifier.verifies(text, signature.data):
            raise BadNote(f"the signature of {shown(signature.name)} is wrong")
        found.append(Signed(verifier, _time(verifier, signature), signature))
    return tuple(found)


def _time(verifier: Verifier, signature: Signature) -> int | None:
    if verifier.type != COSIGNATURE:
        return None
    time = int.from_bytes(signature.data[:TIME_BYTES])
    if time > MOST_SIZE:
        raise BadNote(f"the time of the signature of {shown(signature.name)} is too late")
    return time


def with_signatures(note: str, more: Iterable[Signature]) -> str:
    """The note with further signatures; of a key that has signed before, the newer one."""
    read = read_note(note)
    signatures = {(found.name, found.id): found for found in (*read.signatures, *more)}
    return Note(read.text, tuple(signatures.values())).note


def _encoded(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise BadNote("a note has a character that cannot be written") from None
