"""Moves driven on by a floor that starts, or follows: what a crash, a stop, a recovery or a decision between two steps leaves."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest

import puntobanco_floor.domain.events as e
from puntobanco.rules.causes import Cause
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.ledger import MOVING, account_of
from puntobanco_floor.domain.refusals import Excluded
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.recovery.epochs import begin_epoch
from puntobanco_floor.reports.liability import liability
from puntobanco_floor.service import cross_stream
from puntobanco_floor.service.cross_stream_rules import of_moves
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.refusals import NotMoved
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.open_store import open_store
from tests.floor.started import started
from tests.storage.test_contract import Asker
from tests.storage.test_epochs import PEOPLE, floor_of
from tests.support.patience import until

OLD, NEW = "table:1", "table:2"
ANN = "ann"


class House:
    """A floor with two tables; Ann sits at the first with ten thousand dollars."""

    def __init__(self, folder: Path) -> None:
        self.url, self.keys = str(folder / "floor.db"), folder / "keys"
        self.store = open_store(self.url, keys=self.keys, clock=False)
        self.old = floor_of(self.store)
        self.new = Asker(self.store, NEW, "new")
        self.new.open_table()
        self.house = Asker(self.store, FLOOR, "later")

    def floor(self) -> Floor:
        return Floor(self.store, KeyRing.load(self.keys), database=self.url)

    def reserve(self) -> Answer:
        return self.old.do(c.ReserveMove(by=ANN, session=ANN, move="m1", to=NEW))

    def next_steps(self, stream: str, seq: int) -> list[Answer]:
        entry = next(self.store.decoded(stream, after=seq - 1))
        states = {name: self.store.table(name).state for name in (OLD, NEW)}
        house = self.store.house().state
        return [self.store.ask(request) for request in of_moves(entry, house, states)]

    def at(self) -> dict[str, int]:
        streams = {name: self.store.table(name) for name in (OLD, NEW)}
        assert sum(stream.balances.get(MOVING, 0) for stream in streams.values()) == 0
        assert not any(stream.state.moving for stream in streams.values())
        found = {name: stream.balances.get(account_of(ANN), 0) for name, stream in streams.items()}
        return {name: cents for name, cents in found.items() if cents}

    def during(self, act: Callable[[Floor], Awaitable[None]]) -> None:
        async def day() -> None:
            async with started(self.floor()) as floor:
                await act(floor)
                await until(lambda: not list(floor.moves.on_the_way()), "the end of the move")
                while floor.propagator._doing:
                    await asyncio.gather(*floor.propagator._doing)

        asyncio.run(day())

    def sound(self) -> None:
        self.store.close()
        report = audit(self.url, keys=self.keys)
        assert report.sound, report.fault
        assert report.moves == 1


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    found = House(tmp_path)
    yield found
    found.store.close()


async def nothing(_: Floor) -> None:
    """The floor starts, and that is all."""


def test_a_floor_that_starts_drives_what_was_only_reserved(house: House) -> None:
    house.reserve()
    assert liability(house.url, house="", demo=False, now=0).moving_cents == 1_000_000
    house.during(nothing)
    assert house.at() == {NEW: 1_000_000}
    assert ANN not in house.store.table(OLD).state.sessions
    assert liability(house.url, house="", demo=False, now=0).moving_cents == 0
    house.sound()


def test_a_floor_that_starts_settles_what_has_arrived(house: House) -> None:
    [arrived] = house.next_steps(OLD, house.reserve().seq)
    assert arrived.ok
    house.during(nothing)
    assert house.at() == {NEW: 1_000_000}
    house.sound()


def test_a_floor_that_starts_returns_what_was_refused(house: House) -> None:
    reserved = house.reserve()
    house.new.do(c.HaltTable(by="pit", reason="fire-drill"))
    [refused] = house.next_steps(OLD, reserved.seq)
    assert refused.ok
    house.during(nothing)
    assert house.at() == {OLD: 1_000_000}
    house.sound()


@pytest.mark.parametrize("step", [1, 2])
def test_a_floor_that_follows_drives_what_another_node_began_and_died_over(
    house: House, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With nobody who asks again: it is looked for a little later."""
    monkeypatch.setattr(cross_stream, "LOOK_S", 0.05)

    async def act(_: Floor) -> None:
        reserved = await asyncio.to_thread(house.reserve)
        if step == 2:
            await asyncio.to_thread(house.next_steps, OLD, reserved.seq)

    house.during(act)
    assert house.at() == {NEW: 1_000_000}
    house.sound()


