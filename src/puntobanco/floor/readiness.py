"""Whether this node should be sent terminals: the self-test passed, the store answers, the journal
is followed.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

from puntobanco.events import Record
from puntobanco.floor.service import Floor, is_followed
from puntobanco.names import FLOOR
from puntobanco.rules.refusals import Refusal
from puntobanco.storage.errors import first_line
from puntobanco.storage.selftest import SelfTest
from puntobanco.version import __version__

KEPT_S = 1.0
"""One look serves all who ask within this time: asking costs the database nothing more."""

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


@dataclass
class Readiness:
    floor: Floor
    selftest: SelfTest = field(default_factory=SelfTest)
    _seen: tuple[float, str, str] = (0.0, "", "")
    _lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def look(self) -> Ready:
        async with self._lock:
            if time.monotonic() - self._seen[0] >= KEPT_S:
                store, following = await self._look()
                self._seen = time.monotonic(), store, following
        _, store, following = self._seen
        stopping = self.floor.is_draining or self.floor.is_stopping
        return Ready(
            ready=not stopping and self.selftest.outcome != "failed" and store == following == "ok",
            stopping=stopping,
            selftest=self.selftest.outcome,
            checks={check.name: check.outcome for check in self.selftest.checks},
            store=store,
            following=following,
            version=__version__,
        )

    async def _look(self) -> tuple[str, str]:
        try:
            standing = await asyncio.wait_for(asyncio.to_thread(self.floor.store.standing), STORE_S)
        except TimeoutError:
            return f"no answer within {STORE_S:g} s", "unknown"
        except (Refusal, OSError, RuntimeError) as error:
            return f"cannot be read: {first_line(error)}", "unknown"
        except Exception as error:  # each database has errors of its own
            return f"cannot be read: {type(error).__name__}", "unknown"
        until = time.monotonic() + FOLLOW_S
        followed = {name: seq for name, seq in standing.items() if is_followed(name)}
        while behind := [name for name, seq in followed.items() if self._is_behind(name, seq)]:
            if time.monotonic() >= until:
                return "ok", f"{behind[0]} is behind the journal"
            await asyncio.sleep(0.02)
        return "ok", "ok"

    def _is_behind(self, name: str, seq: int) -> bool:
        """A blocked table is not: no node can follow it, and the others' terminals are to be
        served.
        """
        if name == FLOOR:
            return self.floor.house.seq < seq
        stream = self.floor.streams.get(name)
        return name not in self.floor.blocked and (stream is None or stream.state.seq < seq)
