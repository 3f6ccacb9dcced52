"""The mix: witnesses sign a committed shoe, and their signatures seed the shuffle that is dealt.

Each witness signs one message per shoe with RSA (PKCS#1 v1.5, SHA-256). A message has exactly one
such signature per key, so the house cannot ask again for a better seed. Some RSA keys break this:
if a prime is 1 modulo the exponent, a message has 65,537 signatures or none. Each key therefore
travels with a proof that its signatures are unique. The seed is the SHA-256 of the signatures, and
it shuffles the committed order.
"""

from __future__ import annotations

import hashlib
import math
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
)

from puntobanco.base.refusal import Refusal

KEY_BITS = 2048
EXPONENT = 65537
SIGNATURE_BYTES = KEY_BITS // 8
KEY_BYTES = 294
"""Length of the key in DER (SubjectPublicKeyInfo), without its proof."""

PROOF_ROOTS = 8
"""Roots in a proof. A bad key has one root by chance 1 time in 65,537, all eight 1 in 2 ** 128."""

ROOT_BYTES = KEY_BITS // 8
EXTRA_BYTES = 16
"""Hash this many bytes beyond the modulus, so the remainder is close to uniform."""

CACHED_KEYS = 64
SEED_BYTES = 32

_FIRST = "puntobanco mix 1"
_SEED = b"puntobanco mix seed 1\n"
_KEY = b"puntobanco mix key 1\n"
_COMMITMENT = re.compile("[0-9a-f]{64}")

WORD_BYTES = 4
WORDS = 1 << 8 * WORD_BYTES
"""Number of values of one word of the stream."""

FIRST_STREAM_BYTES = 4096
"""Enough stream for ten decks, with a margin for rejected words."""


class MixFault(Refusal):
    """A key, signature or seed that cannot mix a shoe."""

    remedy = "Ask the witness for its key and its signature again; end a shoe that cannot be mixed."


def build_message(origin: str, stream: str, shoe: int, commitment: str) -> bytes:
    """Build the message that a witness signs: log, table, shoe number and commitment.

    >>> build_message("example.com/log", "table:3", 12, "ab" * 32).decode().splitlines()[:4]
    ['puntobanco mix 1', 'example.com/log', 'table:3', '12']
    """
    if not origin or "\n" in origin or not stream or "\n" in stream or shoe < 1:
        raise MixFault("a mix needs a log, a table and a shoe number, each without a line break")
    _verify_commitment(commitment)
    return f"{_FIRST}\n{origin}\n{stream}\n{shoe}\n{commitment}\n".encode()


def derive_seed(commitment: str, signatures: Sequence[bytes]) -> bytes:
    """Derive the seed from the signatures of all witnesses of the shoe, sorted by witness name."""
    _verify_commitment(commitment)
    if not signatures or any(len(found) != SIGNATURE_BYTES for found in signatures):
        raise MixFault(f"a mix needs one or more signatures of {SIGNATURE_BYTES} bytes each")
    hashed = _SEED + bytes.fromhex(commitment) + b"".join(signatures)
    return hashlib.sha256(hashed).digest()


def _verify_commitment(commitment: str) -> None:
    if not _COMMITMENT.fullmatch(commitment):
        raise MixFault("a commitment must be 64 lowercase hexadecimal digits")


def draw_from_seed(seed: bytes) -> Callable[[int], int]:
    """Return `draw`, where `draw(n)` is a uniform integer from 0 to n - 1.

    Take the next word of SHAKE-256 over the seed that is below the largest multiple of n, modulo n.
    Every draw consumes at least one word, also for n = 1.
    """
    if len(seed) != SEED_BYTES:
        raise MixFault(f"a seed must have {SEED_BYTES} bytes, not {len(seed)}")
    words = _generate_words(seed)

    def draw(n: int) -> int:
        assert 1 <= n <= WORDS
        limit = WORDS - WORDS % n
        return next(word for word in words if word < limit) % n

    return draw


def _generate_words(seed: bytes) -> Iterator[int]:
    """Yield an endless SHAKE-256 stream of a seed as big-endian 32-bit words."""
    shake, place, size = hashlib.shake_256(seed), 0, FIRST_STREAM_BYTES
    while True:
        stream = shake.digest(size)  # a longer output begins with the shorter one
        for at in range(place, size, WORD_BYTES):
            yield int.from_bytes(stream[at : at + WORD_BYTES])
        place, size = size, 2 * size


