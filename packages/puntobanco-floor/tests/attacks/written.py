"""expected.txt and house_expected.txt, written anew from what one seed of every cell shows on SQLite: read the difference
before you commit it.

python -m tests.attacks.written [house]
"""

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attacks.cells import CELLS, EXPECTED, FINDERS, Cell, Finder, Outcome
from tests.attacks.floor import made
from tests.attacks.house import HouseScene
from tests.attacks.house_cells import (
    HOUSE_CELLS,
    HOUSE_EXPECTED,
    HOUSE_FINDERS,
    HouseCell,
    HouseFinder,
    HouseOutcome,
)
from tests.attacks.house_floor import made as watched
from tests.attacks.matrix import Scene

WIDTHS = (37, 20, 18, 7, 7, 7, 7, 7)


def line_of(cell: Cell, said: dict[Finder, Outcome]) -> str:
    parts = (*cell, *(said[finder] for finder in FINDERS))
    padded = [part.ljust(width) for part, width in zip(parts, WIDTHS, strict=True)]
    return " | ".join(padded).rstrip()


def written(scene: Scene) -> str:
    lines = list[str]()
    for cell in CELLS:
        found = scene.outcomes(cell, seed=0)
        if found != EXPECTED.get(cell):
            print(line_of(cell, found), flush=True)
        lines.append(line_of(cell, found))
    return "\n".join(lines) + "\n"


def house_line(cell: HouseCell, said: dict[HouseFinder, HouseOutcome]) -> str:
    parts = (*cell, *(said[finder] for finder in HOUSE_FINDERS))
    widths = (24, 37, 7, 7, 7, 7, 7)
    padded = [part.ljust(width) for part, width in zip(parts, widths, strict=True)]
    return " | ".join(padded).rstrip()


def house_written(scene: HouseScene) -> str:
    lines = list[str]()
    for cell in HOUSE_CELLS:
        found = scene.outcomes(cell, seed=0)
        if found != HOUSE_EXPECTED.get(cell):
            print(house_line(cell, found), flush=True)
        lines.append(house_line(cell, found))
    return "\n".join(lines) + "\n"


def write(folder: Path, *, house: bool) -> None:
    here = Path(__file__).parent
    (folder / "made").mkdir()
    (folder / "scene").mkdir()
    url = str(folder / "scene" / "floor.db")
    if house:
        scene = HouseScene(watched(folder / "made"), url, folder / "scene")
        (here / "house_expected.txt").write_text(house_written(scene), "utf-8")
        return
    old = Scene(made(folder / "made"), url, folder / "scene")
    (here / "expected.txt").write_text(written(old), "utf-8")


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        write(Path(name), house="house" in sys.argv)
