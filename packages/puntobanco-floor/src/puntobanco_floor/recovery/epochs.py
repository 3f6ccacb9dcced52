"""Recovery of a floor: a new epoch in every stream, and what is confirmed in all of them."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from puntobanco.base.money import dollars
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import chained
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.ledger import account_of
from puntobanco_floor.domain.machine import State
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.stream_rules import BeginEpoch, ConfirmVouchers
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.errors import InDoubt, NotStored
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.format import Fault, read_header


class TwoPeople(NamedTuple):
    """Who asks, and who says the same."""

    first: str
    second: str


class Consequences(NamedTuple):
    """What a new epoch does to the floor as it is now."""

    rounds: int  # in play, to be void
    shoes: int  # on tables, to be retired
    sessions: int  # seated
    session_cents: int  # their credits
    staff: int  # besides the two people

    def describe(self) -> str:
        return (
            f"{self.rounds} rounds in play become void and {self.shoes} shoes are retired; "
            f"{self.sessions} seated sessions with {dollars(self.session_cents)} in credits take "
            "no wager until two people have paid them at the cage; vouchers and exclusions wait to "
            f"be confirmed, and so do {self.staff} of the staff, who cannot log in until then"
        )


class Everywhere(NamedTuple):
    """What became of a command in every stream."""

    epoch: int
    done: list[str]
    blocked: dict[str, str]  # streams that cannot be written to, and why


def begin_epoch(
    store: Store,
    people: TwoPeople,
    reason: str,
    *,
    nothing_lost: bool = False,
    without: Collection[str] = (),
    lost_leaves: int = 0,
    is_lost: bool = False,
) -> Everywhere:
    """Begin a new epoch everywhere, the house's stream first: a table that is opened meanwhile
    begins in it. Run again after a crash it goes on with the same number.

    Refuse unless something is lost: the file of heads knows more than the database, leaves of the
    log have no entry, or the caller knows from a witness that some entries are lost (`is_lost`).
    Two people may override that with `nothing_lost`. Streams that it goes `without` join the epoch
    when their entries are set aside.
    """
    if not (nothing_lost or is_lost or lost_leaves):
        verify_loss(store, without)
    states, faults = _readable(store)
    for name in {*states} & {*without} - {FLOOR}:
        del states[name]
    latest = max(state.epoch for state in states.values())
    epoch = latest if _is_unfinished(store, states) else max(latest, store.seen_epoch) + 1

    first, second = people
    command = BeginEpoch(by=first, second=second, epoch=epoch, reason=reason)
    commands = dict[str, Command]()
    for name, state in states.items():
        if state.epoch < epoch:
            commands[name] = command
    if FLOOR in commands:
        commands[FLOOR] = replace(command, lost_leaves=lost_leaves)
    return _asked(store, commands, epoch, faults)


def verify_loss(store: Store, without: Collection[str]) -> None:
    """Refuse unless entries are lost or an epoch is unfinished: a new one would void rounds."""
    states, faults = _readable(store)
    kept = {name: state for name, state in states.items() if name not in without or name == FLOOR}
    latest = max(state.epoch for state in kept.values())
    if _is_unfinished(store, kept) or _is_behind(store, states, faults, latest):
        return
    for name in states.keys() - kept.keys():
        # one of an earlier epoch waits for its entries to be set aside, not for another epoch
        if states[name].epoch >= latest and _fails(store, name):
            return
    begun = f"epoch {latest} is begun everywhere, and " if latest > 1 else ""
    raise Refusal(
        f"{begun}no entries are lost: neither the file of heads {store.heads_file}, the "
        "publication folder nor a witness that was asked knows more than the database; nothing was "
        "changed. Name the newest files with --heads, --publication and --witness, or begin an "
        "epoch all the same with --nothing-is-lost"
    )


def consequences(store: Store) -> Consequences:
    """Count what a new epoch would void, retire and hold back."""
    states, _ = _readable(store)
    rounds, shoes, sessions, cents = 0, 0, 0, 0
    for name, state in states.items():
        if not isinstance(state, TableState):
            continue
        rounds += state.is_in_play
        shoes += state.shoe is not None
        sessions += len(state.sessions)
        balances = store.stream(name).balances
        cents += sum(balances.get(account_of(each), 0) for each in state.sessions)
    house = states[FLOOR]
    staff = len(house.staff) if isinstance(house, HouseState) else 0
    return Consequences(rounds, shoes, sessions, cents, max(0, staff - 2))


def _is_unfinished(store: Store, states: Mapping[str, State]) -> bool:
    """Whether an epoch is begun in some streams and not in all of them."""
    epochs = {state.epoch for state in states.values()}
    return len(epochs) > 1 and max(epochs) >= store.seen_epoch


def _is_behind(
    store: Store, states: Mapping[str, State], faults: Mapping[str, Fault], epoch: int
) -> bool:
    """Whether this node has seen entries of the latest epoch that the database has not."""
    for name, seen in store.seen.items():
        if seen.epoch < epoch:
            continue
        state, fault = states.get(name), faults.get(name)
        if fault is not None and fault.seq > seen.seq:
            continue  # nobody signed what fails: it is set aside, and nothing is lost by it
        if state is None or seen.epoch > epoch or seen.seq > state.seq:
            return True
        if not seen.seq:  # a restore asked for this epoch, and it was begun
            continue
        _, there = next(store.entries(name, after=seen.seq - 1))
        _, hash_ = read_header(there)
        if hash_ != seen.hash:
            return True
    return False


def _fails(store: Store, name: str) -> bool:
    """Whether an entry before the last snapshot fails, which no node reads."""
    try:
        for _ in chained(store.entries(name), name, decode=store.definitions.decode):
            pass
    except Fault:
        return True
    return False


def confirm_vouchers(store: Store, people: TwoPeople, doubted: tuple[str, ...]) -> Everywhere:
    """In every stream that is not confirmed yet; run again it does the rest after a crash, and what
    was opened since. What was doubted before stays so there too.
    """
    states, faults = _readable(store)
    first, second = people
    every = {*doubted, *states[FLOOR].trusted.doubted}
    command = ConfirmVouchers(by=first, second=second, doubted=tuple(sorted(every)))
    waiting = dict[str, Command]()
    for name, state in states.items():
        doubts_less = not every <= {*state.trusted.doubted}
        if state.trusted.since or doubts_less:
            waiting[name] = command
    epoch = max(state.epoch for state in states.values())
    return _asked(store, waiting, epoch, faults)


def _readable(store: Store) -> tuple[dict[str, State], dict[str, Fault]]:
    """The streams by name, the house's first; and the faults of those that fail verification."""
    states, faults = dict[str, State](), dict[str, Fault]()
    for name in sorted(store.names(), key=lambda name: (name != FLOOR, name)):
        try:
            states[name] = store.stream(name).state
        except Fault as fault:
            faults[name] = fault
    if FLOOR not in states:
        why = faults[FLOOR].reason if FLOOR in faults else "it is not there"
        raise NotStored(f"the house's stream cannot be used: {why}")
    return states, faults


def _asked(
    store: Store, commands: Mapping[str, Command], epoch: int, faults: Mapping[str, Fault]
) -> Everywhere:
    """One stream that cannot be written to does not keep the others from it; the house's does."""
    done = list[str]()
    failed = {name: fault.reason for name, fault in faults.items()}
    for name, command in commands.items():
        request = Request(stream=name, id=secrets.token_hex(8), command=command)
        try:
            answer = store.ask(request)
            if not answer.ok:
                raise NotStored(f"{name} refused: {answer.words.en}; run it again")
        except (NotStored, InDoubt) as error:
            if name == FLOOR:
                raise
            failed[name] = error.reason
        else:
            done.append(name)
    return Everywhere(epoch, done, failed)
