"""verify.py and verify.html say the same of every receipt, and refuse each in which one byte was changed."""

from __future__ import annotations

import hashlib
import json
import os
import random

import pytest
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.rules.cards import code
from puntobanco.rules.causes import Cause
from puntobanco.rules.irregularities import GROUNDS, OF_THE_HOUSE
from puntobanco_proof.receipt_format import Shown, What
from puntobanco_proof.verifier import verify
from tests.support import weak_keys
from tests.support.claims import reads
from tests.verifier.both import Case, Said, verdicts
from tests.verifier.made import (
    NAMES,
    SESSION,
    TABLE,
    Journal,
    commitment_with,
    mix_key,
    mix_signature,
    mixer,
    order_with,
    played,
    policy,
    receipt,
    round_voided,
    shoe_played,
    voided,
)

HOLDS, REFUSED, UNPROVEN = 0, 1, 2
DER_BYTES = 294
"""Of a key for the mix; its proof is behind."""


def proven(**more: object) -> bytes:
    journal, what, places = played()
    return receipt(what, journal.proven(places, **more))  # type: ignore[arg-type]


def signed() -> bytes:
    journal, what, places = played()
    return receipt(what, [journal.signed(seq, shown) for seq, shown in places.items()])


SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"


def a_wager() -> bytes:
    journal, _, places = played()
    what = What(kind="wager", table=TABLE, round=1, session=SESSION, bet="banker")
    return receipt(what, journal.proven({3: places[3]}, others=2), claim="")


def one(data: bytes, own: str | None) -> Said:
    [said] = verdicts([Case(data, own)])
    return said


def marks(said: Said, check: str) -> list[str]:
    return [mark for mark, name, _ in said.lines if name == check]


# What holds, and how far


def test_a_proven_receipt_holds_under_the_users_policy() -> None:
    said = one(proven(), policy())
    assert said.code == HOLDS
    assert marks(said, "witnesses") == ["ok"]
    assert "banker 100.00 wins" in " ".join(said.facts)


def test_that_none_is_missing_is_never_said_to_be_proven() -> None:
    for said in verdicts([Case(proven(), policy()), Case(signed(), policy()), Case(proven())]):
        assert ("say", "missing") in [line[:2] for line in said.lines]


def test_the_houses_policy_never_counts_as_the_users() -> None:
    said = one(proven(), None)
    assert said.code == UNPROVEN
    assert marks(said, "policy") == ["open"]
    assert marks(said, "claim") == ["say", "say"]
    assert marks(said, "witnesses") == ["say"]


def test_a_receipt_without_proof_is_recorded_and_no_more() -> None:
    said = one(signed(), policy())
    assert said.code == UNPROVEN
    assert marks(said, "recorded") == ["open"]
    assert not marks(said, "log")


@pytest.mark.parametrize(
    ("own", "code", "last"),
    [
        (policy(), REFUSED, "witnesses"),  # all of two, and one has signed
        (policy(least="1"), HOLDS, "missing"),
        (policy(names=NAMES[1:]), REFUSED, "witnesses"),
        (policy(names=()), HOLDS, "missing"),
    ],
)
def test_the_quorum_decides(own: str, code: int, last: str) -> None:
    said = one(proven(names=NAMES[:1]), own)
    assert said.code == code
    assert said.lines[-1][1] == last


def test_without_a_witness_it_says_that_it_is_unwitnessed() -> None:
    said = one(proven(names=()), policy(names=()))
    assert said.code == HOLDS
    assert [text for _, name, text in said.lines if name == "witnesses"] == [
        "unwitnessed: the house alone says so"
    ]


def test_another_log_is_refused() -> None:
    other = policy().replace("floor.example/log", "other.example/log")
    bad = one(proven(), other)  # its key's id is of the other name
    assert bad.code == UNPROVEN
    assert marks(bad, "policy") == ["open"]


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "quorum none\n",
        "log x\nquorum none\n",
        policy() + "quorum none\n",
        policy().replace("group them all", "group them 3"),
        policy().replace("quorum them", "quorum nobody"),
        policy() + "witness\n",
    ],
)
def test_a_policy_that_cannot_be_read_proves_nothing(bad: str) -> None:
    said = one(proven(), bad)
    assert said.code == UNPROVEN
    assert marks(said, "policy") == ["open"]


# What it is about


