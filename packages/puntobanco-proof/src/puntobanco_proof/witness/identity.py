"""Witness identity: name and keys, in one private file of its folder."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_der_private_key,
)

from puntobanco.base.private_files import OWNER_ONLY_FOLDER, narrow, open_private
from puntobanco.base.refusal import Refusal
from puntobanco_proof import mix
from puntobanco_proof.entry.record import Record
from puntobanco_proof.tree.notes import COSIGNATURE, KEY_BYTES, Signer, verify_name
from puntobanco_proof.tree.policies import NONE, Policy, Witness
from puntobanco_proof.witness.refusals import BadWitness

KEYS = "witness-keys.json"
MEMORY = "witness.db"


class _KeyFile(Record, tag_field="format", tag="puntobanco-witness-1"):
    name: str
    cosigning: bytes  # the seed of an Ed25519 key
    mixing: bytes  # an RSA key, PKCS#8 in DER

    def __repr__(self) -> str:
        return f"_KeyFile({self.name})"  # keep the keys out of logs


class Identity:
    """The name and the signing keys of a witness; private keys are never exposed.

    `mix_key` is the public mix key with its proof, derived from the private key on every load.
    """

    def __init__(self, name: str, seed: bytes, mixing: RSAPrivateKey) -> None:
        self.name = name
        self.cosigner = Signer(name, COSIGNATURE, seed)
        self.mix_key = mix.encode_key(mixing)
        self._mixing = mixing

    def sign_mix(self, message: bytes) -> bytes:
        return mix.sign(message, self._mixing)

    def build_policy_lines(self, url: str = "") -> str:
        """Return the lines that a floor or a patron copies into a policy."""
        own = Witness(self.name, self.cosigner.verifier, url, self.mix_key)
        text = Policy(witnesses=(own,)).text
        return text.removesuffix(f"quorum {NONE}\n")


def create_identity(folder: Path, name: str) -> Identity:
    """Create the keys of a new witness; never overwrite existing ones."""
    verify_name(name)
    if name == NONE:
        raise BadWitness(f"the name {NONE} is reserved in policies; choose another name")
    path = folder / KEYS
    mixing = generate_private_key(mix.EXPONENT, mix.KEY_BITS)
    raw = mixing.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    seed = secrets.token_bytes(KEY_BYTES)
    data = msgspec.json.encode(_KeyFile(name=name, cosigning=seed, mixing=raw))
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=OWNER_ONLY_FOLDER)
        with os.fdopen(open_private(path, os.O_WRONLY | os.O_EXCL), "wb") as file:
            file.write(data + b"\n")
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError:
        raise BadWitness(
            f"{path} already exists and will not be replaced; choose another folder"
        ) from None
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise BadWitness(f"cannot create a witness in {folder}: {reason}") from None
    return Identity(name, seed, mixing)


def load_identity(folder: Path) -> Identity:
    path = folder / KEYS
    try:
        narrow(path)
        found = msgspec.json.decode(path.read_bytes(), type=_KeyFile)
        mixing = load_der_private_key(found.mixing, None)
        if not isinstance(mixing, RSAPrivateKey) or len(found.cosigning) != KEY_BYTES:
            raise ValueError
        identity = Identity(found.name, found.cosigning, mixing)
        mix.read_key(identity.mix_key)
    except FileNotFoundError:
        raise BadWitness(f"there is no witness in {folder}: {KEYS} does not exist") from None
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise BadWitness(f"cannot read {path}: {reason}") from None
    except (msgspec.MsgspecError, ValueError, TypeError, Refusal):
        raise BadWitness(
            f"{path} does not hold the keys of a witness; restore it from its backup"
        ) from None
    return identity
