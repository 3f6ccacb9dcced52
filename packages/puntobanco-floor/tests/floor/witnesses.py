"""Witnesses in memory, for tests of a floor: each keeps what it has cosigned last, and may be away."""

from collections.abc import Sequence

from puntobanco_floor.transparency.refusals import Away, Disagrees, Seen
from puntobanco_proof.tree.checkpoints import Checkpoint, cosign_checkpoint, read_checkpoint_note
from puntobanco_proof.tree.log_tree import EMPTY, is_consistent
from puntobanco_proof.tree.notes import COSIGNATURE, Signature, Signer
from puntobanco_proof.tree.policies import Witness


class TestWitness:
    __test__ = False

    def __init__(self, name: str) -> None:
        self.signer = Signer(name, COSIGNATURE, name.encode().ljust(32, b"\0"))
        self.witness = Witness(name, self.signer.verifier, f"http://{name}/")
        self.seen = Checkpoint("", 0, EMPTY)
        self.is_away = False
        self.asked = 0

    def add_checkpoint(self, old: int, proof: Sequence[bytes], note: str) -> Sequence[Signature]:
        self.asked += 1
        if self.is_away:
            raise Away("no answer")
        shown = read_checkpoint_note(note)
        if old != self.seen.size:
            raise Seen(self.seen.size)
        if not is_consistent(old, self.seen.root, shown.size, shown.root, proof):
            raise Disagrees("has seen another log under this name")
        self.seen = shown
        return [cosign_checkpoint(shown, self.signer, time=1_700_000_000)]
