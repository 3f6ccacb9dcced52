"""Receipts made by hand, for the verifiers: real entries in a small log, with keys from seeds.

The log, its notes and its proofs are written here once more, from the specifications: what the program makes is tested elsewhere.
"""

from __future__ import annotations

import base64
import hashlib
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

import puntobanco_floor.domain.events as e
from puntobanco.rules.cards import code, points_of
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.entry import Entry, write_entry
from puntobanco_floor.journal.signing import Admission
from puntobanco_proof import mix as mixing
from puntobanco_proof.entry.format import (
    NOTHING,
    canonical,
    derive_part_salt,
    hash_parts,
    split_entry,
)
from puntobanco_proof.entry.heads import Head
from puntobanco_proof.mix import shuffle
from puntobanco_proof.receipt_format import (
    Claim,
    Part,
    Receipt,
    Shown,
    Signed,
    What,
    encode_receipt,
)
from puntobanco_proof.tree import merkle
from tests.support.weak_keys import with_roots

TABLE, ORIGIN = "table:1", "floor.example/log"
LOG, WITNESS = 1, 4
NAMES = ("alpha.example", "beta.example")
NO_KEYS: Mapping[str, bytes] = {}
AT = 1_773_000_000_000
SEEN_AT = 1_773_000_007
SESSION = "T-07:9f31c7a2"
HOUSE = 'Casino "Löwe" 金獅'
"""With characters that JSON escapes, and such as it need not."""


def private(seed: str) -> Ed25519PrivateKey:
    return Ed25519PrivateKey.from_private_bytes(hashlib.sha256(seed.encode()).digest())


@cache
def mixer(name: str) -> rsa.RSAPrivateKey:
    """Drawn anew in each process: nothing here depends on which it is."""
    assert name in NAMES
    return rsa.generate_private_key(65537, 2048)


@cache
def mix_key(name: str) -> bytes:
    """The public one, with the proof that its signatures are unique: eight roots of numbers hashed from it."""
    numbers = mixer(name).private_numbers()
    modulus = numbers.public_numbers.n
    return with_roots(modulus, numbers.d)


def public(key: Ed25519PrivateKey) -> bytes:
    return key.public_key().public_bytes_raw()


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def key_id(name: str, kind: int) -> bytes:
    hashed = name.encode() + b"\n" + bytes([kind]) + public(private(name))
    return hashlib.sha256(hashed).digest()[:4]


def vkey(name: str, kind: int) -> str:
    return f"{name}+{key_id(name, kind).hex()}+{encoded(bytes([kind]) + public(private(name)))}"


def policy(
    names: Sequence[str] = NAMES, least: str = "all", keys: Mapping[str, bytes] = NO_KEYS
) -> str:
    """`keys` are other keys for the mix, by the name of their witness."""
    lines = [f"log {vkey(ORIGIN, LOG)}"]
    for name in names:
        key = keys.get(name) or mix_key(name)
        lines += [f"witness {name} {vkey(name, WITNESS)}", f"# mix {name} {encoded(key)}"]
    if names:
        lines.append(f"group them {least} {' '.join(names)}")
    lines.append(f"quorum {'them' if names else 'none'}")
    return "".join(f"{line}\n" for line in lines)


def note(size: int, root: bytes, names: Sequence[str] = NAMES) -> str:
    body = f"{ORIGIN}\n{size}\n{encoded(root)}\n"
    lines = [f"— {ORIGIN} {encoded(key_id(ORIGIN, LOG) + private(ORIGIN).sign(body.encode()))}"]
    for name in names:
        signed = private(name).sign(f"cosignature/v1\ntime {SEEN_AT}\n{body}".encode())
        lines.append(
            f"— {name} {encoded(key_id(name, WITNESS) + SEEN_AT.to_bytes(8, 'big') + signed)}"
        )
    return f"{body}\n" + "".join(f"{line}\n" for line in lines)


def mix_signature(name: str, shoe: int, commitment: str) -> bytes:
    message = f"puntobanco mix 1\n{ORIGIN}\n{TABLE}\n{shoe}\n{commitment}\n".encode()
    return mixer(name).sign(message, PKCS1v15(), SHA256())


