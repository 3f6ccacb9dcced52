"""Cage windows as a service: vouchers sold, looked up and paid for cash, what should lie in a drawer, what is owed."""

from __future__ import annotations

import asyncio
import heapq
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from puntobanco.cage.commands import AnyCageCommand, SellVoucher
from puntobanco.cage.state import HAND_PAY_CENTS, CageState, Payment
from puntobanco.events import (
    CashedOut,
    CreditsBought,
    PaymentProposed,
    Record,
    VoucherIssued,
    VoucherPaid,
    VoucherRedeemed,
)
from puntobanco.floor import vouchers
from puntobanco.floor.admin import Refused
from puntobanco.floor.devices import terminal_of
from puntobanco.floor.vouchers import BadVoucher
from puntobanco.journal import Entry, read_entry
from puntobanco.ledger import account_of, is_patron
from puntobanco.storage.batch import Answer, Request, Stream
from puntobanco.storage.machines import CAGE
from puntobanco.storage.reader import Reader, reading
from puntobanco.storage.store import Store
from puntobanco.table.clock import OF_MONEY

MAX_ROWS = 500
"""Of sessions in a window's view; more are counted, not listed."""

State = Literal["valid", "redeemed", "expired", "unknown", "wrong-check-digits", "no-number"]


class VoucherFound(Record):
    """A voucher that was looked up: what it is worth and whether it can be paid, in words. The number is not told."""

    state: State
    says: str
    cents: int = 0
    issued_at: int = 0
    issued_in: str = ""  # the stream and the entry
    issued_seq: int = 0
    issued_by: str = ""  # the terminal whose credits it was, or the cashier who sold it
    expires_at: int = 0
    redeemed_at: int = 0
    redeemed_in: str = ""
    redeemed_by: str = ""
    second: str = ""  # why a second person is needed to pay it; nothing where none is


class PaymentView(Record):
    """A voucher that waits for a second person."""

    payment: int
    by: str
    cents: int
    why: str
    issued_in: str


class PaymentWaiting(Record):
    """The same for who is at no window: at which, and when it was asked, where this node has heard it."""

    window: int
    payment: int
    by: str
    at: int | None
    cents: int
    why: str
    issued_in: str


class HandPayView(Record):
    """Credits of a table that wait for a second person: paid out by hand, or loaded by staff."""

    table: str
    proposal: int
    command: str
    by: str
    session: str
    terminal: str
    cents: int


class SessionRow(Record):
    """A session as a cashier sees it."""

    table: str
    session: str
    terminal: str  # nothing for a guest
    since: int
    balance_cents: int
    in_play_cents: int
    net_cents: int  # credits and wagers, less what came in
    loss_cents: int | None  # the patron's own limit
    stopped: str
    connected: bool


class WindowView(Record):
    """A window: its shift and drawer, what waits for a second person, who plays, what the house owes."""

    window: int
    cashier: str
    since: int | None
    float_cents: int
    in_cents: int
    out_cents: int
    at_tables_cents: int  # cash taken at tables by the same cashier, less what was paid there
    drawer_cents: int  # what should lie there
    counted: bool  # a first count waits for a second
    payments: list[PaymentView]
    hand_pays: list[HandPayView]
    hand_pay_cents: int  # over this a window does not pay alone
    sessions: list[SessionRow]
    sessions_total: int
    credits_cents: int  # of all sessions, and their wagers in play
    vouchers_open: int
    vouchers_cents: int  # not redeemed, expired ones with them
    liability_cents: int


@dataclass
class _Taken:
    """Cash at tables since a shift began, as far as it was added up."""

    cashier: str
    since: int
    cents: int = 0
    after: dict[str, int] = field(default_factory=dict)


