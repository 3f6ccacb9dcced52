"""A process that kills its children while they write, starts them again and looks what is left. Run by test_crash.py.

    python -m tests.storage.crash points FOLDER all|some    a scripted day, killed at every write point, or at some
    python -m tests.storage.crash random FOLDER KILLS SEED  clients under load, killed at any moment
    python -m tests.storage.crash midround FOLDER           automatic tables, each killed when two cards lie

This process has no threads, so that a fork is a fresh start; every child opens the store anew. The salts of the
scripted day are no secret: bytes can be compared.
"""

from __future__ import annotations

import asyncio
import json
import math
import os
import random
import select
import shutil
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from itertools import count, groupby, repeat
from pathlib import Path
from typing import Any, NoReturn
from unittest.mock import patch

import msgspec

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import Entry, chained, read_entry
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.machine import CLOCK
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.clock import needs_shoe
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.store import batch
from puntobanco_floor.store.batch import STORE, Answer, Request, Stream, read_answer, state_hash
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import beside, connect
from puntobanco_floor.store.table_clock import TableTime
from puntobanco_proof.entry.format import SALT_BYTES, canonical
from puntobanco_proof.entry.heads import Head, read_heads
from tests.storage.node import read_request
from tests.storage.turned import TurnedStore

HAND, VIRTUAL, ITSELF = "table:1", "table:2", "table:3"
BASE_S = 1_700_000_000
DATABASE, ACKNOWLEDGED = "floor.db", "acknowledged"


# The scripted day: cards of table 1 lie in a physical shoe, so that its journal is the same bytes whatever happens;
# table 2 deals a virtual shoe by hand, table 3 runs by itself.


def day() -> list[list[Request]]:
    """Commands in groups that are sent together; a group a second."""
    return [
        [
            Request(stream=stream, id=f"{n:03}-{i}", command=command)
            for i, (stream, command) in enumerate(group)
        ]
        for n, group in enumerate(_groups())
    ]


Group = list[tuple[str, Command]]


def _groups() -> Iterator[Group]:
    yield [
        (
            HAND,
            c.OpenTable(
                by="boss", game="fortune-six", clock=Clock(betting_ms=4_000, closes_by_clock=True)
            ),
        )
    ]
    yield [(VIRTUAL, c.OpenTable(by="boss", game="six-star"))]
    by_itself = Clock(betting_ms=5_000, guard_ms=1_000, card_ms=500, pause_ms=1_500, automatic=True)
    yield [(ITSELF, c.OpenTable(by="boss", game="super-six-plus", clock=by_itself))]
    yield [
        (HAND, c.NewShoe(by="dealer", dealing="physical", burn=1)),
        (VIRTUAL, c.NewShoe(by="dealer", burn=2)),
    ]
    yield [(ITSELF, c.NewShoe(by="dealer", source="continuous"))]
    yield [(HAND, c.SeatSession(by=who, session=who)) for who in ("ann", "ben", "cid")]
    yield [(HAND, c.BuyIn(by="cage", session=who, cents=50_000)) for who in ("ann", "ben", "cid")]
    yield [
        (table, c.SeatSession(by="zoe", session="zoe", patron="zoe")) for table in (VIRTUAL, ITSELF)
    ]
    yield [(table, c.BuyIn(by="cage", session="zoe", cents=70_000)) for table in (VIRTUAL, ITSELF)]
    yield [
        (ITSELF, c.PlaceWager(by="zoe", round=1, session="zoe", bet=bet, stake_cents=1_000))
        for bet in ("tie", "banker")
    ]
    yield from _settled_round()
    yield from _virtual_round(1)
    yield from _reopened_round()
    yield [(HAND, c.LoadCredits(by="dealer", session="cid", cents=10_000, reason="a complaint"))]
    yield [(HAND, c.Approve(by="boss", proposal=3))]
    yield from _voided_round()
    yield [
        (HAND, c.IssueVoucher(by="ben", session="ben", voucher="hand-1")),
        (HAND, c.CashOut(by="cid", session="cid")),
    ]
    yield [
        (VIRTUAL, c.SeatSession(by="ben", session="ben")),
        (VIRTUAL, c.RedeemVoucher(by="ben", session="ben", voucher="hand-1")),
    ]
    yield [
        (HAND, c.SeatSession(by="dan", session="dan")),
        (HAND, c.RedeemVoucher(by="dan", session="dan", voucher="hand-1")),
    ]
    yield [
        (VIRTUAL, c.SeatSession(by="eve", session="eve")),
        (VIRTUAL, c.BuyIn(by="cage", session="eve", cents=7_700)),
    ]
    yield [(VIRTUAL, c.IssueVoucher(by="eve", session="eve", voucher="virtual-1"))]
    yield [(HAND, c.RedeemVoucher(by="dan", session="dan", voucher="virtual-1"))]
    yield [(HAND, c.EndShoe(by="dealer")), (VIRTUAL, c.EndShoe(by="dealer"))]
    yield [
        (HAND, c.NewShoe(by="dealer", dealing="physical")),
        (VIRTUAL, c.NewShoe(by="dealer", decks=6)),
    ]
    yield from _virtual_round(2)
    yield [(ITSELF, c.CloseTable(by="boss"))]  # refused while a round is in play
    yield [(HAND, c.CashOut(by="dan", session="dan")), (HAND, c.CashOut(by="ann", session="ann"))]
    yield [(VIRTUAL, c.CloseTable(by="boss", reason="the day is over"))]
    yield [(HAND, c.CloseTable(by="boss", reason="the day is over"))]


