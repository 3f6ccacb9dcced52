"""`games`, `rules` and `check`: what a game is, in words, and whether its definition holds."""

from __future__ import annotations

from collections.abc import Iterator

import click

from puntobanco.cli import show
from puntobanco.cli.options import echo_json, game_argument, json_option, lang_option
from puntobanco.rules.check import Finding, findings
from puntobanco.rules.definition import canonical, digest
from puntobanco.rules.definition import define as definition_of
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import Refusal
from puntobanco.rules.text import Language
from puntobanco.rules.words import citation, heading, rules_page


@click.command(help="List the games.")
@json_option
def games(as_json: bool) -> None:
    if as_json:
        echo_json([_game(game) for game in GAMES.values()])
        return
    rows = [
        (
            id_,
            game.title.en,
            f"{game.decks[0]}-{game.decks[-1]} x {len(game.deck)}",
            game.effective,
            ", ".join(bet.id for bet in game.bets),
        )
        for id_, game in GAMES.items()
    ]
    show.table(("game", "title", "decks", "rules as of", "bets"), rows, fold=(1, 4))


def _game(game: Game) -> dict[str, object]:
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
        "announcements": {
            "open": game.announcements.open,
            "close": game.announcements.close,
            "by": game.announcements.by,
        },
        "bets": [_bet(bet) for bet in game.bets],
        "irregularities": [
            {"ground": i.ground.id, "clause": i.clause} for i in game.irregularities
        ],
    }


def _bet(bet: Bet) -> dict[str, object]:
    return {
        "id": bet.id,
        "title": bet.title.en,
        "title_zh": bet.title.zh,
        "pays": [{"pays": line.pays.words.en, "clause": line.clause} for line in bet.pays],
        "bonus": [{"pays": line.pays.words.en, "clause": line.clause} for line in bet.bonus],
        "push": bet.push.clause if bet.push else None,
        "clause": bet.clause,
    }


@click.command(help="Print a game's rules, each line with its clause.")
@game_argument
@lang_option
def rules(game: Game, lang: Language) -> None:
    show.heading(game.title.in_(lang))
    show.line(show.Styled(heading(game).in_(lang), "dim"))
    for section in rules_page(game):
        if section.rows:
            show.line()
            show.heading(section.title.in_(lang))
            clause = "條文" if lang == "zh" else "Clause"
            rows: list[list[show.Part]] = [
                [
                    *(c.in_(lang) for c in row.cells),
                    show.Styled(citation(row.clause, lang), "yellow"),
                ]
                for row in section.rows
            ]
            columns = [*(c.in_(lang) for c in section.columns), clause]
            show.table(columns, rows, fold=range(len(columns) - 1))


@click.command(
    help="Print a game as data, as `POST /api/admin/tables` takes it: canonical JSON, structure "
    "and words."
)
@game_argument
@click.option("--digest", "only_digest", is_flag=True, help="Only the digest of its structure.")
def define(game: Game, only_digest: bool) -> None:
    click.echo(digest(game) if only_digest else canonical(definition_of(game)).decode())


@click.command(
    help="Check a game's definition: clauses exist, every line can pay, lines exclude or "
    "overlap, returns are ordinary."
)
@game_argument
def check(game: Game) -> None:
    found = [*_as_data(game), *findings(game)]
    if not any(
        finding.kind == "error" for finding in found
    ):  # exact odds mean nothing for a definition with errors
        from puntobanco.odds.findings import odds_findings  # noqa: PLC0415 - loads NumPy and Numba

        found += odds_findings(game)
    for finding in found:
        show.line(
            show.Styled(
                f"{finding.kind}: {finding.text}", "red" if finding.kind == "error" else "dim"
            )
        )
    errors = sum(finding.kind == "error" for finding in found)
    if errors:
        raise click.ClickException(f"{game.id}: {errors} error{'s' if errors > 1 else ''}")
    lines = sum(len(bet.pays) + len(bet.bonus) for bet in game.bets)
    show.line(f"{game.id}: sound; {len(game.bets)} bets, {lines} lines, every one can pay")


def _as_data(game: Game) -> Iterator[Finding]:
    """What keeps a game from a table: a part that is no data, and an id that is taken."""
    try:
        definition_of(game)
    except Refusal as refusal:
        yield Finding("error", refusal.reason)
    if game is not GAMES.get(game.id, game):
        yield Finding("error", f"{game.id} is a built-in game's id; give yours an id of its own")
