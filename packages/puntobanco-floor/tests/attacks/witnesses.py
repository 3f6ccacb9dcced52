"""Witnesses of an attacked floor, asked without a network: honest ones decide and remember as the program does."""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from puntobanco_floor.transparency.refusals import Away, Disagrees, Seen
from puntobanco_floor.transparency.witness_link import CONTRADICTED
from puntobanco_proof.tree.checkpoints import cosign_checkpoint, read_checkpoint_note
from puntobanco_proof.tree.notes import Signature, Verifier
from puntobanco_proof.tree.policies import Group, Log, Policy, Witness, require_all
from puntobanco_proof.witness.decisions import Decider, OtherSize
from puntobanco_proof.witness.identity import MEMORY, Identity
from puntobanco_proof.witness.memory import Memory, create_memory
from puntobanco_proof.witness.refusals import WitnessRefuses
from puntobanco_proof.witness.requests import AddCheckpoint
from tests.witness.made import identity

NOW = 1_800_000_000
HONEST, DISHONEST = "ann.example", "eve.example"


def named(name: str) -> Witness:
    own = identity(name)
    return Witness(name, own.cosigner.verifier, f"http://{name}/", own.mix_key)


def policy(logs: Sequence[Verifier], names: Sequence[str], least: int = 0) -> Policy:
    """All of these must have cosigned, or so many of them."""
    every = require_all(map(Log, logs), map(named, names))
    if not least or least == len(names):
        return every
    return Policy(every.logs, every.witnesses, (Group("some", least, tuple(names)),), "some")


class AsWitness(Protocol):
    """Whom a floor asks."""

    identity: Identity

    def add_checkpoint(
        self, old: int, proof: Sequence[bytes], note: str
    ) -> Sequence[Signature]: ...
    def seen(self) -> str: ...
    def close(self) -> None: ...


class Honest:
    """Remembers in `folder`; what another has remembered is taken over from `like`."""

    def __init__(
        self, name: str, folder: Path, logs: Sequence[Verifier], like: Path | None = None
    ) -> None:
        self.identity = identity(name)
        folder.mkdir(parents=True, exist_ok=True)
        if like is None:
            create_memory(folder)
        else:
            shutil.copy(like, folder / MEMORY)
        self.path = folder / MEMORY
        self.memory = Memory(folder)
        self.memory._database.execute("PRAGMA synchronous = OFF")  # no power fails here
        self.decider = Decider(self.identity, self.memory, logs, lambda: NOW)

    def close(self) -> None:
        self.memory.close()

    def seen(self) -> str:
        [log] = self.decider.status().logs
        return log.note

    def add_checkpoint(self, old: int, proof: Sequence[bytes], note: str) -> Sequence[Signature]:
        """Its answers as a floor understands them."""
        try:
            return [self.decider.cosign(AddCheckpoint(old, tuple(proof), note))]
        except OtherSize as other:
            raise Seen(other.size) from None
        except WitnessRefuses as refused:
            if refused.status in CONTRADICTED:
                raise Disagrees(refused.reason) from None
            raise Away(refused.reason) from None


class Dishonest:
    """Signs whatever it is shown, and has seen whatever is asked for."""

    def __init__(self, name: str) -> None:
        self.identity, self._seen = identity(name), ""

    def close(self) -> None:
        """It has nothing."""

    def seen(self) -> str:
        return self._seen

    def add_checkpoint(self, old: int, proof: Sequence[bytes], note: str) -> Sequence[Signature]:
        del old, proof
        self._seen = note
        return [cosign_checkpoint(read_checkpoint_note(note), self.identity.cosigner, time=NOW)]
