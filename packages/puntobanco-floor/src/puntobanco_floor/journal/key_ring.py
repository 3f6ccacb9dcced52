"""The key ring: keys by purpose, in a file outside the database.

The newest key of a purpose makes; the older ones still read what they made. A program that runs
sees a file that was changed, so that keys are rotated without a restart.
"""

from __future__ import annotations

import hmac
import logging
import secrets
import time
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from msgspec import json
from msgspec.structs import replace

from puntobanco.base.refusal import Refusal
from puntobanco_floor.journal.key_files import (
    KEY_BYTES,
    PURPOSES,
    Key,
    Keys,
    PublicFile,
    PublicKey,
    Purpose,
    locked,
    passphrase_for,
    passphrase_in_environment,
    put_where_none_is,
    read_file,
    read_keys,
    stamp_of,
    write_keys,
)

ROTATED: tuple[Purpose, ...] = tuple(purpose for purpose in PURPOSES if purpose != "log")
"""What is rotated where nobody says what: witnesses and patrons know the log by its key."""

LOOK_S = 1.0
"""How long a program may make something with a key that another has just replaced."""

REPLACED_MS = 3_600_000
"""How long a root key that was replaced still certifies: a new ring is on every machine within the
hour, and what a node wrote until then stands.
"""

_log = logging.getLogger("puntobanco.keys")


class Roots(NamedTuple):
    """The floor's root keys by id, and those of them that certify nobody any more."""

    keys: dict[str, Ed25519PublicKey]
    replaced: frozenset[str]


