"""The rules page of a table's game, as terminals show it: every line in both languages, with its
clause.
"""

from __future__ import annotations

from puntobanco.events import Record
from puntobanco.rules.game import Game
from puntobanco.rules.text import Words
from puntobanco.rules.words import Section, heading, rules_page

Both = tuple[str, str]
"""English and Chinese."""

MALFUNCTION_POLICY = Words(
    "A round that is interrupted by a fault of the equipment is finished by rule, with the "
    "cards as committed or as "
    "they lie, and its wagers are settled. It is void, and all wagers on it are returned, "
    "only if it cannot be "
    "finished. Where staff declare a malfunction, two people decide whether the round goes "
    "on or is void; the journal "
    "keeps both names. Rounds that were settled stand.",
    "牌局如因設備故障中斷，將依規則以既定或已派出的牌完成，投注照常結算；只有無法完成時該局才作廢，並退回該局全部投注。"
    "職員宣布設備故障時，由兩名職員決定牌局繼續或作廢，兩人均記錄在案。已結算的牌局維持有效。",
)
"""Reading 31, as patrons are told."""


class RulesRow(Record):
    cells: tuple[Both, ...]
    clause: str


class RulesSection(Record):
    title: str
    title_zh: str
    columns: tuple[Both, ...]
    rows: tuple[RulesRow, ...]


class RulesView(Record):
    game: str
    title: str
    title_zh: str
    heading: str
    heading_zh: str
    sections: tuple[RulesSection, ...]
    malfunction: Both


def rules_view(game: Game) -> RulesView:
    sections = tuple(_section(section) for section in rules_page(game) if section.rows)
    under = heading(game)
    return RulesView(
        game=game.id,
        title=game.title.en,
        title_zh=game.title.zh,
        heading=under.en,
        heading_zh=under.zh,
        sections=sections,
        malfunction=_both(MALFUNCTION_POLICY),
    )


def _section(section: Section) -> RulesSection:
    rows = list[RulesRow]()
    for row in section.rows:
        cells = tuple(map(_both, row.cells))
        rows.append(RulesRow(cells=cells, clause=row.clause))
    return RulesSection(
        title=section.title.en,
        title_zh=section.title.zh,
        columns=tuple(map(_both, section.columns)),
        rows=tuple(rows),
    )


def _both(words: Words) -> Both:
    return words.en, words.zh
