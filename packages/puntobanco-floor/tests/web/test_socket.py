"""The terminals' WebSocket by itself: any ASGI server will do, slow terminals are cut off, frames are made once."""

import asyncio
import inspect
import json
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from puntobanco_floor.cli.serve import _terminal_protocol
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.subscriptions import Viewer
from puntobanco_floor.service.terminals import connections, wire
from puntobanco_floor.service.terminals.connections import MAX_QUEUE, Room, Terminal
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.web.context import web_for
from puntobanco_floor.web.fast_socket import TerminalProtocol
from puntobanco_floor.web.socket import MESSAGES_AT_ONCE, Outgoing, Sending, with_sockets
from tests.floor.started import started
from tests.support.patience import until
from tools.tree import DISTRIBUTIONS

PYPROJECT = DISTRIBUTIONS["puntobanco_floor"] / "pyproject.toml"


async def nothing(*_: Any) -> None:
    """An application that answers nothing."""


class Wire:
    """What a server hands an ASGI application, without a network."""

    def __init__(self, floor: Floor, path: str, token: str) -> None:
        self.incoming, self.sent = asyncio.Queue[Any](), list[Any]()
        scope: Any = {
            "type": "websocket",
            "path": path,
            "headers": [(b"authorization", f"Bearer {token}".encode())],
        }
        self.say("websocket.connect")
        app = with_sockets(nothing, web_for(floor))
        running: Any = app(scope, self.incoming.get, self.send)
        self.task = asyncio.create_task(running)

    async def send(self, message: Any) -> None:
        self.sent.append(message)
        if message["type"] == "websocket.close":
            self.say("websocket.disconnect")

    def say(self, kind: str, **more: Any) -> None:
        self.incoming.put_nowait({"type": kind, **more})

    def heard(self, tag: str) -> list[Any]:
        messages = [json.loads(m["text"]) for m in self.sent if m["type"] == "websocket.send"]
        return [message for message in messages if message["t"] == tag]

    async def hears(self, tag: str, count: int = 1) -> list[Any]:
        await until(lambda: len(self.heard(tag)) >= count, tag)
        return self.heard(tag)


@asynccontextmanager
async def seated(store: SqliteStore) -> AsyncIterator[tuple[Floor, str]]:
    """A floor with bets open at table 1, and the token of a session that sits there."""
    floor = Floor(store, KeyRing.load(store.ring_path))
    await floor.commands.administration("init").open_house("Marina", "root", "long enough words")
    token = floor.tickets.new_guest()
    session = str(floor.tickets.session(token))
    commands: list[Command] = [
        c.OpenTable(by="pit", game="rapid", clock=Clock()),
        c.NewShoe(by="pit"),
        c.SeatSession(by=session, session=session),
        c.BuyIn(by="cage", session=session, cents=10**6),
        c.OpenBets(by="dealer"),
    ]
    for n, command in enumerate(commands):
        assert (await store.asked(Request(stream="table:1", id=str(n), command=command))).ok
    async with started(floor):
        yield floor, token


def place(n: int = 0, stake_cents: int = 1_000) -> str:
    return wire.write(
        wire.Place(id=f"a{n}", round=1, bet="banker", stake_cents=stake_cents)
    ).decode()


def test_any_asgi_server_serves_terminals(tmp_path: Path) -> None:
    async def play() -> None:
        with SqliteStore(tmp_path / "floor.db") as store:
            async with seated(store) as (floor, token):
                terminal = Wire(floor, "/ws/1", token)
                [welcome] = await terminal.hears("welcome")
                assert (welcome["table"]["phase"], welcome["session"]["balance_cents"]) == (
                    "betting",
                    10**6,
                )
                terminal.say("websocket.receive", text=place())
                [answer] = await terminal.hears("answered")
                assert answer["ok"]
                [mine] = await terminal.hears("mine")
                assert mine["session"]["wagers"] == {"banker": 1_000}
                assert mine["session"]["balance_cents"] == 10**6 - 1_000
                terminal.say("websocket.receive", bytes=b"\xff")
                assert (await terminal.hears("answered", 2))[1]["code"] == "bad-message"
                terminal.say("websocket.disconnect")
                await terminal.task
                assert not floor.rooms["table:1"]

    asyncio.run(play())


@pytest.mark.waits
def test_who_hears_nothing_else_hears_that_the_floor_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def wait() -> None:
        monkeypatch.setattr(connections, "BEAT_S", 0.05)
        with SqliteStore(tmp_path / "floor.db") as store:
            async with seated(store) as (floor, token):
                terminal, viewer = Wire(floor, "/ws/1", token), Viewer(MAX_QUEUE, "")
                floor.views.add(viewer)
                beats = await terminal.hears("beat", 3)
                assert beats[0]["at"] < beats[2]["at"]
                assert b'"t":"beat"' in (viewer.queue[0] or b"")
                monkeypatch.setattr(
                    connections, "BEAT_S", 3_600.0
                )  # from the next beat on, they are made here
                await terminal.hears("beat", len(terminal.heard("beat")) + 1)
                before = len(terminal.heard("beat"))
                for n in range(20):  # who hears of wagers needs no beat
                    terminal.say("websocket.receive", text=place(n))
                    await terminal.hears("answered", n + 1)
                    floor.heartbeat.beat()
                assert len(terminal.heard("beat")) == before, (
                    "it was told something since the last beat"
                )
                floor.heartbeat.beat()
                await terminal.hears("beat", before + 1)
                terminal.say("websocket.disconnect")
                await terminal.task
                floor.views.discard(viewer)

    asyncio.run(wait())


