"""The key ring: signing keys and sealing keys, in a file outside the database."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from puntobanco.rules.refusals import Refusal

FORMAT = "puntobanco-keys-1"
KEY_BYTES = 32


class BadKeys(Refusal):
    """A key ring that cannot be used."""


@dataclass
class KeyRing:
    """Keys by id; the last of each kind is used, the others still read what they wrote."""

    signing: dict[str, bytes] = field(default_factory=dict, repr=False)  # never in a log
    sealing: dict[str, bytes] = field(default_factory=dict, repr=False)

    @classmethod
    def fresh(cls) -> KeyRing:
        ring = cls()
        ring.rotate()
        return ring

    def rotate(self) -> None:
        """A new key of each kind; the old ones stay for what was written with them."""
        self.signing[_id()] = secrets.token_bytes(KEY_BYTES)
        self.sealing[_id()] = secrets.token_bytes(KEY_BYTES)

    @property
    def signer(self) -> tuple[str, Ed25519PrivateKey]:
        id_ = list(self.signing)[-1]
        return id_, Ed25519PrivateKey.from_private_bytes(self.signing[id_])

    @property
    def sealer(self) -> tuple[str, bytes]:
        id_ = list(self.sealing)[-1]
        return id_, self.sealing[id_]

    def derived(self, purpose: str) -> bytes:
        """A key for another purpose, from the oldest sealing key: rotation leaves it as it is."""
        oldest = next(iter(self.sealing.values()))
        return hmac.new(oldest, purpose.encode(), "sha256").digest()

    def public(self) -> dict[str, Ed25519PublicKey]:
        """What an auditor needs to check signatures."""
        found = {}
        for id_, raw in self.signing.items():
            found[id_] = Ed25519PrivateKey.from_private_bytes(raw).public_key()
        return found

    def save(self, path: Path) -> None:
        """Atomic: after a crash there is this ring or the one before. Only its owner reads it."""
        self._put(path, Path.replace)

    def _put(self, path: Path, put: Callable[[Path, Path], object]) -> None:
        """Write it beside `path` first, whole and on disk, then `put` it there."""
        ring = {"format": FORMAT, "signing": _hex(self.signing), "sealing": _hex(self.sealing)}
        text = json.dumps(ring, indent=1)
        part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            fd = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(fd, "w") as file:
                file.write(text + "\n")
                file.flush()
                os.fsync(file.fileno())
            put(part, path)
            _sync(path.parent)
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise BadKeys(f"cannot write the key ring {path}: {reason}") from None
        finally:
            with suppress(OSError):
                part.unlink()

    @classmethod
    def load(cls, path: Path) -> KeyRing:
        try:
            raw = json.loads(path.read_text("utf-8"))
            if raw["format"] != FORMAT:
                raise ValueError
            ring = cls(_keys(raw["signing"]), _keys(raw["sealing"]))
            if not (ring.signing and ring.sealing):
                raise ValueError
        except FileNotFoundError:
            raise BadKeys(
                f"there is no key ring at {path}; it is made with the database and kept beside it"
            ) from None
        except OSError as error:
            reason = (error.strerror or "").lower()
            raise BadKeys(f"cannot read the key ring {path}: {reason}") from None
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise BadKeys(f"{path} is no key ring") from None
        return ring

    @classmethod
    def at(cls, path: Path) -> KeyRing:
        """The ring in this file, or a fresh one; two programs that start at once get the same."""
        if not path.exists():
            cls.fresh()._put(path, _link)
        return cls.load(path)


def _link(part: Path, path: Path) -> None:
    """Put it there unless something is there already."""
    with suppress(FileExistsError):
        os.link(part, path)


def _sync(folder: Path) -> None:
    """A name is on disk once its folder is. Nothing may be sealed with a key that a crash loses."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _id() -> str:
    return secrets.token_hex(4)


def _hex(keys: dict[str, bytes]) -> dict[str, str]:
    return {i: k.hex() for i, k in keys.items()}


def _keys(texts: dict[str, str]) -> dict[str, bytes]:
    keys = {id_: bytes.fromhex(text) for id_, text in texts.items()}
    if any(len(key) != KEY_BYTES for key in keys.values()):
        raise ValueError
    return keys
