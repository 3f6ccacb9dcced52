"""Second factors: one-time codes by time (TOTP, RFC 6238), from an app on the person's telephone.

The secret is derived from a key of the ring and a random text. The journal has the text alone, so
that who reads it can make no code.
"""

from __future__ import annotations

import hmac
import secrets
from base64 import b32encode
from collections.abc import Iterable
from urllib.parse import quote

from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from puntobanco_floor.journal.key_ring import KeyRing

STEP_S = 30
DIGITS = 6
SECRET_BYTES = 20
DRIFT_STEPS = 1
"""How many steps a telephone's clock may be off, either way."""


class Factors:
    def __init__(self, ring: KeyRing) -> None:
        self._ring = ring

    def new(self) -> str:
        """What the journal knows of a new one: the key's id and a random text."""
        newest = self._ring.of("passwords")[-1]
        return f"{newest.id}${secrets.token_hex(16)}"

    def uri(self, name: str, factor: str, house: str) -> str:
        """What an app reads from a QR code: otpauth://totp/..."""
        label = quote(f"{house}:{name}")
        query = f"secret={self.secret_text(name, factor)}&issuer={quote(house)}"
        return f"otpauth://totp/{label}?{query}"

    def secret_text(self, name: str, factor: str) -> str:
        """For who types it into the app."""
        return b32encode(self._secret(name, factor) or b"").decode()

    def step(self, name: str, factor: str, code: str, now_s: float) -> int | None:
        """The time step of which this is the code; none where it is wrong, or of another time."""
        secret = self._secret(name, factor)
        if secret is None:
            return None
        given = code.replace(" ", "").encode()
        found = None
        # every step is compared, so that the time it takes tells nothing
        for step in steps_at(now_s):
            if hmac.compare_digest(code_of(secret, step), given):
                found = step
        return found

    def _secret(self, name: str, factor: str) -> bytes | None:
        id_, _, text = factor.partition("$")
        known = {key.id: key for key in self._ring.of("passwords")}
        if id_ not in known:
            # another node may have made it a moment ago, with a key that is new
            self._ring.look()
            known = {key.id: key for key in self._ring.of("passwords")}
        if id_ not in known:
            return None
        whose = f"second factor of {name}: {text}"
        return hmac.digest(known[id_].key, whose.encode(), "sha256")[:SECRET_BYTES]


def steps_at(now_s: float) -> Iterable[int]:
    now = int(now_s // STEP_S)
    return range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1)


def code_of(secret: bytes, step: int) -> bytes:
    # SHA-1, since most apps know no other; as a MAC it is sound
    return TOTP(secret, DIGITS, SHA1(), STEP_S).generate(step * STEP_S)
