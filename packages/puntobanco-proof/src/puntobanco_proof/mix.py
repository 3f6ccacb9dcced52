"""The mix: a committed shoe put in an order that nobody chose, by signatures of its witnesses.

Each witness signs one message a shoe, with RSA (PKCS#1 v1.5, SHA-256): a key and a message have
one such signature, so that asking twice gives nothing to choose from. That is not so of every RSA
key: of one with a prime that is 1 modulo the exponent a message has 65,537 signatures or none. So
a key travels with a proof that it is not of that kind. The signatures are hashed to a seed, and the
seed shuffles the committed order.
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
"""Of the key alone, as SubjectPublicKeyInfo in DER: with this size and exponent always so many."""

ROOTS = 8
"""Of a proof: each is there by luck once in 65,537 keys, eight once in 2 ** 128."""

ROOT_BYTES = KEY_BITS // 8
MORE_BYTES = 16
"""Of the number that is hashed, beyond the modulus: its remainder is as good as uniform."""

KNOWN_KEYS = 64
SEED_BYTES = 32

_FIRST = "puntobanco mix 1"
_SEED = b"puntobanco mix seed 1\n"
_KEY = b"puntobanco mix key 1\n"
_COMMITMENT = re.compile("[0-9a-f]{64}")

WORD_BYTES = 4
WORDS = 1 << 8 * WORD_BYTES
"""How many values a word of the stream has."""

FIRST_BYTES = 4096
"""Of the stream: enough for the words of ten decks, and a few more in place of those rejected."""


class MixFault(Refusal):
    """A key, a signature or a seed that cannot mix a shoe."""

    remedy = "Ask the witness for its key and its answer again; a shoe that is not mixed is ended."


def message(origin: str, stream: str, shoe: int, commitment: str) -> bytes:
    """What a witness signs: which log, which table, which shoe of it, and the committed order.

    >>> message("example.com/log", "table:3", 12, "ab" * 32).decode().splitlines()[:4]
    ['puntobanco mix 1', 'example.com/log', 'table:3', '12']
    """
    if not origin or "\n" in origin or not stream or "\n" in stream or shoe < 1:
        raise MixFault("a mix is of a log, a table and a shoe's number, each on its line")
    _verify_commitment(commitment)
    return f"{_FIRST}\n{origin}\n{stream}\n{shoe}\n{commitment}\n".encode()


def seed(commitment: str, signatures: Sequence[bytes]) -> bytes:
    """`signatures` are those of all witnesses that the shoe names, in the order of their names."""
    _verify_commitment(commitment)
    if not signatures or any(len(found) != SIGNATURE_BYTES for found in signatures):
        raise MixFault(f"a mix has one signature or more, each of {SIGNATURE_BYTES} bytes")
    hashed = _SEED + bytes.fromhex(commitment) + b"".join(signatures)
    return hashlib.sha256(hashed).digest()


def _verify_commitment(commitment: str) -> None:
    if not _COMMITMENT.fullmatch(commitment):
        raise MixFault("a commitment is 64 hexadecimal digits")


def below(seed: bytes) -> Callable[[int], int]:
    """`below(n)` is a whole number from 0 to n - 1, each as likely as another: the next word of
    SHAKE-256 over the seed that is under the largest multiple of n, divided by n. Every number
    takes a word at least, also where n is 1.
    """
    if len(seed) != SEED_BYTES:
        raise MixFault(f"a seed has {SEED_BYTES} bytes")
    words = _words(seed)

    def draw(n: int) -> int:
        assert 1 <= n <= WORDS
        limit = WORDS - WORDS % n
        return next(word for word in words if word < limit) % n

    return draw


def _words(seed: bytes) -> Iterator[int]:
    """Yield SHAKE-256 of a seed as 32-bit words, the first byte the highest, without end."""
    shake, place, size = hashlib.shake_256(seed), 0, FIRST_BYTES
    while True:
        stream = shake.digest(size)  # a longer output begins with the shorter one
        for at in range(place, size, WORD_BYTES):
            yield int.from_bytes(stream[at : at + WORD_BYTES])
        place, size = size, 2 * size


def mixed(cards: bytes, seed: bytes) -> bytes:
    """The order that is dealt, from the committed one."""
    return shuffled(cards, below=below(seed))


# Keys


def proven_key(key: RSAPrivateKey) -> bytes:
    """The public key as others are shown it: in DER, and then the proof."""
    numbers = key.private_numbers()
    p, q = numbers.p, numbers.q
    proof = b""
    for i in range(ROOTS):
        value = _value(numbers.public_numbers.n, i)
        by_p, by_q = pow(value, numbers.dmp1, p), pow(value, numbers.dmq1, q)
        root = by_q + q * ((by_p - by_q) * numbers.iqmp % p)
        proof += root.to_bytes(ROOT_BYTES)
    return _der(key.public_key()) + proof


def _der(key: RSAPublicKey) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def _value(modulus: int, i: int) -> int:
    """The number whose root is to be shown: hashed from the key, so that nobody chooses it."""
    hashed = _KEY + modulus.to_bytes(ROOT_BYTES) + bytes([i])
    stream = hashlib.shake_256(hashed).digest(ROOT_BYTES + MORE_BYTES)
    return int.from_bytes(stream) % modulus


@lru_cache(maxsize=KNOWN_KEYS)  # the same few keys at every shoe
def read_key(data: bytes) -> RSAPublicKey:
    """Read a witness's key for the mix: SubjectPublicKeyInfo in DER, then its proof."""
    der, proof = data[:KEY_BYTES], data[KEY_BYTES:]
    try:
        key = load_der_public_key(der)
    except Exception:  # whatever forged bytes do to a decoder
        raise MixFault("that is no public key in DER") from None
    if not isinstance(key, RSAPublicKey):
        raise MixFault("a key for the mix is an RSA key")
    numbers = key.public_numbers()
    if (key.key_size, numbers.e) != (KEY_BITS, EXPONENT):
        raise MixFault(f"a key for the mix has {KEY_BITS} bits and the exponent {EXPONENT}")
    if _der(key) != der:
        raise MixFault("the key for the mix is not in DER as it must be written")
    _verify_proof(proof, numbers.n)
    return key


