"""Speed of the live table: durable wagers beside bare group commit, a large settlement, replay,
memory.
"""

import asyncio
import gc
import itertools
import resource
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from benchmarks.timing import sized
from puntobanco.base.refusal import Refusal
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.store.batch import Answer, Request, Stream, read_answer
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.sqlite_file import connect

CLIENTS, WAGERS, MANY = 64, sized(20_000, 50), sized(10_000, 50)
TABLE = "table:1"
GAME = GAMES["six-star"]
WIDE = replace(
    default_limits(GAME), exposure_max_cents=10**15, patron_max_cents=10**13, large_buy_in_cents=0
)


class Table:
    """A store with one table, and commands sent by so many clients at once."""

    def __init__(self, folder: str, store: type[SqliteStore] = SqliteStore) -> None:
        self.path = Path(folder) / "bench.db"
        self.store = store(self.path)
        self.ids = map(str, itertools.count())

    @property
    def state(self) -> TableState:
        held = self.store.held_copy(TABLE)
        assert held is not None
        state, _ = held
        assert isinstance(state, TableState)
        return state

    def do(self, command: Command) -> None:
        answer = self.store.ask(Request(stream=TABLE, id=next(self.ids), command=command))
        assert answer.ok, answer

    def all(self, commands: list[Command]) -> float:
        """Seconds until the last is answered."""
        return asyncio.run(self._all(commands))

    async def _all(self, commands: list[Command]) -> float:
        left = iter(commands)

        async def client() -> None:
            for command in left:
                answer = await self.store.asked(
                    Request(stream=TABLE, id=next(self.ids), command=command)
                )
                assert answer.ok, answer

        start = time.perf_counter()
        await asyncio.gather(*(client() for _ in range(CLIENTS)))
        return time.perf_counter() - start


def opened(folder: str, sessions: int) -> Table:
    table = Table(folder)
    table.do(c.OpenTable(by="pit", game=GAME.id, limits=WIDE))
    table.do(c.NewShoe(by="pit"))
    names = [f"s{i}" for i in range(sessions)]
    table.all([c.SeatSession(by=s, session=s) for s in names])
    table.all([c.BuyIn(by="cage", session=s, cents=10**9) for s in names])
    table.do(c.OpenBets(by="dealer"))
    return table


def place(round_: int, session: str, bet: str) -> c.PlaceWager:
    return c.PlaceWager(by=session, round=round_, session=session, bet=bet, stake_cents=1_000)


class Bare(SqliteStore):
    """Group commit and nothing else: the same clients, queue and thread, the rows of each wager
    made beforehand.
    """

    rows: dict[str, list[tuple[object, ...]]]

    def _stored(self, requests: Sequence[Request], owed: Sequence[str]) -> list[Answer | Refusal]:  # noqa: ARG002
        db, rows = self._db, [self.rows[request.id] for request in requests]
        db.execute("BEGIN IMMEDIATE")
        for i, sql in enumerate(PUT[:-2]):
            db.executemany(sql, [row[i] for row in rows])
        for sql, row in zip(PUT[-2:], rows[-1][-2:], strict=True):  # one of each a commit
            db.execute(sql, row)
        db.execute("COMMIT")
        return [read_answer(row[0][4]) for row in rows]  # type: ignore[arg-type]


HOT = {"answers": 7, "entries": 3, "transfers": 6, "balances": 3, "streams": 5, "heads": 6}
PUT = [
    f"INSERT OR REPLACE INTO {table} VALUES ({', '.join('?' * columns)})"
    for table, columns in HOT.items()
]


