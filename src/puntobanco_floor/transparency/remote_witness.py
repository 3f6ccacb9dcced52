"""A witness over the network: what its answers mean for a floor."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus

from puntobanco_floor.transparency.refusals import Away, Disagrees, Seen
from puntobanco_floor.transparency.witness_link import Client
from puntobanco_proof.tree.notes import Signature
from puntobanco_proof.tree.policies import Witness
from puntobanco_proof.witness.client import WitnessClient
from puntobanco_proof.witness.refusals import (
    WitnessHasOtherSize,
    WitnessRefused,
    WitnessUnreachable,
)

ANSWER_S = 4.0
CONTRADICTED = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
"""What a witness answers to a log that does not follow from what it has seen."""


class RemoteWitness:
    def __init__(self, witness: Witness) -> None:
        self._witness = witness

    def add_checkpoint(self, old: int, proof: Sequence[bytes], note: str) -> Sequence[Signature]:
        try:
            found = client_of(self._witness).add_checkpoint(old, proof, note)
        except WitnessHasOtherSize as other:
            raise Seen(other.size) from None
        except WitnessRefused as refused:
            raise self._refused(refused) from None
        except WitnessUnreachable as unreachable:
            raise Away(unreachable.reason) from None
        return [each.signature for each in found]

    def _refused(self, refused: WitnessRefused) -> Away | Disagrees:
        if refused.status not in CONTRADICTED:
            return Away(refused.reason)
        return Disagrees(
            f"witness {self._witness.name} has seen another log under this name: {refused.reason}; "
            "keep database and publication folder as evidence"
        )


def client_of(witness: Witness) -> WitnessClient:
    if not witness.url:
        raise WitnessUnreachable(f"the policy names no address of {witness.name}")
    return WitnessClient(witness.url, witness.verifier, witness.mix_key, timeout_s=ANSWER_S)


def remote(witness: Witness) -> Client:
    return RemoteWitness(witness)


def last_seen(witness: Witness, origin: str) -> str:
    """The checkpoint that a witness says it has seen last of a log; nothing where it has none."""
    for log in client_of(witness).status().logs:
        if log.origin == origin:
            return log.note
    return ""
