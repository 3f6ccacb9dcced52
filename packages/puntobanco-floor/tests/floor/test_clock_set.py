"""A clock that is set far forward: tables halt and say so, patrons stay excluded, and all goes on when it is right."""

import asyncio
import time
from pathlib import Path

from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.environment import World
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.cross_stream_rules import CLOCK_SET
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.store.table_clock import TableTime
from tests.floor.started import started
from tests.support.patience import until

MONTH_S = 31 * 86_400


def test_tables_halt_while_the_clock_is_not_followed(tmp_path: Path) -> None:
    ahead_s = 0.0

    def wall() -> float:
        return time.time() + ahead_s

    async def go() -> None:
        nonlocal ahead_s
        with SqliteStore(tmp_path / "floor.db", time=TableTime(wall=wall)) as store:
            world = World(now_ms=lambda: int(wall() * 1000))
            floor = Floor(store, KeyRing.load(store.ring_path), world=world)
            await floor.commands.administration("init").open_house("Marina", "root", "long enough")
            opened = c.OpenTable(by="pit", game="rapid")
            assert (await store.asked(Request(stream="table:1", id="1", command=opened))).ok
            async with started(floor):

                def halted() -> object:
                    return floor.follower.states()["table:1"].halted

                before = floor.seats.now_ms()
                ahead_s = MONTH_S
                await until(lambda: halted() == CLOCK_SET, "the halt")
                assert floor.seats.now_ms() - before < MONTH_S * 500
                ahead_s = 0.0
                await until(lambda: not halted(), "the restart")

    asyncio.run(go())
