"""The check of a game's definition: all that `puntobanco check` finds, here or in a process apart;
what exact odds say of it, such as the fewest decks of each line and bets that favour the patron.

`python -m puntobanco.game_check` is that process. It reads a definition from standard
input and writes a line for each bet that it begins and for each finding. A served floor ends it
when a definition that came over HTTP takes too long.
"""

from __future__ import annotations

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice

from puntobanco.base.characters import verify_texts
from puntobanco.base.refusal import Refusal
from puntobanco.odds.par import FAVOURS_PATRON, BetOdds, ParSheet, par_sheet, percent, unsolved
from puntobanco.rules.definition import define, game_of
from puntobanco.rules.game import Bet, Game
from puntobanco.rules.games import GAMES
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.validation import ENOUGH_DECKS, Finding, findings

MAX_INEXACT = 3


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


@dataclass(frozen=True, slots=True, order=True)
class Edge:
    edge: Fraction
    decks: int
    bet: str

    @property
    def percent(self) -> str:
        return percent(self.edge)


def odds_findings(game: Game) -> Iterator[Finding]:
    """Errors, warnings and notes, for every number of decks that the game allows."""
    sheets = [par_sheet(game, decks) for decks in game.decks]
    for i, bet in enumerate(game.bets):
        by_decks = [sheet.bets[i] for sheet in sheets]
        yield from _needed_decks(game, by_decks)
        yield from _favours(game, bet, by_decks)
        flagged = defaultdict[str, list[int]](list)
        for decks, odds in zip(game.decks, by_decks, strict=True):
            for flag in odds.flags:
                flagged[flag].append(decks)
        flagged.pop(FAVOURS_PATRON, None)  # said above, with its edge
        for flag, with_decks in flagged.items():
            yield Finding("note", f"{bet.id}: {flag} with {told(with_decks)}")
    yield from _break_even_stakes(sheets[game.decks.index(game.default_decks)])


def inexact(game: Game) -> Iterator[Finding]:
    """Name the bets without exact odds as errors: no table opens with a house edge that cannot be
    stated. At most `MAX_INEXACT` are named, because each takes seconds.
    """
    for bet, reason in islice(unsolved(game, game.shoe(game.default_decks)), MAX_INEXACT):
        yield Finding("error", f"{bet}: {reason}; a table needs the exact house edge of every bet")


def lowest_edge(game: Game) -> Edge:
    """The bet that is best for the patron, with the decks at which it is, without its bonus."""
    edges = []
    for decks in game.decks:
        for odds in par_sheet(game, decks).bets:
            edges.append(Edge(odds.edge, decks, odds.bet.id))
    return min(edges)


def fewest_decks(game: Game) -> dict[str, list[int]]:
    """By bet, for each of its pay lines and bonuses the fewest decks with which it can be paid, be
    they allowed or not; 0 for a line that can never be.
    """
    fewest = {bet.id: [0] * (len(bet.pays) + len(bet.bonus)) for bet in game.bets}
    for decks in range(1, ENOUGH_DECKS + 1):
        sheet = par_sheet(game, Shoe.fresh(game.deck, decks))
        for odds in sheet.bets:
            found = fewest[odds.bet.id]
            for n, line in enumerate(odds.all_lines):
                if line.probability and not found[n]:
                    found[n] = decks
        if all(all(found) for found in fewest.values()):
            break
    return fewest


def _favours(game: Game, bet: Bet, by_decks: Sequence[BetOdds]) -> Iterator[Finding]:
    pairs = zip(game.decks, by_decks, strict=True)
    favoured = [Edge(odds.edge, decks, bet.id) for decks, odds in pairs if odds.ev > 0]
    if favoured:
        worst = min(favoured)
        with_decks = told([each.decks for each in favoured])
        text = f"favours the patron with {with_decks}: the house edge is {worst.percent}"
        yield Finding("warning", f"{bet.id}: {text} with {told([worst.decks])}")


def _needed_decks(game: Game, by_decks: Sequence[BetOdds]) -> Iterator[Finding]:
    """Lines and bonuses that need more copies of a card than the fewest decks have."""
    bet = by_decks[0].bet
    names = [f"line {n}" for n, _ in enumerate(bet.pays, 1)]
    names += [f"bonus {n}" for n, _ in enumerate(bet.bonus, 1)]
    for n, name in enumerate(names):
        chances = (odds.all_lines[n].probability for odds in by_decks)
        possible = [decks for decks, chance in zip(game.decks, chances, strict=True) if chance]
        if not possible:
            yield Finding("error", f"{bet.id}: {name} can never pay with {told(list(game.decks))}")
        elif possible[0] > game.decks[0]:
            yield Finding("note", f"{bet.id}: {name} can only pay with {possible[0]} decks or more")


def _break_even_stakes(sheet: ParSheet) -> Iterator[Finding]:
    for odds in sheet.bets:
        even = odds.break_even_stake
        if even is not None:
            stake = f"with its bonus, a stake below {float(even):.2f}"
            text = f"{stake} returns more than 100 % to patrons with {sheet.decks} decks"
            yield Finding("note", f"{odds.bet.id}: {text}")


def told(decks: Sequence[int]) -> str:
    """
    >>> told([4]), told([4, 5, 6]), told([4, 6]), told([1])
    ('4 decks', '4 to 6 decks', '4, 6 decks', '1 deck')
    """
    if list(decks) == [1]:
        return "1 deck"
    fewest = decks[0]
    most = decks[-1]
    is_run = len(decks) > 2 and most - fewest == len(decks) - 1
    told = f"{fewest} to {most}" if is_run else ", ".join(map(str, decks))
    return f"{told} decks"


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
