"""Password hashing: Argon2 over the password and a pepper from the key ring."""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import b64encode
from functools import partial

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION

from puntobanco_floor.journal.key_files import Key
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.hash_queues import HashQueues
from puntobanco_floor.service.refusals import NoVerifier
from puntobanco_floor.service.totp import Factors

_VERIFIER = re.compile(
    r"([0-9a-f]{8,64})?\$argon2id\$v=19\$m=[0-9]{1,8},t=[0-9]{1,3},p=[0-9]{1,3}"
    r"(\$[A-Za-z0-9+/]{8,128}){2}"
)


def verify_is_verifier(text: object) -> None:
    """Refused when it is set: nobody could log in with it."""
    if isinstance(text, str) and not _VERIFIER.fullmatch(text):
        raise NoVerifier("a verifier is made of a password by this program; give a new password")


class Passwords:
    """Argon2 over the password and a key of the ring: whoever reads the journal alone cannot even
    try passwords. A verifier begins with the id of that key: `1f2e3d4c$argon2id$...`.
    """

    def __init__(self, ring: KeyRing, hasher: PasswordHasher) -> None:
        """The hasher says what a password costs to verify."""
        self._ring = ring
        self._hasher = hasher
        self._nobody = _of_nobody(hasher)
        self.factors = Factors(ring)
        self._queues = HashQueues()

    def verifier(self, password: str) -> str:
        newest = self._ring.of("passwords")[-1]
        return newest.id + self._hasher.hash(_peppered(newest, password))

    def holds(self, verifier: str | None, password: str) -> bool:
        """As slow for a name that nobody has."""
        id_, _, hash_ = (verifier or self._nobody).partition("$")
        pepper = self._pepper(id_)
        try:
            self._hasher.verify(f"${hash_}", _peppered(pepper, password))
        except (VerificationError, InvalidHashError):  # one that was set before it was checked
            return False
        return verifier is not None

    async def verifier_soon(self, person: str, password: str) -> str:
        """In turn with all others, as `holds_soon`: where wagers are answered meanwhile."""
        return await self._queues.of_staff.run(person, partial(self.verifier, password))

    async def holds_soon(self, person: str, verifier: str, password: str) -> bool:
        """Of somebody who is logged in."""
        make = partial(self.holds, verifier, password)
        return await self._queues.of_staff.run(person, make)

    async def holds_from(self, address: str, verifier: str | None, password: str) -> bool:
        """Of whoever says a name at an address."""
        make = partial(self.holds, verifier, password)
        return await self._queues.at(address).run(address, make)

    def know(self, address: str) -> None:
        """Somebody of the staff has logged in there: it does not wait behind strangers."""
        self._queues.know(address)

    def _pepper(self, id_: str) -> Key:
        """The key of this id; the oldest for a verifier from before keys were named."""
        known = {key.id: key for key in self._ring.of("passwords")}
        if id_ and id_ not in known:
            # another node may have made the verifier a moment ago, with a key that is new
            self._ring.look()
            known = {key.id: key for key in self._ring.of("passwords")}
        oldest = next(iter(known.values()))
        return known.get(id_, oldest)


def _peppered(pepper: Key, password: str) -> str:
    return hmac.digest(pepper.key, password.encode(), "sha256").hex()


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
