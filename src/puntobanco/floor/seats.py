"""Patrons at the floor: terminals enrolled, seats taken, limits of one's own, credits to vouchers
and back.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from typing import TYPE_CHECKING

from puntobanco.events import VoucherIssued
from puntobanco.floor import tickets, vouchers
from puntobanco.floor.admin import Refused
from puntobanco.floor.refusals import NoSuchTable, SeatedElsewhere
from puntobanco.floor.tickets import Ticket
from puntobanco.house import commands as h
from puntobanco.house.refusals import WRONG_CODE, EnrolmentRefused, Excluded
from puntobanco.house.state import DAY_MS
from puntobanco.journal import read_entry
from puntobanco.names import FLOOR, terminal_of
from puntobanco.storage.batch import Answer
from puntobanco.table import commands as c

if TYPE_CHECKING:
    from puntobanco.floor.service import Floor

CODE_S = 1.5
"""How long a code that nobody here knows may take to come from where it was made: the command line,
another node.
"""


class Seats:
    """What a patron may ask of a floor, but for wagers."""

    def __init__(self, floor: Floor, voucher_key: bytes) -> None:
        self._floor, self._voucher_key = floor, voucher_key

    async def enrol(self, code: str) -> tuple[str, str]:
        """The terminal and its key, for a code that has not been used."""
        hashed, secret = tickets.code_hash(code), tickets.new_key()
        until = time.monotonic() + CODE_S
        while not any(device.code == hashed for device in self._floor.house.terminals.values()):
            if time.monotonic() > until:  # a guess: not even the refusal is stored
                raise EnrolmentRefused(WRONG_CODE)
            await asyncio.sleep(0.1)
        answer = await self._floor.ask_house(
            h.EnrolTerminal(by="device", code=hashed, key=tickets.key_hash(secret))
        )
        if not answer.ok:
            raise EnrolmentRefused(answer.reason)
        await self._floor.caught_up(FLOOR, answer.seq)
        [name] = [
            name
            for name, d in self._floor.house.terminals.items()
            if d.key == tickets.key_hash(secret)
        ]
        return name, f"{name}.{secret}"

    async def token_at(self, terminal: str, patron: str = "") -> str:
        """The session that is at this terminal, or a new one: a device that forgot its ticket finds
        its credits.

        Whoever comes with a card gets nobody else's session: one without credits is over, another
        is cashed out first.
        """
        if patron:
            self.verify_may_play(patron)
        for name, stream in list(self._floor.streams.items()):
            for session, seat in stream.state.sessions.items():
                if session.startswith(f"{terminal}:"):
                    known = "" if seat.patron == session else seat.patron
                    if patron in ("", known):
                        return self._floor.tickets.token(Ticket(session, known), self._floor.house)
                    if not await self._left(name, session):
                        raise SeatedElsewhere(
                            f"another session plays at terminal {terminal}; it is cashed out first"
                        )
        return self._floor.tickets.token(
            Ticket(f"{terminal}:{secrets.token_hex(6)}", patron), self._floor.house
        )

    def verify_may_play(self, patron: str) -> None:
        excluded = self._floor.house.excludes(patron, int(time.time() * 1000))
        if excluded:
            raise Excluded("this patron may not play here; the staff can say more")

    async def take(self, table: str, ticket: Ticket) -> Answer:
        """A seat; in the demonstration with play credits, once. Asked again it is the same seat."""
        stream, session = self._floor.stream(table), ticket.session
        if session not in stream.state.sessions:
            answer = await self._taken(table, ticket)
            if not answer.ok and answer.code != "already-seated":
                return answer
        if self._floor.demo and stream.state.phase != "down":
            credited = await self._credited(table, session)
            if not credited.ok or credited.seq > stream.state.seq:
                return credited
        return Answer(id="", ok=True, seq=stream.state.seq, at=stream.state.at)

    async def _credited(self, table: str, session: str) -> Answer:
        """A guest's play credits at this table. One id for all tries: however often it is asked, it
        has one effect.
        """
        command = c.BuyIn(
            by="demo", session=session, cents=self._floor.settings.guest_credits_cents
        )
        return await self._floor.ask(table, f"play-credits {session}", command)

    async def _taken(self, table: str, ticket: Ticket) -> Answer:
        """With what is left of the patron's own limits."""
        self.verify_may_play(ticket.who)
        device = self._floor.house.terminals.get(ticket.terminal) if ticket.terminal else None
        if device and device.table not in ("", table):
            raise NoSuchTable(f"terminal {ticket.terminal} stands at {device.table}")
        for name, session in self._in_the_way(ticket):
            if not await self._left(name, session):
                raise SeatedElsewhere(
                    f"another session plays at terminal {ticket.terminal}; it is cashed out first"
                    if session != ticket.session and terminal_of(session) == ticket.terminal
                    else f"you have set yourself limits and sit at {name}; leave that table first"
                )
        left = self._floor.house.bounds(ticket.who)
        command = c.SeatSession(
            by=ticket.session,
            session=ticket.session,
            patron=ticket.patron,
            loss_cents=left.loss_left_cents,
            play_ms=left.play_left_ms,
        )
        return await self._floor.ask(table, secrets.token_hex(8), command)

    def _in_the_way(self, ticket: Ticket) -> list[tuple[str, str]]:
        """Seats that must be left first: a patron with limits has one, and so has a terminal."""
        is_limited, at_terminal = self._floor.house.bounds(ticket.who).is_set, f"{ticket.terminal}:"
        if not (is_limited or ticket.terminal):
            return []
        return [
            (name, session)
            for name, stream in self._floor.streams.items()
            for session, seat in stream.state.sessions.items()
            if (is_limited and seat.patron == ticket.who)
            or (session != ticket.session and ticket.terminal and session.startswith(at_terminal))
        ]

    async def _left(self, table: str, session: str) -> bool:
        """Whether a seat without credits and wagers is left; any other stays."""
        answer = await self._floor.ask(
            table, secrets.token_hex(8), c.LeaveSeat(by=FLOOR, session=session)
        )
        if answer.ok:
            await self._floor.caught_up(table, answer.seq)
        return answer.ok or answer.code == "not-seated"

    async def limit(self, ticket: Ticket, loss_cents: int | None, minutes: int | None) -> None:
        """The patron's own limits; narrower ones hold at once, wider ones tomorrow."""
        command = h.LimitPatron(
            by=ticket.session, patron=ticket.who, loss_cents=loss_cents, minutes=minutes
        )
        answer = await self._floor.ask_house(command)
        if not answer.ok:
            raise Refused(answer)
        await self._floor.caught_up(FLOOR, answer.seq)

    async def cash_out(self, table: str, session: str, id_: str) -> vouchers.Paper:
        """All credits to a voucher. Asked again with the same id, it is the same voucher: its
        number cannot be lost.
        """
        number = vouchers.number_for(self._voucher_key, table, session, id_)
        command = c.IssueVoucher(
            by=session,
            session=session,
            voucher=vouchers.voucher_id(number),
            valid_ms=self._floor.settings.voucher_days * DAY_MS,
        )
        answer = await self._floor.ask(table, id_, command)
        if not answer.ok:
            raise Refused(answer)
        entries = await asyncio.to_thread(
            lambda: next(self._floor.store.entries(table, after=answer.seq - 1))
        )
        [issued, *_] = read_entry(entries[1], stream=table, seq=answer.seq).events
        assert isinstance(issued, VoucherIssued)
        return vouchers.Paper(
            number, issued.cents, issued.expires_at, answer.at, table, answer.seq, session
        )

    async def redeem(self, table: str, ticket: Ticket, number: str) -> Answer:
        voucher, session = vouchers.voucher_id(vouchers.parse_number(number)), ticket.session
        if session not in self._floor.stream(table).state.sessions:
            answer = await self._taken(table, ticket)
            if not answer.ok and answer.code != "already-seated":
                return answer
        return await self._floor.ask(
            table,
            secrets.token_hex(8),
            c.RedeemVoucher(by=session, session=session, voucher=voucher),
        )
