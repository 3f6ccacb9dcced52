"""No check against the house is dead: with each of them switched off, an attack that was found is found no more."""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from puntobanco_floor.audit import log_checks, stream_checks
from puntobanco_floor.domain.table import evolve, shoes
from puntobanco_floor.store import log_tables
from puntobanco_floor.store.log_tables import LogView
from puntobanco_floor.store.reader import Reader
from puntobanco_floor.store.signed_chain import Cursor, cursor_at
from puntobanco_floor.transparency import keeper
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_floor.transparency.witness_link import Asked
from puntobanco_proof.tree.checkpoints import Witnessed, open_checkpoint
from puntobanco_proof.tree.notes import Verifier
from puntobanco_proof.tree.proofs import Proof
from puntobanco_proof.verifier import verify
from puntobanco_proof.witness import decisions
from puntobanco_proof.witness.decisions import Decider
from puntobanco_proof.witness.memory import Committed, Memory, Shoe
from tests.attacks.house import HouseScene
from tests.attacks.house_cells import HOUSE_EXPECTED, HouseCell, HouseFinder
from tests.storage.test_mixed_shoes import OTHER_SEED

Switch = tuple[object, str, Callable[..., object]]


class Off(NamedTuple):
    """A check, what stands there when it is off, an attack that it finds, and who; `also` is what finds it besides."""

    owner: object
    check: str
    instead: Callable[..., object]
    cell: HouseCell
    finder: HouseFinder
    also: tuple[Switch, ...] = ()


def yes(*_: object) -> bool:
    return True


def nothing(*_: object) -> None:
    """Raises no fault."""


def nobody(*_: object) -> list[str]:
    return []


def one(*_: object) -> int:
    return 1


def all_of_it(*_: object) -> int:
    return 1_000_000


def any_entry(_: bytes, proof: Proof, logs: tuple[Verifier, ...], __: Verifier) -> Witnessed:
    return open_checkpoint(proof.checkpoint, logs)


def first_of_all(_: Memory, shoe: Shoe, commitment: str, __: int) -> Committed:
    return Committed(shoe.epoch, commitment)


def where_it_stood(
    _: log_tables.TransparencyLog, reader: Reader, view: LogView, known: Cursor, __: int
) -> Cursor:
    last = view.last(known.stream)
    assert last is not None
    return cursor_at(reader, known.stream, last.last)


def as_committed(cards: Any, _: bytes) -> Any:
    return cards


def other_seed(*_: object) -> str:
    return OTHER_SEED


def where_it_says(entry: verify.Entry, notes: dict[str, verify.Checkpoint]) -> verify.Checkpoint:
    _, _, text = entry.proof.partition("\n\n")
    return notes.setdefault(text, verify.read_checkpoint(text))


REWRITTEN = HouseCell("rewrite", "middle")
BACK = HouseCell("roll back", "middle")
LEFT = HouseCell("rewrite, log left", "middle")
BEHIND = HouseCell("roll back, folder left", "middle")
ABSENT, UNSEEN = HouseCell("early mix", "not in the log"), HouseCell("early mix", "not cosigned")
SAME, LATER = (HouseCell("second commitment", x) for x in ("same epoch", "later epoch"))
MADE_UP, OWN, MOVED = (
    HouseCell("receipt of no entry", x)
    for x in ("proof of another", "own checkpoint", "moved cosignatures")
)
UNMIXED, COMMITTED, SEEDED = (
    HouseCell("deal without the mix", x) for x in ("no mix", "committed order", "another seed")
)

CHECKS = [
    # the witness
    Off(decisions, "is_consistent", yes, REWRITTEN, "witness"),
    Off(decisions, "is_consistent", yes, HouseCell("cut and go on", "first"), "witness"),
    Off(decisions, "verify_cosigned_proof", any_entry, ABSENT, "witness"),
    Off(
        decisions,
        "verify_cosigned_proof",
        any_entry,
        UNSEEN,
        "witness",
        ((Decider, "_verify_remembered", nothing),),
    ),
    Off(Decider, "_verify_named", nothing, HouseCell("early mix", "not named"), "witness"),
    Off(Memory, "commit_mix", first_of_all, SAME, "witness"),
    Off(Memory, "commit_mix", first_of_all, LATER, "witness"),
    # a node that starts
    Off(LogKeeper, "compare", nobody, REWRITTEN, "starting node"),
    Off(Asked, "ask", nobody, BACK, "starting node"),
    Off(keeper, "verify_published", nothing, BEHIND, "starting node"),
    Off(log_tables.TransparencyLog, "_logged", where_it_stood, LEFT, "starting node"),
    # the audit
    Off(log_checks, "verify_goes_on", nothing, REWRITTEN, "audit"),
    Off(log_checks, "verify_goes_on", nothing, BACK, "audit"),
    Off(log_checks, "_is_left", yes, LEFT, "audit"),
    Off(log_checks, "journalled", one, SAME, "audit"),
    Off(
        log_checks,
        "_seen_by_enough",
        all_of_it,
        HouseCell("suppress checkpoints", "middle"),
        "audit",
    ),
    Off(stream_checks, "shuffle_by_seed", as_committed, COMMITTED, "audit"),
    Off(
        evolve,
        "verified_seed",
        other_seed,
        SEEDED,
        "audit",
        ((shoes, "verified_seed", other_seed),),
    ),
    # verify.py
    Off(verify, "_check_inclusion", where_it_says, MADE_UP, "receipt after"),
    Off(verify, "is_ed25519", yes, MOVED, "receipt after"),
    Off(verify.Policy, "is_met", yes, OWN, "receipt after"),
    Off(verify, "shuffle", as_committed, COMMITTED, "receipt after"),
]


@pytest.mark.long
@pytest.mark.parametrize(
    "off", CHECKS, ids=lambda off: f"{off.check}, {off.cell.attack}, {off.finder}"
)
def test_with_a_check_switched_off_the_house_goes_through(
    house_on_sqlite: HouseScene, monkeypatch: pytest.MonkeyPatch, off: Off
) -> None:
    """That it is found with the check on is what the matrix demands of the cell."""
    expected = HOUSE_EXPECTED[off.cell][off.finder]
    assert expected in ("found", "said")
    for owner, check, instead in ((off.owner, off.check, off.instead), *off.also):
        monkeypatch.setattr(owner, check, instead)
    assert house_on_sqlite.outcomes(off.cell, 1)[off.finder] != expected
