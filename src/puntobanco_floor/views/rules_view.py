"""The rules page of a table's game, as terminals show it: every line in both languages, with its
clause.
"""

from __future__ import annotations

from functools import lru_cache

from puntobanco.base.record import Record
from puntobanco.base.words import Words
from puntobanco.rules.game import Game
from puntobanco.rules.rules_page import Section, heading, rules_page

Both = tuple[str, str]
"""English and Chinese."""


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
    voucher_days: int  # how long a voucher is good


@lru_cache(256)
def rules_view(game: Game, *, voucher_days: int) -> RulesView:
    sections = tuple(_section(section) for section in rules_page(game) if section.rows)
    under = heading(game)
    return RulesView(
        game=game.id,
        title=game.title.en,
        title_zh=game.title.zh,
        heading=under.en,
        heading_zh=under.zh,
        sections=sections,
        voucher_days=voucher_days,
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
