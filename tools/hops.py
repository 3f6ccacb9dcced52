"""Hops: how many of our files and functions one act passes through, traced on a SQLite floor in this process.

`python -m tools.hops` prints a line for each walk; `--list wager` prints the files of one walk in the order of first touch, and their functions.
Each act is done once before it is traced, so imports and caches do not count.
"""

import argparse
import asyncio
import contextlib
import io
import json
import sys
import tempfile
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import FrameType
from typing import Any

from puntobanco.cli import cli
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.events import Clock
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.floor import Floor
from puntobanco_floor.service.table_games import Playable
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.web.app import create_app
from puntobanco_floor.web.context import web_for
from tests.web.test_socket import Wire
from tools.tree import SOURCES, below_source

FOLDERS = tuple(f"{source.parent}/" for source in SOURCES.values())
PASSWORD = "long enough words"
ASIDE = "puntobanco-log"
"""The thread that grows the transparency log: it ticks by itself, and no act waits for it."""

Walk = dict[str, dict[str, None]]
"""File -> its functions that were called, both in the order of first touch."""


class Tracer:
    """A profile hook for every thread, set before the store starts its own."""

    def __init__(self) -> None:
        self.walks = dict[str, Walk]()
        self._walk: Walk | None = None
        threading.setprofile(self._hear)
        sys.setprofile(self._hear)

    def _hear(self, frame: FrameType, event: str, _: object) -> None:
        walk, code = self._walk, frame.f_code
        if walk is None or event != "call" or threading.current_thread().name == ASIDE:
            return
        if code.co_filename.startswith(FOLDERS) and code.co_name != "<module>":
            walk.setdefault(below_source(Path(code.co_filename)), {})[code.co_qualname] = None

    @contextmanager
    def recording(self, name: str) -> Iterator[None]:
        self._walk = self.walks[name] = {}
        yield
        self._walk = None

    async def trace(self, name: str, act: Callable[[], Awaitable[object]]) -> None:
        await act()
        with self.recording(name):
            await act()

    def stop(self) -> None:
        sys.setprofile(None)
        threading.setprofile(None)


async def _ask(app: Any, method: str, path: str, token: str = "", body: object = None) -> Any:
    """One request over HTTP, without a network."""
    data, sent = b"" if body is None else json.dumps(body).encode(), list[Any]()
    headers = [
        (b"host", b"localhost"),
        (b"content-type", b"application/json"),
        (b"content-length", b"%d" % len(data)),
        (b"authorization", f"Bearer {token}".encode()),
    ]
    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": headers,
        "client": ("192.0.2.7", 1),
        "scheme": "http",
        "root_path": "",
        "http_version": "1.1",
        "server": ("localhost", 80),
        "asgi": {"version": "3.0"},
    }

    async def receive() -> Any:
        return {"type": "http.request", "body": data, "more_body": False}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    answer = b"".join(message.get("body", b"") for message in sent)
    assert sent[0]["status"] == 200, answer
    return json.loads(answer)


async def _play(tracer: Tracer, floor: Floor) -> None:
    """A demonstration with one table that a dealer runs; a patron bets, the dealer scans cards, an administrator reads a report."""
    guest = floor.tickets.new_guest()
    session = str(floor.tickets.session(guest))
    admin = floor.commands.administration("hops")
    await admin.open_house("Hops", "ada", PASSWORD, demo=True)
    await admin.add_with_password("dora", "dealer", PASSWORD)
    await admin.add_table(1, Playable(GAMES["fortune-six"]), clock=Clock(), physical=True)

    async def do(*commands: Command) -> None:
        for command in commands:
            answer = await floor.store.asked(
                Request(stream="table:1", id=command.name(), command=command)
            )
            assert answer.ok, answer

    await do(
        c.SeatSession(by=session, session=session),
        c.BuyIn(by="cage", session=session, cents=10**6),
        c.OpenBets(by="dora"),
    )
    await floor.start()
    terminal, app = Wire(floor, "/ws/1", guest), create_app(web_for(floor), start=floor.start)
    await terminal.hears("welcome")
    bets, ids = iter(("player", "banker")), map(str, count(1))

    async def wager() -> None:
        answers, bet = len(terminal.heard("answered")) + 1, next(bets)
        place = wire.Place(id=bet, round=1, bet=bet, stake_cents=10_000)
        terminal.say("websocket.receive", text=wire.write(place).decode())
        assert (await terminal.hears("answered", answers))[-1]["ok"]
        await terminal.hears("mine", answers)

    def login(name: str) -> Awaitable[Any]:
        return _ask(app, "POST", "/api/staff/login", body={"name": name, "password": PASSWORD})

    def scan() -> Awaitable[Any]:
        body = {"id": next(ids), "command": {"command": "enter-card", "card": "9d"}}
        return _ask(app, "POST", "/api/staff/tables/1/commands", dora, body)

    await tracer.trace("wager", wager)
    terminal.say("websocket.disconnect")
    await terminal.task
    await do(c.CloseBets(by="dora"))
    dora, ada = (await login("dora"))["token"], (await login("ada"))["token"]
    await tracer.trace("card", scan)
    await tracer.trace("login", lambda: login("dora"))
    await tracer.trace("report", lambda: _ask(app, "GET", "/api/staff/reports/daily", ada))
    await floor.stop()


def trace(folder: Path) -> dict[str, Walk]:
    """The walks by name, on a new floor in this folder."""
    tracer, path = Tracer(), folder / "floor.db"
    try:
        with SqliteStore(path) as store:
            asyncio.run(
                _play(
                    tracer,
                    Floor(store, KeyRing.load(store.ring_path), database=str(path), demo=True),
                )
            )
        for _ in range(2):
            with tracer.recording("audit"), contextlib.redirect_stdout(io.StringIO()):
                cli.main(["audit", "--jobs", "1", "--database", str(path)], standalone_mode=False)
    finally:
        tracer.stop()
    return tracer.walks


def report() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", metavar="WALK", help="the files of this walk, such as wager")
    wanted = parser.parse_args().list
    with tempfile.TemporaryDirectory() as folder:
        walks = trace(Path(folder))
    for name, walk in walks.items():
        if not wanted:
            print(f"{name:<8} {len(walk):>3} files  {sum(map(len, walk.values())):>4} functions")
    for file, functions in walks.get(wanted, {}).items():
        print(f"{file:<48} {' '.join(functions)}")


if __name__ == "__main__":
    report()
