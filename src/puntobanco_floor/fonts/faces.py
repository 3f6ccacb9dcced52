"""Faces: which installed font each family of the screens is made of, and where it is found."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from puntobanco_floor.fonts.glyphs import SEALS, Glyphs

SUFFIXES = (".ttc", ".otf", ".ttf")
FEATURES = ("kern", "tnum", "lnum", "ccmp", "locl", "mark")
"""Figures of one width above all: amounts stand under each other."""


class Face(NamedTuple):
    """A family at a weight, of the characters that `of` takes from ours; `files` are the names that
    its font has in distributions, `within` is its name in a collection.
    """

    family: str
    weight: int
    files: tuple[str, ...]
    of: Callable[[Glyphs], str]
    within: str = ""
    package: str = "fonts-noto-cjk"


def _latin(found: Glyphs) -> str:
    return found.latin


def _beside(found: Glyphs) -> str:
    return found.beside


def _patrons(found: Glyphs) -> str:
    return found.patrons


def _staff(found: Glyphs) -> str:
    return found.staff


def _simplified(found: Glyphs) -> str:
    return found.simplified


def _seals(_: Glyphs) -> str:
    return SEALS


_SANS = ("NotoSansCJK-Regular", "NotoSansCJKtc-Regular", "NotoSansTC-Regular")
_SERIF = ("NotoSerifCJK-Bold", "NotoSerifCJKtc-Bold", "NotoSerifTC-Bold")
FACES = (
    Face("Inter", 400, ("Inter-Regular",), _latin, package="fonts-inter"),
    Face("Inter", 600, ("Inter-SemiBold",), _latin, package="fonts-inter"),
    Face("Inter", 700, ("Inter-Bold",), _latin, package="fonts-inter"),
    Face("puntobanco Han", 400, _SANS, _patrons, "Noto Sans CJK TC"),
    Face("puntobanco Han", 400, _SANS, _beside, "Noto Sans CJK TC"),
    Face("puntobanco Han", 400, _SANS, _staff, "Noto Sans CJK TC"),
    Face("puntobanco Han", 400, _SANS, _simplified, "Noto Sans CJK TC"),
    Face("puntobanco Seal", 700, _SERIF, _seals, "Noto Serif CJK TC"),
)
"""Chinese in one weight, which browsers embolden: a second one is 100 kB for every terminal."""


def find(folders: Iterable[Path]) -> dict[str, Path]:
    """Where each file that a face can be made of is, by its name without suffix."""
    wanted = {name for face in FACES for name in face.files}
    found = dict[str, Path]()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.stem in wanted and path.suffix.lower() in SUFFIXES:
                found.setdefault(path.stem, path)
    return found
