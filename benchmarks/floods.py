"""Floods of ordinary requests (denial of service): one address asks what it can, over and over, on
24 connections that stay open, while terminals play and the staff work. All of it on loopback,
bounded in count and time: python -m benchmarks.floods [--times N] [NAME ...].

The server has one core, everybody else the other, as in `benchmarks.siege`. A flood comes and goes:
two seconds of it, two of quiet, so that both meet the same machine, and the ratio is between them.
Two runs are there to compare with: a busy loop, which takes as much of the second core as it gets;
and the control, where the client floods a server that only answers: what a flood does beyond that,
the floor does.
"""

import argparse
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
from functools import partial
from multiprocessing import Process, get_context
from multiprocessing.synchronize import Event
from statistics import median
from typing import Any

from benchmarks.floor import BETS, floor
from benchmarks.siege import OTHER_CORE, SERVER_CORE, Console
from benchmarks.terminals import Crowds, more_files
from benchmarks.timing import lasting, sized
from puntobanco_floor.domain.events import Clock
from tests.support.ports import free_port

CONNECTIONS = 24
GUESTS = 12
ROUNDS = 20
SLICE_S = lasting(2.0)
TERMINALS, RATE = sized(500, least=GUESTS), 250.0
SLICES = sized(6)
SECONDS = SLICES * SLICE_S
TIMES = sized(3)
STRANGER, STRANGERS = ["127.0.0.2"], [f"127.0.0.{n}" for n in range(2, 10)]
CONSOLE, KNOWN = "127.0.0.2", "127.0.0.100"
"""The staff's pages are asked for from the flood's own address, and one of the staff logs in from
an address where somebody has logged in before.
"""

PASSWORD = "benchmark password"
LOGINS_EVERY_S = lasting(3.0)