def _cards(*cards: str) -> Iterator[Group]:
    for card in cards:
        yield [(HAND, c.EnterCard(by="dealer", card=card))]


def _settled_round() -> Iterator[Group]:
    yield [(HAND, c.OpenBets(by="dealer"))]
    yield [
        (HAND, c.PlaceWager(by="ann", round=1, session="ann", bet="banker", stake_cents=10_000)),
        (HAND, c.PlaceWager(by="ben", round=1, session="ben", bet="player", stake_cents=5_000)),
        (
            HAND,
            c.PlaceWager(by="cid", round=1, session="cid", bet="tie", stake_cents=1),
        ),  # refused: below the minimum
    ]
    yield [
        (HAND, c.RaiseWager(by="ann", round=1, session="ann", bet="banker", by_cents=5_000)),
        (HAND, c.WithdrawWager(by="ben", round=1, session="ben", bet="player")),
        (
            HAND,
            c.PlaceWager(by="ben", round=1, session="ben", bet="player", stake_cents=60_000),
        ),  # refused: too much
        (
            HAND,
            c.PlaceWager(by="ben", round=1, session="ben", bet="player-pair", stake_cents=2_000),
        ),
    ]
    yield [
        (ITSELF, c.WithdrawWager(by="zoe", round=1, session="zoe", bet="tie"))
    ]  # too late, or just in time
    # Four seconds are over: the clock closes before the command is looked at.
    yield [(HAND, c.PlaceWager(by="cid", round=1, session="cid", bet="tie", stake_cents=1_000))]
    yield from _cards("9s", "2h", "Td", "4c")
    yield [(HAND, c.Settle(by="dealer"))]


def _virtual_round(number: int) -> Iterator[Group]:
    yield [(VIRTUAL, c.OpenBets(by="dealer"))]
    yield [
        (
            VIRTUAL,
            c.PlaceWager(by="zoe", round=number, session="zoe", bet="player", stake_cents=1_000),
        ),
        (
            VIRTUAL,
            c.PlaceWager(by="zoe", round=number, session="zoe", bet="tie", stake_cents=1_000),
        ),
    ]
    yield [(VIRTUAL, c.CloseBets(by="dealer"))]
    for _ in range(6):  # refused when the round is complete earlier
        yield [(VIRTUAL, c.DealCard(by="dealer"))]
    yield [(VIRTUAL, c.Settle(by="dealer"))]


