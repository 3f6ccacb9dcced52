"""Refusals about keys, passphrases and sealed shoes."""

from __future__ import annotations

from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause


class BadKeys(Refusal):
    """A key ring that cannot be used."""

    remedy = "Put the key ring of this floor where the message says; never make another."


class BadPassphrase(Refusal):
    """A passphrase that is missing, wrong, or too short."""

    remedy = "Set PUNTOBANCO_PASSPHRASE_FILE, or type the passphrase of the key ring."


class VaultFault(Refusal):
    """An order that cannot be opened, or a reveal that is none; a journal keeps the cause."""

    remedy = "Give the program the key ring of this floor; else two people void the round."

    def __init__(self, cause: Cause) -> None:
        super().__init__(cause.words)
        self.cause = cause
