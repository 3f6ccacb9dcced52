"""No check is dead: with each of them switched off, an attack that was found is found no more."""

from collections.abc import Callable
from typing import NamedTuple

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from immutables import Map

from puntobanco_floor.audit import floor_audit
from puntobanco_floor.audit.stream_checks import Answered
from puntobanco_floor.domain import entries, entry
from puntobanco_floor.domain.machine import Voucher
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.integrity import self_test
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store import batch, sqlite_transaction, store
from puntobanco_floor.store.batch import Reply, Stream, read_answer
from puntobanco_floor.store.patron_ids import PatronTable
from puntobanco_floor.store.vouchers import Kept, Redeemed
from puntobanco_proof.entry.format import Fault
from puntobanco_proof.entry.heads import Head
from tests.attacks.cells import EXPECTED, Cell, Finder
from tests.attacks.matrix import Scene


class Off(NamedTuple):
    """A check, what stands there when it is off, and an attack that it finds."""

    owner: object
    check: str
    instead: Callable[..., object]
    cell: Cell
    finder: Finder
    is_second: bool = False  # what a root key that was replaced certifies is found besides


def first(*_: object) -> int:
    """The epoch of anything."""
    return 1


def nothing(*_: object) -> None:
    """Raises no fault."""


def yes(*_: object) -> bool:
    return True


def no(*_: object) -> bool:
    return False


def none(*_: object) -> list[str]:
    return []


def any_certificate(_: Trust, __: Head, found: Admitted) -> Ed25519PublicKey:
    return Ed25519PublicKey.from_public_bytes(bytes.fromhex(found.public))


def any_epoch(
    trust: Trust, end: Head, keys: Map[str, Admitted], last: Head | None, _: Head | None
) -> None:
    if last is None or (last.seq, last.hash) != (end.seq, end.hash):
        raise Fault("no node has signed it")
    trust.verify(last, keys)


def as_kept(_: str, __: str, kept: bytes, *___: object) -> Reply:
    return read_answer(kept)


def as_the_table_says(_: Redeemed, __: str, kept: Kept, ___: int) -> Voucher:
    return Voucher(kept.cents, kept.expires_at, kept.is_redeemed)


DATABASE, RETIRED, NODE = "database", "database and a retired key", "database and a node's key"
INSIDE = "around a signature"
OLD = Cell("database and an old ring", "old root", "last")
APPENDED = Cell(RETIRED, "append", "last")
ELSEWHERE = Cell(RETIRED, "another stream", "last")

CHECKS = [
    Off(Trust, "verify", nothing, APPENDED, "starting node", is_second=True),
    Off(Trust, "verify", nothing, APPENDED, "running node", is_second=True),
    Off(Trust, "verify_end", nothing, Cell(DATABASE, "append", "last"), "starting node"),
    Off(Trust, "verify_end", any_epoch, Cell(NODE, "other epoch", "last"), "starting node"),
    Off(Trust, "_certified", any_certificate, Cell(DATABASE, "own key", "last"), "starting node"),
    Off(Trust, "_certified", any_certificate, Cell(DATABASE, "own key", "last"), "audit"),
    Off(Trust, "_certified", any_certificate, ELSEWHERE, "running node", is_second=True),
    Off(Trust, "_certified", any_certificate, ELSEWHERE, "audit", is_second=True),
    Off(Admitted, "counts_at", yes, APPENDED, "starting node", is_second=True),
    Off(Admitted, "counts_at", yes, APPENDED, "audit", is_second=True),
    Off(store.Store, "_remembered", nothing, Cell(DATABASE, "cut", "last"), "starting node"),
    Off(entries, "_is_linked", yes, Cell(DATABASE, "change in place", INSIDE), "starting node"),
    Off(entry, "_is_root_of", yes, Cell(DATABASE, "change a part", INSIDE), "starting node"),
    Off(batch, "is_sealed", yes, Cell(DATABASE, "snapshots", ""), "starting node"),
    Off(self_test, "_sealed", nothing, Cell(DATABASE, "snapshots", ""), "self-test"),
    Off(self_test, "_verify_filed", nothing, Cell(DATABASE, "cut", "last"), "self-test"),
    Off(
        sqlite_transaction,
        "kept_answer",
        as_kept,
        Cell(DATABASE, "answer made up", ""),
        "running node",
    ),
    Off(store, "verify_issued", first, Cell(DATABASE, "voucher made up", ""), "running node"),
    Off(store, "verify_issued", first, Cell(DATABASE, "voucher raised", ""), "starting node"),
    Off(
        Redeemed,
        "voucher",
        as_the_table_says,
        Cell(DATABASE, "voucher set back", ""),
        "running node",
    ),
    Off(
        Redeemed,
        "voucher",
        as_the_table_says,
        Cell(DATABASE, "old voucher set back", ""),
        "starting node",
    ),
    Off(Trust, "is_current", yes, OLD, "running node"),
    Off(Trust, "is_current", yes, OLD, "audit"),
    Off(Stream, "has_done", no, Cell(DATABASE, "recent answer gone", ""), "running node"),
    Off(Stream, "has_done", no, Cell(DATABASE, "recent answer turned", ""), "starting node"),
    Off(KeyRing, "has_made", yes, Cell(DATABASE, "card swapped", ""), "running node"),
    Off(PatronTable, "unreachable", none, Cell(DATABASE, "card gone", ""), "running node"),
    Off(self_test, "unreachable", none, Cell(DATABASE, "card made up", ""), "self-test"),
    Off(floor_audit, "unreachable", none, Cell(DATABASE, "card gone", ""), "audit"),
    Off(Answered, "end", nothing, Cell(DATABASE, "answer turned", ""), "audit"),
    Off(KeyRing, "holds", yes, Cell(DATABASE, "login", ""), "running node"),
]


@pytest.mark.long
@pytest.mark.parametrize("off", CHECKS, ids=lambda off: f"{off.check}, {off.finder}")
def test_with_a_check_switched_off_its_attack_goes_through(
    on_sqlite: Scene, monkeypatch: pytest.MonkeyPatch, off: Off
) -> None:
    assert EXPECTED[off.cell][off.finder] in ("found", "unmoved")
    assert on_sqlite.outcomes(off.cell, 1)[off.finder] == EXPECTED[off.cell][off.finder]
    monkeypatch.setattr(off.owner, off.check, off.instead)
    if off.is_second:
        monkeypatch.setattr(Trust, "is_current", yes)
    assert on_sqlite.outcomes(off.cell, 1)[off.finder] != EXPECTED[off.cell][off.finder]