def get(path: str, *, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{more}\r\n".encode()


def post(path: str, body: object, *, more: str = "") -> bytes:
    data = json.dumps(body)
    head = f"Host: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(data)}\r\n"
    return f"POST {path} HTTP/1.1\r\n{head}{more}\r\n{data}".encode()


def requests_of(tokens: Sequence[str]) -> dict[str, list[bytes]]:
    """What each flood asks, in turn."""
    guests = [f"Authorization: Bearer {token}\r\n" for token in tokens[:GUESTS]]
    large = {"name": ["x" * 1_000] * 60, "password": ""}
    wrong = [{"name": name, "password": "no password"} for name in ("root", "nobody")]
    table = "/api/tables/1"
    return {
        "odds lab": [get("/api/odds/games")],
        "log tiles": [get("/log/tile/0/000"), get("/log/checkpoint")],
        "tables, rules, openapi": [
            get("/api/tables"),
            get(f"{table}/rules"),
            get("/api/openapi.json"),
        ],
        "60 kB of JSON to a login": [post("/api/staff/login", large)],
        "recalls and receipts by 12 guests": [
            request
            for more in guests
            for request in (
                get(f"{table}/last-round", more=more),
                get(f"{table}/rounds", more=more),
                post(f"{table}/receipts", {"kind": "session"}, more=more),
                post(f"{table}/receipts", {"kind": "round", "number": ROUNDS}, more=more),
            )
        ],
        "wrong passwords": [post("/api/staff/login", body) for body in wrong],
        "commands looked up by 12 guests": [get(f"{table}/commands/x", more=m) for m in guests],
        "files": [get("/tables/1"), get("/screens/base/dom.js")],
    }


class Flooder(asyncio.Protocol):
    """A connection that asks again as soon as it is answered; of an answer it looks at the status
    and the length alone.
    """

    def __init__(
        self, requests: Iterator[bytes], answers: Counter[str], paused: "list[Flooder]"
    ) -> None:
        self._requests, self._answers, self._paused = requests, answers, paused
        self._head, self._left = b"", 0
        self.lost = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self._paused.append(self)

    def ask(self) -> None:
        self.transport.write(next(self._requests))

    def data_received(self, data: bytes) -> None:
        if not self._left:
            head, found, body = (self._head + data).partition(b"\r\n\r\n")
            if not found:
                self._head = head
                return
            self._head = b""
            self._answers[head[9:12].decode()] += 1
            at = head.lower().find(b"content-length: ")
            length = int(head[at + 16 :].split(b"\r", 1)[0]) if at >= 0 else 0
            self._left = length - len(body)
        else:
            self._left -= len(data)
        if not self._left:
            self._paused.append(self)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._answers["cut off"] += 1
        self.lost.set_result(None)


async def flood(
    port: int, sources: Sequence[str], requests: Sequence[bytes], on: Event, over: Event
) -> Counter[str]:
    answers, turn, paused = Counter[str](), itertools.cycle(requests), list[Flooder]()
    loop = asyncio.get_running_loop()

    async def asked_on(source: str) -> None:
        while True:
            with contextlib.suppress(OSError):
                _, made = await loop.create_connection(
                    lambda: Flooder(turn, answers, paused),
                    "127.0.0.1",
                    port,
                    local_addr=(source, 0),
                )
                await made.lost

    sources = [sources[n % len(sources)] for n in range(CONNECTIONS)]
    tasks = [asyncio.ensure_future(asked_on(source)) for source in sources]
    while not over.is_set():
        is_on = on.is_set()
        for one in paused if is_on else ():
            if not one.transport.is_closing():
                one.ask()
        if is_on:
            paused.clear()
        await asyncio.sleep(0.001 if is_on else 0.02)
    for task in tasks:
        task.cancel()
    return answers


def _flood(
    requests: Sequence[bytes], sources: Sequence[str], port: int, on: Event, over: Event, told: Any
) -> None:
    began, worked = time.monotonic(), time.process_time()
    answers = asyncio.run(flood(port, sources, requests, on, over))
    took = time.monotonic() - began
    told.put((dict(answers), (time.process_time() - worked) / took, took))


def _be_busy(_port: int, on: Event, over: Event, told: Any) -> None:
    while not over.is_set():
        if on.wait(0.05):
            sum(range(10_000))
    told.put(({}, 1.0, 1.0))


class Answering(asyncio.Protocol):
    """A server that only answers."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        del data
        answer = b"HTTP/1.1 429 Too Many Requests\r\ncontent-length: 100\r\n\r\n" + b" " * 100
        self._transport.write(answer)  # type: ignore[attr-defined]


def _only_answer(port: int) -> None:
    async def serve() -> None:
        loop = asyncio.get_running_loop()
        server = await loop.create_server(Answering, "127.0.0.1", port)
        await server.serve_forever()

    asyncio.run(serve())


def _control(port: int, on: Event, over: Event, told: Any) -> None:
    """A server of its own, on the same core as the client."""
    del port
    own = free_port()
    process = Process(target=_only_answer, args=(own,), daemon=True)
    process.start()
    time.sleep(0.5)
    _flood([get("/")], STRANGER, own, on, over, told)
    process.terminate()
    process.join()


@contextmanager
def beside(work: Callable[..., None], port: int) -> Iterator[Event]:
    """The event is set while the flood is to come."""
    context = get_context("fork")
    on, over, told = context.Event(), context.Event(), context.Queue()
    process = context.Process(target=work, args=(port, on, over, told))
    process.start()
    try:
        yield on
    finally:
        over.set()
        answers, share, took = told.get(timeout=30)
        process.join(10)
        said = ", ".join(f"{n:,} x {status}" for status, n in sorted(answers.items()))
        if said:
            print(f"   answered: {said}, in {took:.1f} s; the client had {share:.0%} of a core")


def log_in(port: int, source: str) -> float:
    """Seconds until a member of the staff is in; refused for now, they come again as told."""
    began = time.monotonic()
    while True:
        connection = http.client.HTTPConnection(
            "127.0.0.1", port, timeout=30, source_address=(source, 0)
        )
        body = json.dumps({"name": "root", "password": PASSWORD})
        connection.request("POST", "/api/staff/login", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        connection.close()
        if answer.status == 200:
            return time.monotonic() - began
        assert answer.status == 429, answer.status
        time.sleep(int(answer.headers["Retry-After"]))


def logged_in(port: int, source: str, seconds: float) -> list[float]:
    found, until = list[float](), time.monotonic() + seconds
    while time.monotonic() < until:
        found.append(log_in(port, source))
        time.sleep(LOGINS_EVERY_S)
    return found


class Measured:
    """What one run found, in ms."""

    def __init__(
        self, quiet: list[float], waits: list[float], pages: list[float], logins: list[float]
    ) -> None:
        self.quiet, self.quiet_late = _middle_and_late(quiet)
        self.middle, self.late = _middle_and_late(waits)
        self.ratio = self.late / self.quiet_late
        self.page = 1000 * max(pages)
        self.login = 1000 * max(logins)


def _middle_and_late(waits: list[float]) -> tuple[float, float]:
    waits = sorted(waits)
    return 1000 * median(waits), 1000 * waits[len(waits) * 99 // 100]


def measured(crowds: Crowds, console: Console, on: Event) -> Measured:
    def slices() -> tuple[list[float], list[float]]:
        """Wagers in quiet and under the flood, in turn."""
        found = list[float](), list[float]()
        for n in range(2 * SLICES):
            (on.set if n % 2 else on.clear)()
            for part in crowds.all("bet_paced", RATE, SLICE_S):
                found[n % 2].extend(part)
        on.clear()
        return found

    async def together() -> Any:
        return await asyncio.gather(
            asyncio.to_thread(slices),
            asyncio.to_thread(console.worked, 2 * SECONDS),
            asyncio.to_thread(logged_in, console.port, KNOWN, 2 * SECONDS),
        )

    (quiet, waits), pages, logins = asyncio.run(together())
    [(_, refused, lost)] = crowds.all("counted")
    assert len(waits) == int(RATE * SECONDS), f"{len(waits)} of {RATE * SECONDS:.0f} answered"
    assert not refused, f"{refused} wagers refused"
    assert not lost, f"{lost} terminals were cut off"
    return Measured(quiet, waits, pages, logins)


LOOP, CONTROL = "a busy loop", "control: the client alone"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("names", nargs="*")
    asked.add_argument("--times", type=int, default=TIMES)
    given = asked.parse_args()
    more_files()
    with floor(1, TERMINALS, Clock(), password=PASSWORD, rounds=ROUNDS) as (served, tokens):
        os.sched_setaffinity(0, OTHER_CORE)
        served.pin(SERVER_CORE)
        runs: dict[str, Callable[..., None]] = {LOOP: _be_busy, CONTROL: _control}
        for name, requests in requests_of(tokens).items():
            runs[name] = partial(_flood, requests, STRANGER)
        wrong = requests_of(tokens)["wrong passwords"]
        runs["wrong passwords from eight addresses"] = partial(_flood, wrong, STRANGERS)
        names = given.names or list(runs)
        with Crowds(1, served.port, 1, BETS) as crowds:
            crowds.connect(tokens)
            console = Console(served, PASSWORD, CONSOLE)
            log_in(served.port, KNOWN)
            found = defaultdict[str, list[Measured]](list)
            for _, name in itertools.product(range(given.times), names):
                print(name, flush=True)
                with beside(runs[name], served.port) as on:
                    one = measured(crowds, console, on)
                found[name].append(one)
                print(
                    f"   wagers {one.middle:.0f} / {one.late:.0f} ms, quiet {one.quiet:.0f} / "
                    f"{one.quiet_late:.0f}, slowest page {one.page:.0f}, login {one.login:.0f}",
                    flush=True,
                )
    print(
        f"\nmedians, in ms: wagers in quiet, and under a flood, half and 99 % within\n{'':<38}",
        end="",
    )
    print(*(f"{what:>10}" for what in FIGURES), sep="")
    for name in names:
        figures = (median(getattr(one, what) for one in found[name]) for what in FIGURES)
        print(f"{name:<38}", *(f"{figure:>10.1f}" for figure in figures), sep="")


FIGURES = ("quiet", "quiet_late", "middle", "late", "ratio", "page", "login")


if __name__ == "__main__":
    main()
