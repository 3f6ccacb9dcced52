"""`games`, `rules`, `define` and `check`: a game in words, as data, and whether it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import click

from puntobanco.cli import show
from puntobanco.cli.options import game_argument, json_option
from puntobanco.cli.output import echo_json
from puntobanco.rules.check import Finding, findings
from puntobanco.rules.citations import citation
from puntobanco.rules.definition import canonical, digest
from puntobanco.rules.definition import define as definition_of
from puntobanco.rules.game import Bet, Game, Pays
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import Refusal
from puntobanco.rules.text import Language
from puntobanco.rules.words import Section, heading, rules_page

lang_option = click.option(
    "--lang", type=click.Choice(["en", "zh"]), default="en", help="English or Traditional Chinese."
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
        show.table(COLUMNS, map(_cells, GAMES.values()), fold=(1, 4))


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
def rules(game: Game, lang: Language) -> None:
    """Print a game's rules, each line with its clause."""
    show.heading(game.title.in_(lang))
    under = heading(game).in_(lang)
    show.line(show.Styled(under, "dim"))
    for section in rules_page(game):
        if section.rows:
            show.line()
            show.heading(section.title.in_(lang))
            _show_section(section, lang)


def _show_section(section: Section, lang: Language) -> None:
    columns = [column.in_(lang) for column in section.columns]
    columns.append("條款" if lang == "zh" else "Clause")
    rows = list[list[show.Part]]()
    for row in section.rows:
        cells = [cell.in_(lang) for cell in row.cells]
        clause = citation(row.clause, lang)
        rows.append([*cells, show.Styled(clause, "yellow")])
    show.table(columns, rows, fold=range(len(columns) - 1))


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


@click.command
@game_argument
def check(game: Game) -> None:
    """Check a game's definition: clauses exist, every line can pay, lines exclude or overlap,
    returns are ordinary.
    """
    found = [*_as_data(game), *findings(game)]
    # exact odds mean nothing for a definition with errors
    if not _errors(found):
        from puntobanco.odds.findings import odds_findings  # noqa: PLC0415 - loads NumPy and Numba

        found += odds_findings(game)
    for finding in found:
        text = f"{finding.kind}: {finding.text}"
        style = "red" if finding.kind == "error" else "dim"
        show.line(show.Styled(text, style))
    errors = _errors(found)
    if errors:
        plural = "s" if errors > 1 else ""
        raise click.ClickException(f"{game.id}: {errors} error{plural}")
    lines = sum(len(bet.pays) + len(bet.bonus) for bet in game.bets)
    show.line(f"{game.id}: sound; {len(game.bets)} bets, {lines} lines, every one can pay")


def _errors(found: Iterable[Finding]) -> int:
    return sum(finding.kind == "error" for finding in found)


def _as_data(game: Game) -> Iterator[Finding]:
    """What keeps a game from a table: a part that is no data, and an id that is taken."""
    try:
        definition_of(game)
    except Refusal as refusal:
        yield Finding("error", refusal.reason)
    if game is not GAMES.get(game.id, game):
        yield Finding("error", f"{game.id} is a built-in game's id; give yours an id of its own")
