"""Cage windows as a service: shifts and their drawers, vouchers sold, looked up and paid for cash,
what is owed.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import msgspec

from puntobanco.base.money import dollars
from puntobanco.base.words import Words
from puntobanco.rules.causes import words_of
from puntobanco_floor.domain.cage.commands import (
    ConfirmCount,
    CountShift,
    OpenShift,
    PayVoucher,
    SellVoucher,
)
from puntobanco_floor.domain.cage.state import HAND_PAY_CENTS, LARGE_BUY_IN_CENTS, CageState
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import ShiftClosed, VoucherIssued, VoucherPaid, VoucherRedeemed
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import Holder, HouseState
from puntobanco_floor.domain.ledger import HELD, MOVING, WAGERS, account_of, is_patron
from puntobanco_floor.domain.machine import TrustedVouchers, Voucher
from puntobanco_floor.domain.proposals import Outcome, Proposal, Proposals
from puntobanco_floor.domain.refusals import SecondPersonNeeded
from puntobanco_floor.domain.stream_names import CAGE, FLOOR, number_of, terminal_of
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.refusals import BadVoucher, NoOpenShift, Refused
from puntobanco_floor.service.voucher_numbers import (
    DIGITS,
    Paper,
    Vouchers,
    by_any_key,
    parse_number,
)
from puntobanco_floor.store.batch import Answer, Request, Stream
from puntobanco_floor.store.reader import Reader, reading
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.record import Record

MAX_ROWS = 500
"""Of sessions in a window's view; more are counted, not listed."""

RESERVED_MS = 10_000
"""How long a window stays reserved for a cashier whose shift was not opened there."""


class Drawer(NamedTuple):
    """Whose cash it is: a shift at a window."""

    window: int
    shift: int


NO_DRAWER = Drawer(0, 0)
State = Literal["valid", "redeemed", "expired", "unknown", "wrong-check-digits", "no-number"]


class VoucherFound(Record):
    """A voucher without its number: what it is worth and whether it can be paid."""

    state: State
    says: Words
    cents: int = 0
    issued_at: int = 0
    issued_in: str = ""  # the stream and the entry
    issued_seq: int = 0
    issued_by: str = ""  # the terminal whose credits it was, or the cashier who sold it
    expires_at: int = 0
    redeemed_at: int = 0
    redeemed_in: str = ""
    redeemed_by: str = ""
    second: Words | None = None  # why a second person is needed to pay it; nothing where none is


class PaymentView(Record):
    """A voucher that waits for a second person: to be paid, or to be sold."""

    payment: int
    by: str
    at: int  # when it was asked
    command: str
    cents: int
    why: Words
    issued_in: str


class PaymentWaiting(PaymentView, kw_only=True):
    """The same for people at no window: at which."""

    window: int


class HandPayView(Record):
    """Money at a table that waits for a second person: paid out, bought, loaded or awarded."""

    table: str
    proposal: int
    command: str
    by: str
    at: int
    session: str
    terminal: str
    cents: int
    round: int = 0  # of an adjustment: what the patron's receipt names, with the session
    left: bool = False  # the patron has left: an adjustment is paid in cash


class DecidedView(Record):
    """What became of a proposal about money, and where it was made."""

    place: str  # the table or window, by its stream
    proposal: int
    asked_by: str
    command: str
    outcome: Outcome
    by: str
    reason: str


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
    stopped: Words | None
    connected: bool


class WindowView(Record):
    """A window: whose it is, what waits for a second person, who plays, what the house owes.

    What should lie in the drawer, and what made it so, is not told while its shift is open: who
    counts, counts blind.
    """

    window: int
    cashier: str
    since: int | None
    counted: bool  # a first count waits for a second
    differed: bool  # two counts differed: both count again
    closed: ShiftClosed | None  # how the last shift ended: both have counted
    payments: list[PaymentView]
    hand_pays: list[HandPayView]
    decided: list[
        DecidedView
    ]  # what became of the last proposals at the tables and here, newest last of each
    hand_pay_cents: int  # over this a window does not pay alone
    sessions: list[SessionRow]
    sessions_total: int
    credits_cents: int  # of all sessions, their wagers in play, and what is set apart for hand pays
    vouchers_open: int
    vouchers_cents: int  # not redeemed, expired ones with them
    liability_cents: int