class Windows:
    def __init__(self, store: Store, key: bytes, database: str, *, valid_ms: int) -> None:
        """`key` makes the numbers of vouchers, which are good for `valid_ms`."""
        self._store, self._key, self._database, self._valid_ms = store, key, database, valid_ms
        self._taken, self._adding = dict[int, _Taken](), threading.Lock()
        self._standing, self._stale = dict[str, CageState](), set[str]()  # windows by stream; those to be read anew
        self._asked_at = defaultdict[str, dict[int, int]](dict)  # when each payment of a window was asked for

    async def window(self, window: int) -> CageState:
        """A window as the journal has it."""
        return (await asyncio.to_thread(self._store.stream, f"{CAGE}{window}")).cage

    def saw(self, stream: str, entries: Sequence[Entry] = ()) -> None:
        """A window that there is, or what was written there."""
        self._stale.add(stream)
        for entry in entries:
            for event in entry.events:
                if isinstance(event, PaymentProposed):
                    self._asked_at[stream][event.payment] = entry.at

    async def waiting(self, now: int) -> list[PaymentWaiting]:
        """The payments of every window that wait for a second person."""
        while self._stale:
            stream = self._stale.pop()  # written to from now on, it is stale again
            self._standing[stream] = (await asyncio.to_thread(self._store.stream, stream)).cage
        waiting = {name: state.payments for name, state in sorted(self._standing.items()) if state.payments}
        return await asyncio.to_thread(self._waiting, waiting, now) if waiting else []

    def _waiting(self, waiting: Mapping[str, Mapping[int, Payment]], now: int) -> list[PaymentWaiting]:
        with reading(self._database) as reader:
            return [
                PaymentWaiting(
                    window=_number(name), at=self._asked_at[name].get(number),
                    **msgspec.structs.asdict(_payment(reader, number, payment.by, payment.voucher, now)),
                )
                for name, payments in waiting.items()
                for number, payment in sorted(payments.items())
            ]  # fmt: skip

    async def ask(self, window: int, id_: str, command: AnyCageCommand) -> Answer:
        return await self._store.asked(Request(stream=f"{CAGE}{window}", id=id_, command=command))

    async def sell(self, window: int, by: str, id_: str, cents: int) -> vouchers.Paper:
        """Cash for a voucher; asked again with the same id, the same one."""
        number = vouchers.number_for(self._key, f"{CAGE}{window}", by, id_)
        command = SellVoucher(by=by, voucher=vouchers.voucher_id(number), cents=cents, valid_ms=self._valid_ms)
        answer = await self.ask(window, id_, command)
        if not answer.ok:
            raise Refused(answer)
        return vouchers.Paper(number, cents, answer.at + self._valid_ms, answer.at, f"{CAGE}{window}", answer.seq)

    def cash_at_tables(self, cashier: str, since: int) -> int:
        """Cash that a cashier took at tables since then, less what was paid out there; from the journal."""
        with reading(self._database) as reader:
            return _added(reader, _Taken(cashier, since))

    async def view(self, window: int, rows: list[SessionRow], streams: Mapping[str, Stream], now: int) -> WindowView:
        """`rows` are the sessions that are listed, `streams` the tables as they stand."""
        found = await self.window(window)
        from_tables = list(hand_pays(streams))
        credits_cents = sum(credits_of(stream) for stream in streams.values())
        total = sum(len(stream.state.sessions) for stream in streams.values())
        return await asyncio.to_thread(self._view, window, found, rows, total, from_tables, credits_cents, now)

    def _view(
        self, window: int, found: CageState, rows: list[SessionRow], total: int, from_tables: list[HandPayView],
        credits_cents: int, now: int,
    ) -> WindowView:  # fmt: skip
        shift, elsewhere = found.shift, 0
        with reading(self._database) as reader:
            if shift:
                with self._adding:
                    known = self._taken.get(window)
                    if known is None or (known.cashier, known.since) != (shift.cashier, shift.since):
                        known = self._taken[window] = _Taken(shift.cashier, shift.since)
                    elsewhere = _added(reader, known)
            payments = [_payment(reader, n, p.by, p.voucher, now) for n, p in sorted(found.payments.items())]
            owed = reader.open_vouchers(now)
        vouchers_cents = sum(row[2] + row[4] for row in owed)
        return WindowView(
            window=window, cashier=shift.cashier if shift else "", since=shift.since if shift else None,
            float_cents=shift.float_cents if shift else 0, in_cents=shift.in_cents if shift else 0,
            out_cents=shift.out_cents if shift else 0, at_tables_cents=elsewhere,
            drawer_cents=shift.expected_cents(elsewhere) if shift else 0, counted=found.count is not None,
            payments=payments, hand_pays=from_tables, hand_pay_cents=HAND_PAY_CENTS, sessions=rows,
            sessions_total=total, credits_cents=credits_cents, vouchers_open=sum(row[1] + row[3] for row in owed),
            vouchers_cents=vouchers_cents, liability_cents=credits_cents + vouchers_cents,
        )  # fmt: skip


def _added(reader: Reader, taken: _Taken) -> int:
    """The sum brought up to date: only entries that were not looked at before."""
    for name, (last, _, _) in reader.streams().items():
        if not name.startswith("table:"):
            continue
        after = taken.after.get(name)
        after, cents = reader.first_at(name, taken.since) - 1 if after is None else after, 0
        for seq, data in reader.entries(name, after=after, upto=last):
            entry = read_entry(data, stream=name, seq=seq)
            for event in entry.events:
                if isinstance(event, CreditsBought) and entry.by == taken.cashier:
                    cents += event.cents
                elif isinstance(event, CashedOut) and taken.cashier == (event.proposed_by or entry.by):
                    cents -= event.cents
        taken.cents, taken.after[name] = taken.cents + cents, max(after, last)
    return taken.cents


