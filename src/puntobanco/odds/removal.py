"""Effects of removal: what one card less of each kind does to each bet, and the best card count
that a patron could keep.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from operator import mul

from puntobanco.game_files import GameLike, find_game
from puntobanco.odds.par import ParSheet, par_sheet
from puntobanco.rules.cards import Card, Deck, suit_of
from puntobanco.rules.shoe import Shoe

LEVELS = (1, 2, 3)
"""Largest tag of the counts that are looked for."""


@dataclass(frozen=True)
class Count:
    """A card count with whole tags up to a level; correlation 1 is as good as exact effects."""

    level: int
    tags: Mapping[Card, int]
    correlation: float


@dataclass(frozen=True)
class Removal:
    """One bet: by how much a card that leaves the shoe changes its expected value.

    For a bonus (`tie bonus`), the dollars that it is worth a round.
    """

    bet: str
    effects: Mapping[Card, Fraction]
    counts: tuple[Count, ...]

    def __repr__(self) -> str:
        largest = max(self.effects, key=lambda card: abs(self.effects[card]))
        effect = float(self.effects[largest])
        return f"<Removal {self.bet}: {largest!r} changes it most, by {effect:+.2g}>"

    def alike(self, deck: Deck) -> list[list[int]]:
        """Suits whose cards have the same effects together."""
        together = defaultdict[tuple[Fraction | None, ...], list[int]](list)
        for suit in deck.suits:
            effects = tuple(self.effects.get(card) for card in deck.cards if suit_of(card) == suit)
            together[effects].append(suit)
        return list(together.values())

    def of_suit(self, suit: int) -> list[Card]:
        """The cards of a suit that were in the shoe."""
        return [card for card in self.effects if suit_of(card) == suit]

    @property
    def classes(self) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Cards with one effect together, most helpful to the patron first."""
        together = dict[Fraction, list[Card]]()
        for card, effect in self.effects.items():
            together.setdefault(effect, []).append(card)
        return [(tuple(together[effect]), effect) for effect in sorted(together, reverse=True)]


def removals(game: GameLike, decks: Shoe | int | None = None) -> tuple[Removal, ...]:
    """Effects of removal for every bet, and for the dollars of every bonus (`tie bonus`); from a
    number of fresh decks, or from what is left in a shoe.
    """
    game = find_game(game)
    fresh = par_sheet(game, decks)
    shoe = fresh.shoe
    left = [card for card in game.deck.cards if shoe.count(card)]
    changed = {card: par_sheet(game, shoe.without([card])) for card in left}
    names = []
    for odds in fresh.bets:
        names.append(odds.bet.id)
        if odds.bonus:
            names.append(f"{odds.bet.id} bonus")
    found = []
    for name in names:
        before = _value(fresh, name)
        effects = {card: _value(sheet, name) - before for card, sheet in changed.items()}
        found.append(Removal(name, effects, best_counts(effects, shoe)))
    return tuple(found)


def _value(sheet: ParSheet, name: str) -> Fraction:
    bet, _, bonus = name.partition(" ")
    odds = sheet.bet(bet)
    return odds.bonus_dollars if bonus else odds.ev


def best_counts(effects: Mapping[Card, Fraction], shoe: Shoe) -> tuple[Count, ...]:
    """For each level the tags that follow the effects best, of all useful scales."""
    sizes = (abs(float(effect)) for effect in effects.values())
    largest = max(sizes, default=0.0)
    if not largest:
        return ()
    shares = {card: float(e) / largest for card, e in effects.items()}
    found = []
    best: Count | None = None
    # a level's counts are also counts of the next: the best so far stays unless one is better
    for level in LEVELS:
        for step in range(2, 12 * level):
            tags = {card: _rounded(share * step / 4, level) for card, share in shares.items()}
            count = Count(level, tags, _correlation(effects, tags, shoe))
            if best is None or count.correlation > best.correlation:
                best = count
        assert best is not None
        found.append(replace(best, level=level))
    return tuple(found)


def _rounded(value: float, most: int) -> int:
    return max(-most, min(most, round(value)))


def _correlation(effects: Mapping[Card, Fraction], tags: Mapping[Card, int], shoe: Shoe) -> float:
    """Over the cards of the shoe, each kind as often as it is there."""
    copies = [shoe.count(card) for card in effects]
    cards = sum(copies)
    values = [float(effect) for effect in effects.values()]
    tagged = [tags[card] for card in effects]
    mean_value = sum(map(mul, values, copies)) / cards
    mean_tag = sum(map(mul, tagged, copies)) / cards
    together = values_squared = tags_squared = 0.0
    for value, tag, n in zip(values, tagged, copies, strict=True):
        off_value = value - mean_value
        off_tag = tag - mean_tag
        together += off_value * off_tag * n
        values_squared += off_value**2 * n
        tags_squared += off_tag**2 * n
    if not values_squared or not tags_squared:
        return 0.0
    return together / sqrt(values_squared * tags_squared)
