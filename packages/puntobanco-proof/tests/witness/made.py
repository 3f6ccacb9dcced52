"""A log as a floor would grow it, with entries that start shoes, for tests of witnesses; no floor is needed."""

import hashlib
import secrets
from functools import cache
from typing import Any

import msgspec

from puntobanco_proof.entry.format import hash_parts
from puntobanco_proof.tree import merkle
from puntobanco_proof.tree.checkpoints import Checkpoint, sign_checkpoint
from puntobanco_proof.tree.leaves import build_leaf, derive_salt
from puntobanco_proof.tree.log_tree import compute_root, prove_consistency, prove_inclusion
from puntobanco_proof.tree.notes import Signature, Signer, add_signatures
from puntobanco_proof.tree.proofs import Proof
from puntobanco_proof.witness.identity import Identity
from puntobanco_proof.witness.requests import AddCheckpoint, Mix, build_mix_request
from tests.tlog.keys import LOG, ORIGIN, mix_key, mix_public
from tests.tlog.trees import hashes_over

LEAF_KEY = bytes(range(32))
NAME = "ann.example/w"
COMMITMENT = hashlib.sha256(b"an order").hexdigest()
encode = msgspec.json.Encoder(order="sorted").encode


@cache
def identity(name: str = NAME) -> Identity:
    """With an RSA key that is made once a run: key and proof take long."""
    return Identity(name, hashlib.sha256(name.encode()).digest(), mix_key(name))


def entry_of(
    *events: dict[str, Any],
    stream: str = "table:3",
    seq: int = 1,
    epoch: int = 1,
    rules: str = "six-star",
) -> bytes:
    """As the journal writes it, whatever the events are: a witness may be older than they."""
    parts = [encode({"by": "store", "command": "StartShoe", "id": ""}), *map(encode, events)]
    own_salt = secrets.token_hex(16)
    header = {
        **{"stream": stream, "epoch": epoch, "seq": seq, "at": 1_763_348_400_000, "rules": rules},
        **{"prev": "0" * 64, "root": merkle.compute_root(hash_parts(own_salt, parts)).hex()},
        **{"size": len(parts), "v": 2},
    }
    return b"[" + b",".join([encode(header), encode(own_salt), *parts]) + b"]"


def shoe_started(number: int = 12, **fields: Any) -> dict[str, Any]:
    return {
        **{"event": "ShoeStarted", "shoe": number, "source": "virtual", "dealing": "shoe"},
        **{"decks": 8, "cut": 14, "burn": 1, "commitment": COMMITMENT, "mix": [NAME]},
        **fields,
    }


class Grown:
    """A log: what was appended, and what its floor asks witnesses for."""

    def __init__(self, signer: Signer = LOG) -> None:
        self.signer, self.leaves = signer, list[bytes]()

    @property
    def size(self) -> int:
        return len(self.leaves)

    def append(self, *leaves: bytes) -> None:
        self.leaves += leaves

    def grow(self, count: int) -> None:
        self.append(*(f"leaf {self.size + i}".encode() for i in range(count)))

    def add(self, entry: bytes, *, stream: str = "table:3", seq: int = 1, epoch: int = 1) -> int:
        """The place of an entry's leaf."""
        header = msgspec.json.decode(entry, type=list[msgspec.Raw])[0]
        hash_ = hashlib.sha256(bytes(header)).hexdigest()
        self.append(build_leaf(derive_salt(LEAF_KEY, stream, seq, epoch), hash_))
        return self.size - 1

    def head(self, size: int | None = None) -> Checkpoint:
        size = self.size if size is None else size
        hashes = hashes_over([merkle.hash_leaf(one) for one in self.leaves[:size]])
        return Checkpoint(self.signer.verifier.name, size, compute_root(size, hashes))

    def note(self, size: int | None = None) -> str:
        return sign_checkpoint(self.head(size), self.signer)

    def asked(self, old: int, size: int | None = None) -> AddCheckpoint:
        new = self.size if size is None else size
        hashes = hashes_over([merkle.hash_leaf(one) for one in self.leaves])
        return AddCheckpoint(old, tuple(prove_consistency(old, new, hashes)), self.note(new))

    def proof(self, index: int, *cosignatures: Signature) -> Proof:
        hashes = hashes_over([merkle.hash_leaf(one) for one in self.leaves])
        note = add_signatures(self.note(), cosignatures)
        return Proof(index, tuple(prove_inclusion(index, self.size, hashes)), note)


def mix_request(entry: bytes, proof: Proof, *, place: int = 1, **fields: Any) -> Mix:
    given: dict[str, Any] = {
        "origin": ORIGIN,
        "stream": "table:3",
        "shoe": 12,
        "commitment": COMMITMENT,
        **fields,
    }
    own = derive_salt(LEAF_KEY, "table:3", 1, 1)
    return build_mix_request(entry, place, salt=own, proof=proof, **given)


MIX_KEY = mix_public(NAME)
