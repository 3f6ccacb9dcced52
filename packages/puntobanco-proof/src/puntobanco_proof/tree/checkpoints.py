"""Checkpoints (C2SP tlog-checkpoint): a log's name, size and root, signed and cosigned."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from puntobanco_proof.tree.faults import (
    BadCheckpoint,
    hash_from_base64,
    number_from,
    shown,
    to_base64,
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
    """`extensions` are further lines, which mean nothing to us and are signed with the others."""

    origin: str
    size: int
    root: bytes
    extensions: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        lines = self.origin, str(self.size), to_base64(self.root), *self.extensions
        return "".join(f"{line}\n" for line in lines)


def read_checkpoint(text: str) -> Checkpoint:
    """From the text of a note, whose signatures are somebody else's business."""
    *lines, rest = text.split("\n")
    if rest or len(lines) < 3 or not all(lines):
        raise BadCheckpoint("a checkpoint is three lines: the log's name, its size, its root")
    origin, size, root, *extensions = lines
    return Checkpoint(
        origin,
        number_from(size, BadCheckpoint),
        hash_from_base64(root, BadCheckpoint),
        tuple(extensions),
    )


def checkpoint_in(note: str) -> Checkpoint:
    """What a note says, not yet verified."""
    return read_checkpoint(read_note(note).text)


def signed(checkpoint: Checkpoint, log: Signer) -> str:
    """The note that a log publishes."""
    assert log.verifier.type == ED25519
    assert log.verifier.name == checkpoint.origin
    text = checkpoint.text
    return Note(text, (log.sign(text),)).note


def cosigned(checkpoint: Checkpoint, witness: Signer, *, time: int) -> Signature:
    """The line that a witness adds; `time` is in seconds."""
    assert witness.verifier.type == COSIGNATURE
    return witness.sign(checkpoint.text, time=time)


class Witnessed(NamedTuple):
    """A checkpoint that its log has signed; `times` are its witnesses' cosignatures, in seconds."""

    checkpoint: Checkpoint
    log: Verifier
    times: Mapping[str, int]


def open_checkpoint(
    note: str, logs: Iterable[Verifier], witnesses: Iterable[Verifier] = ()
) -> Witnessed:
    """Raises unless one of these logs has signed it under its own name."""
    logs, witnesses = tuple(logs), tuple(witnesses)
    opened = open_note(note, (*logs, *witnesses))
    checkpoint = read_checkpoint(opened.text)
    by_log = [found.by for found in opened.signed if found.by in logs]
    own = [log for log in by_log if log.name == checkpoint.origin]
    if not own:
        raise BadCheckpoint(f"the log {shown(checkpoint.origin)} has not signed its checkpoint")
    times = {found.by.name: found.time for found in opened.signed if found.time is not None}
    return Witnessed(checkpoint, own[0], times)
