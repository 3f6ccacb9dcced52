"""One measurement of the code on the import path: python measures.py NAME.

`benchmarks.compare` runs it against two commits, so it uses only what both have: their own
benchmarks, and the public functions.
"""

import asyncio
import gc
import http.client
import itertools
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks import timing
from benchmarks.timing import best

# an older commit knows one size
sized: Callable[..., int] = getattr(timing, "sized", lambda usual, _=1: usual)
lasting: Callable[..., float] = getattr(timing, "lasting", lambda usual, _=1: usual)

SETTLE_REPEATS = 30
CLIENTS, SQLITE_WAGERS, POSTGRES_CLIENTS = 64, sized(10_000, 50), 64
TABLES, WAGERS_EACH = sized(32, 2), sized(250, 50)
WIRE_TERMINALS, WIRE_S = sized(300, 10), lasting(4.0)
LISTENERS, SETTLEMENTS = sized(2_000, 20), sized(3)
HTTP_CLIENTS, HTTP_S, STARTS = 4, lasting(4.0), sized(5)
SHOES, SIM_TRIES = sized(60_000), sized(3)


def settle() -> float:
    """Rounds a second: deal and settle with a wager on every bet of all five games."""
    from benchmarks.rules import _needed  # noqa: PLC0415
    from puntobanco import GAMES, Round, Wager, settle  # noqa: PLC0415

    seconds = 0.0
    for game in GAMES.values():
        rng = random.Random(1)
        cards = [card for card in game.deck.cards for _ in range(8)]
        deals = [_needed(game.id, rng.sample(cards, 6)) for _ in range(64)]
        wagers = [Wager("ann", bet.id, 1_000) for bet in game.bets]
        start = Round.start(game, 8)

        def dealt(game=game, start=start, deals=deals, wagers=wagers) -> None:  # type: ignore[no-untyped-def]
            for deal in deals:
                settle(game, start.deal_all(deal), wagers)

        seconds += best(dealt, SETTLE_REPEATS) / len(deals)
    return len(GAMES) / seconds


def _sqlite_s() -> tuple[float, float]:
    """Seconds for so many durable wagers on SQLite: by the clock, and of the processor."""
    from benchmarks.live import GAME, opened, place  # noqa: PLC0415
    from puntobanco_floor.domain.commands import Command  # noqa: PLC0415

    bets = [bet.id for bet in GAME.bets[:5]]
    sessions = SQLITE_WAGERS // len(bets)
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = opened(folder, sessions)
        wagers = list[Command](place(1, f"s{i}", bet) for bet in bets for i in range(sessions))
        began = time.process_time()
        took = table.all(wagers)
        worked = time.process_time() - began
        table.store.close()
    return took, worked


def sqlite() -> float:
    """Durable wagers a second on SQLite."""
    took, _ = _sqlite_s()
    return SQLITE_WAGERS / took


def sqlite_cpu() -> float:
    """The same for a second of the processor: what a machine that others use can still tell."""
    _, worked = _sqlite_s()
    return SQLITE_WAGERS / worked


def postgres() -> float:
    """Durable wagers a second on PostgreSQL, at the server that `compare` started."""
    from benchmarks import postgres as own  # noqa: PLC0415
    from puntobanco_floor.store.postgres import PostgresStore  # noqa: PLC0415
    from puntobanco_floor.store.schema_upgrade import migrate  # noqa: PLC0415
    from tests.storage.servers import database, server  # noqa: PLC0415

    with server() as address, database(address) as url, tempfile.TemporaryDirectory() as name:
        migrate(url)
        folder, ids = Path(name), map(str, itertools.count())
        with PostgresStore(url, keys=folder / "keys", heads=folder / "heads") as store:
            own.opened(store, "table:1", ids)
            work = own.clients(store, "table:1", own.wagers(), POSTGRES_CLIENTS, ids)
            took = asyncio.run(work)
    return own.WAGERS / took


