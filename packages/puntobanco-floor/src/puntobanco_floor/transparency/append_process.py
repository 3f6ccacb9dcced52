"""Append to the transparency log in a separate process when many entries wait.

No wager shares an interpreter with this work. `python -m
puntobanco_floor.transparency.append_process` reads from standard input which log to append to, so
that no password appears in a process list, and ends when its standard input is closed.
"""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from select import select

import msgspec

from puntobanco.base.refusal import Refusal
from puntobanco_floor.journal.key_files import PASSPHRASE_ENV
from puntobanco_floor.journal.key_ring import REPLACED_MS, KeyRing
from puntobanco_floor.journal.signing import Trust
from puntobanco_floor.store.errors import LogFault, NotStored
from puntobanco_floor.store.log_tables import MOST, Growth, TransparencyLog
from puntobanco_floor.transparency.publication import Publication
from puntobanco_proof.entry.record import Record

PORTIONS = 4
"""At a time, under one checkpoint."""

IDLE_S = 0.5
"""So long it works only where nothing else is to be done; then like any other process."""

FEW_COLLECTIONS = 100_000
"""A portion is many thousand tuples and no cycle: collecting them often is waste."""

STOP_S = 5.0
_RUNS_IDLE = hasattr(os, "SCHED_IDLE")


class Which(Record):
    """The first line that it is told."""

    url: str
    keys: str
    folder: str  # of the publication
    passphrase: str


class Grown(Record):
    """What it answers to each line after that."""

    growth: Growth | None = None
    note: str = ""  # the checkpoint that is published
    refused: str = ""
    is_fault: bool = False  # of the log itself


class GrowingProcess:
    """Started when it is first needed, and again when it has died."""

    def __init__(self, log: TransparencyLog, keys: Path, publication: Publication) -> None:
        self._log, self._keys, self._publication = log, keys, publication
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def grow(self) -> tuple[Growth, str]:
        """Several portions, and the checkpoint that is published; raises where it cannot."""
        try:
            return self._asked(self._started())
        except (OSError, msgspec.MsgspecError) as error:
            self.close()
            raise NotStored(f"the process that grows the log failed: {error}") from None

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            words = [sys.executable, "-m", __name__]
            self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            _run_idle(self._process.pid, is_idle=True)  # it has much to load
            ring = self._log.ring
            which = Which(
                url=self._log.url,
                keys=str(self._keys),
                folder=str(self._publication.folder),
                passphrase=ring.passphrase,
            )
            self._tell(self._process, msgspec.json.encode(which))
        return self._process

    def _asked(self, process: subprocess.Popen[bytes]) -> tuple[Growth, str]:
        self._tell(process, b"grow")
        assert process.stdout is not None
        if _RUNS_IDLE and not select([process.stdout], [], [], IDLE_S)[0]:
            _run_idle(process.pid, is_idle=False)  # it may have had no time at all
        answer = msgspec.json.decode(process.stdout.readline(), type=Grown)
        if answer.is_fault:
            raise LogFault(answer.refused)
        if answer.growth is None:
            raise NotStored(f"the log was not grown: {answer.refused}")
        return answer.growth, answer.note

    def _tell(self, process: subprocess.Popen[bytes], line: bytes) -> None:
        assert process.stdin is not None
        process.stdin.write(line + b"\n")
        process.stdin.flush()

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with suppress(OSError, ValueError, subprocess.TimeoutExpired):
            process.communicate(timeout=STOP_S)  # its input is closed: it ends by itself
        if process.poll() is None:
            process.kill()
            process.wait()


def _run_idle(process: int, *, is_idle: bool) -> None:
    """0 is this one. Where a system has nothing like it all stays as it is."""
    if _RUNS_IDLE:
        policy = os.SCHED_IDLE if is_idle else os.SCHED_OTHER
        with suppress(OSError):  # it has ended, or some container forbids it
            os.sched_setscheduler(process, policy, os.sched_param(0))


def main() -> None:
    which = msgspec.json.decode(sys.stdin.buffer.readline(), type=Which)
    if which.passphrase:
        os.environ[PASSPHRASE_ENV] = which.passphrase
    ring = KeyRing.load(Path(which.keys))
    trust = Trust(ring.public(), ring.public, lambda: ring.replaced_roots(for_ms=REPLACED_MS))
    # what is taken is written at once: a store that waits for SQLite's lock waits for this process
    log = TransparencyLog(which.url, ring, trust, point=lambda _: _run_idle(0, is_idle=False))
    publication = Publication(Path(which.folder))
    gc.freeze()
    gc.set_threshold(FEW_COLLECTIONS)
    while sys.stdin.buffer.readline():
        answer = msgspec.json.encode(_grown(log, publication))
        sys.stdout.buffer.write(answer + b"\n")
        sys.stdout.buffer.flush()


def _grown(log: TransparencyLog, publication: Publication) -> Grown:
    began = time.monotonic()
    try:
        for _ in range(PORTIONS):
            _run_idle(0, is_idle=time.monotonic() < began + IDLE_S)
            growth = log.grow(most=MOST)
            if not growth.waiting:
                break
        _run_idle(0, is_idle=False)
        note = log.sign()
        publication.publish(log, note)
    except Refusal as refusal:
        return Grown(refused=refusal.reason, is_fault=isinstance(refusal, LogFault))
    return Grown(growth=growth, note=note)


if __name__ == "__main__":
    main()
