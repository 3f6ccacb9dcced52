"""A proxy in front of PostgreSQL that loses a COMMIT, or only the reply to it.

`lose("reply")` forwards the next COMMIT, waits until the server has committed, drops the reply and
cuts every connection. `lose("commit")` cuts them without forwarding it, `lose("begin")` before the
transaction has done anything. Afterwards the proxy refuses connections until `hear_again`, as a
server does during a fail-over. Only the store's own transactions count: it sends `BEGIN` and
`COMMIT` bare, the driver with a semicolon.
"""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Literal, Self, TypeVar
from urllib.parse import parse_qs, urlsplit, urlunsplit

from tests.support.patience import PATIENCE_S

CHUNK = 65_536
T = TypeVar("T")
BEGIN, COMMIT = b"BEGIN\0", b"COMMIT\0"
Lose = Literal["", "reply", "commit", "begin"]


class CommitProxy:
    """Listens on a free port of the loopback interface, on a thread of its own."""

    def __init__(self, url: str) -> None:
        self._target = _target(url)
        self._lose: Lose = ""
        self.is_deaf = False
        self.commits_lost = 0
        self._cut = threading.Event()
        self._clients = set[asyncio.StreamWriter]()
        self._tasks = set[asyncio.Task[None]]()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._run(asyncio.start_server(self._serve, "127.0.0.1", 0))
        port = self._server.sockets[0].getsockname()[1]
        parts = urlsplit(url)
        user = f"{parts.username}@" if parts.username else ""
        self.url = urlunsplit(("postgresql", f"{user}127.0.0.1:{port}", parts.path, "", ""))

    def lose(self, what: Lose, *, deaf: bool = True) -> None:
        """Lose the next COMMIT, its reply, or a transaction before it; `deaf`: refuse connections then."""
        self._cut.clear()
        self._lose, self._deaf_after = what, deaf

    def wait_for_cut(self) -> None:
        assert self._cut.wait(PATIENCE_S), "no COMMIT came"

    def lead_to(self, url: str) -> None:
        """Forward new connections to another server; cut those that are there."""
        self._target = _target(url)
        self._loop.call_soon_threadsafe(self._cut_all)

    def hear_again(self) -> None:
        self.is_deaf = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self, work: Coroutine[None, None, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE_S)

    async def _close(self) -> None:
        self._server.close()
        self._cut_all()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.is_deaf:
            writer.transport.abort()
            return
        self._clients.add(writer)
        task = self._loop.create_task(self._forward(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        host, port = self._target
        try:
            if host.startswith("/"):
                path = f"{host}/.s.PGSQL.{port}"
                theirs, ours = await asyncio.open_unix_connection(path)
            else:
                theirs, ours = await asyncio.open_connection(host, port)
        except OSError:
            writer.transport.abort()
            return
        committing = asyncio.Event()
        down = asyncio.ensure_future(self._down(theirs, writer, committing))
        try:
            await self._up(reader, ours, committing)
        except OSError:
            pass
        finally:
            down.cancel()
            writer.transport.abort()
            self._clients.discard(writer)
            ours.close()
            with suppress(OSError):
                await ours.wait_closed()

    async def _up(
        self, reader: asyncio.StreamReader, ours: asyncio.StreamWriter, committing: asyncio.Event
    ) -> None:
        while data := await reader.read(CHUNK):
            if self._lose == "begin" and BEGIN in data:
                self._cut_now()
                return
            if COMMIT in data:
                committing.set()
                if self._lose == "commit":
                    self._cut_now()
                    return
            ours.write(data)
            await ours.drain()

    async def _down(
        self, theirs: asyncio.StreamReader, writer: asyncio.StreamWriter, committing: asyncio.Event
    ) -> None:
        while data := await theirs.read(CHUNK):
            if COMMIT in data and committing.is_set():  # the server has committed
                committing.clear()
                if self._lose == "reply":
                    self._cut_now()
                    return
            writer.write(data)
            await writer.drain()
        writer.transport.abort()

    def _cut_now(self) -> None:
        self._lose = ""
        self.is_deaf = self._deaf_after
        self.commits_lost += 1
        self._cut_all()
        self._cut.set()

    def _cut_all(self) -> None:
        for client in self._clients:
            client.transport.abort()


def _target(url: str) -> tuple[str, int]:
    parts = urlsplit(url)
    host = parts.hostname or parse_qs(parts.query)["host"][0]
    return host, parts.port or 5432
