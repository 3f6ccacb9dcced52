"""Speed of the floor over the wire: a settlement to 10,000 terminals, wagers, answer times, memory,
a day of rounds.
"""

import asyncio
import gc
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from benchmarks.live import GAME, TABLE, Table, opened, place, row
from benchmarks.terminals import Crowds
from benchmarks.timing import lasting, sized
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.environment import World
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.passwords import Passwords
from puntobanco_floor.store.batch import Request
from tests.support.ports import free_port

# so many that no terminal comes to its rate of messages, at any scale
MANY, BETTORS, PROCESSES = sized(10_000, 20), sized(1_000, 200), sized(4)
WARM = sized(100, 5)
"""Terminals that connect before memory is first read: what the first ones load is not theirs."""

BETTING_S, PACED_S, TRIES, SETTLEMENTS = lasting(8.0), lasting(8.0), sized(3), sized(3)
STORE_WAGERS = sized(20_000, 50)
DAY_ROUNDS, SLICE_ROUNDS = sized(3_500, 30), sized(350, 30)
"""A round takes about 25 s of a floor's time, so that a day has some 3,500 at each table."""

BETS = [bet.id for bet in GAME.bets[:5]]
START_S, STOP_S = 60.0, 20.0


class Served:
    """The server as its users start it, in a process of its own."""

    def __init__(self, database: Path) -> None:
        self.port = free_port()
        command = f"main(['serve', '--port', '{self.port}', '--database', {str(database)!r}])"
        self._log = database.with_name("log").open("wb")
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from puntobanco.cli import main; {command}"],
            stdout=self._log,
            stderr=self._log,
        )
        until = time.monotonic() + START_S
        while not self._answers():
            is_late = time.monotonic() > until or self._process.poll() is not None
            assert not is_late, database.with_name("log").read_text()
            time.sleep(0.05)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=1):
                return True
        except OSError:
            return False

    @property
    def memory(self) -> int:
        """Bytes of the process that are in memory."""
        found = subprocess.run(
            ["ps", "-o", "rss=", "-p", str(self._process.pid)], capture_output=True, check=True
        )
        return int(found.stdout) * 1024

    def pin(self, cores: set[int]) -> None:
        """To these cores, with all its threads."""
        for task in Path(f"/proc/{self._process.pid}/task").iterdir():
            os.sched_setaffinity(int(task.name), cores)

    def stop(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()


@contextmanager
def floor(
    tables: int, terminals: int, clock: Clock, *, password: str = "a benchmark", rounds: int = 0
) -> Iterator[tuple[Served, list[str]]]:
    """A server with so many tables, and the tokens of terminals that have a seat and credits at
    each of them; `password` is that of its administrator, root. At the first table the first
    terminal has played so many rounds.
    """
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = Table(folder)
        ring = KeyRing.load(table.store.ring_path)
        tickets = Floor(table.store, ring).tickets
        verifier = Passwords(ring, World().hasher).verifier(password)
        tokens = [tickets.new_guest() for _ in range(terminals)]
        sessions = [str(tickets.session(token)) for token in tokens]
        house = h.OpenHouse(by="bench", house="Benchmark", administrator="root", verifier=verifier)
        assert table.store.ask(Request(stream=FLOOR, id="house", command=house)).ok
        for number, game in zip(range(1, tables + 1), GAMES.values(), strict=False):
            limits = replace(
                default_limits(game),
                exposure_max_cents=10**15,
                patron_max_cents=10**13,
                large_buy_in_cents=0,
            )

            def at(command: Command, stream: str = f"table:{number}") -> Request:
                return Request(stream=stream, id=next(table.ids), command=command)

            asked = [at(c.OpenTable(by="pit", game=game.id, limits=limits, clock=clock))]
            asked += [at(c.NewShoe(by="pit"))]
            asked += [at(c.SeatSession(by=s, session=s)) for s in sessions]
            asked += [at(c.BuyIn(by="cage", session=s, cents=10**9)) for s in sessions]
            for answer in [table.store.submit(request) for request in asked]:
                assert answer.result().ok, answer
            for played in range(1, rounds * (number == 1) + 1):
                table.do(c.OpenBets(by="dealer"))
                table.do(place(played, sessions[0], BETS[0]))
                table.do(c.CloseBets(by="dealer"))
                while not table.state.current.play.is_complete:
                    table.do(c.DealCard(by="dealer"))
                table.do(c.Settle(by="dealer"))
            if not clock.automatic:
                assert table.store.ask(at(c.OpenBets(by="dealer"))).ok
        table.store.close()
        served = Served(table.path)
        try:
            yield served, tokens
        finally:
            served.stop()


def settlements() -> None:
    """Everybody at one table: what an idle terminal costs, and how long a settlement takes to the
    last of them.
    """
    clock = Clock(
        betting_ms=int(lasting(6.0) * 1000),
        guard_ms=int(lasting(1.0, 0.1) * 1000),
        card_ms=int(lasting(0.9, 0.1) * 1000),
        pause_ms=int(lasting(3.0) * 1000),
        automatic=True,
        new_shoes=True,
    )
    with (
        floor(1, MANY, clock) as (served, tokens),
        Crowds(PROCESSES, served.port, 1, BETS) as crowds,
    ):
        crowds.connect(tokens[:WARM])
        before = served.memory
        crowds.connect(tokens[WARM:])
        each = (served.memory - before) / (MANY - WARM)
        row(f"memory of an idle terminal, kB, with {MANY:,}", f"{each / 1000:.1f}", "under 60")
        idle = _heard(crowds, SETTLEMENTS, own=False)
        row(
            f"settlement to the last of {MANY:,} terminals, s, middle",
            f"{_middle(idle):.2f}",
            "under 1",
        )
        crowds.all("bet_each_round")
        own = _heard(crowds, 1, own=True)
        row(
            "the same with a wager and a line of its own for each, s",
            f"{_middle(own):.2f}",
            "with the settling",
        )


def _heard(crowds: Crowds, wanted: int, *, own: bool) -> list[float]:
    """Seconds from when settlements were written until the last terminal has heard, of those that
    all heard.
    """
    known, until = set[int](), time.monotonic() + 60 + 20 * wanted
    first = True
    while True:
        time.sleep(0.5)
        heard, lost = dict[int, list[tuple[float, float]]](), 0
        for settled, lines, gone in crowds.all("told"):
            lost += gone
            for at, (count, last) in (lines if own else settled).items():
                heard.setdefault(at, []).append((count, last))
        assert not lost, f"{lost} terminals were cut off"
        if first:
            known, first = set(heard), False
        found = [
            max(last for _, last in parts) - at / 1000
            for at, parts in heard.items()
            if at not in known and sum(count for count, _ in parts) == MANY
        ]
        if len(found) >= wanted:
            return found
        assert time.monotonic() < until, {
            at: sum(n for n, _ in parts) for at, parts in heard.items()
        }


def _middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def store_rate() -> float:
    """Wagers a second of the store alone, as `benchmarks.live` measures them."""
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = opened(folder, STORE_WAGERS // len(BETS))
        took = table.all(
            [place(1, f"s{i}", bet) for bet in BETS for i in range(STORE_WAGERS // len(BETS))]
        )
        table.store.close()
        return STORE_WAGERS / took


def store_waits(rate: float) -> list[float]:
    """How long the store alone takes to answer at such a rate: what this machine and its disk
    allow, just now.
    """
    waits = list[float]()

    async def paced(table: Table) -> None:
        async def one(session: str, bet: str, due: float) -> None:
            await table.store.asked(
                Request(stream=TABLE, id=next(table.ids), command=place(1, session, bet))
            )
            waits.append(time.monotonic() - due)

        start, asked = time.monotonic(), list[asyncio.Task[None]]()
        for n in range(int(rate * PACED_S)):
            due = start + n / rate
            while (wait := due - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            asked.append(asyncio.create_task(one(f"s{n // len(BETS)}", BETS[n % len(BETS)], due)))
        await asyncio.gather(*asked)

    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = opened(folder, int(rate * PACED_S) // len(BETS) + 1)
        asyncio.run(paced(table))
        table.store.close()
    return sorted(waits)


def wagers() -> None:
    """Every terminal bets as soon as it is answered; then half as many, at even times."""
    alone, rates, late, best = list[float](), list[float](), list[float](), list[float]()
    with (
        floor(1, BETTORS, Clock()) as (served, tokens),
        Crowds(sized(2), served.port, 1, BETS) as crowds,
    ):
        crowds.connect(tokens)
        for _ in range(TRIES):
            alone.append(store_rate())
            answers = crowds.all("bet_on", BETTING_S)
            assert not sum(refused for _, refused in answers), answers
            rates.append(sum(ok for ok, _ in answers) / BETTING_S)
        for _ in range(TRIES):
            waits = sorted(
                s for part in crowds.all("bet_paced", max(rates) / 4, PACED_S) for s in part
            )
            late.append(waits[len(waits) * 99 // 100])
            waits = store_waits(max(rates) / 2)
            best.append(waits[len(waits) * 99 // 100])
        lost = sum(gone for *_, gone in crowds.all("counted"))
        assert not lost, f"{lost} terminals were cut off"
    row(
        f"wagers a second over the wire, {BETTORS:,} terminals, best of {TRIES}",
        f"{max(rates):,.0f}",
    )
    ratio = max(rates) / max(alone)
    row("ratio to the store alone", f"{ratio:.2f}", f"at least 0.25 (of {max(alone):,.0f})")
    what = f"99 of 100 answers at half that load within, ms, best of {TRIES}"
    row(what, f"{1000 * min(late):.0f}", f"under 100 (the store alone: {1000 * min(best):.0f})")


def day(*, long: bool) -> None:
    """Five tables with very short clocks, and terminals that bet in every round: a slice of a day,
    or all of it.
    """
    rounds, seats = DAY_ROUNDS if long else SLICE_ROUNDS, 2
    clock = Clock(betting_ms=20, guard_ms=1, card_ms=1, pause_ms=1, automatic=True, new_shoes=True)
    tables = sized(len(GAMES))
    with floor(tables, seats * tables, clock) as (served, tokens), ExitStack() as stack:
        crowds = [
            stack.enter_context(Crowds(1, served.port, n, BETS[:1])) for n in range(1, tables + 1)
        ]
        for i, crowd in enumerate(crowds):
            crowd.connect(tokens[seats * i : seats * (i + 1)])
            crowd.all("bet_each_round")
        start, early = time.monotonic(), 0
        while (played := min(_played(crowd) for crowd in crowds)) < rounds:
            assert time.monotonic() - start < rounds, (
                f"only {played} rounds"
            )  # 1 s a round is far too slow
            if not early and played >= rounds // 10:
                early = served.memory
            time.sleep(0.5)
        ratio, took = served.memory / (early or served.memory), time.monotonic() - start
        bets = sum(ok for crowd in crowds for ok, _, _ in crowd.all("counted"))
    row(
        f"memory after {played:,} rounds at {tables} tables to a tenth",
        f"{ratio:.3f}",
        "under 1.1",
    )
    row("wagers taken in them", f"{bets:,}", f"({took:.0f} s)")


def _played(crowd: Crowds) -> int:
    [(settled, _, _)] = crowd.all("told")
    return len(settled)


def main(names: list[str], *, long: bool = False) -> None:
    """All figures, or those named."""
    gc.set_threshold(2_000, 10, 5_000)  # as the server sets it
    for measure in (settlements, wagers, partial(day, long=long)):
        name = getattr(measure, "__name__", "day")
        if not names or name in names:
            measure()


if __name__ == "__main__":
    main([a for a in sys.argv[1:] if not a.startswith("-")], long="--long" in sys.argv)
