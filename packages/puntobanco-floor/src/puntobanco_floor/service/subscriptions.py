"""Live views: a screen subscribes to topics and is sent the whole view again after every change.

A topic is `lobby` or `dealer:3`. Few subscribe to these, so a view is made whole, once for all who
see the same, and not more often than people can read. Nobody is sent what he may not see.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.events import Role
from puntobanco_floor.domain.stream_names import CAGE, FLOOR, is_table
from puntobanco_floor.environment import NowMs
from puntobanco_floor.service.refusals import NoSuchView
from puntobanco_floor.service.roles import Person, may_see
from puntobanco_floor.service.staff_logins import Logins
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import Connection, Heartbeat
from puntobanco_floor.service.view_builder import Screens
from puntobanco_floor.settings import Settings
from puntobanco_proof.entry.record import Record

CHECK_S = 5.0
"""How often a login is looked at again while its screen is connected."""

SCREENS_OF_A_LOGIN = 20
"""Screens at once of one login."""

EACH_S = 0.000_25
"""Debounce for the public: with more viewers each view is later, at the same total rate."""

LOG_IN_AGAIN = (4401, "log in again")

_log = logging.getLogger("puntobanco.views")

Made = bytes | wire.NotSeen
"""A view as JSON, or why there is none."""

Make = Callable[[Screens, int, Role | None], Awaitable[Record]]


@dataclass(frozen=True)
class Kind:
    """One kind of view; with `every_s` it is made again at that interval for subscribers."""

    make: Make
    sees: str | None  # what a role must be allowed to look at; none for everybody
    grain_s: float  # a debounce: not sent more often than this
    streams: Callable[[str, int], bool]  # whether a change of a stream changes it
    numbered: bool = False
    by_role: bool = False
    every_s: float | None = None


async def _lobby(screens: Screens, _: int, __: Role | None) -> Record:
    return screens.lobby()


async def _table(screens: Screens, number: int, _: Role | None) -> Record:
    return screens.table(f"table:{number}")


async def _dealer(screens: Screens, number: int, _: Role | None) -> Record:
    return screens.dealer(f"table:{number}")


async def _pit(screens: Screens, _: int, role: Role | None) -> Record:
    assert role is not None
    return await screens.pit(role)


async def _cage(screens: Screens, number: int, _: Role | None) -> Record:
    return await screens.cage(number)


async def _house(screens: Screens, _: int, role: Role | None) -> Record:
    assert role is not None
    return screens.house(role)


def _of_table(stream: str, number: int) -> bool:
    return stream == f"table:{number}"


def _of_floor(stream: str, _: int) -> bool:
    return stream == FLOOR or is_table(stream)


def _of_all(stream: str, number: int) -> bool:
    return _of_floor(stream, number) or stream.startswith(CAGE)


def _of_window(stream: str, number: int) -> bool:
    return stream == f"{CAGE}{number}"


KINDS = {
    "lobby": Kind(_lobby, None, 0.3, _of_floor),
    "table": Kind(_table, None, 0.04, _of_table, numbered=True),
    "dealer": Kind(_dealer, "dealer", 0.04, _of_table, numbered=True),
    "pit": Kind(_pit, "pit", 0.5, _of_all, by_role=True, every_s=1.0),
    "cage": Kind(_cage, "cage", 0.2, _of_window, numbered=True, every_s=2.0),
    "house": Kind(_house, "house", 0.3, _of_floor, by_role=True),
}


@dataclass(frozen=True)
class Topic:
    text: str
    kind: Kind
    number: int
    role: Role | None  # where the view differs by role


class Viewer(Connection):
    """A screen; `token` is a staff login's, or empty: then its address is counted."""

    __slots__ = ("address", "token", "topics")

    def __init__(self, most: int, token: str, address: str = "") -> None:
        super().__init__(most, close=LOG_IN_AGAIN)
        self.token = token
        self.address = address
        self.topics = frozenset[Topic]()


def topic(text: str, person: Person | None) -> Topic:
    """Find a topic by its text; refuse one that does not exist or that they may not see."""
    name, _, number = text.partition(":")
    kind = KINDS.get(name)
    if kind is None or not _is_number(number, wanted=kind.numbered):
        raise NoSuchView(f"there is no view {text:.40}")
    if kind.sees is not None:
        if person is None:
            raise NoSuchView(say.LOG_IN)
        if not may_see(person.role, kind.sees):
            raise NoSuchView(f"the role {person.role} may not see: {kind.sees}")
    role = person.role if person and kind.by_role else None
    return Topic(text, kind, int(number or 0), role)


def _not_seen(what: str, refusal: Refusal) -> wire.NotSeen:
    return wire.NotSeen(what=what, reason=refusal.words)


def _public(topics: Iterable[Topic]) -> int:
    return sum(found.kind.sees is None for found in topics)


def _is_number(text: str, *, wanted: bool) -> bool:
    """The number after a topic's colon, or nothing where none is wanted."""
    if not wanted:
        return not text
    return text.isascii() and text.isdigit() and len(text) <= 7


