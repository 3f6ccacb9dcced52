"""The contract of every store: SQLite, PostgreSQL, and PostgreSQL without notifications."""

import asyncio
import itertools
import threading
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from puntobanco.base.refusal import Refusal
from puntobanco.base.words import Words
from puntobanco.rules.games import GAMES
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.domain.events import (
    BetsClosed,
    Clock,
    ClockChanged,
    PeriodSealed,
    RoundSettled,
    WagerPlaced,
)
from puntobanco_floor.domain.machine import CLOCK, Machine, State
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store.backup import copy
from puntobanco_floor.store.batch import LOOKS_BACK, Answer, Request, Stream, state_hash
from puntobanco_floor.store.errors import BadDatabase, CommandReused, NotStored
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.store import Store
from tests.storage.conftest import KINDS, Place
from tests.support.patience import PATIENCE_S, wait_until

TABLE = "table:1"
BY_HAND = Clock()


class Asker:
    """Commands with ids of their own; a refusal fails the test unless it is expected."""

    def __init__(self, store: Store, stream: str = TABLE, prefix: str = "") -> None:
        self.store, self.stream = store, stream
        self.ids = (f"{prefix}{n}" for n in itertools.count(1))

    def do(self, command: Command, *, refused: str = "", id_: str | None = None) -> Answer:
        answer = self.store.ask(
            Request(stream=self.stream, id=id_ or next(self.ids), command=command)
        )
        assert answer.code == refused, answer
        return answer

    def open_table(
        self,
        game: str = "fortune-six",
        *,
        clock: Clock = BY_HAND,
        dealing: str = "virtual",
        source: str = "shoe",
    ) -> None:
        limits = replace(default_limits(GAMES[game]), hand_pay_cents=0, large_buy_in_cents=0)
        self.do(c.OpenTable(by="pit", game=game, limits=limits, clock=clock))
        self.do(c.NewShoe(by="pit", dealing=dealing, source=source))  # type: ignore[arg-type]

    def seat(self, *names: str, cents: int = 1_000_000) -> None:
        for name in names:
            self.do(c.SeatSession(by=name, session=name))
            self.do(c.BuyIn(by="cage", session=name, cents=cents))

    def play(self, round_: int, **bets: str) -> None:
        """A round of the virtual shoe with these wagers of ten dollars."""
        self.do(c.OpenBets(by="dealer"))
        for name, bet in bets.items():
            self.do(c.PlaceWager(by=name, round=round_, session=name, bet=bet, stake_cents=1_000))
        self.do(c.CloseBets(by="dealer"))
        while not self.complete():
            self.do(c.DealCard(by="dealer"))
        self.do(c.Settle(by="dealer"))

    def complete(self) -> bool:
        round_ = self.store.table(self.stream).state.round
        return round_ is not None and round_.play.is_complete


@pytest.fixture
def table(store: Store) -> Asker:
    return Asker(store)


every_kind = pytest.mark.parametrize("place", KINDS, indirect=True)
"""Where one node must hear of another."""


def sound(place: Place) -> None:
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=place.heads)
    assert report.fault is None


def entries(store: Store, stream: str = TABLE) -> list[Entry]:
    return [read_entry(data) for _, data in store.entries(stream)]


def test_a_shoe_is_played_and_everything_is_proved(place: Place, table: Asker) -> None:
    table.open_table("six-star")
    table.seat("ann", "ben")
    for n in range(1, 5):
        table.play(n, ann="banker", ben="tie")
    table.do(c.EndShoe(by="pit"))
    table.do(c.IssueVoucher(by="ann", session="ann", voucher="v1"))
    table.do(c.CloseTable(by="pit"))
    stream = table.store.table(TABLE)
    assert sum(stream.balances.values()) == 0
    assert stream.state.phase == "down"
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=place.heads)
    assert (report.fault, report.rounds, report.shoes, report.unproven) == (None, 4, 1, [])


