"""Every cell of the matrix says who finds the attack, and exactly they do; 20 seeds a cell in `make slow`."""

import os
from collections.abc import Iterator

import pytest

from puntobanco_floor.store.sqlite import SqliteStore
from tests.attacks import beside
from tests.attacks.cells import CELLS, EXPECTED, FINDERS, HOLDERS, OLD_RING, PLACES, Cell
from tests.attacks.floor import Floor
from tests.attacks.matrix import Scene, errors_logged, forged
from tests.storage.conftest import postgres
from tests.storage.servers import database

__all__ = ["postgres"]

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
SEEDS = 20 if SLOW else 1
ROWS = sorted({(cell.holder, cell.attack) for cell in CELLS})
ATTACKS = sorted({attack for _, attack in ROWS})


def rows(every: int) -> list[tuple[str, str]]:
    """Outside `make slow` each attack by one holder of so many, in turn.
    Who has an old ring has one attack only.
    """
    if SLOW:
        return ROWS
    found = list[tuple[str, str]]()
    for n, attack in enumerate(ATTACKS):
        of_attack = [row for row in ROWS if row[1] == attack]
        found += of_attack[n % min(every, len(of_attack)) :: every]
    return sorted({*found, *(row for row in ROWS if row[0] in OLD_RING)})


def cells_of(holder: str, attack: str) -> list[Cell]:
    """The places of a row; outside `make slow` one of them, another from row to row."""
    found = [cell for cell in CELLS if (cell.holder, cell.attack) == (holder, attack)]
    return found if SLOW else [found[ROWS.index((holder, attack)) % len(found)]]


EVERY = {"sqlite": 3, "postgres": len(HOLDERS)}  # a cell takes a server half a second
PLAYED = [(store, *row) for store, every in EVERY.items() for row in rows(every)]


@pytest.fixture(scope="module")
def on_postgres(
    postgres: str, floor: Floor, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Scene]:
    with database(postgres) as url:
        yield Scene(floor, url, tmp_path_factory.mktemp("scene"))


@pytest.mark.long
@pytest.mark.parametrize(("store", "holder", "attack"), PLAYED)
def test_each_attack_is_found_by_whom_the_matrix_names(
    request: pytest.FixtureRequest, store: str, holder: str, attack: str
) -> None:
    scene: Scene = request.getfixturevalue(f"on_{store}")
    wrong = list[str]()
    for cell in cells_of(holder, attack):
        for seed in range(SEEDS):
            found = scene.outcomes(cell, seed)
            said = EXPECTED[cell]
            wrong += [
                f"{cell}, seed {seed}: {finder} {found[finder]}, not {said[finder]}"
                for finder in FINDERS
                if found[finder] != said[finder]
            ]
    assert not wrong, "\n".join(wrong)


def test_what_the_writer_has_looked_at_and_not_believed_is_forgotten(
    on_sqlite: Scene,
) -> None:
    """The look at what other processes wrote comes before the commands that wait."""
    appended = forged(on_sqlite.floor, Cell("database", "append", "last"), seed=0)
    on_sqlite.reset()
    with on_sqlite.opened() as store, errors_logged():
        assert isinstance(store, SqliteStore)
        store.ask(beside.REFUSED)
        on_sqlite.put(appended)
        for _ in range(3):
            store._look_at = 0.0
            assert beside.seat(store, "") == "not stored"


def test_the_matrix_has_every_cell_and_no_other() -> None:
    assert set(EXPECTED) == set(CELLS)


def test_every_attack_and_every_holder_is_played_on_every_store() -> None:
    for store in ("sqlite", "postgres"):
        played = [(holder, attack) for on, holder, attack in PLAYED if on == store]
        missed = {*HOLDERS, *ATTACKS, *PLACES}
        missed -= {name for row in played for name in row}
        missed -= {cell.place for row in played for cell in cells_of(*row)}
        assert not missed, f"{store} plays no cell of {sorted(missed)}: lower EVERY[{store!r}]"
