"""`check`: what is proved of a game's definition, and what is wrong with it, in plain lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import click

from puntobanco.cli import console
from puntobanco.cli.options import game_argument, game_named
from puntobanco.game_check import (
    clashes,
    fewest_decks,
    inexact,
    lowest_edge,
    odds_findings,
    told,
    verify_as_data,
)
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.predicates import say
from puntobanco.rules.validation import NOT_WALKED, Finding, findings

COLUMNS = ("bet", "line", "pays", "when", "fewest decks")
STYLES = {"error": "red", "warning": "yellow", "note": "dim"}


@click.command
@game_argument
def check(game: Game) -> None:
    """Say what is proved of a game: every line can pay and with how many decks, clauses exist,
    no bet favours the patron, ids are free.
    """
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
        console.line(console.Styled(text, STYLES[finding.kind]))
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
    fewest = fewest_decks(game)
    rows = [row for bet in game.bets for row in _rows(bet, fewest[bet.id])]
    console.table(COLUMNS, rows, right=(4,), fold=(3,))
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


def _rows(bet: Bet, fewest: Sequence[int]) -> Iterator[tuple[str, ...]]:
    names = [str(number) for number, _ in enumerate(bet.pays, 1)]
    names += [f"bonus {number}" for number, _ in enumerate(bet.bonus, 1)]
    lines = (*bet.pays, *bet.bonus)
    for name, line, decks in zip(names, lines, fewest, strict=True):
        yield bet.id, name, line.pays.words.en, say(line.when).en, str(decks)
    if bet.push:
        yield bet.id, "push", "push", say(bet.push.when).en, ""
