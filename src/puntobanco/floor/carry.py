"""What the house decides, carried to the tables; and what tables tell the house. Pure: it says what to ask.

Every node asks the same with the same ids, so that done twice it has one effect.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import puntobanco.events as e
from puntobanco.house import commands as h
from puntobanco.house.state import HouseState
from puntobanco.journal import Entry
from puntobanco.storage.batch import Request
from puntobanco.storage.machines import FLOOR
from puntobanco.table import commands as c
from puntobanco.table.state import TableState

Tables = Mapping[str, TableState]
CARRIED_AT = (
    e.FloorStopped, e.FloorStarted, e.PatronExcluded, e.PatronReadmitted, e.PatronLimited, e.TableOpened,
    e.SessionSeated, e.SessionEnded,
)  # fmt: skip


def is_carried(entry: Entry) -> bool:
    return any(isinstance(event, CARRIED_AT) for event in entry.events)


def carried(entry: Entry, house: HouseState, tables: Tables) -> Iterator[Request]:
    """What follows elsewhere from an entry that was just written; `house` and `tables` are as they stand after it."""
    for event in entry.events:
        if isinstance(event, CARRIED_AT):
            for n, (stream, command) in enumerate(_carried(event, entry, house, tables)):
                yield Request(stream=stream, id=f"{entry.stream}:{entry.seq}:{n}", command=command)


def _carried(
    event: e.Event, entry: Entry, house: HouseState, tables: Tables
) -> Iterator[tuple[str, c.AnyCommand | h.AnyHouseCommand]]:
    match event:
        case e.FloorStopped() | e.FloorStarted():
            for name, table in tables.items():
                yield from _halts(house, name, table)
        case e.TableOpened():
            yield from _halts(house, entry.stream, tables[entry.stream])
        case e.PatronExcluded() | e.PatronReadmitted():
            for name, session in _seats(tables, event.patron):
                yield from _stops(house, name, tables[name], session, entry.at)
        case e.SessionSeated():
            yield from _stops(house, entry.stream, tables[entry.stream], event.session, entry.at)
        case e.PatronLimited():
            left = house.bounds(event.patron)
            for name, session in _seats(tables, event.patron):
                yield (
                    name,
                    c.LimitSession(
                        by=FLOOR, session=session, loss_cents=left.loss_left_cents, play_ms=left.play_left_ms
                    ),
                )
        case e.SessionEnded():
            if event.patron in house.patrons:
                yield FLOOR, h.EndVisit(
                    by=FLOOR, patron=event.patron, session=event.session, net_cents=event.net_cents,
                    played_ms=event.played_ms,
                )  # fmt: skip


def owed(house: HouseState, tables: Tables, now: int) -> Iterator[Request]:
    """What a floor that starts finds undone."""
    for name, table in tables.items():
        commands = [*_halts(house, name, table)]
        for session, seat in table.sessions.items():
            if house.excluded and house.excludes(seat.patron, now):
                commands += _stops(house, name, table, session, now)
        for n, (stream, command) in enumerate(commands):
            yield Request(stream=stream, id=f"start:{house.seq}:{table.seq}:{n}", command=command)


def _halts(house: HouseState, name: str, table: TableState) -> Iterator[tuple[str, c.AnyCommand]]:
    if table.phase == "down":
        return
    if house.stopped and not table.halted:
        yield name, c.HaltTable(by=FLOOR, reason=house.stopped, by_floor=True)
    elif not house.stopped and table.halted_by_floor:
        yield name, c.RestartTable(by=FLOOR)


def _stops(
    house: HouseState, name: str, table: TableState, session: str, at: int
) -> Iterator[tuple[str, c.AnyCommand]]:
    seat = table.sessions.get(session)
    if seat is None:
        return
    is_out = house.excludes(seat.patron, at)
    if is_out and not seat.stopped:
        yield name, c.StopSession(by=FLOOR, session=session, reason=EXCLUDED)
    elif not is_out and seat.stopped == EXCLUDED:
        yield name, c.RestartSession(by=FLOOR, session=session)


EXCLUDED = "the patron may not play"


def _seats(tables: Tables, patron: str) -> Iterator[tuple[str, str]]:
    for name, table in tables.items():
        for session, seat in table.sessions.items():
            if seat.patron == patron:
                yield name, session