@dataclass
class Journal:
    """A table's entries; each holds the hash of the one before."""

    rows: list[bytes] = field(default_factory=list)
    hashes: list[str] = field(default_factory=list)

    def add(self, *events: e.Event, by: str = "dealer") -> int:
        seq = len(self.rows) + 1
        entry = Entry(
            stream=TABLE,
            epoch=1,
            seq=seq,
            at=AT + 1000 * seq,
            by=by,
            command="Some",
            id=f"id-{seq}",
            rules="fortune-six 1",
            prev=self.hashes[-1] if self.hashes else NOTHING,
            salt=hashlib.sha256(b"salt %d" % seq).hexdigest()[:32],
            events=events,
        )
        data, hash_ = write_entry(entry)
        self.rows.append(data)
        self.hashes.append(hash_)
        return seq

    def shown(self, seq: int, places: Sequence[int]) -> Shown:
        """Without a proof yet."""
        header, salt, parts = split_entry(self.rows[seq - 1])
        leaves = hash_parts(salt, parts)
        shown = [
            Part(
                part=parts[place].decode(),
                place=place,
                proof=[each.hex() for each in merkle.build_proof(leaves, place)],
                salt=derive_part_salt(salt, place),
            )
            for place in places
        ]
        return Shown(header=header.decode(), leaf_salt="", parts=shown, proof="", signed=[])

    def signed(self, seq: int, places: Sequence[int]) -> Shown:
        """By a node, at the last entry."""
        node, root, last = private("node"), private("root"), len(self.rows)
        key = public(node).hex()[:16]
        head = canonical(Head(stream=TABLE, epoch=1, seq=last, hash=self.hashes[-1], key=key))
        admission = canonical(
            Admission(stream=TABLE, key=key, public=public(node).hex(), root="root-1")
        )
        signed = Signed(
            admission=admission.decode(),
            certificate=root.sign(admission).hex(),
            chain=[split_entry(row).header.decode() for row in self.rows[seq:]],
            head=head.decode(),
            root=public(root).hex(),
            signature=node.sign(head).hex(),
        )
        shown = self.shown(seq, places)
        return Shown(shown.header, "", shown.parts, "", [signed])

    def proven(
        self, places: dict[int, Sequence[int]], *, others: int = 9, names: Sequence[str] = NAMES
    ) -> list[Shown]:
        """In a log that holds all entries and so many other leaves, some before and some after."""
        salts = {
            seq: hashlib.sha256(b"leaf %d" % seq).digest() for seq in range(1, len(self.rows) + 1)
        }
        own = [
            merkle.hash_leaf(hashlib.sha256(salts[seq] + bytes.fromhex(hash_)).digest())
            for seq, hash_ in enumerate(self.hashes, 1)
        ]
        before = others // 2
        filler = [merkle.hash_leaf(b"other %d" % n) for n in range(others)]
        leaves = [*filler[:before], *own, *filler[before:]]
        text = note(len(leaves), merkle.compute_root(leaves), names)
        found = list[Shown]()
        for seq, shown_places in places.items():
            index = before + seq - 1
            lines = ["c2sp.org/tlog-proof@v1", f"index {index}"]
            lines += [encoded(each) for each in merkle.build_proof(leaves, index)]
            proof = "".join(f"{line}\n" for line in lines) + "\n" + text
            bare = self.shown(seq, shown_places)
            found.append(Shown(bare.header, salts[seq].hex(), bare.parts, proof, []))
        return found


def receipt(
    what: What,
    entries: list[Shown],
    *,
    says: str = "witnessed",
    claim: str | None = None,
    house: str = HOUSE,
) -> bytes:
    claimed = policy() if claim is None else claim
    own = Claim(house=house, policy=claimed, says=says)  # type: ignore[arg-type]
    return encode_receipt(Receipt(claim=own, entries=entries, what=what))


# Stories


def played() -> tuple[Journal, What, dict[int, Sequence[int]]]:
    """A round of two patrons; one has a receipt."""
    journal = Journal()
    opened = e.BetsOpened(round=1, shoe=1, announcement="Place your bets", closes_at=None)
    places = dict[int, Sequence[int]]()
    places[journal.add(opened)] = [1]
    journal.add(e.WagerPlaced(round=1, session="other", bet="player", stake_cents=500), by="other")
    wagered = e.WagerPlaced(round=1, session=SESSION, bet="banker", stake_cents=10_000)
    places[journal.add(wagered, by=SESSION)] = [1]
    journal.add(e.BetsClosed(round=1, announcement="No more bets"))
    lines = (
        e.Line("other", "player", 500, "loses", 0, 0, 0, "4.1"),
        e.Line(SESSION, "banker", 10_000, "wins", 10_000, 10_000, 0, "4.1"),
    )
    settled = e.RoundSettled(
        round=1, result="B", player=2, banker=9, cards="2s 9h Kd Kc", lines=lines
    )
    places[journal.add(settled)] = [1, 3]
    return journal, What(kind="round", table=TABLE, round=1, session=SESSION), places


