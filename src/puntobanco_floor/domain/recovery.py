"""Recovery: what two people say to every stream after a copy of the database was brought back, or
entries had to be set aside.

A recovered database may be older than what patrons have seen, so a new epoch begins: no card of a
shoe in play is dealt again, credits from before are paid by two people, and a voucher from before
is good again once it is confirmed.
"""

from __future__ import annotations

from typing import Annotated, Protocol

from msgspec import Meta

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.domain.commands import Command, CommandTraits, Id, Reason
from puntobanco_floor.domain.machine import Asked, Events, S
from puntobanco_floor.domain.refusals import NotNow, SecondPersonNeeded

MAX_DOUBTED = 10_000
"""Vouchers that may be left out when the others are confirmed."""


# Commands, which no role gives over the network: two people log in at the command line


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
    """By two people: the stream goes on from where a node last signed. `epoch` where nodes had
    signed some of what is set aside, which is a recovery then; else 0.
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
    """By two people who have looked at the list: those from before a recovery are good again, but
    for these.
    """

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


def verify_two(command: ByTwo) -> None:
    if command.by == command.second:
        raise SecondPersonNeeded(f"{command.by} cannot be both people")


def begin_epoch(asked: Asked[S], command: BeginEpoch) -> Events:
    verify_two(command)
    epoch = asked.state.epoch
    if command.epoch <= epoch:
        raise NotNow(f"{asked.state.stream} is in epoch {epoch} already")
    return (begun(command, command.epoch),)


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
    return (aside, begun(command, command.epoch))


def begun(command: BeginEpoch | SetEntriesAside, epoch: int) -> e.EpochBegun:
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
