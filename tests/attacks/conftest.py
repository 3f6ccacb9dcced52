"""The floor that is attacked, made once; and the places where it is."""

from pathlib import Path

import pytest

from tests.attacks.floor import Floor, made
from tests.attacks.matrix import Scene


@pytest.fixture(scope="package")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    return made(tmp_path_factory.mktemp("attacked"))


@pytest.fixture(scope="package")
def on_sqlite(floor: Floor, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder: Path = tmp_path_factory.mktemp("scene")
    return Scene(floor, str(folder / "floor.db"), folder)
