"""The vault: virtual shoes, shuffled by the operating system's generator, committed to by hash,
encrypted at rest.

It knows cards and keys, and nothing of wagers: no bet can reach the order of a shoe. Every swap of
the shuffle draws fresh randomness, since no seed of 64 or 256 bits could reach the 2^2229 orders of
eight decks.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import TYPE_CHECKING

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from puntobanco.rules.cards import parse_card
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_proof.entry.record import Record
from puntobanco_proof.mix import shuffle

if TYPE_CHECKING:
    from puntobanco_floor.journal.key_ring import KeyRing

NONCE_BYTES = 32
_GCM_NONCE_BYTES = 12


class Sealed(Record):
    """An order as it lies in the database: unreadable without the key ring."""

    key: str
    nonce: bytes
    data: bytes


def new_order(cards: Sequence[int], *, take: int | None = None) -> Order:
    return Order(cards=shuffle(cards, take=take), nonce=secrets.token_bytes(NONCE_BYTES))


def revealed(text: str, nonce: str) -> Order:
    """The order that a reveal in the journal names.

    The nonce has one length: with another, a card could pass for a part of it, and one hash stand
    for two orders.
    """
    try:
        raw = bytes.fromhex(nonce)
    except ValueError:
        raise VaultFault(Cause("nonce-not-hexadecimal")) from None
    if len(raw) != NONCE_BYTES:
        raise VaultFault(Cause("nonce-of-wrong-length", (len(raw), NONCE_BYTES)))
    cards = bytes(map(parse_card, text.split()))
    return Order(cards=cards, nonce=raw)


def seal(order: Order, ring: KeyRing, *, place: str) -> Sealed:
    """`place` names the shoe: a sealed order that is moved to another place does not open."""
    key_id, key = ring.sealer
    nonce = secrets.token_bytes(_GCM_NONCE_BYTES)
    data = AESGCM(key).encrypt(nonce, order.nonce + order.cards, place.encode())
    return Sealed(key=key_id, nonce=nonce, data=data)


def unseal(sealed: Sealed, ring: KeyRing, *, place: str) -> Order:
    key = ring.sealing.get(sealed.key)
    if key is None:
        raise VaultFault(Cause("sealing-key-not-held", (place, sealed.key)))
    try:
        plain = AESGCM(key).decrypt(sealed.nonce, sealed.data, place.encode())
    except (InvalidTag, ValueError):
        raise VaultFault(Cause("sealed-cards-changed", (place,))) from None
    return Order(cards=plain[NONCE_BYTES:], nonce=plain[:NONCE_BYTES])
