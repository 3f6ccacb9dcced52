"""Fonts for the screens: those that are installed on the server, cut down to the characters of our
texts, as WOFF2.

`python -m puntobanco_floor.fonts` is the process that makes them beside the one that serves:
folders as arguments, a floor's own words as text in, `Made` as JSON out.
"""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import msgspec

from puntobanco.base.cache import cache_folder, code_hash, keep, key
from puntobanco.base.extras import package
from puntobanco.base.record import Record
from puntobanco.base.refusal import Refusal
from puntobanco.base.version import DISTRIBUTIONS
from puntobanco.rules.games import GAMES

TEXTS = frozenset({".py", ".js", ".html", ".css"})
STAFF = frozenset({"admin", "audit", "cage", "dealer", "login", "odds", "pit", "reports"})
"""Screens that no patron sees: their characters are in a font of their own, loaded for them."""

SIMPLIFIED = ("hans.js", "simplified.py")
"""Files with the Simplified characters that our Traditional ones become."""

SEALS = "莊閒和庄闲壽祿福寿禄火金土木水"
"""Drawn large and in another hand: on the felt, on cards, in the road of beads."""

BESIDE = "中文繁简請投注截止投注閒莊贏輸和局第局作廢無珠盤路大路大眼仔小路曱甴路"
"""What patrons read in Chinese beside the English, with the titles of games and bets."""

LATIN = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100), 0x2212)))
"""With the letters of names in western Europe, which people have and no text of ours; and the minus
sign, which screens write by its number.
"""

NICENESS = 10
"""Those who play go first."""

