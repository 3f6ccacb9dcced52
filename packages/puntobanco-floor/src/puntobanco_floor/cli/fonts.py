"""`fonts`: cut this machine's fonts to the characters of our texts, once, for nodes to serve."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

import click

from puntobanco.base.extras import package
from puntobanco.base.refusal import Refusal
from puntobanco.base.version import DISTRIBUTIONS
from puntobanco.cli.options import GameType
from puntobanco.rules.definition import define
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco_floor.web.font_files import STYLE
from puntobanco_floor.web.screen_files import HASH_LENGTH

INSTALLED = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
TEXTS = frozenset({".py", ".js", ".html", ".css"})
STAFF = frozenset({"admin", "audit", "cage", "dealer", "login", "odds", "pit", "reports"})
"""Screens that no patron sees."""

SIMPLIFIED = frozenset({"hans.js", "simplified.py"})
"""Files with the Simplified characters that our Traditional ones become."""

SEALS = "莊閒和庄闲壽祿福寿禄火金土木水"
"""Drawn large and in another hand: on the felt, on cards, in the road of beads."""

BESIDE = "中文繁简請投注截止投注閒莊贏輸和局第局作廢無珠盤路大路大眼仔小路曱甴路"
"""What patrons read in Chinese beside the English, with the titles of games and bets."""

LATIN = "".join(map(chr, (*range(0x20, 0x7F), *range(0xA0, 0x100), 0x2212)))
"""With the letters of names in western Europe, which people have and no text of ours; and the minus
sign, which screens write by its number.
"""

_HAN = re.compile(
    "[\u2e80-\u2fdf\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
)


class Face(NamedTuple):
    """A family at a weight, the font that Debian has for it, and the part of our characters."""

    family: str
    weight: int
    font: str
    part: str


FACES = (
    Face("Inter", 400, "Inter-Regular", "latin"),
    Face("Inter", 600, "Inter-SemiBold", "latin"),
    Face("Inter", 700, "Inter-Bold", "latin"),
    Face("puntobanco Han", 400, "NotoSansCJK-Regular", "beside"),
    Face("puntobanco Han", 400, "NotoSansCJK-Regular", "patrons"),
    Face("puntobanco Han", 400, "NotoSansCJK-Regular", "staff"),
    Face("puntobanco Han", 400, "NotoSansCJK-Regular", "simplified"),
    Face("puntobanco Seal", 700, "NotoSerifCJK-Bold", "seals"),
)
"""Chinese in one weight, which browsers embolden: a second one is 100 kB for every terminal."""

SUBSETTING = (
    "--flavor=woff2",
    "--font-number=3",  # Traditional Chinese in Noto's collections
    "--layout-features=kern,tnum",  # figures of one width, because amounts are in columns
    "--no-hinting",
    "--name-IDs=",
    "--notdef-outline",
)


@click.command(help="Cut installed fonts to the texts of the screens, for nodes to serve.")
@click.argument("to", metavar="FOLDER", type=click.Path(path_type=Path, file_okay=False))
@click.option(
    "--from",
    "folders",
    multiple=True,
    default=INSTALLED,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Where Inter and Noto CJK are; may be repeated.",
)
@click.option(
    "--game",
    "games",
    multiple=True,
    type=GameType(),
    metavar="FILE",
    help="A game.py of your own, whose words are shown too; may be repeated.",
)
def fonts(to: Path, folders: Sequence[Path], games: Sequence[Game]) -> None:
    own = "".join(str(define(game)) for game in games)
    size = cut_fonts(to, folders, read_characters(own))
    click.echo(f"{to}: {len(FACES)} fonts, {size:,} bytes; puntobanco serve --fonts {to}")


def read_characters(own: str = "") -> dict[str, str]:
    """Return the characters of our texts in parts; a browser loads those that a page needs.
    `own` is the text of a floor's own games.
    """
    texts = {"beside": SEALS + BESIDE + own, "patrons": "", "staff": "", "simplified": ""}
    for game in GAMES.values():
        texts["beside"] += game.title.zh
        for bet in game.bets:
            texts["beside"] += bet.title.zh
    for path in _find_texts():
        texts[_find_reader(path)] += path.read_text("utf-8")
    every = "".join(texts.values())
    han = set(_HAN.findall(every))
    latin = {one for one in every if not one.isascii()} - han
    latin.update(LATIN)
    parts = {"seals": SEALS, "latin": "".join(sorted(latin))}
    for part, text in texts.items():
        parts[part] = "".join(sorted(han.intersection(text)))
        han.difference_update(text)
    return parts


def _find_texts() -> Iterator[Path]:
    """Yield our packages' files, wherever each package is installed."""
    for name in DISTRIBUTIONS.values():
        package_file = import_module(name).__file__
        assert package_file is not None
        for path in Path(package_file).parent.rglob("*"):
            if path.suffix in TEXTS:
                yield path


def _find_reader(path: Path) -> str:
    if path.name in SIMPLIFIED:
        return "simplified"
    if path.parent.name in STAFF and path.parents[1].name == "screens":
        return "staff"
    return "patrons"


def cut_fonts(to: Path, folders: Sequence[Path], parts: dict[str, str]) -> int:
    """Write every face and a style sheet, and return the size of all. A face has its hash in its
    name, and those of an earlier cut stay: a page that was open before may still ask for them.
    """
    files = {face.font: find_font(face.font, folders) for face in FACES}
    to.mkdir(parents=True, exist_ok=True)
    style, size = "", 0
    for face in FACES:
        characters = ",".join(f"U+{ord(each):X}" for each in parts[face.part])
        name = f"{face.part}-{face.weight}"
        cut = to / f"{name}.woff2"
        _cut(files[face.font], cut, characters)
        data = cut.read_bytes()
        size += len(data)
        digest = hashlib.sha256(data).hexdigest()
        cut = cut.replace(to / f"{name}-{digest[:HASH_LENGTH]}.woff2")
        style += f'@font-face{{font-family:"{face.family}";font-weight:{face.weight};'
        style += f"font-display:swap;unicode-range:{characters};"
        style += f'src:url(/fonts/{cut.name}) format("woff2")}}\n'
    (to / STYLE).write_text(style)
    return size


def find_font(name: str, folders: Sequence[Path]) -> Path:
    """Return the first font file with that name."""
    for folder in folders:
        for path in sorted(folder.rglob(f"{name}.*")):
            if path.suffix.lower() in (".ttc", ".otf", ".ttf"):
                return path
    looked = " and ".join(map(str, folders))
    raise Refusal(
        f"{name} is not in {looked}: install fonts-inter and fonts-noto-cjk, or name the folder "
        "of your fonts with --from"
    )


def _cut(path: Path, to: Path, characters: str) -> None:
    """Run fonttools' `pyftsubset`."""
    package("brotli")
    subset = package("fontTools.subset")
    files = [str(path), f"--output-file={to}"]
    subset.main([*files, f"--unicodes={characters}", *SUBSETTING])
