"""Virtual shoes of a day by who had a part in their order, and when that is an alarm. Pure.

A house that ends shoes before they are mixed, or starts them while a witness is away, could choose
among them again: that is seen, counted, and too much of it is said.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words

UNMIXED_RATE = Fraction(1, 20)
"""Of the shoes of a day: more that were abandoned, or shuffled by the house alone, are an alarm."""

UNMIXED_LEAST = 3
"""Fewer than so many are none, however few shoes there were."""

_SAYS = Words(
    "shoes abandoned {}, shuffled by the house alone {}, of {}: more than 1 in {}",
    "棄用 {} 靴，只由本場洗牌 {} 靴，共 {} 靴：超過 1／{}",
)


@dataclass(slots=True)
class Shuffles:
    """Continuous shoes and a dealer's are never mixed, and are not among them."""

    shoes: int = 0
    named: int = 0  # that named witnesses to mix them
    mixed: int = 0
    abandoned: int = 0

    def saw(self, event: e.Event) -> None:
        said = e.shuffled_by(event)
        self.shoes += said in ("alone", "named")
        self.named += said == "named"
        self.mixed += said == "mixed"
        self.abandoned += said == "abandoned"

    def add(self, other: Shuffles) -> None:
        self.shoes += other.shoes
        self.named += other.named
        self.mixed += other.mixed
        self.abandoned += other.abandoned

    @property
    def alone(self) -> int:
        """Shuffled by the house alone."""
        return self.shoes - self.named

    @property
    def unmixed(self) -> int:
        return self.alone + self.abandoned

    def are_too_many(self, *, has_witnesses: bool = False) -> bool:
        """Whether more shoes than `UNMIXED_RATE` were not mixed, where witnesses are named: by the
        floor, or by a shoe of that day.
        """
        is_expected = has_witnesses or self.named > 0
        is_many = self.unmixed >= UNMIXED_LEAST and self.unmixed > UNMIXED_RATE * self.shoes
        return is_expected and is_many

    def says(self) -> Words:
        return _SAYS.format(self.abandoned, self.alone, self.shoes, UNMIXED_RATE.denominator)
