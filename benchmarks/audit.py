"""CPU and wall time of an audit, by the length of the journal and the number of processes.

python -m benchmarks.audit [ENTRIES ...]
"""

import os
import resource
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from benchmarks.timing import sized
from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.limits import default_limits
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore

SIZES = tuple(sized(n) for n in (40_000, 160_000, 640_000))[: sized(3)]
TABLES, PATRONS = 4, sized(64, 4)
GAME, CREDITS = "rapid", 10_000_000
RANKS, SUITS = "92T4", "shdc"


class Player:
    """A table with patrons who each place one wager a round; a shoe ends after 20 rounds."""

    def __init__(self, store: SqliteStore, stream: str) -> None:
        self.store, self.stream, self.asked, self.round = store, stream, 0, 0
        limits = replace(default_limits(GAMES[GAME]), hand_pay_cents=0, large_buy_in_cents=0)
        self.ask(c.OpenTable(by="pit", game=GAME, limits=limits))
        names = [f"p{n}" for n in range(PATRONS)]
        self.ask(*(c.SeatSession(by=name, session=name) for name in names))
        self.ask(*(c.BuyIn(by="cage", session=name, cents=CREDITS) for name in names))
        self.names = names

    def ask(self, *commands: c.Command) -> None:
        waiting = list[object]()
        for command in commands:
            self.asked += 1
            request = Request(stream=self.stream, id=str(self.asked), command=command)
            waiting.append(self.store.submit(request))
        for future in waiting:
            answer = future.result()  # type: ignore[attr-defined]
            assert answer.ok, answer

    def play(self) -> None:
        if self.round % 20 == 0:
            if self.round:
                self.ask(c.EndShoe(by="pit"))
            self.ask(c.NewShoe(by="pit", dealing="physical"))
        self.round += 1
        self.ask(c.OpenBets(by="d"))
        wager = c.PlaceWager(by="", round=self.round, session="", bet="player", stake_cents=1_000)
        self.ask(*(replace(wager, by=name, session=name) for name in self.names))
        suit = SUITS[self.round % len(SUITS)]  # a shoe has eight of each card
        self.ask(c.CloseBets(by="d"), *(c.EnterCard(by="d", card=rank + suit) for rank in RANKS))
        self.ask(c.Settle(by="d"))


def build(path: Path, entries: int) -> None:
    with SqliteStore(path, clock=False) as store:
        store._db.execute("PRAGMA synchronous = OFF")
        store.log.open()
        players = [Player(store, f"table:{n}") for n in range(1, TABLES + 1)]
        while sum(store.standing().values()) < entries:
            for player in players:
                for _ in range(10):
                    player.play()
        while store.log.grow().waiting:
            pass
        store.log.sign()


def measure(path: Path, jobs: int) -> tuple[float, float]:
    """CPU and wall seconds."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    words = ["-m", "puntobanco", "audit", "--database", str(path), "--jobs", str(jobs)]
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu, time.monotonic() - began


def main(sizes: list[int]) -> None:
    print(f"{TABLES} tables, {os.cpu_count()} processors, SQLite")
    print("entries     jobs   CPU s   wall s   CPU us an entry")
    with TemporaryDirectory() as folder:
        for size in sizes:
            path = Path(folder) / f"{size}.db"
            build(path, size)
            with SqliteStore(path, clock=False) as store:
                entries = sum(store.standing().values())
            for jobs in (1, 2):
                cpu, wall = measure(path, jobs)
                each_us = cpu / entries * 1e6
                print(f"{entries:>9,}  {jobs:>4}  {cpu:>6.1f}  {wall:>7.1f}  {each_us:>8.0f}")
            with suppress(FileNotFoundError):
                path.unlink()


if __name__ == "__main__":
    main([int(size) for size in sys.argv[1:]] or list(SIZES))
