"""What the capacity model in docs/explanation/scale.md needs besides the other figures: following,
log bytes, the self-test.
"""

import asyncio
import itertools
import sys
import tempfile
import time
from pathlib import Path

import psycopg

from benchmarks.live import GAME, TABLE, WIDE, opened, place, row
from benchmarks.timing import sized
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.definitions import OURS
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.integrity.self_test import selftest
from puntobanco_floor.store.batch import Answer, Request, Stream
from puntobanco_floor.store.open_store import open_store
from tests.storage.servers import database, server

SESSIONS = sized(1_000, 10)
BETS = [bet.id for bet in GAME.bets[:5]]
WAGERS = len(BETS) * SESSIONS


def following() -> None:
    """What a node pays for each entry that another node wrote, and a start for each entry of the
    last period.
    """
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = opened(folder, SESSIONS)
        table.all([place(1, f"s{i % SESSIONS}", BETS[i // SESSIONS]) for i in range(WAGERS)])
        rows = list(table.store.entries(TABLE))
        table.store.close()
        stream, start = Stream.empty(TABLE, OURS.table), time.perf_counter()
        for seq, data in rows:
            stream.follow(read_entry(data, stream=TABLE, seq=seq), "")
        row(
            "an entry followed by another node, microseconds",
            f"{(time.perf_counter() - start) / len(rows) * 1e6:.0f}",
        )
        start = time.perf_counter()
        assert selftest(str(table.path)).outcome != "failed"
        each = (time.perf_counter() - start) / len(rows) * 1e6
        row(
            "self-test, microseconds an entry of the last period",
            f"{each:.0f}",
            f"({len(rows):,} entries)",
        )


def log_bytes() -> None:
    """What a wager writes to PostgreSQL's log and to its tables, in batches as a busy table makes
    them.
    """

    async def ask(url: str, folder: Path) -> int:
        with open_store(url, keys=folder / "keys", heads=folder / "heads") as store:
            ids = map(str, itertools.count())

            async def all_(commands: list[Command]) -> list[Answer]:
                asked = (
                    store.asked(Request(stream=TABLE, id=next(ids), command=command))
                    for command in commands
                )
                return await asyncio.gather(*asked)

            names = [f"s{i}" for i in range(SESSIONS)]
            await all_([c.OpenTable(by="pit", game=GAME.id, limits=WIDE)])
            await all_([c.NewShoe(by="pit")])
            await all_([c.SeatSession(by=s, session=s) for s in names])
            await all_([c.BuyIn(by="cage", session=s, cents=10**9) for s in names])
            await all_([c.OpenBets(by="dealer")])
            before = _written(url)
            answers = await all_(
                [place(1, f"s{i % SESSIONS}", BETS[i // SESSIONS]) for i in range(WAGERS)]
            )
            assert all(answer.ok for answer in answers)
            return _written(url) - before

    with server() as postgres, database(postgres) as url, tempfile.TemporaryDirectory() as folder:
        took = asyncio.run(ask(url, Path(folder)))
        row(
            "PostgreSQL's log, bytes a wager",
            f"{took / WAGERS:,.0f}",
            f"batches of up to 256, {WAGERS:,} wagers",
        )


def _written(url: str) -> int:
    with psycopg.connect(url, autocommit=True) as db:
        found = db.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint").fetchone()
        assert found is not None
        return int(found[0])


if __name__ == "__main__":
    for measure in (following, log_bytes):
        if not sys.argv[1:] or measure.__name__ in sys.argv[1:]:
            measure()
