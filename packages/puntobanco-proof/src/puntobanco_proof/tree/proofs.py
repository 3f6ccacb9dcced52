"""Proofs that an entry is in a log (C2SP tlog-proof): its index, hashes, a checkpoint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.checkpoints import Witnessed, open_checkpoint
from puntobanco_proof.tree.faults import (
    MOST_HASHES,
    BadProof,
    from_base64,
    hash_from_base64,
    number_from,
    shown,
    to_base64,
)
from puntobanco_proof.tree.log_tree import is_included
from puntobanco_proof.tree.notes import MOST_NOTE_BYTES, Verifier
from puntobanco_proof.tree.policies import Policy

FIRST = "c2sp.org/tlog-proof@v1"
MOST_EXTRA_BYTES = 64 * 1024
MOST_PROOF_CHARACTERS = MOST_NOTE_BYTES + 2 * MOST_EXTRA_BYTES


@dataclass(frozen=True, slots=True)
class Proof:
    """`checkpoint` is a note with its signatures; `extra` is what nothing vouches for."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    extra: bytes = b""

    @property
    def text(self) -> str:
        extra = [f"extra {to_base64(self.extra)}"] if self.extra else []
        lines = [FIRST, *extra, f"index {self.index}", *map(to_base64, self.hashes)]
        return "".join(f"{line}\n" for line in lines) + "\n" + self.checkpoint


def read_proof(text: str) -> Proof:
    if len(text) > MOST_PROOF_CHARACTERS:
        raise BadProof(f"a proof has at most {MOST_PROOF_CHARACTERS} characters")
    head, blank, checkpoint = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first != FIRST or not blank:
        raise BadProof(
            f"a proof begins with {FIRST}, and a blank line stands before its checkpoint"
        )
    extra = _extra(lines.pop(0)) if lines and lines[0].startswith("extra ") else b""
    if not lines or not lines[0].startswith("index "):
        raise BadProof("a proof says the index of its entry: index NUMBER")
    index = number_from(lines.pop(0).removeprefix("index "), BadProof)
    if len(lines) > MOST_HASHES:
        raise BadProof(f"a proof has at most {MOST_HASHES} hashes; this one has {len(lines)}")
    hashes = tuple(hash_from_base64(line, BadProof) for line in lines)
    return Proof(index, hashes, checkpoint, extra)


def _extra(line: str) -> bytes:
    data = from_base64(line.removeprefix("extra "), BadProof)
    if not 0 < len(data) <= MOST_EXTRA_BYTES:
        raise BadProof(f"what is extra has 1 to {MOST_EXTRA_BYTES} bytes")
    return data


def verify_proof(leaf: bytes, proof: Proof, policy: Policy) -> Witnessed:
    """Refuse unless a log of the policy has this leaf and enough witnesses have cosigned it."""
    logs = [log.verifier for log in policy.logs]
    opened = open_checkpoint(proof.checkpoint, logs, policy.verifiers)
    verify_inclusion(leaf, proof, opened)
    if not policy.is_witnessed(policy.names_of(opened.times)):
        who = ", ".join(sorted(opened.times)) or "nobody"
        raise BadProof(f"the policy wants more cosignatures of the checkpoint; it has: {who}")
    return opened


def verify_under(
    leaf: bytes, proof: Proof, logs: Iterable[Verifier], witness: Verifier
) -> Witnessed:
    """The same for one witness, without a policy: it has cosigned the checkpoint itself."""
    opened = open_checkpoint(proof.checkpoint, logs, [witness])
    verify_inclusion(leaf, proof, opened)
    if witness.name not in opened.times:
        raise BadProof(f"{shown(witness.name)} has not cosigned the checkpoint of the proof")
    return opened


def verify_inclusion(leaf: bytes, proof: Proof, opened: Witnessed) -> None:
    size, root = opened.checkpoint.size, opened.checkpoint.root
    if not is_included(merkle.leaf(leaf), proof.index, size, proof.hashes, root):
        raise BadProof(f"the entry is not number {proof.index} of the log's {size}")
