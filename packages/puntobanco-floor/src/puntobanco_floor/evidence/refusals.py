"""Refusals about receipts and dispute packs."""

from __future__ import annotations

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words


class NotInDispute(Refusal):
    """A session that has no wager in the round."""

    remedy = "Name a session that had a wager in this round."


class NoPack(Refusal):
    """A folder that a pack cannot be put into."""

    remedy = "Name a folder that is not there yet, or the folder of a pack."


class NoReceipt(Refusal):
    """Nothing that a receipt could show."""

    in_short = Words("No receipt", "沒有收據")
    remedy = "Ask for a wager, round, voucher, session or shoe of this table that is yours."


class NoSuchLink(Refusal):
    """A link that nobody made, or that has ended."""

    in_short = Words("No such receipt", "沒有此收據")
    remedy = "Ask for the receipt again at the terminal; a file that was saved stays good."