class LiveViews:
    """Who is subscribed to what on this node. All of it on the event loop."""

    def __init__(
        self, screens: Screens, logins: Logins, heartbeat: Heartbeat, now_ms: NowMs
    ) -> None:
        self._screens = screens
        self._logins = logins
        self._heartbeat = heartbeat
        self._now_ms = now_ms
        self._rooms: defaultdict[Topic, set[Viewer]] = defaultdict(set)
        # topics that wait for their time: when that is, and the task that waits
        self._due = dict[Topic, tuple[float, asyncio.Task[None]]]()
        self._sent = dict[Topic, Made]()  # a cache: what did not change is not sent again
        self._viewers = set[Viewer]()
        self._public_topics = 0  # subscriptions to what everybody may see
        self._public = Counter[str]()  # viewers without a login, by address
        self._staff = Counter[str]()  # and those with one, by login
        self._checking: asyncio.Task[None] | None = None

    def __len__(self) -> int:
        return len(self._viewers)

    def has_room(self, viewer: Viewer, settings: Settings) -> bool:
        """Counted apart: however many of the public watch, the staff are let in."""
        if viewer.token:
            is_full = self._staff.total() >= settings.staff_viewers
            return not is_full and self._staff[viewer.token] < SCREENS_OF_A_LOGIN
        is_full = self._public.total() >= settings.viewers
        return not is_full and self._public[viewer.address] < settings.viewers_per_address

    def _counted(self, viewer: Viewer) -> tuple[Counter[str], str]:
        if viewer.token:
            return self._staff, viewer.token
        return self._public, viewer.address

    def add(self, viewer: Viewer) -> None:
        self._viewers.add(viewer)
        counts, key = self._counted(viewer)
        counts[key] += 1
        self._heartbeat.add(viewer)
        if self._checking is None:
            self._checking = asyncio.ensure_future(self._check())

    def discard(self, viewer: Viewer) -> None:
        if viewer not in self._viewers:
            return
        self._viewers.discard(viewer)
        counts, key = self._counted(viewer)
        counts[key] -= 1
        if not counts[key]:
            del counts[key]
        self._heartbeat.discard(viewer)
        self._move(viewer, frozenset())

    def subscribe(self, viewer: Viewer, wanted: Iterable[str]) -> None:
        """From now on these topics, and no others; each is sent at once."""
        person = None
        if viewer.token:
            person = self._logins.looking(viewer.token)
        topics = set[Topic]()
        for text in wanted:
            try:
                topics.add(topic(text, person))
            except NoSuchView as refusal:
                viewer.put(wire.write(_not_seen(text[:60], refusal)))
        self._move(viewer, frozenset(topics))
        for found in topics:
            made = self._sent.get(found)
            if made is None:
                self._soon(found, 0.0)
            else:  # to who asks alone: others have it, and nothing is made for it
                viewer.put(self._written(found, made))

    def _move(self, viewer: Viewer, topics: frozenset[Topic]) -> None:
        for old in viewer.topics - topics:
            self._rooms[old].discard(viewer)
            if not self._rooms[old]:
                del self._rooms[old]
                self._sent.pop(old, None)
        for new in topics:
            self._rooms[new].add(viewer)
        self._public_topics += _public(topics) - _public(viewer.topics)
        viewer.topics = topics

    def changed(self, stream: str, _: object = ()) -> None:
        for found in list(self._rooms):
            if found.kind.streams(stream, found.number):
                self._soon(found, self._grain_s(found))

    def _grain_s(self, found: Topic) -> float:
        grain_s = found.kind.grain_s
        if found.kind.sees is not None:
            return grain_s
        return max(grain_s, EACH_S * self._public_topics)

    def _soon(self, found: Topic, after_s: float) -> None:
        """After so long, or sooner where it is due sooner."""
        at = time.monotonic() + after_s
        due_at, waiting = self._due.get(found, (math.inf, None))
        if at >= due_at:
            return
        if waiting is not None:
            waiting.cancel()
        self._due[found] = at, asyncio.ensure_future(self._send(found, after_s))

    async def _send(self, found: Topic, after_s: float) -> None:
        await asyncio.sleep(after_s)
        self._due.pop(found, None)  # a change from now on is another one
        if found not in self._rooms:
            return
        made: Made
        try:
            view = await found.kind.make(self._screens, found.number, found.role)
            made = msgspec.json.encode(view)
        except Refusal as refusal:
            made = _not_seen(found.text, refusal)
        except Exception:
            _log.exception("view %s failed; its screens keep the last one", found.text)
            return
        if found not in self._rooms:
            return
        if self._sent.get(found) != made:
            self._sent[found] = made
            self._put(found, self._written(found, made))
        if found.kind.every_s is not None and isinstance(made, bytes):
            self._soon(found, found.kind.every_s)

    def _written(self, found: Topic, made: Made) -> bytes:
        if not isinstance(made, bytes):
            return wire.write(made)
        return wire.write(wire.View(what=found.text, at=self._now_ms(), view=msgspec.Raw(made)))

    def _put(self, found: Topic, data: bytes) -> None:
        for viewer in list(self._rooms.get(found, ())):
            if self._may_look(viewer, found):
                viewer.put(data)
            else:
                self._end(viewer)

    def _may_look(self, viewer: Viewer, found: Topic) -> bool:
        """Asked before every message: a login may have ended, or its role have changed."""
        if found.kind.sees is None:
            return True
        person = self._logins.looking(viewer.token)
        if person is None or not may_see(person.role, found.kind.sees):
            return False
        return found.role in (None, person.role)

    def _end(self, viewer: Viewer) -> None:
        self.discard(viewer)
        viewer.end(wire.bye(say.LOG_IN))

    async def _check(self) -> None:
        """Logins that are over, here or at another node, see nothing more."""
        while self._viewers:
            await asyncio.sleep(CHECK_S)
            for viewer in [viewer for viewer in self._viewers if viewer.token]:
                try:
                    await self._logins.recall(viewer.token, is_used=False)
                except Exception:
                    _log.exception("login lookup failed; tried again in %g s", CHECK_S)
                    continue
                if self._logins.looking(viewer.token) is None and viewer in self._viewers:
                    self._end(viewer)
        self._checking = None
