"""Figures: what a report counts. Each amount is a double entry of its own, so that figures can be
held to the ledger.

A new kind of money is a field and a row of `MOVES`; the event that moves it names the field in its
`figures`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields

from puntobanco_floor.domain.ledger import (
    ADJUSTMENTS,
    BANK,
    BONUS,
    CAGE,
    HELD,
    MOVING,
    UNRECOVERED,
    VOUCHERS,
    WAGERS,
    is_patron,
)

SESSIONS = "sessions"
"""All patrons' accounts together."""

MOVES: dict[str, tuple[str, str]] = {
    "bought_cents": (CAGE, SESSIONS),
    "loaded_cents": (CAGE, SESSIONS),
    "redeemed_cents": (VOUCHERS, SESSIONS),
    "issued_cents": (SESSIONS, VOUCHERS),
    "cashed_out_cents": (SESSIONS, CAGE),
    "held_cents": (SESSIONS, HELD),
    "hand_paid_cents": (HELD, CAGE),
    "moved_out_cents": (SESSIONS, MOVING),
    "moved_in_cents": (MOVING, SESSIONS),
    "adjusted_cents": (ADJUSTMENTS, SESSIONS),
    "adjusted_cash_cents": (ADJUSTMENTS, CAGE),
    "sold_cents": (CAGE, VOUCHERS),
    "paid_cents": (VOUCHERS, CAGE),
    "restored_cents": (UNRECOVERED, VOUCHERS),
    "placed_cents": (SESSIONS, WAGERS),
    "voided_cents": (WAGERS, SESSIONS),
    "returned_cents": (WAGERS, SESSIONS),
    "lost_cents": (WAGERS, BANK),
    "winnings_cents": (BANK, SESSIONS),
    "bonus_cents": (BONUS, SESSIONS),
    "set_off_cents": (SESSIONS, UNRECOVERED),
    "unrecovered_cents": (UNRECOVERED, SESSIONS),
}
"""From which account each amount goes to which."""


@dataclass(slots=True)
class Figures:
    """Sums over entries. A reopened round counts backwards where it was settled forwards."""

    bought_cents: int = 0
    loaded_cents: int = 0
    redeemed_cents: int = 0
    issued_cents: int = 0
    cashed_out_cents: int = 0
    held_cents: int = 0  # set apart for hand pays, less what went back
    hand_paid_cents: int = 0
    moved_out_cents: int = 0  # to other tables, less what came back
    moved_in_cents: int = 0  # from other tables
    adjusted_cents: int = 0  # awarded by rulings on past rounds, as credits
    adjusted_cash_cents: int = 0  # and in cash, to patrons who had left
    sold_cents: int = 0  # vouchers for cash, at a cage window
    paid_cents: int = 0  # cash for vouchers
    restored_cents: int = 0  # vouchers that a recovery had lost
    placed_cents: int = 0  # stakes, less what was withdrawn
    voided_cents: int = 0  # stakes returned by void rounds
    returned_cents: int = 0  # stakes returned by settlements
    lost_cents: int = 0
    winnings_cents: int = 0
    bonus_cents: int = 0
    set_off_cents: int = 0
    unrecovered_cents: int = 0
    adjustments: int = 0
    loads: int = 0
    vouchers_in: int = 0
    vouchers_out: int = 0
    rounds: int = 0
    voids: int = 0
    reopened: int = 0
    # rounds settled in which a terminal had wagers; of a table, summed over terminals
    games: int = 0

    def count(self, name: str, amount: int) -> None:
        setattr(self, name, getattr(self, name) + amount)

    def add(self, other: Figures) -> None:
        for name in NAMES:
            if amount := getattr(other, name):
                self.count(name, amount)

    @property
    def drop_cents(self) -> int:
        return self.bought_cents + self.loaded_cents + self.redeemed_cents

    @property
    def out_cents(self) -> int:
        return self.issued_cents + self.cashed_out_cents + self.hand_paid_cents

    @property
    def wagered_cents(self) -> int:
        """Stakes that were settled; void ones are not among them."""
        return self.lost_cents + self.returned_cents

    @property
    def won_cents(self) -> int:
        """All that settlements paid, stakes included: what was wagered less this is the win."""
        return self.returned_cents + self.winnings_cents + self.bonus_cents

    @property
    def win_cents(self) -> int:
        return self.lost_cents - self.winnings_cents - self.bonus_cents

    @property
    def moved(self) -> Counter[str]:
        """What these figures say has happened to each account."""
        found = Counter[str]()
        for name, (debit, credit) in MOVES.items():
            cents = getattr(self, name)
            found[debit] -= cents
            found[credit] += cents
        return found

    def __bool__(self) -> bool:
        return any(getattr(self, name) for name in NAMES)


NAMES = tuple(field.name for field in fields(Figures))


def total(parts: Iterable[Figures]) -> Figures:
    found = Figures()
    for part in parts:
        found.add(part)
    return found


def account_class(account: str) -> str:
    """The account as reports tie it out: patrons' together, each other by its name."""
    return SESSIONS if is_patron(account) else account
