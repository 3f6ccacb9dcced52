"""The store on SQLite: one effect a command, the clock first, one commit for many, and what the database itself refuses."""

import asyncio
import base64
import json
import math
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from puntobanco.rules.cards import code
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain import events as e
from puntobanco_floor.domain.card_order import Order
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import Entry, chained, read_entry
from puntobanco_floor.domain.entry import write_entry
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.machine import CLOCK, Events, Machine
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.journal.sealed_shoes import Sealed, seal, unseal
from puntobanco_floor.store import schema, sqlite, sqlite_transaction
from puntobanco_floor.store.batch import Answer, Request, Stream, state_hash
from puntobanco_floor.store.errors import CommandReused, InDoubt, NotStored
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside, connect
from puntobanco_floor.store.store import RETRY_MS, Waiter, deliver
from puntobanco_floor.store.table_clock import TableTime
from puntobanco_proof.entry.format import hash_bytes
from tests.support.claims import reads
from tests.support.patience import PATIENCE_S, wait_until

TABLE, OTHER = "table:1", "table:2"
START_MS = 1_700_000_000_000


class Hand:
    """A clock that is moved by hand."""

    ms = START_MS

    def __call__(self) -> float:
        return self.ms / 1000


class Door:
    """Holds the writer at the start of a write, so that what is sent meanwhile waits for the same batch."""

    def __init__(self) -> None:
        self.names = list[str]()
        self.closed, self.at_the_door, self.open = False, threading.Event(), threading.Event()

    def __call__(self, name: str) -> None:
        self.names.append(name)
        if name == "begin" and self.closed:
            self.closed = False
            self.at_the_door.set()
            assert self.open.wait(PATIENCE_S)


class House:
    """A store with its clock and its door."""

    def __init__(self, path: Path) -> None:
        self.hand, self.door, self.sent = Hand(), Door(), 0
        self.store = SqliteStore(
            path, time=TableTime(wall=self.hand, steady=self.hand), point=self.door
        )

    def ask(self, command: Command, *, id_: str = "", stream: str = TABLE) -> Answer:
        self.sent += 1
        return self.store.ask(Request(stream=stream, id=id_ or f"#{self.sent}", command=command))

    def ok(self, *commands: Command, stream: str = TABLE) -> None:
        for command in commands:
            answer = self.ask(command, stream=stream)
            assert answer.ok, f"{command.name()}: {answer.reason}"

    @contextmanager
    def one_batch(self) -> Iterator[None]:
        """What is sent inside waits, and is then decided together."""
        self.door.closed = True
        self.door.at_the_door.clear()
        self.door.open.clear()
        first = self.store.submit(
            Request(stream="nowhere", id=f"door {time.monotonic_ns()}", command=c.OpenBets(by="x"))
        )
        assert self.door.at_the_door.wait(PATIENCE_S)
        try:
            yield
        finally:
            self.door.open.set()
        first.result()

    def together(self, *requests: Request) -> list[Answer | BaseException]:
        with self.one_batch():
            futures = [self.store.submit(request) for request in requests]
        return [future.exception() or future.result() for future in futures]

    def events(self, stream: str = TABLE) -> list[e.Event]:
        return [
            event for _, data in self.store.entries(stream) for event in read_entry(data).events
        ]


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    house = House(tmp_path / "floor.db")
    yield house
    house.store.close()


def betting(
    house: House,
    *,
    stream: str = TABLE,
    dealing: str = "physical",
    clock: Clock = Clock(),  # noqa: B008
) -> None:
    """Round 1 is open; ann and ben have 500.00 each."""
    house.ok(c.OpenTable(by="boss", game="rapid", clock=clock), stream=stream)
    for who in ("ann", "ben"):
        house.ok(
            c.SeatSession(by=who, session=who),
            c.BuyIn(by="cage", session=who, cents=50_000),
            stream=stream,
        )
    house.ok(c.NewShoe(by="dealer", dealing=dealing), c.OpenBets(by="dealer"), stream=stream)  # type: ignore[arg-type]


def wager(
    who: str = "ann", bet: str = "player", cents: int = 1_000, round_: int = 1
) -> c.PlaceWager:
    return c.PlaceWager(by=who, round=round_, session=who, bet=bet, stake_cents=cents)


def asked(command: Command, id_: str, stream: str = TABLE) -> Request:
    return Request(stream=stream, id=id_, command=command)


# One effect, one answer


def test_a_command_sent_again_has_one_effect_and_the_same_answer(house: House) -> None:
    betting(house)
    first = house.ask(wager(), id_="w")
    house.ok(wager("ben"))
    assert [house.ask(wager(), id_="w") for _ in range(3)] == [first] * 3
    assert house.store.stream(TABLE).balances["session:ann"] == 49_000


def test_a_command_sent_again_after_a_restart_has_the_same_answer(tmp_path: Path) -> None:
    house = House(tmp_path / "floor.db")
    with house.store:
        betting(house)
        first, refused = house.ask(wager(), id_="w"), house.ask(wager(cents=1), id_="r")
    house = House(tmp_path / "floor.db")
    with house.store:
        assert house.ask(wager(), id_="w") == first
        assert house.ask(wager(cents=1), id_="r") == refused
        assert house.store.stream(TABLE).balances["session:ann"] == 49_000


