"""Passphrases: bytes encrypted under one (scrypt, AES-GCM), and where the program takes it from.

The environment is read here, as nowhere else below the command line: every program that opens the
key ring needs it, and it belongs neither into a settings file nor into a process list.
"""

from __future__ import annotations

import os
import secrets
import sys
from functools import cache
from getpass import getpass
from pathlib import Path
from typing import Annotated

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from msgspec import Meta, json

from puntobanco.base.record import Record
from puntobanco_floor.journal.refusals import BadPassphrase

FORMAT = "puntobanco-protected-1"
VARIABLE = "PUNTOBANCO_PASSPHRASE"
FILE_VARIABLE = "PUNTOBANCO_PASSPHRASE_FILE"
MIN_PASSPHRASE = 12

SCRYPT_N = 2**15
"""With r = 8: 32 MiB and a tenth of a second for each try. The format's name stands for it."""

_SALT_BYTES = 16
_NONCE_BYTES = 12
Salt = Annotated[bytes, Meta(min_length=_SALT_BYTES, max_length=_SALT_BYTES)]
Nonce = Annotated[bytes, Meta(min_length=_NONCE_BYTES, max_length=_NONCE_BYTES)]


class Protected(Record, tag_field="format", tag=FORMAT):
    """Bytes that nobody reads without the passphrase."""

    salt: Salt
    nonce: Nonce
    data: bytes


def protect(plain: bytes, passphrase: str) -> bytes:
    salt = secrets.token_bytes(_SALT_BYTES)
    nonce = secrets.token_bytes(_NONCE_BYTES)
    data = _cipher(passphrase, salt).encrypt(nonce, plain, FORMAT.encode())
    made = Protected(salt=salt, nonce=nonce, data=data)
    return json.format(json.encode(made))


def unprotect(protected: Protected, passphrase: str, path: Path) -> bytes:
    cipher = _cipher(passphrase, protected.salt)
    try:
        return cipher.decrypt(protected.nonce, protected.data, FORMAT.encode())
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
    file = os.environ.get(FILE_VARIABLE, "")
    passphrase = os.environ.get(VARIABLE, "")
    if passphrase or not file:
        return passphrase
    try:
        return Path(file).read_text("utf-8").strip("\r\n")
    except (OSError, UnicodeDecodeError):
        raise BadPassphrase(f"cannot read the passphrase from {FILE_VARIABLE} {file}") from None


@cache  # a start opens the key ring several times, and asks once
def _typed(path: Path) -> str:
    if not (sys.stdin and sys.stdin.isatty()):
        raise BadPassphrase(
            f"{path} needs a passphrase: set {VARIABLE} or {FILE_VARIABLE}, or start at a terminal"
        )
    return getpass(f"Passphrase of {path}: ")