def tables() -> float:
    """Durable wagers a second on PostgreSQL, each of many tables with a writer of its own."""
    from benchmarks import postgres as own  # noqa: PLC0415
    from puntobanco_floor.store.postgres import PostgresStore  # noqa: PLC0415
    from puntobanco_floor.store.schema_upgrade import migrate  # noqa: PLC0415
    from tests.storage.servers import database, server  # noqa: PLC0415

    own.WAGERS = WAGERS_EACH
    names = [f"table:{n}" for n in range(1, TABLES + 1)]
    with server() as address, database(address) as url, tempfile.TemporaryDirectory() as name:
        migrate(url)
        folder, ids = Path(name), map(str, itertools.count())
        with PostgresStore(
            url, keys=folder / "keys", heads=folder / "heads", connections=TABLES
        ) as store:
            for stream in names:
                own.opened(store, stream, ids)

            async def all_of_them() -> None:
                work = [own.clients(store, stream, own.wagers(), 1, ids) for stream in names]
                await asyncio.gather(*work)

            start = time.perf_counter()
            asyncio.run(all_of_them())
            took = time.perf_counter() - start
    return TABLES * WAGERS_EACH / took


def lines() -> float:
    """Lines a second: a round with so many wagers, settled in one transaction."""
    from benchmarks import live as own  # noqa: PLC0415
    from puntobanco_floor.domain.table import commands as c  # noqa: PLC0415

    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = own.opened(folder, own.MANY)
        table.all([own.place(1, f"s{i}", "banker") for i in range(own.MANY)])
        table.do(c.CloseBets(by="dealer"))
        while not table.state.current.play.is_complete:
            table.do(c.DealCard(by="dealer"))
        start = time.perf_counter()
        table.do(c.Settle(by="dealer"))
        took = time.perf_counter() - start
        table.store.close()
    return float(own.MANY / took)


def replay() -> float:
    """Entries a second: a stream read from its first entry, every check made."""
    from benchmarks import live as own  # noqa: PLC0415

    bets = [bet.id for bet in own.GAME.bets[:5]]
    sessions = SQLITE_WAGERS // len(bets)
    with tempfile.TemporaryDirectory(dir=".", prefix="bench-") as folder:
        table = own.opened(folder, sessions)
        table.all([own.place(1, f"s{i}", bet) for bet in bets for i in range(sessions)])
        entries = table.state.seq
        took = best(lambda: table.store.stream(own.TABLE))
        table.store.close()
    return entries / took


def wire() -> float:
    """Wagers a second through the WebSocket of a served floor."""
    from benchmarks import floor as own  # noqa: PLC0415
    from benchmarks.terminals import Crowds  # noqa: PLC0415
    from puntobanco_floor.domain.events import Clock  # noqa: PLC0415

    with (
        own.floor(1, WIRE_TERMINALS, Clock()) as (served, tokens),
        Crowds(1, served.port, 1, own.BETS) as crowds,
    ):
        crowds.connect(tokens)
        answers = crowds.all("bet_on", WIRE_S)
    assert not sum(refused for _, refused in answers), answers
    return float(sum(ok for ok, _ in answers) / WIRE_S)


@contextmanager
def _demonstration() -> Iterator[int]:
    """Serve a demonstration by the command line, with no bound on requests; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    bounds = {"PUNTOBANCO_REQUESTS_RATE": "100000", "PUNTOBANCO_REQUESTS_BURST": "1000000"}
    with tempfile.TemporaryDirectory() as folder:
        words = ["serve", "--demo", "--port", str(port), "--database", f"{folder}/floor.db"]
        serving = subprocess.Popen(
            [sys.executable, "-m", "puntobanco", *words],
            env=os.environ | bounds,
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            while not _is_answered(port):
                assert serving.poll() is None, "the demonstration has ended"
                time.sleep(0.005)
            yield port
        finally:
            serving.terminate()
            serving.wait()


def _is_answered(port: int) -> bool:
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        asked.request("GET", "/healthz")
        return asked.getresponse().status == http.client.OK
    except OSError:
        return False
    finally:
        asked.close()


def _ask(port: int, until: float, counts: list[int]) -> None:
    """Read a table, all tables and the lobby's page, over and over, on one connection."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    count = 0
    while time.perf_counter() < until:
        for path in ("/api/tables/1", "/api/tables", "/"):
            asked.request("GET", path)
            answer = asked.getresponse()
            answer.read()
            assert answer.status == http.client.OK, path
            count += 1
    asked.close()
    counts.append(count)


def requests() -> float:
    """HTTP requests a second at a demonstration."""
    counts = list[int]()
    with _demonstration() as port:
        until = time.perf_counter() + HTTP_S
        asking = [
            threading.Thread(target=_ask, args=(port, until, counts)) for _ in range(HTTP_CLIENTS)
        ]
        for each in asking:
            each.start()
        for each in asking:
            each.join()
    return sum(counts) / HTTP_S