def shuffle_by_seed(cards: bytes, seed: bytes) -> bytes:
    """Shuffle the committed order into the order that is dealt."""
    return shuffle(cards, below=draw_from_seed(seed))


# Keys


def encode_key(key: RSAPrivateKey) -> bytes:
    """Encode the public key in DER, followed by its proof."""
    numbers = key.private_numbers()
    p, q = numbers.p, numbers.q
    proof = b""
    for i in range(PROOF_ROOTS):
        value = _derive_value(numbers.public_numbers.n, i)
        by_p, by_q = pow(value, numbers.dmp1, p), pow(value, numbers.dmq1, q)
        root = by_q + q * ((by_p - by_q) * numbers.iqmp % p)
        proof += root.to_bytes(ROOT_BYTES)
    return _encode_der(key.public_key()) + proof


def _encode_der(key: RSAPublicKey) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _derive_value(modulus: int, i: int) -> int:
    """Hash the modulus to the i-th number of the proof, so its owner cannot choose it."""
    hashed = _KEY + modulus.to_bytes(ROOT_BYTES) + bytes([i])
    stream = hashlib.shake_256(hashed).digest(ROOT_BYTES + EXTRA_BYTES)
    return int.from_bytes(stream) % modulus


@lru_cache(maxsize=CACHED_KEYS)  # the same few keys at every shoe
def read_key(data: bytes) -> RSAPublicKey:
    """Read a mix key (SubjectPublicKeyInfo in DER) and verify the proof behind it."""
    der, proof = data[:KEY_BYTES], data[KEY_BYTES:]
    try:
        key = load_der_public_key(der)
    except Exception:  # forged bytes can raise anything in a decoder
        raise MixFault("the mix key is not a public key in DER") from None
    if not isinstance(key, RSAPublicKey):
        raise MixFault("the mix key must be an RSA key")
    numbers = key.public_numbers()
    if (key.key_size, numbers.e) != (KEY_BITS, EXPONENT):
        raise MixFault(f"the mix key must have {KEY_BITS} bits and the exponent {EXPONENT}")
    if _encode_der(key) != der:
        raise MixFault("the mix key is not in canonical DER")
    _verify_proof(proof, numbers.n)
    return key


def _verify_proof(proof: bytes, modulus: int) -> None:
    """Verify that each number coprime to the modulus has at most one root.

    With a bad modulus at most one number in 65,537 has a root. These numbers are hashed from the
    modulus, so all of them have a root only if the modulus is good.
    """
    if len(proof) != PROOF_ROOTS * ROOT_BYTES:
        raise MixFault("the mix key has no proof that its signatures are unique")
    for i in range(PROOF_ROOTS):
        root = int.from_bytes(proof[i * ROOT_BYTES : (i + 1) * ROOT_BYTES])
        value = _derive_value(modulus, i)
        has_root = root < modulus and pow(root, EXPONENT, modulus) == value
        if not has_root or math.gcd(value, modulus) != 1:
            raise MixFault("the proof of the mix key is wrong: its signatures may not be unique")


def sign(message: bytes, key: RSAPrivateKey) -> bytes:
    return key.sign(message, PKCS1v15(), SHA256())


def verify(signature: bytes, message: bytes, key: bytes) -> None:
    """Refuse unless this is the unique signature of `message` by `key`, given with its proof."""
    public = read_key(key)
    if len(signature) != SIGNATURE_BYTES:
        raise MixFault(f"a mix signature must have {SIGNATURE_BYTES} bytes, not {len(signature)}")
    try:
        public.verify(signature, message, PKCS1v15(), SHA256())
    except InvalidSignature:
        raise MixFault("the mix signature is not that of its witness") from None
    number, modulus = int.from_bytes(signature), public.public_numbers().n
    # The proof covers only numbers coprime to the modulus. A number that shares a squared factor
    # with the modulus has other roots.
    if number >= modulus or math.gcd(number, modulus) != 1:
        raise MixFault("the mix signature is not unique: it shares a factor with the modulus")


def shuffle(
    cards: Sequence[int],
    *,
    take: int | None = None,
    below: Callable[[int], int] = secrets.randbelow,
) -> bytes:
    """Shuffle with Fisher-Yates: every order is equally likely. Return the first `take` cards.

    `below(n)` returns a uniform integer from 0 to n - 1.
    """
    order = list(cards)
    drawn = len(order) if take is None else take
    for i in range(drawn):
        j = i + below(len(order) - i)
        order[i], order[j] = order[j], order[i]
    return bytes(order[:take])
