"""Fonts drawn here, for machines that have none installed: every character of ours is a crossed square or a bar."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen

from puntobanco.base.refusal import Refusal
from puntobanco_floor.cli.fonts import FACES, INSTALLED, cut_fonts, find_font, read_characters

EM = 1000


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
    """Draw each font that `puntobanco fonts` cuts."""
    parts = read_characters()
    for face in FACES:
        is_latin = face.part == "latin"
        characters = parts["latin"] if is_latin else "".join(parts.values())
        draw_font(
            folder / f"{face.font}.ttf", face.family, characters, width=550 if is_latin else EM
        )
    return folder


def fonts_to_serve(folder: Path) -> str:
    """Cut the fonts of this machine, or some that are drawn here, for `serve --fonts`."""
    found = INSTALLED if are_installed() else [draw_all(folder / "drawn")]
    cut_fonts(folder / "cut", found, read_characters())
    return str(folder / "cut")


def are_installed() -> bool:
    """All of them, by a package of this machine."""
    with suppress(Refusal):
        return all(find_font(face.font, INSTALLED) for face in FACES)
    return False


def fonts_only(to: Path, *folders: Path) -> dict[str, str]:
    """The environment of a program that finds fonts in these folders and nowhere else."""
    named = "".join(f"<dir>{folder}</dir>" for folder in folders)
    config = to / "fonts.conf"
    config.write_text(
        f'<?xml version="1.0"?><fontconfig>{named}<cachedir>{to / "fc-cache"}</cachedir></fontconfig>'
    )
    return {"FONTCONFIG_FILE": str(config)}