@dataclass
class KeyRing:
    """Keys by purpose, oldest first."""

    keys: Keys = field(repr=False)
    passphrase: str = field(default="", repr=False, compare=False)  # its file is protected by it
    _path: Path | None = field(default=None, repr=False, compare=False)
    _stamp: tuple[int, ...] = field(default=(), repr=False, compare=False)
    _looked: float = field(default=0.0, repr=False, compare=False)

    @classmethod
    def fresh(cls) -> KeyRing:
        ring = cls({})
        ring.rotate()
        return ring

    def rotate(self, purposes: Collection[Purpose] = PURPOSES) -> None:
        """A new key of each purpose. The one before stays good, and those before that are replaced:
        what lives for a short time only, such as a ticket, is refused if one of them made it.
        """
        now = int(time.time() * 1000)
        changed = Keys()
        for purpose in purposes:
            before = self.keys.get(purpose, ())
            replaced = [replace(key, replaced_at=key.replaced_at or now) for key in before[:-1]]
            changed[purpose] = (*replaced, *before[-1:], _new_key(now))
        self.keys = self.keys | changed

    # Keys of a purpose

    def of(self, purpose: Purpose) -> tuple[Key, ...]:
        """All keys of a purpose, oldest first, as the file had them a second ago at most."""
        if time.monotonic() - self._looked > LOOK_S:
            self.look()
        return self.keys[purpose]

    @property
    def signing(self) -> dict[str, bytes]:
        return _by_id(self.of("signing"))

    @property
    def sealing(self) -> dict[str, bytes]:
        return _by_id(self.of("sealing"))

    @property
    def signer(self) -> tuple[str, Ed25519PrivateKey]:
        newest = self.of("signing")[-1]
        return newest.id, Ed25519PrivateKey.from_private_bytes(newest.key)

    @property
    def certifier(self) -> tuple[str, Ed25519PrivateKey]:
        """The oldest root key that is not replaced: machines with an older ring know it too."""
        oldest = next(key for key in self.of("signing") if not key.replaced_at)
        return oldest.id, Ed25519PrivateKey.from_private_bytes(oldest.key)

    def replaced_roots(self, *, for_ms: int = 0) -> frozenset[str]:
        """Root keys that were replaced so long ago at least."""
        return _replaced(self.of("signing"), for_ms)

    def roots(self) -> Roots:
        return Roots(self.public(), self.replaced_roots(for_ms=REPLACED_MS))

    @property
    def sealer(self) -> tuple[str, bytes]:
        newest = self.of("sealing")[-1]
        return newest.id, newest.key

    def public(self) -> dict[str, Ed25519PublicKey]:
        """What an auditor needs to check signatures."""
        found = {}
        for id_, raw in self.signing.items():
            found[id_] = Ed25519PrivateKey.from_private_bytes(raw).public_key()
        return found

    def public_text(self) -> str:
        """The same as JSON, with the keys' ages: for an auditor who is given no secret."""
        public = self.public()
        signing = [
            PublicKey(
                id=key.id,
                key=public[key.id].public_bytes_raw(),
                made_at=key.made_at,
                replaced_at=key.replaced_at,
            )
            for key in self.keys["signing"]
        ]
        file = PublicFile(signing=tuple(signing))
        return json.format(json.encode(file)).decode()

    # MACs: texts that only who has the ring can make

    def mac(self, purpose: Purpose, text: str) -> str:
        """By the newest key, in hexadecimal."""
        newest = self.of(purpose)[-1]
        return _mac(newest, text)

    def macs(self, purpose: Purpose, text: str) -> list[str]:
        """By every key, the newest first: to look up what may have been made by any of them."""
        # at once: another program may have made it a moment ago, with a key that is new
        self.look()
        return [_mac(key, text) for key in reversed(self.keys[purpose])]

    def holds(self, purpose: Purpose, text: str, mac: str) -> bool:
        """Whether a key made this MAC that is not replaced."""
        return self._verify_mac(purpose, text, mac, also_replaced=False)

    def has_made(self, purpose: Purpose, text: str, mac: str) -> bool:
        """Whether any key made this MAC, replaced or not: for what is kept for years."""
        return self._verify_mac(purpose, text, mac, also_replaced=True)

    def _verify_mac(self, purpose: Purpose, text: str, mac: str, *, also_replaced: bool) -> bool:
        if self._made(purpose, text, mac, also_replaced=also_replaced):
            return True
        # before it is refused: another program may have made it with a key that is new
        self.look()
        return self._made(purpose, text, mac, also_replaced=also_replaced)

    def _made(self, purpose: Purpose, text: str, mac: str, *, also_replaced: bool) -> bool:
        given = mac.encode()
        for key in reversed(self.of(purpose)):
            is_good = also_replaced or not key.replaced_at
            expected = _mac(key, text).encode()
            if is_good and hmac.compare_digest(expected, given):
                return True
        return False

    # The file

    def look(self) -> None:
        """Read the file again if it was changed. Two threads may do so at once: neither goes on
        with the old keys because the other has begun.
        """
        if self._path is None:
            return
        self._looked = time.monotonic()
        stamp = stamp_of(self._path)
        if stamp == self._stamp:
            return
        try:
            self.keys, self.passphrase = read_keys(self._path, self._known_passphrase)
        except Refusal as refusal:
            _log.error(
                "key ring %s was changed and cannot be read: %s; the keys from before are used: "
                "put the ring right, or restart with its passphrase",
                self._path,
                refusal,
            )
        self._stamp = stamp

    def _known_passphrase(self, _: Path) -> str:
        """Nobody is asked: a server that runs has nobody at its terminal."""
        return passphrase_in_environment() or self.passphrase

    def save(self, path: Path) -> None:
        """Atomic: after a crash there is this ring or the one before. Only its owner reads it."""
        write_keys(path, self.keys, self.passphrase)

    @classmethod
    def load(cls, path: Path) -> KeyRing:
        stamp = stamp_of(path)  # first: what is changed meanwhile is then read again
        keys, passphrase = read_keys(path, passphrase_for)
        return cls(keys, passphrase, path, stamp, time.monotonic())

    @classmethod
    def at(cls, path: Path) -> KeyRing:
        """The ring in this file, or a fresh one; two programs that start at once get the same."""
        if not path.exists():
            write_keys(path, cls.fresh().keys, "", put_where_none_is)
        return cls.load(path)

    @classmethod
    @contextmanager
    def changed(cls, path: Path) -> Iterator[KeyRing]:
        """The ring in this file, saved at the end. Two changes at once are made one by one, lest
        one of them lose a key that the other has sealed cards with.
        """
        with locked(path):
            ring = cls.load(path)
            yield ring
            ring.save(path)


def roots_in(path: Path) -> Roots:
    """The root keys, from a key ring or from what `keys show --public` wrote."""
    file = read_file(path)
    if not isinstance(file, PublicFile):
        return KeyRing.load(path).roots()
    public = {key.id: Ed25519PublicKey.from_public_bytes(key.key) for key in file.signing}
    return Roots(public, _replaced(file.signing, REPLACED_MS))


def _replaced(keys: Iterable[Key | PublicKey], for_ms: int) -> frozenset[str]:
    before = time.time() * 1000 - for_ms
    return frozenset(key.id for key in keys if 0 < key.replaced_at <= before)


def _new_key(now: int) -> Key:
    return Key(id=secrets.token_hex(4), key=secrets.token_bytes(KEY_BYTES), made_at=now)


def _by_id(keys: tuple[Key, ...]) -> dict[str, bytes]:
    return {key.id: key.key for key in keys}


def _mac(key: Key, text: str) -> str:
    return hmac.digest(key.key, text.encode(), "sha256").hex()
