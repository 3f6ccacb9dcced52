"""The link to one witness: a thread shows it the log, with a proof from what it saw last, and reads
its answers.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol

from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_floor.transparency.refusals import Away, Disagrees, Seen
from puntobanco_proof.tree import log_tree
from puntobanco_proof.tree.checkpoints import Checkpoint, read_checkpoint_note
from puntobanco_proof.tree.notes import Signature, verify_signatures
from puntobanco_proof.tree.policies import Witness
from puntobanco_proof.witness.client import WitnessClient
from puntobanco_proof.witness.refusals import (
    WitnessHasOtherSize,
    WitnessRefused,
    WitnessUnreachable,
)

AGAIN_S = 2.0, 30.0
"""A witness that is away is asked after the first, then twice as long up to the second."""

ANSWER_S = 4.0
CONTRADICTED = (HTTPStatus.CONFLICT, HTTPStatus.UNPROCESSABLE_ENTITY)
"""What a witness answers to a log that does not follow from what it has seen."""

_log = logging.getLogger("puntobanco.log")


class Client(Protocol):
    """One witness, over the network; raises `Seen`, `Away` or `Disagrees`."""

    def add_checkpoint(
        self, old: int, proof: Sequence[bytes], note: str
    ) -> Sequence[Signature]: ...


@dataclass
class Asked:
    """One witness, and what it has said last."""

    witness: Witness
    client: Client
    log: TransparencyLog
    size: int = 0  # that it has cosigned last, as far as known here
    away: str = "was not asked yet"  # why it gave no answer; nothing when it did
    disagrees: str = ""

    def ask(self, note: str) -> Sequence[Signature]:
        """Return its cosignatures, none if it saw a newer checkpoint; raise if it gives none."""
        checkpoint = read_checkpoint_note(note)
        try:
            found = self._shown_twice(checkpoint, note)
        except Disagrees as disagrees:
            self.disagrees = disagrees.reason
            raise
        except Away as away:
            self.away = away.reason
            raise
        self.away, self.disagrees = "", ""
        return found

    def _shown_twice(self, checkpoint: Checkpoint, note: str) -> Sequence[Signature]:
        """What it has seen is known here, or it says so."""
        for _ in range(2):
            try:
                return self._shown(checkpoint, note)
            except Seen as seen:
                self.size = seen.size
                if seen.size > checkpoint.size:
                    break
        if self.size > self.log.size():
            raise Disagrees(
                f"witness {self.witness.name} has seen {self.size} leaves of this log, and the "
                f"database has {checkpoint.size}: entries are lost; after a recovery run "
                "`puntobanco epoch begin`"
            )
        return ()

    def _shown(self, checkpoint: Checkpoint, note: str) -> Sequence[Signature]:
        old, name = self.size, self.witness.name
        if old > checkpoint.size:
            raise Seen(old)
        proof = log_tree.prove_consistency(old, checkpoint.size, self.log.hashes(checkpoint.size))
        signatures = self.client.add_checkpoint(old, proof, note)
        own = verify_signatures(checkpoint.text, signatures, [self.witness.verifier])
        if not own:
            raise Away(f"witness {name} answered without a signature of the key that is its own")
        self.size = checkpoint.size
        return [each.signature for each in own]


@dataclass
class Asker:
    """A thread for one witness: it is shown the newest checkpoint whenever it is free."""

    asked: Asked
    heard: Callable[[str, Asked, Sequence[Signature]], object]  # what it says of a checkpoint
    _newest: str = ""
    _done: str = ""
    _pause_s: float = 0.0
    _wake: threading.Event = field(default_factory=threading.Event)
    _is_stopping: bool = False

    def start(self) -> None:
        name = f"puntobanco-witness-{self.asked.witness.name:.40}"
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def show(self, note: str) -> None:
        self._newest = note
        self._wake.set()

    def forget(self) -> None:
        """What it has answered: it is asked again, though nothing has changed here."""
        self._done = ""
        self._wake.set()

    def stop(self) -> None:
        self._is_stopping = True
        self._wake.set()

    def _run(self) -> None:
        while not self._is_stopping:
            self._wake.wait(self._pause_s or None)
            self._wake.clear()
            note = self._newest
            if self._is_stopping or _text(note) == self._done:
                continue
            try:
                self._ask(note)
            except Exception:  # it serves every shoe: nothing may end it
                _log.exception("asking witness %s failed; retried", self.asked.witness.name)
                time.sleep(AGAIN_S[0])

    def _ask(self, note: str) -> None:
        was_away, signatures = self.asked.away, list[Signature]()
        name = self.asked.witness.name
        least, most = AGAIN_S
        try:
            signatures += self.asked.ask(note)
        except Disagrees as disagrees:
            self._pause_s = most
            _log.error(
                "witness %s refused the log as another: %s; stop this floor", name, disagrees.reason
            )
        except Away as away:
            self._pause_s = min(most, max(least, 2 * self._pause_s))
            if away.reason != was_away:
                _log.error(
                    "witness %s not reached: %s; the log goes on without it, see whether it runs",
                    name,
                    away.reason,
                )
        else:
            self._done, self._pause_s = _text(note), 0.0
            if was_away:
                _log.info("witness %s cosigns", name)
        self.heard(note, self.asked, signatures)


def _text(note: str) -> str:
    """A checkpoint without its signatures, which come one after another."""
    return note.partition("\n\n")[0]


@dataclass(frozen=True)
class RemoteWitness:
    witness: Witness

    def add_checkpoint(self, old: int, proof: Sequence[bytes], note: str) -> Sequence[Signature]:
        try:
            found = client_of(self.witness).add_checkpoint(old, proof, note)
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
            f"witness {self.witness.name} has seen another log under this name: {refused.reason}; "
            "keep database and publication folder as evidence"
        )


def client_of(witness: Witness) -> WitnessClient:
    if not witness.url:
        raise WitnessUnreachable(f"the policy names no address of {witness.name}")
    return WitnessClient(witness.url, witness.verifier, witness.mix_key, timeout_s=ANSWER_S)


def last_seen(witness: Witness, origin: str) -> str:
    """The checkpoint that a witness says it has seen last of a log; nothing where it has none."""
    for log in client_of(witness).status().logs:
        if log.origin == origin:
            return log.note
    return ""
