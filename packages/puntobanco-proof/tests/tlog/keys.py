"""Keys of a log and of witnesses, for tests: each from its name, the same every time."""

from functools import cache
from hashlib import sha256

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key

from puntobanco_proof.mix import encode_key
from puntobanco_proof.tree.notes import COSIGNATURE, ED25519, Signer
from puntobanco_proof.tree.policies import Log, Policy, Witness, require_all

ORIGIN = "example.com/floor"
LOG = Signer(ORIGIN, ED25519, sha256(b"log").digest())


def witness(name: str) -> Signer:
    return Signer(name, COSIGNATURE, sha256(name.encode()).digest())


@cache
def mix_key(_: str = "") -> RSAPrivateKey:
    """By a name, one for each; it is another in every run."""
    return generate_private_key(65537, 2048)


@cache
def mix_public(name: str = "") -> bytes:
    """What others are shown of it, with its proof."""
    return encode_key(mix_key(name))


def policy(*names: str, with_mix: bool = False) -> Policy:
    """That all of these must have cosigned."""
    witnesses = [
        Witness(
            name,
            witness(name).verifier,
            mix_key=mix_public(name) if with_mix else b"",
        )
        for name in names
    ]
    return require_all([Log(LOG.verifier)], witnesses)