def test_the_same_id_has_one_effect_and_one_answer(place: Place, table: Asker) -> None:
    table.open_table()
    table.seat("ann")
    table.do(c.OpenBets(by="d"))
    wager = c.PlaceWager(by="ann", round=1, session="ann", bet="banker", stake_cents=1_000)
    first = table.do(wager, id_="w")
    assert table.do(wager, id_="w") == first
    # another node, or after a restart
    assert place.open().ask(Request(stream=TABLE, id="w", command=wager)) == first
    assert (
        sum(isinstance(e, WagerPlaced) for entry in entries(table.store) for e in entry.events) == 1
    )
    other = c.PlaceWager(by="ann", round=1, session="ann", bet="banker", stake_cents=2_000)
    with pytest.raises(CommandReused):
        table.store.ask(Request(stream=TABLE, id="w", command=other))
    sound(place)


def test_a_refusal_is_an_answer_too_and_stays_the_same(place: Place, table: Asker) -> None:
    table.open_table()
    table.seat("ann")
    wager = c.PlaceWager(by="ann", round=1, session="ann", bet="banker", stake_cents=1_000)
    first = table.do(wager, id_="early", refused="bets-are-closed")
    table.do(c.OpenBets(by="d"))
    assert table.do(wager, id_="early", refused="bets-are-closed") == first
    sound(place)


def test_many_at_once_are_answered_each_once_and_refusals_harm_nobody(
    place: Place, table: Asker
) -> None:
    table.open_table()
    names = [f"s{i}" for i in range(60)]
    table.seat(*names)
    table.do(c.OpenBets(by="d"))

    async def all_at_once() -> list[Answer]:
        def wager(name: str, bet: str) -> Request:
            stake = 1_001 if name.endswith("7") else 1_000  # one cent past the step
            command = c.PlaceWager(by=name, round=1, session=name, bet=bet, stake_cents=stake)
            return Request(stream=TABLE, id=f"{name}-{bet}", command=command)

        return await asyncio.gather(
            *(table.store.asked(wager(n, bet)) for n in names for bet in ("player", "tie"))
        )

    answers = asyncio.run(all_at_once())
    assert Counter(answer.code for answer in answers) == {"": 108, "limit-refused": 12}
    assert len({answer.seq for answer in answers if answer.ok}) == 108
    assert table.store.stream(TABLE).balances["wagers"] == 108_000
    sound(place)


def test_what_came_before_is_answered_as_then_among_commands_that_are_new(
    place: Place, table: Asker
) -> None:
    """Neither a refusal nor a command of a sealed period is in memory: the key of its answer finds it."""
    table.open_table()
    names = [f"s{i}" for i in range(20)]
    table.seat(*names)
    refused = c.PlaceWager(by="s0", round=9, session="s0", bet="tie", stake_cents=1_000)
    early = table.do(refused, id_="early", refused="bets-are-closed")
    bought = c.BuyIn(by="cage", session="s0", cents=7_000)
    before = table.do(bought, id_="bought")
    table.play(1)
    table.do(c.EndShoe(by="pit"))  # seals the period
    table.do(c.NewShoe(by="pit"))
    table.do(c.OpenBets(by="dealer"))
    wagers = [
        c.PlaceWager(by=name, round=2, session=name, bet="tie", stake_cents=1_000) for name in names
    ]

    async def all_at_once(turn: int) -> list[Answer]:
        asked = [Request(stream=TABLE, id=f"w{turn}", command=wager) for wager in wagers]
        asked.insert(10, Request(stream=TABLE, id="early", command=refused))
        asked.insert(15, Request(stream=TABLE, id="bought", command=bought))
        return await asyncio.gather(*map(table.store.asked, asked))

    first = asyncio.run(all_at_once(1))
    assert (first.pop(15), first.pop(10)) == (before, early)
    assert [answer.code for answer in first] == [""] * 20
    again = asyncio.run(all_at_once(1))  # all of it known now
    assert (again.pop(15), again.pop(10)) == (before, early)
    assert again == first
    others = asyncio.run(all_at_once(2))  # a wager lies there: refused, and the two as before
    assert (others.pop(15), others.pop(10)) == (before, early)
    assert {answer.code for answer in others} == {"limit-refused"}
    stream = table.store.stream(TABLE)
    assert stream.balances["wagers"] == 20_000
    assert stream.balances["session:s0"] == 1_000_000 + 7_000 - 1_000
    sound(place)


