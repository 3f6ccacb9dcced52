"""What only exact odds can say of a definition: the decks that a line needs, and returns that are
flagged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
from puntobanco.rules.check import Finding
from puntobanco.rules.game import Game


def odds_findings(game: Game) -> Iterator[Finding]:
    """Errors and notes, for every number of decks that the game allows."""
    sheets = [par_sheet(game, decks) for decks in game.decks]
    for i, bet in enumerate(game.bets):
        by_decks = [sheet.bets[i] for sheet in sheets]
        yield from _needed_decks(game, by_decks)
        for flag in dict.fromkeys(flag for odds in by_decks for flag in odds.flags):
            flagged = [
                decks
                for decks, odds in zip(game.decks, by_decks, strict=True)
                if flag in odds.flags
            ]
            yield Finding("note", f"{bet.id}: {flag} with {_told(flagged)}")
    yield from _break_even_stakes(sheets[game.decks.index(game.default_decks)])


def _needed_decks(game: Game, by_decks: Sequence[BetOdds]) -> Iterator[Finding]:
    """Lines and bonuses that cannot come with the fewest decks, because they need more copies of a
    card.
    """
    bet = by_decks[0].bet
    names = [f"line {n}" for n in range(1, len(bet.pays) + 1)] + [
        f"bonus {n}" for n in range(1, len(bet.bonus) + 1)
    ]
    for n, name in enumerate(names):
        chances = [_chances(odds)[n] for odds in by_decks]
        possible = [decks for decks, chance in zip(game.decks, chances, strict=True) if chance]
        if not possible:
            yield Finding("error", f"{bet.id}: {name} can never pay with {_told(list(game.decks))}")
        elif possible[0] > game.decks[0]:
            yield Finding("note", f"{bet.id}: {name} can only pay with {possible[0]} decks or more")


def _chances(odds: BetOdds) -> list[Fraction]:
    return [line.probability for line in odds.lines] + [line.probability for line in odds.bonus]


def _break_even_stakes(sheet: ParSheet) -> Iterator[Finding]:
    for odds in sheet.bets:
        even = odds.break_even_stake
        if even is not None:
            text = (
                f"with its bonus, a stake below {float(even):.2f} returns more than 100 % to "
                "patrons"
            )
            yield Finding("note", f"{odds.bet.id}: {text} with {sheet.decks} decks")


def _told(decks: Sequence[int]) -> str:
    """
    >>> _told([4]), _told([4, 5, 6]), _told([4, 6]), _told([1])
    ('4 decks', '4 to 6 decks', '4, 6 decks', '1 deck')
    """
    if list(decks) == [1]:
        return "1 deck"
    is_run = len(decks) > 2 and decks[-1] - decks[0] == len(decks) - 1
    return f"{decks[0]} to {decks[-1]} decks" if is_run else f"{', '.join(map(str, decks))} decks"
