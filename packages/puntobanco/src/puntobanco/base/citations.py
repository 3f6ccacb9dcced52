"""Citations: what a clause is called where people read it, as its rulebook prints it.

A clause id stands in settlements and journals and never changes; the label beside a rule does.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from puntobanco.base.words import Language, Words

HEADINGS: Mapping[str, Words] = MappingProxyType(
    {
        "1:baccarat-table-of-play": Words("1, Baccarat Table of Play", "1 補牌規則"),
        "1:bet": Words("1, Bet", "1 投注"),
        "1:card-shoe": Words("1, Card Shoe", "1 牌靴"),
        "1:electronic-card-shuffler": Words("1, Electronic Card Shuffler", "1 電子洗牌機"),
        "1:house": Words("1, House", "1 本場"),
        "1:natural": Words("1, Natural", "1 例牌"),
        "1:non-commission": Words("1, Non-Commission", "1 免佣"),
        "1:original-bet": Words("1, Original Bet", "1 原注"),
        "1:player": Words("1, Player", "1 客人"),
        "1:pair": Words("1, Player Pair or Banker Pair", "1 閒對或莊對"),
        "1:player-terminal": Words("1, Player Terminal", "1 終端機"),
        "1:point-total": Words("1, Point Total", "1 點數"),
        "1:reconstruction": Words("1, Reconstruction", "1 還原"),
        "1:round-of-play": Words("1, Round of play", "1 牌局"),
        "1:super-six-plus": Words("1, Super Six Plus", "1 超級六 Plus"),
        "1:tie": Words("1, Tie", "1 和局"),
        "1:void": Words("1, Void", "1 作廢"),
        "3.9:table": Words("3.9, Table of Play", "3.9 補牌規則"),
    }
)
"""Parts that a rulebook prints without a number: its section, and the heading there."""

HOUSE_PROCEDURE = frozenset({19, 20, 21, 23, 28, 29, 30, 31, 37, 39, 40, 45, 46, 47, 48})
"""Readings about what the house does where the rulebook says nothing; the others say how we read
what it says.
"""

_PROCEDURE = Words("house procedure {}", "本場程序 {}")
_READING = Words("our reading {}", "詮釋 {}")
_OTHERS = {**HEADINGS, "house": Words("house", "本場")}


def citation(clause: str, language: Language) -> str:
    """
    >>> citation("1:tie", "en"), citation("3.9.4", "en"), citation("reading 21", "zh")
    ('1, Tie', '3.9.4', '本場程序 21')
    """
    label = _OTHERS.get(clause) or Words(clause)
    kind, _, number = clause.partition(" ")
    if kind == "reading" and number.isdecimal():
        template = _PROCEDURE if int(number) in HOUSE_PROCEDURE else _READING
        label = template.format(number)
    return label.in_(language)
