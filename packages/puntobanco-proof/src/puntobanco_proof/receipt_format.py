"""Receipt format `puntobanco receipt 1`: fields and canonical encoding.

docs/reference/receipts.md specifies it. The verifiers parse it with separate code.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec.structs import replace

from puntobanco_proof.entry.format import canonical, hash_bytes
from puntobanco_proof.entry.record import Record

FORMAT = "puntobanco receipt 1"

Kind: TypeAlias = Literal["wager", "round", "voucher", "session", "shoe"]
Says: TypeAlias = Literal["demonstration", "unwitnessed", "witnessed"]


class What(Record):
    """The subject of a receipt; a field that its kind does not use is empty."""

    kind: Kind
    table: str
    round: int = 0
    session: str = ""
    bet: str = ""
    shoe: int = 0
    voucher: str = ""  # a MAC of the voucher number, which hides the number


class Part(Record):
    """An event of an entry, or one patron's line of it, as the hashed bytes."""

    part: str
    place: int
    proof: list[str]
    salt: str


class Signed(Record):
    """A node's signed head for an entry that has no proof yet, and the certificate of its key."""

    admission: str  # the statement on the node's key that the root key signed
    certificate: str
    chain: list[str]  # headers of the entries between this one and the head
    head: str  # as it was signed
    root: str  # the floor's root key
    signature: str


class Shown(Record):
    """The disclosed parts of an entry, with a log proof or a signed head."""

    header: str
    leaf_salt: str
    parts: list[Part]
    proof: str  # C2SP tlog-proof
    signed: list[Signed]  # one if there is no proof, else none


class Claim(Record):
    """Claims of the house about itself; a receipt does not prove them."""

    house: str
    policy: str
    says: Says


class Receipt(Record):
    claim: Claim
    entries: list[Shown]
    what: What
    format: str = FORMAT
    sum: str = ""

    @property
    def is_proven(self) -> bool:
        return all(entry.proof for entry in self.entries)


def encode_receipt(receipt: Receipt) -> bytes:
    """Encode a receipt with its checksum, which reveals changed or lost bytes."""
    bare = replace(receipt, sum="")
    return canonical(replace(bare, sum=hash_bytes(canonical(bare))))
