"""What a game returns in theory: exact, for a fresh shoe of so many decks, beside what it has
returned.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from puntobanco.odds.par import ParSheet, par_sheet
from puntobanco.rules.definition import game_of
from puntobanco.rules.game import Game
from puntobanco.rules.game_schema import Definition
from puntobanco_floor.reports.counting import BetFigures, GameKey


@lru_cache(maxsize=256)
def _sheet(game: Game, decks: int) -> ParSheet:
    return par_sheet(game, decks)


def expected_cents(
    key: GameKey, recorded: Definition | None, bets: dict[str, BetFigures]
) -> Fraction | None:
    """What these wagers return on average by the definition that was played, bonuses of fixed
    dollars too; None where no table had a shoe.
    """
    if recorded is None or not key.decks:
        return None
    found = _sheet(game_of(recorded), key.decks)
    whole = Fraction(0)
    for bet, figures in bets.items():
        odds = found.bet(bet)
        whole += figures.wagered_cents * (1 + odds.ev) + figures.wagers * 100 * odds.bonus_dollars
    return whole
