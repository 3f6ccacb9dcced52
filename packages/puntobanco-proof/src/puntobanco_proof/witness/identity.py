"""A witness's identity: its name and its keys, in one private file of its folder."""

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
        return f"_KeyFile({self.name})"  # never in a log


class Identity:
    """What a witness signs with; it never shows its keys. `mix_key` is the public one with the
    proof, which is made from the private one whenever that is read: no folder holds it.
    """

    def __init__(self, name: str, seed: bytes, mixing: RSAPrivateKey) -> None:
        self.name = name
        self.cosigner = Signer(name, COSIGNATURE, seed)
        self.mix_key = mix.proven_key(mixing)
        self._mixing = mixing

    def sign_mix(self, message: bytes) -> bytes:
        return mix.sign(message, self._mixing)

    def policy_lines(self, url: str = "") -> str:
        """What a floor, or a patron, copies into a policy."""
        own = Witness(self.name, self.cosigner.verifier, url, self.mix_key)
        text = Policy(witnesses=(own,)).text
        return text.removesuffix(f"quorum {NONE}\n")


def make_identity(folder: Path, name: str) -> Identity:
    """A new witness; one that is there already is never overwritten."""
    verify_name(name)
    if name == NONE:
        raise BadWitness(f"a witness cannot be called {NONE}: policies mean nobody by it")
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
        raise BadWitness(f"{path} is there already; its keys are not made anew") from None
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise BadWitness(f"cannot make a witness in {folder}: {reason}") from None
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
        raise BadWitness(f"there is no witness in {folder}: no {KEYS}") from None
    except OSError as error:
        reason = (error.strerror or "").lower()
        raise BadWitness(f"cannot read {path}: {reason}") from None
    except (msgspec.MsgspecError, ValueError, TypeError, Refusal):
        raise BadWitness(f"{path} holds no keys of a witness") from None
    return identity
