"""Links to receipts: a sealed token that says what the receipt is of, and ends.

Nothing is stored: whoever has the token has the receipt, until its day; who has not cannot guess or
read one. It redeems nothing.
"""

from __future__ import annotations

import base64
import secrets

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from puntobanco.base.words import Words
from puntobanco_floor.evidence.refusals import NoSuchLink
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_proof.receipt_format import Kind

LIVES_MS = 30 * 86_400_000
"""A link is good for thirty days; the file is good for ever."""

MOST_CHARACTERS = 400
_NONCE_BYTES = 12
_PURPOSE = b"puntobanco receipt link 1"


ENDED = Words(
    "this link is no receipt of this house, or it has ended", "此連結並非本場收據，或已過期"
)


class Link(msgspec.Struct, frozen=True, array_like=True):
    """What the receipt is of, and between which entries of the table it is found."""

    kind: Kind
    table: str
    number: int  # of the round or the shoe
    session: str
    bet: str
    first: int
    last: int
    ends: int


_read = msgspec.msgpack.Decoder(Link).decode


def seal_link(ring: KeyRing, link: Link) -> str:
    key = ring.of("receipts")[-1]
    nonce = secrets.token_bytes(_NONCE_BYTES)
    data = AESGCM(key.key).encrypt(nonce, msgspec.msgpack.encode(link), _PURPOSE)
    return _text(nonce + data)


def _text(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def open_link(ring: KeyRing, token: str, now: int) -> Link:
    link = _decrypt(ring, token)
    if link is None or link.ends <= now:
        raise NoSuchLink(ENDED)
    return link


def _decrypt(ring: KeyRing, token: str) -> Link | None:
    if len(token) > MOST_CHARACTERS or not token.isascii():
        return None
    try:
        raw = base64.b64decode(token + "=" * (-len(token) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return None
    if _text(raw) != token:  # there is one way to write it
        return None
    for key in ring.of("receipts"):
        if key.replaced_at:
            continue
        try:
            plain = AESGCM(key.key).decrypt(raw[:_NONCE_BYTES], raw[_NONCE_BYTES:], _PURPOSE)
            return _read(plain)
        except (InvalidTag, ValueError, msgspec.MsgspecError):
            continue
    return None
