"""A floor under siege (denial of service): half-open connections, viewers, and floods of cookies,
watches and logins, while terminals play and the staff work. All of it on loopback, bounded in
count and time: python -m benchmarks.siege.

The server has one core, everybody else the other. The quiet run has a busy loop beside it on that
second core, so that both runs meet terminals that are as short of time.
"""

import asyncio
import contextlib
import http.client
import itertools
import json
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from statistics import median
from typing import Any

from benchmarks.floor import BETS, Served, floor
from benchmarks.live import row
from benchmarks.terminals import Crowds, more_files
from benchmarks.timing import lasting, sized
from puntobanco_floor.domain.events import Clock

SERVER_CORE, OTHER_CORE = {0}, {1}
TERMINALS, SECONDS = sized(500, 10), lasting(20.0, 2.0)
RATE = TERMINALS / 2
"""Each terminal bets every other second, which is more than a round allows."""

HALF_OPEN, VIEWERS = sized(5_000), sized(1_000)
COOKIES_RATE, WATCHES_RATE, LOGINS_RATE, OPENED_RATE = 50.0, 100.0, 20.0, 250.0
"""A second; the last is of connections that take the place of those that were cut off."""

STRANGERS = [f"127.0.0.{n}" for n in range(2, 10)]
SETTLE_S = lasting(12.0)
"""Until the attackers are all there."""

TIMES = sized(5)
"""Of each run, in turn; medians are compared: one stall of the machine is a hundredth of a run."""

_UPGRADE = (
    "GET /ws/views HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade"
    "\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n{more}\r\n"
)
_WATCH = b'{"t":"watch","what":["lobby","table:1"]}'
_FRAME = bytes([0x81, 0x80 | len(_WATCH), 0, 0, 0, 0]) + _WATCH


class Attacker(asyncio.Protocol):
    """A connection that says something and reads what comes."""

    def __init__(self, siege: "Siege", kind: str, first: bytes) -> None:
        self.siege, self.kind, self.first = siege, kind, first
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self.first)

    def data_received(self, data: bytes) -> None:
        if data.startswith(b"HTTP/1.1 "):
            self.siege.answers[f"{self.kind} {data[9:12].decode()}"] += 1

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self.siege.open[self.kind].discard(self)


class Siege:
    """All attackers, in one process; so many half-open connections and viewers at once."""

    def __init__(
        self,
        port: int,
        sources: Sequence[str],
        half_open: int = HALF_OPEN,
        viewers: int = VIEWERS,
    ) -> None:
        self.port, self._sources = port, itertools.cycle(sources)
        self._half_open, self._viewers = half_open, viewers
        self.open = {kind: set[Attacker]() for kind in ("half-open", "viewers", "requests")}
        self.answers = Counter[str]()
        self.left = dict[str, int]()  # that were open at the end

    async def connect(self, kind: str, first: bytes) -> None:
        loop = asyncio.get_running_loop()
        local = (next(self._sources), 0)
        with contextlib.suppress(OSError):
            _, made = await loop.create_connection(
                lambda: Attacker(self, kind, first), "127.0.0.1", self.port, local_addr=local
            )
            self.open[kind].add(made)

    async def fill(self, kind: str, most: int, first: bytes) -> None:
        """So many at once; whoever is cut off comes again."""
        while True:
            missing = most - len(self.open[kind])
            for _ in range(min(missing, int(OPENED_RATE / 10))):
                await self.connect(kind, first)
            await asyncio.sleep(0.1)

    async def flood(self, rate: float, request: Callable[[int], bytes]) -> None:
        for n in itertools.count():
            await self.connect("requests", request(n))
            await asyncio.sleep(1 / rate)

    async def watch(self) -> None:
        while True:
            for viewer in list(self.open["viewers"]):
                if viewer.transport and not viewer.transport.is_closing():
                    viewer.transport.write(_FRAME)
                await asyncio.sleep(1 / WATCHES_RATE)
            await asyncio.sleep(0.01)

    async def run(self, over: Callable[[], bool]) -> None:
        head = f"Host: 127.0.0.1:{self.port}\r\n"
        cookies = "; ".join(f"puntobanco-staff=s.{n:032x}" for n in range(200))

        def with_cookies(_: int) -> bytes:
            return f"GET /api/floor HTTP/1.1\r\n{head}Cookie: {cookies}\r\n\r\n".encode()

        def login(n: int) -> bytes:
            body = json.dumps({"name": ("root", f"x{n}")[n % 2], "password": "no password"})
            kind = "Content-Type: application/json\r\nConnection: close\r\n"
            length = f"Content-Length: {len(body)}\r\n\r\n"
            return f"POST /api/staff/login HTTP/1.1\r\n{head}{kind}{length}{body}".encode()

        work = [
            self.fill("half-open", self._half_open, f"GET / HTTP/1.1\r\n{head}X-Slow: ".encode()),
            self.fill("viewers", self._viewers, _UPGRADE.format(port=self.port, more="").encode()),
            self.flood(COOKIES_RATE, with_cookies),
            self.flood(LOGINS_RATE, login),
            self.watch(),
        ]
        tasks = [asyncio.ensure_future(each) for each in work]
        while not over():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        self.left = {kind: len(each) for kind, each in self.open.items()}
        for attacker in [one for each in self.open.values() for one in each]:
            if attacker.transport:
                attacker.transport.abort()
        await asyncio.sleep(0)  # until they are closed


