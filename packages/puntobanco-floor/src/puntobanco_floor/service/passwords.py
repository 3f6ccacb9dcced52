"""Secrets of the staff: passwords, the queues in which they are hashed, and one-time codes."""

from __future__ import annotations

import hmac
import re
import secrets
from base64 import b32encode, b64encode
from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from urllib.parse import quote

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from argon2.low_level import ARGON2_VERSION
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP

from puntobanco_floor.journal.key_files import Key
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.refusals import NoVerifier
from puntobanco_floor.service.work_queue import WorkQueue

MOST_KNOWN = 1_000
"""Addresses where staff logged in at this node since its start; the oldest use goes first."""

STEP_S = 30
DIGITS = 6
SECRET_BYTES = 20
DRIFT_STEPS = 1
"""How many steps a telephone's clock may be off, either way."""

_VERIFIER = re.compile(
    r"([0-9a-f]{8,64})?\$argon2id\$v=19\$m=[0-9]{1,8},t=[0-9]{1,3},p=[0-9]{1,3}"
    r"(\$[A-Za-z0-9+/]{8,128}){2}"
)


def verify_is_verifier(text: object) -> None:
    """Refused when it is set: nobody could log in with it."""
    if isinstance(text, str) and not _VERIFIER.fullmatch(text):
        raise NoVerifier("a verifier is made of a password by this program; give a new password")


class HashQueues:
    """One hash at a time on a node: a queue for strangers, and one for staff who are logged in or
    whose address is one where staff logged in.

    A hash is made to be slow. One thread makes them, and the two queues take turns: however many
    strangers wait, a member of the staff waits for one of their hashes at most before each of the
    staff's. Strangers have half a core at most, since their queue rests.
    """

    def __init__(self) -> None:
        thread = ThreadPoolExecutor(1, "hashing")
        self._strangers = WorkQueue(thread)
        self.of_staff = WorkQueue(thread, rest=0)
        self._known = OrderedDict[str, None]()

    def know(self, address: str) -> None:
        """Note that a member of the staff has logged in there."""
        if not address:  # as of a socket in a folder: that could be anybody
            return
        self._known[address] = None
        self._known.move_to_end(address)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)

    def at(self, address: str) -> WorkQueue:
        return self.of_staff if address in self._known else self._strangers


class Passwords:
    """Verifiers, `KEYID$argon2id$...`: Argon2 over a password and that key of the ring."""

    def __init__(self, ring: KeyRing, hasher: PasswordHasher) -> None:
        """The hasher says what a password costs to verify."""
        self._ring = ring
        self._hasher = hasher
        self._nobody = _of_nobody(hasher)
        self.factors = Factors(ring)
        self.queues = HashQueues()

    def verifier(self, password: str) -> str:
        newest = self._ring.of("passwords")[-1]
        return newest.id + self._hasher.hash(_peppered(newest, password))

    def holds(self, verifier: str | None, password: str) -> bool:
        """As slow for a name that nobody has."""
        id_, _, hash_ = (verifier or self._nobody).partition("$")
        known = _find_keys(self._ring, id_)
        oldest = next(iter(known.values()))  # for a verifier from before keys were named
        pepper = known.get(id_, oldest)
        try:
            self._hasher.verify(f"${hash_}", _peppered(pepper, password))
        except (VerificationError, InvalidHashError):  # one that was set before it was checked
            return False
        return verifier is not None

    async def verifier_soon(self, person: str, password: str) -> str:
        """Hash in turn with all others, as `holds_soon`: wagers are answered meanwhile."""
        return await self.queues.of_staff.run(person, partial(self.verifier, password))

    async def holds_soon(self, person: str, verifier: str, password: str) -> bool:
        """Of somebody who is logged in."""
        make = partial(self.holds, verifier, password)
        return await self.queues.of_staff.run(person, make)

    async def holds_from(self, address: str, verifier: str | None, password: str) -> bool:
        """Of whoever says a name at an address."""
        make = partial(self.holds, verifier, password)
        return await self.queues.at(address).run(address, make)


def _find_keys(ring: KeyRing, wanted: str) -> dict[str, Key]:
    """Return the keys by id, oldest first; look for new ones if `wanted` is missing."""
    known = {key.id: key for key in ring.of("passwords")}
    if wanted and wanted not in known:
        ring.look()
        known = {key.id: key for key in ring.of("passwords")}
    return known


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


@dataclass(frozen=True)
class Factors:
    """Second factors: one-time codes by time (TOTP, RFC 6238), from an app on a telephone.

    The secret is derived from a key of the ring and a random text. The journal has the text alone,
    so that nobody makes a code from the journal.
    """

    ring: KeyRing

    def new(self) -> str:
        """What the journal knows of a new one: the key's id and a random text."""
        newest = self.ring.of("passwords")[-1]
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
        key = _find_keys(self.ring, id_).get(id_)
        if key is None:
            return None
        whose = f"second factor of {name}: {text}"
        return hmac.digest(key.key, whose.encode(), "sha256")[:SECRET_BYTES]


def steps_at(now_s: float) -> Iterable[int]:
    now = int(now_s // STEP_S)
    return range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1)


def code_of(secret: bytes, step: int) -> bytes:
    # SHA-1, since most apps know no other; as a MAC it is sound
    return TOTP(secret, DIGITS, SHA1(), STEP_S).generate(step * STEP_S)
