"""The way in for commands: tables, the house and administration; the cash of staff is given its
drawer on the way. Wagers come from terminals' messages, and are answered to the terminal.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.commands import Cash, Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.refusals import BetsAreClosed, Unknown
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service import tickets
from puntobanco_floor.service.administration import Administration
from puntobanco_floor.service.cage_windows import NO_DRAWER, Drawer, Windows
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.pit.watch import Watch
from puntobanco_floor.service.refusals import CardNeeded, NoOpenShift
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import Terminal
from puntobanco_floor.store.batch import Answer, Reply, Request, again
from puntobanco_floor.store.errors import BadDatabase, InDoubt
from puntobanco_floor.store.reader import reading
from puntobanco_floor.store.store import Store

_log = logging.getLogger("puntobanco.floor")

READ_PAUSES_S = (0.1, 0.4)
"""Seconds between attempts of a read whose connection breaks."""

_NOT_RECORDED = Words(
    "This was not recorded. Ask for it again if it is still wanted.",
    "此項未有記錄。如仍需要，請重新提出。",
)
_DATED = (h.AddStaff, h.ChangeStaff, h.Agree, h.AddTerminal, h.ChangeTerminal)
"""Commands with a code, and until when it is good."""


def derived_id(id_: str, kind: type[Command]) -> str:
    """Return the id of a further command that the same request gives."""
    return f"{id_}:{kind.name()}"


@dataclass(frozen=True)
class Commands:
    """Each command's id is its idempotency key: one effect, and always the same answer."""

    store: Store
    follower: Follower
    cage: Windows
    ring: KeyRing
    passwords: Passwords
    database: str
    now_ms: NowMs

    async def ask(self, table: str, id_: str, command: Command) -> Answer:
        self.follower.stream(table)  # refuses a table that is not there
        return await self._ask(table, command, id_)

    async def ask_house(self, command: Command, id_: str = "") -> Answer:
        return await self._ask(FLOOR, command, id_)

    async def _ask(self, stream: str, command: Command, id_: str = "") -> Answer:
        request = Request(stream=stream, id=id_ or secrets.token_hex(8), command=command)
        return await self.store.asked(request)

    def administration(
        self, by: str, id_: str = "", first: type[Command] = Command
    ) -> Administration:
        """Administer as `by`; with `id_` all ids derive from it, except `first`, which has it."""
        ask = partial(self._ask_as, id_, first) if id_ else self._ask
        new_code = partial(tickets.code_for, self.ring, by, id_) if id_ else tickets.new_code
        passwords, now_ms = self.passwords, self.now_ms
        return Administration(ask, self.ring, passwords, by=by, now_ms=now_ms, new_code=new_code)

    async def _ask_as(
        self, id_: str, first: type[Command], stream: str, command: Command
    ) -> Answer:
        if not isinstance(command, first):
            id_ = derived_id(id_, type(command))
        if isinstance(command, _DATED):  # asked again it names another time, and is the same
            before = await asyncio.to_thread(self._stored, stream, command.by, id_)
            if isinstance(before, Answer):
                return before
        return await self._ask(stream, command, id_)

    async def ask_staff(self, table: str, id_: str, command: Command) -> Answer:
        """Ask for the staff. Cash moves in an open shift only, and names its drawer."""
        if not isinstance(command, Cash):
            return await self.ask(table, id_, command)
        self.follower.stream(table)
        # First: asked again it is answered as it was, whatever has become of the shift or the
        # proposal since.
        request = Request(stream=table, id=id_, command=command)
        given = await self._given(request)
        if given is not None:
            return given
        drawer = await self._drawer(table, command)
        paid = msgspec.structs.replace(command, window=drawer.window, shift=drawer.shift)
        return await self.ask(table, id_, paid)

    async def _given(self, request: Request) -> Answer | None:
        """Look up an earlier answer; a connection that breaks in a read is tried again."""
        for pause_s in READ_PAUSES_S:
            try:
                return await asyncio.to_thread(self.given, request)
            except BadDatabase as error:
                _log.warning("read of an earlier answer failed: %s; retried", error)
                await asyncio.sleep(pause_s)
        return await asyncio.to_thread(self.given, request)

    def given(self, request: Request) -> Answer | None:
        """Return the answer that is stored for this request, if it was asked before."""
        with reading(self.database) as reader:
            before = reader.answer(request.stream, *request.key)
        if before is None:
            return None
        answer = again(request, before)
        if isinstance(answer, Refusal):
            raise answer
        return answer

    async def outcome(self, stream: str, by: str, id_: str) -> Answer:
        """Return a command's answer; raise `Unknown` or `InDoubt` if there is none to tell."""
        before = await asyncio.to_thread(self._stored, stream, by, id_)
        if before is None or stream in self.store.in_doubt:
            # a plain read proves nothing while a COMMIT may be under way
            await asyncio.to_thread(self.store.wait_for_commits, stream)
            before = await asyncio.to_thread(self._stored, stream, by, id_)
        if isinstance(before, Answer):
            return before
        if before is not None:
            raise before
        raise Unknown(_NOT_RECORDED)

    def _stored(self, stream: str, by: str, id_: str) -> Reply | None:
        with reading(self.database) as reader:
            found = reader.answer(stream, by, id_)
        return found[1] if found else None

    async def _drawer(self, table: str, command: Cash) -> Drawer:
        """Return the caller's drawer; if approved, the proposer's, or else the approver's."""
        house = self.follower.house
        if not isinstance(command, c.Approve):
            return await self.cage.drawer_of(command.by, house)
        # From the store: another node may have written the proposal a moment ago, and this one not
        # followed it yet.
        state = (await asyncio.to_thread(self.store.table, table)).state
        proposal = state.proposals.waiting.get(command.proposal)
        if proposal is None or proposal.about != "money":
            return NO_DRAWER
        is_adjustment = proposal.command["command"] == c.Adjust.name()
        if is_adjustment and proposal.command["session"] in state.sessions:
            return NO_DRAWER  # paid as credits
        for cashier in (proposal.by, command.by):
            with suppress(NoOpenShift):
                return await self.cage.drawer_of(cashier, house)
        raise NoOpenShift(
            f"the shift of {proposal.by}, who asked for it, is over: a cashier with an "
            "open shift approves and pays it"
        )


@dataclass(frozen=True)
class Wagers:
    """The hot path: the store calls back with the answer; no task, no future."""

    store: Store
    follower: Follower
    watch: Watch
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
            self.watch.was_late(terminal.table, rounds, terminal.session, self.now_ms())
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
        reason=reply.words,
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
