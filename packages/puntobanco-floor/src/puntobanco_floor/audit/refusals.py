"""Refusals to those who look at the past."""

from __future__ import annotations

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class NoSuchRound(Refusal):
    """A round that was not played, or is not over."""

    in_short = Words("No such round", "沒有此局")
    remedy = "Take a round that was played at this table and is over."


class NotTold(Refusal):
    """A round of a journal whose chain is broken."""

    remedy = "Run `puntobanco audit` on this stream; its entries do not hold."


class NoSuchRecord(Refusal):
    """A stream or an entry that the journal does not have."""

    remedy = "Take a stream and an entry that the audit page lists."