def shown(journal: Journal, **places: list[int]) -> list[Shown]:
    return journal.proven({int(name[1:]): each for name, each in places.items()})


def test_anothers_line_is_refused() -> None:
    journal, what, _ = played()
    said = one(receipt(what, shown(journal, _1=[1], _5=[1, 2])), policy())
    assert (said.code, said.lines[-1][1]) == (REFUSED, "subject")


def test_who_gave_the_command_is_never_shown() -> None:
    journal, what, _ = played()
    said = one(receipt(what, shown(journal, _1=[0, 1])), policy())
    assert (said.code, said.lines[-1][1]) == (REFUSED, "parts")


@pytest.mark.parametrize(
    "what",
    [
        What(kind="round", table=TABLE, round=2, session=SESSION),
        What(kind="round", table="table:2", round=1, session=SESSION),
        What(kind="round", table=TABLE, round=1, session="other"),
        What(kind="round", table=TABLE, round=1, session=SESSION, shoe=1),
        What(kind="wager", table=TABLE, round=1, session=SESSION, bet="tie"),
        What(kind="shoe", table=TABLE, shoe=1),
        What(kind="session", table=TABLE, session=SESSION),
        What(kind="voucher", table=TABLE, session=SESSION, voucher="ab"),
    ],
)
def test_what_it_says_it_is_about_is_what_it_shows(what: What) -> None:
    journal, _, places = played()
    said = one(receipt(what, journal.proven(places)), policy())
    assert (said.code, said.lines[-1][1]) == (REFUSED, "subject")


# A whole shoe


def a_shoe(**more: object) -> bytes:
    journal, what, places = shoe_played(**more)  # type: ignore[arg-type]
    return receipt(what, journal.proven(places))


@pytest.mark.parametrize("burns", ["first-card", 0, 3])
def test_a_mixed_shoe_holds_to_the_last_card(burns: object) -> None:
    said = one(a_shoe(burns=burns), policy())
    assert said.code == HOLDS
    assert [name for mark, name, _ in said.lines if mark == "ok"][-3:] == ["mix", "reveal", "cards"]


def test_the_keys_for_the_mix_are_the_users_too() -> None:
    without = "".join(f"{line}\n" for line in policy().splitlines() if "mix" not in line)
    for said in verdicts([Case(a_shoe(), without), Case(a_shoe())]):
        assert said.code == UNPROVEN
        assert "ok" not in marks(said, "mix")


@pytest.mark.parametrize(
    ("least", "code", "mark"), [("all", UNPROVEN, "open"), ("any", HOLDS, "say")]
)
def test_a_shoe_that_fewer_mixed_than_the_users_policy_names_says_so(
    least: str, code: int, mark: str
) -> None:
    mixed = a_shoe(by=NAMES[:1])
    said = one(mixed, policy(least=least))
    few = f"mixed by 1 of the 2 witnesses of your policy, not by {NAMES[1]}"
    assert said.code == code
    assert (mark, "mix", few) in said.lines
    assert one(mixed, policy(NAMES[:1])).code == HOLDS


def test_a_shoe_that_nobody_mixed_says_so() -> None:
    said = one(a_shoe(mix=False), policy())
    assert said.code == HOLDS
    assert [text for _, name, text in said.lines if name == "mix"] == [
        "shuffled by the house alone: no witness has mixed it"
    ]


@pytest.mark.parametrize(
    ("cheat", "check"),
    [
        ("signature", "mix"),
        ("seed", "mix"),
        ("burn", "mix"),
        ("unmixed", "mix"),
        ("nonce", "reveal"),
        ("card", "cards"),
    ],
)
def test_what_the_house_does_otherwise_than_it_says_is_found(cheat: str, check: str) -> None:
    said = one(a_shoe(cheat=cheat), policy())
    assert (said.code, said.lines[-1][1]) == (REFUSED, check)


# Voids


CARD_GROUNDS = [
    ("foreign-card", "5.1"),
    ("wrong-deck-count", "5.1.2"),
    ("wrong-card-count", "5.2"),
    ("cards-drawn-together", "5.3"),
    ("order-altered", "5.4"),
    ("misread-card", "reading 45"),
]
IMPOSSIBLE = "void on a ground that cannot exist at a server-dealt table"


def void_lines(said: Said) -> list[tuple[str, str]]:
    return [(mark, text) for mark, name, text in said.lines if name == "void"]


