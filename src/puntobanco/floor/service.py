"""The floor as a service: the tables as they stand, those who watch them, and the way in for
commands.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from itertools import chain

import msgspec

from puntobanco.commands import Cash
from puntobanco.events import Line, Role, TerminalChanged
from puntobanco.floor import propagate, tickets
from puntobanco.floor.admin import Administration
from puntobanco.floor.cage import NO_DRAWER, Drawer, NoOpenShift, Windows, WindowView, session_rows
from puntobanco.floor.live_views import Views
from puntobanco.floor.logins import Logins
from puntobanco.floor.passwords import Passwords
from puntobanco.floor.pit.board import Board
from puntobanco.floor.pit.service import Pit
from puntobanco.floor.refusals import NoSuchTable, WrongFloor
from puntobanco.floor.roles import may_see
from puntobanco.floor.seats import Seats
from puntobanco.floor.terminals import wire
from puntobanco.floor.terminals.connections import Room, Watching
from puntobanco.floor.terminals.heartbeat import Beat
from puntobanco.floor.terminals.public_events import public_events, sessions_touched
from puntobanco.floor.tickets import Ticket, Tickets
from puntobanco.floor.views.dealer import DealerView, dealer_view
from puntobanco.floor.views.table import (
    SessionView,
    TableView,
    lines_by_session,
    session_view,
    table_view,
)
from puntobanco.house import commands as h
from puntobanco.house.state import DAY_MS, HouseState
from puntobanco.journal import Entry, Fault, read_entry
from puntobanco.keys import KeyRing
from puntobanco.machine import S, State
from puntobanco.metrics import FloorWork
from puntobanco.names import CAGE, FLOOR, is_table, terminal_of
from puntobanco.rules.refusals import Refusal
from puntobanco.settings import DEFAULTS, Settings
from puntobanco.storage.batch import Answer, Request, Stream, again
from puntobanco.storage.errors import NotStored
from puntobanco.storage.logins import login_rows
from puntobanco.storage.reader import reading
from puntobanco.storage.store import Store
from puntobanco.table import commands as c
from puntobanco.table.refusals import BetsAreClosed
from puntobanco.table.state import TableState

LOOKED_BACK = 5_000
"""Entries of each table in which a floor that starts looks for cash and visits that were not told
elsewhere.
"""

TRIES, RETRY_S = 10, 1.0
"""What follows elsewhere is asked again while the store cannot take it."""

_log = logging.getLogger("puntobanco.floor")


def is_followed(stream: str) -> bool:
    """Whether a node keeps a copy: of tables and the house. A cage window is read where it is asked
    for.
    """
    return stream == FLOOR or is_table(stream)


class Floor:
    """Tables by name; a copy of each stream follows the journal, and what terminals see is made
    from it.
    """

    def __init__(
        self,
        store: Store,
        ring: KeyRing,
        *,
        database: str = "",
        demo: bool = False,
        settings: Settings = DEFAULTS,
    ) -> None:
        """`database` is where the store is, for what is read apart from it: past rounds and
        reports.
        """
        self.store, self.database, self.demo, self.settings = store, database, demo, settings
        self.work = FloorWork()
        # no balancer should choose it; no terminal is heard any more
        self.is_draining = self.is_stopping = False
        self.streams = dict[str, Stream[TableState]]()
        self.blocked = set[str]()  # tables whose journal cannot be followed here
        self.watching: defaultdict[str, Room] = defaultdict(Room)
        self._lines = dict[str, tuple[tuple[Line, ...], Mapping[str, tuple[Line, ...]]]]()
        self.ring, self.passwords, self.tickets = ring, Passwords(ring), Tickets(ring)
        self.logins = Logins(
            lambda: self.house,
            self.passwords,
            self._note_login,
            rows=login_rows(database),
            settings=settings,
            work=self.work,
        )
        voucher_key = ring.derived("voucher numbers")
        self.cage = Windows(store, voucher_key, database, valid_ms=settings.voucher_days * DAY_MS)
        self.seats = Seats(self, voucher_key)
        self._house = Stream.empty(FLOOR, store.definitions.house)
        self._doing = set[asyncio.Task[None]]()
        self.pit = Pit(database)
        self.views = Views(self)
        self.beat = Beat(lambda: (*chain.from_iterable(self.watching.values()), *self.views))

    async def start(self) -> None:
        """Follow the journal from now on."""
        self._loop = asyncio.get_running_loop()
        self.store.watchers.append(self._committed)
        for name in await asyncio.to_thread(self.store.names):
            await self.read(name)
        self.verify_set_up()
        await self._tell_again()
        self._do(propagate.owed(self.house, self._tables(), int(time.time() * 1000)))
        self.pit.begin(self._tables())

    async def _tell_again(self) -> None:
        """The last cash to its drawer and the last visits to the house, before anybody takes a seat
        or counts.
        """
        for name, stream in (
            list(self.streams.items()) if self.house.patrons or self.house.windows else ()
        ):
            after = max(0, stream.state.seq - LOOKED_BACK)
            rows = await asyncio.to_thread(list, self.store.entries(name, after=after))
            for seq, data in rows:
                entry = read_entry(data, stream=name, seq=seq)
                if propagate.is_told_again(entry, self.house):
                    for request in propagate.carried(entry, self.house, self._tables()):
                        await self._asked(request)
        now = int(time.time() * 1000)
        for window, holder in list(
            self.house.windows.items()
        ):  # a shift may have been closed as a server stopped
            await self.cage.let_go(window, holder, now)

    def verify_set_up(self) -> None:
        if not self.house.is_open:
            raise WrongFloor(
                "this floor is not set up; `puntobanco init` does it, or serve --demo for "
                "a demonstration"
            )
        if self.house.demo != self.demo:
            raise WrongFloor(
                "this floor is a demonstration: serve it with --demo, or set up another "
                "with `puntobanco init`"
                if self.house.demo
                else "this floor is for real money: serve it without --demo"
            )

    @property
    def house(self) -> HouseState:
        return self._house.state

    def _tables(self) -> dict[str, TableState]:
        return {name: stream.state for name, stream in self.streams.items()}

    async def read(self, name: str) -> None:
        if is_table(name):
            try:
                self.streams[name] = await asyncio.to_thread(self.store.table, name)
            except Fault as fault:
                self._block(name, fault)
        elif name == FLOOR:
            self._house = await asyncio.to_thread(self.store.house)
        elif name.startswith(CAGE):
            self.cage.saw(name)

    def _block(self, name: str, fault: Fault) -> None:
        """A table whose journal cannot be followed is not shown and takes nothing; the others go
        on.
        """
        self.streams.pop(name, None)
        self.blocked.add(name)
        _log.error("stream %s blocked: %s; run puntobanco audit --table %s", name, fault, name)

    def _committed(self, name: str, entries: Sequence[Entry]) -> None:
        """From the store's thread, after a commit. A state never changes: the store's own is taken,
        not made again.
        """
        with suppress(RuntimeError):  # the loop is closed: the server stops
            if is_followed(name):
                self._loop.call_soon_threadsafe(
                    self._follow, name, entries, self.store.held_state(name)
                )
            else:
                self._loop.call_soon_threadsafe(self._at_a_window, name, entries)

    def _at_a_window(self, name: str, entries: Sequence[Entry]) -> None:
        self.cage.saw(name)
        self.views.changed(name)
        for entry in entries:
            if propagate.is_carried(entry):
                self._do(propagate.carried(entry, self.house, self._tables()))

    def _follow(self, name: str, entries: Sequence[Entry], state: State | None) -> None:
        if name == FLOOR:
            held = state if isinstance(state, HouseState) else None
            new = self._taken_in(self._house, entries, held)
            if any(isinstance(event, TerminalChanged) for entry in new for event in entry.events):
                self._cut_revoked()
        else:
            empty = Stream.empty(name, self.store.definitions.table)
            stream = self.streams.setdefault(name, empty)
            new = self._taken_in(stream, entries, state if isinstance(state, TableState) else None)
            if new:
                self._tell(stream, new)
                self.pit.show(stream.state, new)
        if new:
            self.views.changed(name)
        for entry in new:
            if propagate.is_carried(entry):
                self._do(propagate.carried(entry, self.house, self._tables()))

    def _taken_in(
        self, stream: Stream[S], entries: Sequence[Entry], state: S | None
    ) -> Sequence[Entry]:
        """The entries that are new here; none where the journal does not hold."""
        name, since = stream.name, stream.state.seq
        new = [entry for entry in entries if entry.seq > since]
        if new and new[0].seq != since + 1:  # something was missed: read it from the journal
            behind = self.store.entries(name, after=since)
            decode = self.store.definitions.decode
            new = [read_entry(data, stream=name, seq=seq, decode=decode) for seq, data in behind]
        if new and state is not None and state.seq == new[-1].seq:
            for entry in new:
                stream.post(entry)
            stream.state = state
            return new
        try:
            for entry in new:
                stream.follow(entry, "")
        except Fault as fault:
            self._block(name, fault)
            return ()
        return new

    async def board(self, role: Role) -> Board:
        """With the payments that wait at the cage, for roles that see it."""
        payments = await self.cage.waiting(int(time.time() * 1000)) if may_see(role, "cage") else []
        connected = {name: len(room) for name, room in self.watching.items()}
        return self.pit.board(self.house, list(self.streams.values()), connected, payments)

    def dealer(self, table: str) -> DealerView:
        view = dealer_view(self.stream(table).state, int(time.time() * 1000), demo=self.demo)
        if view is None:
            raise NoSuchTable(f"there is no table {table:.40}")
        return view

    async def cage_window(self, window: int) -> WindowView:
        rows = session_rows(
            self.streams, lambda table, session: bool(self.watching[table].of(session))
        )
        return await self.cage.view(window, rows, self.streams, int(time.time() * 1000))

    def _do(self, requests: Iterable[Request]) -> None:
        """Carry out what follows elsewhere; a refusal means that it is so already."""
        for request in requests:
            task = asyncio.ensure_future(self._asked(request))
            self._doing.add(task)
            task.add_done_callback(self._doing.discard)

    async def _asked(self, request: Request) -> None:
        what = request.stream, request.command.name()
        for left in reversed(range(TRIES)):
            try:
                answer = await self.store.asked(request)
            except NotStored as refusal:
                _log.error("%s: %s was not done: %s", *what, refusal)
                await asyncio.sleep(RETRY_S if left else 0)
            except Refusal as refusal:
                _log.error("%s: %s was not done: %s", *what, refusal)
                return
            else:
                if not answer.ok:
                    _log.warning("%s: %s was refused: %s", *what, answer.reason)
                return

    async def carried(self) -> None:
        """Until what follows elsewhere from what this node has written is done, or cannot be for
        now.
        """
        if self._doing:
            await asyncio.wait(self._doing, timeout=RETRY_S)

    def _cut_revoked(self) -> None:
        """Terminals that are no longer enrolled, or were enrolled anew with another key, lose their
        connection.
        """
        for terminals in self.watching.values():
            for terminal in terminals:
                if terminal.key != self._key_of(terminal.session):
                    terminal.end(wire.write(wire.Bye(reason="this terminal is no longer enrolled")))

    def _key_of(self, session: str) -> str | None:
        """Of the terminal where the session is; empty for a guest, none where it is not
        enrolled.
        """
        name = terminal_of(session)
        if not name:
            return ""
        return self.house.terminals[name].key if tickets.is_enrolled(self.house, name) else None

    def _tell(self, stream: Stream[TableState], entries: Sequence[Entry]) -> None:
        room = self.watching.get(stream.name)
        if not room:
            return
        shown = list(public_events(entries, stream.state))
        if shown:
            message = wire.write(wire.Events(seq=entries[-1].seq, at=entries[-1].at, events=shown))
            for terminal in room:
                terminal.put(message)
        for session in sessions_touched(entries):
            if watching := room.of(session):
                message = wire.write(wire.Mine(session=self.session(stream.name, session)))
                for terminal in watching:
                    terminal.put(message)

    # What terminals ask for

    def stream(self, table: str) -> Stream[TableState]:
        try:
            return self.streams[table]
        except KeyError:
            raise NoSuchTable(f"there is no table {table:.40}") from None

    def tables(self) -> list[TableView]:
        views = (self._view(stream) for _, stream in sorted(self.streams.items()))
        return [view for view in views if view is not None]

    def _view(self, stream: Stream[TableState]) -> TableView | None:
        return table_view(stream.state, demo=self.demo)

    def table(self, table: str) -> TableView:
        view = self._view(self.stream(table))
        if view is None:
            raise NoSuchTable(f"there is no table {table:.40}")
        return view

    def session(self, table: str, session: str) -> SessionView:
        stream = self.stream(table)
        return session_view(stream, session, self._lines_of(stream).get(session, ()))

    def _lines_of(self, stream: Stream[TableState]) -> Mapping[str, tuple[Line, ...]]:
        """The lines of the last settlement by session: sorted once, for ten thousand who ask."""
        state = stream.state
        lines = state.round.lines if state.round and state.phase in ("settled", "void") else ()
        known = self._lines.get(stream.name)
        if known is None or known[0] is not lines:
            known = self._lines[stream.name] = lines, lines_by_session(lines)
        return known[1]

    def welcome(self, table: str, session: str) -> bytes:
        now = int(time.time() * 1000)
        return wire.write(
            wire.Welcome(
                v=wire.VERSION,
                now=now,
                table=self.table(table),
                session=self.session(table, session),
            )
        )

    def watch(self, table: str, session: str) -> Watching:
        """A connection; its first message is the whole view."""
        terminal = Watching(
            table, session, self.settings.messages_waiting, key=self._key_of(session) or ""
        )
        self.work.connections += 1
        terminal.put(self.welcome(table, session))
        self.watching[table].add(terminal)
        self.beat.begin()
        return terminal

    def leave(self, terminal: Watching) -> None:
        self.work.cut_off["slow"] += terminal.is_cut
        self.watching[terminal.table].discard(terminal)

    async def ask(self, table: str, id_: str, command: c.AnyCommand) -> Answer:
        self.stream(table)
        return await self.store.asked(Request(stream=table, id=id_, command=command))

    async def ask_staff(self, table: str, id_: str, command: c.AnyCommand) -> Answer:
        """A command of the staff. Cash moves in an open shift only, and names its drawer, whatever
        the asker says.
        """
        if not isinstance(command, Cash):
            return await self.ask(table, id_, command)
        self.stream(table)
        # First: asked again it is answered as it was, whatever has become of the shift or the
        # proposal since.
        given = await asyncio.to_thread(self._given, Request(stream=table, id=id_, command=command))
        if given is not None:
            return given
        drawer = await self._drawer(table, command)
        return await self.ask(
            table, id_, msgspec.structs.replace(command, window=drawer.window, shift=drawer.shift)
        )

    def _given(self, request: Request) -> Answer | None:
        """The answer that is stored for a request that was asked before."""
        with reading(self.database) as reader:
            before = reader.answer(request.stream, *request.key)
        if before is None:
            return None
        answer = again(request, before)
        if isinstance(answer, Refusal):
            raise answer
        return answer

    async def _drawer(self, table: str, command: Cash) -> Drawer:
        """Of who asks. What is approved is paid or taken by who asked for it, or else by who
        approves.
        """
        if not isinstance(command, c.Approve):
            return await self.cage.drawer_of(command.by, self.house)
        # From the store: another node may have written the proposal a moment ago, and this one not
        # followed it yet.
        state = (await asyncio.to_thread(self.store.stream, table)).state
        proposal = state.proposals.waiting.get(command.proposal)
        if proposal is None or proposal.about != "money":
            return NO_DRAWER
        with suppress(NoOpenShift):
            return await self.cage.drawer_of(proposal.by, self.house)
        with suppress(NoOpenShift):
            return await self.cage.drawer_of(command.by, self.house)
        raise NoOpenShift(
            f"the shift of {proposal.by}, who asked for it, is over: a cashier with an "
            "open shift approves and pays it"
        )

    def wager(self, terminal: Watching, message: wire.Place | wire.Raise | wire.Withdraw) -> None:
        """Ask for it. One answer comes among the terminal's messages, whatever happens."""
        by, round_, bet = terminal.session, message.round, message.bet
        command: c.AnyCommand
        match message:
            case wire.Place():
                command = c.PlaceWager(
                    by=by, round=round_, session=by, bet=bet, stake_cents=message.stake_cents
                )
            case wire.Raise():
                command = c.RaiseWager(
                    by=by, round=round_, session=by, bet=bet, by_cents=message.by_cents
                )
            case wire.Withdraw():
                command = c.WithdrawWager(
                    by=by, round=round_, session=by, bet=bet, by_cents=message.by_cents
                )
        terminal.flying += 1
        then = partial(self._answered, terminal, message.id, time.perf_counter())
        try:
            self.stream(terminal.table)
            self.store.ask_then(
                Request(stream=terminal.table, id=message.id, command=command), then
            )
        except Refusal as refusal:
            then(refusal)

    def _answered(
        self, terminal: Watching, id_: str, began: float, reply: Answer | Refusal
    ) -> None:
        terminal.flying -= 1
        if reply.code == BetsAreClosed("").code:
            self.pit.watch.was_late(
                terminal.table, self.stream(terminal.table).state.rounds, terminal.session
            )
        ok = isinstance(reply, Answer) and reply.ok
        self.work.answer_s.observe(time.perf_counter() - began)
        self.work.wagers[
            "accepted" if ok else "refused" if isinstance(reply, Answer) else "not-stored"
        ] += 1
        said = wire.Answered(
            id=id_, ok=ok, code=reply.code, reason=reply.reason, clause=reply.clause or ""
        )
        terminal.put(wire.write(said))

    # The house

    async def ask_house(self, command: h.AnyHouseCommand, id_: str = "") -> Answer:
        return await self.store.asked(
            Request(stream=FLOOR, id=id_ or secrets.token_hex(8), command=command)
        )

    async def _note_login(self, command: h.NoteLogin) -> Answer:
        return await self.ask_house(command)

    def administration(self, by: str) -> Administration:
        async def ask(stream: str, command: c.AnyCommand | h.AnyHouseCommand) -> Answer:
            return await self.store.asked(
                Request(stream=stream, id=secrets.token_hex(8), command=command)
            )

        return Administration(ask, self.passwords, by=by)

    async def caught_up(self, stream: str, seq: int) -> None:
        """Until this node has followed so far."""
        for _ in range(400):
            followed = self._house if stream == FLOOR else self.streams.get(stream)
            if followed is not None and followed.state.seq >= seq:
                return
            await asyncio.sleep(0.005)

    # Whose session it is

    def new_token(self) -> str:
        """A guest's session and the proof of it."""
        return self.tickets.token(Ticket("g" + secrets.token_hex(8)), self.house)

    def ticket(self, token: str) -> Ticket | None:
        return self.tickets.read(token, self.house)

    def session_of(self, token: str) -> str | None:
        ticket = self.ticket(token)
        return ticket.session if ticket else None

    def csrf_of(self, token: str) -> str:
        return self.tickets.csrf(token)
