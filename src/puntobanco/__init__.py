"""puntobanco: five no-commission baccarat games, written once as values, settled and cited.

>>> from puntobanco import GAMES, Round, Wager, settle
>>> game = GAMES["six-star"]
>>> round_ = Round.start(game, 8).deal_all(map(game.deck.parse, "9f 2g Tf 4e".split()))
>>> lines = settle(game, round_, [Wager("ann", "player", 10_000)])
>>> [(line.outcome, line.net_cents) for line in lines]
[('wins', 12000)]
"""

from importlib import import_module
from typing import TYPE_CHECKING

from puntobanco.version import __version__

if TYPE_CHECKING:
    from puntobanco.rules.cards import FIVE_ELEMENTS, STANDARD, Card, Deck, parse_cards
    from puntobanco.rules.game import Announcements, Basics, Bet, Game, Pays, Pushes
    from puntobanco.rules.games import GAMES
    from puntobanco.rules.hands import (
        Hand,
        Measure,
        banker,
        cards_dealt,
        different,
        one_suit,
        player,
        same,
        tie,
    )
    from puntobanco.rules.irregularities import Evidence, Ruling, rule_on
    from puntobanco.rules.money import Dollars, Odds, format_cents, parse_cents
    from puntobanco.rules.predicates import Predicate, all_of, any_of, decided, fold, say
    from puntobanco.rules.refusals import Refusal
    from puntobanco.rules.round import Round
    from puntobanco.rules.settle import Line, Wager, settle, void
    from puntobanco.rules.shoe import Shoe
    from puntobanco.rules.tableau import PUNTO_BANCO, Tableau
    from puntobanco.rules.text import Words

__all__ = [
    "FIVE_ELEMENTS",
    "GAMES",
    "PUNTO_BANCO",
    "STANDARD",
    "Announcements",
    "Basics",
    "Bet",
    "Card",
    "Deck",
    "Dollars",
    "Evidence",
    "Game",
    "Hand",
    "Line",
    "Measure",
    "Odds",
    "Pays",
    "Predicate",
    "Pushes",
    "Refusal",
    "Round",
    "Ruling",
    "Shoe",
    "Tableau",
    "Wager",
    "Words",
    "__version__",
    "all_of",
    "any_of",
    "banker",
    "cards_dealt",
    "decided",
    "different",
    "fold",
    "format_cents",
    "one_suit",
    "parse_cards",
    "parse_cents",
    "player",
    "rule_on",
    "same",
    "say",
    "settle",
    "tie",
    "void",
]

_HOMES = (
    "cards",
    "game",
    "games",
    "hands",
    "irregularities",
    "money",
    "predicates",
    "refusals",
    "round",
    "settle",
    "shoe",
    "tableau",
    "text",
)


def __getattr__(name: str) -> object:
    """Load a name on first use, so that importing the package costs nothing."""
    if name in __all__:
        for home in _HOMES:
            module = import_module(f"puntobanco.rules.{home}")
            if hasattr(module, name):
                globals()[name] = value = getattr(module, name)
                return value
    raise AttributeError(f"module 'puntobanco' has no attribute {name!r}")
