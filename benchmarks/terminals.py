"""Crowds of light terminals for measuring: the wire by hand, thousands in a process, several
processes.
"""

import asyncio
import itertools
import resource
import time
from collections import deque
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

import msgspec

from puntobanco_floor.service.terminals import wire

AT_ONCE = 50
"""Connections that one process opens at the same time."""

CONNECT_S, ANSWER_S = 120.0, 60.0
_SETTLED, _MINE, _OWN_LINES = b'"event":"RoundSettled"', b'{"t":"mine"', b'"lines":[['
_EVENTS, _ANSWERED, _OPENED = b'{"t":"events"', b'{"t":"answered"', b'"event":"BetsOpened"'


class Terminal(asyncio.Protocol):
    """One connection. It masks with zeros: allowed, and nothing to compute."""

    __slots__ = ("_buffer", "_is_up", "_request", "crowd", "moves", "round", "sent", "transport")
    transport: asyncio.Transport

    def __init__(self, crowd: "Crowd", token: str) -> None:
        self.crowd, self._buffer, self._is_up, self.round = crowd, b"", False, 0
        self.sent, self.moves = deque[float](), itertools.cycle(crowd.moves)
        self._request = (
            f"GET /ws/{crowd.table} HTTP/1.1\r\nHost: 127.0.0.1:{crowd.port}\r\nUpgrade: "
            "websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
            "MDEyMzQ1Njc4OWFiY2RlZg==\r\n"
            f"Authorization: Bearer {token}\r\n\r\n"
        ).encode()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        transport.write(self._request)

    def connection_lost(self, _: Exception | None) -> None:
        self.crowd.lost += 1

    def data_received(self, data: bytes) -> None:
        data = self._buffer + data if self._buffer else data
        if not self._is_up:
            head, found, data = data.partition(b"\r\n\r\n")
            if not found:
                self._buffer = head
                return
            assert head.startswith(b"HTTP/1.1 101"), head
            self._is_up = True
        at, end = 0, len(data)
        while end - at >= 2:
            size, start = data[at + 1], at + 2
            if size == 126:
                size, start = int.from_bytes(data[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, start = int.from_bytes(data[at + 2 : at + 10], "big"), at + 10
            if start + size > end:
                break
            opcode, at = data[at] & 15, start + size
            if opcode == 1:
                self.crowd.heard(self, data[start:at])
            elif opcode == 9:
                self.transport.write(b"\x8a" + bytes([0x80 | size, 0, 0, 0, 0]) + data[start:at])
        self._buffer = data[at:]

    def send(self, message: bytes, since: float) -> None:
        self.sent.append(since)
        size = len(message)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        self.transport.write(head + b"\0\0\0\0" + message)

    def bet(self, since: float) -> None:
        self.send(wire.write(next(self.moves)(next(self.crowd.ids), self.round)), since)


class Crowd:
    """The terminals of one process, and what they have heard."""

    def __init__(self, port: int, table: int, number: int, bets: list[str]) -> None:
        self.port, self.table = port, table
        self.ids = (f"{number}-{n}" for n in itertools.count())
        self.moves = _moves(bets)
        self.terminals = list[Terminal]()
        self.welcomed = self.lost = self.ok = self.refused = 0
        self.waits = list[float]()
        self.settled = dict[int, list[float]]()  # at -> how many have heard, the last when
        self.own = dict[int, list[float]]()  # the same, for the terminal's own lines
        self.goes_on = self.bets_each_round = False
        self._rounds = dict[bytes, int]()
        self._at = 0

    def heard(self, terminal: Terminal, message: bytes) -> None:
        if message.startswith(_ANSWERED):
            now = time.monotonic()
            self.waits.append(now - terminal.sent.popleft())
            if b'"ok":true' in message:
                self.ok += 1
            else:
                self.refused += 1
            if self.goes_on:
                terminal.bet(now)
        elif message.startswith(_EVENTS):
            if _SETTLED in message:
                self._at = _number(message, b'"at":')
                _count(self.settled, self._at)
            if _OPENED in message:
                terminal.round = self._rounds.get(message) or self._opened(message)
                if self.bets_each_round:
                    terminal.send(
                        wire.write(self.moves[0](next(self.ids), terminal.round)), time.monotonic()
                    )
        elif message.startswith(_MINE):
            if _OWN_LINES in message:
                _count(self.own, self._at)
        elif not terminal.round:  # the whole view
            terminal.round = msgspec.json.decode(message)["table"]["round"]
            self.welcomed += 1

    def _opened(self, message: bytes) -> int:
        """The round that a message opens; all terminals get the same bytes, and one decodes
        them.
        """
        events = msgspec.json.decode(message)["events"]
        self._rounds = {
            message: next(event["round"] for event in events if event["event"] == "BetsOpened")
        }
        return self._rounds[message]

    # What the measuring process asks for

    async def connect(self, tokens: list[str]) -> None:
        loop, gate = asyncio.get_running_loop(), asyncio.Semaphore(AT_ONCE)
        due = self.welcomed + len(tokens)

        async def one(token: str) -> None:
            async with gate:
                made = await loop.create_connection(
                    lambda: Terminal(self, token), "127.0.0.1", self.port
                )
                self.terminals.append(made[1])

        async with asyncio.timeout(CONNECT_S):
            await asyncio.gather(*map(one, tokens))
            while self.welcomed < due:
                await asyncio.sleep(0.01)

    async def bet_on(self, seconds: float) -> tuple[int, int]:
        """As fast as answers come: how many were taken and refused inside the time."""
        self.ok = self.refused = 0
        self.goes_on = True
        for terminal in self.terminals:
            terminal.bet(time.monotonic())
        await asyncio.sleep(seconds)
        found = self.ok, self.refused
        self.goes_on = False
        await self._answered()
        return found

    async def bet_paced(self, rate: float, seconds: float) -> list[float]:
        """So many a second, whatever becomes of them; how long each answer took, from when its
        wager was due.
        """
        self.waits.clear()
        start, turn = time.monotonic(), itertools.cycle(self.terminals)
        for n in range(int(rate * seconds)):
            due = start + n / rate
            while (wait := due - time.monotonic()) > 0:
                await asyncio.sleep(wait)
            next(turn).bet(due)
            if not n % 32:
                await asyncio.sleep(0)  # behind the schedule: hear the answers all the same
        await self._answered()
        return self.waits

    async def bet_each_round(self) -> None:
        self.bets_each_round = True

    async def _answered(self) -> None:
        async with asyncio.timeout(ANSWER_S):
            while any(terminal.sent for terminal in self.terminals):
                await asyncio.sleep(0.01)

    async def told(self) -> tuple[dict[int, list[float]], dict[int, list[float]], int]:
        return self.settled, self.own, self.lost

    async def counted(self) -> tuple[int, int, int]:
        return self.ok, self.refused, self.lost


def _moves(bets: list[str]) -> list[Callable[[str, int], wire.Message]]:
    """Place on every bet, raise each, withdraw each: then the next time round they can be placed
    again.
    """
    moves = list[Callable[[str, int], wire.Message]]()
    moves += [
        lambda i, n, b=bet: wire.Place(id=i, round=n, bet=b, stake_cents=1_000)  # type: ignore[misc]
        for bet in bets
    ]
    moves += [lambda i, n, b=bet: wire.Raise(id=i, round=n, bet=b, by_cents=1_000) for bet in bets]  # type: ignore[misc]
    moves += [lambda i, n, b=bet: wire.Withdraw(id=i, round=n, bet=b) for bet in bets]  # type: ignore[misc]
    return moves


def _number(message: bytes, after: bytes) -> int:
    start = message.index(after) + len(after)
    end = start
    while message[end : end + 1].isdigit():
        end += 1
    return int(message[start:end])


def _count(heard: dict[int, list[float]], at: int) -> None:
    found = heard.setdefault(at, [0, 0.0])
    found[0] += 1
    found[1] = time.time()


def more_files() -> None:
    """As many open files as this process may have."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _serve_crowd(pipe: Connection, given: tuple[Any, ...]) -> None:
    more_files()

    async def work() -> None:
        crowd = Crowd(*given)
        while True:
            try:
                what, *rest = await asyncio.to_thread(pipe.recv)
            except EOFError:
                return
            pipe.send(await getattr(crowd, what)(*rest))

    asyncio.run(work())


class Crowds:
    """Crowds in processes of their own; they end with this object."""

    def __init__(self, processes: int, port: int, table: int, bets: list[str]) -> None:
        context = get_context("spawn")
        self._pipes, self._processes = list[Connection](), list[Any]()
        for number in range(processes):
            ours, theirs = context.Pipe()
            process = context.Process(
                target=_serve_crowd, args=(theirs, (port, table, number, bets)), daemon=True
            )
            process.start()
            theirs.close()
            self._pipes.append(ours)
            self._processes.append(process)

    def connect(self, tokens: list[str]) -> None:
        n = len(self._pipes)
        self.each("connect", *((tokens[i::n],) for i in range(n)))

    def all(self, what: str, *given: Any) -> list[Any]:
        return self.each(what, *(given for _ in self._pipes))

    def each(self, what: str, *given: tuple[Any, ...]) -> list[Any]:
        """Ask every crowd, then wait for them all."""
        for pipe, own in zip(self._pipes, given, strict=True):
            pipe.send((what, *own))
        return [pipe.recv() for pipe in self._pipes]

    def __enter__(self) -> "Crowds":
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            pipe.close()
        for process in self._processes:
            process.join(10)
            if process.is_alive():
                process.kill()
                process.join()
