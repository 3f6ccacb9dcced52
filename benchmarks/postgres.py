"""Speed of the PostgreSQL store: durable wagers beside bare group commit on the same server; two
nodes beside one.
"""

import asyncio
import gc
import itertools
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from msgspec.structs import replace

from benchmarks.live import GAME, WIDE, place, row
from benchmarks.timing import sized
from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store.batch import Answer, Request, ToWrite, read_answer
from puntobanco_floor.store.postgres import PostgresStore
from puntobanco_floor.store.postgres_transaction import LOCK, commit, write
from puntobanco_floor.store.schema_upgrade import migrate
from puntobanco_floor.store.store import Store
from puntobanco_proof.entry.heads import Head

WAGERS = sized(10_000, 50)
BETS = [bet.id for bet in GAME.bets[:5]]


class Rows:
    """What the store writes of a batch, made beforehand: nothing is decided and nothing signed."""

    def __init__(self, name: str, kept: Sequence[ToWrite], heads: list[Head]) -> None:
        self.stream = SimpleNamespace(name=name)
        self.out = ToWrite(
            entries=[row for out in kept for row in out.entries],
            transfers=[row for out in kept for row in out.transfers],
            answers=[row for out in kept for row in out.answers],
        )
        self.balances = {credit: 10**9 for *_, credit, _ in self.out.transfers}
        _, seq, _ = self.out.entries[-1]
        self.state = SimpleNamespace(seq=seq, at=0)
        self.head, self.due_at, self.signed = "0" * 64, None, heads

    def sign(self) -> None:
        for at, head in enumerate(self.signed):
            self.signed[at] = replace(head, seq=self.state.seq)


class Bare(PostgresStore):
    """Group commit and nothing else: the same clients, queue, lock, statements and commit, the rows
    of each wager made beforehand.
    """

    kept: dict[str, ToWrite]
    heads: list[Head]

    async def _stored(self, name: str, requests: Sequence[Request]) -> list[Answer | Refusal]:
        rows = Rows(name, [self.kept[request.id] for request in requests], self.heads)
        async with self._pool.acquire() as connection:
            await connection.execute("BEGIN")
            await connection.fetchrow(LOCK, name)
            await write(connection, cast(Any, rows), cast(Any, None))
            await commit(connection)
        return [read_answer(answer[4]) for answer in rows.out.answers]


class Recording(PostgresStore):
    """Keeps what each wager wrote."""

    kept: dict[str, ToWrite]
    heads: list[Head]

    def _take(self, batch: Any) -> None:
        super()._take(batch)
        out = batch.out
        self.heads = batch.signed[:1] or self.heads
        for answer, entry, moved in zip(out.answers, out.entries, out.transfers, strict=False):
            if b'"command":"place-wager"' in entry[2]:
                self.kept[answer[2]] = ToWrite(entries=[entry], transfers=[moved], answers=[answer])


async def clients(
    store: Store, stream: str, commands: list[Command], count: int, ids: Any
) -> float:
    left = iter(commands)

    async def client() -> None:
        for command in left:
            answer = await store.asked(Request(stream=stream, id=next(ids), command=command))
            assert answer.ok, answer

    start = time.perf_counter()
    await asyncio.gather(*(client() for _ in range(count)))
    return time.perf_counter() - start


