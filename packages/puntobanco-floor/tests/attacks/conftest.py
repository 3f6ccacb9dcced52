"""The floor that is attacked, made once; and the places where it is."""

from pathlib import Path

import pytest

from tests.attacks.floor import Floor, made
from tests.attacks.house import HouseScene
from tests.attacks.house_floor import Watched
from tests.attacks.house_floor import made as made_watched
from tests.attacks.matrix import Scene


@pytest.fixture(scope="package")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Floor:
    return made(tmp_path_factory.mktemp("attacked"))


@pytest.fixture(scope="package")
def on_sqlite(floor: Floor, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    folder: Path = tmp_path_factory.mktemp("scene")
    return Scene(floor, str(folder / "floor.db"), folder)


@pytest.fixture(scope="package")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    return made_watched(tmp_path_factory.mktemp("watched"))


@pytest.fixture(scope="package")
def house_on_sqlite(watched: Watched, tmp_path_factory: pytest.TempPathFactory) -> HouseScene:
    folder: Path = tmp_path_factory.mktemp("house")
    return HouseScene(watched, str(folder / "floor.db"), folder)