def bare(folder: str, source: Path, commands: list[Command]) -> float:
    """Seconds for the rows that the wagers wrote, written again by nothing but group commit."""
    target = Path(folder) / "bare"
    target.mkdir()
    table = Table(str(target), store=Bare)
    read = sqlite3.connect(source)
    entries = dict(read.execute("SELECT seq, data FROM entries"))
    moved = {
        seq: row for seq, *row in read.execute("SELECT seq, n, debit, credit, cents FROM transfers")
    }
    table.store.rows = {}  # type: ignore[attr-defined]
    for by, id_, body, answer, at in read.execute(
        "SELECT asked_by, command_id, body, answer, at FROM answers"
    ):
        seq = read_answer(answer).seq
        if b'"command":"place-wager"' in entries[seq]:
            table.store.rows[id_] = [  # type: ignore[attr-defined]
                (TABLE, by, id_, body, answer, at, None),
                (TABLE, seq, entries[seq]),
                (TABLE, seq, *moved[seq]),
                (TABLE, moved[seq][1], 10**9),
                (TABLE, seq, "0" * 64, at, None),
                (TABLE, seq, "0" * 64, "0" * 16, "0" * 128, 1),
            ]
    first = min(int(id_) for id_ in table.store.rows)  # type: ignore[attr-defined]
    table.ids = map(str, itertools.count(first))
    took = table.all(commands)
    table.store.close()
    return took


def row(what: str, value: str, target: str = "") -> None:
    print(f"{what:<58}{value:>10}   {target}", flush=True)


def wagers() -> None:
    ratios, rates = list[float](), list[float]()
    for _ in range(sized(3)):
        with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
            table = opened(folder, WAGERS // 5)
            bets = [bet.id for bet in GAME.bets[:5]]
            commands: list[Command] = [
                place(1, f"s{i}", bet) for bet in bets for i in range(WAGERS // 5)
            ]
            took = table.all(commands)
            table.store.close()
            alone = bare(folder, table.path, commands)
            rates.append(WAGERS / took)
            ratios.append(alone / took)
    row(f"durable wagers a second, {CLIENTS} clients, best of 3", f"{max(rates):,.0f}")
    row("ratio to bare group commit of the same inserts", f"{max(ratios):.2f}", "at least 0.5")


def settlement() -> None:
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = opened(folder, MANY)
        table.all([place(1, f"s{i}", "banker") for i in range(MANY)])
        table.do(c.CloseBets(by="dealer"))
        while not table.state.current.play.is_complete:
            table.do(c.DealCard(by="dealer"))
        start = time.perf_counter()
        table.do(c.Settle(by="dealer"))
        row(
            f"settling {MANY:,} wagers in one transaction, s",
            f"{time.perf_counter() - start:.2f}",
            "under 1",
        )
        seq = table.store._streams[TABLE].state.seq
        table.store.close()
        stream = Stream.empty(TABLE, OURS.table)
        start = time.perf_counter()
        with connect(table.path, read_only=True) as db:
            table.store._caught_up(db, stream, None)
        each = (time.perf_counter() - start) / seq
        row(
            "replay of 1,000,000 entries, s, from so many",
            f"{each * 1e6:.0f}",
            f"under 60 ({seq:,} replayed)",
        )


def memory(rounds: int = 100_000) -> None:
    """A table that plays by itself with two patrons; the writer's memory early and late."""
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = Table(folder)
        table.store._db.execute("PRAGMA synchronous = OFF")  # memory is measured here, not the disk
        table.do(c.OpenTable(by="pit", game=GAME.id, limits=WIDE, clock=Clock()))
        for s in ("ann", "ben"):
            table.do(c.SeatSession(by=s, session=s))
            table.do(c.BuyIn(by="cage", session=s, cents=10**13))
        early, played = 0, 0
        while played < rounds:
            table.do(c.NewShoe(by="pit"))
            while True:
                answer = table.store.ask(
                    Request(stream=TABLE, id=next(table.ids), command=c.OpenBets(by="d"))
                )
                if not answer.ok:
                    break
                played += 1
                table.do(place(played, "ann", "banker"))
                table.do(place(played, "ben", "player"))
                table.do(c.CloseBets(by="d"))
                while not table.state.current.play.is_complete:
                    table.do(c.DealCard(by="d"))
                table.do(c.Settle(by="d"))
            table.do(c.EndShoe(by="d"))
            if not early and played >= rounds // 10:
                early = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        late = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        row(f"memory after {played:,} rounds to that after a tenth", f"{late / early:.3f}", "flat")
        table.store.close()


def main(*, long: bool = False) -> None:
    gc.set_threshold(2_000, 10, 5_000)  # as the server sets it
    memory(100_000 if long else sized(5_000, 20))
    wagers()
    settlement()


if __name__ == "__main__":
    import sys

    main(long="--long" in sys.argv)
