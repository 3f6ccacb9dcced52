"""Key files: the formats in which keys are kept; how such a file is read, written and locked."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from getpass import getpass
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, cast, get_args

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from msgspec import Meta, MsgspecError, field, json

from puntobanco.base.private_files import open_private
from puntobanco_floor.journal.refusals import BadKeys, BadPassphrase
from puntobanco_proof.entry.record import Record

KEY_BYTES = 32
Bytes32 = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
Purpose = Literal[
    "signing",  # the floor's root: it certifies the keys of nodes and signs dispute packs
    "sealing",  # undealt cards
    "tickets",  # terminals' tickets, CSRF tokens
    "vouchers",  # voucher numbers, and what the books know them by
    "logins",  # logins of the staff
    "codes",  # enrolment codes and keys of terminals
    "passwords",  # the pepper of passwords
    "cards",  # patrons' cards
    "patrons",  # which patron a card leads to
    "log",  # checkpoints of the transparency log
    "leaves",  # salts of the log's leaves
    "receipts",  # links to receipts
]
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)

PROTECTED_FORMAT = "puntobanco-protected-1"
SCRYPT_N = 2**15
"""With r = 8: 32 MiB and a tenth of a second for each try. The format's name stands for it."""

_SALT_BYTES = 16
_NONCE_BYTES = 12
Salt = Annotated[bytes, Meta(min_length=_SALT_BYTES, max_length=_SALT_BYTES)]
Nonce = Annotated[bytes, Meta(min_length=_NONCE_BYTES, max_length=_NONCE_BYTES)]

PASSPHRASE_ENV = "PUNTOBANCO_PASSPHRASE"
PASSPHRASE_FILE_ENV = "PUNTOBANCO_PASSPHRASE_FILE"
MIN_PASSPHRASE = 12

Put: TypeAlias = Callable[[Path, Path], object]
"""Puts a file that is whole in its place."""


class Key(Record):
    """Times are in milliseconds; 0 is unknown or not yet. Files call `replaced_at` `retired_at`."""

    id: str
    key: Bytes32
    made_at: int
    replaced_at: int = field(default=0, name="retired_at")

    def __repr__(self) -> str:
        return f"Key({self.id})"  # never in a log


Keys: TypeAlias = dict[Purpose, tuple[Key, ...]]


class RingFile(Record, tag_field="format", tag="puntobanco-keys-2"):
    keys: dict[str, tuple[Key, ...]]  # also of purposes that only a newer program knows


class PublicKey(Record):
    id: str
    key: Bytes32
    made_at: int
    replaced_at: int = field(name="retired_at")


class PublicFile(Record, tag_field="format", tag="puntobanco-public-keys-1"):
    """What an auditor is given: no secret is in it."""

    signing: tuple[PublicKey, ...]


class Protected(Record, tag_field="format", tag=PROTECTED_FORMAT):
    """Bytes that nobody reads without the passphrase."""

    salt: Salt
    nonce: Nonce
    data: bytes


AnyFile: TypeAlias = RingFile | Protected | PublicFile
_decode: Callable[[bytes], AnyFile] = json.Decoder(AnyFile).decode


def read_keys(path: Path, passphrase: Callable[[Path], str]) -> tuple[Keys, str]:
    """Return the keys of a ring and its passphrase, asked for only if the file is protected."""
    file = read_file(path)
    given = ""
    if isinstance(file, Protected):
        given = passphrase(path)
        file = _decoded(unprotect(file, given, path), path)
    if not isinstance(file, RingFile):
        raise BadKeys(f"{path} is no key ring; it holds public keys only")
    keys = _with_new_purposes(cast("Keys", file.keys))
    if not all(keys.get(purpose) for purpose in PURPOSES):
        raise BadKeys(f"{path} is no key ring")
    return keys, given


def read_file(path: Path) -> AnyFile:
    try:
        return _decoded(path.read_bytes(), path)
    except FileNotFoundError:
        raise BadKeys(
            f"there is no key ring at {path}; it is made with the database and kept beside it"
        ) from None
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise BadKeys(f"cannot read the key ring {path}: {reason}") from None


def _decoded(data: bytes, path: Path) -> AnyFile:
    try:
        return _decode(data)
    except (MsgspecError, ValueError, RecursionError):
        raise BadKeys(f"{path} is no key ring") from None


_ADDED: dict[Purpose, tuple[Purpose, str]] = {
    "patrons": ("cards", "patrons of cards"),
    "log": ("signing", "transparency log"),
    "leaves": ("sealing", "leaves of the log"),
    "receipts": ("sealing", "receipts"),
}
"""Purposes that came later: the purpose that a key is derived from, and what by."""


