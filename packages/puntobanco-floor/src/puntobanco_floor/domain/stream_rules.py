"""What every stream has: commands, decisions and next states of node keys, periods and epochs.

A recovered database may be older than what patrons have seen, so two people begin a new epoch: no
card of a shoe in play is dealt again, two people pay credits from before, and a voucher from before
is good again once two people confirm it.
"""

from __future__ import annotations

from typing import Annotated, Protocol

from immutables import Map
from msgspec import Meta
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.domain.commands import ADMINISTRATORS, Command, CommandTraits, Id, Reason
from puntobanco_floor.domain.machine import Asked, Events, S, TrustedVouchers, check
from puntobanco_floor.domain.node_keys import admitted, retired
from puntobanco_floor.domain.refusals import NotNow, SecondPersonNeeded, UnknownKey

MAX_DOUBTED = 10_000
"""Vouchers that may be left out when the others are confirmed."""

Digits = Annotated[str, Meta(max_length=128, pattern="^[0-9a-f]*$")]


class RetireKey(Command):
    """Retire a node's key that was replaced, or that somebody may know. Another node writes it,
    since a key does not sign its own end.
    """

    traits = CommandTraits(title=Words("retire a node's key", "停用節點密鑰"), by=ADMINISTRATORS)

    key: Id


class CertifyKey(Command):
    """Certify a node's key again, in every stream, because the root key was replaced."""

    traits = CommandTraits(title=Words("certify a node's key anew", "重新認證節點密鑰"))

    key: Id
    public: Digits
    root: Id
    certificate: Digits


# Commands of a recovery: two people give them at the command line, and no role over the network


class BeginEpoch(Command):
    """By two people, in every stream, after a recovery."""

    traits = CommandTraits(
        title=Words("begin an epoch after a recovery", "復原後開始新紀元"), cards=True
    )

    second: Id
    epoch: Annotated[int, Meta(ge=2)]
    reason: Reason
    lost_leaves: Annotated[int, Meta(ge=0)] = 0


class SetEntriesAside(Command):
    """The stream goes on from where a node last signed. `epoch`: a new one, where nodes had signed
    some of what is set aside; else 0.
    """

    traits = CommandTraits(
        title=Words("set entries aside that fail", "擱置未能核實的記錄"), cards=True
    )

    second: Id
    reason: Reason
    last: Annotated[int, Meta(ge=1)]  # of them; the first is the next entry
    digest: Annotated[str, Meta(max_length=64)]
    epoch: Annotated[int, Meta(ge=0)] = 0


class ConfirmVouchers(Command):
    """The vouchers from before a recovery are good again, except these."""

    traits = CommandTraits(title=Words("confirm the open vouchers", "確認未兌換票券"))

    second: Id
    doubted: Annotated[tuple[Id, ...], Meta(max_length=MAX_DOUBTED)] = ()


class ByTwo(Protocol):
    """A command that names both people."""

    @property
    def by(self) -> str: ...
    @property
    def second(self) -> str: ...


# Deciding


def retire_key(asked: Asked[S], command: RetireKey) -> Events:
    key = asked.state.keys.get(command.key)
    if key is None:
        raise UnknownKey(f"no node has signed with key {command.key} here")
    if key.is_retired:
        raise UnknownKey(f"key {command.key} was retired by entry {key.until}")
    return (e.KeyRetired(key=command.key),)


def certify_key(asked: Asked[S], command: CertifyKey) -> Events:
    known = asked.state.keys.get(command.key)
    if known is not None and (known.is_retired or known.public != command.public):
        raise UnknownKey(f"key {command.key} is retired here, or another one's")
    admitted_again = e.KeyAdmitted(
        key=command.key,
        public=command.public,
        root=command.root,
        certificate=command.certificate,
    )
    return (admitted_again,)


def verify_two(command: ByTwo) -> None:
    if command.by == command.second:
        raise SecondPersonNeeded(f"{command.by} cannot be both people")


def begin_epoch(asked: Asked[S], command: BeginEpoch) -> Events:
    verify_two(command)
    epoch = asked.state.epoch
    if command.epoch <= epoch:
        raise NotNow(f"{asked.state.stream} is in epoch {epoch} already")
    return (_begin(command, command.epoch),)


def set_aside(asked: Asked[S], command: SetEntriesAside) -> Events:
    verify_two(command)
    first = asked.state.seq + 1
    if command.last < first:
        raise NotNow(f"{asked.state.stream} has no entry {first} that could be set aside")
    aside = e.EntriesSetAside(
        first=first,
        last=command.last,
        digest=command.digest,
        reason=command.reason,
        proposed_by=command.by,
        approved_by=command.second,
    )
    if command.epoch <= asked.state.epoch:
        return (aside,)
    return (aside, _begin(command, command.epoch))


def _begin(command: BeginEpoch | SetEntriesAside, epoch: int) -> e.EpochBegun:
    return e.EpochBegun(
        epoch=epoch,
        reason=command.reason,
        proposed_by=command.by,
        approved_by=command.second,
        lost_leaves=command.lost_leaves if isinstance(command, BeginEpoch) else 0,
    )


def confirm_vouchers(asked: Asked[S], command: ConfirmVouchers) -> Events:
    verify_two(command)
    before = asked.state.trusted
    if not before.since and {*command.doubted} <= {*before.doubted}:
        raise NotNow("no voucher waits to be confirmed here")
    confirmed = e.VouchersConfirmed(
        doubted=tuple(sorted(set(command.doubted))),
        proposed_by=command.by,
        approved_by=command.second,
    )
    return (confirmed,)


# The next state


def period_sealed(state: S, event: e.PeriodSealed) -> S:
    check(event.period == state.periods + 1, "a period was sealed out of turn")
    sealed = replace(state, periods=event.period)
    good = {number: until for number, until in state.redeemed.items() if until > state.at}
    # now and not at each redemption: nothing is looked through while people play
    return sealed if len(good) == len(state.redeemed) else replace(sealed, redeemed=Map(good))


def clock_stepped(state: S, _: e.ClockStepped) -> S:
    return state


def key_admitted(state: S, event: e.KeyAdmitted) -> S:
    return replace(state, keys=admitted(state.keys, event, state.seq + 1))


def key_retired(state: S, event: e.KeyRetired) -> S:
    return replace(state, keys=retired(state.keys, event, state.seq + 1))


def epoch_begun(state: S, event: e.EpochBegun) -> S:
    """Vouchers of earlier epochs wait to be confirmed."""
    check(event.epoch > state.epoch, f"epoch {event.epoch} was begun before")
    check(event.proposed_by != event.approved_by, "one person began an epoch")
    trusted = replace(state.trusted, since=event.epoch)
    return replace(state, epoch=event.epoch, trusted=trusted)


def entries_set_aside(state: S, event: e.EntriesSetAside) -> S:
    check(event.proposed_by != event.approved_by, "one person set entries aside")
    check(event.first == state.seq + 1 <= event.last, "what was set aside did not come next")
    return state


def vouchers_confirmed(state: S, event: e.VouchersConfirmed) -> S:
    check(event.proposed_by != event.approved_by, "one person confirmed the vouchers")
    doubted = {*state.trusted.doubted, *event.doubted}
    return replace(state, trusted=TrustedVouchers(0, tuple(sorted(doubted))))
