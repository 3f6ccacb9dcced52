"""Moves raced on two nodes that are killed: each happens once, nothing is lost, limits hold."""

import os

import pytest

from tests.storage.conftest import postgres  # noqa: F401 - a server for the run
from tests.support.moves import run

MOVES = 20_000 if os.environ.get("PUNTOBANCO_SLOW") == "1" else 200


@pytest.mark.waits
def test_every_move_happens_once_whoever_dies(postgres: str) -> None:  # noqa: F811
    found = run(postgres, MOVES, seed=22)
    assert found.moves >= MOVES * 8 // 10, "some are refused before anything is reserved"
    assert found.arrived
    assert found.kills >= 2
    print(
        f"\n{found.moves} moves, {found.refused} returned, {found.kills} kills, {found.asked_again} asked again"
    )
