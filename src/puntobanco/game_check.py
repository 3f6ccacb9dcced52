"""The check of a game's definition: all that `puntobanco check` finds, here or in a process apart.

`python -m puntobanco.game_check` is that process. It reads a definition from standard
input and writes a line for each bet that it begins and for each finding. A served floor ends it
when a definition that came over HTTP takes too long.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from puntobanco.base.refusal import Refusal
from puntobanco.base.strict_json import verify_texts
from puntobanco.rules.definition import define, game_of
from puntobanco.rules.game import Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.validation import Finding, findings


def verify_as_data(game: Game) -> Iterator[Finding]:
    """What keeps a game from a table: a part that is no data, a text with a hidden character."""
    try:
        verify_texts(define(game))
    except Refusal as refusal:
        yield Finding("error", refusal.reason)


def clashes(game: Game) -> Iterator[Finding]:
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


def all_findings(game: Game, begin: Callable[[str], object] = str) -> Iterator[Finding]:
    """Check everything, bet by bet; `begin` is told of each bet first. A table takes no game with
    an error, be it from a file or over HTTP.
    """
    from puntobanco.odds.findings import inexact, odds_findings  # noqa: PLC0415 - loads NumPy

    yield from verify_as_data(game)
    yield from clashes(game)
    for bet in game.bets:
        begin(bet.id)
        alone = replace(game, bets=(bet,))
        found = list(findings(alone))
        yield from found
        # exact odds mean nothing for a definition with errors
        if not any(each.kind == "error" for each in found):
            yield from list(inexact(alone)) or odds_findings(alone)


def main() -> None:
    game = game_of(json.load(sys.stdin))

    def tell(**line: str) -> None:
        print(json.dumps(line), flush=True)

    for found in all_findings(game, lambda bet: tell(bet=bet)):
        if found.kind == "error":
            tell(error=found.text)
    tell(done=game.id)


if __name__ == "__main__":
    main()
