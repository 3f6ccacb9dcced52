"""Records: the values that are written down, and what a table is set to.

Cards are codes, money is whole cents, times are milliseconds since 1970. A field that is added
later needs a default, so that journals of earlier versions still read.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

from puntobanco.base.record import Record as Record  # noqa: PLC0414 - a word of this package too
from puntobanco_floor.domain.snapshots import Added

if TYPE_CHECKING:
    from puntobanco.rules.settle import Line as SettledLine

Source = Literal["shoe", "continuous"]
Dealing = Literal["virtual", "physical"]
Burn = int | Literal["first-card"]
"""So many cards unseen; or the first card is turned, and as many as its points follow it unseen
(ten for none).
"""


class BetLimits(Record):
    """What one wager on a bet may be. `closed`: none is taken; the amounts are kept for when it is
    opened again.
    """

    min_cents: int
    max_cents: int
    step_cents: int
    closed: bool = False


class Limits(Record):
    """What a table takes. `patron_max_cents` is one patron's stakes in a round, all bets and
    sessions together.
    """

    bets: dict[str, BetLimits]
    patron_max_cents: int
    exposure_max_cents: int
    differential_cents: int | None = None  # how far stakes on player and banker may lie apart
    staff_load_cents: int = 0  # a staff load above this needs a second person
    # more than this is paid by hand, by two people, and never as a voucher; 0: no such limit
    hand_pay_cents: int = 0
    # a buy-in above this needs a second person; 0: no such limit
    large_buy_in_cents: int = 1_000_000
    seats: Added[int] = 0  # sessions at the table at once; 0: no such limit


class Clock(Record):
    """A table's times; zero means that a person decides."""

    betting_ms: int = 0
    guard_ms: int = 0  # between "No more bets" and the first card
    card_ms: int = 0  # between cards, where the server deals
    pause_ms: int = 0  # between rounds, where the server deals
    automatic: bool = False  # the server deals, settles and opens by itself
    new_shoes: bool = False  # and changes the shoe by itself
    # a dealer's bets too; else the time there is a guide, and the dealer closes
    closes_by_clock: bool = False
    # from the fourth card on, so that patrons can squeeze: as long the table waits after each
    squeeze_ms: Added[int] = 0


class Cards(Record):
    """What a new shoe of the table is, where nobody says otherwise: house procedure (readings 28 to
    30).
    """

    # or an electronic shuffler that shuffles without end, where the rulebook has one
    source: Source = "shoe"
    dealing: Dealing = "virtual"
    decks: int = 0  # 0: the game's default
    cut: int = 14  # cards behind the cut card
    burn: Burn = 0
    count_shoes: bool = False  # a dealer's shoe comes with its set id and a count of all its cards
    # of a shuffler: its set is changed, and the roads start afresh, after so many
    road_rounds: int = 100


ChangeKind = Literal["limits", "clock", "cards"]
"""What of a table can be changed: it has one value of each."""


class ScheduledChange(Record):
    """A change that was asked for in a round and is made when that is over: who asked, when, and
    what for. The field that is named like its kind has the value, the others have none.
    """

    kind: ChangeKind
    by: str
    at: int
    limits: Limits | None = None
    clock: Clock | None = None
    cards: Cards | None = None


class Line(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What became of one wager."""

    session: str
    bet: str
    stake_cents: int
    outcome: str
    winnings_cents: int
    returned_cents: int
    bonus_cents: int
    clause: str
    bonus_clause: str = ""
    # of what is paid, the part that goes to what the session still owes from a reopened round
    set_off_cents: int = 0

    @classmethod
    def of(cls, session: str, settled: SettledLine) -> Line:
        """As the rules settle a session's wager."""
        return cls(
            session,
            settled.wager.bet,
            settled.wager.stake_cents,
            settled.outcome,
            settled.winnings_cents,
            settled.returned_cents,
            settled.bonus_cents,
            settled.clause,
            settled.bonus_clause or "",
        )

    @property
    def by_rule(self) -> tuple[object, ...]:
        """All but the set-off, which is the last field and no matter of the rules."""
        return msgspec.structs.astuple(self)[:-1]

    @property
    def won_cents(self) -> int:
        """What it pays beyond the stake."""
        return self.winnings_cents + self.bonus_cents

    @property
    def paid_cents(self) -> int:
        """What leaves `wagers`, `bank` and `bonus`."""
        return self.returned_cents + self.won_cents


class Recovery(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What is taken back of one line when its round is reopened; what the session no longer has is
    unrecovered.
    """

    line: Line
    recovered_cents: int
    unrecovered_cents: int
