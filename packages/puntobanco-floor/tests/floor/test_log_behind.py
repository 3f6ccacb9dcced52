"""A node that finds itself behind what was seen of its log: no wager, no new round, not ready."""

import asyncio
from pathlib import Path

from msgspec.structs import replace

from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_proof.tree.checkpoints import Checkpoint
from tests.floor.started import started
from tests.support.patience import until

TABLE = "table:1"
LIMITS = replace(default_limits(GAMES["rapid"]), large_buy_in_cents=0)


def test_a_new_connection_that_leads_to_an_older_copy_ends_betting(tmp_path: Path) -> None:
    asyncio.run(_played(tmp_path))


async def _played(folder: Path) -> None:
    with SqliteStore(folder / "floor.db") as store:
        floor = Floor(store, KeyRing.load(store.ring_path))
        await floor.commands.administration("init").open_house("Marina", "root", "long enough")
        setup = [
            c.OpenTable(by="pit", game="rapid", limits=LIMITS),
            c.NewShoe(by="pit"),
            c.SeatSession(by="ann", session="ann"),
            c.BuyIn(by="cage", session="ann", cents=100_000),
            c.OpenBets(by="dealer"),
        ]
        for n, command in enumerate(setup):
            assert (await store.asked(Request(stream=TABLE, id=f"{n}", command=command))).ok
        async with started(floor):
            ready = Readiness(store, floor.follower, floor.shutdown, log=floor.log)
            await until(lambda: floor.log.status.size > 0, "the first checkpoint")
            assert (await ready.look()).log == "ok"
            # this node has seen more than what the connection leads to
            origin, size = floor.log.origin, floor.log.status.size
            floor.log._seen = Checkpoint(origin, size + 2, bytes(32))
            store.on_connection()
            await until(lambda: store.behind, "the stop")
            assert "this node has" in store.behind
            assert (await _wagered(store, "player")) == "log-behind"
            assert not (await ready.look()).ready
            # and is led back
            floor.log._seen = None
            store.on_connection()
            await until(lambda: not store.behind, "the end of it")
            assert (await _wagered(store, "banker")) == ""
            assert (await ready.look()).log == "ok"


async def _wagered(store: SqliteStore, bet: str) -> str:
    """The code of what it was refused for."""
    wager = c.PlaceWager(by="ann", round=1, session="ann", bet=bet, stake_cents=1_000)
    answer = await store.asked(Request(stream=TABLE, id=bet, command=wager))
    return answer.code
