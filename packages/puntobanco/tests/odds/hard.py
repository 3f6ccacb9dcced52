"""Side bets that compare cards all over the round: what made exact odds hang before plans had bounds."""

from itertools import combinations

from puntobanco import (
    GAMES,
    Bet,
    Game,
    Hand,
    Odds,
    Pays,
    Predicate,
    Words,
    all_of,
    any_of,
    banker,
    count,
    every_card,
    player,
    same,
)
from puntobanco.rules.cards import CLUBS, DIAMONDS, HEARTS, SPADES

PAIRS = tuple(combinations(every_card, 2))
STRAIGHTS = [(rank, rank + 1, (rank + 2) % 13) for rank in range(12)]


def suit_pattern(hand: Hand) -> list[Predicate]:
    return [same(a.suit, b.suit) for a, b in combinations(hand.every_card, 2)]


SOLVED: dict[str, Predicate] = {
    "two identical": any_of(*(same(a.rank, b.rank) & same(a.suit, b.suit) for a, b in PAIRS)).named(
        "Any two identical"
    ),
    "four of a kind": any_of(
        *(same(*(card.rank for card in four)) for four in combinations(every_card, 4))
    ),
    "three red": count(*(card.suit(HEARTS, DIAMONDS) for card in every_card))(3, ...),
    "five of a suit": any_of(
        *(
            count(*(card.suit(suit) for card in every_card))(5, ...)
            for suit in (SPADES, HEARTS, DIAMONDS, CLUBS)
        )
    ),
    "all ranks differ": ~any_of(*(same(a.rank, b.rank) for a, b in PAIRS)),
    "straight flush": any_of(*(player.one_of_each(*ranks) for ranks in STRAIGHTS))
    & same(*(card.suit for card in player.every_card)),
    "even and black": all_of(*(~card.dealt | card.suit(SPADES, CLUBS) for card in every_card))
    & ((player.points + banker.points) % 2)(0),
    "two pairs": count(*(same(a.rank, b.rank) for a, b in PAIRS))(2),
    "four faces": count(*(card.rank(10, 11, 12) for card in every_card))(4, ...),
}
"""Conditions with exact odds within bounds."""

SIMULATED: dict[str, Predicate] = {
    "same suit pattern": all_of(
        *(
            (a & b) | (~a & ~b)
            for a, b in zip(suit_pattern(player), suit_pattern(banker), strict=True)
        )
    ).named("Same suit pattern"),
}
"""Conditions without."""


def game_with(**conditions: Predicate) -> Game:
    bets = (
        Bet(id_, Words(id_), pays=(Pays(when, Odds(2, 1)),)) for id_, when in conditions.items()
    )
    return GAMES["rapid"].with_bets(*bets, id="hard", title=Words("Hard"))


HARD_GAME = """
from itertools import combinations
from puntobanco import GAMES, Bet, Odds, Pays, all_of, banker, player, same
def pattern(hand):
    return [same(a.suit, b.suit) for a, b in combinations(hand.every_card, 2)]
alike = all_of(*((a & b) | (~a & ~b) for a, b in zip(pattern(player), pattern(banker)))).named("Alike")
GAME = GAMES["rapid"].with_bets(Bet("alike", "Alike", pays=(Pays(alike, Odds(1, 1)),)), id="hard", title="Hard")
"""