def test_the_card_grounds_are_those_of_the_program() -> None:
    known = [*GROUNDS, *(each.ground for each in OF_THE_HOUSE)]
    about_cards = {each.id for each in known if each.needs_physical_cards}
    assert about_cards == {ground for ground, _ in CARD_GROUNDS} | {"insufficient-cards"}
    assert set(verify.CARD_GROUNDS) | {verify.TOO_FEW} == about_cards


@reads(49)
@pytest.mark.parametrize(("ground", "clause"), CARD_GROUNDS)
def test_a_void_on_a_card_ground_is_marked_in_the_receipt_of_a_server_dealt_shoe(
    ground: str, clause: str
) -> None:
    """It holds all the same: it proves what the house has recorded."""
    said = one(a_shoe(void=voided(ground, clause)), policy())
    assert said.code == HOLDS
    assert void_lines(said) == [("look", f"round 1: {IMPOSSIBLE}, {ground} [{clause}]")]
    early = one(a_shoe(void=voided(ground, clause), is_revealed=False), policy())
    assert void_lines(early) == void_lines(said)


@reads(49)
@pytest.mark.parametrize(("ground", "clause"), [*CARD_GROUNDS, ("insufficient-cards", "5.5")])
def test_a_round_with_its_own_commitment_is_marked_by_itself(ground: str, clause: str) -> None:
    said = one(round_voided(voided(ground, clause), commitment="ab" * 32), policy())
    assert said.code == HOLDS
    assert void_lines(said) == [("look", f"round 1: {IMPOSSIBLE}, {ground} [{clause}]")]


def test_a_round_of_a_shoe_does_not_show_who_dealt_and_says_so() -> None:
    said = one(round_voided(voided("foreign-card", "5.1")), policy())
    assert void_lines(said) == [
        (
            "say",
            "round 1: void, foreign-card [5.1], which needs physical cards; "
            "the receipt of the shoe shows who dealt",
        )
    ]


@reads(49)
def test_too_few_cards_are_held_against_the_order_that_is_revealed() -> None:
    """One deck: five cards to a round, and one first card with what is burned after it."""
    void = voided("insufficient-cards", "5.5")
    said = one(a_shoe(void=void, burns=0), policy())
    assert said.code == HOLDS
    text = "round 1: void for too few cards, and 47 were left in the shoe, insufficient-cards [5.5]"
    assert void_lines(said) == [("look", text)]
    unrevealed = one(a_shoe(void=void, is_revealed=False), policy())
    people = "void for too few cards, declared by people; only the server can know that"
    assert void_lines(unrevealed) == [("look", f"round 1: {people}, insufficient-cards [5.5]")]
    server = voided("insufficient-cards", "5.5", by_two=False)
    unrevealed = one(a_shoe(void=server, is_revealed=False), policy())
    text = "round 1: void for too few cards; the order will show it, insufficient-cards [5.5]"
    assert void_lines(unrevealed) == [("say", text)]


def test_a_shoe_that_was_empty_is_no_false_void() -> None:
    """Ten rounds of five cards, two burned, and the last of them void by the server."""
    journal, what, places = shoe_played(mix=False, rounds=1, is_revealed=False)
    cards = order_with(b"n" * 32).cards
    for number, first in enumerate(range(5, 52, 5), 2):
        for card in cards[first : first + 5]:
            dealt = e.CardDealt(
                round=number, slot="p1", card=code(card), why=Cause("first"), clause="1"
            )
            places[journal.add(dealt)] = [1]
    void = replace(voided("insufficient-cards", "5.5", by_two=False), round=11)
    places[journal.add(void)] = [1]
    order = order_with(b"n" * 32)
    ended = e.ShoeEnded(shoe=4, order=order.text, nonce=order.nonce.hex())
    places[journal.add(ended)] = [1]
    said = one(receipt(what, journal.proven(places)), policy())
    assert said.code == HOLDS
    text = "round 11: void for too few cards, and the shoe was empty, insufficient-cards [5.5]"
    assert void_lines(said) == [("ok", text)]


def test_a_malfunction_is_told_and_not_judged() -> None:
    said = one(a_shoe(void=voided("malfunction", "reading 31")), policy())
    assert void_lines(said) == [
        (
            "say",
            "round 1: void, malfunction [reading 31]; whether the server could read the cards, "
            "no receipt shows",
        )
    ]
    said = one(round_voided(voided("malfunction", "reading 31")), policy())
    assert void_lines(said) == [("say", "round 1: void, malfunction [reading 31]")]


