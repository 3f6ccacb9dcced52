"""What the house decides is carried to tables, and what tables tell the house; without a server."""

from immutables import Map
from msgspec.structs import replace

import puntobanco_floor.domain.events as e
from puntobanco.rules.causes import Cause
from puntobanco_floor.domain.entries import Entry
from puntobanco_floor.domain.house.state import Bounds, Exclusion, HouseState
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import Seat, TableState
from puntobanco_floor.service.cross_stream_rules import EXCLUDED, ONE_SEAT, carried
from puntobanco_floor.store.batch import Request
from puntobanco_proof.entry.format import NOTHING


def table(number: int, **seats: Seat) -> TableState:
    return TableState(stream=f"table:{number}", phase="waiting", sessions=Map(seats))


def follows(
    event: e.Event, house: HouseState, *tables: TableState, stream: str = "floor"
) -> list[Request]:
    entry = Entry(
        stream=stream,
        epoch=1,
        id="",
        salt="",
        seq=7,
        at=50,
        by="x",
        command="x",
        rules="",
        prev=NOTHING,
        events=(event,),
    )
    return list(carried(entry, house, {state.stream: state for state in tables}))


def limited(
    loss_cents: int | None = None, minutes: int | None = None, net_cents: int = 0
) -> HouseState:
    bounds = Bounds(loss_cents, minutes, net_cents=net_cents)
    return HouseState(stream="floor", name="Marina", patrons=Map({"ann": bounds}))


def test_a_visit_that_ends_late_still_narrows_the_seat_that_was_taken_meanwhile() -> None:
    ended = e.VisitEnded(patron="ann", session="T1:a", net_cents=-300, played_ms=0)
    seat = table(2, b=Seat("ann", 40, 0, 1_000))
    [asked] = follows(ended, limited(loss_cents=1_000, net_cents=-300), seat)
    assert asked.command == c.LimitSession(by="floor", session="b", loss_cents=700, play_ms=None)


def test_limits_set_while_a_seat_is_taken_hold_at_it() -> None:
    event = e.SessionSeated(session="b", patron="ann", since=40)
    [asked] = follows(event, limited(minutes=1), table(2, b=Seat("ann", 40)), stream="table:2")
    assert asked.command == c.LimitSession(by="floor", session="b", loss_cents=None, play_ms=60_000)
    assert not follows(
        event, limited(minutes=1), table(2, b=Seat("ann", 40, 0, None, 60_000)), stream="table:2"
    )
    assert not follows(
        event,
        HouseState(stream="floor", name="Marina"),
        table(2, b=Seat("ann", 40)),
        stream="table:2",
    )


def test_the_oldest_of_two_seats_plays_whatever_order_they_are_found_in() -> None:
    seats = {"a": Seat("ann", 40, 0, 500), "b": Seat("ann", 30, 0, 500), "c": Seat("cid", 1)}
    house, seen = limited(loss_cents=500), set[tuple[str, str]]()
    for order in (("a", "b", "c"), ("c", "b", "a")):
        event = e.SessionSeated(session="a", patron="ann", since=40)
        [asked] = follows(
            event, house, table(2, **{name: seats[name] for name in order}), stream="table:2"
        )
        assert asked.command == c.StopSession(by="floor", session="a", reason=ONE_SEAT)
        seen.add((asked.stream, asked.id))
    assert len(seen) == 1


def test_two_sessions_stopped_at_once_have_ids_of_their_own() -> None:
    """Two nodes go through the seats in no common order; the ids must not depend on it."""
    house = HouseState(
        stream="floor", name="Marina", excluded=Map({"ann": Exclusion("asked for it")})
    )
    event = e.PatronExcluded(patron="ann", reason="asked for it", until=None)
    one = follows(event, house, table(2, a=Seat("ann", 1), b=Seat("ann", 2)))
    two = follows(event, house, table(2, b=Seat("ann", 2)))
    assert len({request.id for request in one}) == 2
    assert two[0] in one


def test_an_excluded_patron_whose_session_staff_start_again_is_stopped_again() -> None:
    house = HouseState(
        stream="floor", name="Marina", excluded=Map({"ann": Exclusion("asked for it")})
    )
    [asked] = follows(
        e.SessionRestarted(session="a"), house, table(2, a=Seat("ann", 1)), stream="table:2"
    )
    assert asked.command == c.StopSession(by="floor", session="a", reason=EXCLUDED)


def test_who_sat_down_while_the_card_was_erased_places_no_more_wagers() -> None:
    """Exclusions and limits of the same person are another id's from now on."""
    house = HouseState(stream="floor", name="Marina", erased=Map({"ann": 20_000}))
    erased = e.PatronErased(patron="ann", reason="asked for it")
    seated = e.SessionSeated(session="a", patron="ann", since=1)
    for event, stream in ((erased, "floor"), (seated, "table:2")):
        [asked] = follows(event, house, table(2, a=Seat("ann", 1)), stream=stream)
        assert asked.command == c.StopSession(by="floor", session="a", reason=EXCLUDED)


def test_a_table_started_while_the_floor_is_stopped_is_stopped_again() -> None:
    house = HouseState(stream="floor", name="Marina", stopped="fire")
    [asked] = follows(e.TableRestarted(), house, table(2), stream="table:2")
    assert asked.command == c.HaltTable(by="floor", reason="fire", by_floor=True)


def test_tables_are_stopped_for_the_cause_for_which_the_floor_is() -> None:
    cause = Cause("safety", ("smoke in hall 2",))
    house = HouseState(stream="floor", name="Marina", stopped=cause)
    stopped = e.FloorStopped(reason="", cause=cause)
    [asked] = follows(stopped, house, table(2))
    assert asked.command == c.HaltTable(by="floor", reason=cause, by_floor=True)


def test_a_stop_that_comes_after_the_floor_went_on_is_taken_back() -> None:
    """A node asked for it before it had heard that the floor goes on; else the table would stand still for good."""
    late = replace(table(2), halted="fire", halted_by_floor=True)
    house = HouseState(stream="floor", name="Marina")
    [asked] = follows(e.TableHalted(reason="fire", by_floor=True), house, late, stream="table:2")
    assert asked.command == c.RestartTable(by="floor")
    assert not follows(
        e.TableHalted(reason="fire"), house, replace(late, halted_by_floor=False), stream="table:2"
    )


def test_a_table_that_was_stopped_again_meanwhile_is_started_by_another_command() -> None:
    """The command line has started it once for the same entry; the same id would only repeat that answer."""
    house = HouseState(stream="floor", name="Marina")
    stopped = replace(table(2), halted="fire", halted_by_floor=True, seq=20)
    [first] = follows(e.FloorStarted(), house, stopped)
    [second] = follows(e.FloorStarted(), house, replace(stopped, seq=33))
    assert first.command == second.command == c.RestartTable(by="floor")
    assert first.id != second.id
