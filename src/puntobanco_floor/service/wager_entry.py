"""Wagers: from a terminal's message to a command, and the answer back to that terminal.

The hot path: the store calls a function with the answer, so that a wager costs no task and no
future.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.refusals import BetsAreClosed
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.pit.watch import Pit
from puntobanco_floor.service.refusals import CardNeeded
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import Terminal
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import InDoubt
from puntobanco_floor.store.store import Store


@dataclass(frozen=True)
class Wagers:
    store: Store
    follower: Follower
    pit: Pit
    work: FloorWork
    now_ms: NowMs
    cards_only: bool = False  # nobody plays without a member's card

    def ask(self, terminal: Terminal, message: wire.Wager) -> None:
        """One answer comes among the terminal's messages, whatever happens."""
        terminal.in_flight += 1
        then = partial(self._answered, terminal, message.id, time.perf_counter())
        command = _command(terminal.session, message)
        request = Request(stream=terminal.table, id=message.id, command=command)
        try:
            state = self.follower.stream(terminal.table).state
            if self.cards_only and not isinstance(message, wire.Withdraw):
                _verify_card(state, terminal.session)
            self.store.ask_then(request, then)
        except Refusal as refusal:
            then(refusal)

    def _answered(
        self, terminal: Terminal, id_: str, began: float, reply: Answer | Refusal
    ) -> None:
        terminal.in_flight -= 1
        if reply.code == BetsAreClosed.code:
            rounds = self.follower.stream(terminal.table).state.rounds
            self.pit.watch.was_late(terminal.table, rounds, terminal.session, self.now_ms())
        self.work.answer_s.observe(time.perf_counter() - began)
        self.work.wagers[_outcome(reply)] += 1
        terminal.put(wire.write(_said(id_, reply)))


def _verify_card(state: TableState, session: str) -> None:
    """Who sat before the floor wanted cards cashes out, and comes back with one."""
    seat = state.sessions.get(session)
    if seat is not None and seat.patron == session:
        raise CardNeeded(say.CARD_NEEDED)


def _said(id_: str, reply: Answer | Refusal) -> wire.Answered:
    if isinstance(reply, Answer) and reply.ok:
        return wire.Answered(id=id_, ok=True, head=reply.head)
    return wire.Answered(
        id=id_,
        ok=False,
        code=reply.code,
        reason=reply.reason,
        reason_zh=reply.reason_zh,
        clause=reply.clause or "",
    )


def _outcome(reply: Answer | Refusal) -> str:
    if isinstance(reply, CardNeeded):
        return "refused"
    if isinstance(reply, InDoubt):
        return "in-doubt"
    if not isinstance(reply, Answer):
        return "not-stored"
    return "accepted" if reply.ok else "refused"


def _command(by: str, message: wire.Wager) -> Command:
    round_ = message.round
    bet = message.bet
    match message:
        case wire.Place(stake_cents=cents):
            return c.PlaceWager(by=by, round=round_, session=by, bet=bet, stake_cents=cents)
        case wire.Raise(by_cents=cents):
            return c.RaiseWager(by=by, round=round_, session=by, bet=bet, by_cents=cents)
        case wire.Withdraw(by_cents=some):
            return c.WithdrawWager(by=by, round=round_, session=by, bet=bet, by_cents=some)
