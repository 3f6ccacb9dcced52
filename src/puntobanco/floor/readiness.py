"""Readiness: whether a load balancer should send this node terminals. The self-test passed, the
store answers, the last write was stored, the journal is followed.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from puntobanco.events import Record
from puntobanco.floor.follower import Follower, is_followed
from puntobanco.floor.log.keeper import LogKeeper
from puntobanco.floor.terminals.shutdown import Shutdown
from puntobanco.names import FLOOR
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.errors import first_line
from puntobanco.storage.selftest import SelfTest
from puntobanco.storage.store import Store
from puntobanco.version import __version__

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
    _seen: tuple[float, str, str] = (0.0, "", "")
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self) -> Ready:
        async with self._lock:  # who asks meanwhile waits for the same look
            if time.monotonic() - self._seen[0] >= KEPT_S:
                store, following = await self._look()
                self._seen = time.monotonic(), store, following
        _, store, following = self._seen
        # never from the cache: a node that drains is not ready at once
        stopping = self.shutdown.is_draining
        tested = self.selftest.outcome
        log = (self.log.fault if self.log else "") or "ok"
        return Ready(
            ready=not stopping and tested != "failed" and store == following == log == "ok",
            stopping=stopping,
            selftest=tested,
            checks={check.name: check.outcome for check in self.selftest.checks},
            store=store,
            following=following,
            version=__version__,
            log=log,
        )

    async def _look(self) -> tuple[str, str]:
        try:
            standing = await asyncio.wait_for(asyncio.to_thread(self.store.standing), STORE_S)
        except TimeoutError:
            return f"no answer within {STORE_S:g} s", "unknown"
        except (Refusal, OSError, RuntimeError) as error:
            return f"cannot be read: {first_line(error)}", "unknown"
        except Exception as error:  # each database has errors of its own
            return f"cannot be read: {type(error).__name__}", "unknown"
        if self.store.failing:
            return f"cannot be written: {self.store.failing}", await self._following(standing)
        return "ok", await self._following(standing)

    async def _following(self, standing: dict[str, int]) -> str:
        until = time.monotonic() + FOLLOW_S
        blocked = self.store.blocked
        if FLOOR in blocked:
            return f"{blocked[FLOOR]}; run puntobanco journal set-aside {FLOOR}"
        # a table that is blocked stands still everywhere; the others are served
        behind = [name for name in standing if is_followed(name) and name not in blocked]
        while True:
            behind = [name for name in behind if self.follower.is_behind(name, standing[name])]
            if not behind:
                return "ok"
            if time.monotonic() >= until:
                return f"{behind[0]} is behind the journal"
            await asyncio.sleep(0.02)
