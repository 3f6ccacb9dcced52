"""`games`, `rules` and `define`: a game in words and as data."""

from __future__ import annotations

from collections.abc import Iterable

import click

from puntobanco.base.canonical import canonical
from puntobanco.base.citations import citation
from puntobanco.base.simplified import simplified
from puntobanco.base.words import Words
from puntobanco.cli import console
from puntobanco.cli.options import game_argument, json_option
from puntobanco.cli.output import echo_json
from puntobanco.rules.definition import define as definition_of
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Bet, Game, Pays
from puntobanco.rules.games import GAMES
from puntobanco.rules.rules_page import Section, heading, rules_page

lang_option = click.option(
    "--lang",
    type=click.Choice(["en", "zh", "zh-Hans"]),
    default="en",
    help="English, Traditional or Simplified Chinese.",
)
digest_option = click.option(
    "--digest", "only_digest", is_flag=True, help="Only the digest of its structure."
)

COLUMNS = ("game", "title", "decks", "rules as of", "bets")


@click.command
@json_option
def games(as_json: bool) -> None:
    """List the games."""
    if as_json:
        echo_json([_game_json(game) for game in GAMES.values()])
    else:
        console.table(COLUMNS, map(_cells, GAMES.values()), fold=(1, 4))


def _cells(game: Game) -> tuple[str, ...]:
    fewest, *_, most = game.decks
    decks = f"{fewest}-{most} x {len(game.deck)}"
    bets = ", ".join(bet.id for bet in game.bets)
    return game.id, game.title.en, decks, game.effective, bets


def _game_json(game: Game) -> dict[str, object]:
    said = game.announcements
    announcements = {"open": said.open, "close": said.close, "by": said.by}
    grounds = [{"ground": each.ground.id, "clause": each.clause} for each in game.irregularities]
    return {
        "id": game.id,
        "title": game.title.en,
        "title_zh": game.title.zh,
        "rulebook": game.rulebook,
        "version": game.version,
        "effective": game.effective,
        "deck": game.deck.id,
        "cards_per_deck": len(game.deck),
        "decks": list(game.decks),
        "announcements": announcements,
        "bets": [_bet_json(bet) for bet in game.bets],
        "irregularities": grounds,
    }


def _bet_json(bet: Bet) -> dict[str, object]:
    return {
        "id": bet.id,
        "title": bet.title.en,
        "title_zh": bet.title.zh,
        "pays": _pays_json(bet.pays),
        "bonus": _pays_json(bet.bonus),
        "push": bet.push.clause if bet.push else None,
        "clause": bet.clause,
    }


def _pays_json(lines: Iterable[Pays]) -> list[dict[str, str]]:
    return [{"pays": line.pays.words.en, "clause": line.clause} for line in lines]


@click.command
@game_argument
@lang_option
def rules(game: Game, lang: str) -> None:
    """Print a game's rules, each line with its clause."""
    console.heading(_said(game.title, lang))
    under = _said(heading(game), lang)
    console.line(console.Styled(under, "dim"))
    for section in rules_page(game):
        if section.rows:
            console.line()
            console.heading(_said(section.title, lang))
            _show_section(section, lang)


CLAUSE = Words("Clause", "條款")


def _said(words: Words, lang: str) -> str:
    return simplified(words.zh) if lang == "zh-Hans" else words.in_("zh" if lang == "zh" else "en")


def _show_section(section: Section, lang: str) -> None:
    columns = [_said(column, lang) for column in (*section.columns, CLAUSE)]
    rows = list[list[console.Part]]()
    for row in section.rows:
        cells = [_said(cell, lang) for cell in row.cells]
        clause = _said(Words(citation(row.clause, "en"), citation(row.clause, "zh")), lang)
        rows.append([*cells, console.Styled(clause, "yellow")])
    console.table(columns, rows, fold=range(len(columns) - 1))


@click.command
@game_argument
@digest_option
def define(game: Game, only_digest: bool) -> None:
    """Print a game as data, as `POST /api/admin/tables` takes it: canonical JSON, structure and
    words.
    """
    if only_digest:
        click.echo(digest(game))
    else:
        data = canonical(definition_of(game))
        click.echo(data.decode())
