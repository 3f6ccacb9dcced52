"""The mix: every order equally likely whatever the house committed to, and one signature for a message."""

import hashlib
import math
import random
from collections import Counter
from itertools import permutations

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_der_public_key,
)
from hypothesis import given
from hypothesis import strategies as st

from puntobanco_proof.mix import (
    FIRST_STREAM_BYTES,
    KEY_BYTES,
    PROOF_ROOTS,
    ROOT_BYTES,
    SIGNATURE_BYTES,
    WORD_BYTES,
    WORDS,
    MixFault,
    build_message,
    derive_seed,
    draw_from_seed,
    encode_key,
    read_key,
    shuffle_by_seed,
    sign,
    verify,
)
from tests.support import weak_keys
from tests.tlog.keys import mix_key, mix_public

COMMITMENT = hashlib.sha256(b"an order").hexdigest()
SEED = bytes(range(32))


# Known answers: the same in every program that mixes or verifies


def test_the_message_is_five_lines() -> None:
    assert build_message("example.com/floor", "table:3", 12, COMMITMENT) == (
        b"puntobanco mix 1\nexample.com/floor\ntable:3\n12\n" + COMMITMENT.encode() + b"\n"
    )


def test_the_seed_of_known_signatures() -> None:
    signatures = [bytes([1]) * SIGNATURE_BYTES, bytes([2]) * SIGNATURE_BYTES]
    by_hand = b"puntobanco mix seed 1\n" + bytes.fromhex(COMMITMENT) + b"\1" * 256 + b"\2" * 256
    assert derive_seed(COMMITMENT, signatures) == hashlib.sha256(by_hand).digest()
    assert (
        derive_seed(COMMITMENT, signatures).hex()
        == "250aedef80061200500b99cf39df90db3b9b0fc78abbc7a37e70e6a319564d08"
    )
    assert derive_seed(COMMITMENT, signatures[::-1]) != derive_seed(COMMITMENT, signatures)


def test_the_order_of_a_known_seed() -> None:
    assert list(shuffle_by_seed(bytes(range(13)), SEED)) == [
        10,
        11,
        3,
        0,
        2,
        8,
        7,
        12,
        5,
        6,
        9,
        1,
        4,
    ]
    whole = shuffle_by_seed(bytes(range(52)) * 8, SEED)
    assert (
        hashlib.sha256(whole).hexdigest()
        == "f41d2830dd673ea70f3f8392d24265c63014d75e9d3a3ab8301e1d7a65c6b61a"
    )


def test_the_first_draws_of_a_known_seed() -> None:
    draw = draw_from_seed(SEED)
    assert [draw(n) for n in (416, 415, 2, 1, 1000, WORDS)] == [296, 325, 1, 0, 315, 3810411795]


# The draws


def words_of(made_from: bytes, count: int) -> list[int]:
    raw = hashlib.shake_256(made_from).digest(WORD_BYTES * count)
    return [int.from_bytes(raw[i : i + WORD_BYTES], "big") for i in range(0, len(raw), WORD_BYTES)]


