"""Effects of removal: what one card less of each kind does to each bet, and the best count a patron
could keep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

from puntobanco.odds.par import ParSheet, par_sheet
from puntobanco.rules.cards import Card
from puntobanco.rules.game import Game
from puntobanco.rules.shoe import Shoe

LEVELS = (1, 2, 3)
"""Largest tag of the counts that are looked for."""


@dataclass(frozen=True)
class Count:
    """A count with whole tags up to a level; correlation 1 would be as good as the exact
    effects.
    """

    level: int
    tags: Mapping[Card, int]
    correlation: float


@dataclass(frozen=True)
class Removal:
    """One bet: the change of its expected value (of its bonus's dollars, for a bonus) when a card
    leaves the shoe.
    """

    bet: str
    effects: Mapping[Card, Fraction]
    counts: tuple[Count, ...]

    @property
    def classes(self) -> list[tuple[tuple[Card, ...], Fraction]]:
        """Cards with one effect together, most helpful to the patron first."""
        together = dict[Fraction, list[Card]]()
        for card, effect in self.effects.items():
            together.setdefault(effect, []).append(card)
        return [(tuple(together[effect]), effect) for effect in sorted(together, reverse=True)]


def removals(game: Game, shoe: Shoe) -> tuple[Removal, ...]:
    """Effects of removal for every bet, and for the dollars of every bonus (`tie bonus`)."""
    fresh = par_sheet(game, shoe)
    changed = {
        card: par_sheet(game, shoe.without([card])) for card in game.deck.cards if shoe.count(card)
    }
    found = []
    for name in (name for odds in fresh.bets for name in _names(odds.bet.id, bool(odds.bonus))):
        before = _value(fresh, name)
        effects = {card: _value(sheet, name) - before for card, sheet in changed.items()}
        found.append(Removal(name, effects, best_counts(effects, shoe)))
    return tuple(found)


def _names(bet: str, bonus: bool) -> Sequence[str]:
    return (bet, f"{bet} bonus") if bonus else (bet,)


def _value(sheet: ParSheet, name: str) -> Fraction:
    bet, _, bonus = name.partition(" ")
    return sheet.bet(bet).bonus_dollars if bonus else sheet.bet(bet).ev


def best_counts(effects: Mapping[Card, Fraction], shoe: Shoe) -> tuple[Count, ...]:
    """For each level the tags that follow the effects best: effects scaled and rounded, every
    useful scale tried.
    """
    largest = max((abs(float(e)) for e in effects.values()), default=0.0)
    if not largest:
        return ()
    found = []
    for level in LEVELS:
        tried = (
            {
                card: max(-most, min(most, round(float(e) / largest * step / 4)))
                for card, e in effects.items()
            }
            for most in range(1, level + 1)
            for step in range(2, 12 * most)
        )
        tags = max(tried, key=lambda tags: _correlation(effects, tags, shoe))
        found.append(Count(level, tags, _correlation(effects, tags, shoe)))
    return tuple(found)


def _correlation(effects: Mapping[Card, Fraction], tags: Mapping[Card, int], shoe: Shoe) -> float:
    """Over the cards of the shoe, each kind as often as it is there."""
    n = sum(shoe.count(c) for c in effects)
    mean_e = sum(float(e) * shoe.count(c) for c, e in effects.items()) / n
    mean_t = sum(tags[c] * shoe.count(c) for c in effects) / n
    both = sum((float(e) - mean_e) * (tags[c] - mean_t) * shoe.count(c) for c, e in effects.items())
    e2 = sum((float(e) - mean_e) ** 2 * shoe.count(c) for c, e in effects.items())
    t2 = sum((tags[c] - mean_t) ** 2 * shoe.count(c) for c in effects)
    return both / sqrt(e2 * t2) if e2 and t2 else 0.0
