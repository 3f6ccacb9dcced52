"""Live views for lobbies, displays and the staff: whole, sent again after every change, and to
nobody who may not look.

A topic is `lobby` or `dealer:3`. Few watch these, so a view is made whole and anew, once for all
who see the same, and not more often than people can read.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from puntobanco.events import Record, Role
from puntobanco.floor import admin
from puntobanco.floor.roles import Person, may_see
from puntobanco.floor.terminals import wire
from puntobanco.floor.terminals.connections import Watching
from puntobanco.floor.views.roads import Cell, Counts
from puntobanco.floor.views.table import LastView, TableView
from puntobanco.names import CAGE, FLOOR, is_table
from puntobanco.rules.refusals import Refusal

if TYPE_CHECKING:
    from puntobanco.floor.service import Floor

CHECK_S = 5.0
"""How often a login is looked at anew while somebody watches."""

_log = logging.getLogger("puntobanco.views")


class LobbyTable(Record):
    """A table as the lobby shows it."""

    table: str
    number: int
    game: str
    title: str
    title_zh: str
    rules: str
    deck: str
    decks: int | None
    phase: str
    round: int
    shoe: int | None
    betting_ms: int | None
    closes_at: int | None
    announce_open: str
    announce_close: str
    halted: str
    closing: bool
    counts: Counts
    last: LastView | None
    big: tuple[Cell, ...]
    min_cents: int
    max_cents: int
    closed: list[
        tuple[str, str]
    ]  # bets that take no wagers now: their titles in English and Chinese
    seated: int
    dealt_by: str


class Lobby(Record):
    house: str
    demo: bool
    stopped: str
    odds: bool  # whether everybody may see the odds lab
    tables: list[LobbyTable]


class HouseView(Record):
    """What an administrator sees; a list is none where the role may not see it."""

    house: str
    demo: bool
    stopped: str
    tables: list[admin.TableRow]
    staff: list[admin.StaffView] | None
    terminals: list[admin.TerminalView] | None
    exclusions: list[admin.ExclusionView] | None


def lobby(floor: Floor) -> Lobby:
    tables = [
        _lobby_table(view, len(floor.stream(view.table).state.sessions)) for view in floor.tables()
    ]
    public = floor.settings.odds_lab == "public"
    return Lobby(
        house=floor.house.name,
        demo=floor.demo,
        stopped=floor.house.stopped,
        odds=public,
        tables=tables,
    )


def _lobby_table(view: TableView, seated: int) -> LobbyTable:
    same = {
        name: getattr(view, name) for name in LobbyTable.__struct_fields__ if hasattr(view, name)
    }
    taken = [bet for bet in view.bets if not bet.limits.closed]
    limits = [bet.limits for bet in taken if bet.main] or [bet.limits for bet in taken]
    least, most = min(limit.min_cents for limit in limits), max(limit.max_cents for limit in limits)
    closed = [(bet.title, bet.title_zh) for bet in view.bets if bet.limits.closed]
    return LobbyTable(
        **same, big=view.roads.big, min_cents=least, max_cents=most, closed=closed, seated=seated
    )


def house(floor: Floor, role: Role) -> HouseView:
    found = floor.house
    return HouseView(
        house=found.name,
        demo=floor.demo,
        stopped=found.stopped,
        tables=[admin.row_of(stream.state) for _, stream in sorted(floor.streams.items())],
        staff=admin.staff_of(found) if may_see(role, "staff") else None,
        terminals=admin.terminals_of(found, int(time.time() * 1000))
        if may_see(role, "terminals")
        else None,
        exclusions=admin.exclusions_of(found) if may_see(role, "exclusions") else None,
    )


Make = Callable[["Floor", int, Role | None], Awaitable[Any]]


@dataclass(frozen=True)
class Kind:
    """One kind of view. `every_s`: it also changes by itself, and is looked at so often while
    somebody watches.
    """

    make: Make
    sees: str | None  # what a role must be allowed to look at; none for everybody
    grain_s: float  # not sent more often than this
    streams: Callable[[str, int], bool]  # whether a change of a stream changes it
    numbered: bool = False
    by_role: bool = False
    every_s: float | None = None


async def _lobby(floor: Floor, _: int, __: Role | None) -> Lobby:
    return lobby(floor)


async def _table(floor: Floor, number: int, _: Role | None) -> TableView:
    return floor.table(f"table:{number}")


async def _dealer(floor: Floor, number: int, _: Role | None) -> Record:
    return floor.dealer(f"table:{number}")


async def _pit(floor: Floor, _: int, role: Role | None) -> Record:
    assert role is not None
    return await floor.board(role)


async def _cage(floor: Floor, number: int, _: Role | None) -> Record:
    return await floor.cage_window(number)


async def _house(floor: Floor, _: int, role: Role | None) -> HouseView:
    assert role is not None
    return house(floor, role)


def _of_table(stream: str, number: int) -> bool:
    return stream == f"table:{number}"


def _of_all(stream: str, _: int) -> bool:
    return stream == FLOOR or is_table(stream) or stream.startswith(CAGE)


def _of_window(stream: str, number: int) -> bool:
    return stream == f"{CAGE}{number}"


KINDS = {
    "lobby": Kind(_lobby, None, 0.3, lambda stream, _: stream == FLOOR or is_table(stream)),
    "table": Kind(_table, None, 0.04, _of_table, numbered=True),
    "dealer": Kind(_dealer, "dealer", 0.04, _of_table, numbered=True),
    "pit": Kind(
        _pit,
        "pit",
        0.5,
        _of_all,
        by_role=True,
        every_s=1.0,
    ),
    "cage": Kind(_cage, "cage", 0.2, _of_window, numbered=True, every_s=2.0),
    "house": Kind(
        _house, "house", 0.3, lambda stream, _: stream == FLOOR or is_table(stream), by_role=True
    ),
}


@dataclass(frozen=True)
class Topic:
    text: str
    kind: Kind
    number: int
    role: Role | None  # where the view differs by role


class Viewer(Watching):
    """A connection that watches topics."""

    __slots__ = ("token", "topics")

    def __init__(self, most: int, token: str) -> None:
        super().__init__("", "", most)
        self.token, self.topics = token, frozenset[Topic]()
        self.close = (4401, "log in again")


def topic(text: str, person: Person | None) -> Topic:
    """What somebody asks to watch; refused where there is no such thing, or it is not theirs to
    see.
    """
    name, _, number = text.partition(":")
    kind = KINDS.get(name)
    if (
        kind is None
        or kind.numbered != bool(number)
        or not (number or "0").isascii()
        or len(number) > 7
    ):
        raise NoSuchView(f"there is no view {text:.40}")
    if kind.numbered and not number.isdigit():
        raise NoSuchView(f"there is no view {text:.40}")
    if kind.sees is not None and (person is None or not may_see(person.role, kind.sees)):
        raise NoSuchView(
            "log in" if person is None else f"the role {person.role} may not see: {kind.sees}"
        )
    return Topic(text, kind, int(number or 0), person.role if person and kind.by_role else None)


class NoSuchView(Refusal):
    """A view that is none, or not for who asks."""


class Views:
    """Who watches what on this node. All of it on the loop that serves terminals; each view is made
    once for all.
    """

    def __init__(self, floor: Floor) -> None:
        self._floor = floor
        self._rooms: defaultdict[Topic, set[Viewer]] = defaultdict(set)
        self._due = dict[
            Topic, tuple[float, asyncio.Task[None]]
        ]()  # those that still wait for their time
        self._sent = dict[Topic, bytes]()
        self._viewers = set[Viewer]()
        self._checking: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._viewers)

    def __iter__(self) -> Iterator[Viewer]:
        return iter(list(self._viewers))

    def add(self, viewer: Viewer) -> None:
        self._viewers.add(viewer)
        self._floor.beat.begin()
        if self._checking is None:
            self._checking = asyncio.ensure_future(self._check())

    def discard(self, viewer: Viewer) -> None:
        self._viewers.discard(viewer)
        self._move(viewer, frozenset())

    def watch(self, viewer: Viewer, wanted: Iterable[str]) -> None:
        """From now on these topics, and no others; each is sent at once."""
        person = self._floor.logins.looking(viewer.token) if viewer.token else None
        topics = set[Topic]()
        for text in wanted:
            try:
                topics.add(topic(text, person))
            except NoSuchView as refusal:
                viewer.put(wire.write(wire.NotSeen(what=text[:60], reason=refusal.reason)))
        self._move(viewer, frozenset(topics))
        for found in topics:
            self._sent.pop(found, None)  # who comes new has not seen it
            self._soon(found, 0.0)

    def _move(self, viewer: Viewer, topics: frozenset[Topic]) -> None:
        for old in viewer.topics - topics:
            self._rooms[old].discard(viewer)
            if not self._rooms[old]:
                del self._rooms[old]
                self._sent.pop(old, None)
        for new in topics:
            self._rooms[new].add(viewer)
        viewer.topics = topics

    def changed(self, stream: str) -> None:
        for found in list(self._rooms):
            if found.kind.streams(stream, found.number):
                self._soon(found, found.kind.grain_s)

    def _soon(self, found: Topic, after_s: float) -> None:
        """After so long, or sooner where it is due sooner."""
        at, (due_at, waiting) = time.monotonic() + after_s, self._due.get(found, (math.inf, None))
        if at < due_at:
            if waiting is not None:
                waiting.cancel()
            self._due[found] = at, asyncio.ensure_future(self._send(found, after_s))

    async def _send(self, found: Topic, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self._due.pop(found, None)  # a change from now on is another one
        if found not in self._rooms:
            return
        try:
            view = await found.kind.make(self._floor, found.number, found.role)
        except Refusal as refusal:
            self._put(found, wire.write(wire.NotSeen(what=found.text, reason=refusal.reason)))
            return
        except Exception:
            _log.exception("the view %s failed", found.text)
            return
        body = msgspec.json.encode(view)
        if self._sent.get(found) != body:
            self._sent[found] = body
            now = int(time.time() * 1000)
            self._put(found, wire.write(wire.View(what=found.text, at=now, view=msgspec.Raw(body))))
        if found.kind.every_s is not None and found in self._rooms:
            self._soon(found, found.kind.every_s)

    def _put(self, found: Topic, message: bytes) -> None:
        for viewer in list(self._rooms.get(found, ())):
            if self._may_look(viewer, found):
                viewer.put(message)

    def _may_look(self, viewer: Viewer, found: Topic) -> bool:
        if found.kind.sees is None:
            return True
        person = self._floor.logins.looking(viewer.token)
        if (
            person is None
            or not may_see(person.role, found.kind.sees)
            or found.role not in (None, person.role)
        ):
            self._end(viewer)
            return False
        return True

    def _end(self, viewer: Viewer) -> None:
        self.discard(viewer)
        viewer.end(wire.write(wire.Bye(reason="log in again")))

    async def _check(self) -> None:
        """Logins that are over, here or at another node, see nothing more."""
        while self._viewers:
            await asyncio.sleep(CHECK_S)
            for viewer in [viewer for viewer in self._viewers if viewer.token]:
                try:
                    await self._floor.logins.recall(viewer.token, is_used=False)
                except Exception:
                    _log.exception("a login could not be looked up")
                    continue
                if self._floor.logins.looking(viewer.token) is None and viewer in self._viewers:
                    self._end(viewer)
        self._checking = None
