"""RSA keys of which a message has more than one signature, as a dishonest witness would make them.

The primes are named by how far they are from a round number; `puntobanco_proof.mix` does not help here.
"""

import hashlib
import math
from functools import cache

from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicNumbers
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

E = 65537
BYTES = 256

P = E * ((3 << 1022) // E + 385) + 1
"""A prime of 1,024 bits that is 1 modulo the exponent: one number in 65,537 has roots, and each of
them as many."""
Q = (3 << 1022) + 1037
MODULUS = P * Q

ORIGIN, TABLE, SHOE, NONCE = "floor.example/log", "table:1", 4, (9176).to_bytes(32)
COMMITMENT = "03d844d4ca26f851034304dd8948ab8ec6a4931f5451041ffc30cef161944612"
"""Of the shoe that `tests.verifier.made` deals, with this nonce: the house looked for one of which
the message has roots; the first was at 9,176."""

LARGE = (1 << 2012) - 363


def is_prime(number: int, rounds: int = 8) -> bool:
    """Miller and Rabin, with the first primes."""
    odd, twos = number - 1, 0
    while odd % 2 == 0:
        odd, twos = odd // 2, twos + 1
    for base in (2, 3, 5, 7, 11, 13, 17, 19)[:rounds]:
        found = pow(base, odd, number)
        steps = [found]
        for _ in range(twos - 1):
            steps.append(steps[-1] ** 2 % number)
        if found != 1 and number - 1 not in steps:
            return False
    return True


def der(modulus: int, exponent: int = E) -> bytes:
    key = RSAPublicNumbers(exponent, modulus).public_key()
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def values(modulus: int) -> list[int]:
    """Of which a proof shows the roots."""
    found = list[int]()
    for i in range(8):
        hashed = b"puntobanco mix key 1\n" + modulus.to_bytes(BYTES) + bytes([i])
        found.append(int.from_bytes(hashlib.shake_256(hashed).digest(BYTES + 16)) % modulus)
    return found


def with_roots(modulus: int, inverse: int) -> bytes:
    """A key with the best proof that its maker can give: powers that would be roots."""
    roots = [pow(value, inverse, modulus).to_bytes(BYTES) for value in values(modulus)]
    return der(modulus) + b"".join(roots)


def message(commitment: str) -> bytes:
    return f"puntobanco mix 1\n{ORIGIN}\n{TABLE}\n{SHOE}\n{commitment}\n".encode()


def padded(signed: bytes) -> int:
    """PKCS#1 v1.5 with SHA-256."""
    digest = (
        bytes.fromhex("3031300d060960864801650304020105000420") + hashlib.sha256(signed).digest()
    )
    return int.from_bytes(b"\0\1" + b"\xff" * (BYTES - 3 - len(digest)) + b"\0" + digest)


# A prime that is 1 modulo the exponent

ORDER = (P - 1) // E * (Q - 1)
"""Of the group, without the exponent in it: there it has an inverse."""


def weak_key() -> bytes:
    return with_roots(MODULUS, pow(E, -1, ORDER))


def weak_signatures(count: int = 2) -> list[bytes]:
    """Of the message of that shoe: a root, times roots of one."""
    root = pow(padded(message(COMMITMENT)), pow(E, -1, ORDER), MODULUS)
    of_one = pow(2, ORDER, MODULUS)
    found = [root * pow(of_one, i, MODULUS) % MODULUS for i in range(count)]
    return [number.to_bytes(BYTES) for number in found]


# A square in the modulus


@cache
def squares(*, units: bool) -> tuple[int, int]:
    """A modulus of 2,048 bits that has nine in it, and the exponent's inverse. All that its proof
    shows the roots of share no factor with it, or not all; all have roots.
    """
    small = 1 << 32
    while True:
        small -= 1
        if not is_prime(small):
            continue
        modulus = 9 * small * LARGE
        shared = [value for value in values(modulus) if math.gcd(value, modulus) != 1]
        have_roots = all(value % 9 == 0 for value in shared)
        if have_roots and bool(shared) != units:
            return modulus, pow(E, -1, 6 * (small - 1) * (LARGE - 1))


def with_larger_root() -> bytes:
    """A key with its proof, but for one root that has the modulus added."""
    modulus, inverse = squares(units=True)
    roots = [pow(value, inverse, modulus) for value in values(modulus)]
    place = next(i for i, root in enumerate(roots) if root + modulus < 1 << 2048)
    roots[place] += modulus
    return der(modulus) + b"".join(root.to_bytes(BYTES) for root in roots)


def three_signatures(modulus: int, inverse: int, signed: bytes) -> list[bytes]:
    """Of a message that nine divides when it is padded."""
    number = padded(signed)
    assert number % 9 == 0
    of_rest = pow(number, inverse, modulus // 9)
    roots = [of_rest + i * (modulus // 9) for i in range(9)]
    return [root.to_bytes(BYTES) for root in roots if root % 3 == 0]
