"""The document of a receipt, `puntobanco receipt 1`: its fields, and the one way to write it.

docs/reference/receipts.md specifies it; the verifiers read it with code of their own.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec.structs import replace

from puntobanco_proof.entry.format import canonical, hash_of
from puntobanco_proof.entry.record import Record

FORMAT = "puntobanco receipt 1"

Kind: TypeAlias = Literal["wager", "round", "voucher", "session", "shoe"]
Says: TypeAlias = Literal["demonstration", "unwitnessed", "witnessed"]


class What(Record):
    """What a receipt is about; a field that its kind does not use is empty."""

    kind: Kind
    table: str
    round: int = 0
    session: str = ""
    bet: str = ""
    shoe: int = 0
    voucher: str = ""  # what the books know it by: a MAC, from which nobody finds its number


class Part(Record):
    """An event of an entry, or one patron's line of it, as its bytes were hashed."""

    part: str
    place: int
    proof: list[str]
    salt: str


class Signed(Record):
    """The head that a node signed over an entry that has no proof yet, and why its key counts."""

    admission: str  # what the root key signed of the node's
    certificate: str
    chain: list[str]  # headers of the entries between this one and the head
    head: str  # as it was signed
    root: str  # the floor's root key
    signature: str


class Shown(Record):
    """What is shown of an entry: proven to be in the log, or else signed."""

    header: str
    leaf_salt: str
    parts: list[Part]
    proof: str  # C2SP tlog-proof
    signed: list[Signed]  # one where there is no proof


class Claim(Record):
    """What the house says of itself; nothing of it is proven."""

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


def written(receipt: Receipt) -> bytes:
    """With its sum, so that a byte that is changed or lost on the way is found."""
    bare = replace(receipt, sum="")
    return canonical(replace(bare, sum=hash_of(canonical(bare))))