_HAN = re.compile(
    "[\u2e80-\u2fdf\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
_OTHER = re.compile(r"[^\x00-\x7f]")


# Glyphs: the characters that our texts are written with


class Glyphs(NamedTuple):
    """Characters as sorted texts, none in two of them."""

    latin: str
    beside: str  # the English
    patrons: str
    staff: str
    simplified: str

    @property
    def all(self) -> frozenset[str]:
        return frozenset("".join(self))


def glyphs(more: str = "") -> Glyphs:
    """Return those of our texts; `more` are those of a floor's own games, which patrons read."""
    texts = _read_texts()
    every = "".join(texts.values()) + more
    han = frozenset(_HAN.findall(every))
    beside = frozenset(_HAN.findall(texts["beside"] + more))
    patrons = frozenset(_HAN.findall(texts["patrons"])) - beside
    latin = frozenset(_OTHER.findall(every)) - han | frozenset(LATIN)
    staff = frozenset(_HAN.findall(texts["staff"])) - beside - patrons
    simplified = han - beside - patrons - staff
    parts = (latin, beside, patrons, staff, simplified)
    return Glyphs(*("".join(sorted(part)) for part in parts))


@cache
def _read_texts() -> dict[str, str]:
    """Read our packages' files, by who reads them on a screen."""
    games = GAMES.values()
    bets = (bet.title.zh for game in games for bet in game.bets)
    titles = "".join((*(game.title.zh for game in games), *bets))
    found = {"beside": SEALS + BESIDE + titles, "patrons": "", "staff": "", "simplified": ""}
    for name in DISTRIBUTIONS.values():
        folder = Path(import_module(name).__path__[0])
        for path in sorted(folder.rglob("*")):
            if path.suffix in TEXTS:
                found[_find_reader(path.relative_to(folder.parent).parts)] += path.read_text(
                    "utf-8"
                )
    return found


def _find_reader(parts: tuple[str, ...]) -> str:
    if parts[-1] in SIMPLIFIED:
        return "simplified"
    is_staffs = parts[1:3] == ("web", "screens") and parts[3] in STAFF
    return "staff" if is_staffs else "patrons"


# Faces: which installed font each family of the screens is made of


class Face(NamedTuple):
    """A family at a weight; `files` are the names that its font has in distributions, `within` is
    its name in a collection.
    """

    family: str
    weight: int
    files: tuple[str, ...]
    part: str  # of `Glyphs`, or "seals"
    within: str = ""
    package: str = "fonts-noto-cjk"

    def of(self, glyphs: Glyphs) -> str:
        """Return the characters that this face takes from ours."""
        return SEALS if self.part == "seals" else str(getattr(glyphs, self.part))


_SANS = ("NotoSansCJK-Regular", "NotoSansCJKtc-Regular", "NotoSansTC-Regular")
_SERIF = ("NotoSerifCJK-Bold", "NotoSerifCJKtc-Bold", "NotoSerifTC-Bold")
FACES = (
    Face("Inter", 400, ("Inter-Regular",), "latin", package="fonts-inter"),
    Face("Inter", 600, ("Inter-SemiBold",), "latin", package="fonts-inter"),
    Face("Inter", 700, ("Inter-Bold",), "latin", package="fonts-inter"),
    Face("puntobanco Han", 400, _SANS, "patrons", "Noto Sans CJK TC"),
    Face("puntobanco Han", 400, _SANS, "beside", "Noto Sans CJK TC"),
    Face("puntobanco Han", 400, _SANS, "staff", "Noto Sans CJK TC"),
    Face("puntobanco Han", 400, _SANS, "simplified", "Noto Sans CJK TC"),
    Face("puntobanco Seal", 700, _SERIF, "seals", "Noto Serif CJK TC"),
)
"""Chinese in one weight, which browsers embolden: a second one is 100 kB for every terminal."""


def find(folders: Iterable[Path]) -> dict[str, Path]:
    """Find each file that a face can be made of, by its name without suffix."""
    wanted = {name for face in FACES for name in face.files}
    found = dict[str, Path]()
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.stem in wanted and path.suffix.lower() in (".ttc", ".otf", ".ttf"):
                found.setdefault(path.stem, path)
    return found


# Subsets: a face cut down to its characters, kept in the cache folder


class Subset(Record):
    """A face as it is served. `characters` is the range that a style sheet names where a family has
    other faces of the same weight: a browser loads those that it needs.
    """

    family: str
    weight: int
    characters: str
    data: bytes

    @property
    def name(self) -> str:
        """
        >>> Subset("puntobanco Han", 400, "U+61,U+78", b"").name
        'puntobanco-han-400-61.woff2'
        """
        parts = [*self.family.lower().split(), str(self.weight)]
        first, _, _ = self.characters.partition(",")
        if first:
            parts.append(first.removeprefix("U+").partition("-")[0])
        return f"{'-'.join(parts)}.woff2"

    def style(self, address: str) -> str:
        """Return the rule of a style sheet that finds the face at an address."""
        within = f"unicode-range:{self.characters};" if self.characters else ""
        return (
            f'@font-face{{font-family:"{self.family}";font-weight:{self.weight};'
            f'font-display:swap;{within}src:url({address}) format("woff2")}}\n'
        )


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
        text = face.of(glyphs)
        if text:
            same = [one for one in FACES if (one.family, one.weight) == (face.family, face.weight)]
            characters = _range(text) if len(same) > 1 else ""
            data = _cut_once(face, files[name], text)
            subsets.append(Subset(face.family, face.weight, characters, data))
    return Made(tuple(dict.fromkeys(found)), tuple(dict.fromkeys(missing)), tuple(subsets))


def _cut_once(face: Face, path: Path, text: str) -> bytes:
    """Take it from the cache, unless the font, the characters or our way of cutting is another."""
    stat = path.stat()
    stamp = f"{path} {stat.st_size} {stat.st_mtime_ns}"
    name = key([code_hash("puntobanco_floor.fonts"), stamp, face.within, text])
    file = cache_folder() / "fonts" / f"{name}.woff2"
    try:
        return file.read_bytes()
    except OSError:
        data = cut(path, face.within, text)
        keep(file, lambda to: to.write_bytes(data))
        return data


def cut(path: Path, within: str, text: str) -> bytes:
    """Return a font with these characters alone; those that it lacks are left out."""
    subsetting = package("fontTools.subset")
    package("brotli")
    dropped = subsetting.Options().drop_tables
    if within:
        dropped += ["BASE", "DSIG", "VORG", "vhea", "vmtx", "GPOS", "GSUB", "GDEF"]
    options = subsetting.Options(
        flavor="woff2",
        # figures of one width above all: amounts stand under each other
        layout_features=["kern", "tnum", "lnum", "ccmp", "locl", "mark"],
        hinting=False,
        name_IDs=[],
        notdef_outline=True,
        drop_tables=dropped,
    )
    subsetter = subsetting.Subsetter(options)
    subsetter.populate(text=text)
    out = io.BytesIO()
    with path.open("rb") as file:
        font = _open(file, within)
        subsetter.subset(font)
        subsetting.save_font(font, out, options)
    return out.getvalue()


def _open(file: BinaryIO, within: str) -> Any:
    """Open the font of a file, or of a collection the one of that name."""
    lib = package("fontTools.ttLib")
    first = lib.TTFont(file, fontNumber=0, lazy=True)
    count = getattr(first.reader, "numFonts", 1)
    fonts = (lib.TTFont(file, fontNumber=number, lazy=True) for number in range(count))
    named = (font for font in fonts if font["name"].getDebugName(1) == within)
    return next(named, first)


def _range(text: str) -> str:
    """Return characters as CSS has them, neighbours together.

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


def main(folders: list[str]) -> None:
    with suppress(OSError):  # a systemd unit may forbid it
        os.nice(NICENESS)
    words = sys.stdin.buffer.read().decode()
    try:
        made = make([Path(folder) for folder in folders], glyphs(words))
    except Refusal as refused:
        sys.exit(str(refused))
    sys.stdout.buffer.write(msgspec.json.encode(made))


if __name__ == "__main__":
    main(sys.argv[1:])