def _with_new_purposes(keys: Keys) -> Keys:
    """A ring that was made before a purpose has no key for it. It is derived from the oldest of
    another, the same at every node, until the next rotation makes one.
    """
    found = dict(keys)
    for purpose, (source, name) in _ADDED.items():
        older = keys.get(source, ())
        if older and not found.get(purpose):
            found[purpose] = (_derived(older[0], name),)
    return found


def _derived(key: Key, name: str) -> Key:
    raw = hmac.digest(key.key, name.encode(), "sha256")
    # the same for every program that reads the file, and nothing of the key can be told by it
    id_ = hashlib.sha256(raw).hexdigest()[:8]
    return Key(id=id_, key=raw, made_at=0)


def write_keys(path: Path, keys: Keys, passphrase: str, put: Put = Path.replace) -> None:
    every = cast("dict[str, tuple[Key, ...]]", keys)
    data = json.format(json.encode(RingFile(keys=every)))
    if passphrase:
        data = protect(data, passphrase)
    try:
        write_whole(path, data + b"\n", put)
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise BadKeys(f"cannot write the key ring {path}: {reason}") from None


def write_whole(path: Path, data: bytes, put: Put) -> None:
    """Write a file that only its owner reads; after a crash it is whole, or as it was before."""
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with os.fdopen(open_private(part, os.O_WRONLY | os.O_EXCL), "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        put(part, path)
        _sync(path.parent)
    finally:
        with suppress(OSError):
            part.unlink()


def stamp_of(path: Path) -> tuple[int, ...]:
    """Changes with every save; nothing where there is no file."""
    try:
        found = path.stat()
    except OSError:
        return ()
    return found.st_mtime_ns, found.st_ino, found.st_size


def put_where_none_is(part: Path, path: Path) -> None:
    """Put it there unless something is there already."""
    with suppress(FileExistsError):
        os.link(part, path)


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """One program at a time: a lock on the folder, since the file itself is replaced."""
    if os.name == "nt":
        yield
        return
    import fcntl  # noqa: PLC0415 - not on every system

    descriptor = os.open(path.parent, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _sync(folder: Path) -> None:
    """A name is on disk once its folder is. Nothing may be sealed with a key that a crash loses."""
    if os.name == "nt":
        return
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


# Passphrases: bytes encrypted under one. The environment is read here, as nowhere else below the
# command line: every program that opens the key ring needs it, and it belongs neither into a
# settings file nor into a process list.


def protect(plain: bytes, passphrase: str) -> bytes:
    salt = secrets.token_bytes(_SALT_BYTES)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    data = _cipher(passphrase, salt).encrypt(nonce, plain, PROTECTED_FORMAT.encode())
    made = Protected(salt=salt, nonce=nonce, data=data)
    return json.format(json.encode(made))


def unprotect(protected: Protected, passphrase: str, path: Path) -> bytes:
    cipher = _cipher(passphrase, protected.salt)
    try:
        return cipher.decrypt(protected.nonce, protected.data, PROTECTED_FORMAT.encode())
    except InvalidTag:
        raise BadPassphrase(f"the passphrase does not open {path}") from None


def _cipher(passphrase: str, salt: bytes) -> AESGCM:
    scrypt = Scrypt(salt=salt, length=32, n=SCRYPT_N, r=8, p=1)
    return AESGCM(scrypt.derive(passphrase.encode()))


def passphrase_for(path: Path) -> str:
    """The passphrase of a file: from the environment, or typed at the terminal once a process."""
    return passphrase_in_environment() or _typed(path)


def new_passphrase(path: Path) -> str:
    """A passphrase for a file that had none; typed twice, since a slip would lock the file."""
    passphrase = passphrase_in_environment()
    if not passphrase:
        passphrase = _typed(path)
        if getpass(f"The same again for {path}: ") != passphrase:
            raise BadPassphrase("the two passphrases are not the same; nothing was changed")
    if len(passphrase) < MIN_PASSPHRASE:
        raise BadPassphrase(f"a passphrase has at least {MIN_PASSPHRASE} characters")
    return passphrase


def passphrase_in_environment() -> str:
    """The passphrase that the environment has, itself or as the name of a file; else nothing."""
    file = os.environ.get(PASSPHRASE_FILE_ENV, "")
    passphrase = os.environ.get(PASSPHRASE_ENV, "")
    if passphrase or not file:
        return passphrase
    try:
        return Path(file).read_text("utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise BadPassphrase(
            f"cannot read the passphrase from {PASSPHRASE_FILE_ENV} {file}"
        ) from None


@cache  # a start opens the key ring several times, and asks once
def _typed(path: Path) -> str:
    if not (sys.stdin and sys.stdin.isatty()):
        raise BadPassphrase(
            f"{path} needs a passphrase: set {PASSPHRASE_ENV} or {PASSPHRASE_FILE_ENV}, or start "
            "at a terminal"
        )
    return getpass(f"Passphrase of {path}: ")
