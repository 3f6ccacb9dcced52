"""Witnesses of tests, and what they answer when they are asked to mix a shoe."""

import base64
import math
import random
from functools import cache

from cryptography.hazmat.primitives.asymmetric.rsa import (
    RSAPrivateKey,
    RSAPrivateNumbers,
    RSAPublicNumbers,
    rsa_crt_dmp1,
    rsa_crt_dmq1,
    rsa_crt_iqmp,
)

from puntobanco_floor.domain.machine import Mixers
from puntobanco_floor.domain.table.state import TableState
from puntobanco_proof import mix
from tests.support.weak_keys import is_prime

LOG = "example.com/log"
_SMALL = math.prod(filter(is_prime, range(23, 2_000, 2)), start=3 * 5 * 7 * 11 * 13 * 17 * 19)


@cache
def key_of(name: str) -> RSAPrivateKey:
    """Of a witness, by its name: the same in every run, so that a story told again has the same cards."""
    rng = random.Random(name)
    p, q = _prime(rng), _prime(rng)
    d = pow(mix.EXPONENT, -1, math.lcm(p - 1, q - 1))
    public = RSAPublicNumbers(mix.EXPONENT, p * q)
    parts = rsa_crt_dmp1(d, p), rsa_crt_dmq1(d, q), rsa_crt_iqmp(p, q)
    return RSAPrivateNumbers(p, q, d, *parts, public).private_key()


def _prime(rng: random.Random) -> int:
    bits = mix.KEY_BITS // 2
    found = rng.getrandbits(bits) | 3 << bits - 2 | 1
    while math.gcd(found, _SMALL) > 1 or not is_prime(found):
        found += 2
    return found


@cache
def public_of(name: str) -> str:
    return base64.b64encode(mix.encode_key(key_of(name))).decode()


def mixers(*names: str) -> Mixers:
    keys = {name: public_of(name) for name in names}
    return Mixers(log=LOG if names else "", keys=keys)


def answers(state: TableState, *names: str) -> dict[str, str]:
    """Of the witnesses that the shoe names, or of these."""
    shoe = state.shoe
    assert shoe is not None
    mixing = shoe.mixing
    message = mix.build_message(LOG, state.stream, shoe.number, shoe.commitment)
    asked = names or (mixing.names if mixing else ())
    return {name: mix.sign(message, key_of(name)).hex() for name in asked}
