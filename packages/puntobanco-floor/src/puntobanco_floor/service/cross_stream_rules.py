"""What the house decides, carried to the tables; and what tables tell the house. Pure: it says what
to ask.

Every node asks the same with the same ids, so that done twice it has one effect; an id names what
the command is about, because nodes go through seats in no common order.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import puntobanco_floor.domain.events as e
from puntobanco.game_files import redefined
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.stream_names import CAGE, FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.store.batch import Request

Tables = Mapping[str, TableState]


def is_carried(entry: Entry) -> bool:
    return any(event.traits.carried for event in entry.events)


def carried(entry: Entry, house: HouseState, tables: Tables) -> Iterator[Request]:
    """Yield what follows in other streams from an entry; `house` and `tables` are after it."""
    for event in entry.events:
        if event.traits.carried:
            for stream, command in _carried(event, entry, house, tables):
                why = f"{entry.stream}:{entry.seq}"
                if isinstance(command, c.HaltTable | c.RestartTable):
                    # Of this stop of the table: a later one is another command, and a repeat is
                    # refused without harm.
                    why += f":{tables[stream].seq}"
                if isinstance(command, c.ArriveMove) and command.objection:
                    why += ":objection"  # not the same question: whichever comes first decides
                yield _request(why, stream, command)


def of_moves(entry: Entry, house: HouseState, tables: Tables) -> Iterator[Request]:
    """Of what follows, the next steps of moves."""
    return filter(is_step_of_move, carried(entry, house, tables))


def is_step_of_move(request: Request) -> bool:
    """Say whether one node drives it (`Moves`): otherwise every node would ask for each move."""
    return isinstance(request.command, c.ArriveMove | c.SettleMove | c.ReturnMove)


def _request(why: str, stream: str, command: Command) -> Request:
    session = getattr(command, "session", "")
    return Request(stream=stream, id=f"{why}:{command.name()}:{session}", command=command)


def _carried(
    event: e.Event, entry: Entry, house: HouseState, tables: Tables
) -> Iterator[tuple[str, Command]]:
    if isinstance(event, e.CashMoved) and event.window:
        cash = g.NoteCash(
            by=FLOOR,
            shift=event.shift,
            table=entry.stream,
            entry=entry.seq,
            cents=event.cash_cents,
        )
        yield f"{CAGE}{event.window}", cash
    if isinstance(event, e.Moved):
        yield from _next_step(event, entry, house, tables)
    match event:
        case e.FloorStopped() | e.FloorStarted():
            for name, table in tables.items():
                yield from _halts(house, name, table)
        case e.TableOpened() | e.TableRestarted() | e.TableHalted():
            # A stop too: it may have been asked for before this node had heard that the floor goes
            # on.
            yield from _halts(house, entry.stream, tables[entry.stream])
        case e.PatronExcluded() | e.PatronReadmitted() | e.PatronErased():
            for name, session in _seats(tables, event.patron):
                yield from _stops(house, name, tables[name], session, entry.at)
        case e.SessionSeated() | e.SessionRestarted():
            yield from _stops(house, entry.stream, tables[entry.stream], event.session, entry.at)
            seat = tables[entry.stream].sessions.get(event.session)
            if seat is not None:
                yield from _limits(house, tables, seat.patron, anew=False)
        case e.PatronLimited() | e.VisitEnded():
            yield from _limits(house, tables, event.patron, anew=True)
        case e.ShiftClosed():
            window = int(entry.stream.removeprefix(CAGE))
            yield FLOOR, h.LeaveWindow(by=FLOOR, window=window, shift=event.shift)
        case e.SessionEnded() if event.patron in house.patrons and not event.moved_to:
            visit = h.EndVisit(
                by=FLOOR,
                patron=event.patron,
                session=event.session,
                net_cents=event.net_cents,
                played_ms=event.played_ms,
            )
            yield FLOOR, visit


def _arrival(
    event: e.MoveReserved, entry: Entry, house: HouseState, tables: Tables
) -> c.ArriveMove:
    """What the new table is asked, with what the house or the staff have said since."""
    table = tables.get(entry.stream)
    seat = table.sessions.get(event.session) if table else None
    objection = None
    if not house.may_play(event.patron, entry.at):
        objection = EXCLUDED
    elif seat is not None and isinstance(seat.stopped, Cause) and seat.stopped != ONE_SEAT:
        objection = seat.stopped
    return c.ArriveMove(
        by=FLOOR,
        session=event.session,
        move=event.move,
        came_from=entry.stream,
        epoch=entry.epoch,
        cents=event.cents,
        until=event.until,
        patron=event.patron,
        in_cents=event.in_cents,
        since=event.since,
        loss_cents=event.loss_cents,
        play_ms=event.play_ms,
        objection=objection,
    )


def _next_step(
    event: e.Moved, entry: Entry, house: HouseState, tables: Tables
) -> Iterator[tuple[str, Command]]:
    """Ask the new table, then tell the old; a stop meanwhile goes to the new one too."""
    session, move = event.session, event.move
    match event:
        case e.MoveReserved():
            yield event.to, _arrival(event, entry, house, tables)
        case e.MoveArrived():
            yield event.came_from, c.SettleMove(by=FLOOR, session=session, move=move)
        case e.MoveRefused():
            told = c.ReturnMove(by=FLOOR, session=session, move=move, reason=event.reason)
            yield event.came_from, told
        case e.MoveSettled(stopped=reason):
            if reason and reason not in (ONE_SEAT, EXCLUDED):
                yield event.to, c.StopSession(by=FLOOR, session=session, reason=reason)
        case e.MoveReturned():
            seat = tables[entry.stream].sessions.get(session)
            if seat is not None:
                yield from _limits(house, tables, seat.patron, anew=False)


def owed(house: HouseState, tables: Tables, now: int) -> Iterator[Request]:
    """What a floor that starts finds undone."""
    commands = list[tuple[str, Command]]()
    limited = set[str]()
    for name, table in tables.items():
        commands += _halts(house, name, table)
        for session, seat in table.sessions.items():
            if not house.may_play(seat.patron, now):
                commands += _stops(house, name, table, session, now)
            if seat.patron in house.patrons:
                limited.add(seat.patron)
    for patron in sorted(limited):
        commands += _limits(house, tables, patron, anew=False)
    for stream, command in commands:
        yield _request(f"start:{house.seq}:{tables[stream].seq}", stream, command)


def halted_by_floor(tables: Tables, cause: Cause | None) -> Iterator[Request]:
    """Halt tables while the house's stream or the clock fails, since nobody then knows who may play
    or what time it is; restart them when nothing is the cause.
    """
    for name, table in tables.items():
        why = f"house-stream:{table.seq}"
        if cause is not None and not table.halted and table.phase != "down":
            yield _request(why, name, c.HaltTable(by=FLOOR, reason=cause))
        elif cause is None and table.halted in (HOUSE_STOPPED, CLOCK_SET):
            yield _request(why, name, c.RestartTable(by=FLOOR))


def is_told_again(entry: Entry, house: HouseState) -> bool:
    """Say whether a starting floor repeats it: cash, and ends of sessions of this day."""
    today = entry.at >= house.calendar.start(house.day)
    told = (e.CashMoved, e.SessionEnded) if today else e.CashMoved
    return any(isinstance(event, told) for event in entry.events)


def _halts(house: HouseState, name: str, table: TableState) -> Iterator[tuple[str, Command]]:
    if table.phase == "down":
        return
    if house.stopped and not table.halted:
        yield name, c.HaltTable(by=FLOOR, reason=house.stopped, by_floor=True)
    elif not house.stopped and table.halted_by_floor and not other_rules(table):
        yield name, c.RestartTable(by=FLOOR)
    elif not table.halted and (cause := other_rules(table)):
        yield name, c.HaltTable(by=FLOOR, reason=cause)


def other_rules(table: TableState) -> Cause | None:
    """Say why a table may not go on: its built-in game is another one in this program."""
    if table.source:
        return None
    return redefined(table.definition, table.digest)


def _stops(
    house: HouseState, name: str, table: TableState, session: str, at: int
) -> Iterator[tuple[str, Command]]:
    seat = table.sessions.get(session)
    if seat is None:
        return
    is_out = not house.may_play(seat.patron, at)
    if is_out and not seat.stopped:
        yield name, c.StopSession(by=FLOOR, session=session, reason=EXCLUDED)
    elif not is_out and seat.stopped == EXCLUDED:
        yield name, c.RestartSession(by=FLOOR, session=session)


def _limits(
    house: HouseState, tables: Tables, patron: str, *, anew: bool
) -> Iterator[tuple[str, Command]]:
    """Tell a patron's seats what is left of the patron's own limits; of several only the oldest
    plays, or the patron could lose them twice. `anew`: also if a seat seems to have them, since an
    older change may be under way.
    """
    if patron not in house.patrons:
        return
    bounds = house.bounds(patron)
    left = bounds.loss_left_cents, bounds.play_left_ms
    seats = sorted(
        (tables[name].sessions[session].since, name, session)
        for name, session in _seats(tables, patron)
        if session not in tables[name].moving  # it plays no more there
    )
    for since, name, session in seats:
        seat = tables[name].sessions[session]
        # one visit that has moved: a node may hear of the seat before it hears what was left
        is_oldest = (since, session) == (seats[0][0], seats[0][2])
        may_play = is_oldest or not bounds.is_set
        if anew or (seat.loss_cents, seat.play_ms) != left:
            loss_cents, play_ms = left
            limit = c.LimitSession(
                by=FLOOR, session=session, loss_cents=loss_cents, play_ms=play_ms
            )
            yield name, limit
        if not may_play and not seat.stopped:
            yield name, c.StopSession(by=FLOOR, session=session, reason=ONE_SEAT)
        elif may_play and seat.stopped == ONE_SEAT:
            yield name, c.RestartSession(by=FLOOR, session=session)


HOUSE_STOPPED = Cause("house-stream-stopped")
CLOCK_SET = Cause("clock-set-forward")
EXCLUDED = Cause("patron-excluded")
ONE_SEAT = Cause("one-table-at-a-time")


def _seats(tables: Tables, patron: str) -> Iterator[tuple[str, str]]:
    for name, table in tables.items():
        for session, seat in table.sessions.items():
            if seat.patron == patron:
                yield name, session
