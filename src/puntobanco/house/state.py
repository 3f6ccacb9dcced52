"""The state of the house: everything that the next decision about staff, terminals and patrons
depends on.
"""

from __future__ import annotations

from typing import ClassVar

import msgspec
from immutables import Map

from puntobanco.events import Role
from puntobanco.house.gaming_day import Calendar
from puntobanco.machine import SNAPSHOT, Plain, TrustedVouchers, plain_of, struct_from
from puntobanco.names import is_patron_id
from puntobanco.proposals import NONE, Proposals
from puntobanco.rules.causes import Cause
from puntobanco.signing import Admitted

WRONG_TRIES = 3


class Person(msgspec.Struct, frozen=True):
    role: Role
    verifier: str
    disabled: str = ""
    wrong: int = 0  # tries since the last right one
    unconfirmed: bool = False  # since a recovery: no login before somebody else confirms it

    @property
    def is_locked(self) -> bool:
        return self.wrong >= WRONG_TRIES

    @property
    def may_enter(self) -> bool:
        return not (self.disabled or self.is_locked or self.unconfirmed)


class Device(msgspec.Struct, frozen=True):
    """A terminal; enrolled when it has a key."""

    table: str = ""
    code: str = ""
    expires_at: int = 0
    key: str = ""
    disabled: str = ""


class Exclusion(msgspec.Struct, frozen=True):
    reason: str
    until: int | None = None


class Bounds(msgspec.Struct, frozen=True):
    """A patron's own limits for a day, and what of them is used up."""

    loss_cents: int | None = None
    minutes: int | None = None
    wider: tuple[int | None, int | None] | None = None
    wider_at: int = 0
    net_cents: int = 0
    played_ms: int = 0

    @property
    def is_set(self) -> bool:
        return self.loss_cents is not None or self.minutes is not None

    @property
    def loss_left_cents(self) -> int | None:
        return None if self.loss_cents is None else max(0, self.loss_cents + self.net_cents)

    @property
    def play_left_ms(self) -> int | None:
        return None if self.minutes is None else max(0, self.minutes * 60_000 - self.played_ms)


class Holder(msgspec.Struct, frozen=True):
    """Who has a cage window."""

    cashier: str
    shift: int
    since: int


class HouseState(msgspec.Struct, frozen=True, kw_only=True):
    stream: str
    seq: int = 0
    at: int = 0
    periods: int = 0
    epoch: int = 1
    keys: Map[str, Admitted] = Map()
    trusted: TrustedVouchers = TrustedVouchers()
    name: str = ""
    demo: bool = False
    calendar: Calendar = Calendar()
    day: int = 0  # of the calendar; the one that is counted now
    stopped: str | Cause = ""  # why no round opens
    staff: Map[str, Person] = Map()
    terminals: Map[str, Device] = Map()
    excluded: Map[str, Exclusion] = Map()
    # since a recovery: nobody is seated before two people say that the list is complete
    exclusions_unconfirmed: bool = False
    erased: Map[str, int] = Map()  # patrons whose card was erased, and on which day
    cards_bound: bool = False  # every row of the table of patrons' cards has a MAC
    patrons: Map[str, Bounds] = Map()
    windows: Map[int, Holder] = Map()  # of the cage
    waiting: Map[str, int] = (
        Map()
    )  # patrons whose wider limits wait, and until when; the clock looks at no others

    redeemed: ClassVar[Map[str, int]] = Map()  # no voucher is redeemed here,
    rules: ClassVar[str] = ""  # no game is played,
    proposals: ClassVar[Proposals] = NONE  # and nothing waits for a second person

    @property
    def is_open(self) -> bool:
        return bool(self.name)

    def excludes(self, patron: str, now: int) -> Exclusion | None:
        found = self.excluded.get(patron)
        return found if found and (found.until is None or now < found.until) else None

    def may_play(self, patron: str, now: int) -> bool:
        """Neither excluded nor erased: an old ticket may have an id that no card leads to."""
        return patron not in self.erased and self.excludes(patron, now) is None

    @property
    def protected(self) -> set[str]:
        """Patrons who were excluded or have limits, and whose card was not erased: to each of them
        a card leads. Sessions of nobody have none.
        """
        known = {patron for patron in (*self.excluded, *self.patrons) if is_patron_id(patron)}
        return known - {*self.erased}

    def window_of(self, cashier: str) -> int | None:
        return next(
            (window for window, holder in self.windows.items() if holder.cashier == cashier), None
        )

    def bounds(self, patron: str) -> Bounds:
        return self.patrons.get(patron, Bounds())


def dump(state: HouseState) -> Plain:
    """As plain values, for a snapshot; who waits is read from the patrons again."""
    plain = plain_of(state, snapshot=SNAPSHOT, waiting=None)
    del plain["waiting"]
    return plain


def load(plain: Plain) -> HouseState:
    state = struct_from(HouseState, plain, waiting=Map())
    waiting = {patron: bounds.wider_at for patron, bounds in state.patrons.items() if bounds.wider}
    return msgspec.structs.replace(state, waiting=Map(waiting))
