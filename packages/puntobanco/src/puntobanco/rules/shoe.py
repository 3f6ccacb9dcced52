"""A shoe as counts: how many of each card can still come."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from puntobanco.rules.cards import Card, Deck, code, parse_cards
from puntobanco.rules.causes import Cause
from puntobanco.rules.refusals import CardRefused

MAX_SHOE_CARDS = 1_400
"""Products of six counts from a shoe this size still fit a signed 64-bit integer (1,400^6 < 2^63).
"""


@dataclass(frozen=True)
class Shoe:
    """What is left of a number of decks; `counts` follows the order of `deck.cards`."""

    deck: Deck
    counts: tuple[int, ...]

    @classmethod
    def fresh(cls, deck: Deck, decks: int) -> Shoe:
        """So many whole decks."""
        return cls(deck, (decks,) * len(deck))

    @classmethod
    def holding(cls, deck: Deck, counts: Mapping[Card, int]) -> Shoe:
        """A shoe with just these cards; those not named are none."""
        return cls(deck, tuple(counts.get(c, 0) for c in deck.cards))

    def __post_init__(self) -> None:
        if len(self.counts) != len(self.deck):
            needs = f"a {self.deck.name.en} shoe needs {len(self.deck)} counts"
            raise CardRefused(f"{needs}, not {len(self.counts)}")
        if any(type(n) is not int or n < 0 for n in self.counts):
            raise CardRefused("a count of cards is a whole number, zero or more")
        if len(self) > MAX_SHOE_CARDS:
            raise CardRefused(
                f"{len(self):,} cards are more than a shoe holds ({MAX_SHOE_CARDS:,})"
            )

    def __repr__(self) -> str:
        return f"<Shoe of {len(self)} cards, {self.deck.name.en}>"

    @cached_property
    def _size(self) -> int:
        return sum(self.counts)

    def __len__(self) -> int:
        return self._size

    def count(self, card: int) -> int:
        """How many of this card can still come."""
        if card in self.deck:
            return self.counts[card - self.deck.cards[0]]
        return 0

    def without(self, cards: str | Iterable[int]) -> Shoe:
        """Return the shoe after these cards left it, given as codes or as cards.

        >>> from puntobanco.rules.cards import STANDARD
        >>> len(Shoe.fresh(STANDARD, 8).without("7h 7h"))
        414
        """
        if isinstance(cards, str):
            cards = parse_cards(cards, self.deck)
        counts = list(self.counts)
        first = self.deck.cards[0]
        for card in cards:
            place = card - first
            if not 0 <= place < len(counts) or not counts[place]:
                why = self.lacks(card).words
                raise CardRefused(why)
            counts[place] -= 1
        # fewer of what was counted before: nothing of it has to be looked at again
        left = object.__new__(Shoe)
        left.__dict__.update(deck=self.deck, counts=tuple(counts))
        return left

    def lacks(self, card: int) -> Cause:
        """Why one card more cannot come."""
        left = self.count(card)
        if left:
            return Cause("shoe-holds-only", (code(card), left))
        return Cause("shoe-holds-none", (code(card),))
