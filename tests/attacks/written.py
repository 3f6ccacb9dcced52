"""expected.txt, written anew from what one seed of every cell shows on SQLite: read the difference before you commit it.

python -m tests.attacks.written
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attacks.cells import CELLS, EXPECTED, FINDERS, Cell, Finder, Outcome
from tests.attacks.floor import made
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


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "made").mkdir()
        (folder / "scene").mkdir()
        floor = made(folder / "made")
        scene = Scene(floor, str(folder / "scene" / "floor.db"), folder / "scene")
        (Path(__file__).parent / "expected.txt").write_text(written(scene), "utf-8")
