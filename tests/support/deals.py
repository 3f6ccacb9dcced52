"""Shared ways to deal: from text, and at random for properties."""

import random
from collections.abc import Iterator
from itertools import count, permutations

from hypothesis import strategies as st

from puntobanco import GAMES, Card, Game, Round, Shoe, parse_cards


def dealt(game: Game | str, cards: str, decks: int = 8) -> Round:
    """A round of these cards, in dealing order."""
    game = GAMES[game] if isinstance(game, str) else game
    return Round.start(game, decks).deal_all(parse_cards(cards, game.deck))


def complete(game: Game, rng: random.Random, decks: int = 8) -> Round:
    """A complete round from fresh decks."""
    cards = [card for card in game.deck.cards for _ in range(decks)]
    round_, drawn = Round.start(game, decks), iter(rng.sample(cards, 6))
    while not round_.is_complete:
        round_ = round_.deal(next(drawn))
    return round_


def every_order(game: Game, cards: list[int]) -> Iterator[Round]:
    """The round that each order of these few cards gives."""
    shoe = Shoe.holding(game.deck, {Card(c): cards.count(c) for c in cards})
    for order in permutations(cards, 6):
        round_ = Round.start(game, shoe)
        for card in order:
            if round_.is_complete:
                break
            round_ = round_.deal(card)
        yield round_


@st.composite
def rounds(draw: st.DrawFn, game: Game | None = None) -> tuple[Game, Round]:
    """A game and a complete round of it; shrinks towards low cards."""
    game = game or draw(st.sampled_from(list(GAMES.values())))
    decks = draw(st.sampled_from(list(game.decks)))
    round_ = Round.start(game, decks)
    for _ in count():
        if round_.is_complete:
            return game, round_
        able = [c for c in game.deck.cards if round_.slots.count(c) < decks]
        round_ = round_.deal(draw(st.sampled_from(able)))
    raise AssertionError
