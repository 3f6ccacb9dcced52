"""Subsets: a face cut down to its characters, as WOFF2, kept in the cache folder."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, BinaryIO

from puntobanco.base.cache import cache_folder, code_hash, keep, key
from puntobanco.base.extras import package
from puntobanco.base.record import Record
from puntobanco_floor.fonts.faces import FACES, FEATURES, Face, find
from puntobanco_floor.fonts.glyphs import Glyphs

DROPPED = ("BASE", "DSIG", "VORG", "vhea", "vmtx", "GPOS", "GSUB", "GDEF")
_MODULES = ("puntobanco_floor.fonts.faces", "puntobanco_floor.fonts.subset")


class Subset(Record):
    """A face as it is served. `characters` is the range that a style sheet names where a family has
    other faces of the same weight: a browser loads those that it needs.
    """

    family: str
    weight: int
    characters: str
    data: bytes


class Made(Record):
    """What came of all faces: fonts that were found, packages of those that were not."""

    found: tuple[str, ...]
    missing: tuple[str, ...]
    subsets: tuple[Subset, ...]


def make(folders: list[Path], glyphs: Glyphs) -> Made:
    files = find(folders)
    found, missing = list[str](), list[str]()
    subsets = list[Subset]()
    for face in FACES:
        name = next((name for name in face.files if name in files), None)
        if name is None:
            missing.append(face.package)
            continue
        found.append(name)
        data = _kept(face, files[name], face.of(glyphs))
        if data:
            characters = _range(face.of(glyphs)) if _has_others(face) else ""
            subsets.append(Subset(face.family, face.weight, characters, data))
    return Made(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(missing)), tuple(subsets))


def _has_others(face: Face) -> bool:
    same = [one for one in FACES if (one.family, one.weight) == (face.family, face.weight)]
    return len(same) > 1


def _kept(face: Face, path: Path, text: str) -> bytes:
    """From the cache, unless the font, the characters or our way of cutting is another."""
    if not text:
        return b""
    stat = path.stat()
    stamp = f"{path} {stat.st_size} {stat.st_mtime_ns}"
    name = key([code_hash(*_MODULES), stamp, face.within, text])
    file = cache_folder() / "fonts" / f"{name}.woff2"
    try:
        return file.read_bytes()
    except OSError:
        data = cut(path, face.within, text)
        keep(file, lambda to: to.write_bytes(data))
        return data


def cut(path: Path, within: str, text: str) -> bytes:
    """A font with these characters alone; those that it lacks are left out."""
    subsetting = package("fontTools.subset")
    package("brotli")
    options = subsetting.Options(
        flavor="woff2",
        layout_features=list(FEATURES),
        hinting=False,
        name_IDs=[],
        notdef_outline=True,
        drop_tables=[*subsetting.Options().drop_tables, *(DROPPED if within else ())],
    )
    subsetter = subsetting.Subsetter(options)
    subsetter.populate(text=text)
    out = io.BytesIO()
    with path.open("rb") as file:
        font = _opened(file, within)
        subsetter.subset(font)
        subsetting.save_font(font, out, options)
    return out.getvalue()


def _opened(file: BinaryIO, within: str) -> Any:
    """The font of a file, or of a collection the one of that name."""
    lib = package("fontTools.ttLib")
    first = lib.TTFont(file, fontNumber=0, lazy=True)
    count = getattr(first.reader, "numFonts", 1)
    fonts = (lib.TTFont(file, fontNumber=number, lazy=True) for number in range(count))
    named = (font for font in fonts if font["name"].getDebugName(1) == within)
    return next(named, first)


def _range(text: str) -> str:
    """As CSS has it, neighbours together.

    >>> _range("abcx")
    'U+61-63,U+78'
    """
    spans = list[list[int]]()
    for code in sorted(map(ord, text)):
        if spans and code == spans[-1][1] + 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return ",".join(
        f"U+{first:X}" if first == last else f"U+{first:X}-{last:X}" for first, last in spans
    )
