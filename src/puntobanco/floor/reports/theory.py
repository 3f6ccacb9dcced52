"""What a game returns in theory: exact, for a fresh shoe of so many decks, beside what it has returned."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from puntobanco.catalog import digest, game_named
from puntobanco.floor.reports.counting import BetFigures, GameKey
from puntobanco.odds.par import ParSheet, par_sheet
from puntobanco.rules.refusals import Refusal


@lru_cache(maxsize=256)
def sheet(key: GameKey) -> ParSheet | None:
    """None for a game that this program does not have as it was played."""
    try:
        game = game_named(key.game)
    except Refusal:
        return None
    return par_sheet(game, key.decks) if digest(game) == key.digest and key.decks else None


def expected_cents(key: GameKey, bets: dict[str, BetFigures]) -> Fraction | None:
    """What these wagers return on average, bonuses of fixed dollars too; None where nobody can say."""
    found = sheet(key)
    if found is None:
        return None
    whole = Fraction(0)
    for bet, figures in bets.items():
        odds = found.bet(bet)
        whole += figures.wagered_cents * (1 + odds.ev) + figures.wagers * 100 * odds.bonus_dollars
    return whole
