"""Plain rounds: the shoes that the compiled engines deal, in plain Python, as `Round`s.

Slow beside them, and what they are held against: the same seed gives the same cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice
from math import perm

from puntobanco.game_files import GameLike, find_game
from puntobanco.rules.game import Game
from puntobanco.rules.round import MAX_CARDS, Round
from puntobanco.rules.shoe import Shoe
from puntobanco.rules.tableau import Tableau
from puntobanco.rules.terms import NO_CARD, VALUES
from puntobanco.sim.run import read_rounds, rounds_per_shoe, verify_seed

GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_POINTS = VALUES["points"]


def play(
    game: GameLike, *, rounds: float, seed: int = 1, decks: int | None = None
) -> Iterator[Round]:
    """Finished rounds, one after the other, each with the shoe as it was before it.

    The same seed gives the same rounds; `simulate` counts and `rounds_table` lists the same
    ones, faster. Every shoe gives as many rounds, and is thrown away with cards left in it.

    >>> [round_] = play("rapid", rounds=1, seed=7)
    >>> round_.is_complete
    True
    """
    game = find_game(game)
    wanted = read_rounds(rounds)
    verify_seed(seed)
    full = game.shoe(game.default_decks if decks is None else decks)
    every = (round_ for number in count() for round_ in _rounds(game, full, seed, number))
    return islice(every, wanted)


def _rounds(game: Game, shoe: Shoe, seed: int, number: int) -> Iterator[Round]:
    """The rounds of one shoe, by its number; from 0."""
    tableau = game.tableau
    clauses = game.deal_clauses
    cards = [int(card) for card in game.deck.cards] * shoe.counts[0]
    key = _mix(seed + (number + 1) * GOLDEN)
    draw = 0
    at = 0
    for _ in range(rounds_per_shoe(len(cards))):
        draw = _shuffle_six(cards, at, key, draw)
        slots = _dealt(tableau, cards[at : at + MAX_CARDS])
        yield Round(tableau, clauses, shoe, slots)
        taken = MAX_CARDS - slots.count(NO_CARD)
        shoe = shoe.without(cards[at : at + taken])
        at += taken


def _shuffle_six(cards: list[int], at: int, key: int, draw: int) -> int:
    """Six of the cards from `at` on are brought there, by one draw of 64 bits; gives the counter
    of the draw (`sim/source.py` says how).
    """
    left = len(cards) - at
    most = left**MAX_CARDS
    while True:
        draw += GOLDEN
        x = _mix(key + draw)
        places = []
        for i in range(MAX_CARDS):
            wide = x * (left - i)
            places.append(wide >> 64)
            x = wide & _MASK
        # nearly always the first of the two, which takes no division
        if x >= most or x >= (1 << 64) % perm(left, MAX_CARDS):
            break
    for i, place in enumerate(places, at):
        there = i + place
        cards[i], cards[there] = cards[there], cards[i]
    return draw


def _mix(z: int) -> int:
    """SplitMix64's finisher, as in `sim/cpu.py`."""
    z &= _MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def _dealt(tableau: Tableau, cards: list[int]) -> tuple[int, int, int, int, int, int]:
    """The slots of a complete round of the first of these cards."""
    p1, b1, p2, b2, fifth, sixth = cards
    player = (_POINTS[p1] + _POINTS[p2]) % 10
    banker = (_POINTS[b1] + _POINTS[b2]) % 10
    if tableau.player_takes_third(player, banker):
        draws = tableau.banker_takes_third(player, banker, _POINTS[fifth])
        return p1, b1, p2, b2, fifth, sixth if draws else NO_CARD
    draws = tableau.banker_takes_third(player, banker, None)
    return p1, b1, p2, b2, NO_CARD, fifth if draws else NO_CARD
