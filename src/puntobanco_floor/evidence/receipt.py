"""A receipt, from the journal and the log: each entry with its proof, or with the head that a node
has signed where the proof is still to come.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from msgspec.structs import replace

from puntobanco_floor.evidence.disclosure import disclose
from puntobanco_floor.evidence.receipt_subjects import (
    NOTHING,
    Found,
    Span,
    choose_parts,
    drop_repeated_cards,
)
from puntobanco_floor.evidence.refusals import NoReceipt
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import admission_of
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.store.reader import Reader
from puntobanco_proof.entry import parts
from puntobanco_proof.entry.format import canonical, header_of, pieces_of
from puntobanco_proof.receipt_format import Claim, Part, Receipt, Says, Shown, Signed, What
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import checkpoint_in
from puntobanco_proof.tree.policies import Log, Policy
from puntobanco_proof.tree.proofs import Proof


@dataclass(frozen=True)
class House:
    """What the house says of itself, and the policy that it names its witnesses by."""

    name: str
    policy: Policy | None = None
    is_demonstration: bool = False  # its witness runs on the same computer

    def claim(self, log: TransparencyLog) -> Claim:
        if self.policy is None or not self.policy.witnesses:
            logs = tuple(Log(verifier) for verifier in log.verifiers())
            return Claim(house=self.name, policy=Policy(logs=logs).text, says="unwitnessed")
        says: Says = "demonstration" if self.is_demonstration else "witnessed"
        return Claim(house=self.name, policy=_with_logs(self.policy, log).text, says=says)


def _with_logs(policy: Policy, log: TransparencyLog) -> Policy:
    if policy.logs:
        return policy
    return Policy(
        logs=tuple(Log(verifier) for verifier in log.verifiers()),
        witnesses=policy.witnesses,
        groups=policy.groups,
        quorum=policy.quorum,
    )


class Under(NamedTuple):
    """A checkpoint that entries are proven under; its tiles are read once for all of them."""

    note: str
    size: int
    hashes: log_tree.Hashes


@dataclass(frozen=True)
class Maker:
    """Makes receipts of one view of the database."""

    reader: Reader
    log: TransparencyLog
    ring: KeyRing
    house: House

    def receipt(self, what: What, span: Span) -> Receipt:
        under = self._under()
        shown = choose_parts(self.reader, what, span.first, span.last)
        if what.kind == "shoe":
            shown = drop_repeated_cards(self.reader, what, shown)
        entries = [self._shown(what.table, each, under) for each in shown]
        own = what
        is_public = not any(each.is_named for each in shown)  # nothing of the session is in it
        if what.kind == "round" and is_public:
            own = replace(what, session="")
        return Receipt(claim=self.house.claim(self.log), entries=entries, what=own)

    def _under(self) -> Under | None:
        """The checkpoint to prove with: one that enough witnesses saw, where some are named."""
        policy = self.house.policy
        if policy is not None and policy.witnesses:
            note = self.log.witnessed(policy)
        else:
            note = self.log.checkpoint()
        if not note:
            return None
        size = checkpoint_in(note).size
        return Under(note, size, self.log.hashes(size))

    def _shown(self, table: str, each: Found, under: Under | None) -> Shown:
        shown = disclose(each.data, each.places)
        leaf_salt, proof_text = self._proof(table, each.seq, under)
        signed = [] if proof_text else [self._signed(table, each)]
        return Shown(
            header=bytes(shown.header).decode(),
            leaf_salt=leaf_salt,
            parts=[_written(part) for part in shown.parts],
            proof=proof_text,
            signed=signed,
        )

    def _proof(self, table: str, seq: int, under: Under | None) -> tuple[str, str]:
        """The salt of the leaf and the proof; nothing where the checkpoint does not hold it yet."""
        place = self.log.place(table, seq) if under else None
        if under is None or place is None or place.index >= under.size:
            return "", ""
        hashes = tuple(log_tree.inclusion(place.index, under.size, under.hashes))
        proof = Proof(place.index, hashes, under.note)
        return self.log.salt(table, seq, place).hex(), proof.text

    def _signed(self, table: str, each: Found) -> Signed:
        head = self.reader.head_of(table, each.seq)
        key = self.reader.admitted_keys(table).get(head.key) if head else None
        root = self.ring.public().get(key.root) if key else None
        if head is None or key is None or root is None:
            raise NoReceipt(NOTHING)
        chain = list[str]()
        for seq, data in self.reader.entries(table, after=each.seq, upto=head.seq):
            header_of(data, stream=table, seq=seq)
            chain.append(pieces_of(data).header.decode())
        return Signed(
            admission=canonical(admission_of(table, head.key, key)).decode(),
            certificate=key.certificate,
            chain=chain,
            head=canonical(replace(head, signature="")).decode(),
            root=root.public_bytes_raw().hex(),
            signature=head.signature,
        )


def _written(part: parts.Part) -> Part:
    text = bytes(part.part).decode()
    return Part(part=text, place=part.place, proof=part.proof, salt=part.salt)
