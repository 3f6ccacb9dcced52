"""State machines: what a table, the house and a cage window have in common.

A machine is a value: a function for each kind of command (what follows) and of event (the next
state). All of it is pure: no clock, no randomness, no database. Here a machine asks, once for every
kind, whether a second person is needed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, reduce
from typing import TYPE_CHECKING, Generic, NamedTuple, TypeAlias, TypeVar

import msgspec
from immutables import Map

from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.event import check as check  # noqa: PLC0414 - for every `evolve`
from puntobanco_floor.domain.events import Event, VoucherTaken
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.node_keys import Admitted
from puntobanco_floor.domain.snapshots import Plain
from puntobanco_proof.entry.format import Fault

if TYPE_CHECKING:
    from puntobanco_floor.domain.proposals import Proposal, Proposals

CLOCK = "clock"
"""Who gives the commands that are due by the clock."""

Events: TypeAlias = tuple[Event, ...]
Rules: TypeAlias = Mapping[type[Command], Callable[..., Events]]
"""For each kind of command, what follows, given `Asked` and the command."""


# What a decision may look at


class Voucher(msgspec.Struct, frozen=True):
    cents: int
    expires_at: int
    redeemed: bool = False
    epoch: int = 1  # of the entry that issued it
    is_proved: bool = True  # every stream could be asked whether it has redeemed it


class TrustedVouchers(msgspec.Struct, frozen=True):
    """The vouchers that are good without a second person. After a recovery none from before is,
    until two people confirm them; nor any while a stream fails that may have redeemed it.
    """

    since: int = 0  # those of this epoch and later ones
    doubted: tuple[str, ...] = ()  # but for these, when the others were confirmed

    def has(self, number: str, voucher: Voucher) -> bool:
        if not voucher.is_proved:
            return False
        return voucher.epoch >= self.since and number not in self.doubted


class State(msgspec.Struct, frozen=True, kw_only=True):
    """What the store asks of every state; a table, the house and a window have more."""

    stream: str
    seq: int = 0
    at: int = 0  # when the last entry was written
    periods: int = 0
    epoch: int = 1
    keys: Map[str, Admitted] = Map()  # of the nodes that write here, or did
    trusted: TrustedVouchers = TrustedVouchers()

    if TYPE_CHECKING:

        @property
        def proposals(self) -> Proposals: ...
        @property
        def rules(self) -> str:
            """The rulebook that an entry names; nothing where no game is played."""

        @property
        def redeemed(self) -> Map[str, int]:
            """Vouchers that were redeemed here, and when each expires. Sealing a period forgets
            those that have expired: only two people pay one of them.
            """


S = TypeVar("S", bound=State)
Steps: TypeAlias = Mapping[type[Event], Callable[..., S]]
"""For each kind of event, the next state, given the state before and the event."""


@dataclass(frozen=True)
class Funds:
    """Balances of this stream's accounts, and the vouchers that commands name."""

    balances: Mapping[str, int] = field(default_factory=dict)
    vouchers: Mapping[str, Voucher] = field(default_factory=dict)

    def of(self, session: str) -> int:
        return self.balances.get(account_of(session), 0)


class Mixers(msgspec.Struct, frozen=True):
    """The witnesses that mix a new shoe: those that a floor names, if all of them answered the
    log's last checkpoint in time. None: the house alone shuffles it.
    """

    log: str = ""  # its origin
    keys: Mapping[str, str] = {}  # of each witness by its name: a public key, DER in base64

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self.keys))


NO_MIXERS = Mixers()


class Asked(msgspec.Struct, Generic[S], frozen=True):
    """What a decision may look at: state, money, time, cards, and who mixes them."""

    state: S
    funds: Funds
    now: int
    order: Order | None = None
    mixers: Mixers = NO_MIXERS
    machine: Machine[S] | None = None  # that decides; none where a view asks one rule alone
    proposed_by: str = ""
    approved_by: str = ""
    window: int = 0  # of the drawer that takes or pays the cash of an approval
    shift: int = 0


class Due(NamedTuple):
    """What the clock owes a stream, and when."""

    at: int
    command: Command


class Fresh(NamedTuple):
    """Cards that are shuffled for a command, and the place where they are then kept."""

    place: str
    cards: list[int]
    take: int | None = None  # so many of them; None: all


class Held(NamedTuple):
    """Cards that are kept at a place, as they were committed to."""

    place: str
    commitment: str
    is_vital: bool  # the command cannot be done without them
    seed: str = ""  # of a shoe that is mixed


# The machine


def _nothing(*_: object) -> None:
    """A machine that has no phases, is owed nothing by the clock, or deals no cards."""


