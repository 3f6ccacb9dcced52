"""The five games."""

from collections.abc import Mapping
from types import MappingProxyType

from puntobanco.rules.game import Game
from puntobanco.rules.games.fortune_six import FORTUNE_SIX
from puntobanco.rules.games.rapid import RAPID
from puntobanco.rules.games.sands_elements import SANDS_ELEMENTS
from puntobanco.rules.games.six_star import SIX_STAR
from puntobanco.rules.games.super_six_plus import SUPER_SIX_PLUS

GAMES: Mapping[str, Game] = MappingProxyType(
    {game.id: game for game in (SIX_STAR, FORTUNE_SIX, SUPER_SIX_PLUS, SANDS_ELEMENTS, RAPID)}
)
"""The five built-in games by id."""

__all__ = ["FORTUNE_SIX", "GAMES", "RAPID", "SANDS_ELEMENTS", "SIX_STAR", "SUPER_SIX_PLUS"]
