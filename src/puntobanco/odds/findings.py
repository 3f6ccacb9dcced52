"""Findings that take exact odds: the decks that a line needs, and returns that are flagged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
from puntobanco.rules.check import Finding
from puntobanco.rules.game import Game


def odds_findings(game: Game) -> Iterator[Finding]:
    """Errors and notes, for every number of decks that the game allows."""
    sheets = [par_sheet(game, decks) for decks in game.decks]
    for i, bet in enumerate(game.bets):
        by_decks = [sheet.bets[i] for sheet in sheets]
        yield from _needed_decks(game, by_decks)
        flagged = defaultdict[str, list[int]](list)
        for decks, odds in zip(game.decks, by_decks, strict=True):
            for flag in odds.flags:
                flagged[flag].append(decks)
        for flag, with_decks in flagged.items():
            yield Finding("note", f"{bet.id}: {flag} with {_told(with_decks)}")
    yield from _break_even_stakes(sheets[game.decks.index(game.default_decks)])


def _needed_decks(game: Game, by_decks: Sequence[BetOdds]) -> Iterator[Finding]:
    """Lines and bonuses that need more copies of a card than the fewest decks have."""
    bet = by_decks[0].bet
    names = [f"line {n}" for n, _ in enumerate(bet.pays, 1)]
    names += [f"bonus {n}" for n, _ in enumerate(bet.bonus, 1)]
    for n, name in enumerate(names):
        chances = (odds.all_lines[n].probability for odds in by_decks)
        possible = [decks for decks, chance in zip(game.decks, chances, strict=True) if chance]
        if not possible:
            yield Finding("error", f"{bet.id}: {name} can never pay with {_told(list(game.decks))}")
        elif possible[0] > game.decks[0]:
            yield Finding("note", f"{bet.id}: {name} can only pay with {possible[0]} decks or more")


def _break_even_stakes(sheet: ParSheet) -> Iterator[Finding]:
    for odds in sheet.bets:
        even = odds.break_even_stake
        if even is not None:
            stake = f"with its bonus, a stake below {float(even):.2f}"
            text = f"{stake} returns more than 100 % to patrons with {sheet.decks} decks"
            yield Finding("note", f"{odds.bet.id}: {text}")


def _told(decks: Sequence[int]) -> str:
    """
    >>> _told([4]), _told([4, 5, 6]), _told([4, 6]), _told([1])
    ('4 decks', '4 to 6 decks', '4, 6 decks', '1 deck')
    """
    if list(decks) == [1]:
        return "1 deck"
    fewest = decks[0]
    most = decks[-1]
    is_run = len(decks) > 2 and most - fewest == len(decks) - 1
    told = f"{fewest} to {most}" if is_run else ", ".join(map(str, decks))
    return f"{told} decks"