def _payment(reader: Reader, number: int, by: str, voucher: str, now: int) -> PaymentView:
    kept = reader.voucher(voucher)
    cents, expires_at, place = (kept[0], kept[1], kept[2]) if kept else (0, now + 1, "")
    return PaymentView(payment=number, by=by, cents=cents, why=_second(cents, expires_at, now), issued_in=place)


def _second(cents: int, expires_at: int, now: int) -> str:
    if now >= expires_at:
        return "it has expired"
    return f"over ${HAND_PAY_CENTS // 100:,}" if cents > HAND_PAY_CENTS else ""


# What is asked of the tables


def session_rows(streams: Mapping[str, Stream], connected: Callable[[str, str], bool]) -> list[SessionRow]:
    """The first sessions in the order of tables and terminals; `connected(table, session)`: whether somebody is there.

    On the loop that serves terminals: of ten thousand sessions only those that are listed are looked at closely.
    """
    every = (
        (_number(name), terminal_of(session) or "~", session, name)
        for name, stream in streams.items()
        for session in stream.state.sessions
    )
    return [_row(streams[name], session, connected) for _, _, session, name in heapq.nsmallest(MAX_ROWS, every)]


def _row(stream: Stream, session: str, connected: Callable[[str, str], bool]) -> SessionRow:
    state, seat = stream.state, stream.state.sessions[session]
    balance = stream.balances.get(account_of(session), 0)
    stakes = sum(state.wagers_of(session).values()) if state.is_in_play else 0
    return SessionRow(
        table=stream.name, session=session, terminal=terminal_of(session), since=seat.since, balance_cents=balance,
        in_play_cents=stakes, net_cents=balance + stakes - seat.in_cents, loss_cents=seat.loss_cents,
        stopped=seat.stopped, connected=connected(stream.name, session),
    )  # fmt: skip


def _number(table: str) -> int:
    return int(table.partition(":")[2])


def hand_pays(streams: Mapping[str, Stream]) -> Iterator[HandPayView]:
    for name, stream in sorted(streams.items(), key=lambda item: _number(item[0])):
        for number, proposal in sorted(stream.state.proposals.items()):
            command = str(proposal.command["command"])
            if command not in OF_MONEY:
                continue
            session = str(proposal.command["session"])
            cents = proposal.command.get("cents", stream.balances.get(account_of(session), 0))
            assert isinstance(cents, int)
            yield HandPayView(
                table=name, proposal=number, command=command, by=proposal.by, session=session,
                terminal=terminal_of(session), cents=cents,
            )  # fmt: skip


def credits_of(stream: Stream) -> int:
    """What a table owes its patrons: their credits, and their stakes in play."""
    own = sum(cents for account, cents in stream.balances.items() if is_patron(account))
    return own + stream.balances.get("wagers", 0)


# A voucher


def look_up(database: str, text: str, now: int) -> VoucherFound:
    """A voucher by its number, as people type it. Nothing is paid."""
    try:
        number = vouchers.parse_number(text)
    except BadVoucher as wrong:
        digits = sum(c.isascii() and c.isdigit() for c in text)
        state: State = "wrong-check-digits" if digits == vouchers.DIGITS else "no-number"
        return VoucherFound(state=state, says=wrong.reason)
    with reading(database) as reader:
        kept = reader.voucher(vouchers.voucher_id(number))
        if kept is None:
            return VoucherFound(state="unknown", says="this house has issued no voucher of that number")
        cents, expires_at, issued_in, issued_seq, redeemed_in, redeemed_seq = kept
        issued = _entry(reader, issued_in, issued_seq)
        redeemed = _entry(reader, redeemed_in, redeemed_seq) if redeemed_in and redeemed_seq else None
    state, says = "valid", "valid, and not redeemed"
    if redeemed:
        state, says = "redeemed", "this voucher was redeemed before"
    elif now >= expires_at:
        state, says = "expired", "this voucher has expired; a second person can approve it"
    return VoucherFound(
        state=state, says=says, cents=cents, issued_at=issued.at, issued_in=issued_in, issued_seq=issued_seq,
        issued_by=_who(issued), expires_at=expires_at, redeemed_at=redeemed.at if redeemed else 0,
        redeemed_in=redeemed_in or "", redeemed_by=_who(redeemed) if redeemed else "",
        second="" if redeemed else _second(cents, expires_at, now),
    )  # fmt: skip


def _entry(reader: Reader, stream: str, seq: int) -> Entry:
    [(_, data)] = reader.entries(stream, after=seq - 1, upto=seq)
    return read_entry(data, stream=stream, seq=seq)


def _who(entry: Entry) -> str:
    """The terminal, "a guest", or the staff: two people where there were two."""
    for event in entry.events:
        if isinstance(event, VoucherIssued | VoucherRedeemed):
            return terminal_of(event.session) or "a guest"
        if isinstance(event, VoucherPaid) and event.approved_by:
            return f"{event.proposed_by} and {event.approved_by}"
    return entry.by