# Keys of which a message has more than one signature


ALPHA = NAMES[0]


def without_keys() -> str:
    """A policy that says nothing of the mix: keys are those that the shoe names."""
    return "".join(f"{line}\n" for line in policy().splitlines() if "mix" not in line)


def last(said: Said) -> tuple[int, str, str]:
    return said.code, said.lines[-1][1], said.lines[-1][2]


UNPROVEN_KEY = (
    "the key of alpha.example for the mix is not proven to have one signature for a message"
)


def test_a_witness_with_many_signatures_for_a_shoe_mixes_none() -> None:
    """Two receipts of one commitment, dealt in two orders, with signatures that RSA calls good."""
    weak = weak_keys.weak_key()
    found = list[bytes]()
    for signature in weak_keys.weak_signatures(2):
        assert pow(int.from_bytes(signature), 65537, weak_keys.MODULUS) == weak_keys.padded(
            weak_keys.message(weak_keys.COMMITMENT)
        )
        for key in (weak, weak[:DER_BYTES], weak[:DER_BYTES] + mix_key(ALPHA)[DER_BYTES:]):
            found.append(
                a_shoe(nonce=weak_keys.NONCE, keys={ALPHA: key}, answers={ALPHA: signature})
            )
    assert weak_keys.COMMITMENT.encode() in found[0]
    assert len(set(found)) == 6
    for said in verdicts(Case(data, without_keys()) for data in found):
        assert last(said) == (REFUSED, "mix", UNPROVEN_KEY)


def changed_roots() -> list[bytes]:
    """One byte of each root."""
    found = list[bytes]()
    for place in range(DER_BYTES + 255, DER_BYTES + 8 * 256, 256):
        changed = bytearray(mix_key(ALPHA))
        changed[place] ^= 1
        found.append(bytes(changed))
    return found


def other_keys() -> dict[str, bytes]:
    own, other = mix_key(ALPHA), mix_key(NAMES[1])
    small = generate_private_key(65537, 1024).public_key().public_numbers().n
    modulus = mixer(ALPHA).public_key().public_numbers().n
    return {
        "none": b"\0",
        "without a proof": own[:DER_BYTES],
        "another's proof": own[:DER_BYTES] + other[DER_BYTES:],
        "seven roots": own[:-256],
        "nine roots": own + own[-256:],
        "1024 bits": weak_keys.der(small) + own[DER_BYTES:],
        "2040 bits": weak_keys.der(modulus >> 8 | 1) + own[DER_BYTES:],
        "exponent 3": weak_keys.der(modulus, 3) + own[DER_BYTES:],
        "a root with the modulus added": weak_keys.with_larger_root(),
        "a square": weak_keys.with_roots(*weak_keys.squares(units=False)),
        "a prime that is 1 modulo the exponent": weak_keys.weak_key(),
        **{f"root {i}": key for i, key in enumerate(changed_roots())},
    }


def test_a_key_without_its_own_proof_is_refused() -> None:
    keys = other_keys()
    cases = [Case(a_shoe(keys={ALPHA: key}), without_keys()) for key in keys.values()]
    for name, said in zip(keys, verdicts(cases), strict=True):
        assert last(said) == (REFUSED, "mix", UNPROVEN_KEY), name


def test_a_policy_with_such_a_key_cannot_be_read() -> None:
    keys = other_keys()
    cases = [Case(proven(), policy(keys={ALPHA: key})) for key in keys.values()]
    for name, said in zip(keys, verdicts(cases), strict=True):
        assert said.code == UNPROVEN
        why = "your policy cannot be read: line 3 of the policy has no proven key for the mix"
        assert ("open", "policy", why) in said.lines, name