@dataclass(frozen=True)
class Windows:
    store: Store
    ring: KeyRing
    vouchers: Vouchers
    database: str
    valid_ms: int  # how long vouchers are good
    _standing: dict[str, CageState] = field(default_factory=dict)  # a cache: windows by stream
    _stale: set[str] = field(default_factory=set)  # of these, those to be read again

    async def window(self, window: int) -> CageState:
        """A window as the journal has it."""
        return (await asyncio.to_thread(self.store.window, window)).state

    async def proposed(self, window: int, number: int) -> Proposal | None:
        """A payment that waits for a second person."""
        state = await self.window(window)
        return state.proposals.waiting.get(number)

    def saw(self, stream: str, _: object = ()) -> None:
        """Note that a window exists, or that something was written there."""
        self._stale.add(stream)

    async def waiting(self, now: int) -> list[PaymentWaiting]:
        """The payments of every window that wait for a second person."""
        while self._stale:
            stream = self._stale.pop()  # written to from now on, it is stale again
            number = int(stream.removeprefix(CAGE))
            self._standing[stream] = await self.window(number)
        waiting = [state for _, state in sorted(self._standing.items()) if state.proposals.waiting]
        if not waiting:
            return []
        return await asyncio.to_thread(self._waiting, waiting, now)

    def _waiting(self, windows: Sequence[CageState], now: int) -> list[PaymentWaiting]:
        found = list[PaymentWaiting]()
        with reading(self.database) as reader:
            for state in windows:
                for payment in _payments(reader, state, now):
                    view = msgspec.structs.asdict(payment)
                    found.append(PaymentWaiting(window=number_of(state.stream), **view))
        return found

    async def ask(self, window: int, id_: str, command: Command) -> Answer:
        request = Request(stream=f"{CAGE}{window}", id=id_, command=command)
        return await self.store.asked(request)

    async def open_shift(
        self, window: int, by: str, id_: str, float_cents: int, house: HouseState, now: int
    ) -> Answer:
        """The house gives the window to one cashier, who has no other; then the shift is opened
        there.

        Two streams, so two steps: a node that died between them left a window that is taken and has
        no shift. It is the cashier's who tries again, and after a while anybody's.
        """
        for held, holder in house.windows.items():
            if held == window or holder.cashier == by:
                await self.let_go(held, holder, now)
        open_ = OpenShift(by=by, float_cents=float_cents)
        state = await self.window(window)
        if state.shift is not None and state.shift.cashier == by:
            # refused there, or the answer of before: the window is not taken for a next shift
            return await self.ask(window, id_, open_)
        shift = state.shifts + 1
        take = h.TakeWindow(by=by, window=window, shift=shift)
        request = Request(stream=FLOOR, id=f"{CAGE}{window}:{shift}:{id_}", command=take)
        taken = await self.store.asked(request)
        if not taken.ok:
            return taken
        return await self.ask(window, id_, open_)

    async def let_go(self, window: int, holder: Holder, now: int) -> None:
        """Give a window back whose shift there is over, or was not opened in time."""
        state = await self.window(window)
        if state.shift is not None:
            return
        is_over = state.shifts >= holder.shift
        is_stale = now - holder.since >= RESERVED_MS
        if is_over or is_stale:
            leave = h.LeaveWindow(by=FLOOR, window=window, shift=holder.shift)
            id_ = f"{CAGE}{window}:{holder.since}"
            await self.store.asked(Request(stream=FLOOR, id=id_, command=leave))

    async def count(
        self, kind: type[CountShift | ConfirmCount], window: int, by: str, id_: str, cents: int
    ) -> Answer:
        """Count the drawer; the salt is the same for the same request, and secret."""
        salts = self.ring.macs("vouchers", f"count {window} {by} {id_}")
        commands = [kind(by=by, counted_cents=cents, salt=salt) for salt in salts]
        answer, _ = await by_any_key(commands, lambda command: self.ask(window, id_, command))
        return answer

    async def pay(self, window: int, by: str, id_: str, number: str) -> Answer:
        """A voucher for cash, by its number as people type it."""
        voucher = await asyncio.to_thread(self.vouchers.id_of, parse_number(number))
        return await self.ask(window, id_, PayVoucher(by=by, voucher=voucher))

    async def drawer_of(self, cashier: str, house: HouseState) -> Drawer:
        """The drawer that a cashier's cash goes to and comes from, or a refusal."""
        window = house.window_of(cashier)
        state = None
        if window is not None:
            state = await self.window(window)
        if window is None or state is None or state.shift is None or state.shift.cashier != cashier:
            raise NoOpenShift(
                f"{cashier} has no open shift; open one at a cage window, then cash can move"
            )
        if state.count is not None:
            raise NoOpenShift(f"the drawer at window {window} is being counted; no cash moves now")
        return Drawer(window, state.shift.number)

    def look_up(self, text: str, now: int, trusted: TrustedVouchers) -> VoucherFound:
        """A voucher by its number, as people type it. Nothing is paid."""
        try:
            number = parse_number(text)
        except BadVoucher as wrong:
            digits = sum(c.isascii() and c.isdigit() for c in text)
            state: State = "wrong-check-digits" if digits == DIGITS else "no-number"
            return VoucherFound(state=state, says=wrong.words)
        id_ = self.vouchers.id_of(number)
        with reading(self.database) as reader:
            kept = reader.voucher(id_)
            if kept is None:
                return VoucherFound(state="unknown", says=_UNKNOWN)
            cents, expires_at, issued_in, issued_seq, redeemed_in, redeemed_seq = kept
            issued = _entry(reader, issued_in, issued_seq)
            redeemed = None
            if redeemed_in and redeemed_seq:
                redeemed = _entry(reader, redeemed_in, redeemed_seq)
        state, says = "valid", _VALID
        if redeemed:
            state, says = "redeemed", _REDEEMED
        elif now >= expires_at:
            state, says = "expired", _EXPIRED
        second = None if redeemed else _second(cents, expires_at, now)
        found = Voucher(cents, expires_at, redeemed is not None, issued.epoch)
        if not (redeemed or second or trusted.has(id_, found)):
            second = FROM_BEFORE
        return VoucherFound(
            state=state,
            says=says,
            cents=cents,
            issued_at=issued.at,
            issued_in=issued_in,
            issued_seq=issued_seq,
            issued_by=_who(issued),
            expires_at=expires_at,
            redeemed_at=redeemed.at if redeemed else 0,
            redeemed_in=redeemed_in or "",
            redeemed_by=_who(redeemed) if redeemed else "",
            second=second,
        )

    async def sell(self, window: int, by: str, id_: str, cents: int) -> Paper:
        """Sell a voucher; the same id gives the same one. A large one needs approval first."""
        stream = f"{CAGE}{window}"
        numbered = self.vouchers.numbered(stream, by, id_)
        commands = [
            SellVoucher(by=by, voucher=one.id, cents=cents, valid_ms=self.valid_ms)
            for one in numbered
        ]
        answer, place = await by_any_key(commands, lambda command: self.ask(window, id_, command))
        if not answer.ok:
            raise Refused(answer)
        if not answer.proposal:
            number = numbered[place].number
            expires_at = answer.at + self.valid_ms
            return Paper(number, cents, expires_at, answer.at, stream, answer.seq)
        sold = await asyncio.to_thread(self.vouchers.sold, stream, by, id_)
        if sold is None:
            raise SecondPersonNeeded(
                f"{dollars(cents)} is much cash: proposal {answer.proposal} waits "
                "for a second person; "
                "then ask for the voucher again"
            )
        return sold

    async def view(
        self,
        window: int,
        rows: list[SessionRow],
        streams: Mapping[str, Stream[TableState]],
        now: int,
    ) -> WindowView:
        """`rows` are the sessions that are listed, `streams` the tables as they stand."""
        found = await self.window(window)
        shift = found.shift
        at_tables = list(hand_pays(streams))
        credits_cents = sum(credits_of(stream) for stream in streams.values())
        total = sum(len(stream.state.sessions) for stream in streams.values())
        decided = list[DecidedView]()
        for name, stream in streams.items():
            decided += _decided(name, stream.state.proposals)
        decided += _decided(found.stream, found.proposals)
        read = await asyncio.to_thread(self._read, found, now)
        payments, vouchers_open, vouchers_cents = read
        return WindowView(
            window=window,
            cashier=shift.cashier if shift else "",
            since=shift.since if shift else None,
            counted=found.count is not None,
            differed=found.differed,
            closed=found.closed,
            payments=payments,
            hand_pays=at_tables,
            decided=decided,
            hand_pay_cents=HAND_PAY_CENTS,
            sessions=rows,
            sessions_total=total,
            credits_cents=credits_cents,
            vouchers_open=vouchers_open,
            vouchers_cents=vouchers_cents,
            liability_cents=credits_cents + vouchers_cents,
        )

    def _read(self, window: CageState, now: int) -> tuple[list[PaymentView], int, int]:
        """Read the payments that wait at a window, and count all open vouchers and their cents."""
        with reading(self.database) as reader:
            payments = _payments(reader, window, now)
            owed = reader.open_vouchers(now)
        return payments, sum(row[1] + row[3] for row in owed), sum(row[2] + row[4] for row in owed)


