"""Recovery of a floor: a new epoch in every stream, and what is confirmed in all of them."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from puntobanco.commands import Command
from puntobanco.journal import Fault
from puntobanco.machine import State
from puntobanco.names import FLOOR
from puntobanco.recovery import BeginEpoch, ConfirmVouchers
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


def begin_epoch(store: Store, people: TwoPeople, reason: str) -> Everywhere:
    """A new epoch everywhere, the house's stream first: a table that is opened meanwhile begins in
    it. Run again after a crash it goes on with the same number.
    """
    states, blocked = _readable(store)
    epoch = _next_epoch(store, states)

    first, second = people
    command = BeginEpoch(by=first, second=second, epoch=epoch, reason=reason)
    behind = [name for name, state in states.items() if state.epoch < epoch]
    done = _asked(store, behind, command)
    return Everywhere(epoch, done, blocked)


def confirm_vouchers(store: Store, people: TwoPeople, doubted: tuple[str, ...]) -> Everywhere:
    """In every stream that is not confirmed yet; run again it does the rest after a crash, and what
    was opened since. What was doubted before stays so there too.
    """
    states, blocked = _readable(store)

    first, second = people
    every = {*doubted, *states[FLOOR].trusted.doubted}
    command = ConfirmVouchers(by=first, second=second, doubted=tuple(sorted(every)))
    waiting = list[str]()
    for name, state in states.items():
        doubts_less = not every <= {*state.trusted.doubted}
        if state.trusted.since or doubts_less:
            waiting.append(name)
    done = _asked(store, waiting, command)
    return Everywhere(max(state.epoch for state in states.values()), done, blocked)


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


def _next_epoch(store: Store, states: Mapping[str, State]) -> int:
    """One more than anybody has seen; where only some streams are in the latest epoch of all, a
    recovery was begun and not finished, and it is that one.
    """
    epochs = {state.epoch for state in states.values()}
    latest = max(epochs)
    if len(epochs) > 1 and latest >= store.seen_epoch:
        return latest
    return max(latest, store.seen_epoch) + 1


def _asked(store: Store, names: Sequence[str], command: Command) -> list[str]:
    for name in names:
        request = Request(stream=name, id=secrets.token_hex(8), command=command)
        answer = store.ask(request)
        if not answer.ok:
            raise NotStored(f"{name} refused: {answer.reason}; run it again")
    return list(names)
