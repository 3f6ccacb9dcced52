"""The state of the house: what a decision about staff, terminals and patrons depends on."""

from __future__ import annotations

from collections.abc import Collection
from typing import ClassVar

import msgspec
from immutables import Map

from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house.gaming_day import Calendar
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.proposals import NONE, Proposals
from puntobanco_floor.domain.snapshots import SNAPSHOT, Added, Plain, plain_of, struct_from
from puntobanco_floor.domain.stream_names import is_patron_id

WRONG_TRIES = 3

ADMINISTRATORS = 2
"""A house with so many decides by two people. They can neither be disabled nor lose the role."""

MAX_NODES = 1_000
"""Containers come and go, each a node with its own key: the state forgets the oldest."""

MAX_PROGRAMS = 8
"""Accepted at a time: more than one, since nodes are brought to a new release one by one."""


class Person(msgspec.Struct, frozen=True):
    role: Role
    verifier: str
    disabled: str = ""
    wrong: int = 0  # tries since the last right one
    unconfirmed: bool = False  # since a recovery: no login before somebody else confirms it

    @property
    def is_tried(self) -> bool:
        """Somebody has given wrong passwords in a row; where from, the journal says."""
        return self.wrong >= WRONG_TRIES

    @property
    def may_enter(self) -> bool:
        return not (self.disabled or self.unconfirmed)


FACTOR_ROLES: frozenset[Role] = frozenset({"supervisor", "cashier", "auditor", "administrator"})
"""Who logs in with a second factor."""


class Credentials(msgspec.Struct, frozen=True):
    """Besides the password: the code to enrol with and its makers; then second factor and PIN."""

    codes: tuple[str, ...] = ()
    expires_at: int = 0
    made_by: tuple[str, ...] = ()  # until the owner has enrolled
    is_enrolled: bool = False
    factor: str = ""
    pin: str = ""
    step: int = 0  # of the last one-time code; an earlier one or the same is worth nothing


NO_CREDENTIALS = Credentials()


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
    cashier: str
    shift: int
    since: int


class Node(msgspec.Struct, frozen=True):
    """What a node said of itself when it last checked its program."""

    seen: int
    configuration: str
    is_running: bool = True
    fault: str = ""


class HouseState(State, frozen=True, kw_only=True):
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
    cards_bound: Added[bool] = False  # every row of the table of patrons' cards has a MAC
    patrons: Map[str, Bounds] = Map()
    windows: Map[int, Holder] = Map()  # of the cage
    nodes: Added[Map[str, Node]] = Map()  # by the id of their key
    programs: Added[tuple[str, ...]] = ()  # digests that were accepted; newest last
    waiting: Map[str, int] = (
        Map()
    )  # patrons whose wider limits wait, and until when; the clock looks at no others
    # Since it has two administrators who enrolled: staff and exclusions are changed by two people,
    # and everybody has a password of his own.
    by_two: Added[bool] = False
    credentials: Added[Map[str, Credentials]] = Map()
    games: Added[tuple[str, ...]] = ()  # definitions that were allowed, by SHA-256; newest last
    pending: Added[Proposals | None] = None  # what waits for a second person; none before the first

    redeemed: ClassVar[Map[str, int]] = Map()  # no voucher is redeemed here
    rules: ClassVar[str] = ""  # no game is played

    @property
    def proposals(self) -> Proposals:
        return self.pending or NONE

    @property
    def is_open(self) -> bool:
        return bool(self.name)

    def has_enrolled(self, name: str) -> bool:
        """Return whether somebody has what a house by two people asks for: a password of their own,
        and a second factor where the role has one.
        """
        if not self.by_two:
            return True
        found, person = self.credentials.get(name, NO_CREDENTIALS), self.staff[name]
        return found.is_enrolled and (bool(found.factor) or person.role not in FACTOR_ROLES)

    def may_enrol_by_password(self, name: str) -> bool:
        """Return whether a password is enough to enrol: somebody else made it, or the role's second
        factor is missing. Never with a factor: who learns the password would take the account.
        """
        found, person = self.credentials.get(name, NO_CREDENTIALS), self.staff[name]
        lacks_factor = person.role in FACTOR_ROLES and not found.factor and not self.demo
        return bool(person.verifier) and not found.codes and (not found.is_enrolled or lacks_factor)

    def are_two(self, one: str, other: str) -> bool:
        """Return whether two names are two people: not while one made the account of the other and
        its owner has not enrolled.
        """
        ones = self.credentials.get(one, NO_CREDENTIALS).made_by
        others = self.credentials.get(other, NO_CREDENTIALS).made_by
        return one != other and one not in others and other not in ones

    def may_ask(self, name: str, by: Collection[Role]) -> bool:
        """Whether somebody on the staff, of one of these roles, could log in and ask now."""
        person = self.staff.get(name)
        if person is None or not person.may_enter:
            return False
        return person.role in by and self.has_enrolled(name)

    def administrators(self, *, but: str = "") -> int:
        """How many there are that are not disabled."""
        return sum(
            person.role == "administrator" and not person.disabled
            for name, person in self.staff.items()
            if name != but
        )

    def excludes(self, patron: str, now: int) -> Exclusion | None:
        found = self.excluded.get(patron)
        return found if found and (found.until is None or now < found.until) else None

    def may_play(self, patron: str, now: int) -> bool:
        """Neither excluded nor erased: an old ticket may have an id that no card leads to."""
        return patron not in self.erased and self.excludes(patron, now) is None

    @property
    def protected(self) -> set[str]:
        """Patrons with an exclusion or limits whose card was not erased: a card leads to each."""
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
