"""Requests to a witness: `add-checkpoint` (C2SP) and `mix` (our own)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from puntobanco_proof.entry.format import Part, disclose_parts
from puntobanco_proof.entry.record import Record
from puntobanco_proof.tree.faults import (
    MAX_HASHES,
    BadLogText,
    decode_hash,
    encode_base64,
    parse_number,
)
from puntobanco_proof.tree.notes import MAX_NOTE_BYTES
from puntobanco_proof.tree.proofs import MAX_PROOF_CHARACTERS, Proof

MAX_CHECKPOINT_BYTES = MAX_NOTE_BYTES + 4096
"""A note and the hashes before it."""

MAX_MIX_BYTES = MAX_PROOF_CHARACTERS + 256 * 1024
"""A proof and a `ShoeStarted` part with the key of each witness that mixes."""

Digits = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]*$")]
Name = Annotated[str, Meta(min_length=1, max_length=255)]


class BadRequest(BadLogText):
    """A malformed request to a witness."""

    remedy = "Run releases of floor and witness that support the same requests."


# To cosign


class AddCheckpoint(NamedTuple):
    """`old` is the size of the checkpoint that the client believes the witness cosigned last."""

    old: int
    hashes: tuple[bytes, ...]
    note: str

    @property
    def text(self) -> str:
        lines = [f"old {self.old}", *map(encode_base64, self.hashes)]
        return "".join(f"{line}\n" for line in lines) + "\n" + self.note


def read_add_checkpoint(body: bytes) -> AddCheckpoint:
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise BadRequest("the request must be UTF-8") from None
    head, blank, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    if not blank or not first.startswith("old "):
        raise BadRequest("a request must be: old SIZE, hashes, a blank line, a checkpoint")
    if len(lines) > MAX_HASHES:
        raise BadRequest(f"a request may have at most {MAX_HASHES} hashes, not {len(lines)}")
    old = parse_number(first.removeprefix("old "), BadRequest)
    return AddCheckpoint(old, tuple(decode_hash(x, BadRequest) for x in lines), note)


# To mix


class Mix(Record):
    """A shoe, and evidence that the house committed to its order in the log.

    The evidence is the entry's header, its part that starts the shoe, the salt of its leaf and a
    proof.
    """

    origin: Name
    stream: Name
    shoe: Annotated[int, Meta(ge=1)]
    commitment: Digits
    header: msgspec.Raw  # the hashed bytes
    part: Part
    salt: Digits  # of the leaf
    proof: str  # a tlog-proof


class Mixed(Record):
    """The answer of a witness: its unique signature of the mix, in hexadecimal."""

    signature: str


def build_mix_request(
    entry: bytes,
    place: int,
    *,
    origin: str,
    stream: str,
    shoe: int,
    commitment: str,
    salt: bytes,
    proof: Proof,
) -> Mix:
    """Build the request from an entry whose part at `place` is the `ShoeStarted` event."""
    header, [part] = disclose_parts(entry, [place])
    return Mix(
        origin=origin,
        stream=stream,
        shoe=shoe,
        commitment=commitment,
        header=msgspec.Raw(header),
        part=part,
        salt=salt.hex(),
        proof=proof.text,
    )


def read_mix(body: bytes) -> Mix:
    try:
        return _mix(body)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise BadRequest(f"the request is malformed: {error}") from None


_mix = msgspec.json.Decoder(Mix).decode


# Status


class LogSeen(Record):
    """The last checkpoint of a log that the witness cosigned; `at` is in seconds."""

    origin: str
    size: int
    note: str
    at: int


class Status(Record):
    name: str
    vkey: str
    mix_key: str  # DER and its proof, in base64
    logs: Sequence[LogSeen]
    refused: int  # checkpoints and mixes, signed by their log, that contradict earlier ones
