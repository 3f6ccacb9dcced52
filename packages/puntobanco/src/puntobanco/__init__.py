"""puntobanco: baccarat games written once as values; deal, settle, exact odds, simulation.

>>> import puntobanco as pb
>>> round_ = pb.deal("six-star", "9f 2g Tf 4e")
>>> [line.net_cents for line in pb.settle("six-star", round_, [pb.Wager("ann", "player", 10_000)])]
[12000]
>>> pb.par_sheet("rapid").bet("tie")
<BetOdds tie: edge 14.3596 %, wins 9.5156 %>

A game is everywhere a `Game`, the id of a built-in one (`GAMES`), or the path of a game.py.
Names are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from puntobanco.base.version import __version__

if TYPE_CHECKING:
    from puntobanco.base.money import format_cents, parse_cents
    from puntobanco.base.refusal import Refusal
    from puntobanco.base.words import Words
    from puntobanco.data_table import DataTable
    from puntobanco.game_files import GameLike, find_game
    from puntobanco.library import deal, rule_on, settle, void
    from puntobanco.odds.card_counting import Removal, removals
    from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
    from puntobanco.odds.solve import probability
    from puntobanco.rules.cards import FIVE_ELEMENTS, STANDARD, Card, Deck, parse_cards
    from puntobanco.rules.game import Announcements, Basics, Bet, Dollars, Game, Odds, Pays, Pushes
    from puntobanco.rules.games import GAMES
    from puntobanco.rules.hands import (
        Count,
        Hand,
        Measure,
        banker,
        cards_dealt,
        count,
        different,
        every_card,
        one_suit,
        player,
        same,
        tie,
    )
    from puntobanco.rules.irregularities import Evidence, Ruling
    from puntobanco.rules.predicates import Predicate, all_of, any_of, decided, fold, say
    from puntobanco.rules.round import Round
    from puntobanco.rules.settle import Line, Wager
    from puntobanco.rules.shoe import Shoe
    from puntobanco.rules.tableau import PUNTO_BANCO, Tableau
    from puntobanco.scoreboards import Roads, roads
    from puntobanco.sim.plain import play
    from puntobanco.sim.rounds import rounds_table
    from puntobanco.sim.simulation import Simulation, simulate

_HOMES = {
    "game_files": "GameLike find_game",
    "data_table": "DataTable",
    "base.money": "format_cents parse_cents",
    "base.refusal": "Refusal",
    "base.words": "Words",
    "library": "deal rule_on settle void",
    "odds.par": "BetOdds ParSheet par_sheet",
    "odds.card_counting": "Removal removals",
    "odds.solve": "probability",
    "rules.cards": "FIVE_ELEMENTS STANDARD Card Deck parse_cards",
    "rules.game": "Announcements Basics Bet Dollars Game Odds Pays Pushes",
    "rules.games": "GAMES",
    "rules.hands": "Count Hand Measure banker cards_dealt count different every_card one_suit "
    "player same tie",
    "rules.irregularities": "Evidence Ruling",
    "rules.predicates": "Predicate all_of any_of decided fold say",
    "rules.round": "Round",
    "rules.settle": "Line Wager",
    "rules.shoe": "Shoe",
    "rules.tableau": "PUNTO_BANCO Tableau",
    "scoreboards": "Roads roads",
    "sim.plain": "play",
    "sim.rounds": "rounds_table",
    "sim.simulation": "Simulation simulate",
}
"""Where each public name is."""

__all__ = [
    "FIVE_ELEMENTS",
    "GAMES",
    "PUNTO_BANCO",
    "STANDARD",
    "Announcements",
    "Basics",
    "Bet",
    "BetOdds",
    "Card",
    "Count",
    "DataTable",
    "Deck",
    "Dollars",
    "Evidence",
    "Game",
    "GameLike",
    "Hand",
    "Line",
    "Measure",
    "Odds",
    "ParSheet",
    "Pays",
    "Predicate",
    "Pushes",
    "Refusal",
    "Removal",
    "Roads",
    "Round",
    "Ruling",
    "Shoe",
    "Simulation",
    "Tableau",
    "Wager",
    "Words",
    "__version__",
    "all_of",
    "any_of",
    "banker",
    "cards_dealt",
    "count",
    "deal",
    "decided",
    "different",
    "every_card",
    "find_game",
    "fold",
    "format_cents",
    "one_suit",
    "par_sheet",
    "parse_cards",
    "parse_cents",
    "play",
    "player",
    "probability",
    "removals",
    "roads",
    "rounds_table",
    "rule_on",
    "same",
    "say",
    "settle",
    "simulate",
    "tie",
    "void",
]


def __dir__() -> list[str]:
    """The public names; without this, only those that were used already."""
    return __all__


def __getattr__(name: str) -> object:
    """Load a name on first use, so that importing the package costs nothing."""
    for home, names in _HOMES.items():
        if name in names.split():
            value: object = getattr(import_module(f"puntobanco.{home}"), name)
            globals()[name] = value
            return value
    raise AttributeError(f"module 'puntobanco' has no attribute {name!r}")
