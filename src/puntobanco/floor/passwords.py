"""Password hashing: Argon2 over the password and a pepper from the key ring."""

from __future__ import annotations

import hmac
import secrets
from base64 import b64encode

from argon2 import PasswordHasher
from argon2.exceptions import VerificationError
from argon2.low_level import ARGON2_VERSION

from puntobanco.keys import KeyRing
from puntobanco.rules.refusals import Refusal


class LoginRefused(Refusal):
    """A name and password that do not go together, or a login that is locked."""


class Passwords:
    """Argon2 over the password and a key of the ring: whoever reads the journal alone cannot even
    try passwords.
    """

    def __init__(self, ring: KeyRing, hasher: PasswordHasher) -> None:
        """The hasher says what a password costs to verify."""
        self._pepper = ring.derived("staff passwords")
        self._hasher = hasher
        self._nobody = _of_nobody(hasher)

    def verifier(self, password: str) -> str:
        return self._hasher.hash(self._peppered(password))

    def holds(self, verifier: str | None, password: str) -> bool:
        """As slow for a name that nobody has."""
        try:
            self._hasher.verify(verifier or self._nobody, self._peppered(password))
        except VerificationError:
            return False
        return verifier is not None

    def _peppered(self, password: str) -> str:
        return hmac.new(self._pepper, password.encode(), "sha256").hexdigest()


def _of_nobody(hasher: PasswordHasher) -> str:
    """A verifier of no password, at the cost of any other."""
    salt, hash_ = (
        b64encode(secrets.token_bytes(size)).decode().rstrip("=")
        for size in (hasher.salt_len, hasher.hash_len)
    )
    cost = f"m={hasher.memory_cost},t={hasher.time_cost},p={hasher.parallelism}"
    return f"$argon2id$v={ARGON2_VERSION}${cost}${salt}${hash_}"


def new_password() -> str:
    return secrets.token_urlsafe(9)