def _nothing_more(_state: object, _found: Events) -> Events:
    return ()


def _number(before: S, state: S, seq: int, at: int, events: Events) -> S:
    """The state with the number and the time of its entry."""
    del before, events
    return msgspec.structs.replace(state, seq=seq, at=at)


def _never_fails(_state: object, cause: Cause) -> tuple[Command, Events]:
    raise AssertionError(f"no cards are dealt here: {cause.code}")


@dataclass(frozen=True, kw_only=True)
class Machine(Generic[S]):
    """One kind of stream. Its commands and events are the keys of `decides` and `evolves`."""

    empty: Callable[..., S]  # given the name of the stream
    decides: Rules
    evolves: Steps[S]
    dump: Callable[[S], Plain]
    load: Callable[[Plain], S]
    unknown: Callable[[S, Command], Refusal]  # for a command that is not among `decides`
    stamped: Callable[[S, S, int, int, Events], S] = _number  # before, after; number, time, events
    verify: Callable[[S, Command], None] = _nothing  # refuses a command that cannot come now
    due: Callable[[S], Due | None] = _nothing
    also: Callable[[S, Events], Events] = _nothing_more  # what follows from these events besides
    cards: Callable[[S, Command], Fresh | Held | None] = _nothing
    # where vital cards cannot be had: what the clock declares, and the events of it
    malfunction: Callable[[S, Cause], tuple[Command, Events]] = _never_fails

    def plus(
        self,
        *,
        decides: Rules,
        evolves: Steps[S],
    ) -> Machine[S]:
        more, steps = {**self.decides, **decides}, {**self.evolves, **evolves}
        return replace(self, decides=more, evolves=steps)

    def decide(
        self,
        state: S,
        funds: Funds,
        command: Command,
        now: int,
        order: Order | None = None,
        mixers: Mixers = NO_MIXERS,
    ) -> Events:
        """Return the events that follow from a command, at least one; or refuse."""
        rule = self.decides.get(type(command))
        if rule is None:
            raise self.unknown(state, command)
        self.verify(state, command)
        asked = Asked(state, funds, now, order, mixers, self)
        found = rule(asked, command)  # first: what would be refused asks no second person
        second = command.traits.second
        proposed = None if second is None else second(asked, command, found)
        if proposed is not None:
            return (proposed,)
        return (*found, *self.also(state, found))

    @cached_property
    def any_command(self) -> type[Command]:
        """The union of its kinds, by which msgspec tells them apart."""
        union: type[Command] = reduce(operator.or_, self.decides)
        return union

    def held(self, proposal: Proposal) -> Command:
        return msgspec.convert(proposal.command, self.any_command)

    def evolve(self, state: S, event: Event) -> S:
        """The state after an event; raises a fault where the event cannot follow."""
        step = self.evolves.get(type(event))
        if step is None:
            raise Fault(f"{type(event).__name__} does not happen in {state.stream}")
        return step(state, event)

    def follow(self, state: S, entry: Entry) -> S:
        """Return the state after an entry, or raise a fault. A stream begins in the epoch of its
        first entry, which is the floor's by then.
        """
        after = state if state.seq else begun_in(entry.epoch, state)
        try:
            for event in entry.events:
                after = self.evolve(after, event)
        except Fault as fault:
            raise Fault(fault.reason, stream=entry.stream, seq=entry.seq) from None
        except Exception as error:  # whatever a forged event does to a rule
            raise Fault(f"cannot follow: {error}", stream=entry.stream, seq=entry.seq) from error
        if entry.epoch != after.epoch:
            raise Fault(
                f"is of epoch {entry.epoch}, the stream of {after.epoch}",
                stream=entry.stream,
                seq=entry.seq,
            )
        return self.stamped(state, after, entry.seq, entry.at, entry.events)


# What several rules ask


def take_voucher(state: S, event: VoucherTaken) -> S:
    """Remember a redeemed voucher, so that no node pays it again if its row of the table is set
    back. Older entries do not say when it expires, and are not remembered.
    """
    if not event.expires_at:
        return state
    check(event.voucher not in state.redeemed, f"voucher {event.voucher} was redeemed before")
    redeemed = state.redeemed.set(event.voucher, event.expires_at)
    return msgspec.structs.replace(state, redeemed=redeemed)


def begun_in(epoch: int, state: S) -> S:
    """Return the empty state of a stream that begins in an epoch. After a recovery it trusts no
    voucher from before until people confirm them here.
    """
    since = epoch if epoch > 1 else 0
    return msgspec.structs.replace(state, epoch=epoch, trusted=TrustedVouchers(since))
