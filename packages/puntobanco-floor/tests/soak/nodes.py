"""A node of the simulated floor: the real store, its writer turned by hand, on a clock and a disk that can go wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from puntobanco.base.refusal import Refusal
from puntobanco_floor.domain.machine import State
from puntobanco_floor.store.batch import Answer, Request, Stream
from puntobanco_floor.store.table_clock import TableTime
from tests.storage.turned import TurnedStore

if TYPE_CHECKING:
    from tests.soak.world import World

POLL_MS = 1_000
"""Every node looks so often for what other nodes have written."""

BEFORE_COMMIT = ("begin", "answers", "entries", "money", "head", "commit")
AFTER_COMMIT = ("committed", "heads", "answer")
HOLDING_THE_LOCK = frozenset(BEFORE_COMMIT[1:])
SIMULATED = "disk I/O error of the simulator"


class Died(BaseException):
    """The process is gone at this point; nothing after it happens."""


class Plan(NamedTuple):
    """What goes wrong the next time a node passes a point of a write."""

    what: str  # die, fail, stall
    point: str
    ms: int = 0


Tell = Callable[[Request, Answer | Refusal], None]


class SteppedStore(TurnedStore):
    """`step` is one turn of the writer."""

    def __init__(
        self,
        path: Path,
        *,
        keys: Path,
        heads: Path,
        time: TableTime,
        point: Callable[[str], object],
        tell: Tell,
    ) -> None:
        super().__init__(path, keys=keys, heads=heads, time=time, point=point)
        self._db.execute("PRAGMA synchronous = OFF")  # processes die here, machines do not
        self._db.execute(
            "PRAGMA busy_timeout = 0"
        )  # a lock is held for simulated time: no real second passes
        self.tell = tell
        self.taken = list[Request]()
        self._seen, self._shown = dict[str, int](), dict[str, int]()

    def put(self, request: Request) -> None:
        future = Future[Answer]()
        future.add_done_callback(lambda done: self.tell(request, _reply(done)))
        self._put(request, future)

    @property
    def is_asked(self) -> bool:
        return bool(self._waiting)

    def step(self) -> None:
        """What the writer does when it wakes."""
        self.taken = [request for request, _ in self._waiting]
        self._batch()

    def look(self) -> None:
        """What other nodes wrote: when each stream is due now. PostgreSQL's nodes have a poller for this."""
        for stream, seq, due_at in self._db.execute("SELECT stream, seq, due_at FROM streams"):
            if self._seen.get(stream) == seq:
                continue
            self._seen[stream] = seq
            if due_at is None:
                self._due.pop(stream, None)
            else:
                self._due[stream] = due_at

    def pause_ms(self) -> int | None:
        """How long the writer would sleep."""
        seconds = self._pause()
        return None if seconds is None else round(seconds * 1000)

    def held(self) -> list[Stream[State]]:
        """The streams in memory that have moved since the last time."""
        moved = [
            stream
            for name, stream in self._streams.items()
            if self._shown.get(name) != stream.state.seq
        ]
        self._shown |= {stream.name: stream.state.seq for stream in moved}
        return moved

    def close(self) -> None:
        while self._waiting:
            self.step()
        self.drop()

    def drop(self) -> None:
        """Gone without a word: what is not committed never was."""
        self._waiting.clear()
        super().close()


def _reply(done: Future[Answer]) -> Answer | Refusal:
    error = done.exception()
    if error is None:
        return done.result()
    assert isinstance(error, Refusal), error
    return error


