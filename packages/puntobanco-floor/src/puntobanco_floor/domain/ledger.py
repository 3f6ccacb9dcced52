"""The ledger: accounts, and how transfers are posted to them. An event says what it moves
(`Event.transfers`), always inside one stream.

session:<id>   a patron's credits; never below zero
wagers         stakes in play
bank           what the table has won or lost
bonus          bonuses paid
held           credits set apart for a hand pay that waits for its second person
moving         credits on the way to another table; below zero, that came from others: over all
               streams it sums to what is on the way
cage           cash taken in (below zero) and paid out
vouchers       what vouchers issued here are worth, less those redeemed here
adjustments    what rulings on past rounds have awarded patrons (below zero); no part of drop, win
               or hold
unrecovered    what a reopened round could not take back, and vouchers that a recovery had lost
               (below zero)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping
from typing import NamedTuple, TypeAlias

WAGERS, BANK, BONUS, HELD, CAGE = "wagers", "bank", "bonus", "held", "cage"
VOUCHERS, UNRECOVERED, MOVING = "vouchers", "unrecovered", "moving"
ADJUSTMENTS = "adjustments"
HOUSE_ACCOUNTS = (WAGERS, BANK, BONUS, HELD, MOVING, CAGE, VOUCHERS, ADJUSTMENTS, UNRECOVERED)
_SESSION = "session:"


def account_of(session: str) -> str:
    return _SESSION + session


def is_patron(account: str) -> bool:
    return account.startswith(_SESSION)


class Transfer(NamedTuple):
    """So many cents from one account to another; always more than nothing."""

    debit: str  # loses them
    credit: str  # gains them
    cents: int


Transfers: TypeAlias = tuple[Transfer, ...]


def post(balances: MutableMapping[str, int], moved: Iterable[Transfer]) -> None:
    """Carry transfers into balances. If a patron's account falls below zero, the fault is ours."""
    for debit, credit, cents in moved:
        assert cents > 0, "a transfer moves something"
        left = balances.get(debit, 0) - cents
        assert left >= 0 or not (is_patron(debit) or debit == HELD), f"{debit} would be {left}"
        balances[debit] = left
        balances[credit] = balances.get(credit, 0) + cents


class Carried(dict[str, int]):
    """Balances that a batch has changed; those beneath change only when the batch is stored."""

    def __init__(self, base: Mapping[str, int]) -> None:
        super().__init__()
        self.base = base

    def get(self, account: str, default: int = 0) -> int:  # type: ignore[override]
        if account in self:
            return self[account]
        return self.base.get(account, default)

    def whole(self) -> dict[str, int]:
        return {**self.base, **self}


def is_balanced(balances: Mapping[str, int]) -> bool:
    return sum(balances.values()) == 0
