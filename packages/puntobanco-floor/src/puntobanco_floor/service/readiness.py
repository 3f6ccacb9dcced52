"""Readiness: whether a load balancer should send this node terminals. The self-test passed, the
store answers, the last write was stored, the journal is followed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco_floor.domain.stream_names import FLOOR, is_table
from puntobanco_floor.integrity.self_test import SelfTest
from puntobanco_floor.service.follower import Follower, is_followed
from puntobanco_floor.service.terminals.connections import Shutdown
from puntobanco_floor.store.errors import first_line
from puntobanco_floor.store.nodes import ReadyNodes
from puntobanco_floor.store.store import Store
from puntobanco_floor.transparency.keeper import LogKeeper
from puntobanco_proof.entry.record import Record

KEPT_S = 1.0
"""A cache: one look serves all who ask within this time, and costs the database nothing more."""

STORE_S, FOLLOW_S = 3.0, 2.0
"""How long the store may take to answer; how long a node may take to follow what it read there."""


class Ready(Record):
    """Details for people; `ready` decides."""

    ready: bool
    stopping: bool
    selftest: str
    checks: dict[str, str]
    store: str
    following: str
    version: str
    log: str = "ok"


@dataclass
class Readiness:
    store: Store
    follower: Follower
    shutdown: Shutdown
    selftest: SelfTest = field(default_factory=SelfTest)
    log: LogKeeper | None = None
    nodes: ReadyNodes = field(default_factory=lambda: ReadyNodes(""))
    # streams that are blocked here, and where each ended when that was first seen
    _blocked_at: dict[str, int] = field(default_factory=dict)
    _seen: tuple[float, str, str] = (0.0, "", "")
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self) -> Ready:
        # never from the cache: a node that drains is not ready at once
        stopping = self.shutdown.is_draining
        tested = self.selftest.outcome
        log = (self.log.fault if self.log else "") or "ok"
        may_serve = not stopping and tested != "failed" and log == "ok"
        async with self._lock:  # who asks meanwhile waits for the same look
            if time.monotonic() - self._seen[0] >= KEPT_S:
                store, following = await self._look(may_serve=may_serve)
                self._seen = time.monotonic(), store, following
            _, store, following = self._seen
        return Ready(
            ready=may_serve and store == following == "ok",
            stopping=stopping,
            selftest=tested,
            checks={check.name: check.outcome for check in self.selftest.checks},
            store=store,
            following=following,
            version=__version__,
            log=log,
        )

    async def _look(self, *, may_serve: bool) -> tuple[str, str]:
        """How store and copies stand; other nodes are told whether this one is ready."""
        store, following, written = await self._look_at_store()
        if not (may_serve and store == following == "ok"):
            await self._ask_nodes(self.nodes.leave)
        elif not await self._ask_nodes(partial(self.nodes.is_needed, would_leave=bool(written))):
            following = f"{written[0]} is blocked here, and other nodes write it"
            following += f"; run puntobanco audit --table {written[0]}"
        return store, following

    async def _ask_nodes(self, ask: Callable[[], object]) -> object:
        """Ask the table of ready nodes; True where it gives no answer in time."""
        try:
            return await asyncio.wait_for(asyncio.to_thread(ask), STORE_S)
        except TimeoutError:  # its thread may wait on: another one next time
            self.nodes = ReadyNodes(self.nodes.url)
            return True

    async def _look_at_store(self) -> tuple[str, str, list[str]]:
        """How the store stands, how far it is followed, and which streams only others write."""
        try:
            standing = await asyncio.wait_for(asyncio.to_thread(self.store.standing), STORE_S)
        except TimeoutError:
            return f"no answer within {STORE_S:g} s", "unknown", []
        except (Refusal, OSError, RuntimeError) as error:
            return f"cannot be read: {first_line(error)}", "unknown", []
        except Exception as error:  # each database has errors of its own
            return f"cannot be read: {type(error).__name__}", "unknown", []
        written = self._written_elsewhere(standing)
        following = await self._following(standing)
        failing = self.store.failing
        return f"cannot be written: {failing}" if failing else "ok", following, written

    def _is_blocked(self, name: str) -> bool:
        return name in self.store.blocked or name in self.follower.blocked

    def _written_elsewhere(self, standing: dict[str, int]) -> list[str]:
        """List the streams that grow while they are blocked here: other nodes write them."""
        blocked = {name: seq for name, seq in standing.items() if self._is_blocked(name)}
        before = self._blocked_at
        self._blocked_at = {name: before.get(name, seq) for name, seq in blocked.items()}
        return [name for name, seq in blocked.items() if seq > self._blocked_at[name]]

    async def _following(self, standing: dict[str, int]) -> str:
        until = time.monotonic() + FOLLOW_S
        blocked = self.store.blocked
        if FLOOR in blocked:
            return f"{blocked[FLOOR]}; run puntobanco journal set-aside {FLOOR}"
        tables = [name for name in standing if is_table(name)]
        if tables and all(map(self._is_blocked, tables)):
            return f"every table is blocked: {blocked.get(tables[0], 'it cannot be followed')}"
        # a table that is blocked everywhere stands still; the others are served
        behind = [name for name in standing if is_followed(name) and name not in blocked]
        while True:
            behind = [name for name in behind if self.follower.is_behind(name, standing[name])]
            if not behind:
                return "ok"
            if time.monotonic() >= until:
                return f"{behind[0]} is behind the journal"
            await asyncio.sleep(0.02)