@given(
    st.binary(min_size=32, max_size=32), st.lists(st.integers(1, WORDS), min_size=1, max_size=30)
)
def test_draws_are_whole_words_with_rejection(made_from: bytes, bounds: list[int]) -> None:
    """A second reading of the rule, word by word."""
    words = iter(words_of(made_from, 200))
    draw = draw_from_seed(made_from)
    for n in bounds:
        word = next(word for word in words if word < WORDS // n * n)
        assert draw(n) == word % n


def test_the_largest_multiple_is_where_rejection_begins() -> None:
    """n just over half of all words rejects nearly half of them; a power of two none."""
    half = WORDS // 2 + 1
    words = words_of(SEED, 2000)
    draw = draw_from_seed(SEED)
    kept = [word for word in words if word < half]
    assert [draw(half) for _ in range(len(kept) - 1)] == kept[:-1]
    assert 900 < len(kept) < 1100
    draw = draw_from_seed(SEED)
    assert [draw(WORDS // 2) for _ in range(2000)] == [word % (WORDS // 2) for word in words]


def test_one_of_one_takes_a_word_too() -> None:
    words, draw = words_of(SEED, 2), draw_from_seed(SEED)
    assert draw(1) == 0
    assert draw(WORDS) == words[1]


def test_the_stream_goes_on_where_more_is_needed() -> None:
    count = 5 * FIRST_STREAM_BYTES // WORD_BYTES
    draw = draw_from_seed(SEED)
    assert [draw(WORDS) for _ in range(count)] == words_of(SEED, count)


# The order


def chi_square(counts: Counter[bytes], cells: int) -> float:
    expected = counts.total() / cells
    return sum((counts[cell] - expected) ** 2 for cell in counts) / expected + expected * (
        cells - len(counts)
    )


@pytest.mark.parametrize("cards", [3, 4, 5])
def test_every_order_is_equally_likely(cards: int) -> None:
    """5 standard deviations of chi-square; the seeds are hashes of numbers, the same every time."""
    orders = math.factorial(cards)
    rounds = 200 * orders
    committed = bytes(range(cards))
    made = (hashlib.sha256(number.to_bytes(4)).digest() for number in range(rounds))
    counts = Counter(shuffle_by_seed(committed, one) for one in made)
    degrees = orders - 1
    assert abs(chi_square(counts, orders) - degrees) < 5 * math.sqrt(2 * degrees)


def test_every_card_of_a_shoe_comes_to_every_place() -> None:
    """A committed order that the house likes is worth nothing: where card 0 ends, and what comes first."""
    rounds, cards = 20_800, 416
    committed = bytes(range(208)) * 2
    places, firsts = Counter[bytes](), Counter[bytes]()
    seeded = random.Random(21)
    for _ in range(rounds // 52):
        dealt = shuffle_by_seed(committed, seeded.randbytes(32))
        assert sorted(dealt) == sorted(committed)
        places[dealt.index(0).to_bytes(2)] += 1
        firsts.update(bytes([card]) for card in dealt[:52])
    assert len(places) > cards / 2
    degrees = 207
    assert abs(chi_square(firsts, 208) - degrees) < 5 * math.sqrt(2 * degrees)


def test_all_orders_of_four_cards_are_reached() -> None:
    seeded = random.Random(7)
    reached = {shuffle_by_seed(b"abcd", seeded.randbytes(32)) for _ in range(1000)}
    assert reached == {bytes(order) for order in permutations(b"abcd")}


# Signatures


KEY = mix_key("mix")
PUBLIC = mix_public("mix")
MESSAGE = build_message("example.com/floor", "table:3", 12, COMMITMENT)


def test_a_message_has_one_signature() -> None:
    signature = sign(MESSAGE, KEY)
    assert {sign(MESSAGE, KEY) for _ in range(5)} == {signature}
    assert len(signature) == SIGNATURE_BYTES
    verify(signature, MESSAGE, PUBLIC)


def test_no_other_signature_verifies() -> None:
    """Every bit changed; longer, shorter; and the number with the modulus added, which has the same remainder."""
    signature = sign(MESSAGE, KEY)
    others = [bytes(256), signature[:-1], signature + b"\0", b"\0" + signature, b""]
    for bit in range(0, 2048, 7):
        changed = bytearray(signature)
        changed[bit // 8] ^= 1 << bit % 8
        others.append(bytes(changed))
    again = int.from_bytes(signature) + KEY.public_key().public_numbers().n
    if again < 1 << 2048:
        others.append(again.to_bytes(256))
    for other in others:
        with pytest.raises(MixFault) as caught:
            verify(other, MESSAGE, PUBLIC)
        assert "\n" not in caught.value.reason
    with pytest.raises(MixFault, match="is not that of its witness"):
        verify(signature, build_message("example.com/floor", "table:3", 13, COMMITMENT), PUBLIC)


def spki(key: object) -> bytes:
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)  # type: ignore[attr-defined,no-any-return]


def test_other_keys_are_refused() -> None:
    refused = [
        (b"", "not a public key in DER"),
        (PUBLIC[: KEY_BYTES - 1], "not a public key in DER"),
        (b"\0" + PUBLIC, "not a public key in DER"),
        (spki(Ed25519PrivateKey.generate()), "must be an RSA key"),
        (spki(generate_private_key(65537, 1024)), "must have 2048 bits and the exponent 65537"),
        (spki(generate_private_key(3, 2048)), "must have 2048 bits and the exponent 65537"),
    ]
    for der, said in refused:
        with pytest.raises(MixFault, match=said):
            read_key(der)


# The proof that a key has unique signatures


def is_signature(signature: bytes, signed: bytes, der: bytes) -> bool:
    """As every RSA program sees it."""
    public = load_der_public_key(der)
    assert isinstance(public, RSAPublicKey)
    public.verify(signature, signed, PKCS1v15(), SHA256())
    return True


def test_a_key_with_its_proof_has_one_form_and_one_length() -> None:
    assert encode_key(KEY) == PUBLIC
    assert PUBLIC[:KEY_BYTES] == spki(KEY)
    assert len(PUBLIC) == KEY_BYTES + PROOF_ROOTS * ROOT_BYTES == 294 + 2048
    assert read_key(PUBLIC).public_numbers() == KEY.public_key().public_numbers()


def test_a_proof_is_the_roots_of_numbers_hashed_from_the_key() -> None:
    n = KEY.public_key().public_numbers().n
    roots = [PUBLIC[KEY_BYTES:][i : i + ROOT_BYTES] for i in range(0, 2048, ROOT_BYTES)]
    assert [pow(int.from_bytes(root), 65537, n) for root in roots] == weak_keys.values(n)


def test_a_prime_that_is_one_modulo_the_exponent_gives_a_message_many_signatures() -> None:
    """The reason for the proof: a house that works with such a witness chooses among 65,537 seeds."""
    assert weak_keys.is_prime(weak_keys.P)
    assert weak_keys.is_prime(weak_keys.Q)
    assert weak_keys.P % 65537 == 1
    signed = weak_keys.message(weak_keys.COMMITMENT)
    weak, signatures = weak_keys.weak_key(), weak_keys.weak_signatures(20)
    assert all(is_signature(each, signed, weak[:KEY_BYTES]) for each in signatures)
    assert len({derive_seed(weak_keys.COMMITMENT, [each]) for each in signatures}) == 20
    for key in (weak, weak[:KEY_BYTES], weak[:KEY_BYTES] + PUBLIC[KEY_BYTES:]):
        with pytest.raises(MixFault, match="unique"):
            read_key(key)
        for each in signatures[:2]:
            with pytest.raises(MixFault, match="unique"):
                verify(each, signed, key)


def test_a_modulus_with_a_square_is_refused_or_has_no_signature_that_is_not_unique() -> None:
    """Its proof fails where a number in it has the factor; where none has, such a message is refused."""
    modulus, inverse = weak_keys.squares(units=False)
    with pytest.raises(MixFault, match="the proof of the mix key is wrong"):
        read_key(weak_keys.with_roots(modulus, inverse))
    modulus, inverse = weak_keys.squares(units=True)
    key = weak_keys.with_roots(modulus, inverse)
    read_key(key)
    messages = [
        build_message("example.com/floor", "table:3", shoe, COMMITMENT) for shoe in range(1, 99)
    ]
    signed = next(one for one in messages if weak_keys.padded(one) % 9 == 0)
    signatures = weak_keys.three_signatures(modulus, inverse, signed)
    assert len(set(signatures)) == 3
    for each in signatures:
        assert is_signature(each, signed, key[:KEY_BYTES])
        with pytest.raises(MixFault, match="is not unique"):
            verify(each, signed, key)
    other = next(one for one in messages if weak_keys.padded(one) % 3)
    root = pow(weak_keys.padded(other), inverse, modulus)
    verify(root.to_bytes(ROOT_BYTES), other, key)


def test_the_proof_of_another_key_is_refused() -> None:
    other = mix_public("other")
    with pytest.raises(MixFault, match="the proof of the mix key is wrong"):
        read_key(PUBLIC[:KEY_BYTES] + other[KEY_BYTES:])


def test_a_proof_that_lacks_a_root_or_has_one_more_is_refused() -> None:
    for wrong in (PUBLIC[:-1], PUBLIC + b"\0", PUBLIC[:-ROOT_BYTES], PUBLIC + PUBLIC[-ROOT_BYTES:]):
        with pytest.raises(MixFault, match="has no proof"):
            read_key(wrong)


@pytest.mark.parametrize("root", range(PROOF_ROOTS))
def test_a_changed_byte_in_a_root_is_refused(root: int) -> None:
    start = KEY_BYTES + root * ROOT_BYTES
    for place in (start, start + 100, start + ROOT_BYTES - 1):
        changed = bytearray(PUBLIC)
        changed[place] ^= 1
        with pytest.raises(MixFault, match="the proof of the mix key is wrong"):
            read_key(bytes(changed))


def test_a_root_with_the_modulus_added_is_refused() -> None:
    """There is one way to write a proof."""
    with pytest.raises(MixFault, match="the proof of the mix key is wrong"):
        read_key(weak_keys.with_larger_root())


@pytest.mark.parametrize(
    ("origin", "stream", "shoe", "commitment"),
    [
        ("", "table:3", 12, COMMITMENT),
        ("a\nb", "table:3", 12, COMMITMENT),
        ("a", "table:3\n12", 12, COMMITMENT),
        ("a", "", 12, COMMITMENT),
        ("a", "table:3", 0, COMMITMENT),
        ("a", "table:3", 12, COMMITMENT.upper()),
        ("a", "table:3", 12, COMMITMENT[:-1]),
        ("a", "table:3", 12, COMMITMENT + "\n"),
    ],
)
def test_a_message_cannot_be_taken_for_another(
    origin: str, stream: str, shoe: int, commitment: str
) -> None:
    with pytest.raises(MixFault):
        build_message(origin, stream, shoe, commitment)


def test_a_seed_takes_whole_signatures() -> None:
    for wrong in ([], [b""], [bytes(255)], [bytes(256), bytes(257)]):
        with pytest.raises(MixFault, match="signatures of 256 bytes each"):
            derive_seed(COMMITMENT, wrong)
    with pytest.raises(MixFault, match="a seed must have 32 bytes"):
        draw_from_seed(bytes(31))