def test_a_repeat_that_fails_by_our_fault_has_the_answer_of_before(
    place: Place, table: Asker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told that nothing was taken of what was done in a sealed period."""
    table.open_table()
    table.seat("ann")
    bought = c.BuyIn(by="cage", session="ann", cents=7_000)
    before = table.do(bought, id_="bought")
    table.play(1)
    table.do(c.EndShoe(by="pit"))
    decide = Machine.decide

    def fails(self: Machine[Any], state: Any, funds: Any, command: Any, *rest: Any) -> Any:
        assert not isinstance(command, c.BuyIn), "planted"
        return decide(self, state, funds, command, *rest)

    monkeypatch.setattr(Machine, "decide", fails)
    assert table.store.ask(Request(stream=TABLE, id="bought", command=bought)) == before
    with pytest.raises(NotStored, match="a fault in this program"):
        table.store.ask(Request(stream=TABLE, id="another", command=bought))
    monkeypatch.undo()
    sound(place)


def test_repeats_at_two_tables_at_once_drop_nothing_from_memory(place: Place, table: Asker) -> None:
    """On SQLite they are in one transaction. Afterwards answers are read first, whatever the clock does between."""
    tables = [table, Asker(table.store, "table:2", prefix="b")]
    early = c.PlaceWager(by="ann", round=9, session="ann", bet="tie", stake_cents=1_000)
    for one in tables:
        one.open_table()
        one.seat("ann")
        one.do(early, id_="early", refused="bets-are-closed")
    held = [table.store._streams[one.stream] for one in tables]

    async def again() -> list[Answer]:
        asked = [Request(stream=one.stream, id="early", command=early) for one in tables]
        return await asyncio.gather(*map(table.store.asked, asked))

    assert [answer.code for answer in asyncio.run(again())] == ["bets-are-closed"] * 2
    assert [table.store._streams[one.stream] for one in tables] == held
    assert [stream.looks_back for stream in held] == [LOOKS_BACK] * 2
    table.seat("ben")  # two batches in which nothing comes again
    assert [stream.looks_back for stream in held] == [LOOKS_BACK - 2, LOOKS_BACK]
    sound(place)


@pytest.mark.waits
def test_while_the_log_is_behind_rounds_end_and_none_begins(place: Place, table: Asker) -> None:
    table.open_table()
    table.seat("ann", "ben")
    table.do(c.OpenBets(by="dealer"))
    stake = partial(c.PlaceWager, round=1, bet="banker", stake_cents=1_000)
    table.do(stake(by="ann", session="ann"))
    table.store.behind = "the database has 7 leaves, a witness has seen 9"
    table.do(stake(by="ben", session="ben"), refused="log-behind")
    raised = c.RaiseWager(by="ann", round=1, session="ann", bet="banker", by_cents=1_000)
    answer = table.do(raised, refused="log-behind")
    assert answer.reason == Words("Betting is stopped; ask staff", "投注暫停；請向職員查詢")
    table.do(c.CloseBets(by="dealer"))
    while not table.complete():
        table.do(c.DealCard(by="dealer"))
    table.do(c.Settle(by="dealer"))
    table.do(c.OpenBets(by="dealer"), refused="log-behind")
    table.store.behind = ""
    table.do(c.OpenBets(by="dealer"))
    sound(place)


def test_what_is_due_comes_first(place: Place, table: Asker) -> None:
    """A wager that is decided after the deadline finds the bets closed, whenever it was sent."""
    table.open_table(clock=Clock(betting_ms=300))
    table.seat("ann")
    table.do(c.OpenBets(by="d"))
    time.sleep(0.5)  # past the deadline; later does not matter
    wager = c.PlaceWager(by="ann", round=1, session="ann", bet="banker", stake_cents=1_000)
    table.do(wager, refused="bets-are-closed")
    closed = next(
        entry for entry in entries(table.store) if isinstance(entry.events[0], BetsClosed)
    )
    deadline = table.store.table(TABLE).state.round
    assert deadline is not None
    assert deadline.closes_at is not None
    assert closed.at >= deadline.closes_at
    assert closed.by == CLOCK, "before the wager was looked at"
    sound(place)


@pytest.mark.waits
def test_a_table_plays_by_itself(place: Place, table: Asker) -> None:
    clock = Clock(betting_ms=60, guard_ms=10, card_ms=10, pause_ms=20, automatic=True)
    table.open_table("rapid", clock=clock)
    wait_until(lambda: table.store.table(TABLE).state.rounds >= 5, "a fifth round")
    sound(place)


@pytest.mark.waits
def test_a_table_goes_on_after_its_store_is_gone(place: Place, table: Asker) -> None:
    clock = Clock(betting_ms=400, guard_ms=10, card_ms=10, pause_ms=300, automatic=True)
    table.open_table("rapid", clock=clock)
    table.seat("ann")

    def placed() -> bool:
        """In whatever round takes it: on a crowded machine the first ones may be over."""
        round_ = table.store.table(TABLE).state.rounds
        wager = c.PlaceWager(by="ann", round=round_, session="ann", bet="banker", stake_cents=1_000)
        return table.store.ask(Request(stream=TABLE, id=next(table.ids), command=wager)).ok

    wait_until(placed, "a round that takes the wager")
    place.stores.close()
    later = place.open()

    def settled() -> list[list[str]]:
        found = [
            event
            for entry in entries(later)
            for event in entry.events
            if isinstance(event, RoundSettled)
        ]
        return [[line.session for line in event.lines] for event in found if event.lines]

    wait_until(settled, "the settlement")
    assert settled() == [["ann"]]
    sound(place)


def test_a_change_that_waits_outlives_its_store_and_another_node_makes_it(
    place: Place, table: Asker
) -> None:
    table.open_table(dealing="physical")
    table.do(c.OpenBets(by="dealer"))
    table.do(c.ChangeClock(by="sue", clock=Clock(guard_ms=2_000)))
    place.stores.close()
    other = Asker(place.open(), prefix="other-")
    [change] = other.store.table(TABLE).state.scheduled
    assert (change.kind, change.by) == ("clock", "sue")
    other.do(c.CloseBets(by="dealer"))
    for card in ("9s", "2h", "Td", "4h"):
        other.do(c.EnterCard(by="dealer", card=card))
    other.do(c.Settle(by="dealer"))
    wait_until(lambda: not other.store.table(TABLE).state.scheduled)
    made = [entry for entry in entries(other.store) if entry.command == "change-clock"][1:]
    assert [(entry.by, entry.events) for entry in made] == [
        (CLOCK, (ClockChanged(clock=Clock(guard_ms=2_000), asked_by="sue"),))
    ]
    sound(place)


@every_kind
def test_two_nodes_on_one_database_agree(place: Place) -> None:
    one, two = place.open(), place.open()
    a, b = Asker(one, prefix="a"), Asker(two, prefix="b")
    a.open_table()
    b.seat("ann")
    a.seat("ben")
    for n in range(1, 4):
        (a, b)[n % 2].play(n, ann="banker", ben="player")
    assert state_hash(one.stream(TABLE)) == state_hash(two.stream(TABLE))
    sound(place)


@every_kind
def test_a_shoe_that_one_node_put_on_is_dealt_by_the_other(place: Place) -> None:
    """The other remembers the cards of the shoe before, and must not take them for these."""
    one, two = Asker(place.open(), prefix="a"), Asker(place.open(), prefix="b")
    one.open_table()
    for n, (changes, deals) in enumerate(((two, one), (one, two)), start=1):
        deals.play(n)
        changes.do(c.EndShoe(by="pit"))
        changes.do(c.NewShoe(by="pit", dealing="virtual"))
        deals.play(n + 2)
        deals.do(c.EndShoe(by="pit"))
        changes.do(c.NewShoe(by="pit", dealing="virtual"))
    one.do(c.EndShoe(by="pit"))
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=place.heads)
    assert (report.fault, report.rounds, report.shoes, report.unproven) == (None, 4, 5, [])


def test_cards_of_a_round_that_one_node_opened_are_dealt_by_the_other(place: Place) -> None:
    """A continuous shoe has an order of its own for every round."""
    one, two = Asker(place.open(), prefix="a"), Asker(place.open(), prefix="b")
    one.open_table("super-six-plus", source="continuous")
    for n in range(1, 5):
        first, then = (one, two) if n % 2 else (two, one)
        first.do(c.OpenBets(by="dealer"))
        first.do(c.CloseBets(by="dealer"))
        first.do(c.DealCard(by="dealer"))
        while not then.complete():
            then.do(c.DealCard(by="dealer"))
        then.do(c.Settle(by="dealer"))
    place.stores.close()
    report = audit(place.url, keys=place.keys, heads=place.heads)
    assert (report.fault, report.rounds, report.unproven) == (None, 4, [])


@every_kind
def test_two_nodes_race_and_nothing_is_lost_or_doubled(place: Place) -> None:
    stores = [place.open(), place.open()]
    Asker(stores[0], prefix="x").open_table()
    answers = list[Answer]()

    def work(k: int) -> None:
        asker = Asker(stores[k], prefix=f"n{k}-")
        for i in range(25):
            answers.append(asker.do(c.SeatSession(by=f"t{k}-{i}", session=f"t{k}-{i}")))

    threads = [threading.Thread(target=work, args=(k,)) for k in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seated = [e.seq for e in stores[0].decoded(TABLE) if e.command == "seat-session"]
    assert sorted(answer.seq for answer in answers) == seated
    assert len(seated) == 50
    sound(place)


def test_a_voucher_is_redeemed_once_whoever_races(place: Place) -> None:
    stores = [place.open(), place.open()]
    tables = [Asker(stores[k], f"table:{k}", prefix=f"{k}-") for k in (0, 1)]
    for table in tables:
        table.open_table(dealing="physical")
        table.seat("ann")
    tables[0].do(c.IssueVoucher(by="ann", session="ann", voucher="v"))
    tables[0].seat("eve", cents=100)
    answers = list[Answer]()

    def redeem(k: int, n: int) -> None:
        name = ("eve", "ann")[k]
        command = c.RedeemVoucher(by=f"{name}-{n}", session=name, voucher="v")
        answers.append(stores[k].ask(Request(stream=f"table:{k}", id=f"r{n}", command=command)))

    threads = [threading.Thread(target=redeem, args=(n % 2, n)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(answer.code for answer in answers) == {"": 1, "voucher-refused": 15}
    sound(place)


@pytest.mark.waits
@every_kind
def test_watchers_hear_every_entry_once_in_order_on_every_node(place: Place) -> None:
    nodes = 1 if place.url.endswith(".db") else 2  # a SQLite file has one process
    stores = [place.open() for _ in range(nodes)]
    heard: list[list[int]] = [[] for _ in stores]

    def listen(seqs: list[int], stream: str, new: Sequence[Entry]) -> None:
        seqs += [entry.seq for entry in new if stream == TABLE]

    for store, seqs in zip(stores, heard, strict=True):
        store.watchers.append(partial(listen, seqs))
    table = Asker(stores[0])
    table.open_table()
    table.seat(*(f"s{i}" for i in range(5)))
    table.play(1)
    last = table.store.table(TABLE).state.seq
    wait_until(lambda: all(len(seqs) >= last for seqs in heard), "every entry")
    assert heard == [list(range(1, last + 1))] * len(stores)


def test_the_state_and_balances_that_watchers_may_take_are_the_journals(place: Place) -> None:
    store = place.open()
    table, taken = Asker(store), list[tuple[State, dict[str, int]] | None]()
    store.watchers.append(lambda stream, _: taken.append(store.held_copy(stream)))
    table.open_table()
    table.seat("ann")
    table.play(1, ann="banker")
    assert store.held_copy("table:99") is None
    stream = Stream.empty(TABLE, OURS.table)
    followed = {0: (stream.state, dict[str, int]())}
    for seq, data in store.entries(TABLE):
        stream.follow(read_entry(data, stream=TABLE, seq=seq), "")
        followed[seq] = stream.state, stream.balances.copy()
    held = [both for both in taken if both is not None]
    assert held
    assert all(both == followed[both[0].seq] for both in held)


def test_a_function_is_called_with_the_answer_and_its_fault_is_its_own(place: Place) -> None:
    store = place.open()
    table = Asker(store)
    table.open_table()

    async def both() -> list[Answer | Refusal]:
        heard, done = list[Answer | Refusal](), asyncio.Event()

        def fail(_: object) -> None:
            raise ValueError("a fault of the one who asked")

        def last(reply: Answer | Refusal) -> None:
            heard.append(reply)
            done.set()

        seat, again = c.SeatSession(by="ann", session="ann"), c.SeatSession(by="ben", session="ben")
        store.ask_then(Request(stream=TABLE, id="f", command=seat), fail)
        store.ask_then(Request(stream=TABLE, id="g", command=again), heard.append)
        store.ask_then(
            Request(stream=TABLE, id="g", command=seat), heard.append
        )  # another asker's id
        store.ask_then(Request(stream=TABLE, id="f", command=c.OpenBets(by="ann")), last)
        await asyncio.wait_for(done.wait(), PATIENCE_S)
        return heard

    answers = asyncio.run(both())
    assert [reply.code for reply in answers] == ["", "already-seated", "command-reused"]
    assert isinstance(answers[-1], Refusal)


def test_keys_are_rotated_in_the_middle_of_a_shoe(place: Place, table: Asker) -> None:
    table.open_table()
    table.play(1)
    table.store.rotate_keys()
    table.play(2)
    later = Asker(place.open(), prefix="later-")
    later.play(3)
    later.do(c.EndShoe(by="pit"))
    assert len(KeyRing.load(place.keys).sealing) == 2
    sound(place)


def test_a_period_is_sealed_and_the_next_start_reads_from_it(place: Place, table: Asker) -> None:
    table.open_table()
    table.seat("ann")
    table.play(1, ann="banker")
    table.do(c.EndShoe(by="pit"))
    assert isinstance(entries(table.store)[-1].events[0], PeriodSealed)
    before = state_hash(table.store.stream(TABLE))
    place.stores.close()
    assert state_hash(place.open().stream(TABLE)) == before
    sound(place)


def test_a_floor_is_copied_to_a_new_place_and_back(
    place: Place, table: Asker, tmp_path: Path
) -> None:
    table.open_table()
    table.seat("ann")
    table.play(1, ann="banker")
    table.do(c.OpenBets(by="d"))
    place.stores.close()
    there = tmp_path / "copy.db"
    found = copy(place.url, str(there), keys=place.keys)
    assert audit(there).fault is None
    assert list(found) == [TABLE]
    with pytest.raises(BadDatabase, match="already"):
        copy(str(there), place.url, target_keys=place.keys)


def test_a_newer_database_is_refused(place: Place) -> None:
    from sqlalchemy import text  # noqa: PLC0415

    from puntobanco_floor.store.engines import connected  # noqa: PLC0415

    migrate(place.url)
    with connected(place.url) as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(Refusal, match="newer than this program"):
        place.open()


def test_an_address_that_leads_nowhere_is_refused_without_its_password() -> None:
    with pytest.raises(Refusal) as refused:
        migrate("postgresql://me:secret@127.0.0.1:1/floor")
    assert "secret" not in str(refused.value)
    assert "127.0.0.1" in str(refused.value)
