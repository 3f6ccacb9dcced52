"""Decisions of a witness: cosign a checkpoint, mix a shoe, or refuse with a reason."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta

from puntobanco_proof import mix
from puntobanco_proof.entry.format import (
    UNREADABLE,
    Fault,
    Header,
    canonical,
    hash_bytes,
    verify_part,
)
from puntobanco_proof.entry.record import fill_record
from puntobanco_proof.tree.checkpoints import (
    Checkpoint,
    Witnessed,
    cosign_checkpoint,
    open_checkpoint,
    read_checkpoint_note,
)
from puntobanco_proof.tree.faults import BadLogText, encode_base64
from puntobanco_proof.tree.leaves import build_leaf
from puntobanco_proof.tree.log_tree import EMPTY, is_consistent
from puntobanco_proof.tree.notes import ED25519, Signature, Verifier
from puntobanco_proof.tree.proofs import read_proof, verify_cosigned_proof
from puntobanco_proof.witness.identity import Identity
from puntobanco_proof.witness.memory import Memory, Seen, Shoe
from puntobanco_proof.witness.refusals import BadWitness, WitnessRefuses
from puntobanco_proof.witness.requests import AddCheckpoint, BadRequest, LogSeen, Mix, Status

_log = logging.getLogger("puntobanco.witness")

NOTHING_SEEN = Seen(0, EMPTY, "", 0)


class OtherSize(WitnessRefuses):
    """The request names another size than the witness cosigned last, which is `size`."""

    remedy = "Retry with a proof from that size; a log that is smaller has lost entries."

    def __init__(self, size: int) -> None:
        super().__init__(409, f"the witness cosigned size {size} last")
        self.size = size


class LogContradicts(WitnessRefuses):
    """A signed statement of a log that contradicts an earlier one; the witness keeps both."""

    remedy = "Keep the witness's database, which holds the evidence, and warn the users of the log."

    def __init__(self, status: int, reason: str, *, seen: str) -> None:
        super().__init__(status, reason)
        self.seen = seen


class _ShoeStarted(msgspec.Struct, frozen=True):
    """The fields of a `ShoeStarted` event that a witness checks; it ignores all others."""

    event: str
    shoe: int
    commitment: str = ""
    mix: Annotated[list[str], Meta(max_length=64)] = []
    mix_keys: Annotated[list[str], Meta(max_length=64)] = []


class Decider:
    """Decide on requests. `logs` are the keys of known logs; `now` returns seconds."""

    def __init__(
        self,
        identity: Identity,
        memory: Memory,
        logs: Iterable[Verifier],
        now: Callable[[], int],
    ) -> None:
        self.identity, self._memory, self._now = identity, memory, now
        self._logs = _group_by_origin(logs)

    # Checkpoints

    def cosign(self, request: AddCheckpoint) -> Signature:
        """Cosign a checkpoint that extends the last one, and remember it."""
        shown = self._open(request.note)
        at = self._now()
        try:
            self._memory.advance(
                shown.checkpoint.origin,
                lambda seen: _advance_log(seen, request, shown.checkpoint, at),
            )
        except LogContradicts as found:
            self._keep_evidence(shown.checkpoint.origin, found, request.note, at)
            raise
        return cosign_checkpoint(shown.checkpoint, self.identity.cosigner, time=at)

    def _open(self, note: str) -> Witnessed:
        """Verify that a known log has signed the checkpoint."""
        try:
            claimed = read_checkpoint_note(note)
        except BadLogText as refusal:
            raise WitnessRefuses(400, refusal.reason) from None
        logs = self._find_logs(claimed.origin)
        try:
            return open_checkpoint(note, logs)
        except BadLogText as refusal:
            raise WitnessRefuses(403, refusal.reason) from None

    def _find_logs(self, origin: str) -> tuple[Verifier, ...]:
        if origin not in self._logs:
            raise WitnessRefuses(
                404, "this witness does not cosign this log; ask its operator to add the log's key"
            )
        return self._logs[origin]

    def _keep_evidence(self, origin: str, found: LogContradicts, shown: str, at: int) -> None:
        _log.error(
            "refused: log %s contradicts an earlier statement, %s; keep this witness's database "
            "as evidence and warn the users of the log",
            origin,
            found.reason,
        )
        self._memory.keep_evidence(origin, found.reason, shown, found.seen, at)

    # Mixes

    def mix(self, request: Mix) -> bytes:
        """Sign the mix of a shoe; every request for the shoe gets the same signature."""
        header = self._verify_logged(request)
        self._verify_named(request)
        message = mix.build_message(
            request.origin, request.stream, request.shoe, request.commitment
        )
        shoe = Shoe(request.origin, request.stream, header.epoch, request.shoe)
        at = self._now()
        first = self._memory.commit_mix(shoe, request.commitment, at)
        if first.commitment != request.commitment:
            reason = f"shoe {request.shoe} was already mixed with commitment {first.commitment}"
            if first.epoch != header.epoch:
                # No evidence of fraud: a recovery may have lost the first mix. Still refuse. The
                # signed message names no epoch, so a house that invents epochs could otherwise
                # collect many signatures for one shoe and choose among them.
                raise WitnessRefuses(409, f"{reason}, in epoch {first.epoch}; start the next shoe")
            found = LogContradicts(409, reason, seen=first.commitment)
            self._keep_evidence(request.origin, found, msgspec.json.encode(request).decode(), at)
            raise found
        return self.identity.sign_mix(message)

    def _verify_logged(self, request: Mix) -> Header:
        """Verify that this witness cosigned the entry with the part, and return its header."""
        logs = self._find_logs(request.origin)
        raw = bytes(request.header)
        try:
            header = msgspec.json.decode(raw, type=Header)
            own = build_leaf(bytes.fromhex(request.salt), hash_bytes(raw))
            proof = read_proof(request.proof)
            shown = verify_cosigned_proof(own, proof, logs, self.identity.cosigner.verifier)
            verify_part(request.part, header)
        except UNREADABLE as error:
            raise BadRequest(f"the header is malformed: {error}") from None
        except (BadLogText, Fault) as refusal:
            raise WitnessRefuses(422, refusal.reason) from None
        _verify_canonical(raw)
        _verify_canonical(bytes(request.part.part))
        if header.stream != request.stream:
            raise WitnessRefuses(
                422, f"the entry belongs to {header.stream}, not to {request.stream}"
            )
        self._verify_remembered(shown.checkpoint)
        return header

    def _verify_remembered(self, checkpoint: Checkpoint) -> None:
        """Refuse if this witness cosigned a larger size than its database remembers."""
        seen = self._memory.load_seen(checkpoint.origin) or NOTHING_SEEN
        if checkpoint.size > seen.size:
            _log.error(
                "stopped: this witness cosigned size %s of %s but its database has only %s: it was "
                "rolled back; restore the newest backup, or retire the witness",
                checkpoint.size,
                checkpoint.origin,
                seen.size,
            )
            raise WitnessRefuses(
                503, "the database of this witness was rolled back; its operator must restore it"
            )

    def _verify_named(self, request: Mix) -> None:
        """Verify that the part starts this shoe with this commitment and names this witness."""
        try:
            started = msgspec.json.decode(bytes(request.part.part), type=_ShoeStarted)
        except UNREADABLE:
            raise WitnessRefuses(422, "the part is not a ShoeStarted event") from None
        asked = ("ShoeStarted", request.shoe, request.commitment)
        if (started.event, started.shoe, started.commitment) != asked:
            raise WitnessRefuses(422, "the part does not start this shoe with this commitment")
        if started.mix.count(self.identity.name) != 1:
            raise WitnessRefuses(403, "the shoe does not name this witness")
        if started.mix_keys:
            named = dict(zip(started.mix, started.mix_keys, strict=False))
            if named.get(self.identity.name) != encode_base64(self.identity.mix_key):
                raise WitnessRefuses(403, "the shoe names another mix key for this witness")

    # Status

    def status(self) -> Status:
        seen = self._memory.load_all_seen()
        known = {origin: seen.get(origin, NOTHING_SEEN) for origin in {*self._logs, *seen}}
        logs = [fill_record(LogSeen, last, origin=origin) for origin, last in sorted(known.items())]
        return Status(
            name=self.identity.name,
            vkey=self.identity.cosigner.verifier.text,
            mix_key=encode_base64(self.identity.mix_key),
            logs=logs,
            refused=self._memory.count_evidence(),
        )


def _advance_log(seen: Seen | None, request: AddCheckpoint, new: Checkpoint, at: int) -> Seen:
    """Return the checkpoint to remember after `seen`, or refuse an inconsistent one."""
    last = seen or NOTHING_SEEN
    if request.old > new.size:
        raise WitnessRefuses(400, "the old size is larger than the size of the checkpoint")
    if request.old != last.size:
        raise OtherSize(last.size)
    if new.size == last.size and new.root != last.root:
        reason = f"the log signed two different checkpoints of size {new.size}"
        raise LogContradicts(409, reason, seen=last.note)
    if not is_consistent(last.size, last.root, new.size, new.root, request.hashes):
        # no evidence: anyone with the checkpoint can send it with a wrong proof
        _log.warning(
            "refused: wrong proof from size %s to %s of %s", last.size, new.size, new.origin
        )
        reason = f"the proof from size {last.size} to {new.size} is wrong"
        raise WitnessRefuses(422, reason)
    return Seen(new.size, new.root, request.note, at)


def _verify_canonical(raw: bytes) -> None:
    """Refuse other encodings: programs could read a duplicate field differently."""
    if canonical(msgspec.json.decode(raw)) != raw:
        raise BadRequest("the header or the part is not canonical JSON")


def _group_by_origin(logs: Iterable[Verifier]) -> Mapping[str, tuple[Verifier, ...]]:
    """Group keys by log name; a log that rotates its key has two for a while."""
    found = dict[str, tuple[Verifier, ...]]()
    for log in logs:
        if log.type != ED25519:
            raise BadWitness(
                f"the key of {log.name} belongs to a witness; --log needs the key of a log"
            )
        found[log.name] = (*found.get(log.name, ()), log)
    return found