def server_starts() -> float:
    """Starts of a demonstration a minute, each until it answers."""
    seconds = list[float]()
    for _ in range(STARTS + 1):
        began = time.perf_counter()
        with _demonstration():
            seconds.append(time.perf_counter() - began)
    return 60 * STARTS / sum(seconds[1:])  # the first one writes byte code


def command_starts() -> float:
    """Starts of a command of the library a minute."""
    command = [sys.executable, "-m", "puntobanco", "games"]

    def start() -> None:
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)

    start()
    began = time.perf_counter()
    for _ in range(STARTS):
        start()
    return 60 * STARTS / (time.perf_counter() - began)


def fan_out() -> float:
    """Terminals a second that hear of a settlement: all of them, by the time the last one has."""
    from benchmarks import floor as own  # noqa: PLC0415
    from benchmarks.terminals import Crowds  # noqa: PLC0415
    from puntobanco_floor.domain.events import Clock  # noqa: PLC0415

    own.MANY = LISTENERS  # all of these must have heard before a settlement counts
    clock = Clock(
        betting_ms=800, guard_ms=50, card_ms=50, pause_ms=800, automatic=True, new_shoes=True
    )
    with (
        own.floor(1, LISTENERS, clock) as (served, tokens),
        Crowds(1, served.port, 1, own.BETS) as crowds,
    ):
        crowds.connect(tokens)
        seconds = own._heard(crowds, SETTLEMENTS, own=False)
    return LISTENERS / own._middle(seconds)


def simulation() -> float:
    """Rounds a second on one core, every line counted."""
    from puntobanco import GAMES  # noqa: PLC0415
    from puntobanco.sim.run import job_for, play  # noqa: PLC0415

    seconds, rounds = 0.0, 0
    for game_id in ("fortune-six", "six-star"):
        job = job_for(GAMES[game_id], 8, 7)
        play(job, 0, 10)  # compiles
        runs = []
        for _ in range(SIM_TRIES):
            start = time.perf_counter()
            tally = play(job, 0, SHOES)
            runs.append(time.perf_counter() - start)
        seconds += min(runs)
        rounds += tally.rounds
    return rounds / seconds


def odds() -> float:
    """Par sheets a second: exact weights and fractions of every bet, for a shoe with cards seen."""
    from benchmarks.odds import SEEN, sheet  # noqa: PLC0415
    from puntobanco import GAMES  # noqa: PLC0415
    from puntobanco.rules.cards import parse_cards  # noqa: PLC0415

    seconds = 0.0
    for game_id, seen in SEEN.items():
        game = GAMES[game_id]
        shoe = game.shoe(8).without(parse_cards(seen, game.deck))
        seconds += best(sheet(game, shoe), 10)
    return len(SEEN) / seconds


def log() -> float:
    """What is left of SQLite's wagers beside the keeper of the log; 1 where there is none."""
    try:
        from benchmarks import log as own  # noqa: PLC0415
    except ImportError:
        return 1.0
    part, _ = own.ratio(own.sqlite)
    return part


MEASURES: dict[str, tuple[Callable[[], float], str]] = {
    "settle": (settle, "rounds settled a second"),
    "sqlite": (sqlite, "wagers a second, SQLite"),
    "sqlite-cpu": (sqlite_cpu, "the same, a second of processor"),
    "postgres": (postgres, "wagers a second, PostgreSQL"),
    "tables": (tables, f"the same, {TABLES} tables and writers"),
    "lines": (lines, "lines settled a second"),
    "replay": (replay, "entries replayed a second"),
    "wire": (wire, "wagers a second over the wire"),
    "http": (requests, "HTTP requests a second"),
    "start": (server_starts, "starts of a server a minute"),
    "command": (command_starts, "starts of a command a minute"),
    "fan-out": (fan_out, "terminals told a second"),
    "simulation": (simulation, "rounds simulated a second"),
    "odds": (odds, "par sheets a second"),
    "log": (log, "wagers beside the log's keeper, of those without"),
}


def main(name: str) -> None:
    gc.set_threshold(2_000, 10, 5_000)  # as the server sets it
    measure, _ = MEASURES[name]
    figure = measure()
    import puntobanco  # noqa: PLC0415

    package = puntobanco.__file__
    print(json.dumps({"figure": figure, "package": package, "cwd": os.fspath(Path.cwd())}))


if __name__ == "__main__":
    main(sys.argv[1])
