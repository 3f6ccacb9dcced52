"""A clock that is set far forward: tables halt and say so, patrons stay excluded, and all goes on when it is right."""

import asyncio
import time
from pathlib import Path

from puntobanco.floor.propagate import CLOCK_SET
from puntobanco.floor.service import Floor
from puntobanco.floor.world import World
from puntobanco.keys import KeyRing
from puntobanco.storage.batch import Request
from puntobanco.storage.sqlite import SqliteStore
from puntobanco.storage.time import TableTime
from puntobanco.table import commands as c
from tests.floor.started import started
from tests.patience import until

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
