"""Speed of the PostgreSQL store: durable wagers beside bare group commit on the same server; two
nodes beside one.
"""

import asyncio
import gc
import itertools
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from benchmarks.live import GAME, WIDE, place, row

from puntobanco.commands import Command
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.batch import Answer, Request, read_answer
from puntobanco.storage.locate import migrate
from puntobanco.storage.postgres import PostgresStore
from puntobanco.storage.postgres_sql import WRITE as _WRITE
from puntobanco.storage.postgres_sql import columns as _columns
from puntobanco.storage.store import Store
from puntobanco.table import commands as c

WAGERS = 10_000
BETS = [bet.id for bet in GAME.bets[:5]]


class Bare(PostgresStore):
    """Group commit and nothing else: the same clients, queue and statement, the rows of each wager
    made beforehand.
    """

    rows: dict[str, list[tuple[Any, ...]]]

    async def _stored(self, name: str, requests: Sequence[Request]) -> list[Answer | Refusal]:
        rows = [self.rows[request.id] for request in requests]
        answers, entries, moved = (_columns([r[i] for r in rows], 0) for i in range(3))
        async with self._pool.acquire() as connection, connection.transaction():
            await connection.fetchrow("SELECT seq FROM streams WHERE stream = $1 FOR UPDATE", name)
            await connection.execute(
                _WRITE,
                name,
                *answers[1:],
                *entries[1:],
                *moved[1:],
                [r[2][3] for r in rows],
                [10**9] * len(rows),
                rows[-1][1][1],
                "0" * 64,
                0,
                None,
            )
        return [read_answer(r[0][4]) for r in rows]


class Recording(PostgresStore):
    """Keeps what each wager wrote."""

    def _take(self, batch: Any) -> None:
        super()._take(batch)
        out = batch.out
        for answer, entry, moved in zip(out.answers, out.entries, out.transfers, strict=False):
            if b'"command":"place-wager"' in entry[2]:
                self.kept[answer[2]] = [answer, entry, moved]

    kept: dict[str, list[tuple[Any, ...]]]


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


def measured(server: str, folder: Path, count: int) -> tuple[float, float]:
    """Wagers a second of the store, and of bare group commit."""
    from tests.storage.servers import database  # noqa: PLC0415

    with database(server) as url:
        migrate(url)
        store = Recording(url, keys=folder / "keys", heads=folder / "heads")
        store.kept = {}
        ids = map(str, itertools.count())
        opened(store, "table:1", ids)
        took = asyncio.run(clients(store, "table:1", wagers(), count, ids))
        store.close()
        kept = store.kept
    with database(server) as url:
        migrate(url)
        bare = Bare(url, keys=folder / "keys", heads=folder / "heads-bare")
        bare.rows = kept
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


def nodes(server: str, folder: Path, groups: list[list[str]], clients_each: int) -> float:
    """Wagers a second of all nodes together."""
    from tests.storage.servers import database  # noqa: PLC0415

    with database(server) as url:
        migrate(url)
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
    with server() as url, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for count in (64, 256):
            runs = [measured(url, folder, count) for _ in range(3)]
            row(
                f"PostgreSQL: durable wagers a second, {count} clients, best of 3",
                f"{max(r for r, _ in runs):,.0f}",
            )
            row(
                "ratio to bare group commit of the same rows",
                f"{max(r / b for r, b in runs):.2f}",
                "at least 0.5",
            )
        one = max(nodes(url, folder, [["table:1", "table:2"]], 32) for _ in range(2))
        two = max(nodes(url, folder, [["table:1"], ["table:2"]], 32) for _ in range(2))
        row("two nodes to one, two tables, 64 clients in all", f"{two / one:.2f}", "at least 1")


if __name__ == "__main__":
    main()
