"""Requests to a witness: to cosign a checkpoint (C2SP's), to mix a shoe (ours)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta

from puntobanco_proof.entry.format import Part, shown_parts
from puntobanco_proof.entry.record import Record
from puntobanco_proof.tree.faults import (
    MOST_HASHES,
    BadLogText,
    hash_from_base64,
    number_from,
    to_base64,
)
from puntobanco_proof.tree.notes import MOST_NOTE_BYTES
from puntobanco_proof.tree.proofs import MOST_PROOF_CHARACTERS, Proof

MOST_CHECKPOINT_BYTES = MOST_NOTE_BYTES + 4096
"""Of a request: a note, and the hashes in front of it."""

MOST_MIX_BYTES = MOST_PROOF_CHARACTERS + 256 * 1024
"""With a shoe's start in it, which has the key and the proof of each witness that mixes."""

Digits = Annotated[str, Meta(min_length=64, max_length=64, pattern="^[0-9a-f]*$")]
Name = Annotated[str, Meta(min_length=1, max_length=255)]


class BadRequest(BadLogText):
    """A request to a witness that is not written as it must be."""

    remedy = "Bring floor and witness to releases that know each other's requests."


# To cosign


class AddCheckpoint(NamedTuple):
    """`old` is the size of the last checkpoint that the witness cosigned, as the asker knows it."""

    old: int
    hashes: tuple[bytes, ...]
    note: str

    @property
    def text(self) -> str:
        lines = [f"old {self.old}", *map(to_base64, self.hashes)]
        return "".join(f"{line}\n" for line in lines) + "\n" + self.note


def read_add_checkpoint(body: bytes) -> AddCheckpoint:
    try:
        text = body.decode()
    except UnicodeDecodeError:
        raise BadRequest("the request is not UTF-8") from None
    head, blank, note = text.partition("\n\n")
    first, *lines = head.split("\n")
    if not blank or not first.startswith("old "):
        raise BadRequest("a request is: old SIZE, hashes, a blank line, a checkpoint")
    if len(lines) > MOST_HASHES:
        raise BadRequest(f"a request has at most {MOST_HASHES} hashes; this one has {len(lines)}")
    old = number_from(first.removeprefix("old "), BadRequest)
    return AddCheckpoint(old, tuple(hash_from_base64(x, BadRequest) for x in lines), note)


# To mix


class Mix(Record):
    """Which shoe, and what shows that the house has committed to its order in the log: the entry's
    header, the part of it that starts the shoe, the salt of its leaf, a proof.
    """

    origin: Name
    stream: Name
    shoe: Annotated[int, Meta(ge=1)]
    commitment: Digits
    header: msgspec.Raw  # its bytes as they were hashed
    part: Part
    salt: Digits  # of the leaf
    proof: str  # a tlog-proof


class Mixed(Record):
    """What a witness answers: its one signature over the mix, in hexadecimal."""

    signature: str


def mix_of(
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
    """The request for an entry whose part at `place` is the `ShoeStarted`."""
    header, [part] = shown_parts(entry, [place])
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
        raise BadRequest(f"the request cannot be read: {error}") from None


_mix = msgspec.json.Decoder(Mix).decode


# What it says of itself


class LogSeen(Record):
    """A log as the witness knows it: the last checkpoint that it cosigned, and when, in seconds."""

    origin: str
    size: int
    note: str
    at: int


class Status(Record):
    name: str
    vkey: str
    mix_key: str  # DER and its proof, in base64
    logs: Sequence[LogSeen]
    refused: int  # checkpoints and mixes, signed by their log, that contradict what was seen
