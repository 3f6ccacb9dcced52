"""What a witness signs, and why not: checkpoints that only grow, mixes of committed shoes."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from puntobanco_proof import mix
from puntobanco_proof.entry.format import UNREADABLE, Fault, Header, canonical, hash_of, verify_part
from puntobanco_proof.entry.record import fill_record
from puntobanco_proof.tree.checkpoints import (
    Checkpoint,
    Witnessed,
    checkpoint_in,
    cosigned,
    open_checkpoint,
)
from puntobanco_proof.tree.faults import BadLogText, to_base64
from puntobanco_proof.tree.leaves import leaf
from puntobanco_proof.tree.log_tree import EMPTY, is_consistent
from puntobanco_proof.tree.notes import ED25519, Signature, Verifier
from puntobanco_proof.tree.proofs import read_proof, verify_under
from puntobanco_proof.witness.identity import Identity
from puntobanco_proof.witness.memory import Memory, Seen, Shoe
from puntobanco_proof.witness.refusals import BadWitness, WitnessRefuses
from puntobanco_proof.witness.requests import AddCheckpoint, BadRequest, LogSeen, Mix, Status

_log = logging.getLogger("puntobanco.witness")

NOTHING_SEEN = Seen(0, EMPTY, "", 0)


class OtherSize(WitnessRefuses):
    """The log thinks that the witness has cosigned another size; `size` is the one that it has."""

    remedy = "Ask again with a proof from that size; a log that is smaller has lost entries."

    def __init__(self, size: int) -> None:
        super().__init__(409, f"the last checkpoint that was cosigned is of size {size}")
        self.size = size


class LogContradicts(WitnessRefuses):
    """What a log signed and what does not follow from what was seen of it; both are kept."""

    remedy = "Keep the witness's database: it holds the evidence; tell who relies on the log."

    def __init__(self, status: int, reason: str, *, seen: str) -> None:
        super().__init__(status, reason)
        self.seen = seen


class _ShoeStarted(msgspec.Struct, frozen=True):
    """Of the event what a witness looks at; other fields, also those of newer programs, may be."""

    event: str
    shoe: int
    commitment: str = ""
    mix: Annotated[list[str], Meta(max_length=64)] = []
    mix_keys: Annotated[list[str], Meta(max_length=64)] = []


class Decider:
    """`logs` are the keys of the logs that it cosigns; `now` is a time in seconds."""

    def __init__(
        self,
        identity: Identity,
        memory: Memory,
        logs: Iterable[Verifier],
        now: Callable[[], int],
    ) -> None:
        self.identity, self._memory, self._now = identity, memory, now
        self._logs = _by_origin(logs)

    # Checkpoints

    def cosign(self, request: AddCheckpoint) -> Signature:
        shown = self._open(request.note)
        at = self._now()
        try:
            self._memory.advance(
                shown.checkpoint.origin, lambda seen: _next(seen, request, shown.checkpoint, at)
            )
        except LogContradicts as found:
            self._keep(shown.checkpoint.origin, found, request.note, at)
            raise
        return cosigned(shown.checkpoint, self.identity.cosigner, time=at)

    def _open(self, note: str) -> Witnessed:
        """That a log which is known here has signed it."""
        try:
            claimed = checkpoint_in(note)
        except BadLogText as refusal:
            raise WitnessRefuses(400, refusal.reason) from None
        logs = self._logs_of(claimed.origin)
        try:
            return open_checkpoint(note, logs)
        except BadLogText as refusal:
            raise WitnessRefuses(403, refusal.reason) from None

    def _logs_of(self, origin: str) -> tuple[Verifier, ...]:
        if origin not in self._logs:
            raise WitnessRefuses(404, "this witness does not know the log")
        return self._logs[origin]

    def _keep(self, origin: str, found: LogContradicts, shown: str, at: int) -> None:
        _log.error(
            "refused: log %s contradicts what was seen, %s; keep this witness's database as "
            "evidence and tell who relies on the log",
            origin,
            found.reason,
        )
        self._memory.keep_evidence(origin, found.reason, shown, found.seen, at)

    # Mixes

    def mix(self, request: Mix) -> bytes:
        """The signature that mixes a shoe; the same one whenever it is asked for."""
        header = self._committed(request)
        self._verify_named(request)
        message = mix.message(request.origin, request.stream, request.shoe, request.commitment)
        shoe = Shoe(request.origin, request.stream, header.epoch, request.shoe)
        at = self._now()
        first = self._memory.commit_mix(shoe, request.commitment, at)
        if first.commitment != request.commitment:
            reason = f"shoe {request.shoe} was mixed as {first.commitment}"
            if first.epoch != header.epoch:
                # no evidence: a recovery may have lost it. What is signed names no epoch, so that
                # whoever makes epochs up could have many answers for one shoe, and choose
                raise WitnessRefuses(409, f"{reason}, in epoch {first.epoch}; start the next shoe")
            found = LogContradicts(409, reason, seen=first.commitment)
            self._keep(request.origin, found, msgspec.json.encode(request).decode(), at)
            raise found
        return self.identity.sign_mix(message)

    def _committed(self, request: Mix) -> Header:
        """Return the header of an entry that this witness cosigned and that holds the part."""
        logs = self._logs_of(request.origin)
        raw = bytes(request.header)
        try:
            header = msgspec.json.decode(raw, type=Header)
            own = leaf(bytes.fromhex(request.salt), hash_of(raw))
            proof = read_proof(request.proof)
            shown = verify_under(own, proof, logs, self.identity.cosigner.verifier)
            verify_part(request.part, header)
        except UNREADABLE as error:
            raise BadRequest(f"the header cannot be read: {error}") from None
        except (BadLogText, Fault) as refusal:
            raise WitnessRefuses(422, refusal.reason) from None
        _verify_canonical(raw)
        _verify_canonical(bytes(request.part.part))
        if header.stream != request.stream:
            raise WitnessRefuses(422, f"the entry is one of {header.stream}")
        self._verify_remembered(shown.checkpoint)
        return header

    def _verify_remembered(self, checkpoint: Checkpoint) -> None:
        """Its own cosignature is of no larger size than it remembers, or it has forgotten."""
        seen = self._memory.seen(checkpoint.origin) or NOTHING_SEEN
        if checkpoint.size > seen.size:
            _log.error(
                "stopped: this witness has cosigned size %s of %s and remembers %s only: its "
                "database was rolled back; bring the newest back, or retire the witness",
                checkpoint.size,
                checkpoint.origin,
                seen.size,
            )
            raise WitnessRefuses(503, "this witness has forgotten what it cosigned")

    def _verify_named(self, request: Mix) -> None:
        """That the part starts this shoe, with this commitment, and names this witness."""
        try:
            started = msgspec.json.decode(bytes(request.part.part), type=_ShoeStarted)
        except UNREADABLE:
            raise WitnessRefuses(422, "the part of the entry starts no shoe") from None
        asked = ("ShoeStarted", request.shoe, request.commitment)
        if (started.event, started.shoe, started.commitment) != asked:
            raise WitnessRefuses(422, "the part of the entry starts no such shoe")
        if started.mix.count(self.identity.name) != 1:
            raise WitnessRefuses(403, "the shoe does not name this witness")
        if started.mix_keys:
            named = dict(zip(started.mix, started.mix_keys, strict=False))
            if named.get(self.identity.name) != to_base64(self.identity.mix_key):
                raise WitnessRefuses(403, "the shoe names another key of this witness")

    # What it says of itself

    def status(self) -> Status:
        seen = self._memory.all_seen()
        known = {origin: seen.get(origin, NOTHING_SEEN) for origin in {*self._logs, *seen}}
        logs = [fill_record(LogSeen, last, origin=origin) for origin, last in sorted(known.items())]
        return Status(
            name=self.identity.name,
            vkey=self.identity.cosigner.verifier.text,
            mix_key=to_base64(self.identity.mix_key),
            logs=logs,
            refused=self._memory.refused(),
        )


def _next(seen: Seen | None, request: AddCheckpoint, new: Checkpoint, at: int) -> Seen:
    """What is cosigned now, after what was cosigned last."""
    last = seen or NOTHING_SEEN
    if request.old > new.size:
        raise WitnessRefuses(400, "the old size is larger than the checkpoint's")
    if request.old != last.size:
        raise OtherSize(last.size)
    if new.size == last.size and new.root != last.root:
        reason = f"there are two checkpoints of size {new.size}"
        raise LogContradicts(409, reason, seen=last.note)
    if not is_consistent(last.size, last.root, new.size, new.root, request.hashes):
        # no evidence: whoever has the checkpoint can send it with a proof of his own making
        _log.warning("refused: no proof from size %s to %s of %s", last.size, new.size, new.origin)
        reason = f"the proof from size {last.size} to {new.size} does not hold"
        raise WitnessRefuses(422, reason)
    return Seen(new.size, new.root, request.note, at)


def _verify_canonical(raw: bytes) -> None:
    """One way to write it: with a field twice, two programs could read two things."""
    if canonical(msgspec.json.decode(raw)) != raw:
        raise BadRequest("header or part are not written in canonical bytes")


def _by_origin(logs: Iterable[Verifier]) -> Mapping[str, tuple[Verifier, ...]]:
    """A log that changes its key has two for a while."""
    found = dict[str, tuple[Verifier, ...]]()
    for log in logs:
        if log.type != ED25519:
            raise BadWitness(f"the key of {log.name} is no log's, but a witness's")
        found[log.name] = (*found.get(log.name, ()), log)
    return found
