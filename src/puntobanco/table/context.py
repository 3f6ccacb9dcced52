"""What a decision may look at, and the table of who decides which command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

import msgspec

import puntobanco.events as e
from puntobanco.ledger import account_of
from puntobanco.rules.game import Game
from puntobanco.rules.irregularities import OF_THE_HOUSE
from puntobanco.table import commands as c
from puntobanco.table import refusals as r
from puntobanco.table.clock import undecided
from puntobanco.table.state import RoundState, TableState
from puntobanco.vault import Order

C = TypeVar("C", bound=c.Command)
Events: TypeAlias = tuple[e.Event, ...]


class Voucher(msgspec.Struct, frozen=True):
    """A voucher as the house knows it."""

    cents: int
    expires_at: int
    redeemed: bool = False


@dataclass(frozen=True)
class Funds:
    """Balances of this stream's accounts, and the vouchers that commands name."""

    balances: Mapping[str, int] = field(default_factory=dict)
    vouchers: Mapping[str, Voucher] = field(default_factory=dict)

    def of(self, session: str) -> int:
        return self.balances.get(account_of(session), 0)


class Asked(msgspec.Struct, frozen=True):
    """What a decision may look at."""

    state: TableState
    funds: Funds
    now: int
    order: Order | None
    proposed_by: str = ""
    approved_by: str = ""
    window: int = 0  # of the drawer that takes or pays the cash of an approval
    shift: int = 0

    @property
    def round(self) -> RoundState:
        assert self.state.round is not None, "this phase has a round"
        return self.state.round


RULES = dict[type[c.Command], Callable[[Asked, c.Command], Events]]()


def on(kind: type[C]) -> Callable[[Callable[[Asked, C], Events]], Callable[[Asked, C], Events]]:
    def register(function: Callable[[Asked, C], Events]) -> Callable[[Asked, C], Events]:
        RULES[kind] = function  # type: ignore[assignment]
        return function

    return register


def verify_decided(state: TableState) -> None:
    number = undecided(state)
    if number is not None:
        raise r.NotNow(f"proposal {number} on this round waits for a second person")


def clause_of(game: Game, ground: str) -> str | None:
    return next(
        (i.clause for i in (*game.irregularities, *OF_THE_HOUSE) if i.ground.id == ground), None
    )