def voided(ground: str, clause: str, *, by_two: bool = True, reveal: str = "") -> e.RoundVoided:
    """Round 1, with the wager of a patron returned."""
    by, second = ("sam", "sue") if by_two else ("", "")
    return e.RoundVoided(
        round=1,
        ground=ground,
        clause=clause,
        lines=(e.Line(SESSION, "banker", 10_000, "void", 0, 10_000, 0, clause),),
        proposed_by=by,
        approved_by=second,
        reveal=reveal,
    )


def round_voided(void: e.RoundVoided, *, commitment: str = "") -> bytes:
    """A receipt of the round, with the commitment of a continuous shoe or without."""
    journal, places = Journal(), dict[int, Sequence[int]]()
    opened = e.BetsOpened(
        round=1, shoe=1, announcement="Place your bets", closes_at=None, commitment=commitment
    )
    places[journal.add(opened)] = [1]
    wagered = e.WagerPlaced(round=1, session=SESSION, bet="banker", stake_cents=10_000)
    places[journal.add(wagered, by=SESSION)] = [1]
    places[journal.add(void)] = [1, 2]
    what = What(kind="round", table=TABLE, round=1, session=SESSION)
    return receipt(what, journal.proven(places))


def order_with(nonce: bytes) -> Order:
    """One deck."""
    cards = shuffle(range(52), below=random.Random(7).randrange)
    return Order(cards=cards, nonce=nonce)


def commitment_with(nonce: bytes) -> str:
    return order_with(nonce).commitment


def shoe_played(
    *,
    mix: bool = True,
    by: Sequence[str] = NAMES,
    rounds: int = 3,
    burns: e.Burn = "first-card",
    cheat: str = "",
    nonce: bytes = b"n" * 32,
    keys: Mapping[str, bytes] = NO_KEYS,
    answers: Mapping[str, bytes] = NO_KEYS,
    void: e.RoundVoided | None = None,
    is_revealed: bool = True,
) -> tuple[Journal, What, dict[int, Sequence[int]]]:
    """A shoe of one deck from its commitment to its reveal; `cheat` names what the house does otherwise than it says.
    Of a witness in `keys` that is its key for the mix, and its signature is that in `answers`. The first round is void.
    """
    journal, places = Journal(), dict[int, Sequence[int]]()
    order = order_with(nonce)
    names = tuple(by) if mix else ()
    started = e.ShoeStarted(
        shoe=4,
        source="shoe",
        dealing="virtual",
        decks=1,
        cut=6,
        burn=0,
        commitment=order.commitment,
        mix=names,
        mix_keys=tuple(encoded(keys.get(name) or mix_key(name)) for name in names),
        log=ORIGIN if mix else "",
        burns=burns if mix else 0,
    )
    places[journal.add(started)] = [1]
    dealt, place = order.cards, 0
    if mix:
        own = {name: mix_signature(name, 4, order.commitment) for name in names}
        signatures = {**own, **answers}
        if cheat == "signature":
            signatures[NAMES[0]] = mix_signature(NAMES[0], 5, order.commitment)
        hashed = bytes.fromhex(order.commitment) + b"".join(signatures.values())
        seed = hashlib.sha256(b"puntobanco mix seed 1\n" + hashed).digest()
        dealt = mixing.shuffle_by_seed(order.cards, seed)
        first = code(dealt[0]) if burns == "first-card" else ""
        burn = (points_of(dealt[0]) or 10) if burns == "first-card" else burns
        burn += cheat == "burn"
        place = bool(first) + burn
        mixed = e.ShoeMixed(
            shoe=4,
            signatures={name: each.hex() for name, each in signatures.items()},
            seed=(bytes(32) if cheat == "seed" else seed).hex(),
            first_card=first,
            burn=burn,
        )
        if cheat != "unmixed":
            places[journal.add(mixed)] = [1]
        else:
            dealt, place = order.cards, 0
    for number in range(1, rounds + 1):
        cards = dealt[place : place + 5]
        place += 5
        if cheat == "card" and number == rounds:
            cards = bytes(reversed(cards))
        text = " ".join(map(code, cards))
        settled = e.RoundSettled(round=number, result="B", player=2, banker=9, cards=text, lines=())
        if number == 1:  # of a void round the cards are told one by one
            for card in cards:
                dealt_one = e.CardDealt(
                    round=1, slot="p1", card=code(card), why=Cause("first"), clause="1"
                )
                places[journal.add(dealt_one)] = [1]
            if void is not None:
                places[journal.add(void)] = [1]
        else:
            places[journal.add(settled)] = [1]
    if not is_revealed:
        return journal, What(kind="shoe", table=TABLE, shoe=4), places
    told = bytes(32) if cheat == "nonce" else order.nonce
    places[journal.add(e.ShoeEnded(shoe=4, order=order.text, nonce=told.hex()))] = [1]
    return journal, What(kind="shoe", table=TABLE, shoe=4), places
