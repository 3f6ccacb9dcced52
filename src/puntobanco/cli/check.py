"""`check`: what is proved of a game's definition, and what is wrong with it, in plain lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import click

from puntobanco.cli import show
from puntobanco.cli.options import game_argument
from puntobanco.rules.check import Finding, findings
from puntobanco.rules.definition import define
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.predicates import say
from puntobanco.rules.refusals import Refusal

COLUMNS = ("bet", "line", "pays", "when", "fewest decks")
STYLES = {"error": "red", "warning": "yellow", "note": "dim"}


@click.command
@game_argument
def check(game: Game) -> None:
    """Say what is proved of a game: every line can pay and with how many decks, clauses exist,
    no bet favours the patron, ids are free.
    """
    found = [*_as_data(game), *_clashes(game), *findings(game)]
    # exact odds mean nothing for a definition with errors
    if not _counted(found, "error"):
        from puntobanco.odds.findings import odds_findings  # noqa: PLC0415 - loads NumPy

        found += odds_findings(game)
    errors = _counted(found, "error")
    if not errors:
        _show_proved(game)
    for finding in found:
        text = f"{finding.kind}: {finding.text}"
        show.line(show.Styled(text, STYLES[finding.kind]))
    if errors:
        raise click.ClickException(f"{game.id}: {_several(errors, 'error')}")
    lines = sum(len(bet.pays) + len(bet.bonus) for bet in game.bets)
    sound = f"sound; {_several(len(game.bets), 'bet')}, {_several(lines, 'line')}"
    warnings = _counted(found, "warning")
    warned = f"; {_several(warnings, 'warning')}" if warnings else ""
    show.line(f"{game.id}: {sound}, every one can pay{warned}")


def _counted(found: Sequence[Finding], kind: str) -> int:
    return sum(finding.kind == kind for finding in found)


def _several(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _show_proved(game: Game) -> None:
    from puntobanco.odds.findings import fewest_decks, lowest_edge, told  # noqa: PLC0415

    fewest = fewest_decks(game)
    rows = [row for bet in game.bets for row in _rows(bet, fewest[bet.id])]
    show.table(COLUMNS, rows, right=(4,), fold=(3,))
    show.line()
    source = f"{game.rulebook} or house_rules" if game.rulebook else "house_rules"
    proved = [
        "every line can decide a round: every kind of round was walked through, none was sampled",
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
        show.line(show.Styled(f"proved: {text}", "green"))


def _rows(bet: Bet, fewest: Sequence[int]) -> Iterator[tuple[str, ...]]:
    names = [str(number) for number, _ in enumerate(bet.pays, 1)]
    names += [f"bonus {number}" for number, _ in enumerate(bet.bonus, 1)]
    lines = (*bet.pays, *bet.bonus)
    for name, line, decks in zip(names, lines, fewest, strict=True):
        yield bet.id, name, line.pays.words.en, say(line.when).en, str(decks)


def _as_data(game: Game) -> Iterator[Finding]:
    """What keeps a game from a table: a part that is no data."""
    try:
        define(game)
    except Refusal as refusal:
        yield Finding("error", refusal.reason)


def _clashes(game: Game) -> Iterator[Finding]:
    """An id that is taken; titles that patrons would take for one another."""
    if game is GAMES.get(game.id):
        return
    if game.id in GAMES:
        yield Finding("error", f"{game.id} is a built-in game's id; give yours an id of its own")
    for ours in GAMES.values():
        if game.title.en == ours.title.en:
            text = f"the title {game.title.en!r} is that of {ours.id}; give yours one of its own"
            yield Finding("warning", text)
    titles = Counter(bet.title.en for bet in game.bets)
    for title, number in titles.items():
        if number > 1:
            sharing = " and ".join(bet.id for bet in game.bets if bet.title.en == title)
            text = f"{sharing} share the title {title!r}; patrons could not tell them apart"
            yield Finding("warning", text)
