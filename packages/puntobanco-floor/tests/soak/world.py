"""A floor under one seed: nodes on one database, a network, a clock, and everybody who asks something of a table.

Time is a heap of things to do. Nothing here waits, sleeps or reads a clock, so that a seed is a whole story:
the same seed gives the same journal, to the last byte.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, fields
from heapq import heappop, heappush
from itertools import count
from pathlib import Path
from typing import Any

from puntobanco.rules.games import GAMES
from puntobanco_floor.domain.machine import State
from puntobanco_floor.store.batch import Stream
from puntobanco_floor.store.table_clock import FOLLOWED_MS, TableTime
from puntobanco_proof.entry.format import hash_bytes
from tests.soak.actors import Dealer, Staff, TableKind, Terminal, kinds
from tests.soak.clients import Client
from tests.soak.nodes import AFTER_COMMIT, BEFORE_COMMIT, Node, Plan, SteppedStore
from tests.soak.referee import LATE_MS, Book, Broken, Referee
from tests.soak.staging import DATABASE, KEYS, staged

START_MS = 1_700_000_000_000
WORLD_HOURS = 10.0
"""Table-hours of one world, unless fewer are asked for."""

TERMINALS_PER_TABLE = 2
WIND_UP_MS = 300_000
"""When faults stop, everything is answered within this time."""

HOUR_MS = 3_600_000


class Violation(AssertionError):
    """An invariant does not hold; the message says where, and how to see it again."""


@dataclass
class Tally:
    """What a world, or many, came to."""

    table_hours: float = 0
    worlds: int = 0
    rounds: int = 0
    commands: int = 0
    entries: int = 0
    messages: int = 0
    faults: int = 0
    deaths: int = 0
    cents_lost: int = 0

    def add(self, other: Tally) -> None:
        for field in fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))

    def __str__(self) -> str:
        return (
            f"{self.table_hours:,.1f} table-hours in {self.worlds:,} worlds: {self.rounds:,} rounds, "
            f"{self.commands:,} commands, {self.messages:,} messages, {self.faults:,} faults injected, "
            f"{self.deaths:,} node deaths, cents lost {self.cents_lost:,}"
        )


class World:
    """`run` plays it to the end, or raises a `Violation`."""

    def __init__(
        self,
        seed: int,
        *,
        table_hours: float = WORLD_HOURS,
        store: type[SteppedStore] = SteppedStore,
    ) -> None:
        self.seed, self.table_hours, self.store = seed, table_hours, store
        self.chance = random.Random(f"{seed} world")
        self.now = START_MS
        self._wall_ahead = 0
        self._set_forward = 0  # in all, by so much the wall clock was set forward
        self._time: TableTime | None = None
        self._time_since = START_MS
        self._heap = list[tuple[int, int, Callable[..., object], tuple[Any, ...]]]()
        self._order = count()
        self.tally = Tally(worlds=1, table_hours=table_hours)
        self.fingerprint = ""  # of every entry of every stream, once it is over
        self.story = deque[str](maxlen=12)
        self.complaints = list[str]()  # what the store logged and should not have
        self.is_ending = False  # no more faults, no more business
        self.holder: Node | None = None  # who stalls with the database's lock
        self.commits = 0
        self._able_since: int | None = START_MS
        # What kind of a day it is.
        self.fault_ms = self.chance.choice((20_000, 60_000, 180_000))
        self.drop = self._usual_drop = self.chance.choice((0.0, 0.01, 0.05))
        self.double = self.chance.choice((0.0, 0.02))
        self.slow_ms = self.chance.choice((5, 15, 40))
        self.sets_clock = seed % 4 == 3

    # Time

    def wall(self) -> float:
        return (
            self.now + self._wall_ahead + 0.5
        ) / 1000  # half a millisecond: a float of seconds cuts off

    def steady(self) -> float:
        return (self.now + 0.5) / 1000

    def table_time(self) -> TableTime:
        """One for all nodes, as the clock of their database is; it goes with the last of them."""
        if self._time is None or all(node.store is None for node in self.nodes):
            self._time, self._time_since = TableTime(wall=self.wall, steady=self.steady), self.now
        return self._time

    def at(self, at: int, do: Callable[..., object], *args: Any) -> None:
        heappush(self._heap, (max(at, self.now), next(self._order), do, args))

    def after(self, ms: int, do: Callable[..., object], *args: Any) -> None:
        heappush(self._heap, (self.now + ms, next(self._order), do, args))

    def run_until(self, end: int) -> None:
        heap = self._heap
        while heap and heap[0][0] <= end:
            at, _, do, args = heappop(heap)
            self.now = max(at, self.now)
            do(*args)
        self.now = max(end, self.now)

    def noted(self, what: str) -> None:
        self.story.append(f"{(self.now - START_MS) / 1000:.3f} s: {what}")

    def injected(self, fault: str) -> None:
        self.tally.faults += 1
        self.noted(fault)

    # The network

    def send(self, deliver: Callable[..., object], *args: Any) -> None:
        """Some messages are lost, some come twice, and they overtake each other."""
        chance = self.chance
        luck = 1.0 if self.is_ending else chance.random()
        self.tally.messages += 1
        if luck < self.drop:
            return
        for _ in range(2 if luck < self.drop + self.double else 1):
            slow = 50 if chance.random() < 0.01 else 1
            self.after(1 + int(chance.expovariate(1 / self.slow_ms)) * slow, deliver, *args)

    def reach(self, *args: Any) -> None:
        """A request, to any node."""
        self.send(self.chance.choice(self.nodes).receive, *args)

    # Nodes and what happens to them

    def heads_of(self, node: int) -> Path:
        return self.folder / f"heads-{node}"

    def died(self, node: Node) -> None:
        self.tally.deaths += 1
        self.noted(f"node {node.number} died")
        self.ability_changed()
        self.after(self.chance.choice((300, 2_000, 10_000, 60_000)), node.start)

    def ability_changed(self) -> None:
        """Closes are on time while some node is up: since when one is, without a break."""
        able = self.holder is None and any(node.is_able for node in self.nodes)
        if not able:
            self._able_since = None
        elif self._able_since is None:
            self._able_since = self.now

    def disk_failed(self) -> None:
        """The store tries again after a second."""
        self._able_since = self.now if self._able_since is not None else None

    def overdue(self, book: Book) -> int:
        """By how many milliseconds a table's bets are open too long, while somebody could have closed them."""
        round_ = book.state.round
        if round_ is None or round_.deadline is None or self._able_since is None:
            return 0
        since = max(self._able_since, book.betting_since)
        if not self.sets_clock:
            return self.now - max(round_.deadline, since)
        # Where the wall clock is set, table time is not the simulator's. It stands still while nobody is up; from the
        # first node's start on it runs, so that at most the betting time is still to come.
        return self.now - max(since, self._time_since) - (round_.deadline - book.opened_at)

    def _fault(self) -> None:
        if self.is_ending:
            return
        chance = self.chance
        node = chance.choice(self.nodes)
        match chance.choice(
            (
                "die",
                "die at",
                "freeze",
                "stall",
                "stall",
                "fail",
                "fail",
                "network",
                "keys",
                "clock",
            )
        ):
            case "die" if node.store is not None:
                self.injected(f"node {node.number} is killed")
                node.die()
            case "die at":
                node.plans.append(Plan("die", chance.choice(BEFORE_COMMIT + AFTER_COMMIT)))
            case "freeze":
                self.injected(f"node {node.number} freezes")
                node.freeze(chance.choice((200, 1_500, 5_000, 30_000)))
            case "stall":
                point = chance.choice(("begin", "begin", "commit", "committed", "heads", "answer"))
                node.plans.append(Plan("stall", point, chance.choice((50, 800, 4_000))))
            case "fail":
                node.plans += [
                    Plan("fail", chance.choice((*BEFORE_COMMIT, "heads")))
                ] * chance.choice((1, 1, 3))
            case "network":
                self.drop = chance.choice((0.3, 0.8))
                self.injected(f"the network drops {self.drop:.0%}")
                self.after(chance.choice((500, 3_000)), self._mend_network)
            case "keys" if self.holder is None and node.store is not None:
                self.injected("the keys are rotated")
                node.store.rotate_keys()
            case "clock" if self.sets_clock:
                self.injected("the wall clock is set")
                step = chance.choice((-5_000, -90_000, 4_000, 25_000))
                # a floor stops its tables when clocks go further ahead than it follows
                if self._set_forward + max(step, 0) < FOLLOWED_MS:
                    self._set_forward += max(step, 0)
                    self._wall_ahead += step
        self.after(1 + int(chance.expovariate(1 / self.fault_ms)), self._fault)

    def _mend_network(self) -> None:
        self.drop = self._usual_drop

    # Everybody

    def _populate(self) -> None:
        games = list(GAMES)
        self.chance.shuffle(games)
        self.kinds = {f"table:{n}": kind for n, kind in enumerate(kinds(self, games), 1)}
        self.clients = dict[str, Client]()
        self.staff = [Staff(self, name) for name in ("amy", "bob")]
        self.dealers = [
            Dealer(self, f"dealer-{s[-1]}", s)
            for s, kind in self.kinds.items()
            if not kind.is_virtual
        ]
        self.pool = list[str]()  # vouchers that lie about: whoever is first
        self.terminals = [
            Terminal(self, f"t{n}", is_forgetful=n % 5 == 0)
            for n in range(1, 1 + TERMINALS_PER_TABLE * len(games))
        ]
        for who in (*self.staff, *self.dealers, *self.terminals):
            self.clients[who.name] = who

    def kind_of(self, stream: str) -> TableKind:
        return self.kinds[stream]

    def changed(self, book: Book) -> None:
        self.commits += 1
        if book.stream in self.kinds:
            for who in self.staff:
                who.notice(book)

    def view(self, stream: str) -> Book:
        """A table as the screens show it: what is committed, right now."""
        return self.referee.books.get(stream) or Book(stream)

    # A life

    def run(self) -> Tally:
        with staged(random.Random(f"{self.seed} cards"), self.complaints) as folder:
            self.folder, self.path, self.keys = folder, folder / DATABASE, folder / KEYS
            self.nodes = list[Node]()
            self.referee = Referee(self)
            try:
                self._live()
            except Broken as broken:
                raise Violation(self._report(str(broken))) from broken
            finally:
                for node in self.nodes:
                    if node.store is not None:
                        node.store.drop()
                self.referee.close()
        return self.tally

    def _live(self) -> None:
        self._populate()
        self.nodes += [Node(self, n) for n in range(self.chance.choice((1, 2, 3, 3)))]
        for node in self.nodes:
            node.start()
        for who in (*self.staff, *self.dealers, *self.terminals):
            who.begin()
        self.after(1_000, self._watch)
        self.after(self.fault_ms, self._fault)
        self.run_until(START_MS + int(self.table_hours * HOUR_MS / len(self.kinds)))
        self._wind_up()
        self.tally.rounds = sum(book.settled for book in self.referee.books.values())
        self.tally.entries = sum(book.state.seq for book in self.referee.books.values())
        self.tally.commands = len(self.referee.answers)
        heads = sorted((book.stream, book.head) for book in self.referee.books.values())
        self.fingerprint = hash_bytes(repr(heads).encode())

    def _watch(self) -> None:
        self.referee.watch()
        self.after(1_000, self._watch)

    def _wind_up(self) -> None:
        """Faults stop, everybody comes back, all that is unanswered is sent again; then everything is compared."""
        self.is_ending = True
        for node in self.nodes:
            node.plans.clear()
            node.start()
        everybody = list(self.clients.values())
        for who in everybody:
            who.come_back()
        until = self.now + WIND_UP_MS
        while any(who.waiting for who in everybody):
            if self.now > until:
                left = [str(p.request) for who in everybody for p in who.waiting.values()]
                raise Broken(f"unanswered: {left[0]}")
            self.run_until(self.now + 1_000)
        self.run_until(self.now + LATE_MS)
        self.tally.cents_lost = self.referee.verify_all(
            [self.heads_of(node.number) for node in self.nodes]
        )
        for node in self.nodes:
            node.close()

    def loaded(self, stream: str) -> Stream[State]:
        """As a node reads it anew."""
        return next(node.store for node in self.nodes if node.store is not None).stream(stream)

    def _report(self, what: str) -> str:
        story = "\n  ".join(self.story)
        return (
            f"seed {self.seed}, after {(self.now - START_MS) / 1000:.3f} simulated seconds: {what}\n  {story}\n"
            f"to see it again: python -m tests.soak --seed {self.seed} --hours {self.table_hours:g}"
        )
