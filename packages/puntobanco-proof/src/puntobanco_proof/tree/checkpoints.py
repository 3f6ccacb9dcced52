"""Checkpoints (C2SP tlog-checkpoint): a log's name, size and root, signed and cosigned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from puntobanco_proof.tree.faults import (
    BadCheckpoint,
    decode_hash,
    encode_base64,
    parse_number,
    quote_text,
)
from puntobanco_proof.tree.notes import (
    COSIGNATURE,
    ED25519,
    Note,
    Signature,
    Signer,
    Verifier,
    open_note,
    read_note,
)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A log's name, size and root; `extensions` are further signed lines, which we ignore."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        lines = self.origin, str(self.size), encode_base64(self.root), *self.extensions
        return "".join(f"{line}\n" for line in lines)


def read_checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint from the text of a note; verify no signature."""
    *lines, rest = text.split("\n")
    if rest or len(lines) < 3 or not all(lines):
        raise BadCheckpoint(
            "a checkpoint must be three lines: the log's name, its size and its root"
        )
    origin, size, root, *extensions = lines
    return Checkpoint(
        origin,
        parse_number(size, BadCheckpoint),
        decode_hash(root, BadCheckpoint),
        tuple(extensions),
    )


def read_checkpoint_note(note: str) -> Checkpoint:
    """Read the checkpoint in a note without verifying it."""
    return read_checkpoint(read_note(note).text)


def sign_checkpoint(checkpoint: Checkpoint, log: Signer) -> str:
    """Sign a checkpoint as its log and return the note to publish."""
    assert log.verifier.type == ED25519
    assert log.verifier.name == checkpoint.origin
    text = checkpoint.text
    return Note(text, (log.sign(text),)).note


def cosign_checkpoint(checkpoint: Checkpoint, witness: Signer, *, time: int) -> Signature:
    """Sign a checkpoint as a witness at `time`, in seconds."""
    assert witness.verifier.type == COSIGNATURE
    return witness.sign(checkpoint.text, time=time)


class Witnessed(NamedTuple):
    """A verified checkpoint; `times` holds the time in seconds of each witness's cosignature."""

    checkpoint: Checkpoint
    log: Verifier
    times: Mapping[str, int]


def open_checkpoint(
    note: str, logs: Iterable[Verifier], witnesses: Iterable[Verifier] = ()
) -> Witnessed:
    """Verify a checkpoint note; refuse unless the log that it names is known and has signed it."""
    logs, witnesses = tuple(logs), tuple(witnesses)
    opened = open_note(note, (*logs, *witnesses))
    checkpoint = read_checkpoint(opened.text)
    by_log = [found.by for found in opened.signed if found.by in logs]
    own = [log for log in by_log if log.name == checkpoint.origin]
    if not own:
        raise BadCheckpoint(
            f"the log {quote_text(checkpoint.origin)} has not signed its checkpoint"
        )
    times = {found.by.name: found.time for found in opened.signed if found.time is not None}
    return Witnessed(checkpoint, own[0], times)
