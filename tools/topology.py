"""A whole floor without containers: a real PostgreSQL, some nodes of `puntobanco serve`, a balancer before them.

`python -m tools.topology --nodes 2` runs it until it is interrupted. The balancer is round robin with no memory of
anybody: sessions are not sticky. It drops a node that does not take connections and tries it again a second later.
"""

import argparse
import asyncio
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Self, TypeAlias

from tests.storage.servers import database, server
from tests.support.forked import Forked
from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tests.support.quick_server import quick_clock

DROPPED_S = 1.0
CHUNK = 65_536
Process: TypeAlias = Forked | subprocess.Popen[bytes]


class Node:
    """One `puntobanco serve`, with a port, a metrics port and a file of heads of its own."""

    def __init__(
        self, url: str, folder: Path, number: int, *, betting_ms: int, pause_ms: int
    ) -> None:
        self.url, self.folder, self.number = url, folder, number
        self.betting_ms, self.pause_ms = betting_ms, pause_ms
        self.port, self.metrics_port = free_port(), free_port()
        self.process: Process | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / f"node{self.number}.log"

    def start(self, *, wait: bool = True) -> None:
        words = [
            "serve",
            "--demo",
            "--port",
            str(self.port),
            "--metrics-port",
            str(self.metrics_port),
            "--database",
            self.url,
            "--keys",
            str(self.folder / "floor.keys"),
            "--heads",
            str(self.folder / f"{self.number}.heads"),
            "--log-format",
            "json",
            "--connections",
            "4",
        ]
        self.process = self.launch(words)
        if wait:
            self.wait()

    def launch(self, words: list[str]) -> Process:
        clock = quick_clock(self.betting_ms, self.pause_ms)
        return Forked(clock, *words, log=self.log)

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(
                f"http://127.0.0.1:{self.metrics_port}/readyz", timeout=5
            ) as answer:
                return int(answer.status) == 200
        except OSError:
            return False

    def wait(self, seconds: float = PATIENCE_S) -> None:
        until = time.monotonic() + seconds
        while not self.is_ready():
            assert self.process is not None
            assert self.process.poll() is None, self.log.read_text()
            assert time.monotonic() < until, self.log.read_text()
            time.sleep(0.1)

    def end(self, how: int = signal.SIGKILL) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            try:
                self.process.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            self.process = None


class Balancer:
    """TCP, round robin; in a thread of its own. What a dead node leaves is closed, as a proxy does."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports, self._next, self._dropped = list(ports), 0, dict[int, float]()
        self.port, self.taken = free_port(), dict.fromkeys(ports, 0)
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="balancer", daemon=True)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._ready.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        listening = self._loop.run_until_complete(
            asyncio.start_server(self._client, "127.0.0.1", self.port, backlog=1_024)
        )
        self._ready.set()
        self._loop.run_forever()
        listening.close()
        tasks = asyncio.all_tasks(self._loop)
        for task in tasks:
            task.cancel()
        self._loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))

    async def _client(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        node = await self._node()
        if node is None:
            writer.close()
            return
        try:
            await asyncio.gather(_pump(reader, node[1]), _pump(node[0], writer))
        finally:
            writer.close()
            node[1].close()

    async def _node(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        """The next node that takes the connection; one that does not is left alone for a second."""
        for _ in self._ports:
            port = self._ports[self._next % len(self._ports)]
            self._next += 1
            if self._dropped.get(port, 0.0) > time.monotonic():
                continue
            try:
                found = await asyncio.wait_for(asyncio.open_connection("127.0.0.1", port), 2)
            except (OSError, TimeoutError):
                self._dropped[port] = time.monotonic() + DROPPED_S
                continue
            self.taken[port] += 1
            return found
        return None


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """One direction, until it ends; then the other side hears of it."""
    with suppress(OSError):
        while data := await reader.read(CHUNK):
            writer.write(data)
            await writer.drain()
    with suppress(OSError, RuntimeError):
        writer.close()


class Topology:
    """The floor as its users meet it: one address."""

    def __init__(
        self,
        url: str,
        folder: Path,
        nodes: int,
        *,
        betting_ms: int = 2_500,
        pause_ms: int = 300,
        kind: type[Node] = Node,
    ) -> None:
        self.url, self.folder = url, folder
        made = range(1, nodes + 1)
        self.nodes = [kind(url, folder, n, betting_ms=betting_ms, pause_ms=pause_ms) for n in made]
        self.balancer = Balancer([node.port for node in self.nodes])

    @property
    def address(self) -> str:
        return self.balancer.address

    @property
    def keys(self) -> Path:
        return self.folder / "floor.keys"

    @property
    def heads(self) -> list[Path]:
        return sorted(self.folder.glob("*.heads"))


@contextmanager
def topology(
    postgres: str,
    nodes: int = 2,
    *,
    betting_ms: int = 2_500,
    pause_ms: int = 300,
    kind: type[Node] = Node,
) -> Iterator[Topology]:
    """The first node sets the demonstration up; then the others."""
    times = {"betting_ms": betting_ms, "pause_ms": pause_ms}
    # a node that was killed may leave a process that still writes
    scratch = tempfile.TemporaryDirectory(prefix="pb", ignore_cleanup_errors=True)
    with database(postgres) as url, scratch as folder:
        found = Topology(url, Path(folder), nodes, **times, kind=kind)
        try:
            for node in found.nodes:
                node.start()
            with found.balancer:
                yield found
        finally:
            for node in found.nodes:
                node.end(signal.SIGTERM)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=2)
    chosen = parser.parse_args()
    with (
        server() as postgres,
        topology(postgres, chosen.nodes, betting_ms=15_000, pause_ms=4_000) as found,
    ):
        print(f"floor {found.address}")
        for node in found.nodes:
            print(
                f"node {node.number} {node.address} metrics http://127.0.0.1:{node.metrics_port}/metrics {node.log}"
            )
        with suppress(KeyboardInterrupt):
            threading.Event().wait()


if __name__ == "__main__":
    main()
