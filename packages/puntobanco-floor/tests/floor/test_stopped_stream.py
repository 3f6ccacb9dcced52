"""A stream whose entries fail, on a floor that is served: what stands still, and what plays on."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import puntobanco_floor.domain.events as e
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.cross_stream_rules import HOUSE_STOPPED
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.readiness import Readiness
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.store import Store
from puntobanco_floor.web.context import web_for
from puntobanco_floor.web.health import metrics_text
from tests.floor.started import started
from tests.storage.conftest import Place
from tests.storage.test_contract import Asker
from tests.storage.test_epochs import floor_of
from tests.storage.test_set_aside import aside, bought, forge
from tests.support.patience import PATIENCE_S

NEW_STAFF = e.StaffAdded(person="mallory", role="administrator", verifier="y" * 40)


def served(tmp_path: Path) -> tuple[Place, Store, Floor]:
    place = Place(str(tmp_path / "floor.db"), tmp_path, notify=False)
    store = open_store(place.url, keys=place.keys, heads=tmp_path / "1.heads", clock=False)
    floor_of(store)
    other = Asker(store, "table:2", "other")
    other.open_table()
    other.seat("zoe")
    return place, store, Floor(store, KeyRing.load(place.keys), database=place.url)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not holds():
            await asyncio.sleep(0.02)


def test_while_a_table_stands_still_the_node_is_ready_and_others_play(tmp_path: Path) -> None:
    place, store, floor = served(tmp_path)

    async def day() -> None:
        async with started(floor):
            ready = Readiness(store, floor.follower, floor.shutdown)
            forge(place, store, bought())
            await until(lambda: "table:1" in store.blocked)
            assert (await ready.look()).ready
            told = metrics_text(web_for(floor), None)
            assert 'puntobanco_stream_blocked{stream="table:1"} 1' in told
            assert 'puntobanco_stream_blocked{stream="table:2"} 0' in told
            await asyncio.to_thread(Asker(store, "table:2", "b").play, 1, zoe="banker")
            await asyncio.to_thread(aside, place)
            await until(lambda: "table:1" not in store.blocked)
            await until(
                lambda: floor.follower.stream("table:1").state.seq == store.standing()["table:1"]
            )

    with store:
        asyncio.run(day())


def test_while_the_house_stands_still_tables_halt_and_go_on_after(tmp_path: Path) -> None:
    place, store, floor = served(tmp_path)

    def halted() -> list[object]:
        return [state.halted for state in floor.follower.states().values()]

    async def day() -> None:
        async with started(floor):
            ready = Readiness(store, floor.follower, floor.shutdown)
            forge(place, store, NEW_STAFF, stream=FLOOR)
            await until(lambda: halted() == [HOUSE_STOPPED, HOUSE_STOPPED])
            found = await ready.look()
            assert not found.ready
            assert "run puntobanco journal set-aside floor" in found.following
            await asyncio.to_thread(aside, place, FLOOR)
            await until(lambda: halted() == ["", ""])
            async with asyncio.timeout(PATIENCE_S):  # a look is kept for a second
                while not (await ready.look()).ready:
                    await asyncio.sleep(0.1)

    with store:
        asyncio.run(day())
