"""Self-check: a running node compares program and settings with those that were accepted."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from puntobanco.base.refusal import Refusal
from puntobanco.base.version import __version__
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.gaming_day import DAY_MS
from puntobanco_floor.domain.house.program_faults import coded, fault_words
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.environment import NowMs
from puntobanco_floor.integrity import release
from puntobanco_floor.integrity.release import Program
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.batch import Answer
from puntobanco_floor.store.engines import shown

EVERY_MS = DAY_MS
LOOK_S = 60.0
"""How often the clock is looked at: it may be set while the node runs."""

SAME_PLACE_S = 3_600.0
MAX_PLACES = 1_000
"""Of errors that are in the journal: one of a place each hour, and so many places."""

STOP_S = 2.0
"""How long a node that stops tries to say so; without it the next start calls the stop unclean."""

AskHouse = Callable[[Command], Awaitable[Answer]]

_log = logging.getLogger("puntobanco.self_check")


def configuration_digest(settings: Settings, file: Path | None) -> str:
    """Hash the settings without passwords, and their file, which may have changed since."""
    said = {**asdict(settings), "database": shown(settings.database), "file": ""}
    if file is not None:
        with suppress(OSError):  # not there any more: that is another digest, too
            said["file"] = hashlib.sha256(file.read_bytes()).hexdigest()
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


def checked(found: Program, house: HouseState) -> str:
    """Return the fault that a house finds in a program, as a code with its file, or nothing."""
    if found.code:
        return found.code
    is_other = bool(found.digest and house.programs) and found.digest not in house.programs
    return coded("not-accepted", found.digest[:16]) if is_other else ""


def command_of(
    found: Program, house: HouseState, *, node: str, configuration: str, started: bool = False
) -> h.CheckProgram:
    return h.CheckProgram(
        by=FLOOR,
        node=node,
        version=__version__,
        program=found.digest,
        configuration=configuration,
        files=found.files,
        fault=checked(found, house)[:200],
        started=started,
    )


@dataclass
class SelfCheck:
    """Checks one node. After a failed check tables play on: a round is owed its end."""

    node: str
    house: Callable[[], HouseState]
    ask_house: AskHouse
    now_ms: NowMs
    settings: Settings
    config: Path | None = None  # the file that the settings came from
    look: Callable[[str, str], Program] = release.program
    look_s: float = LOOK_S
    _last_ms: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _handler: logging.Handler | None = None

    async def start(self) -> None:
        await self.check(started=True)
        self._do(self._every_day())
        loop = asyncio.get_running_loop()
        self._handler = _Errors(lambda place, what: self._noted_from(loop, place, what))
        logging.getLogger("puntobanco").addHandler(self._handler)

    async def stop(self) -> None:
        """Nothing here may keep a node from stopping."""
        if self._handler:
            logging.getLogger("puntobanco").removeHandler(self._handler)
        for task in self._tasks:
            task.cancel()
        with suppress(Refusal, OSError, RuntimeError, TimeoutError):
            command = h.StopNode(by=FLOOR, node=self.node)
            await asyncio.wait_for(self._asked(command), STOP_S)

    async def check(self, *, started: bool = False) -> str:
        """What is wrong, or nothing."""
        self._last_ms = self.now_ms()
        signed = self.settings.release_list, self.settings.release_key
        found = await asyncio.to_thread(self.look, *signed)
        command = command_of(
            found,
            self.house(),
            node=self.node,
            configuration=configuration_digest(self.settings, self.config),
            started=started,
        )
        before = self.house().nodes.get(self.node)
        if before is not None and before.configuration != command.configuration:
            _log.warning("settings are not those of the last check of this node")
        if command.fault:
            _log.error(
                "program check failed: %s; stop the node, and compare it from outside with "
                "checkfiles.py",
                fault_words(command.fault).en,
            )
        await self._asked(command)
        return command.fault

    async def _asked(self, command: Command) -> None:
        try:
            await self.ask_house(command)
        except Refusal as refusal:  # the house's stream is blocked
            _log.warning("program check not written: %s", refusal.reason)

    async def _every_day(self) -> None:
        while True:
            await asyncio.sleep(self.look_s)
            # either way: a clock that was set back must not put the next check off
            if abs(self.now_ms() - self._last_ms) < EVERY_MS:
                continue
            try:
                await self.check()
            except Exception:  # a file that cannot be read must not end all later checks
                _log.exception("program check failed: it is tried again in 24 hours")

    def _do(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _noted_from(self, loop: asyncio.AbstractEventLoop, place: str, what: str) -> None:
        """From whatever thread has logged it."""
        command = h.NoteFault(by=FLOOR, node=self.node, place=place, what=what)
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(lambda: self._do(self._asked(command)))


class _Errors(logging.Handler):
    """Notes errors by their place in the source: the sentences of a log may hold a secret."""

    def __init__(self, note: Callable[[str, str], None]) -> None:
        super().__init__(logging.ERROR)
        self._note = note
        self._told = dict[str, float]()

    def emit(self, record: logging.LogRecord) -> None:
        if record.name == _log.name:
            return  # a failed check is in the journal by itself
        place = f"{record.module}:{record.lineno}"
        now = time.monotonic()
        is_known = now - self._told.get(place, -SAME_PLACE_S) < SAME_PLACE_S
        if is_known or len(self._told) >= MAX_PLACES:
            return
        self._told[place] = now
        what = "error"
        if record.exc_info and record.exc_info[0]:
            what = record.exc_info[0].__name__
        self._note(place, what)
