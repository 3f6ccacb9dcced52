"""Folders of this repository: the source and the tests of each distribution."""

from pathlib import Path

ROOT = Path(__file__).parents[1]
DISTRIBUTIONS = {
    "puntobanco": ROOT / "packages/puntobanco",
    "puntobanco_proof": ROOT / "packages/puntobanco-proof",
    "puntobanco_floor": ROOT / "packages/puntobanco-floor",
}
"""The folder of each distribution, by the name that Python imports."""

SOURCES = {name: folder / "src" / name for name, folder in DISTRIBUTIONS.items()}
LIBRARY, PROOF, FLOOR = SOURCES.values()
SCREENS = FLOOR / "web/screens"
TESTS = (ROOT / "tests", *(folder / "tests" for folder in DISTRIBUTIONS.values()))
PYTHONPATH = (*(source.parent for source in SOURCES.values()), *DISTRIBUTIONS.values(), ROOT)
"""Where Python finds our packages and `tests` in a checkout that is not installed."""


def source_files(*suffixes: str) -> list[Path]:
    """List the files of all three packages, by default those of Python."""
    ends = suffixes or (".py",)
    every = (path for folder in SOURCES.values() for path in folder.rglob("*"))
    return sorted((path for path in every if path.suffix in ends), key=below_source)


def below_source(path: Path) -> str:
    """Name a source file as Python's path does.

    >>> below_source(FLOOR / "web/app.py")
    'puntobanco_floor/web/app.py'
    """
    return path.relative_to(path.parents[path.parts[::-1].index("src") - 1]).as_posix()
