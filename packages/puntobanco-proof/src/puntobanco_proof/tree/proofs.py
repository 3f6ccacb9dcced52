"""Log inclusion proofs (C2SP tlog-proof): an entry's index, hashes and a checkpoint."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.checkpoints import Witnessed, open_checkpoint
from puntobanco_proof.tree.faults import (
    MAX_HASHES,
    BadProof,
    decode_base64,
    decode_hash,
    encode_base64,
    parse_number,
    quote_text,
)
from puntobanco_proof.tree.log_tree import is_included
from puntobanco_proof.tree.notes import MAX_NOTE_BYTES, Verifier
from puntobanco_proof.tree.policies import Policy

FIRST = "c2sp.org/tlog-proof@v1"
MAX_EXTRA_BYTES = 64 * 1024
MAX_PROOF_CHARACTERS = MAX_NOTE_BYTES + 2 * MAX_EXTRA_BYTES


@dataclass(frozen=True, slots=True)
class Proof:
    """`checkpoint` is a signed note; `extra` is unauthenticated data."""

    index: int
    hashes: tuple[bytes, ...]
    checkpoint: str
    extra: bytes = b""

    @property
    def text(self) -> str:
        extra = [f"extra {encode_base64(self.extra)}"] if self.extra else []
        lines = [FIRST, *extra, f"index {self.index}", *map(encode_base64, self.hashes)]
        return "".join(f"{line}\n" for line in lines) + "\n" + self.checkpoint


def read_proof(text: str) -> Proof:
    if len(text) > MAX_PROOF_CHARACTERS:
        raise BadProof(
            f"a proof may have at most {MAX_PROOF_CHARACTERS} characters, not {len(text)}"
        )
    head, blank, checkpoint = text.partition("\n\n")
    first, *lines = head.split("\n")
    if first != FIRST or not blank:
        raise BadProof(
            f"a proof must start with {FIRST} and have a blank line before its checkpoint"
        )
    extra = _read_extra(lines.pop(0)) if lines and lines[0].startswith("extra ") else b""
    if not lines or not lines[0].startswith("index "):
        raise BadProof("a proof needs the index of its entry: index NUMBER")
    index = parse_number(lines.pop(0).removeprefix("index "), BadProof)
    if len(lines) > MAX_HASHES:
        raise BadProof(f"a proof may have at most {MAX_HASHES} hashes, not {len(lines)}")
    hashes = tuple(decode_hash(line, BadProof) for line in lines)
    return Proof(index, hashes, checkpoint, extra)


def _read_extra(line: str) -> bytes:
    data = decode_base64(line.removeprefix("extra "), BadProof)
    if not 0 < len(data) <= MAX_EXTRA_BYTES:
        raise BadProof(f"the extra data must have 1 to {MAX_EXTRA_BYTES} bytes, not {len(data)}")
    return data


def verify_proof(leaf: bytes, proof: Proof, policy: Policy) -> Witnessed:
    """Refuse unless a log of the policy includes this leaf and its witnesses meet the quorum."""
    logs = [log.verifier for log in policy.logs]
    opened = open_checkpoint(proof.checkpoint, logs, policy.verifiers)
    verify_inclusion(leaf, proof, opened)
    if not policy.is_witnessed(policy.find_names(opened.times)):
        who = ", ".join(sorted(opened.times)) or "none"
        raise BadProof(f"the checkpoint needs more cosignatures for this policy; it has: {who}")
    return opened


def verify_cosigned_proof(
    leaf: bytes, proof: Proof, logs: Iterable[Verifier], witness: Verifier
) -> Witnessed:
    """Refuse unless one of `logs` includes this leaf and `witness` has cosigned the checkpoint."""
    opened = open_checkpoint(proof.checkpoint, logs, [witness])
    verify_inclusion(leaf, proof, opened)
    if witness.name not in opened.times:
        raise BadProof(f"{quote_text(witness.name)} has not cosigned the checkpoint of the proof")
    return opened


def verify_inclusion(leaf: bytes, proof: Proof, opened: Witnessed) -> None:
    size, root = opened.checkpoint.size, opened.checkpoint.root
    if not is_included(merkle.hash_leaf(leaf), proof.index, size, proof.hashes, root):
        raise BadProof(f"the entry is not at index {proof.index} of the log of size {size}")
