"""The same shoes, dealt slowly: the generator and the draws in plain integers, the round and its bets by the rules."""

from collections import Counter

from puntobanco import Game, Round
from puntobanco.sim.source import card_byte, entries

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def shoe_rounds(game: Game, decks: int, seed: int, shoe: int, rounds: int, cut: int) -> list[Round]:
    cards = [int(c) for _ in range(decks) for c in game.deck.cards]
    key, draw, at, played = mix((seed + (shoe + 1) * GOLDEN) & MASK), 0, 0, list[Round]()
    while len(played) < rounds and len(cards) - at > cut:
        while True:
            draw = (draw + GOLDEN) & MASK
            x, places, ways = mix((key + draw) & MASK), [], 1
            for i in range(6):
                n = len(cards) - at - i
                wide = x * n
                places.append(at + i + (wide >> 64))
                x, ways = wide & MASK, ways * n
            if x >= (1 << 64) % ways:
                break
        for i, place in enumerate(places):
            cards[at + i], cards[place] = cards[place], cards[at + i]
        round_ = Round.start(game, decks)
        for card in cards[at : at + 6]:
            if round_.is_complete:
                break
            round_ = round_.deal(card)
        at += len(round_.cards)
        played.append(round_)
    return played


def tallied(game: Game, rounds: list[Round]) -> dict[str, list[int]]:
    """How often each bet and bonus went each way, by the rules' own decisions."""
    names = [name for name, _ in entries(game)]
    found = {name: Counter[int]() for name in names}
    for round_ in rounds:
        ways = game.decide(*round_.slots)
        for bet in game.bets:
            at, bonus = game.answers_at[bet.id]
            found[bet.id][ways[at]] += 1
            if bonus:
                found[f"{bet.id} bonus"][ways[bonus]] += 1
    return {name: [found[name][i] for i in range(len(lines) + 1)] for name, lines in entries(game)}


__all__ = ["card_byte", "shoe_rounds", "tallied"]
