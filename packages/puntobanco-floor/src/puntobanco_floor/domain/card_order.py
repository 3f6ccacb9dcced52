"""The order of the cards of a virtual shoe, while it is open to the program."""

from __future__ import annotations

import hashlib

from puntobanco.rules.cards import code
from puntobanco_proof.entry.record import Record

_DOMAIN = b"puntobanco shoe 1\0"


class Order(Record):
    """The cards of a shoe, first to last, and a nonce, lest its commitment be guessed."""

    cards: bytes
    nonce: bytes
    mixed: bytes = b""  # as they are dealt, where witnesses have mixed the shoe

    def __repr__(self) -> str:
        return f"Order({len(self.cards)} cards)"  # never in a log

    @property
    def commitment(self) -> str:
        return commitment(self.cards, self.nonce)

    @property
    def dealt(self) -> bytes:
        """In the order in which they are dealt; `cards` stays as it was committed to."""
        return self.mixed or self.cards

    @property
    def text(self) -> str:
        return " ".join(code(card) for card in self.cards)


def commitment(cards: bytes, nonce: bytes) -> str:
    """Hash a fixed text, the nonce and the cards, one byte each, with SHA-256."""
    return hashlib.sha256(_DOMAIN + nonce + cards).hexdigest()