def test_a_command_twice_in_one_batch_has_one_effect(house: House) -> None:
    betting(house)
    first, again, other = house.together(
        asked(wager(), "w"), asked(wager(), "w"), asked(wager(bet="tie"), "v")
    )
    assert isinstance(first, Answer)
    assert first == again
    assert isinstance(other, Answer)
    assert other.seq == first.seq + 1
    assert house.store.stream(TABLE).balances["session:ann"] == 48_000


def test_an_id_that_comes_again_with_another_command_is_refused(house: House) -> None:
    betting(house)
    assert house.ask(wager(), id_="w").ok
    before = state_hash(house.store.stream(TABLE))
    with pytest.raises(CommandReused, match="give each command its own id"):
        house.ask(wager(cents=2_000), id_="w")
    assert state_hash(house.store.stream(TABLE)) == before
    first, other = house.together(asked(wager(bet="tie"), "x"), asked(wager(bet="banker"), "x"))
    assert isinstance(first, Answer)
    assert isinstance(other, CommandReused)


def test_a_refusal_is_an_answer_and_stays_one(house: House) -> None:
    betting(house)
    late = c.PlaceWager(by="cid", round=1, session="cid", bet="tie", stake_cents=1_000)
    refused = house.ask(late, id_="early bird")
    assert (refused.ok, refused.code) == (False, "not-seated")
    house.ok(
        c.SeatSession(by="cid", session="cid"), c.BuyIn(by="cage", session="cid", cents=50_000)
    )
    assert house.ask(late, id_="early bird") == refused, "the same command is not decided anew"
    assert house.ask(late, id_="another id").ok


def test_ids_belong_to_those_who_send_them_and_to_one_stream(house: House) -> None:
    betting(house)
    betting(house, stream=OTHER)
    assert all(
        house.ask(wager(who), id_="1", stream=stream).ok
        for who in ("ann", "ben")
        for stream in (TABLE, OTHER)
    )


def test_an_answer_names_the_entry_of_its_command(house: House) -> None:
    """Also where the clock wrote before it, and where the seal of a period follows."""
    betting(house, clock=Clock(betting_ms=1_000, closes_by_clock=True))
    house.hand.ms += 1_000
    commands: list[Command] = [
        c.SeatSession(by="cid", session="cid"),
        *(c.EnterCard(by="dealer", card=x) for x in ("9s", "2h", "Td", "4c")),
        c.Settle(by="dealer"),
        c.EndShoe(by="dealer"),
        c.CloseTable(by="boss"),
    ]
    answers = [house.ask(command) for command in commands]
    entries = {seq: read_entry(data) for seq, data in house.store.entries(TABLE)}
    assert [entries[answer.seq].command for answer in answers] == [
        command.name() for command in commands
    ]


# The clock comes first


@reads(19)
def test_a_wager_that_waits_in_the_batch_of_the_deadline_is_refused(house: House) -> None:
    betting(house, clock=Clock(betting_ms=10_000, closes_by_clock=True))
    with house.one_batch():
        house.hand.ms += 10_000 - 1
        in_time = house.store.submit(asked(wager(), "in time"))
    with house.one_batch():
        late = house.store.submit(asked(wager(bet="tie"), "late"))
        other = house.store.submit(asked(c.SeatSession(by="cid", session="cid"), "seat"))
        house.hand.ms += 1
    assert in_time.result().ok
    assert (late.result().ok, late.result().code) == (False, "bets-are-closed")
    assert other.result().ok
    *_, placed, closed, seated = house.events()
    assert (type(placed), type(closed), type(seated)) == (
        e.WagerPlaced,
        e.BetsClosed,
        e.SessionSeated,
    )


def test_the_clock_of_every_table_is_looked_at_in_every_batch(house: House) -> None:
    betting(house, clock=Clock(betting_ms=10_000, closes_by_clock=True))
    house.ok(c.OpenTable(by="boss", game="rapid"), stream=OTHER)
    house.hand.ms += 10_000
    house.ok(c.SeatSession(by="ann", session="ann"), stream=OTHER)
    assert isinstance(house.events()[-1], e.BetsClosed)


def test_a_table_runs_by_itself_when_nobody_asks_anything(tmp_path: Path) -> None:
    quick = Clock(betting_ms=20, guard_ms=1, card_ms=1, pause_ms=5, automatic=True)
    settled = threading.Semaphore(0)
    with SqliteStore(tmp_path / "floor.db") as store:

        def see(_: str, entries: Sequence[Entry]) -> None:
            for entry in entries:
                if isinstance(entry.events[0], e.RoundSettled):
                    assert entry.by == CLOCK
                    settled.release()

        store.watchers.append(see)
        store.ask(asked(c.OpenTable(by="boss", game="six-star", clock=quick), "1"))
        store.ask(asked(c.NewShoe(by="dealer"), "2"))
        for _ in range(3):
            assert settled.acquire(timeout=PATIENCE_S)
    assert audit(tmp_path / "floor.db").rounds >= 3


# Neighbours in a batch