def _verify_proof(proof: bytes, modulus: int) -> None:
    """That every number that shares no factor with the modulus has one root at most: else not more
    than one number in 65,537 had a root at all, and these, which nobody chose, all have one.
    """
    if len(proof) != ROOTS * ROOT_BYTES:
        raise MixFault("the key for the mix has no proof behind it that its signatures are unique")
    for i in range(ROOTS):
        root = int.from_bytes(proof[i * ROOT_BYTES : (i + 1) * ROOT_BYTES])
        value = _value(modulus, i)
        has_root = root < modulus and pow(root, EXPONENT, modulus) == value
        if not has_root or math.gcd(value, modulus) != 1:
            raise MixFault("the key for the mix is not proven to have unique signatures")


def sign(message: bytes, key: RSAPrivateKey) -> bytes:
    return key.sign(message, PKCS1v15(), SHA256())


def verify(signature: bytes, message: bytes, key: bytes) -> None:
    """Raises unless this is the one signature over the message by this key (with its proof)."""
    public = read_key(key)
    if len(signature) != SIGNATURE_BYTES:
        raise MixFault(f"a signature of a mix has {SIGNATURE_BYTES} bytes, not {len(signature)}")
    try:
        public.verify(signature, message, PKCS1v15(), SHA256())
    except InvalidSignature:
        raise MixFault("the signature of the mix is not its witness's") from None
    number, modulus = int.from_bytes(signature), public.public_numbers().n
    # the proof says nothing of a number that shares a factor with the modulus: where the factor is
    # in it twice, such a number has other roots
    if number >= modulus or math.gcd(number, modulus) != 1:
        raise MixFault("the signature of the mix is not the only one")


def shuffled(
    cards: Sequence[int],
    *,
    take: int | None = None,
    below: Callable[[int], int] = secrets.randbelow,
) -> bytes:
    """A Fisher-Yates shuffle: every order is equally likely. Only the first `take` cards, if given.

    `below(n)` is a whole number from 0 to n - 1, drawn without bias.
    """
    order = list(cards)
    drawn = len(order) if take is None else take
    for i in range(drawn):
        j = i + below(len(order) - i)
        order[i], order[j] = order[j], order[i]
    return bytes(order[:take])