def _reopened_round() -> Iterator[Group]:
    """Paid, reopened by two people because a card was missed, reconstructed, and paid otherwise."""
    yield [(HAND, c.OpenBets(by="dealer"))]
    yield [
        (HAND, c.PlaceWager(by="ann", round=2, session="ann", bet="player", stake_cents=4_000)),
        (HAND, c.PlaceWager(by="cid", round=2, session="cid", bet="banker", stake_cents=6_000)),
    ]
    yield [(HAND, c.CloseBets(by="dealer"))]
    yield from _cards("7s", "3h", "Kd", "5c")
    yield [(HAND, c.Settle(by="dealer")), (HAND, c.CashOut(by="cid", session="cid"))]
    yield [
        (HAND, c.Reopen(by="dealer", ground="wrong-card-count", detail="a card stuck in the shoe"))
    ]
    yield [(HAND, c.Approve(by="boss", proposal=1)), (HAND, c.SeatSession(by="cid", session="cid"))]
    yield [(HAND, c.Reconstruct(by="dealer", order="7s 3h 2d Kd 5c"))]
    yield [(HAND, c.Approve(by="dealer", proposal=2)), (HAND, c.Approve(by="boss", proposal=2))]
    yield [(HAND, c.Settle(by="dealer")), (HAND, c.BuyIn(by="cage", session="cid", cents=20_000))]


def _voided_round() -> Iterator[Group]:
    yield [(HAND, c.OpenBets(by="dealer"))]
    yield [
        (HAND, c.PlaceWager(by=who, round=3, session=who, bet="tie", stake_cents=1_000))
        for who in ("ann", "ben", "cid")
    ]
    yield [(HAND, c.CloseBets(by="dealer"))]
    yield from _cards("9s", "9f", "9f")  # of the other deck, questioned once, then foreign
    yield [(HAND, c.VoidRound(by="dealer"))]
    yield [(HAND, c.Approve(by="boss", proposal=4))]


# A child: it opens the store, sends commands, and writes down every answer that it hears


class Days:
    """The clock of the day, moved by hand."""

    def __init__(self, second: int) -> None:
        self.second = second

    def __call__(self) -> float:
        return float(BASE_S + self.second)


def kill_me(*_: object) -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError("still alive")


def opened(
    folder: Path, clock: Days, point: Callable[[str], object] = lambda _: None
) -> TurnedStore:
    """The same write points on every such day, and none between two groups."""
    return TurnedStore(folder / DATABASE, time=TableTime(wall=clock, steady=clock), point=point)


def killed_at(nth: int) -> Callable[[str], object]:
    passed = count(1)
    return lambda _: kill_me() if next(passed) == nth else None


def acknowledged(folder: Path) -> list[tuple[str, str, bytes]]:
    """Stream, id and answer of every command that was acknowledged, in order."""
    path = folder / ACKNOWLEDGED
    lines = path.read_bytes().splitlines() if path.exists() else []
    return [
        (stream.decode(), id_.decode(), answer)
        for stream, id_, answer in (line.split(b"\t") for line in lines)
    ]