def test_a_signature_that_shares_a_factor_with_the_modulus_or_has_it_added_is_refused() -> None:
    modulus, inverse = weak_keys.squares(units=True)
    keys = {ALPHA: weak_keys.with_roots(modulus, inverse)}
    good, bad, added = list[bytes](), list[bytes](), list[bytes]()
    number = 0
    while not (good and bad):
        number += 1
        nonce = number.to_bytes(32)
        signed = weak_keys.message(commitment_with(nonce))
        padded = weak_keys.padded(signed)
        if padded % 9 == 0:
            for each in weak_keys.three_signatures(modulus, inverse, signed):
                bad.append(a_shoe(nonce=nonce, keys=keys, answers={ALPHA: each}))
        elif padded % 3 and (root := pow(padded, inverse, modulus)) + modulus < 1 << 2048:
            one, more = root.to_bytes(256), (root + modulus).to_bytes(256)
            good.append(a_shoe(nonce=nonce, keys=keys, answers={ALPHA: one}))
            added.append(a_shoe(nonce=nonce, keys=keys, answers={ALPHA: more}))
    assert len(set(bad)) == 3
    own = policy(keys=keys)
    for said in verdicts(Case(data, own) for data in [*bad, *added]):
        text = "the mix is not signed by alpha.example, or not by the one signature"
        assert last(said) == (REFUSED, "mix", text)
    assert [said.code for said in verdicts([Case(good[0], own)])] == [HOLDS]


def test_a_signature_of_another_length_is_refused() -> None:
    own = mix_signature(ALPHA, 4, commitment_with(b"n" * 32))
    modulus = mixer(ALPHA).public_key().public_numbers().n
    more = int.from_bytes(own) + modulus
    others = [b"\0" + own, own[1:], own + b"\0", b"", more.to_bytes(257)]
    for said in verdicts(Case(a_shoe(answers={ALPHA: each}), policy()) for each in others):
        assert (said.code, said.lines[-1][1]) == (REFUSED, "mix")


# One byte changed

MOST_CHANGES = 1_500 if SLOW else 200


def changes(data: bytes, *, most: int) -> list[bytes]:
    """Each position once, another byte there; some of them where there are many."""
    dice = random.Random(21)
    positions = list(range(len(data)))
    if len(data) > most:
        positions = sorted(dice.sample(positions, most))
    found = list[bytes]()
    for place in positions:
        other = dice.choice([byte for byte in range(256) if byte != data[place]])
        near = data[place] ^ 1
        found += [data[:place] + bytes([byte]) + data[place + 1 :] for byte in {other, near}]
    return found


@pytest.mark.parametrize("own", [policy(), None], ids=["policy", "no policy"])
@pytest.mark.parametrize("make", [a_wager, proven, signed, a_shoe])
def test_a_changed_byte_anywhere_is_refused(make: object, own: str | None) -> None:
    data = make()  # type: ignore[operator]
    most = 10_000 if SLOW and make is a_wager and own else MOST_CHANGES
    for said in verdicts(Case(changed, own) for changed in changes(data, most=most)):
        assert said.code == REFUSED


def resealed(data: bytes) -> bytes | None:
    """With a sum that is right again, as whoever changes it on purpose would; none where it is no JSON."""
    try:
        found = json.loads(data)
        found["sum"] = ""
        bare = _canonical(found)
        found["sum"] = hashlib.sha256(bare).hexdigest()
        return _canonical(found)
    except (ValueError, TypeError, KeyError):
        return None


def _canonical(value: object) -> bytes:
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


@pytest.mark.parametrize("make", [a_wager, proven, signed])
def test_a_changed_byte_is_refused_with_a_right_sum_too_unless_nothing_is_claimed(
    make: object,
) -> None:
    """What the house says of itself may be changed: it proves nothing. Nothing else may."""
    data = make()  # type: ignore[operator]
    before = one(data, policy())
    cases = list[bytes]()
    for changed in changes(data, most=MOST_CHANGES):
        sealed = resealed(changed)
        if sealed is not None and sealed != data:
            cases.append(sealed)
    assert len(cases) > MOST_CHANGES // 3
    claimed = 0
    for case, said in zip(cases, verdicts(Case(case, policy()) for case in cases), strict=True):
        if said.code == REFUSED:
            continue
        claimed += 1
        assert said.code == before.code
        assert said.facts == before.facts
        same = [line for line in said.lines if line[1] not in ("claim", "file")]
        assert same == [line for line in before.lines if line[1] not in ("claim", "file")]
        found, own = json.loads(case), json.loads(data)
        assert found["claim"] != own["claim"]
        assert {**found, "claim": 0, "sum": 0} == {**own, "claim": 0, "sum": 0}
    assert claimed > 0 or make is a_wager
