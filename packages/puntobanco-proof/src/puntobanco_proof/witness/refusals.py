"""Refusals by a witness, and errors of its clients."""

from __future__ import annotations

from puntobanco.base.refusal import Refusal


class WitnessUnreachable(Refusal):
    """A witness that does not answer, or gives an invalid answer."""

    remedy = "Check the witness's address in the policy, the network and the witness itself."


class WitnessRefused(Refusal):
    """A witness that answered but did not sign; `status` is the HTTP status."""

    remedy = "Read the witness's reason: it may have seen another history of this log."

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class WitnessHasOtherSize(WitnessRefused):
    """A witness whose last checkpoint of the log has another size than the client expected."""

    remedy = "Retry with a proof from that size; a log that is smaller has lost entries."

    def __init__(self, size: int, reason: str) -> None:
        super().__init__(409, reason)
        self.size = size


class BadWitness(Refusal):
    """A folder without a complete witness."""

    remedy = "Run `puntobanco witness init`, or restore the folder from its backup."


class WitnessRefuses(Refusal):
    """A request that a witness does not sign; `status` is the HTTP status."""

    remedy = "Read the reason: the log is behind, unknown to the witness, or contradicts itself."

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
