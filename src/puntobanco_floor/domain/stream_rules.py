"""Decisions and next states that every stream has: node keys, periods, epochs."""

from __future__ import annotations

import msgspec
from immutables import Map

from puntobanco_floor.domain.events import (
    ClockStepped,
    EntriesSetAside,
    EpochBegun,
    KeyAdmitted,
    KeyRetired,
    PeriodSealed,
    VouchersConfirmed,
)
from puntobanco_floor.domain.machine import Asked, Events, S, TrustedVouchers, check, replaced
from puntobanco_floor.domain.node_keys import CertifyKey, RetireKey, admitted, retired
from puntobanco_floor.domain.refusals import UnknownKey

# Deciding


def retire_key(asked: Asked[S], command: RetireKey) -> Events:
    key = asked.state.keys.get(command.key)
    if key is None:
        raise UnknownKey(f"no node has signed with key {command.key} here")
    if key.is_retired:
        raise UnknownKey(f"key {command.key} was retired by entry {key.until}")
    return (KeyRetired(key=command.key),)


def certify_key(asked: Asked[S], command: CertifyKey) -> Events:
    known = asked.state.keys.get(command.key)
    if known is not None and (known.is_retired or known.public != command.public):
        raise UnknownKey(f"key {command.key} is retired here, or another one's")
    admitted_again = KeyAdmitted(
        key=command.key,
        public=command.public,
        root=command.root,
        certificate=command.certificate,
    )
    return (admitted_again,)


# The next state


def period_sealed(state: S, event: PeriodSealed) -> S:
    check(event.period == state.periods + 1, "a period was sealed out of turn")
    sealed = replaced(state, periods=event.period)
    good = {number: until for number, until in state.redeemed.items() if until > state.at}
    # now and not at each redemption: nothing is looked through while people play
    return sealed if len(good) == len(state.redeemed) else replaced(sealed, redeemed=Map(good))


def clock_stepped(state: S, event: ClockStepped) -> S:  # noqa: ARG001
    return state


def key_admitted(state: S, event: KeyAdmitted) -> S:
    return replaced(state, keys=admitted(state.keys, event, state.seq + 1))


def key_retired(state: S, event: KeyRetired) -> S:
    return replaced(state, keys=retired(state.keys, event, state.seq + 1))


def epoch_begun(state: S, event: EpochBegun) -> S:
    """Vouchers of earlier epochs wait to be confirmed."""
    check(event.epoch > state.epoch, f"epoch {event.epoch} was begun before")
    check(event.proposed_by != event.approved_by, "one person began an epoch")
    trusted = msgspec.structs.replace(state.trusted, since=event.epoch)
    return replaced(state, epoch=event.epoch, trusted=trusted)


def entries_set_aside(state: S, event: EntriesSetAside) -> S:
    check(event.proposed_by != event.approved_by, "one person set entries aside")
    check(event.first == state.seq + 1 <= event.last, "what was set aside did not come next")
    return state


def vouchers_confirmed(state: S, event: VouchersConfirmed) -> S:
    check(event.proposed_by != event.approved_by, "one person confirmed the vouchers")
    doubted = {*state.trusted.doubted, *event.doubted}
    return replaced(state, trusted=TrustedVouchers(0, tuple(sorted(doubted))))