def test_each_step_of_a_move_is_asked_for_once(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the node whose patron moves; if all who follow asked too, nodes would stand in each other's way."""
    asked = Counter[str]()

    async def move(floor: Floor) -> None:
        ask = floor.store.asked

        def counted(request: Request) -> Awaitable[Answer]:
            asked[request.command.name()] += 1
            return ask(request)

        monkeypatch.setattr(floor.store, "asked", counted)
        assert await floor.seats.move(OLD, Ticket(ANN, "", floor.world.now_ms()), NEW, "id-1")

    house.during(move)
    assert house.at() == {NEW: 1_000_000}
    steps = ("reserve-move", "arrive-move", "settle-move")
    assert {step: asked[step] for step in steps} == dict.fromkeys(steps, 1)


def test_a_floor_that_was_stopped_between_gives_it_back(house: House) -> None:
    house.reserve()
    house.house.do(h.StopFloor(by="root", reason="fire"))
    house.new.do(c.HaltTable(by=FLOOR, reason="fire", by_floor=True))
    house.during(nothing)
    assert house.at() == {OLD: 1_000_000}
    house.sound()


def test_an_exclusion_between_gives_it_back_and_stops_the_session(house: House) -> None:
    house.reserve()
    house.house.do(h.ExcludePatron(by="root", patron=ANN, until=None, reason="asked for it"))
    house.during(nothing)
    assert house.at() == {OLD: 1_000_000}
    assert house.store.table(OLD).state.sessions[ANN].stopped == Cause("patron-excluded")
    [refused] = [
        event
        for entry in house.store.decoded(NEW)
        for event in entry.events
        if isinstance(event, e.MoveRefused)
    ]
    assert refused.reason == Cause("patron-excluded")
    house.sound()


def test_a_session_stopped_before_it_arrives_stays_where_it_was_stopped(house: House) -> None:
    house.reserve()
    house.old.do(c.StopSession(by="pit", session=ANN, reason=Cause("identity-checked")))
    house.during(nothing)
    assert house.at() == {OLD: 1_000_000}
    assert house.store.table(OLD).state.sessions[ANN].stopped == Cause("identity-checked")


def test_a_session_stopped_after_it_has_arrived_is_stopped_there(house: House) -> None:
    house.next_steps(OLD, house.reserve().seq)
    house.old.do(c.StopSession(by="pit", session=ANN, reason=Cause("identity-checked")))
    house.during(nothing)
    assert house.at() == {NEW: 1_000_000}
    assert house.store.table(NEW).state.sessions[ANN].stopped == Cause("identity-checked")


def test_after_a_recovery_it_goes_back_and_two_people_pay_it(house: House) -> None:
    house.reserve()
    begin_epoch(house.store, PEOPLE, "disk lost", nothing_lost=True)
    house.during(nothing)
    assert house.at() == {OLD: 1_000_000}
    assert house.store.table(OLD).state.sessions[ANN].by_two
    house.sound()


def test_after_a_recovery_what_had_arrived_is_paid_by_two_people_there(house: House) -> None:
    house.next_steps(OLD, house.reserve().seq)
    begin_epoch(house.store, PEOPLE, "disk lost", nothing_lost=True)
    house.during(nothing)
    assert house.at() == {NEW: 1_000_000}
    assert house.store.table(NEW).state.sessions[ANN].by_two
    house.sound()


def test_what_a_patron_asks_is_done_or_says_why(house: House) -> None:
    async def act(floor: Floor) -> None:
        ann = Ticket(ANN, "", floor.world.now_ms())
        closed = Asker(house.store, "table:3", "three")
        await asyncio.to_thread(closed.open_table)
        await asyncio.to_thread(closed.do, c.CloseTable(by="pit"))
        await floor.follower.latest("table:3")
        with pytest.raises(NotMoved, match="closed"):
            await floor.seats.move(OLD, ann, "table:3", "id-0")
        seq = await floor.seats.move(OLD, ann, NEW, "id-1")
        assert seq
        assert await floor.seats.move(OLD, ann, NEW, "id-1") == seq, "the same again"
        await floor.follower.latest(NEW)
        assert floor.screens.session(NEW, ANN).balance_cents == 1_000_000
        assert not floor.seats.is_over(ann), "its ticket is good at the new table"
        excluded = h.ExcludePatron(by="root", patron=ANN, until=None, reason="asked for it")
        answer = await floor.commands.ask_house(excluded)
        await floor.follower.caught_up(FLOOR, answer.seq)
        with pytest.raises(Excluded):
            await floor.seats.move(NEW, ann, OLD, "id-2")

    house.during(act)
    assert house.at() == {NEW: 1_000_000}
    house.sound()


def test_limits_go_along_and_the_house_hears_of_one_visit(house: House) -> None:
    """Lost at the first table, it counts at the second; back at the end it is told once."""
    house.house.do(h.LimitPatron(by=ANN, patron=ANN, loss_cents=100_000, minutes=None))
    house.during(nothing)
    assert house.store.table(OLD).state.sessions[ANN].loss_cents == 100_000
    house.old.do(c.OpenBets(by="dealer"))
    number = house.store.table(OLD).state.rounds
    house.old.do(c.PlaceWager(by=ANN, round=number, session=ANN, bet="tie", stake_cents=5_000))
    house.old.do(c.CloseBets(by="dealer"))
    while not house.old.complete():
        house.old.do(c.DealCard(by="dealer"))
    house.old.do(c.Settle(by="dealer"))
    net = house.store.table(OLD).balances[account_of(ANN)] - 1_000_000

    async def move(floor: Floor) -> None:
        assert await floor.seats.move(OLD, Ticket(ANN, "", floor.world.now_ms()), NEW, "id-1")

    house.during(move)
    seat = house.store.table(NEW).state.sessions[ANN]
    assert (seat.in_cents, seat.loss_cents, seat.stopped) == (1_000_000, 100_000, "")
    assert house.store.house().state.bounds(ANN).net_cents == 0, "the visit goes on"
    house.new.do(c.CashOut(by="cara", session=ANN))
    house.during(nothing)
    assert house.store.house().state.bounds(ANN).net_cents == net
    house.sound()
