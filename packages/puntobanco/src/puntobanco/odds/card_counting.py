"""Card counting: what one card less of each kind does to each bet, the best count that a patron
could keep, and how often a bet's exact edge turns to the patron as a shoe is dealt.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt
from operator import mul

import numpy as np
from numpy.typing import NDArray

from puntobanco.game_files import GameLike, find_game
from puntobanco.odds.par import BetOdds, ParSheet, par_sheet
from puntobanco.rules.cards import Card, Deck, suit_of
from puntobanco.rules.game import Game
from puntobanco.rules.shoe import Shoe

LEVELS = (1, 2, 3)
"""Largest tag of the counts that are looked for."""

DEPTHS = (
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(13, 20),
    Fraction(3, 4),
    Fraction(17, 20),
    Fraction(9, 10),
)
"""Shares of the shoe that have been dealt."""

SAMPLES = 2_000


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


@dataclass(frozen=True, slots=True)
class Depth:
    """One bet at one depth; the errors are those of the sampling, each sample being exact."""

    bet: str
    dealt: Fraction
    samples: int
    favourable: float  # share of shoes in which the bet favours the patron
    favourable_error: float
    per_100: float  # stakes won in 100 rounds by betting one only when it is favourable
    per_100_error: float
    best: float  # the highest expected value met


def vulnerability(
    game: Game,
    decks: int,
    *,
    stake: Fraction | None = None,
    samples: int = SAMPLES,
    seed: int = 1,
    progress: Callable[[int], object] = lambda _: None,
) -> list[Depth]:
    """For each bet and depth: random shoes of that depth, the exact edge in each.

    A bet with a bonus counts it in at this stake (dollars), or not at all without one.
    """
    fresh = game.shoe(decks)
    rng = np.random.default_rng(seed)
    found = []
    for dealt in DEPTHS:
        left = len(fresh) - int(dealt * len(fresh))
        shoes = rng.multivariate_hypergeometric(fresh.counts, left, size=samples, method="count")
        edges = np.empty((samples, len(game.bets)))
        for i, counts in enumerate(shoes.tolist()):
            sheet = par_sheet(game, Shoe(game.deck, tuple(counts)))
            edges[i] = [float(_ev(odds, stake)) for odds in sheet.bets]
            progress(1)
        for column, bet in zip(edges.T, game.bets, strict=True):
            found.append(_depth(bet.id, dealt, column))
    return found


def _ev(odds: BetOdds, stake: Fraction | None) -> Fraction:
    if stake is None or not odds.bonus:
        return odds.ev
    return odds.ev_at(stake)


def _depth(bet: str, dealt: Fraction, edges: NDArray[np.float64]) -> Depth:
    samples = len(edges)
    share = float((edges > 0).mean())
    won = np.maximum(edges, 0.0)
    return Depth(
        bet,
        dealt,
        samples,
        favourable=share,
        favourable_error=sqrt(share * (1 - share) / samples),
        per_100=100 * float(won.mean()),
        per_100_error=100 * float(won.std(ddof=1)) / sqrt(samples),
        best=float(edges.max()),
    )