def _decided(place: str, proposals: Proposals) -> Iterator[DecidedView]:
    for one in proposals.decided:
        if one.about == "money":
            yield DecidedView(
                place=place,
                proposal=one.proposal,
                asked_by=one.asked_by,
                command=one.command,
                outcome=one.outcome,
                by=one.by,
                reason=one.reason,
            )


def _payments(reader: Reader, window: CageState, now: int) -> list[PaymentView]:
    waiting = sorted(window.proposals.waiting.items())
    return [_payment(reader, number, proposal, now) for number, proposal in waiting]


def _payment(reader: Reader, number: int, proposal: Proposal, now: int) -> PaymentView:
    held = msgspec.convert(proposal.command, PayVoucher | SellVoucher)
    if isinstance(held, SellVoucher):
        cents = held.cents
        why = _OVER_CASH.format(f"${LARGE_BUY_IN_CENTS // 100:,}")
        place = ""
    else:
        kept = reader.voucher(held.voucher)
        cents, expires_at, place, *_ = kept or (0, now + 1, "")
        why = _second(cents, expires_at, now) or FROM_BEFORE
    return PaymentView(
        payment=number,
        by=proposal.by,
        at=proposal.at,
        command=held.name(),
        cents=cents,
        why=why,
        issued_in=place,
    )


