"""Which characters our texts are written with: those of our packages' own files, where every word
is that a screen shows, and those of whatever games a floor has besides.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from puntobanco.base.version import PACKAGES
from puntobanco.rules.games import GAMES

SOURCE = Path(__file__).parents[2]
SUFFIXES = frozenset({".py", ".js", ".html", ".css"})
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

_HAN = re.compile(
    "[\u2e80-\u2fdf\u3000-\u303f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff00-\uffef]"
)
_OTHER = re.compile(r"[^\x00-\x7f]")


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
    """Of all our texts; `more` are those of a floor's own games, which patrons read."""
    texts = _texts()
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
def _texts() -> dict[str, str]:
    """Of our packages' files, by who reads them."""
    found = {"beside": SEALS + BESIDE + _titles(), "patrons": "", "staff": "", "simplified": ""}
    for path in sorted(path for name in PACKAGES for path in (SOURCE / name).rglob("*")):
        if path.suffix in SUFFIXES:
            found[_reader(path.relative_to(SOURCE).parts)] += path.read_text("utf-8")
    return found


def _titles() -> str:
    games = GAMES.values()
    bets = (bet.title.zh for game in games for bet in game.bets)
    return "".join((*(game.title.zh for game in games), *bets))


def _reader(parts: tuple[str, ...]) -> str:
    if parts[-1] in SIMPLIFIED:
        return "simplified"
    is_staffs = parts[1:3] == ("web", "screens") and parts[3] in STAFF
    return "staff" if is_staffs else "patrons"
