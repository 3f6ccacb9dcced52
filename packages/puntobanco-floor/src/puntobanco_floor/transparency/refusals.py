"""Refusals about the transparency log and its witnesses."""

from __future__ import annotations

from puntobanco.base.refusal import Refusal


class Unwitnessed(Refusal):
    """A floor that names witnesses, and reaches none of them."""

    remedy = "Start a witness, or let two people open the floor without: `serve --unwitnessed`."


class NotNamed(Refusal):
    """A witness that the shoe names and this node's policy does not."""

    remedy = "Give every node of the floor the same witness_policy."


class Away(Refusal):
    """A witness that gave no answer, or none that can be used."""

    remedy = "See whether the witness runs, and whether this node reaches its address."


class Disagrees(Refusal):
    """A witness that has seen more of the log, or something else."""

    remedy = "Keep database, publication folder and the witness's answer as evidence."


class Seen(Refusal):
    """A witness has seen another size than the proof was made from."""

    remedy = "The log is shown again, with a proof from that size."

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(f"the witness has seen {size} leaves")
