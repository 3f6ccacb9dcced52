"""The floor as a service: the tables as they stand, those who watch them, and the way in for commands."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress

import puntobanco.events as e
from puntobanco.floor import vouchers, wire
from puntobanco.floor.staff import Staff
from puntobanco.floor.views import SessionView, TableView, public_events, session_view, sessions_touched, table_view
from puntobanco.journal import Entry, read_entry
from puntobanco.keys import KeyRing
from puntobanco.rules.games import GAMES
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Answer, Request, Stream
from puntobanco.storage.store import Store
from puntobanco.table import commands as c

MAX_QUEUE = 200
"""Messages that wait for a terminal; one that does not read them is cut off."""

PLAY_CREDITS_CENTS = 100_000
BETTING_MS, GUARD_MS, CARD_MS, PAUSE_MS = 15_000, 1_000, 900, 4_000


class NoSuchTable(Refusal):
    """A table that this floor does not have."""


class Watching:
    """One connection at one table. Messages are bytes, made once for all who see the same."""

    def __init__(self, table: str, session: str) -> None:
        self.table, self.session = table, session
        self.queue = asyncio.Queue[bytes | None](MAX_QUEUE)
        self.is_cut = False

    def put(self, message: bytes | None) -> None:
        if self.is_cut:
            return
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            self.is_cut = True
            with suppress(asyncio.QueueEmpty):
                while True:
                    self.queue.get_nowait()
            self.queue.put_nowait(None)


class Floor:
    """Tables by name; a copy of each stream follows the journal, and what terminals see is made from it."""

    def __init__(self, store: Store, ring: KeyRing, *, demo: bool = False) -> None:
        self.store, self.ring, self.demo = store, ring, demo
        self.streams = dict[str, Stream]()
        self.watching: defaultdict[str, set[Watching]] = defaultdict(set)
        self.staff = Staff()
        self._token_key = ring.derived("terminal tokens")

    async def start(self) -> None:
        """Follow the journal from now on."""
        self._loop = asyncio.get_running_loop()
        self.store.watchers.append(self._committed)
        for name in await asyncio.to_thread(self.store.names):
            await self._read(name)

    async def _read(self, name: str) -> None:
        if name.startswith("table:"):
            self.streams[name] = await asyncio.to_thread(self.store.stream, name)

    def _committed(self, name: str, entries: Sequence[Entry]) -> None:
        """From the store's thread, after a commit."""
        if name.startswith("table:"):
            with suppress(RuntimeError):  # the loop is closed: the server stops
                self._loop.call_soon_threadsafe(self._follow, name, entries)

    def _follow(self, name: str, entries: Sequence[Entry]) -> None:
        stream = self.streams.setdefault(name, Stream.empty(name))
        new = [entry for entry in entries if entry.seq > stream.state.seq]
        if not new:
            return
        if new[0].seq != stream.state.seq + 1:  # something was missed: read it from the journal
            behind = self.store.entries(name, after=stream.state.seq)
            new = [read_entry(data, stream=name, seq=seq) for seq, data in behind]
        for entry in new:
            stream.follow(entry, "")
        self._tell(stream, new)

    def _tell(self, stream: Stream, entries: Sequence[Entry]) -> None:
        watching = self.watching.get(stream.name)
        if not watching:
            return
        shown = list(public_events(entries))
        if shown:
            message = wire.write(wire.Events(seq=entries[-1].seq, at=entries[-1].at, events=shown))
            for terminal in watching:
                terminal.put(message)
        touched = sessions_touched(entries)
        for terminal in watching:
            if terminal.session in touched:
                terminal.put(wire.write(wire.Mine(session=session_view(stream, terminal.session))))

    # What terminals ask for

    def stream(self, table: str) -> Stream:
        try:
            return self.streams[table]
        except KeyError:
            raise NoSuchTable(f"there is no table {table:.40}") from None

    def tables(self) -> list[TableView]:
        views = (table_view(stream.state, demo=self.demo) for _, stream in sorted(self.streams.items()))
        return [view for view in views if view is not None]

    def table(self, table: str) -> TableView:
        view = table_view(self.stream(table).state, demo=self.demo)
        if view is None:
            raise NoSuchTable(f"there is no table {table:.40}")
        return view

    def session(self, table: str, session: str) -> SessionView:
        return session_view(self.stream(table), session)

    def welcome(self, table: str, session: str) -> bytes:
        now = int(time.time() * 1000)
        return wire.write(
            wire.Welcome(v=wire.VERSION, now=now, table=self.table(table), session=self.session(table, session))
        )

    def watch(self, table: str, session: str) -> Watching:
        """A connection; its first message is the whole view."""
        terminal = Watching(table, session)
        terminal.put(self.welcome(table, session))
        self.watching[table].add(terminal)
        return terminal

    def leave(self, terminal: Watching) -> None:
        self.watching[terminal.table].discard(terminal)

    async def ask(self, table: str, id_: str, command: c.AnyCommand) -> Answer:
        self.stream(table)
        return await self.store.asked(Request(stream=table, id=id_, command=command))

    async def wager(self, terminal: Watching, message: wire.Place | wire.Raise | wire.Withdraw) -> wire.Answered:
        """One answer, whatever happens."""
        by, round_, bet = terminal.session, message.round, message.bet
        command: c.AnyCommand
        match message:
            case wire.Place():
                command = c.PlaceWager(by=by, round=round_, session=by, bet=bet, stake_cents=message.stake_cents)
            case wire.Raise():
                command = c.RaiseWager(by=by, round=round_, session=by, bet=bet, by_cents=message.by_cents)
            case wire.Withdraw():
                command = c.WithdrawWager(by=by, round=round_, session=by, bet=bet, by_cents=message.by_cents)
        try:
            answer = await self.ask(terminal.table, message.id, command)
        except Refusal as refusal:
            return wire.Answered(
                id=message.id, ok=False, code=refusal.code, reason=refusal.reason, clause=refusal.clause or ""
            )
        return wire.Answered(id=answer.id, ok=answer.ok, code=answer.code, reason=answer.reason, clause=answer.clause)

    # Sessions and credits

    def new_token(self, prefix: str = "g") -> str:
        """A terminal's session and the proof of it; nothing is stored, and it outlives a restart."""
        session = prefix + secrets.token_hex(8)
        return f"{session}.{self._mac(session)}"

    def session_of(self, token: str) -> str | None:
        session, _, mac = token.partition(".")
        return session if session and hmac.compare_digest(mac, self._mac(session)) else None

    def csrf_of(self, token: str) -> str:
        return self._mac(f"csrf {token}")

    def _mac(self, text: str) -> str:
        return hmac.new(self._token_key, text.encode(), "sha256").hexdigest()[:40]

    async def seat(self, table: str, session: str) -> Answer:
        """A seat; in the demonstration with play credits. Asked again it is the same seat."""
        stream = self.stream(table)
        if session not in stream.state.sessions:
            answer = await self.ask(table, secrets.token_hex(8), c.SeatSession(by=session, session=session))
            if not answer.ok and answer.code != "already-seated":
                return answer
        if self.demo and not self.session(table, session).balance_cents:
            return await self.ask(
                table, secrets.token_hex(8), c.BuyIn(by="demo", session=session, cents=PLAY_CREDITS_CENTS)
            )
        return Answer(id="", ok=True, seq=stream.state.seq, at=stream.state.at)

    async def cash_out(self, table: str, session: str) -> tuple[Answer, str]:
        """All credits to a voucher: the answer, and its number, which is shown this once."""
        number = vouchers.new_number()
        expires = int(time.time() * 1000) + vouchers.EXPIRES_MS
        command = c.IssueVoucher(by=session, session=session, voucher=vouchers.voucher_id(number), expires_at=expires)
        return await self.ask(table, secrets.token_hex(8), command), number

    async def redeem(self, table: str, session: str, number: str) -> Answer:
        voucher = vouchers.voucher_id(vouchers.parse_number(number))
        if session not in self.stream(table).state.sessions:
            await self.ask(table, secrets.token_hex(8), c.SeatSession(by=session, session=session))
        return await self.ask(
            table, secrets.token_hex(8), c.RedeemVoucher(by=session, session=session, voucher=voucher)
        )


async def open_demo(store: Store) -> None:
    """A table of each game that the server deals, and one that a dealer runs; those that are open stay as they are."""
    there = set(await asyncio.to_thread(store.names))
    clock = e.Clock(
        betting_ms=BETTING_MS, guard_ms=GUARD_MS, card_ms=CARD_MS, pause_ms=PAUSE_MS, automatic=True, new_shoes=True
    )
    for number, game in enumerate(GAMES, 1):
        name = f"table:{number}"
        if name not in there:
            await store.asked(Request(stream=name, id="demo", command=c.OpenTable(by="demo", game=game, clock=clock)))
    name = f"table:{len(GAMES) + 1}"
    if name not in there:
        opened = c.OpenTable(by="demo", game="fortune-six", clock=e.Clock())
        await store.asked(Request(stream=name, id="demo", command=opened))
        shoe = c.NewShoe(by="demo", dealing="physical")
        await store.asked(Request(stream=name, id="demo-shoe", command=shoe))