def send_day(store: TurnedStore, clock: Days, folder: Path, *, everything: bool) -> None:
    """All that was not acknowledged, in order; or all of it from the morning on."""
    known = {(stream, id_): answer for stream, id_, answer in acknowledged(folder)}
    log = os.open(folder / ACKNOWLEDGED, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    for second, group in enumerate(day()):
        clock.second = max(clock.second, second)
        wanted = [
            request for request in group if everything or (request.stream, request.id) not in known
        ]
        sent = [(request, store.submit(request)) for request in wanted]
        store.turn()
        for request, future in sent:
            answer = canonical(future.result())
            before = known.get((request.stream, request.id))
            if before is None:
                os.write(
                    log, b"\t".join((request.stream.encode(), request.id.encode(), answer)) + b"\n"
                )
            else:
                assert before == answer, f"{request.id} was answered {before!r}, now {answer!r}"
    os.close(log)


# What must hold when a day is over


def verify(folder: Path) -> None:
    """Everything acknowledged is there, each command has one entry, the audit passes, the heads are whole."""
    path = folder / DATABASE
    with closing(connect(path, read_only=True)) as db:
        rows = db.execute("SELECT stream, asked_by, command_id, answer FROM answers").fetchall()
        kept = {(stream, id_): read_answer(answer) for stream, _, id_, answer in rows}
        wanted = "SELECT stream, epoch, seq, hash, key, signature FROM heads"
        heads = {Head(*row) for row in db.execute(wanted)}
        for stream, id_, told in acknowledged(folder):
            answer = msgspec.json.decode(told, type=Answer)
            bare = msgspec.structs.replace(answer, head=None)
            assert kept.get((stream, id_)) == bare, f"{stream} {id_} was acknowledged and is lost"
            if answer.ok:
                assert answer.head in heads, (
                    f"{stream} {id_} was receipted with a head that is lost"
                )
        answers = [(stream, by, read_answer(answer)) for stream, by, _, answer in rows]
        asked = sorted((stream, answer.seq, by) for stream, by, answer in answers if answer.ok)
        entries = [
            read_entry(data)
            for (data,) in db.execute("SELECT data FROM entries ORDER BY stream, seq")
        ]
        assert asked == [(x.stream, x.seq, x.by) for x in entries if x.by not in (CLOCK, STORE)], (
            "doubled, or by nobody"
        )
        ends = set(db.execute("SELECT stream, seq, hash FROM streams"))
    assert {(head.stream, head.seq, head.hash) for head in heads} >= ends, "an end is not signed"
    data = beside(path, "heads").read_bytes()
    assert data.endswith(b"\n"), "the file of heads ends in half a line"
    filed = set(read_heads(data.splitlines(keepends=True)))
    # The end of a period is signed beside the end of its commit: who dies before filing both files
    # the later one at the next start.
    seals = {(x.stream, x.seq) for x in entries if type(x.events[0]).__name__ == "PeriodSealed"}
    missing = {head for head in heads - filed if (head.stream, head.seq) not in seals}
    assert not missing, f"the file of heads is behind: {missing}"
    report = audit(path)
    assert report.fault is None, report.fault
    assert not any("behind" in line or "reveal" in line for line in report.unproven), (
        report.unproven
    )


def by_hand(folder: Path) -> dict[str, Any]:
    """All that the database holds of the table with physical cards: the same bytes on every such day."""
    with closing(connect(folder / DATABASE, read_only=True)) as db:
        found: dict[str, Any] = {
            table: sorted(db.execute(f"SELECT * FROM {table} WHERE stream = ?", (HAND,)).fetchall())
            for table in (
                "entries",
                "transfers",
                "balances",
                "answers",
                "snapshots",
                "heads",
                "streams",
            )
        }
        found["vouchers"] = sorted(
            db.execute("SELECT voucher, cents, redeemed_stream FROM vouchers").fetchall()
        )
    return found


# Kill at every write point


Place = tuple[int, int, str]  # second, write point in it, and its name


def some(places: list[Place]) -> list[Place]:
    """One point of every second group, another one from group to group; and where a shoe starts, just after the commit."""
    found, of_group = list[Place](), groupby(places, key=lambda place: place[0])
    for (second, group), requests in zip(of_group, day(), strict=True):
        here = list(group)
        if second % 2 == 0:
            found.append(here[5 * second % len(here)])
        if any(isinstance(request.command, c.NewShoe) for request in requests):
            found += [place for place in here if place[2] == "committed"]
    return found


def points(folder: Path, which: str) -> dict[str, Any]:
    """An undisturbed day, kept as it stood before each group; then, from each of these, a crash at each point."""
    passed = _undisturbed(folder)
    places = [
        (second, nth, name)
        for second, names in enumerate(passed)
        for nth, name in enumerate(names, 1)
    ]
    quiet, killed = by_hand(folder / "quiet"), Counter[str]()
    chosen = places if which == "all" else some(places)
    for i, (second, nth, name) in enumerate(chosen):
        run = folder / "run"
        shutil.rmtree(run, ignore_errors=True)
        shutil.copytree(folder / f"before-{second}", run)
        try:
            assert _crashed(run, second, nth, everything=False) == signal.SIGKILL, (
                "the point was not reached"
            )
            if i % 3 == 0:  # and once more, on the way back
                _crashed(run, second, 1 + i % 8, everything=True)
            assert _crashed(run, second, None, everything=i % 2 == 0) == 0
            verify(run)
            for table, rows in by_hand(run).items():
                assert rows == quiet[table], (
                    f"{table} of the table by hand are not those of the quiet day"
                )
        except AssertionError as error:
            raise SystemExit(
                f"killed in second {second}, at write point {nth} ({name}): {error}"
            ) from None
        killed[name] += 1
    return {"groups": len(passed), "points": len(places), "killed": killed}


def _undisturbed(folder: Path) -> list[list[str]]:
    """The names of the write points that each group passes."""
    quiet, passed = folder / "quiet", folder / "passed"
    quiet.mkdir()

    def work() -> None:
        clock, names = Days(0), list[list[str]]()

        def point(name: str) -> None:
            names[-1].append(name)

        with opened(quiet, clock, point) as store:
            log = os.open(quiet / ACKNOWLEDGED, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
            for second, group in enumerate(day()):
                shutil.copytree(quiet, folder / f"before-{second}")
                names.append([])
                clock.second = second
                sent = [(request, store.submit(request)) for request in group]
                store.turn()
                for request, future in sent:
                    answer = canonical(future.result())
                    os.write(
                        log,
                        b"\t".join((request.stream.encode(), request.id.encode(), answer)) + b"\n",
                    )
            os.close(log)
        passed.write_text(json.dumps(names))

    assert forked(work) == 0
    verify(quiet)
    found: list[list[str]] = json.loads(passed.read_text())
    return found


def _crashed(folder: Path, second: int, nth: int | None, *, everything: bool) -> int:
    """The machine's clock does not go back over a crash: it stands at this second, or where the journal stopped."""

    def work() -> None:
        clock = Days(max(second, _last_second(folder)))
        with opened(folder, clock, killed_at(nth) if nth else lambda _: None) as store:
            send_day(store, clock, folder, everything=everything)

    return forked(work)


def _last_second(folder: Path) -> int:
    with closing(connect(folder / DATABASE, read_only=True)) as db:
        [last_ms] = db.execute("SELECT coalesce(max(at), 0) FROM streams").fetchone()
    return int(last_ms) // 1000 - BASE_S


def forked(work: Callable[[], None]) -> int:
    """The exit status of a child that did this: 0, 1, or the signal that ended it."""
    pid = os.fork()
    if not pid:
        _as_child(work)
    _, status = os.waitpid(pid, 0)
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def _as_child(work: Callable[[], None]) -> NoReturn:
    try:
        work()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


# Kill at any moment, under load


TABLES = {"table:1": "shoe", "table:2": "continuous"}
MOST_COMMITS, QUIET_S = 16, 2.0
"""Seen before a kill, and how long they are waited for: a table between two rounds is quiet."""

CLIENTS = 6
QUICK = Clock(betting_ms=12, guard_ms=1, card_ms=1, pause_ms=2, automatic=True)


class Client:
    """Sends one command after another. It writes down each before it is sent, and each answer before it goes on."""

    def __init__(self, name: str, folder: Path, floor: Floor) -> None:
        self.name, self.floor, self.answers = name, floor, folder / ACKNOWLEDGED
        self.path = folder / f"{name}.sent"
        self.sent = [read_request(line) for line in self._lines()]
        self.rng = random.Random(f"{name} {len(self.sent)} {time.time_ns()}")
        self.voucher = ""

    def _lines(self) -> list[bytes]:
        return self.path.read_bytes().splitlines() if self.path.exists() else []

    async def run(self) -> None:
        for request in self.sent[
            -self.rng.choice((1, 1, 1, 20)) :
        ]:  # the last may be unanswered; others repeat
            await self._ask(request)
        while True:
            stream, command = self.choose()
            if command is None:
                await asyncio.sleep(0.002)
                continue
            request = Request(stream=stream, id=f"{self.name}-{len(self.sent)}", command=command)
            self.sent.append(request)
            append(self.path, canonical(request) + b"\n")
            await self._ask(request)

    async def _ask(self, request: Request) -> None:
        answer = await self.floor.store.asked(request)
        append(
            self.answers,
            b"\t".join((request.stream.encode(), request.id.encode(), canonical(answer))) + b"\n",
        )
        if isinstance(request.command, c.IssueVoucher) and answer.ok:
            self.voucher = request.command.voucher

    def choose(self) -> tuple[str, Command | None]:
        rng, who, stream = self.rng, self.name, self.rng.choice(list(TABLES))
        round_ = self.floor.states[stream].rounds
        bet = rng.choice(("player", "banker", "tie"))
        if who not in self.floor.states[stream].sessions:
            return stream, c.SeatSession(by=who, session=who)
        return stream, rng.choices(
            (
                c.PlaceWager(by=who, round=round_, session=who, bet=bet, stake_cents=1_000),
                c.RaiseWager(by=who, round=round_, session=who, bet=bet, by_cents=1_000),
                c.WithdrawWager(by=who, round=round_, session=who, bet=bet),
                c.BuyIn(by=who, session=who, cents=5_000),
                c.IssueVoucher(by=who, session=who, voucher=f"{who}-{len(self.sent)}"),
                c.RedeemVoucher(by=who, session=who, voucher=self.voucher or "none"),
                c.CashOut(by=who, session=who),
            ),
            (50, 10, 5, 20, 5, 8, 2),
        )[0]


class Dealer(Client):
    """Opens the tables and changes their shoes; everything else they do by themselves."""

    def choose(self) -> tuple[str, Command | None]:
        for stream, source in TABLES.items():
            state = self.floor.states[stream]
            if state.phase == "down":
                game = "fortune-six" if source == "shoe" else "super-six-plus"
                return stream, c.OpenTable(by=self.name, game=game, clock=QUICK)
            if needs_shoe(state) and not state.is_in_play:
                return stream, (
                    c.EndShoe(by=self.name)
                    if state.shoe
                    else c.NewShoe(by=self.name, source=source, decks=4, cut=200)  # type: ignore[arg-type]
                )
        return "", None


class Floor:
    """The store, and the tables as those who watch see them."""

    def __init__(self, folder: Path) -> None:
        self.store = SqliteStore(folder / DATABASE)
        self.states = {name: self.store.table(name).state for name in TABLES}
        self.store.watchers.append(self.see)

    def see(self, stream: str, entries: Any) -> None:
        state: TableState = (
            self.states[stream] if stream in TABLES else OURS.table.empty(stream=stream)
        )
        seen: list[Entry] = [entry for entry in entries if entry.seq > state.seq]
        if stream not in TABLES or not seen:
            return
        if seen[0].seq != state.seq + 1:  # something was written before this one watched
            self.states[stream] = self.store.table(stream).state
            return
        for entry in seen:
            state = OURS.table.follow(state, entry)
        self.states[stream] = state


def append(path: Path, data: bytes) -> None:
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    os.write(file, data)
    os.close(file)


def _under_load(folder: Path, tell: int) -> None:
    async def all_of_them() -> None:
        floor = Floor(folder)
        os.write(tell, b".")
        floor.store.watchers.append(lambda *_: os.write(tell, b"."))
        clients = [
            Dealer("dealer", folder, floor),
            *(Client(f"s{i}", folder, floor) for i in range(CLIENTS)),
        ]
        await asyncio.gather(*(client.run() for client in clients))

    asyncio.run(all_of_them())


def _wait_for(ready: int, told: int) -> None:
    """By what it has done, not by a clock: on a busy machine nothing is done in a moment."""
    until = time.monotonic() + QUIET_S
    while told > 0 and (left := until - time.monotonic()) > 0:
        if select.select([ready], [], [], left)[0]:
            told -= len(os.read(ready, told))


def at_random(folder: Path, kills: int, seed: int) -> dict[str, Any]:
    """One database through all of it."""
    folder.mkdir(exist_ok=True)
    rng = random.Random(seed)
    for n in range(1, kills + 1):
        ready, tell = os.pipe()
        pid = os.fork()
        if not pid:
            _as_child(partial(_under_load, folder, tell))
        os.close(tell)
        if n % 4:  # else perhaps before it has opened the store
            _wait_for(ready, 1 + rng.randrange(MOST_COMMITS))
        time.sleep(rng.uniform(0, 0.01))
        os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
        os.close(ready)
        if not os.WIFSIGNALED(status):
            raise SystemExit(f"the child of kill {n} ended by itself")
        if (n % 50 == 0 or n == kills) and forked(lambda: _restarted(folder)):
            raise SystemExit(f"after kill {n}")
    report = audit(folder / DATABASE)
    return {
        "kills": kills,
        "acknowledged": len({x[:2] for x in acknowledged(folder)}),
        "entries": report.entries,
        "rounds": report.rounds,
        "voids": report.voids,
        "shoes": report.shoes,
        "wagers": report.wagers,
        "stopped": _stopped(folder),
    }


def _restarted(folder: Path) -> None:
    """Start, send what nobody answered, and look at everything."""
    with SqliteStore(folder / DATABASE) as store:
        answered = {id_ for _, id_, _ in acknowledged(folder)}
        for path in folder.glob("*.sent"):
            last = read_request(path.read_bytes().splitlines()[-1])
            if last.id not in answered:
                answer: Answer = store.ask(last)
                line = b"\t".join((last.stream.encode(), last.id.encode(), canonical(answer)))
                append(folder / ACKNOWLEDGED, line + b"\n")
    verify(folder)
    for name in store.names():
        replayed = Stream.empty(name, OURS.machine_of(name))
        for entry, head in chained(store.entries(name), name):
            replayed.follow(entry, head)
        assert state_hash(store.stream(name)) == state_hash(replayed), (
            "from the snapshot it is another state"
        )


def _stopped(folder: Path) -> int:
    with closing(connect(folder / DATABASE, read_only=True)) as db:
        wanted = "SELECT count(*) FROM entries WHERE data LIKE '%IrregularityDeclared%'"
        return int(db.execute(wanted).fetchone()[0])


# Killed in the middle of a round


class Held:
    """The machine's clock, which stands until it is let go."""

    def __init__(self) -> None:
        self.until = time.time()

    def __call__(self) -> float:
        return min(self.until, time.time())


def midround(folder: Path, source: str) -> None:
    """An automatic table with a wager on it; the process dies when the second card is on disk.
    Its clock stands until the wager lies: on a busy machine it would open or close bets before.
    """
    folder.mkdir(exist_ok=True)

    def work() -> None:
        clock = Clock(betting_ms=200, guard_ms=10, card_ms=10, pause_ms=300, automatic=True)
        held = Held()
        store = SqliteStore(folder / DATABASE, time=TableTime(wall=held, steady=held))
        commands: list[Command] = [
            c.OpenTable(by="boss", game="super-six-plus", clock=clock),
            c.SeatSession(by="ann", session="ann"),
            c.BuyIn(by="cage", session="ann", cents=50_000),
            c.NewShoe(by="dealer", source=source),  # type: ignore[arg-type]
            c.OpenBets(by="dealer"),
            c.PlaceWager(by="ann", round=1, session="ann", bet="player", stake_cents=10_000),
        ]
        for n, command in enumerate(commands):
            answer = store.ask(Request(stream=ITSELF, id=str(n), command=command))
            assert answer.ok, answer.reason
        dealt = Counter[str]()

        def see(_: str, entries: Any) -> None:
            dealt.update(type(event).__name__ for entry in entries for event in entry.events)
            if dealt["CardDealt"] >= 2:
                kill_me()

        store.watchers.append(see)
        held.until = math.inf
        time.sleep(10)
        raise AssertionError("no second card came")

    assert forked(work) == signal.SIGKILL


def main(mode: str, folder: str, *rest: str) -> None:
    place = Path(folder)
    place.mkdir(exist_ok=True)
    if mode == "points":
        with patch.object(batch, "generate_salts", return_value=repeat("00" * SALT_BYTES)):
            print(json.dumps(points(place, rest[0])))
    elif mode == "random":
        print(json.dumps(at_random(place, int(rest[0]), int(rest[1]))))
    else:
        for source in TABLES.values():
            midround(place / source, source)


if __name__ == "__main__":
    main(*sys.argv[1:])
