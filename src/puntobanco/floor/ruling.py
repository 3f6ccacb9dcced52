"""The rules page of a table's game, as terminals show it: every line in both languages, with its clause."""

from __future__ import annotations

from puntobanco.events import Record
from puntobanco.rules.game import Game
from puntobanco.rules.text import Words
from puntobanco.rules.words import heading, rules_page

Both = tuple[str, str]
"""English and Chinese."""

MALFUNCTION_POLICY = Words(
    "A malfunction of the equipment voids the round in play: all wagers of it are returned. Rounds that were settled "
    "stand. Two people decide, and the journal keeps both.",
    "設備如發生故障，進行中的牌局作廢，退回該局全部投注；已結算的牌局維持有效。由兩名職員決定，並記錄在案。",
)


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
    sections = tuple(
        RulesSection(
            title=section.title.en, title_zh=section.title.zh, columns=tuple(map(_both, section.columns)),
            rows=tuple(RulesRow(cells=tuple(map(_both, row.cells)), clause=row.clause) for row in section.rows),
        )
        for section in rules_page(game)
        if section.rows
    )  # fmt: skip
    under = heading(game)
    return RulesView(
        game=game.id, title=game.title.en, title_zh=game.title.zh, heading=under.en, heading_zh=under.zh,
        sections=sections, malfunction=_both(MALFUNCTION_POLICY),
    )  # fmt: skip


def _both(words: Words) -> Both:
    return words.en, words.zh
