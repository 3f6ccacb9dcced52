"""Recovery of a floor: a new epoch in every stream, and what is confirmed in all of them."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from puntobanco.commands import Command
from puntobanco.journal import Fault, header_of
from puntobanco.machine import State
from puntobanco.names import FLOOR
from puntobanco.recovery import BeginEpoch, ConfirmVouchers
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Request
from puntobanco.storage.errors import NotStored
from puntobanco.storage.store import Store


class TwoPeople(NamedTuple):
    """Who asks, and who says the same."""

    first: str
    second: str


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
    another: bool = False,
    without: Collection[str] = (),
    lost_leaves: int = 0,
) -> Everywhere:
    """A new epoch everywhere, the house's stream first: a table that is opened meanwhile begins in
    it. Run again after a crash it goes on with the same number; run again after that it refuses,
    unless two people want `another`. Streams that it goes `without` join it when their entries are
    set aside. The house's stream says how many leaves of the log have no entry any more.
    """
    states, blocked = _readable(store)
    left = list[State]()
    for name in {*states} & {*without} - {FLOOR}:
        left.append(states.pop(name))
    latest = max(state.epoch for state in states.values())
    behind = [name for name, state in states.items() if state.epoch < latest]
    is_unfinished = bool(behind) and latest >= store.seen_epoch
    epoch = latest if is_unfinished else max(latest, store.seen_epoch) + 1
    is_wanted = another or is_unfinished or latest == 1
    is_wanted |= any(state.epoch >= latest for state in left)
    if not (is_wanted or _is_behind(store, states, latest)):
        raise Refusal(
            f"epoch {latest} is begun everywhere, and this node has seen nothing that the database "
            "has not; --another begins one more"
        )

    first, second = people
    command = BeginEpoch(by=first, second=second, epoch=epoch, reason=reason)
    commands = dict[str, Command]()
    for name, state in states.items():
        if state.epoch < epoch:
            commands[name] = command
    if FLOOR in commands:
        commands[FLOOR] = replace(command, lost_leaves=lost_leaves)
    return _asked(store, commands, epoch, blocked)


def _is_behind(store: Store, states: Mapping[str, State], epoch: int) -> bool:
    """Whether this node has seen entries of the latest epoch that the database has not."""
    for name, seen in store.seen.items():
        if seen.epoch < epoch:
            continue
        state = states.get(name)
        if state is None or seen.epoch > epoch or seen.seq > state.seq:
            return True
        if not seen.seq:  # a restore asked for this epoch, and it was begun
            continue
        _, there = next(store.entries(name, after=seen.seq - 1))
        _, hash_ = header_of(there)
        if hash_ != seen.hash:
            return True
    return False


def confirm_vouchers(store: Store, people: TwoPeople, doubted: tuple[str, ...]) -> Everywhere:
    """In every stream that is not confirmed yet; run again it does the rest after a crash, and what
    was opened since. What was doubted before stays so there too.
    """
    states, blocked = _readable(store)

    first, second = people
    every = {*doubted, *states[FLOOR].trusted.doubted}
    command = ConfirmVouchers(by=first, second=second, doubted=tuple(sorted(every)))
    waiting = dict[str, Command]()
    for name, state in states.items():
        doubts_less = not every <= {*state.trusted.doubted}
        if state.trusted.since or doubts_less:
            waiting[name] = command
    epoch = max(state.epoch for state in states.values())
    return _asked(store, waiting, epoch, blocked)


def _readable(store: Store) -> tuple[dict[str, State], dict[str, str]]:
    """The streams by name, the house's first; and those that fail verification."""
    states, blocked = dict[str, State](), dict[str, str]()
    for name in sorted(store.names(), key=lambda name: (name != FLOOR, name)):
        try:
            states[name] = store.stream(name).state
        except Fault as fault:
            blocked[name] = fault.reason
    if FLOOR not in states:
        why = blocked.get(FLOOR, "it is not there")
        raise NotStored(f"the house's stream cannot be used: {why}")
    return states, blocked


def _asked(
    store: Store,
    commands: Mapping[str, Command],
    epoch: int,
    blocked: Mapping[str, str],
) -> Everywhere:
    """One stream that cannot be written to does not keep the others from it; the house's does."""
    done, failed = list[str](), dict(blocked)
    for name, command in commands.items():
        request = Request(stream=name, id=secrets.token_hex(8), command=command)
        try:
            answer = store.ask(request)
            if not answer.ok:
                raise NotStored(f"{name} refused: {answer.reason}; run it again")
        except NotStored as error:
            if name == FLOOR:
                raise
            failed[name] = error.reason
        else:
            done.append(name)
    return Everywhere(epoch, done, failed)