_OVER_CASH = Words("over {} of cash", "現金超過 {}")
FROM_BEFORE = Words(
    "it is not confirmed: from before a recovery, or a table's journal fails",
    "未經確認：在系統復原之前發出，或賭枱的記錄不成立",
)


_HAS_EXPIRED = Words("it has expired", "已過期")
_OVER = Words("over {}", "超過 {}")


def _second(cents: int, expires_at: int, now: int) -> Words | None:
    if now >= expires_at:
        return _HAS_EXPIRED
    if cents > HAND_PAY_CENTS:
        return _OVER.format(f"${HAND_PAY_CENTS // 100:,}")
    return None


# What is asked of the tables


def session_rows(
    streams: Mapping[str, Stream[TableState]], connected: Callable[[str, str], bool]
) -> list[SessionRow]:
    """The first sessions in the order of tables and terminals; `connected(table, session)`: whether
    somebody is there.

    On the loop that serves terminals: of ten thousand sessions only those that are listed are
    looked at closely.
    """
    every = (
        (number_of(name), terminal_of(session) or "~", session, name)
        for name, stream in streams.items()
        for session in stream.state.sessions
    )
    first = heapq.nsmallest(MAX_ROWS, every)
    return [_row(streams[name], session, connected) for _, _, session, name in first]


def _row(
    stream: Stream[TableState], session: str, connected: Callable[[str, str], bool]
) -> SessionRow:
    state = stream.state
    seat = state.sessions[session]
    balance = stream.balances.get(account_of(session), 0)
    stakes = 0
    if state.is_in_play:
        stakes = sum(state.wagers_of(session).values())
    stopped = words_of(seat.stopped)
    return SessionRow(
        table=stream.name,
        session=session,
        terminal=terminal_of(session),
        since=seat.since,
        balance_cents=balance,
        in_play_cents=stakes,
        net_cents=balance + stakes - seat.in_cents,
        loss_cents=seat.loss_cents,
        stopped=stopped or None,
        connected=connected(stream.name, session),
    )


def hand_pays(streams: Mapping[str, Stream[TableState]]) -> Iterator[HandPayView]:
    for name in sorted(streams, key=number_of):
        state = streams[name].state
        proposals = state.proposals
        for number in proposals.of("money"):
            proposal = proposals.waiting[number]
            session = str(proposal.command["session"])
            cents = proposal.command["cents"]
            assert isinstance(cents, int)
            yield HandPayView(
                table=name,
                proposal=number,
                command=str(proposal.command["command"]),
                by=proposal.by,
                at=proposal.at,
                session=session,
                terminal=terminal_of(session),
                cents=cents,
                round=msgspec.convert(proposal.command.get("round", 0), int),
                left=session not in state.sessions,
            )


def credits_of(stream: Stream[TableState]) -> int:
    """Sum credits, stakes and hand pays; credits under way count where they left."""
    balances = stream.balances
    own = sum(cents for account, cents in balances.items() if is_patron(account))
    return own + sum(balances.get(account, 0) for account in (WAGERS, HELD, MOVING))


# A voucher

_UNKNOWN = Words("this house has issued no voucher of that number", "本場沒有發出此號碼的票券")
_VALID = Words("valid, and not redeemed", "有效，尚未兌換")
_REDEEMED = Words("this voucher was redeemed before", "此票券已兌換")
_EXPIRED = Words(
    "this voucher has expired; a second person can approve it", "此票券已過期；可由第二人核准"
)


def _entry(reader: Reader, stream: str, seq: int) -> Entry:
    [entry] = reader.decoded(stream, after=seq - 1, upto=seq)
    return entry


def _who(entry: Entry) -> str:
    """The terminal, "a guest", or the staff: two people where there were two."""
    for event in entry.events:
        if isinstance(event, VoucherIssued | VoucherRedeemed):
            return terminal_of(event.session) or "a guest"
        if isinstance(event, VoucherPaid) and event.approved_by:
            return f"{event.proposed_by} and {event.approved_by}"
    return entry.by