def test_a_refused_wager_never_fails_its_neighbours(house: House) -> None:
    betting(house)
    rows = [
        (wager("ann", "player"), ""),
        (wager("ann", "player"), "limit-refused"),  # again, under another id
        (wager("cid", "player"), "not-seated"),
        (wager("ben", "dragon"), "unknown-bet"),
        (wager("ben", "tie", 60_000), "not-enough-credits"),
        (wager("ben", "banker", round_=2), "wrong-round"),
        (wager("ben", "banker"), ""),
    ]
    answers = house.together(*(asked(command, str(n)) for n, (command, _) in enumerate(rows)))
    assert [answer.code for answer in answers if isinstance(answer, Answer)] == [
        expected for _, expected in rows
    ]
    assert house.store.stream(TABLE).balances["wagers"] == 2_000


def test_credits_are_carried_along_inside_a_batch(house: House) -> None:
    betting(house)
    bets = ("player", "banker", "tie")
    answers = house.together(*(asked(wager("ann", bet, 20_000), bet) for bet in bets))
    assert [isinstance(x, Answer) and x.ok for x in answers] == [True, True, False]
    assert house.store.stream(TABLE).balances["session:ann"] == 10_000


def test_a_command_that_the_database_cannot_take_strikes_nobody_else(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    betting(house)
    betting(house, stream=OTHER)
    house.ok(c.SeatSession(by="cid", session="cid"), c.BuyIn(by="cage", session="cid", cents=100))
    answers = house.together(
        asked(wager("ann"), "before"),
        asked(
            c.IssueVoucher(by="cid", session="cid", voucher="v", expires_at=2**63),
            "no integer of a database",
        ),
        asked(c.LoadCredits(by="boss", session="cid", cents=1, reason="\ud800"), "no text"),
        asked(wager("ben"), "after"),
        asked(wager("ben"), "elsewhere", OTHER),
    )
    assert [isinstance(x, Answer) and x.ok for x in answers] == [True, False, False, True, True]
    assert all("a fault in this program" in str(answers[n]) for n in (1, 2))
    assert house.store.stream(TABLE).balances["session:cid"] == 100
    assert audit(house.store.path).sound
    assert caplog.records, "people are told"


def _failing(command: type[c.Command]) -> Callable[..., Events]:
    decide: Callable[..., Events] = Machine.decide

    def failing(*args: object, **options: object) -> Events:
        if isinstance(args[3], command):
            raise RuntimeError("a fault of ours")
        return decide(*args, **options)

    return failing


def test_a_fault_of_ours_in_one_command_leaves_no_trace_of_it(
    house: House, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    betting(house)
    with monkeypatch.context() as patch:
        patch.setattr(Machine, "decide", _failing(c.BuyIn))
        answers = house.together(
            asked(wager("ann"), "1"),
            asked(c.BuyIn(by="cage", session="ann", cents=100), "2"),
            asked(wager("ben"), "3"),
        )
        assert [type(x) for x in answers] == [Answer, NotStored, Answer]
    assert house.ask(c.BuyIn(by="cage", session="ann", cents=100), id_="2").ok, (
        "the same id, once it is mended"
    )
    assert "a fault of ours" in caplog.text
    assert audit(house.store.path).sound


@pytest.mark.waits
def test_a_step_of_the_clock_that_fails_stops_no_other_table_and_is_not_tried_without_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    calls = Counter[str]()
    failing = _failing(c.CloseBets)

    def counted(*args: object, **options: object) -> Events:
        calls[type(args[3]).__name__] += 1
        return failing(*args, **options)

    with SqliteStore(tmp_path / "floor.db") as store:
        for n, command in enumerate(
            [
                c.OpenTable(
                    by="boss", game="rapid", clock=Clock(betting_ms=10, closes_by_clock=True)
                ),
                c.NewShoe(by="dealer", dealing="physical"),
            ]
        ):
            store.ask(asked(command, str(n)))
        monkeypatch.setattr(Machine, "decide", counted)
        store.ask(asked(c.OpenBets(by="dealer"), "open"))
        began = time.monotonic()
        wait_until(lambda: calls["CloseBets"], "the clock")
        time.sleep(0.3)
        assert store.ask(asked(c.OpenTable(by="boss", game="rapid"), "open", OTHER)).ok
        assert store.ask(asked(c.SeatSession(by="ann", session="ann"), "seat")).ok
        tries_that_had_time = (time.monotonic() - began) * 1000 / RETRY_MS
        assert calls["CloseBets"] <= 4 + 2 * tries_that_had_time, "it is not tried all the time"
        late = store.ask(asked(wager(), "late"))
        assert late.code == "bets-are-closed", "a deadline holds even where the clock fails"
    assert "a fault of ours" in caplog.text


# Group commit and durability


def test_sixty_four_clients_share_commits(house: House) -> None:
    betting(house)
    clients, each = 64, 8
    for n in range(clients):
        house.ok(c.SeatSession(by=f"s{n}", session=f"s{n}"))

    async def play() -> list[Answer]:
        async def client(n: int) -> list[Answer]:
            buys = (c.BuyIn(by=f"s{n}", session=f"s{n}", cents=100 + k) for k in range(each))
            return [await house.store.asked(asked(buy, f"{n}-{k}")) for k, buy in enumerate(buys)]

        return [
            answer
            for answers in await asyncio.gather(*map(client, range(clients)))
            for answer in answers
        ]

    before = house.door.names.count("commit")
    answers = asyncio.run(play())
    commits = house.door.names.count("commit") - before
    assert all(answer.ok for answer in answers)
    assert len({answer.seq for answer in answers}) == clients * each
    assert commits <= clients * each // 4, f"{commits} commits for {clients * each} commands"


def test_every_commit_is_synchronised_to_the_write_ahead_log(house: House) -> None:
    settings = {
        name: house.store._db.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("journal_mode", "synchronous")
    }
    assert settings == {"journal_mode": "wal", "synchronous": 2}


def test_an_answer_is_on_disk_before_it_is_given(house: House) -> None:
    betting(house)
    given = list[tuple[int, int]]()

    def tell(future: Future[Answer]) -> None:
        with closing(connect(house.store.path, read_only=True)) as db:
            [(seq,)] = db.execute("SELECT max(seq) FROM entries WHERE stream = ?", (TABLE,))
        given.append((future.result().seq, seq))

    future = house.store.submit(asked(wager(), "w"))
    future.add_done_callback(tell)
    future.result()
    house.ok(wager("ben"))
    [(own, stored)] = given
    assert stored >= own


# What the database itself refuses


@pytest.fixture
def kept(house: House) -> Path:
    """A database with rows in every append-only table."""
    betting(house)
    house.ok(
        wager(),
        c.CloseBets(by="dealer"),
        *(c.EnterCard(by="dealer", card=x) for x in ("9s", "2h", "Td", "4c")),
    )
    house.ok(c.Settle(by="dealer"), c.EndShoe(by="dealer"))
    house.store.log.open("floor.example/log")
    house.store.log.grow()
    return house.store.path


def test_no_row_of_an_append_only_table_can_be_changed_removed_or_replaced(kept: Path) -> None:
    with closing(connect(kept)) as db:
        db.execute(
            "INSERT INTO set_aside (stream, at, place, seq, n, data, who) "
            "VALUES ('table:1', 1, 'entries', 1, 0, 'other bytes', 'ada and sam')"
        )
        for table in schema.APPEND_ONLY:
            [rows] = db.execute(f"SELECT count(*) FROM {table}").fetchone()
            assert rows > 0
            number = "first" if table == "log_places" else "seq"
            for statement in (
                f"UPDATE {table} SET {number} = {number} + 1000",
                f"UPDATE {table} SET stream = stream",
                f"DELETE FROM {table}",
                f"DELETE FROM {table} WHERE {number} = (SELECT max({number}) FROM {table})",
                f"INSERT OR REPLACE INTO {table} SELECT * FROM {table} LIMIT 1",
            ):
                with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only"):
                    db.execute(statement)
            assert db.execute(f"SELECT count(*) FROM {table}").fetchone() == (rows,)


def test_the_database_refuses_a_patron_below_zero_and_lets_the_house_be(kept: Path) -> None:
    with closing(connect(kept)) as db:
        for statement in (
            "UPDATE balances SET cents = -1 WHERE account = 'session:ann'",
            "UPDATE balances SET cents = cents - 1000000 WHERE account LIKE 'session:%'",
            "INSERT INTO balances VALUES ('table:1', 'session:eve', -1)",
            "INSERT OR REPLACE INTO balances VALUES ('table:1', 'session:ann', -1)",
        ):
            with pytest.raises(sqlite3.IntegrityError, match="no_patron_below_zero"):
                db.execute(statement)
        db.execute("BEGIN")
        db.execute("UPDATE balances SET cents = -5 WHERE account = 'bank'")
        db.execute("ROLLBACK")


@pytest.mark.parametrize(
    ("statement", "law"),
    [
        ("INSERT INTO transfers VALUES ('x', 1, 0, 'cage', 'bank', 0)", "moves_something"),
        ("INSERT INTO vouchers VALUES ('v', 0, 1, 'x', 1, NULL, NULL)", "worth_something"),
        ("INSERT INTO entries SELECT * FROM entries LIMIT 1", "UNIQUE"),
        ("INSERT INTO answers SELECT * FROM answers LIMIT 1", "UNIQUE"),
    ],
)
def test_the_database_refuses_what_cannot_be(kept: Path, statement: str, law: str) -> None:
    with closing(connect(kept)) as db, pytest.raises(sqlite3.IntegrityError, match=law):
        db.execute(statement)


def test_an_account_that_comes_to_nothing_is_not_kept(house: House) -> None:
    betting(house)
    house.ok(c.CashOut(by="ben", session="ben"), wager("ann", "player", 50_000))
    expected = {"session:ann", "session:ben"}
    with closing(connect(house.store.path)) as db:
        assert not expected & {account for (account,) in db.execute("SELECT account FROM balances")}
    assert not expected & set(house.store._streams[TABLE].balances)
    assert not expected & set(house.store.stream(TABLE).balances)


# Cards that are not dealt


def _order(house: House) -> Order:
    """The order of the shoe, by the key ring."""
    with closing(connect(house.store.path)) as db:
        [(place, key, nonce, data)] = db.execute("SELECT place, key, nonce, data FROM sealed")
    return unseal(
        Sealed(key=key, nonce=nonce, data=data), KeyRing.load(house.store.ring_path), place=place
    )


def _written(order: Order, start: int, stop: int) -> dict[str, bytes]:
    """Some cards of the order, in the ways that they could be written."""
    cards = order.cards[start:stop]
    codes = [code(card) for card in cards]
    return {
        "bytes": cards,
        "backwards": cards[::-1],
        "codes": " ".join(codes).encode(),
        "codes with commas": ",".join(codes).encode(),
        "codes as JSON": json.dumps(codes, separators=(",", ":")).encode()[1:-1],
        "codes together": "".join(codes).encode(),
        "numbers": json.dumps(list(cards), separators=(",", ":")).encode()[1:-1],
        "hex": cards.hex().encode(),
        "base64": base64.b64encode(order.cards)[4 * start // 3 + 4 : 4 * stop // 3 - 4],
        "sixteen bits": b"".join(card.to_bytes(2, "little") for card in cards),
    }


def _found(house: House, order: Order, start: int) -> set[str]:
    """The ways in which any twelve neighbours from `start` on can be read in the files."""
    path = house.store.path
    files = [path, path.with_name(path.name + "-wal"), house.store.heads_path]
    everything = b"".join(file.read_bytes() for file in files)
    assert len(everything) > 10_000
    return {
        way
        for at in range(start, len(order.cards) - 12, 4)
        for way, data in _written(order, at, at + 12).items()
        if data in everything
    }


def test_undealt_cards_can_be_read_in_no_file_until_the_shoe_is_over(house: House) -> None:
    betting(house, dealing="virtual")
    order = _order(house)
    house.ok(wager(), c.CloseBets(by="dealer"))
    for _ in range(4):
        house.ok(c.DealCard(by="dealer"))
    assert _found(house, order, start=4) == set()
    for secret in (order.nonce, order.nonce.hex().encode()):
        assert (
            secret
            not in house.store.path.with_name("floor.db-wal").read_bytes()
            + house.store.path.read_bytes()
        )
    house.store.rotate_keys()
    assert _found(house, order, start=4) == set()
    assert order == _order(house)
    while house.ask(c.DealCard(by="dealer")).ok:
        pass
    house.ok(c.Settle(by="dealer"), c.EndShoe(by="dealer"))
    assert _found(house, order, start=4) == {"codes"}, "and then everybody can check them"


def test_keys_are_rotated_while_a_shoe_is_under_way(house: House) -> None:
    betting(house, dealing="virtual")
    old, order = KeyRing.load(house.store.ring_path), _order(house)
    house.ok(c.CloseBets(by="dealer"), c.DealCard(by="dealer"))
    house.store.rotate_keys()
    new = KeyRing.load(house.store.ring_path)
    assert set(new.sealing) > set(old.sealing)
    with closing(connect(house.store.path)) as db:
        [(key,)] = db.execute("SELECT key FROM sealed")
    assert key == new.sealer[0] != old.sealer[0]
    for old_key in old.sealing:  # nothing that is undealt needs the old key any more
        del new.sealing[old_key]
    new.save(house.store.ring_path)
    house.store.close()
    again = House(house.store.path)
    with again.store:
        while again.ask(c.DealCard(by="dealer"), id_=f"deal {time.monotonic_ns()}").ok:
            pass
        answer = again.ask(c.Settle(by="dealer"), id_="settle")
        assert answer.ok, answer.reason
        assert again.ask(c.EndShoe(by="dealer"), id_="end").ok
        dealt = [event.card for event in again.events() if isinstance(event, e.CardDealt)]
        assert dealt == order.text.split()[: len(dealt)]
    report = audit(house.store.path)
    assert report.sound, report.fault


def test_a_shoe_that_cannot_be_opened_does_not_keep_the_others_from_new_keys(house: House) -> None:
    betting(house, dealing="virtual")
    with closing(connect(house.store.path)) as db:
        db.execute("INSERT INTO sealed VALUES ('table:9', 'table:9/shoe/1', 'lost', x'00', x'00')")
    house.store.rotate_keys()
    with closing(connect(house.store.path)) as db:
        rows = dict(db.execute("SELECT stream, key FROM sealed").fetchall())
    assert rows == {TABLE: KeyRing.load(house.store.ring_path).sealer[0], "table:9": "lost"}


def test_a_sealed_order_that_is_not_the_one_committed_to_is_not_dealt(house: House) -> None:
    """Even one that the right key sealed for the right place."""
    betting(house, dealing="virtual")
    order, ring = _order(house), KeyRing.load(house.store.ring_path)
    house.ok(c.CloseBets(by="dealer"))
    house.store.close()
    other = seal(Order(cards=order.cards[::-1], nonce=order.nonce), ring, place=f"{TABLE}/shoe/1")
    with closing(connect(house.store.path)) as db:
        db.execute(
            "UPDATE sealed SET key = ?, nonce = ?, data = ?", (other.key, other.nonce, other.data)
        )
    again = House(house.store.path)
    with again.store:
        refused = again.ask(c.DealCard(by="dealer"), id_="deal")
        assert (refused.code, refused.ok) == ("vault-fault", False)
        assert "not those committed to" in refused.words.en


def test_a_card_asked_for_between_rounds_is_refused_for_that(house: House) -> None:
    house.ok(
        c.OpenTable(by="boss", game="super-six-plus"), c.NewShoe(by="dealer", source="continuous")
    )
    assert house.ask(c.DealCard(by="dealer")).code == "not-now"


# Vouchers, and more than one store


def _voucher(house: House, voucher: str, stream: str = TABLE) -> None:
    house.ok(
        c.SeatSession(by="v", session=voucher),
        c.BuyIn(by="v", session=voucher, cents=5_000),
        c.IssueVoucher(by="v", session=voucher, voucher=voucher),
        stream=stream,
    )


def test_a_voucher_is_redeemed_once_when_two_tables_race_in_one_batch(house: House) -> None:
    for stream in (TABLE, OTHER):
        betting(house, stream=stream)
    for n in range(5):
        _voucher(house, f"v{n}")
        redeem = c.RedeemVoucher(by="ann", session="ann", voucher=f"v{n}")
        answers = house.together(
            asked(redeem, f"a{n}", OTHER),
            asked(redeem, f"b{n}", TABLE),
            asked(redeem, f"c{n}", OTHER),
        )
        assert sorted(x.code for x in answers if isinstance(x, Answer)) == [
            "",
            "voucher-refused",
            "voucher-refused",
        ]
    assert audit(house.store.path).sound


def test_a_voucher_can_be_issued_and_redeemed_in_one_batch(house: House) -> None:
    betting(house)
    answers = house.together(
        asked(c.IssueVoucher(by="ben", session="ben", voucher="v"), "1"),
        asked(c.RedeemVoucher(by="ann", session="ann", voucher="v"), "2"),
        asked(c.SeatSession(by="ben", session="ben"), "3"),
        asked(c.RedeemVoucher(by="ben", session="ben", voucher="v"), "4"),
    )
    assert [x.code for x in answers if isinstance(x, Answer)] == ["", "", "", "voucher-refused"]


def test_a_voucher_is_redeemed_once_when_two_stores_race(house: House) -> None:
    for stream in (TABLE, OTHER):
        betting(house, stream=stream)
    for n in range(20):
        _voucher(house, f"v{n}")
    other = House(house.store.path)
    with other.store, ThreadPoolExecutor(8) as pool:

        def redeem(store: SqliteStore, stream: str, n: int) -> Answer:
            return store.ask(
                asked(c.RedeemVoucher(by="ann", session="ann", voucher=f"v{n}"), f"r{n}", stream)
            )

        races = [
            (pool.submit(redeem, house.store, TABLE, n), pool.submit(redeem, other.store, OTHER, n))
            for n in range(20)
        ]
        assert all(one.result().ok != two.result().ok for one, two in races)
    assert audit(house.store.path).sound


def test_two_stores_on_one_file_agree(house: House) -> None:
    betting(house)
    other = House(house.store.path)
    with other.store:
        for n in range(10):
            here, there = (house, other) if n % 2 else (other, house)
            answer = here.ask(c.BuyIn(by="cage", session="ann", cents=100), id_=f"buy {n}")
            assert answer.ok
            assert there.ask(c.BuyIn(by="cage", session="ann", cents=100), id_=f"buy {n}") == answer
        assert state_hash(house.store.stream(TABLE)) == state_hash(other.store.stream(TABLE))
        assert house.store.stream(TABLE).balances["session:ann"] == 51_000
        with ThreadPoolExecutor(8) as pool:
            futures = [
                pool.submit(
                    store.ask, asked(c.BuyIn(by="cage", session="ann", cents=1), f"{n}-{k}")
                )
                for n in range(40)
                for k, store in enumerate((house.store, other.store))
            ]
            assert len({future.result().seq for future in futures}) == 80
    report = audit(house.store.path)
    assert report.sound, report.fault


def test_another_store_deals_on_after_the_keys_were_rotated(house: House) -> None:
    betting(house, dealing="virtual")
    house.ok(c.CloseBets(by="dealer"))
    other = House(house.store.path)
    with other.store:
        house.store.rotate_keys()
        assert other.ask(c.DealCard(by="dealer"), id_="deal").ok


def test_many_stores_can_start_at_once_on_a_new_file(tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(lambda _: SqliteStore(tmp_path / "floor.db"), range(6)))
    for n, store in enumerate(stores):
        assert store.ask(asked(c.OpenTable(by="boss", game="rapid"), "open", f"table:{n}")).ok
        store.close()


# Those who watch


def test_watchers_are_told_after_the_commit_and_only_then(house: House) -> None:
    betting(house)
    told = list[tuple[int, bool]]()

    def watch(stream: str, entries: Sequence[Entry]) -> None:
        with closing(connect(house.store.path, read_only=True)) as db:
            for entry in entries:
                row = db.execute(
                    "SELECT data FROM entries WHERE stream = ? AND seq = ?", (stream, entry.seq)
                ).fetchone()
                told.append((entry.seq, row == (write_entry(entry).data,)))

    house.store.watchers.append(watch)
    house.ok(wager(), wager("ben"))
    assert [committed for _, committed in told] == [True, True]
    told.clear()
    house.ask(wager(cents=1))  # refused: nothing has happened
    house.store._db.execute("PRAGMA query_only = ON")
    with pytest.raises(NotStored):
        house.ask(wager(bet="tie"))
    house.store._db.execute("PRAGMA query_only = OFF")
    assert told == []
    house.ok(wager(bet="tie"))
    assert len(told) == 1


def test_a_watcher_that_fails_harms_nobody(house: House, caplog: pytest.LogCaptureFixture) -> None:
    betting(house)
    seen = list[int]()

    def fail(_: str, __: Sequence[Entry]) -> None:
        raise RuntimeError("the screen is dark")

    house.store.watchers += [fail, lambda _, entries: seen.extend(entry.seq for entry in entries)]
    assert house.ask(wager()).seq == seen[-1]
    assert "the screen is dark" in caplog.text


# The queue, and the end


def test_more_commands_than_the_queue_holds_are_refused_and_the_rest_is_answered(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.ok(c.OpenTable(by="boss", game="rapid"))
    monkeypatch.setattr(f"{SqliteStore._put.__module__}.MAX_WAITING", 10)
    with house.one_batch():
        futures = [
            house.store.submit(asked(c.SeatSession(by="x", session=f"s{n}"), str(n)))
            for n in range(10)
        ]
        with pytest.raises(NotStored, match="too many commands are waiting"):
            house.store.submit(asked(c.SeatSession(by="x", session="one too many"), "10"))
    assert all(future.result().ok for future in futures)
    assert house.ask(c.SeatSession(by="x", session="one too many"), id_="10").ok


def test_more_than_one_batch_holds_is_answered_in_order(house: House) -> None:
    house.ok(c.OpenTable(by="boss", game="rapid"))
    before = house.door.names.count("commit")
    answers = house.together(
        *(asked(c.SeatSession(by="x", session=f"s{n}"), str(n)) for n in range(257))
    )
    assert [x.seq for x in answers if isinstance(x, Answer)] == list(range(3, 260))
    assert house.door.names.count("commit") - before == 3  # the door's, 256, and one


def test_what_waits_when_the_store_closes_is_answered_and_what_comes_later_is_refused(
    house: House,
) -> None:
    house.ok(c.OpenTable(by="boss", game="rapid"))
    with house.one_batch():
        futures = [
            house.store.submit(asked(c.SeatSession(by="x", session=f"s{n}"), str(n)))
            for n in range(300)
        ]
        closing_ = threading.Thread(target=house.store.close)
        closing_.start()
    closing_.join(PATIENCE_S)
    assert all(future.result(timeout=0).ok for future in futures)
    with pytest.raises(NotStored, match="closed"):
        house.ask(c.SeatSession(by="x", session="late"))
    house.store.close()  # once more does nothing


def test_a_caller_who_no_longer_waits_stops_nobody(house: House) -> None:
    house.ok(c.OpenTable(by="boss", game="rapid"))
    with house.one_batch():
        gone = house.store.submit(asked(c.SeatSession(by="x", session="gone"), "1"))
        assert gone.cancel()
        stays = house.store.submit(asked(c.SeatSession(by="x", session="stays"), "2"))
    assert stays.result(timeout=PATIENCE_S).ok

    async def impatient() -> Answer:
        waiting = asyncio.ensure_future(
            house.store.asked(asked(c.SeatSession(by="x", session="a"), "3"))
        )
        await asyncio.sleep(0)
        waiting.cancel()
        return await house.store.asked(asked(c.SeatSession(by="x", session="b"), "4"))

    assert asyncio.run(impatient()).ok
    assert set(house.store.table(TABLE).state.sessions) == {"gone", "stays", "a", "b"}


# A journal that does not hold


def test_a_stream_whose_journal_was_changed_stands_still_and_the_others_go_on(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    betting(house, clock=Clock(betting_ms=10_000, closes_by_clock=True))
    betting(house, stream=OTHER, clock=Clock(betting_ms=10_000, closes_by_clock=True))
    house.store.close()
    with closing(connect(house.store.path)) as db:
        db.execute("DROP TRIGGER entries_no_update")
        db.execute(
            "UPDATE entries SET data = replace(data, '50000', '90000') WHERE stream = ? AND seq = 3",
            (TABLE,),
        )
    again = House(house.store.path)
    with again.store:
        answers = again.together(asked(wager(), "here"), asked(wager(), "there", OTHER))
        assert isinstance(answers[0], NotStored)
        assert "the journal does not hold" in str(answers[0])
        assert isinstance(answers[1], Answer)
        assert answers[1].ok
        again.hand.ms += 10_000
        assert again.ask(wager(bet="tie"), stream=OTHER).code == "bets-are-closed"
        assert isinstance(again.events(OTHER)[-1], e.BetsClosed)
    assert f"stream {TABLE} blocked" in caplog.text


def test_a_snapshot_that_the_journal_does_not_know_is_not_believed(
    house: House, kept: Path
) -> None:
    true = house.store.stream(TABLE)
    house.store.close()
    with closing(connect(kept)) as db:
        db.execute("DROP TRIGGER snapshots_no_update")
        [(data,)] = db.execute("SELECT data FROM snapshots")
        richer = data.replace(b'"session:ann":', b'"session:ann":9')
        assert richer != data
        db.execute("UPDATE snapshots SET data = ?, hash = ?", (richer, hash_bytes(richer)))
    again = House(kept)
    with again.store:
        assert again.store.stream(TABLE).balances == true.balances
        assert state_hash(again.store.stream(TABLE)) == state_hash(true)


def test_a_stream_from_its_snapshot_is_the_stream_from_its_first_entry(
    house: House, kept: Path
) -> None:
    del kept
    house.ok(c.NewShoe(by="dealer"), c.OpenBets(by="dealer"), wager(round_=2))
    replayed = Stream.empty(TABLE, OURS.table)
    for entry, head in chained(house.store.entries(TABLE), TABLE):
        replayed.follow(entry, head)
    assert (
        state_hash(replayed)
        == state_hash(house.store.stream(TABLE))
        == state_hash(house.store._streams[TABLE])
    )


def test_a_table_closed_with_its_shoe_on_it_ends_both_in_one_entry_with_one_signed_head(
    house: House,
) -> None:
    house.ok(c.OpenTable(by="boss", game="rapid"), c.NewShoe(by="dealer"))
    closed = house.ask(c.CloseTable(by="boss"))
    assert closed.ok
    assert [type(event) for event in house.events()[-3:]] == [
        e.ShoeEnded,
        e.TableClosed,
        e.PeriodSealed,
    ]
    with closing(connect(house.store.path)) as db:
        assert db.execute("SELECT seq FROM heads ORDER BY seq").fetchall() == [
            (2,),
            (3,),
            (closed.seq + 1,),
        ]
    assert beside(house.store.path, "heads").read_bytes().count(b"\n") == 3
    assert audit(house.store.path).sound


def test_watchers_hear_what_another_process_wrote_just_before_this_one(house: House) -> None:
    """Though the look at what others wrote has not come in between."""
    house.ok(c.OpenTable(by="boss", game="rapid"), c.NewShoe(by="dealer"))
    heard = list[int]()
    house.store.watchers.append(lambda _, entries: heard.extend(entry.seq for entry in entries))
    house.store._look_at = math.inf
    with SqliteStore(house.store.path, heads=house.store.path.with_name("other.heads")) as other:
        seat = c.SeatSession(by="ann", session="ann")
        there = other.ask(Request(stream=TABLE, id="there", command=seat))
    here = house.ask(c.SeatSession(by="ben", session="ben"))
    assert there.ok
    assert here.ok
    assert heard == list(range(heard[0], here.seq + 1))
    assert there.seq in heard


@pytest.mark.parametrize("count", [0, 1, 15, 16, 17, 32, 40])
def test_rows_are_put_whole_and_in_order_however_many_they_are(count: int) -> None:
    assert sqlite_transaction.AT_ONCE == 16, "the counts are about it"
    rows = [("table:1", f"a{n}", n) for n in range(count)]
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE balances (stream, account, cents, PRIMARY KEY (stream, account))")
        sqlite_transaction.put(db, sqlite_transaction.BALANCE, rows)
        assert db.execute("SELECT * FROM balances ORDER BY rowid").fetchall() == rows
        doubled = [(stream, account, 2 * cents) for stream, account, cents in rows]
        sqlite_transaction.put(db, sqlite_transaction.BALANCE, doubled)
        assert db.execute("SELECT * FROM balances ORDER BY rowid").fetchall() == doubled


def test_a_lookup_waits_for_commands_that_are_queued(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else it would say that a command was not recorded, a moment before it is."""
    reached, goes_on = threading.Event(), threading.Event()

    def hold(point: str) -> None:
        if point == "commit" and not goes_on.is_set():
            reached.set()
            assert goes_on.wait(PATIENCE_S)

    with SqliteStore(tmp_path / "floor.db", point=hold) as store:
        asked = store.submit(
            Request(stream="table:1", id="open", command=c.OpenTable(by="pit", game="rapid"))
        )
        assert reached.wait(PATIENCE_S)
        monkeypatch.setattr(sqlite, "LOOKUP_S", 0.0)
        with pytest.raises(InDoubt):
            store.wait_for_commits("table:1")
        monkeypatch.setattr(sqlite, "LOOKUP_S", PATIENCE_S)
        goes_on.set()
        store.wait_for_commits("table:1")
        assert asked.done()


def test_answers_of_one_batch_wake_the_loop_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wake-up for each asker took a third of the wagers a second."""
    taken = list[tuple[Request, Waiter]]()
    woken = list[object]()

    async def ask_all(store: SqliteStore) -> list[Answer]:
        loop = asyncio.get_running_loop()
        asked = [Request(stream="table:1", id=f"{n}", command=c.OpenBets(by="d")) for n in range(9)]
        waiting = [asyncio.create_task(store.asked(request)) for request in asked]
        await asyncio.sleep(0)
        waiting[4].cancel()
        await asyncio.sleep(0)
        wake = loop.call_soon_threadsafe

        def count_and_wake(*told: Any) -> asyncio.Handle:
            woken.append(told)
            return wake(*told)

        monkeypatch.setattr(loop, "call_soon_threadsafe", count_and_wake)
        deliver(taken, [Answer(id=request.id, ok=True, seq=1, at=1) for request, _ in taken])
        return await asyncio.gather(*waiting[:4], *waiting[5:])

    def put(request: Request, waiter: Waiter) -> None:
        taken.append((request, waiter))

    with SqliteStore(tmp_path / "floor.db") as store:
        monkeypatch.setattr(store, "_put", put)
        answers = asyncio.run(ask_all(store))
    assert [answer.id for answer in answers] == [f"{n}" for n in range(9) if n != 4]
    assert len(woken) == 1
