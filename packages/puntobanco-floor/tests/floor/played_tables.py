"""Random tables and what a terminal there is sent: random commands to the table's machine, its entries told as the floor tells them.

Messages carry one commit or several, come twice, or are lost; whoever sees the gap asks, and is sent the whole view, now or later.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from itertools import repeat
from typing import Any

import msgspec
import pytest
from msgspec.structs import fields, replace

import puntobanco_floor.domain.events as e
from puntobanco.rules.causes import Cause
from puntobanco.rules.irregularities import GROUNDS
from puntobanco_floor.client import Seen
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.machine import NO_MIXERS, Voucher
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import due
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.domain.table.stops import MALFUNCTION, MISREAD_CARD
from puntobanco_floor.journal.refusals import VaultFault
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import happened, public_events, sessions_touched
from puntobanco_floor.store import batch
from puntobanco_floor.store.batch import Batch, Request, Stream
from puntobanco_floor.views.table_view import (
    SessionView,
    TableView,
    changes,
    lines_by_session,
    session_view,
    table_view,
)
from puntobanco_proof.entry.format import SALT_BYTES, canonical
from puntobanco_proof.entry.record import Record
from tests.storage.test_machine import (
    CLOCKS,
    PATRONS,
    PLAY,
    START_MS,
    TABLES,
    TICK_MS,
    LiveTables,
    Shuffles,
    some_limits,
    some_values,
)
from tests.support.mixers import answers, mixers
from tests.support.node_key import NODE

SESSION = "s1"
"""Who follows the table."""

STEPS = 24
AT_A_TABLE = 10
RARE = (
    "wrong-card-count",
    "wrong-card-count",
    *(ground.id for ground in GROUNDS),
    MALFUNCTION,
    MISREAD_CARD,
)


class Told(Record):
    """A message as the terminal got it, and whether it has to ask for the whole view."""

    message: wire.ToTerminal
    sync: bool


class Story(Record):
    """Everything that one terminal was sent, and what the floor would show it in the end."""

    seed: int
    told: list[Told]
    table: TableView
    mine: SessionView


class Crew(LiveTables):
    """The crew of the random machine, at a table in memory."""

    def __init__(self, play: Play) -> None:
        self.play = play

    def state(self, table: str) -> TableState:
        assert table == self.play.stream.name
        return self.play.stream.state


class Play:
    """A table in memory; every run returns the entries that it wrote."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.stream = Stream.empty(rng.choice(list(TABLES)), OURS.table)
        self.vouchers = dict[str, Voucher]()
        self.orders = dict[str, Order]()
        self.now = START_MS
        self.sent = 0
        self.mixers = rng.choice((NO_MIXERS, *[mixers("wit1")] * 4))
        self.crew = Crew(self)

    @property
    def state(self) -> TableState:
        return self.stream.state

    def run(self, *commands: Command) -> list[Entry]:
        decided = Batch(
            self.stream,
            self.now,
            node=NODE,
            load=self._sealed,
            vouchers=self.vouchers,
            mixers=self.mixers,
        )
        requests = list[Request]()
        for command in commands:
            self.sent += 1
            requests.append(Request(self.stream.name, str(self.sent), command))
        out = decided.run(requests, {})
        self.orders |= dict(out.sealed)
        decided.settle_in()
        self.vouchers |= decided.vouchers
        return list(out.read)

    def _sealed(self, place: str) -> Order:
        if place not in self.orders:
            raise VaultFault(Cause("sealed-cards-missing", (place,)))
        return self.orders[place]

    def step(self) -> list[Entry]:
        """Something that may happen next; often it is refused, and nothing does."""
        rng, state = self.rng, self.state
        chance = rng.random()
        if state.phase == "down" or chance < 0.5:
            return self.run(self._next())
        if chance < 0.75:
            return self.run(*self._patron())
        if chance < 0.85:
            self.now += rng.choice((1, 2, 4, 8)) * TICK_MS
            entries = self.run()
            while (waits := due(self.state)) and waits.at <= self.now:
                entries += self.run()
            return entries
        if chance < 0.95:
            return self.run(self._rare())
        return self.run(*self._anything())

    def _next(self) -> Command:
        shoe = self.state.shoe
        if shoe is not None and shoe.waits_for_mix:
            return c.MixShoe(by="mixer", shoe=shoe.number, signatures=answers(self.state))
        command = self.crew.next_command(self.stream.name, self.rng)
        if isinstance(command, c.EnterCard):
            return replace(command, by_hand=self.rng.random() < 0.2)
        return command

    def _patron(self) -> Iterator[Command]:
        rng, state = self.rng, self.state
        session = rng.choice((SESSION, SESSION, "s2", "s4"))
        if session not in state.sessions:
            yield c.SeatSession(by="amy", session=session, patron=PATRONS[session])
            yield c.BuyIn(by="amy", session=session, cents=100_000)
            return
        bet = rng.choice(state.playing.bets).id
        stake = 1_000 * rng.randint(1, 4)
        yield c.PlaceWager(
            by=session, round=state.rounds, session=session, bet=bet, stake_cents=stake
        )

    def _rare(self) -> Command:
        rng, state = self.rng, self.state
        return rng.choice(
            (
                c.DeclareIrregularity(by="ben", ground=rng.choice(RARE)),
                c.Reopen(by="ben", ground=MISREAD_CARD, detail="x"),
                c.Reopen(by="cat", ground=MISREAD_CARD),
                c.HaltTable(by="ben", reason="a pause", closes=rng.random() < 0.3),
                c.RestartTable(by="ben"),
                c.ChangeLimits(by="ben", limits=rng.choice(some_limits(state))),
                c.ChangeClock(by="ben", clock=rng.choice(CLOCKS)),
                c.EndShoe(by="ben"),
                c.CloseTable(by="ben", reason="night"),
                c.CashOut(by="ben", session=SESSION),
            )
        )

    def _anything(self) -> Iterator[Command]:
        kind = self.rng.choice(PLAY)
        values: dict[str, Any] = {
            field.name: self.rng.choice(some_values(field, self.state, self.now))
            for field in fields(kind)
        }
        with suppress(msgspec.ValidationError):  # nothing that cannot be read gets so far
            yield msgspec.json.decode(canonical(kind(**values)), type=OURS.table.any_command)

    # As the floor shows it

    def view(self) -> TableView:
        view = table_view(self.state, demo=True, asks=True)
        assert view is not None
        return view

    def mine(self) -> SessionView:
        state = self.state
        lines: tuple[e.Line, ...] = ()
        if state.round is not None and state.phase in ("settled", "void"):
            lines = state.round.lines
        return session_view(self.stream, SESSION, lines_by_session(lines).get(SESSION, ()))

    def welcome(self) -> wire.Welcome:
        return wire.Welcome(
            protocol=wire.PROTOCOL, now=self.now, table=self.view(), session=self.mine()
        )


