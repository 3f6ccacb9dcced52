"""`games`, `rules`, `define`, `check`, `new-game`: a game in words and as data, proved, begun."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from importlib.resources import files
from pathlib import Path

import click

from puntobanco.base.canonical import canonical
from puntobanco.base.citations import citation
from puntobanco.base.refusal import Refusal
from puntobanco.base.simplified import simplified
from puntobanco.base.words import Words
from puntobanco.cli import console
from puntobanco.cli.options import game_argument, game_named, json_option
from puntobanco.game_files import published, read_published
from puntobanco.rules.definition import define as definition_of
from puntobanco.rules.definition import digest
from puntobanco.rules.game import Bet, Game, Pays
from puntobanco.rules.games import GAMES
from puntobanco.rules.predicates import say
from puntobanco.rules.rules_page import Section, heading, rules_page
from puntobanco.rules.validation import NOT_WALKED, Finding, findings

COLUMNS = ("game", "title", "decks", "rules as of", "bets")
PROVED_COLUMNS = ("bet", "line", "pays", "when", "fewest decks")
FINDING_STYLES = {"error": "red", "warning": "yellow", "note": "dim"}
CLAUSE = Words("Clause", "條款")

STARTERS = {
    "added": "one of our games with a side bet more",
    "replaced": "one of our games with a bet of its own replaced",
    "push": "a side bet that can return the stake",
    "bonus": "a side bet with a bonus in dollars",
    "whole": "a game from nothing, all on one page",
}
"""The ways to begin: each is a file in `starters`."""


@click.command
@json_option
def games(as_json: bool) -> None:
    """List the games: those built in, and those that installed distributions publish."""
    found = [*GAMES.values(), *_published()]
    if as_json:
        console.echo_json([_game_json(game) for game in found])
    else:
        console.table(COLUMNS, map(_cells, found), fold=(1, 4))


def _published() -> Iterator[Game]:
    for id_ in published():
        try:
            own = read_published(id_)
        except Refusal as refusal:
            click.echo(f"puntobanco: {refusal}", err=True)
        else:
            if own is not None:
                yield own.game


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
        "title": asdict(game.title),
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
        "title": asdict(bet.title),
        "pays": _pays_json(bet.pays),
        "bonus": _pays_json(bet.bonus),
        "push": bet.push.clause if bet.push else None,
        "clause": bet.clause,
    }


def _pays_json(lines: Iterable[Pays]) -> list[dict[str, str]]:
    return [{"pays": line.pays.words.en, "clause": line.clause} for line in lines]


@click.command
@game_argument
@click.option(
    "--lang",
    type=click.Choice(["en", "zh", "zh-Hans"]),
    default="en",
    help="English, Traditional or Simplified Chinese.",
)
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
@click.option("--digest", "only_digest", is_flag=True, help="Only the digest of its structure.")
def define(game: Game, only_digest: bool) -> None:
    """Print a game as data, as `POST /api/admin/tables` takes it: canonical JSON, structure and
    words.
    """
    if only_digest:
        click.echo(digest(game))
    else:
        data = canonical(definition_of(game))
        click.echo(data.decode())


# Check


@click.command
@game_argument
def check(game: Game) -> None:
    """Say what is proved of a game: every line can pay and with how many decks, clauses exist,
    no bet favours the patron, ids are free.
    """
    # it loads NumPy, which the other commands of this module do without
    from puntobanco.game_check import clashes, inexact, odds_findings, verify_as_data  # noqa: PLC0415

    found = [*verify_as_data(game), *clashes(game), *findings(game)]
    simulated = False
    # exact odds mean nothing for a definition with errors
    if not _counted(found, "error"):
        without = list(inexact(game))
        simulated = bool(without)
        found += without or odds_findings(game)
    errors = _counted(found, "error")
    if not errors:
        walked = not any(finding.text.endswith(NOT_WALKED) for finding in found)
        _show_proved(game, walked=walked)
    for finding in found:
        text = f"{finding.kind}: {finding.text}"
        console.line(console.Styled(text, FINDING_STYLES[finding.kind]))
    if errors:
        if simulated:
            console.line(f"next: puntobanco simulate {game_named()}")
        raise click.ClickException(f"{game.id}: {_several(errors, 'error')}")
    lines = sum(len(bet.pays) + len(bet.bonus) for bet in game.bets)
    sound = f"sound; {_several(len(game.bets), 'bet')}, {_several(lines, 'line')}"
    warnings = _counted(found, "warning")
    warned = f"; {_several(warnings, 'warning')}" if warnings else ""
    console.line(f"{game.id}: {sound}, every one can pay{warned}")


def _counted(found: Sequence[Finding], kind: str) -> int:
    return sum(finding.kind == kind for finding in found)


def _several(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _show_proved(game: Game, *, walked: bool) -> None:
    from puntobanco.game_check import fewest_decks, lowest_edge, told  # noqa: PLC0415

    fewest = fewest_decks(game)
    rows = [row for bet in game.bets for row in _proved_rows(bet, fewest[bet.id])]
    console.table(PROVED_COLUMNS, rows, right=(4,), fold=(3,))
    console.line()
    source = f"{game.rulebook} or house_rules" if game.rulebook else "house_rules"
    how = "every kind of round was walked through" if walked else "by a walk or by exact odds"
    proved = [
        f"every line can decide a round: {how}, none was sampled",
        f"every clause that is cited stands in {source}",
        "every payout is whole cents, for stakes in the steps of the bet",
        "no two bets share an id, and the game can be written as data for a table",
    ]
    lowest = lowest_edge(game)
    if lowest.edge >= 0:
        with_decks = told(list(game.decks))
        best = f"the least house edge is {lowest.percent}, of {lowest.bet}"
        proved.append(f"no bet favours the patron with {with_decks}: {best}")
    for text in proved:
        console.line(console.Styled(f"proved: {text}", "green"))


def _proved_rows(bet: Bet, fewest: Sequence[int]) -> Iterator[tuple[str, ...]]:
    names = [str(number) for number, _ in enumerate(bet.pays, 1)]
    names += [f"bonus {number}" for number, _ in enumerate(bet.bonus, 1)]
    lines = (*bet.pays, *bet.bonus)
    for name, line, decks in zip(names, lines, fewest, strict=True):
        yield bet.id, name, line.pays.words.en, say(line.when).en, str(decks)
    if bet.push:
        yield bet.id, "push", "push", say(bet.push.when).en, ""


# New game


@click.command("new-game")
@click.argument("file", type=Path)
@click.option(
    "--start",
    type=click.Choice(list(STARTERS)),
    default="added",
    show_default=True,
    help="; ".join(f"{name}: {what}" for name, what in STARTERS.items()) + ".",
)
def new_game(file: Path, start: str) -> None:
    """Write a commented game file that works, to start from; never over a file that is there."""
    text = _starter(start, file)
    try:
        with file.open("x", encoding="utf-8") as new:
            new.write(text)
    except FileExistsError:
        raise Refusal(f"{file} is there already; name another file") from None
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise Refusal(f"cannot write {file}: {reason}") from None
    console.line(f"wrote {file}: {STARTERS[start]}")
    console.line(f"next: puntobanco check {file}")


def _starter(start: str, file: Path) -> str:
    """The text of a starter, with an id and a title from the name of the file."""
    if file.suffix != ".py":
        raise Refusal(f"a game is a Python file: name it {file.stem or 'my_game'}.py, not {file}")
    words = re.findall(r"[a-z0-9]+", file.stem.lower())
    id_ = "-".join(words)
    if not words or not id_[0].isalpha() or id_ in GAMES:
        raise Refusal(
            f"the game's id comes from the name of the file, and {file.stem!r} gives none of its "
            f"own; name it for example my_game.py"
        )
    text = files("puntobanco.cli.starters").joinpath(f"{start}.py").read_text("utf-8")
    title = " ".join(words).title()
    return text.replace("my-game", id_).replace("My Game", title).replace("my_game.py", str(file))
