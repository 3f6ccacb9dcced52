"""The library's calls on a round. Each takes a game, the id of one, or the path of a game.py.

>>> round_ = deal("six-star", "9f 2g Tf 4e")
>>> round_
<Round Player 9火 10火 = 9, Banker 2金 4土 = 6: player wins>
>>> settle("six-star", round_, [Wager("ann", "player", 10_000)])[0].net_cents
12000
"""

from __future__ import annotations

from collections.abc import Iterable

from puntobanco.game_files import GameLike, find_game
from puntobanco.rules import irregularities
from puntobanco.rules import settle as settling
from puntobanco.rules.cards import parse_cards
from puntobanco.rules.irregularities import Evidence, Ruling
from puntobanco.rules.round import Round
from puntobanco.rules.settle import Line, Wager
from puntobanco.rules.shoe import Shoe


def deal(
    game: GameLike, cards: str | Iterable[int | str], decks: Shoe | int | None = None
) -> Round:
    """A round with these cards, as codes (`"9s 2h Td 4c"`) or as cards, from fresh decks or from
    a shoe; refuses a card that the table of play does not call for.
    """
    found = find_game(game)
    shoe = found.default_decks if decks is None else decks
    return Round.start(found, shoe).deal_all(parse_cards(cards, found.deck))


def settle(game: GameLike, round_: Round, wagers: Iterable[Wager]) -> list[Line]:
    """What becomes of each wager on a finished round, with the clause that says so."""
    return settling.settle(find_game(game), round_, wagers)


def void(game: GameLike, wagers: Iterable[Wager], *, clause: str) -> list[Line]:
    """A void round: every wager is returned, under the clause that voids it."""
    return settling.void(find_game(game), wagers, clause=clause)


def rule_on(game: GameLike, ground_id: str, evidence: Evidence) -> Ruling:
    """What follows by the game's rulebook when something goes wrong at the table."""
    return irregularities.rule_on(find_game(game), ground_id, evidence)