class Node:
    """A process that can die, freeze and stall, and its queue with it."""

    def __init__(self, world: World, number: int) -> None:
        self.world, self.number = world, number
        self.store: SteppedStore | None = None
        # how often it was started: what an earlier life left in the heap means nothing
        self.life = 0
        self.frozen_until = 0
        self.is_stalled = False
        self.is_turning = False
        self.is_doomed = False  # killed while it was stalled
        self.plans = list[Plan]()
        self._turn_at: int | None = None
        self._looked_at = (0, 0)

    @property
    def is_able(self) -> bool:
        return (
            self.store is not None and not self.is_stalled and self.frozen_until <= self.world.now
        )

    def start(self) -> None:
        world = self.world
        if self.store is not None:
            return
        self.life += 1
        self.store = world.store(
            world.path,
            keys=world.keys,
            heads=world.heads_of(self.number),
            time=world.table_time(),
            point=self._point,
            tell=self.tell,
        )
        self._turn_at, self.frozen_until, self.is_doomed = None, 0, False
        world.ability_changed()
        self._poll(self.life)

    def die(self) -> None:
        if self.store is None:
            return
        if self.is_turning:
            self.is_doomed = True
            return
        self.store.drop()
        self.store = None
        self.plans.clear()
        self.world.died(self)

    def freeze(self, ms: int) -> None:
        self.frozen_until = self.world.now + ms
        self.world.ability_changed()
        self.world.after(ms, self._thaw, self.life)

    def _thaw(self, life: int) -> None:
        if life == self.life and self.store is not None and self.frozen_until <= self.world.now:
            self.world.ability_changed()
            self._poll(life, once=True)

    def close(self) -> None:
        if self.store is not None:
            self.store.close()
            self.store = None

    # The network

    def receive(self, request: Request) -> None:
        """A command arrives; nobody is there when the node is down."""
        if self.store is not None:
            self.store.put(request)
            self._call(self.world.now + self.world.chance.randint(1, 6))

    def tell(self, request: Request, reply: Answer | Refusal) -> None:
        self.world.send(self.world.clients[request.command.by].hear, request, reply)

    # The writer

    def _call(self, at: int) -> None:
        """A turn at this time, unless one comes earlier anyway."""
        if self._turn_at is None or at < self._turn_at:
            self._turn_at = at
            self.world.at(at, self._turn, at, self.life)

    def _poll(self, life: int, *, once: bool = False) -> None:
        if life != self.life or self.store is None:
            return
        if not self.is_turning and self.frozen_until <= self.world.now and self._look(self.store):
            self._call_for_clock()
        if not once:
            self.world.after(POLL_MS, self._poll, life)

    def _look(self, store: SteppedStore) -> bool:
        """Whether there was anything new to see; where nobody has committed, the rows are the same."""
        if self._looked_at == (self.life, self.world.commits):
            return False
        self._looked_at = (self.life, self.world.commits)
        store.look()
        return True

    def _call_for_clock(self) -> None:
        assert self.store is not None
        world = self.world
        if self.store.is_asked:
            self._call(world.now + 1)
        elif (pause := self.store.pause_ms()) is not None:
            self._call(world.now + max(1, pause) + world.chance.randint(0, 9))

    def _turn(self, at: int, life: int) -> None:
        if life != self.life or at != self._turn_at:
            return
        self._turn_at = None
        if self.store is None or self.is_turning:
            return
        if self.frozen_until > self.world.now:
            self._call(self.frozen_until + 1)
            return
        if not self.store.is_asked:
            self._look(self.store)
        if self.store.has_work:
            self._step(self.store)
        if self.store is not None:
            self._call_for_clock()

    def _step(self, store: SteppedStore) -> None:
        self.is_turning = True
        try:
            store.step()
        except Died:
            self.is_doomed = True
        finally:
            self.is_turning = False
        if self.is_doomed:
            self.die()
        self.world.referee.look(self.store)

    def _point(self, name: str) -> None:
        """The disk and the scheduler have their say at every step of a write."""
        for plan in self.plans:
            if plan.point == name:
                self.plans.remove(plan)
                self._suffer(plan)
                return

    def _suffer(self, plan: Plan) -> None:
        world = self.world
        world.injected(f"node {self.number}: {plan.what} at {plan.point}")
        if plan.what == "die":
            raise Died
        if plan.what == "fail":
            world.disk_failed()
            raise sqlite3.OperationalError(SIMULATED)
        world.referee.look()
        self.is_stalled = True
        world.holder = self if plan.point in HOLDING_THE_LOCK else world.holder
        world.ability_changed()
        try:
            world.run_until(world.now + plan.ms)  # the others go on meanwhile
        finally:
            self.is_stalled = False
            world.holder = None if world.holder is self else world.holder
            world.ability_changed()
        if self.is_doomed:
            raise Died
