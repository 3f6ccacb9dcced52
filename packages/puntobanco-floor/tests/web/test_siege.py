"""A floor under siege: whoever floods it is turned away cheaply, and nobody who plays or works here
waits for that. `benchmarks.siege` measures how long; here is a slice of it.
"""

import asyncio
import gc
import weakref
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from websockets.asyncio.client import connect
from websockets.exceptions import InvalidStatus

from benchmarks.siege import STRANGERS, Siege
from puntobanco_floor.client import Terminal
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.subscriptions import EACH_S, KINDS, Viewer
from puntobanco_floor.service.terminals.connections import Connection, Rooms, Shutdown
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.web.fast_socket import TerminalProtocol
from puntobanco_floor.web.server_shutdown import GracefulServer
from puntobanco_floor.web.socket import PORTION, Outgoing, Sending
from tests.support.patience import PATIENCE_S, until
from tests.support.ports import free_port
from tests.support.served import Served, api, staff_tokens

WAGERS = 20
PER_ADDRESS = 30
VIEWERS = PER_ADDRESS * 3 + 10
"""From three addresses: some of them are turned away."""


@pytest.mark.waits
def test_wagers_are_answered_and_the_staff_let_in_under_siege(tmp_path: Path) -> None:
    served = Served(
        tmp_path, "--demo", "--viewers-per-address", str(PER_ADDRESS), betting_ms=120_000
    )

    async def besieged() -> None:
        siege = Siege(served.port, STRANGERS[:3], half_open=300, viewers=VIEWERS)
        is_over = asyncio.Event()
        attack = asyncio.ensure_future(siege.run(is_over.is_set))
        for kind in ("viewers 101", "viewers 503", "requests 200", "requests 401"):
            await until(lambda kind=kind: siege.answers[kind], kind)  # type: ignore[misc]
        await until(lambda: len(siege.open["half-open"]) >= 300, "half-open connections")
        await played(served)
        await worked(served)
        is_over.set()
        await attack

    try:
        asyncio.run(besieged())
    finally:
        served.stop()


async def played(served: Served) -> None:
    async with Terminal(served.address, table=1) as terminal:
        await terminal.seat()
        await terminal.betting()
        for n in range(WAGERS):
            answer = await (terminal.raise_ if n else terminal.place)("banker", 1_000)
            assert answer.ok, answer


async def worked(served: Served) -> None:
    """A login, a page and a screen of the staff."""
    token = (await asyncio.to_thread(staff_tokens, served, "sue"))["sue"]
    status, found = await asyncio.to_thread(api, served, "GET", "/api/staff/pit", token)
    assert status == 200, found
    address = f"ws://127.0.0.1:{served.port}/ws/views"
    async with connect(
        address, additional_headers={"Authorization": f"Bearer {token}"}, open_timeout=PATIENCE_S
    ) as screen:
        await screen.send('{"t":"watch","what":["pit"]}')
        assert '"what":"pit"' in str(await asyncio.wait_for(screen.recv(), PATIENCE_S))


class Counted(Sending):
    """A connection whose writes are counted."""

    __slots__ = ("written",)

    def __init__(self, outgoing: Outgoing, written: list[int]) -> None:
        super().__init__(outgoing, Connection(), None, None)  # type: ignore[arg-type]
        self.written = written

    def flush(self) -> None:
        self.written[-1] += 1


def test_a_view_goes_to_a_crowd_in_portions_and_the_loop_turns_in_between() -> None:
    async def sent(outgoing: Outgoing) -> list[int]:
        written = [0]

        def turn() -> None:
            """What else the event loop does, as to answer a wager."""
            written.append(0)
            loop.call_soon(turn)

        loop = asyncio.get_running_loop()
        for _ in range(3 * PORTION):
            Counted(outgoing, written).wake()
        loop.call_soon(turn)
        await until(lambda: sum(written) == 3 * PORTION)
        return [some for some in written if some]

    assert asyncio.run(sent(Outgoing(portion=PORTION))) == [PORTION] * 3
    assert asyncio.run(sent(Outgoing())) == [3 * PORTION], "to terminals all at once"


def test_the_more_of_the_public_watch_the_less_often_each_is_sent_a_view(tmp_path: Path) -> None:
    async def go() -> None:
        with SqliteStore(tmp_path / "floor.db") as store:
            views = Floor(store, KeyRing.load(store.ring_path)).views
            found = dict[int, float]()
            viewers = [Viewer(10, "") for _ in range(1_000)]
            for n, viewer in enumerate(viewers, 1):
                views.subscribe(viewer, ["table:1"])
                if n in (1, 100, 1_000):
                    [watched] = viewer.topics
                    found[n] = views._grain_s(watched)
            grain_s = KINDS["table"].grain_s
            assert found == {1: grain_s, 100: grain_s, 1_000: 1_000 * EACH_S}
            for viewer in viewers:
                views._move(viewer, frozenset())
            assert views._grain_s(watched) == grain_s

    asyncio.run(go())


def test_who_is_turned_away_leaves_nothing_to_the_garbage_collector(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made = list[weakref.ref[object]]()
    handle_connect = TerminalProtocol.handle_connect

    def noted(self: TerminalProtocol, event: Any) -> None:
        made.extend((weakref.ref(self), weakref.ref(self.transport)))
        handle_connect(self, event)

    async def refuse(_: Any, receive: Any, send: Any) -> None:
        await receive()
        start = {"type": "websocket.http.response.start", "status": 503, "headers": []}
        await send(start)
        await send({"type": "websocket.http.response.body", "body": b"", "more_body": False})

    async def go() -> None:
        port = free_port()
        config = uvicorn.Config(refuse, port=port, ws=TerminalProtocol, lifespan="off")
        server = uvicorn.Server(config)
        serving = asyncio.ensure_future(server.serve())
        await until(lambda: server.started)
        for _ in range(3):
            with pytest.raises(InvalidStatus):
                await connect(f"ws://127.0.0.1:{port}")
        await until(lambda: not any(ref() for ref in made), "the end of every connection")
        server.should_exit = True
        await serving

    monkeypatch.setattr(TerminalProtocol, "handle_connect", noted)
    gc.disable()
    try:
        asyncio.run(asyncio.wait_for(go(), PATIENCE_S))
    finally:
        gc.enable()
    assert len(made) == 2 * 3


def test_new_objects_are_looked_at_a_few_at_a_time_though_as_many_old_ones_go() -> None:
    """As connections come and are cut off: by its own count the collector has nothing to do."""
    server = GracefulServer(uvicorn.Config("none:at_all"), Shutdown(Rooms()), Settings())
    many = [dict[str, object](itself=[]) for _ in range(20_000)]
    gc.collect()

    def come_and_go(first: int) -> int:
        for n in range(first, first + 5_000):
            many[n] = dict[str, object](itself=[])
        return len(gc.get_objects(generation=0))

    for first in (0, 5_000, 10_000, 15_000):
        asyncio.run(server.on_tick(1))
        assert come_and_go(first) < 15_000
