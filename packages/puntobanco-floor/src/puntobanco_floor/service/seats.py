"""Patrons at the floor: terminals enrolled, seats taken, limits of one's own, credits to vouchers
and back.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Iterator
from dataclasses import dataclass

from puntobanco.base.refusal import Refusal
from puntobanco.rules.causes import Cause, told_of
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.events import Event, MoveRefused, VoucherIssued
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.refusals import AwaitsPayment, EnrolmentRefused, Excluded, NotConfirmed
from puntobanco_floor.domain.stream_names import FLOOR, place_words, terminal_of
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.sessions import is_full
from puntobanco_floor.domain.table.state import Seat, TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service import tickets
from puntobanco_floor.service.administration import must
from puntobanco_floor.service.cross_stream import Moves
from puntobanco_floor.service.dispatch import Commands
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.patron_lookup import Patrons
from puntobanco_floor.service.refusals import (
    CardNeeded,
    NoSuchTable,
    NotMoved,
    Refused,
    SeatedElsewhere,
    SessionOver,
)
from puntobanco_floor.service.tickets import EndedSessions, Ticket, Tickets
from puntobanco_floor.service.voucher_numbers import Paper, Vouchers, by_any_key, parse_number
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.store import Store

CODE_S = 1.5
"""How long a code may take to arrive from the command line or another node."""


@dataclass(frozen=True)
class Seats:
    """What a patron may ask of a floor, but for wagers."""

    store: Store
    follower: Follower
    commands: Commands
    moves: Moves
    tickets: Tickets
    ended: EndedSessions
    patrons: Patrons
    now_ms: NowMs
    ring: KeyRing
    vouchers: Vouchers
    valid_ms: int  # how long a voucher is good
    guest_credits_cents: int  # play credits in a demonstration; 0 elsewhere
    cards_only: bool = False  # nobody plays without a member's card

    async def enrol(self, code: str) -> tuple[str, str]:
        """The terminal and its key, for a code that has not been used."""
        secret = tickets.new_key()
        key = tickets.key_hashes(self.ring, secret)[0]
        hash_ = await self._known(code)
        command = h.EnrolTerminal(by="device", code=hash_, key=key)
        answer = await self.commands.ask_house(command)
        if not answer.ok:
            raise EnrolmentRefused(answer.words)
        await self.follower.caught_up(FLOOR, answer.seq)
        devices = self.follower.house.terminals
        [name] = [name for name, device in devices.items() if device.key == key]
        return name, f"{name}.{secret}"

    async def _known(self, code: str) -> str:
        """Find a code's hash, waiting a little for other nodes. A guess is not stored."""
        until = time.monotonic() + CODE_S
        while True:
            known = {device.code for device in self.follower.house.terminals.values()}
            for hash_ in tickets.code_hashes(self.ring, code):
                if hash_ in known:
                    return hash_
            if time.monotonic() > until:
                raise EnrolmentRefused(say.WRONG_CODE)
            await asyncio.sleep(0.1)

    async def token_at(self, terminal: str, card: str = "") -> str:
        """The session that is at this terminal, or a new one: a device that forgot its ticket finds
        its credits.

        Whoever comes with a card gets nobody else's session: one without credits is over, another
        is cashed out first.
        """
        patron = ""
        if card:
            patron = await self.patrons.of_card(card)
            self.verify_may_play(patron)
        here = [found for found in self._seats() if found[1].startswith(f"{terminal}:")]
        for table, session, seat in here:
            known = "" if seat.patron == session else seat.patron
            if patron in ("", known):
                return self.tickets.token(Ticket(session, known))
            if not await self._left(table, session):
                raise _other_session(terminal)
        session = f"{terminal}:{secrets.token_hex(6)}"
        return self.tickets.token(Ticket(session, patron))

    def _seats(self) -> Iterator[tuple[str, str, Seat]]:
        """Every seat of the floor: the table, the session and the seat."""
        for table, state in self.follower.states().items():
            for session, seat in state.sessions.items():
                yield table, session, seat

    def is_over(self, ticket: Ticket) -> bool:
        """Whether its session has ended, so that it takes no seat again."""
        if not self.ended.may_be(ticket):
            return False
        return all(session != ticket.session for _, session, _ in self._seats())

    def verify_may_play(self, patron: str) -> None:
        if self.follower.house.exclusions_unconfirmed:
            raise NotConfirmed(say.EXCLUSIONS_UNCONFIRMED)
        if not self.follower.house.may_play(patron, self.now_ms()):
            raise Excluded(say.EXCLUDED)

    def _verify_no_payment_waits(self, ticket: Ticket) -> None:
        """Refuses another seat while credits from before a recovery wait to be paid."""
        for table, session, seat in self._seats():
            if seat.by_two and (session == ticket.session or seat.patron == ticket.who):
                raise AwaitsPayment(say.PAID_FIRST.format(place_words(table)))

    async def take(self, table: str, ticket: Ticket, id_: str = "") -> Answer:
        """A seat; in the demonstration with play credits, once. Asked again it is the same seat."""
        stream = self.follower.stream(table)
        refused = await self._seated(table, ticket, id_)
        if refused is not None:
            return refused
        if self._is_owed_credits(stream.state, ticket.session):
            session = ticket.session
            credits_ = c.BuyIn(by="demo", session=session, cents=self.guest_credits_cents)
            # one id for all tries: it has one effect
            credited = await self.commands.ask(table, f"play-credits {session}", credits_)
            if not credited.ok or credited.seq > stream.state.seq:
                return credited
        state = stream.state
        return Answer(id="", ok=True, seq=state.seq, at=state.at)

    def _is_owed_credits(self, state: TableState, session: str) -> bool:
        """Of a guest who brought none from another table."""
        seat = state.sessions.get(session)
        brought = seat is not None and seat.in_cents != 0
        return bool(self.guest_credits_cents) and state.phase != "down" and not brought

    async def _seated(self, table: str, ticket: Ticket, id_: str = "") -> Answer | None:
        """Seat the session where it is not; what is returned is a refusal."""
        if self.cards_only and not ticket.patron:  # who sat before the floor wanted cards, too
            raise CardNeeded(say.CARD_NEEDED)
        if ticket.session in self.follower.stream(table).state.sessions:
            return None
        answer = await self._taken(table, ticket, id_)
        if answer.ok or answer.code == "already-seated":
            return None
        return answer

    async def _taken(self, table: str, ticket: Ticket, id_: str) -> Answer:
        """With what is left of the patron's own limits."""
        self.verify_may_play(ticket.who)
        if self.is_over(ticket):
            raise SessionOver(say.SESSION_OVER)
        self._verify_no_payment_waits(ticket)
        house = self.follower.house
        self._verify_stands(ticket, table)
        for name, session in self._in_the_way(ticket):
            if await self._left(name, session):
                continue
            if session != ticket.session and terminal_of(session) == ticket.terminal:
                raise _other_session(ticket.terminal)
            raise SeatedElsewhere(say.SEATED_ELSEWHERE.format(place_words(name)))
        bounds = house.bounds(ticket.who)
        command = c.SeatSession(
            by=ticket.session,
            session=ticket.session,
            patron=ticket.patron,
            loss_cents=bounds.loss_left_cents,
            play_ms=bounds.play_left_ms,
        )
        return await self.commands.ask(table, id_, command)

    async def move(self, table: str, ticket: Ticket, to: str, id_: str) -> int:
        """Move with all credits; return the entry there, or 0 while under way, or raise why not."""
        self.follower.stream(table)
        request = reservation(table, ticket.session, to, id_)
        try:
            self._verify_may_move(ticket, to)
        except Refusal:
            # asked again it is answered as it was, whatever has become of the tables since
            if await asyncio.to_thread(self.commands.given, request) is None:
                raise
        return await self.take_along(request)

    async def take_along(self, request: Request) -> int:
        """The same without a look at the other table: that one decides alone."""
        table = request.stream
        answer = await must(self.store.asked(request))
        decided = await self.moves.try_to_drive(table, answer.seq)
        if decided is None:
            return 0
        event, seq = decided
        if isinstance(event, MoveRefused):
            raise NotMoved(say.STAYS.format(place_words(table), told_of(event.reason)))
        return seq

    def _verify_may_move(self, ticket: Ticket, to: str) -> None:
        """What is known before anything is reserved; the new table has the last word."""
        if self.cards_only and not ticket.patron:
            raise CardNeeded(say.CARD_NEEDED)
        self.verify_may_play(ticket.who)
        self._verify_stands(ticket, to)
        state = self.follower.stream(to).state
        if state.phase == "down":
            raise NotMoved(Cause("move-table-closed").words)
        if state.halted:
            raise NotMoved(Cause("move-table-halted").words)
        if is_full(state) and ticket.session not in state.sessions:
            raise NotMoved(Cause("move-table-full").words)

    async def leave(self, table: str, session: str, id_: str = "") -> Answer:
        """A seat without credits and wagers."""
        command = c.LeaveSeat(by=session, session=session)
        return await self.commands.ask(table, id_, command)

    def _verify_stands(self, ticket: Ticket, table: str) -> None:
        """Refuses a table at which the terminal does not stand."""
        device = self.follower.house.terminals.get(ticket.terminal)
        if device and device.table not in ("", table):
            place = place_words(device.table)
            raise NoSuchTable(say.STANDS_AT.format(ticket.terminal, place))

    def _in_the_way(self, ticket: Ticket) -> list[tuple[str, str]]:
        """Seats that must be left first: a patron with limits has one, and so has a terminal."""
        is_limited = self.follower.house.bounds(ticket.who).is_set
        if not (is_limited or ticket.terminal):
            return []
        found = list[tuple[str, str]]()
        for table, session, seat in self._seats():
            is_other = session != ticket.session and bool(ticket.terminal)
            is_his = is_limited and seat.patron == ticket.who
            if is_his or (is_other and session.startswith(f"{ticket.terminal}:")):
                found.append((table, session))
        return found

    async def _left(self, table: str, session: str) -> bool:
        """Whether a seat without credits and wagers is left; any other stays."""
        command = c.LeaveSeat(by=FLOOR, session=session)
        answer = await self.commands.ask(table, "", command)
        if answer.ok:
            await self.follower.caught_up(table, answer.seq)
        return answer.ok or answer.code == "not-seated"

    async def limit(
        self, ticket: Ticket, loss_cents: int | None, minutes: int | None, id_: str = ""
    ) -> None:
        """The patron's own limits; narrower ones hold at once, wider ones tomorrow."""
        command = h.LimitPatron(
            by=ticket.session, patron=ticket.who, loss_cents=loss_cents, minutes=minutes
        )
        answer = await must(self.commands.ask_house(command, id_))
        await self.follower.caught_up(FLOOR, answer.seq)

    async def cash_out(self, table: str, session: str, id_: str) -> Paper:
        """Cash out to a voucher; asked again with the same id, it is the same voucher."""
        commands = [
            c.IssueVoucher(by=session, session=session, voucher=one.id, valid_ms=self.valid_ms)
            for one in self.vouchers.numbered(table, session, id_)
        ]
        answer, _ = await by_any_key(
            commands, lambda command: self.commands.ask(table, id_, command)
        )
        if not answer.ok:
            raise Refused(answer)
        paper = await self.issued(table, session, answer)
        assert paper is not None
        return paper

    async def issued(self, table: str, session: str, answer: Answer) -> Paper | None:
        """The voucher that an accepted cash-out issued; none if it was another command."""
        event = await asyncio.to_thread(self._first_event, table, answer.seq)
        if not isinstance(event, VoucherIssued):
            return None
        [number] = [
            one.number
            for one in self.vouchers.numbered(table, session, answer.id)
            if one.id == event.voucher
        ]
        at, seq = answer.at, answer.seq
        return Paper(number, event.cents, event.expires_at, at, table, seq, session)

    def _first_event(self, table: str, seq: int) -> Event:
        """Of an entry: an answer that is given again has no amount."""
        entry = next(self.store.decoded(table, after=seq - 1))
        return entry.events[0]

    async def redeem(self, table: str, ticket: Ticket, number: str, id_: str = "") -> Answer:
        voucher = await asyncio.to_thread(self.vouchers.id_of, parse_number(number))
        session = ticket.session
        refused = await self._seated(table, ticket)
        if refused is not None:
            return refused
        command = c.RedeemVoucher(by=session, session=session, voucher=voucher)
        return await self.commands.ask(table, id_, command)


def reservation(table: str, session: str, to: str, id_: str) -> Request:
    move = move_id(table, session, id_)
    command = c.ReserveMove(by=session, session=session, move=move, to=to)
    return Request(stream=table, id=id_, command=command)


def move_id(table: str, session: str, id_: str) -> str:
    """What a move is called in both streams: the same, asked again; another at another table."""
    return hashlib.blake2b(f"{table} {session} {id_}".encode(), digest_size=12).hexdigest()


def _other_session(terminal: str) -> SeatedElsewhere:
    return SeatedElsewhere(say.OTHER_SESSION.format(terminal))