def _besiege(port: int, sources: Sequence[str], over: Event, told: Any) -> None:
    more_files()
    siege = Siege(port, sources)
    asyncio.run(siege.run(over.is_set))
    told.put(dict(siege.answers) | siege.left)


def _be_busy(_port: int, _sources: Sequence[str], over: Event, told: Any) -> None:
    while not over.is_set():
        sum(range(10_000))
    told.put({})


@contextmanager
def beside(work: Callable[..., None], port: int, sources: Sequence[str]) -> Iterator[None]:
    context = get_context("spawn")
    over, told = context.Event(), context.Queue()
    process = context.Process(target=work, args=(port, sources, over, told), daemon=True)
    process.start()
    try:
        time.sleep(SETTLE_S)
        yield
    finally:
        over.set()
        found = told.get(timeout=30)
        process.join(10)
        if found:
            print("   attackers:", ", ".join(f"{k} {v}" for k, v in sorted(found.items())))


class Console:
    """A member of the staff: how long each page took, a new connection each time."""

    def __init__(self, served: Served, password: str, source: str = "127.0.0.1") -> None:
        self.port, self._source = served.port, (source, 0)
        status, found = self.asked(
            "POST", "/api/staff/login", {"name": "root", "password": password}
        )
        assert status == 200, found
        self.token = str(found["token"])

    def asked(self, method: str, path: str, body: object = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=30, source_address=self._source
        )
        headers = {"Content-Type": "application/json"}
        if hasattr(self, "token"):
            headers["Authorization"] = f"Bearer {self.token}"
        connection.request(method, path, json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        return answer.status, json.loads(text or b"null")

    def watches(self) -> bool:
        """Whether a screen of the staff is let in now."""
        more = f"Authorization: Bearer {self.token}\r\n"
        connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=30, source_address=self._source
        )
        connection.connect()
        connection.sock.sendall(_UPGRADE.format(port=self.port, more=more).encode())
        found = connection.sock.recv(64)
        connection.close()
        return bool(found.startswith(b"HTTP/1.1 101"))

    def worked(self, seconds: float) -> list[float]:
        waits, until = list[float](), time.monotonic() + seconds
        while time.monotonic() < until:
            for path in ("/api/staff/pit", "/api/staff/me"):
                start = time.monotonic()
                status, found = self.asked("GET", path)
                waits.append(time.monotonic() - start)
                assert status == 200, found
            start = time.monotonic()
            assert self.watches(), "a screen of the staff was turned away"
            waits.append(time.monotonic() - start)
            time.sleep(0.5)
        return waits


def measured(crowds: Crowds, console: Console) -> tuple[float, float]:
    """99 of 100 answers within, of terminals and of the staff's pages; every wager is answered."""

    async def both() -> tuple[list[Any], list[float]]:
        betting = asyncio.to_thread(crowds.all, "bet_paced", RATE, SECONDS)
        working = asyncio.to_thread(console.worked, SECONDS)
        return tuple(await asyncio.gather(betting, working))  # type: ignore[return-value]

    told, pages = asyncio.run(both())
    waits = sorted(wait for part in told for wait in part)
    [(_, refused, lost)] = crowds.all("counted")
    assert len(waits) == int(RATE * SECONDS), f"{len(waits)} of {RATE * SECONDS:.0f} answered"
    assert not refused, f"{refused} wagers refused"
    assert not lost, f"{lost} terminals were cut off"
    return waits[len(waits) * 99 // 100], max(pages)


QUIET = "quiet, beside a busy loop"
RUNS = (
    (QUIET, _be_busy, STRANGERS),
    ("besieged from eight addresses", _besiege, STRANGERS),
    ("besieged from the terminals' address", _besiege, ["127.0.0.1"]),
)


def main() -> None:
    more_files()
    password = "benchmark password"
    with floor(1, TERMINALS, Clock(), password=password) as (served, tokens):
        os.sched_setaffinity(0, OTHER_CORE)
        served.pin(SERVER_CORE)
        with Crowds(1, served.port, 1, BETS) as crowds:
            crowds.connect(tokens)
            console = Console(served, password)
            waits = defaultdict[str, list[float]](list)
            for _, (name, work, sources) in itertools.product(range(TIMES), RUNS):
                with beside(work, served.port, sources):
                    late, page = measured(crowds, console)
                waits[name].append(late)
                row(f"{name}: 99 of 100 wagers within, ms", f"{1000 * late:.0f}")
                row("   the slowest page of the staff, ms", f"{1000 * page:.0f}")
    quiet = median(waits[QUIET])
    for name, *_ in RUNS[1:]:
        row(f"{name}, to quiet", f"{median(waits[name]) / quiet:.2f}", "at most 2")


if __name__ == "__main__":
    main()