def opened(store: Store, stream: str, ids: Any) -> None:
    names = [f"s{i}" for i in range(WAGERS // len(BETS))]
    for command in (c.OpenTable(by="pit", game=GAME.id, limits=WIDE), c.NewShoe(by="pit")):
        assert store.ask(Request(stream=stream, id=next(ids), command=command)).ok
    asyncio.run(clients(store, stream, [c.SeatSession(by=s, session=s) for s in names], 256, ids))
    asyncio.run(
        clients(
            store, stream, [c.BuyIn(by="cage", session=s, cents=10**9) for s in names], 256, ids
        )
    )
    assert store.ask(Request(stream=stream, id=next(ids), command=c.OpenBets(by="dealer"))).ok


def wagers() -> list[Command]:
    return [place(1, f"s{i}", bet) for bet in BETS for i in range(WAGERS // len(BETS))]


@contextmanager
def empty(server: str) -> Iterator[tuple[str, Path]]:
    """A database with its tables, and a folder: what a node has seen is of this one alone."""
    from tests.storage.servers import database  # noqa: PLC0415

    with database(server) as url, tempfile.TemporaryDirectory() as folder:
        migrate(url)
        yield url, Path(folder)


def measured(server: str, count: int) -> tuple[float, float]:
    """Wagers a second of the store, and of bare group commit."""
    with empty(server) as (url, folder):
        store = Recording(url, keys=folder / "keys", heads=folder / "heads")
        store.kept, store.heads = {}, []
        ids = map(str, itertools.count())
        opened(store, "table:1", ids)
        took = asyncio.run(clients(store, "table:1", wagers(), count, ids))
        store.close()
        kept, heads = store.kept, store.heads
    with empty(server) as (url, folder):
        bare = Bare(url, keys=folder / "keys", heads=folder / "heads")
        bare.kept, bare.heads = kept, heads
        bare._run(bare._fetch("INSERT INTO streams VALUES ('table:1', 0, '', 0, NULL)"))
        first = min(map(int, kept))
        alone = asyncio.run(
            clients(bare, "table:1", wagers(), count, map(str, itertools.count(first)))
        )
        bare.close()
    return WAGERS / took, WAGERS / alone


def node(url: str, folder: str, streams: list[str], count: int) -> float:
    """One node with clients on each of these tables; seconds."""
    with PostgresStore(
        url, keys=Path(folder) / "keys", heads=Path(folder) / f"{streams[0][-1]}.heads"
    ) as store:

        async def all_of_them() -> float:
            work = [
                clients(store, s, wagers(), count, (f"w{n}" for n in itertools.count()))
                for s in streams
            ]
            return max(await asyncio.gather(*work))

        return asyncio.run(all_of_them())


def nodes(server: str, groups: list[list[str]], clients_each: int) -> float:
    """Wagers a second of all nodes together."""
    with empty(server) as (url, folder):
        store = PostgresStore(url, keys=folder / "keys", heads=folder / "heads-nodes")
        ids = map(str, itertools.count())
        for stream in (s for group in groups for s in group):
            opened(store, stream, ids)
        store.close()
        with ProcessPoolExecutor(len(groups), mp_context=get_context("spawn")) as pool:
            list(
                pool.map(abs, range(len(groups)))
            )  # the processes are there before the clock starts
            took = list(
                pool.map(
                    node, *zip(*((url, str(folder), g, clients_each) for g in groups), strict=True)
                )
            )
    return WAGERS * sum(map(len, groups)) / max(took)


def main() -> None:
    try:
        from tests.storage.servers import server  # noqa: PLC0415
    except ImportError:
        print("the PostgreSQL benchmark needs the test tools: make test installs them")
        return
    gc.set_threshold(2_000, 10, 5_000)  # as the server sets it
    with server() as url:
        for count in (64, 256):
            runs = [measured(url, count) for _ in range(sized(3))]
            row(
                f"PostgreSQL: durable wagers a second, {count} clients, best of 3",
                f"{max(r for r, _ in runs):,.0f}",
            )
            row(
                "ratio to bare group commit of the same rows",
                f"{max(r / b for r, b in runs):.2f}",
                "at least 0.5",
            )
        one = max(nodes(url, [["table:1", "table:2"]], 32) for _ in range(sized(2)))
        two = max(nodes(url, [["table:1"], ["table:2"]], 32) for _ in range(sized(2)))
        row("two nodes to one, two tables, 64 clients in all", f"{two / one:.2f}", "at least 1")


if __name__ == "__main__":
    main()
