"""Against who holds everything that the house has: each cell says who finds it, and exactly they do; 20 seeds a cell in `make slow`."""

import os
from collections.abc import Iterator

import pytest

from tests.attacks.house import HouseScene
from tests.attacks.house_cells import (
    HOUSE_CELLS,
    HOUSE_EXPECTED,
    HOUSE_FINDERS,
    HOUSE_SAYS,
    WHY,
    HouseCell,
)
from tests.attacks.house_floor import Watched
from tests.storage.conftest import postgres
from tests.storage.servers import database

__all__ = ["postgres"]

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
SEEDS = 20 if SLOW else 1
ATTACKS = tuple(HOUSE_SAYS)


def cells_of(store: str, attack: str) -> list[HouseCell]:
    """All places of an attack; outside `make slow` two of them on SQLite, another on PostgreSQL."""
    found = [cell for cell in HOUSE_CELLS if cell.attack == attack]
    if SLOW:
        return found
    first = ATTACKS.index(attack)
    places = (first, first + 2) if store == "sqlite" else (first + 1,)
    return [found[place] for place in sorted({each % len(found) for each in places})]


PLAYED = [(store, attack) for store in ("sqlite", "postgres") for attack in ATTACKS]


@pytest.fixture(scope="module")
def house_on_postgres(
    postgres: str, watched: Watched, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[HouseScene]:
    with database(postgres) as url:
        yield HouseScene(watched, url, tmp_path_factory.mktemp("house"))


@pytest.mark.long
@pytest.mark.parametrize(("store", "attack"), PLAYED)
def test_each_attack_of_the_house_is_found_by_whom_the_matrix_names(
    request: pytest.FixtureRequest, store: str, attack: str
) -> None:
    scene: HouseScene = request.getfixturevalue(f"house_on_{store}")
    wrong = list[str]()
    for cell in cells_of(store, attack):
        for seed in range(SEEDS):
            found, said = scene.outcomes(cell, seed), HOUSE_EXPECTED[cell]
            wrong += [
                f"{cell}, seed {seed}: {finder} {found[finder]}, not {said[finder]}"
                for finder in HOUSE_FINDERS
                if found[finder] != said[finder]
            ]
    assert not wrong, "\n".join(wrong)


def test_the_matrix_of_the_house_has_every_cell_and_no_other() -> None:
    assert set(HOUSE_EXPECTED) == set(HOUSE_CELLS)
    assert {cell.attack for cell in HOUSE_CELLS} == set(HOUSE_SAYS)


def test_a_cell_in_which_nobody_finds_it_says_why_and_no_other_does() -> None:
    not_found = {cell for cell, said in HOUSE_EXPECTED.items() if "found" not in said.values()}
    assert not_found == set(WHY)


def test_what_witnesses_saw_is_found_by_them_and_by_the_audit() -> None:
    """With one honest witness of all that must cosign: every attack on what is under their last checkpoint."""
    seen = {"first", "middle", "before the checkpoint"}
    for cell, said in HOUSE_EXPECTED.items():
        if cell.place in seen and cell.attack not in ("suppress checkpoints",):
            assert said["starting node"] == "found", cell
            is_honest = cell.attack not in ("rewrite, log left", "roll back, folder left")
            assert not is_honest or said["witness"] == said["audit"] == "found", cell