def stories(seed: int) -> Iterator[Story]:
    """One table, and terminals that come to it one after another; the same again for the same seed."""
    rng = random.Random(seed)
    play = Play(rng)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(batch, "new_order", Shuffles(seed).new_order)
        patch.setattr(batch, "generate_salts", lambda: repeat("00" * SALT_BYTES))
        while table_view(play.state) is None:
            play.step()
        for _ in range(AT_A_TABLE):
            yield _story(play, seed)


def _story(play: Play, seed: int) -> Story:
    """What one terminal is sent; the Python client follows it on the way."""
    rng = play.rng
    seen = Seen()
    told = list[Told]()

    def send(message: wire.ToTerminal) -> None:
        heard = wire.read_to_terminal(wire.write(message))
        told.append(Told(message=heard, sync=seen.follow(heard)))

    send(play.welcome())
    before, new = play.view(), list[Entry]()
    for step in range(STEPS):
        new += play.step()
        if rng.random() < 0.3 and step + 1 < STEPS:
            continue  # the next commit is told with this one
        for message in _messages(play, before, new):
            if rng.random() > 0.03 or isinstance(message, wire.Mine):
                send(message)
            if rng.random() < 0.03:
                send(message)  # once more
        before, new = play.view(), []
        if seen.is_behind and rng.random() < 0.5:
            send(play.welcome())
    if seen.is_behind or seen.table is None or seen.table.v != play.state.version:
        send(play.welcome())  # the last message was lost: a terminal hears of it with the next
    assert seen.table is not None
    assert seen.mine is not None
    of_the_journal = {"seq": play.state.seq, "at": play.state.at}
    assert replace(seen.table, **of_the_journal) == play.view(), seed
    assert replace(seen.mine, seq=play.state.seq) == play.mine(), seed
    return Story(seed=seed, told=told, table=play.view(), mine=play.mine())


def _messages(play: Play, before: TableView, new: list[Entry]) -> Iterator[wire.ToTerminal]:
    """As `Broadcast.tell` has it."""
    events = list(public_events(new))
    after = play.view()
    if events:
        yield happened(before, after, events)
    else:
        assert changes(before, after) == ({}, None), "nobody would be told"
    if SESSION in sessions_touched(new):
        yield wire.Mine(session=play.mine())
