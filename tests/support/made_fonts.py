"""Fonts drawn here, for machines that have none installed: every character of ours is a crossed square or a bar."""

from collections.abc import Iterable
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from puntobanco_floor.fonts import FACES, find, glyphs
from puntobanco_floor.settings import Settings

EM = 1000
INSTALLED = [Path(folder) for folder in Settings().fonts.split(":")]


def _box(left: int, right: int, *more: tuple[tuple[int, int], ...]) -> object:
    pen = TTGlyphPen(None)
    for corners in ((((left, -100), (left, 800), (right, 800), (right, -100))), *more):
        pen.moveTo(corners[0])
        for corner in corners[1:]:
            pen.lineTo(corner)
        pen.closePath()
    return pen.glyph()


def draw_font(path: Path, family: str, characters: Iterable[str], *, width: int = EM) -> Path:
    """A TrueType font; what it lacks is an empty glyph, unlike what it has."""
    builder = FontBuilder(EM, isTTF=True)
    hole = ((200, 200), (800, 200), (500, 500))
    drawn = {".notdef": _box(300, 400), "box": _box(50, width - 50, hole)}
    builder.setupGlyphOrder(list(drawn))
    builder.setupCharacterMap({ord(character): "box" for character in characters})
    builder.setupGlyf(drawn)
    builder.setupHorizontalMetrics({".notdef": (600, 0), "box": (width, 50)})
    builder.setupHorizontalHeader(ascent=900, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(sTypoAscender=900, sTypoDescender=-200)
    builder.setupPost()
    path.parent.mkdir(parents=True, exist_ok=True)
    builder.save(path)
    return path


def draw_all(folder: Path) -> Path:
    """One of each file that a floor looks for."""
    text = glyphs()
    for face in FACES:
        is_latin = face.package == "fonts-inter"
        characters = text.latin if is_latin else text.all
        draw_font(
            folder / f"{face.files[0]}.ttf",
            face.family,
            characters,
            width=550 if is_latin else EM,
        )
    return folder


def are_installed() -> bool:
    """All of them, by a package of this machine."""
    found = find(INSTALLED)
    return all(any(name in found for name in face.files) for face in FACES)


def fonts_only(to: Path, *folders: Path) -> dict[str, str]:
    """The environment of a program that finds fonts in these folders and nowhere else."""
    named = "".join(f"<dir>{folder}</dir>" for folder in folders)
    config = to / "fonts.conf"
    config.write_text(
        f'<?xml version="1.0"?><fontconfig>{named}<cachedir>{to / "fc-cache"}</cachedir></fontconfig>'
    )
    return {"FONTCONFIG_FILE": str(config)}
