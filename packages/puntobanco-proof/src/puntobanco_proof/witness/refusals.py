"""Refusals by a witness, and of those who ask one."""

from __future__ import annotations

from puntobanco.base.refusal import Refusal


class WitnessUnreachable(Refusal):
    """A witness that does not answer, or not as a witness does."""

    remedy = "Look at the witness's address in the policy, at the network, and at the witness."


class WitnessRefused(Refusal):
    """A witness that answered, and did not sign; `status` is HTTP's."""

    remedy = "Read the witness's reason: it may have seen another history of this log."

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class WitnessHasOtherSize(WitnessRefused):
    """A witness whose last checkpoint of the log has another size than the asker thought."""

    remedy = "Ask with a proof from that size; where the log is smaller, entries of it are lost."

    def __init__(self, size: int, reason: str) -> None:
        super().__init__(409, reason)
        self.size = size


class BadWitness(Refusal):
    """A folder that holds no witness, or not all of one."""

    remedy = "Run `puntobanco witness init`, or bring the folder back from its backup."


class WitnessRefuses(Refusal):
    """What a witness does not sign; `status` is what HTTP calls it."""

    remedy = "Read the reason: the log is behind, unknown to the witness, or contradicts itself."

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