def test_a_forged_token_and_an_unknown_table_are_turned_away_before_they_are_accepted(
    tmp_path: Path,
) -> None:
    async def knock() -> None:
        with SqliteStore(tmp_path / "floor.db") as store:
            async with seated(store) as (floor, token):
                for path, given in (("/ws/1", "g1.0000"), ("/ws/1", ""), ("/ws/2", token)):
                    stranger = Wire(floor, path, given)
                    await stranger.task
                    assert [m["type"] for m in stranger.sent] == ["websocket.close"]
                elsewhere = Wire(floor, "/ws/1/2", token)
                await elsewhere.task
                assert elsewhere.sent == []

    asyncio.run(knock())


def test_too_many_messages_end_the_connection_with_a_reason(tmp_path: Path) -> None:
    async def flood(size: int, messages: int) -> Wire:
        with SqliteStore(tmp_path / f"{size}-{messages}.db") as store:
            async with seated(store) as (floor, token):
                terminal = Wire(floor, "/ws/1", token)
                for _ in range(messages):
                    terminal.say("websocket.receive", text="x" * size)
                await terminal.hears(
                    "bye" if messages > MESSAGES_AT_ONCE or size > wire.MAX_BYTES else "answered", 1
                )
                terminal.say("websocket.disconnect")
                await terminal.task
                return terminal

    assert not asyncio.run(flood(wire.MAX_BYTES, MESSAGES_AT_ONCE)).heard("bye")
    assert asyncio.run(flood(wire.MAX_BYTES + 1, 1)).heard("bye")
    late = asyncio.run(flood(1, MESSAGES_AT_ONCE + 5))
    assert late.heard("bye")
    assert [m["code"] for m in late.sent if m["type"] == "websocket.close"] == [4408]


class Line:
    """A network that takes what it is given, or does not."""

    def __init__(self, *, is_free: bool = True) -> None:
        self.free, self.written, self.aborted = is_free, list[bytes](), False
        self.transport = self

    def is_free(self) -> bool:
        return self.free

    def write(self, data: bytes) -> None:
        self.written.append(data)

    def abort(self) -> None:
        self.aborted = True


@pytest.mark.waits
def test_messages_of_one_moment_are_one_write_and_a_frame_is_made_once_for_all() -> None:
    async def tell() -> None:
        outgoing, lines, watching = (
            Outgoing(),
            [Line() for _ in range(3)],
            [Terminal("t", str(i)) for i in range(3)],
        )
        for terminal, line in zip(watching, lines, strict=True):
            terminal.wake = Sending(outgoing, terminal, nothing, line).wake  # type: ignore[arg-type]
        for message in (b"one", b"two"):
            for terminal in watching:
                terminal.put(message)
        await until(lambda: all(line.written for line in lines), "the write")
        assert [line.written for line in lines] == [[b"\x81\x03one\x81\x03two"]] * 3
        for terminal in watching:
            terminal.put(b"three")
        await until(lambda: all(len(line.written) > 1 for line in lines), "the second write")
        assert len({id(line.written[1]) for line in lines}) == 1

    asyncio.run(tell())


def test_a_terminal_that_takes_nothing_is_cut_off_at_once() -> None:
    async def stuck() -> None:
        async def never(_: Any) -> None:
            await asyncio.sleep(60)

        watching, line = Terminal("t", "s"), Line(is_free=False)
        sending = Sending(Outgoing(), watching, never, line)  # type: ignore[arg-type]
        watching.wake = sending.wake
        watching.put(b"on its way")
        await asyncio.sleep(0.02)
        for _ in range(MAX_QUEUE):
            watching.put(b"waits")
        assert not line.aborted
        watching.put(b"one too many")
        assert line.aborted
        assert line.written == []

    asyncio.run(stuck())


def test_uvicorn_has_the_private_parts_that_the_short_ways_use() -> None:
    """They are no promise of uvicorn's: a version that pyproject.toml allows has them."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        """One that is never asked."""

    async def made() -> TerminalProtocol:
        config = uvicorn.Config(application, ws=TerminalProtocol, interface="asgi3")
        config.load()
        return TerminalProtocol(config, ServerState(), {})

    protocol = asyncio.run(made())
    assert (protocol.close_sent, protocol.frames) == (False, [])
    assert protocol.writable.is_set()
    theirs = inspect.getsource(TerminalProtocol.__mro__[1])
    used = ("def handle_connect(self, event", "def send_receive_event_to_app(self)")
    for part in (*used, "curr_msg_data_type", "self.transport", '"extensions"'):
        assert part in theirs, f"uvicorn {uvicorn.__version__} has no {part}"
    assert re.search(r'"uvicorn>=[0-9.]+,<[0-9.]+"', PYPROJECT.read_text()), "it is capped"


def test_without_those_parts_terminals_are_served_by_plain_asgi(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hidden = "uvicorn.protocols.websockets.websockets_sansio_impl"
    monkeypatch.setitem(sys.modules, hidden, None)
    monkeypatch.delitem(sys.modules, "puntobanco_floor.web.fast_socket", raising=False)
    assert _terminal_protocol(DEFAULTS) == "auto"
    [line] = caplog.records
    assert "plain ASGI" in line.getMessage()
    assert "install a version that pyproject.toml allows" in line.getMessage()


def test_a_room_finds_every_page_of_a_session() -> None:
    room, pages = Room(), [Terminal("t", "ann"), Terminal("t", "ann"), Terminal("t", "ben")]
    for page in pages:
        room.add(page)
    assert (len(room), set(room), room.of("ann"), room.of("eve")) == (3, set(pages), pages[:2], [])
    room.discard(pages[0])
    room.discard(pages[0])
    assert (len(room), room.of("ann")) == (2, [pages[1]])
    for page in pages:
        room.discard(page)
    assert (len(room), room.of("ann"), room._by_session) == (0, [], {})
