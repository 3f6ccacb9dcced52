"""Broadcast: what happens at a table to every terminal there, and each session's own credits to its
own.

Everybody hears journal events without their private fields. Patrons' lines, notes by staff for
staff, names of staff and counts of remaining cards stay private: each kind says which fields
(`traits.private`). Changes of the view, and all words, go beside the event (`views.changes`), so
a client needs to know no kind to follow a table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

import msgspec

from puntobanco.base.record import Record
from puntobanco_floor.domain import refusals as say
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.events import Event
from puntobanco_floor.environment import NowMs
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service.follower import Follower
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import Heartbeat, Rooms, Terminal
from puntobanco_floor.service.tickets import Tickets
from puntobanco_floor.service.view_builder import Screens
from puntobanco_floor.views.table_view import TableView, changes

REVOKED = wire.bye(say.NO_LONGER_ENROLLED)
TOO_MANY = wire.bye(say.TOO_MANY_WATCH)
PAGES_OF_A_SESSION = 8
"""Sockets at once of one session at one table."""


@dataclass(frozen=True)
class Broadcast:
    """The terminals that are connected to this node."""

    follower: Follower
    screens: Screens
    rooms: Rooms
    tickets: Tickets
    heartbeat: Heartbeat
    work: FloorWork
    now_ms: NowMs
    most_waiting: int  # messages that wait for a terminal that reads slowly
    # by table, where somebody is connected: the view that the next changes are told from
    _told: dict[str, TableView] = field(default_factory=dict)

    def connect(self, table: str, session: str) -> Terminal:
        """A connection; its first message is the whole view."""
        key = self.tickets.key_of(session) or ""
        terminal = Terminal(table, session, self.most_waiting, key=key)
        self.work.connections += 1
        terminal.put(self.welcome(table, session))
        if not self.rooms[table]:
            self._told[table] = self.screens.table(table)
        before = self.rooms[table].of(session)
        self.rooms[table].add(terminal)
        if len(before) >= PAGES_OF_A_SESSION:
            # not the new one: the oldest may be a link that is dead and not yet known to be
            before[0].end(TOO_MANY)
        self.heartbeat.add(terminal)
        return terminal

    def leave(self, terminal: Terminal) -> None:
        self.work.cut_off["slow"] += terminal.is_cut
        self.rooms[terminal.table].discard(terminal)
        self.heartbeat.discard(terminal)

    def welcome(self, table: str, session: str) -> bytes:
        view = wire.Welcome(
            protocol=wire.PROTOCOL,
            now=self.now_ms(),
            table=self.screens.table(table),
            session=self.screens.session(table, session),
        )
        return wire.write(view)

    def tell(self, table: str, entries: Sequence[Entry]) -> None:
        """New entries of a table, to everybody there."""
        room = self.rooms.get(table)
        if not room:
            return
        events = list(public_events(entries))
        if events:
            before, after = self._told[table], self.screens.table(table)
            self._told[table] = after
            message = wire.write(happened(before, after, events))
            for terminal in room:
                terminal.put(message)
        for session in sessions_touched(entries):
            pages = room.of(session)
            if pages:
                view = self.screens.session(table, session)
                mine = wire.write(wire.Mine(session=view))
                for terminal in pages:
                    terminal.put(mine)

    def cut_revoked(self, *_: object) -> None:
        """Disconnect terminals that are no longer enrolled, or enrolled with another key."""
        for terminal in self.rooms.terminals():
            if terminal.key != self.tickets.key_of(terminal.session):
                terminal.end(REVOKED)


def happened(before: TableView, after: TableView, events: list[Record]) -> wire.Events:
    """Make the message about public events that lead from one view to the next."""
    if before.v + len(events) != after.v:
        # The copy was read anew, and some events with it: nothing follows on what terminals have,
        # and without events every other version than this one is a gap.
        return wire.Events(v=after.v, seq=after.seq, at=after.at, events=[], set={})
    fields, added = changes(before, after)
    return wire.Events(v=after.v, seq=after.seq, at=after.at, events=events, set=fields, add=added)


def public_events(entries: Iterable[Entry]) -> Iterator[Record]:
    """What everybody hears of these entries, in order; the public version counts the same."""
    for entry in entries:
        for event in entry.events:
            if event.traits.public:
                yield _as_public(event)


@cache
def public_kind(kind: type[Event]) -> type[Record]:
    """A kind as the public hears it: itself, or without its private fields."""
    private = kind.traits.private
    if not private:
        return kind
    name = kind.__name__
    fields = [field for field in msgspec.structs.fields(kind) if field.name not in private]
    record = msgspec.defstruct(
        f"Public{name}",
        [(field.name, field.type, msgspec.field(default=field.default)) for field in fields],
        bases=(Record,),
        tag_field="event",
        tag=name,
        frozen=True,
        omit_defaults=kind.__struct_config__.omit_defaults,
    )
    assert issubclass(record, Record)
    return record


def _as_public(event: Event) -> Record:
    record = public_kind(type(event))
    if isinstance(event, record):
        return event
    return record(**{name: getattr(event, name) for name in record.__struct_fields__})


def sessions_touched(entries: Iterable[Entry]) -> set[str]:
    """Whose own view these entries change."""
    touched = set[str]()
    for entry in entries:
        for event in entry.events:
            touched |= event.sessions()
    return touched
