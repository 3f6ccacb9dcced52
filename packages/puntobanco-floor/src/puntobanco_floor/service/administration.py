"""Administration: the same for the command line and for HTTP. Secrets are made here and shown
once.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Iterable
from itertools import chain

from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco.rules.causes import Cause, words_of
from puntobanco.rules.definition import digest, game_of
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import Cut
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.stream_names import FLOOR, table_name
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import clock_faults, closing, limit_faults
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.environment import NowMs
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service import tickets
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.service.refusals import Refused, WeakPassword
from puntobanco_floor.service.table_games import Playable, new_pays
from puntobanco_floor.store.batch import Answer
from puntobanco_proof.entry.record import Record

MIN_PASSWORD = 10
STAFF_CODE_LIVES_MS = 3 * 86_400_000
"""A code is given to somebody in person, perhaps at the next shift."""

Ask = Callable[[str, Command], Awaitable[Answer]]
"""Puts a command to a stream, under an id of its own."""


class StaffView(Record):
    name: str
    role: Role
    locked: bool
    disabled: str
    unconfirmed: bool  # since a recovery
    enrolled: bool = True  # with a password that nobody else knows


class NewPay(Record):
    """A line of a game that people here do not know yet."""

    text: Words


class HouseProposal(Record):
    """What waits for a second person."""

    number: int
    by: str
    at: int
    command: str
    person: str  # of the staff; empty where it is about a patron
    role: str
    patron: str
    game: str = ""
    digest: str = ""  # of the game's structure, as `puntobanco table add` prints it
    pays: tuple[NewPay, ...] = ()  # what differs, for who approves


class TerminalView(Record):
    name: str
    table: str
    enrolled: bool
    code_waits: bool  # a code is out that enrols it
    disabled: str


class ExclusionView(Record):
    patron: str
    reason: str
    until: int | None


class TableRow(Record):
    table: str
    game: str
    phase: str
    halted: Words | None
    closing: bool  # it closes when the round in play is over
    round: int
    sessions: int
    limits: e.Limits | None
    clock: e.Clock
    cards: e.Cards
    scheduled: tuple[e.ScheduledChange, ...]  # made when the round in play is over


def staff_of(house: HouseState) -> list[StaffView]:
    return [
        StaffView(
            name=name,
            role=p.role,
            locked=p.is_tried,
            disabled=p.disabled,
            unconfirmed=p.unconfirmed,
            enrolled=house.has_enrolled(name) and bool(p.verifier),
        )
        for name, p in sorted(house.staff.items())
    ]


def proposals_of(house: HouseState, playing: Iterable[TableState]) -> list[HouseProposal]:
    playing = list(playing)
    found = list[HouseProposal]()
    for number, waits in sorted(house.proposals.waiting.items()):
        held = waits.command
        row = HouseProposal(
            number=number,
            by=waits.by,
            at=waits.at,
            command=str(held["command"]),
            person=str(held.get("person") or ""),
            role=str(held.get("role") or ""),
            patron=str(held.get("patron") or ""),
        )
        if held["command"] == h.AllowGame.name():
            row = _with_game(row, held["definition"], playing)
        found.append(row)
    return found


def _with_game(
    row: HouseProposal, definition: object, playing: Iterable[TableState]
) -> HouseProposal:
    assert isinstance(definition, dict)
    game = game_of(definition)
    pays = tuple(NewPay(text=line) for line in new_pays(game, playing))
    return replace(row, game=game.id, digest=digest(game), pays=pays)


def terminals_of(house: HouseState, now: int) -> list[TerminalView]:
    return [
        TerminalView(
            name=name,
            table=d.table,
            enrolled=tickets.is_enrolled(house, name),
            code_waits=bool(d.code) and now < d.expires_at,
            disabled=d.disabled,
        )
        for name, d in sorted(house.terminals.items())
    ]


def exclusions_of(house: HouseState) -> list[ExclusionView]:
    return [
        ExclusionView(patron=p, reason=x.reason, until=x.until)
        for p, x in sorted(house.excluded.items())
    ]


def row_of(table: TableState) -> TableRow:
    halted = words_of(table.halted)
    return TableRow(
        table=table.stream,
        game=table.game.id if table.game else "",
        phase=table.phase,
        halted=halted or None,
        closing=table.closing,
        round=table.rounds,
        sessions=len(table.sessions),
        limits=table.limits,
        clock=table.clock,
        cards=table.cards,
        scheduled=table.scheduled,
    )


async def must(answer: Awaitable[Answer], faults: Iterable[tuple[str, str]] = ()) -> Answer:
    """The answer, where it is yes. `faults` is looked at only where it is no."""
    found = await answer
    if not found.ok:
        raise Refused(found, faults)
    return found


class Made(Record):
    """What was made; its code, shown this once; its proposal if a second person must agree."""

    name: str
    code: str = ""
    proposal: int = 0


def _made(name: str, code: str, answer: Answer) -> Made:
    return Made(name=name, code=code, proposal=answer.proposal or 0)


class Administration:
    """What an administrator does; `by` is who."""

    def __init__(
        self,
        ask: Ask,
        ring: KeyRing,
        passwords: Passwords,
        *,
        by: str,
        now_ms: NowMs,
        new_code: Callable[[], str] = tickets.new_code,
    ) -> None:
        self.ask = ask
        self._new_code = new_code
        self.passwords = passwords
        self._ring = ring
        self.by = by
        self._now_ms = now_ms

    def named(self, by: str) -> Administration:
        """The same by somebody else."""
        return Administration(self.ask, self._ring, self.passwords, by=by, now_ms=self._now_ms)

    async def do(
        self, stream: str, command: c.Command, faults: Iterable[tuple[str, str]] = ()
    ) -> Answer:
        """Give a command; a refusal is raised."""
        return await must(self.ask(stream, command), faults)

    async def open_house(
        self,
        name: str,
        administrator: str,
        password: str,
        *,
        second: tuple[str, str] | None = None,
        demo: bool = False,
        day: Cut = Cut(),  # noqa: B008 - a frozen value
    ) -> None:
        """Open the house; `second` is another administrator and a first password."""
        verifier = self._verifier(password)
        other, verifier_of_other = None, None
        if second is not None:
            other, verifier_of_other = second[0], self._verifier(second[1])
        command = h.OpenHouse(
            by=self.by,
            house=name,
            administrator=administrator,
            verifier=verifier,
            demo=demo,
            zone=day.zone,
            day_starts=day.starts,
            second=other,
            second_verifier=verifier_of_other,
        )
        await self.do(FLOOR, command)

    async def add_staff(self, person: str, role: Role) -> Made:
        """A code with which the owner enrols, or the asker's part of it."""
        code = self._new_code()
        command = h.AddStaff(
            by=self.by,
            person=person,
            role=role,
            code=self._hash(code),
            expires_at=self._now_ms() + STAFF_CODE_LIVES_MS,
        )
        return _made(person, code, await self.do(FLOOR, command))

    async def add_with_password(self, person: str, role: Role, password: str) -> None:
        """For a demonstration, which prints it."""
        verifier = self._verifier(password)
        command = h.AddStaff(by=self.by, person=person, role=role, verifier=verifier)
        await self.do(FLOOR, command)

    async def change_staff(
        self,
        person: str,
        *,
        role: Role | None = None,
        new_code: bool = False,
        disable: str = "",
        enable: bool = False,
    ) -> Made:
        """`new_code`: the owner enrols anew, as where a password or a telephone was lost."""
        code = self._new_code() if new_code else ""
        command = h.ChangeStaff(
            by=self.by,
            person=person,
            role=role,
            disable=disable,
            enable=enable,
            code=self._hash(code) if code else None,
            expires_at=self._now_ms() + STAFF_CODE_LIVES_MS,
        )
        return _made(person, code, await self.do(FLOOR, command))

    async def allow_game(self, found: Playable) -> Answer:
        """A definition that came over HTTP and was checked."""
        definition = found.definition or {}
        command = h.AllowGame(by=self.by, game=found.game.id, definition=dict(definition))
        return await self.do(FLOOR, command)

    async def agree(self, house: HouseState, proposal: int) -> Made:
        """As the second person; the other part of a code is made for who agrees."""
        waits = house.proposals.waiting.get(proposal)
        held = waits.command if waits else {}
        code = self._new_code() if held.get("code") else ""
        command = h.Agree(by=self.by, proposal=proposal, code=self._hash(code) if code else None)
        return _made(str(held.get("person", "")), code, await self.do(FLOOR, command))

    async def turn_down(self, proposal: int, reason: str) -> None:
        await self.do(FLOOR, h.TurnDown(by=self.by, proposal=proposal, reason=reason))

    async def confirm_staff(self, person: str) -> None:
        """After a recovery: somebody else is on the staff as the journal has it."""
        await self.do(FLOOR, h.ConfirmStaff(by=self.by, person=person))

    def _verifier(self, password: str) -> str:
        if len(password) < MIN_PASSWORD:
            raise WeakPassword(f"a password has at least {MIN_PASSWORD} characters")
        return self.passwords.verifier(password)

    def _hash(self, code: str) -> str:
        return tickets.code_hashes(self._ring, code)[0]

    async def add_terminal(self, terminal: str, table: int | None = None) -> str:
        """The code that enrols it, once and within the hour."""
        code = self._new_code()
        command = h.AddTerminal(
            by=self.by,
            terminal=terminal,
            code=self._hash(code),
            expires_at=self._now_ms() + tickets.CODE_LIVES_MS,
            table=table_name(table) if table else "",
        )
        await self.do(FLOOR, command)
        return code

    async def change_terminal(
        self, terminal: str, *, table: int | None = None, new_code: bool = False, disable: str = ""
    ) -> str | None:
        """Table 0 is anywhere. A new code or a reason to disable revokes the device's key."""
        code = self._new_code() if new_code else None
        expires_at = h.MAX_MS
        if code:
            expires_at = self._now_ms() + tickets.CODE_LIVES_MS
        stands_at = None
        if table is not None:
            stands_at = table_name(table) if table else ""
        command = h.ChangeTerminal(
            by=self.by,
            terminal=terminal,
            table=stands_at,
            code=self._hash(code) if code else None,
            disable=disable,
            expires_at=expires_at,
        )
        await self.do(FLOOR, command)
        return code

    async def add_table(
        self,
        number: int,
        opened: Playable,
        *,
        limits: e.Limits | None = None,
        clock: e.Clock,
        cards: e.Cards = e.Cards(),  # noqa: B008 - a frozen value
        physical: bool = False,
    ) -> None:
        """Open a table; a `physical` one gets its first shoe unless people count or turn cards."""
        name = table_name(number)
        if physical:
            cards = replace(cards, dealing="physical")
        command = c.OpenTable(
            by=self.by,
            game=opened.game.id,
            definition=opened.definition,
            source=opened.source,
            limits=limits,
            clock=clock,
            cards=cards,
        )
        limits_wrong = limit_faults(opened.game, limits) if limits else ()
        await self.do(name, command, chain(limits_wrong, clock_faults(clock)))
        if physical and not cards.count_shoes and cards.burn != "first-card":
            await self.do(name, c.NewShoe(by=self.by))

    async def change_table(
        self,
        table: TableState,
        *,
        limits: e.Limits | None = None,
        clock: e.Clock | None = None,
        cards: e.Cards | None = None,
        closed: Collection[str] | None = None,
    ) -> None:
        """Takes effect between rounds. `closed`: these bets and no others are closed."""
        if closed is not None:
            limits = limits or table.next_round.limits
        if closed is not None and limits is not None:
            limits = closing(limits, closed)
        if limits is not None:
            changed = c.ChangeLimits(by=self.by, limits=limits)
            faults = limit_faults(table.game, limits) if table.game else ()
            await self.do(table.stream, changed, faults)
        if clock is not None:
            timed = c.ChangeClock(by=self.by, clock=clock)
            await self.do(table.stream, timed, clock_faults(clock))
        if cards is not None:
            dealt = c.ChangeCards(by=self.by, cards=cards)
            await self.do(table.stream, dealt)

    async def disable_table(self, table: TableState, reason: Cause) -> bool:
        """Close the table now, or after the round in play by the clock; say whether it is."""
        if not table.is_in_play:
            close = c.CloseTable(by=self.by, reason=reason)
            answer = await self.ask(table.stream, close)
            if answer.ok:
                return True
            if answer.code != "not-now":  # else a round has opened meanwhile
                raise Refused(answer)
        halt = c.HaltTable(by=self.by, reason=reason, closes=True)
        await self.do(table.stream, halt)
        return False
