"""The lab's worker process: jobs leave the node's interpreter, a dead worker is replaced, none outlives its node."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from pathlib import Path

import pytest

from puntobanco import GAMES
from puntobanco_floor.lab import worker_process
from puntobanco_floor.lab.lab_queue import Lab
from puntobanco_floor.lab.refusals import LabIsBusy
from puntobanco_floor.lab.worker_process import WorkerProcess
from tests.support.patience import PATIENCE_S, wait_until

RAPID = GAMES["rapid"]


@pytest.fixture
def worker() -> Iterator[WorkerProcess]:
    worker = WorkerProcess()
    yield worker
    worker.shutdown()


def test_a_sheet_made_in_the_worker_is_the_sheet_made_here(worker: WorkerProcess) -> None:
    async def sheet(lab: Lab) -> object:
        return await lab.sheet(RAPID, 8, stake_cents=None, minimums={})

    assert worker.submit(os.getpid).result(PATIENCE_S) != os.getpid()
    assert asyncio.run(sheet(Lab(worker))) == asyncio.run(sheet(Lab()))


def test_a_worker_that_died_refuses_one_job_and_is_replaced(worker: WorkerProcess) -> None:
    async def scene() -> None:
        lab = Lab(worker)
        with pytest.raises(LabIsBusy, match="interrupted"):
            await lab._in_turn(os.kill, worker.submit(os.getpid).result(PATIENCE_S), signal.SIGKILL)
        assert await lab._in_turn(os.getpid) != os.getpid()

    asyncio.run(scene())


def test_a_job_that_is_sent_to_a_dead_worker_reaches_a_new_one(worker: WorkerProcess) -> None:
    first = worker.submit(os.getpid).result(PATIENCE_S)
    with pytest.raises(BrokenExecutor):
        worker.submit(os.kill, first, signal.SIGKILL).result(PATIENCE_S)
    assert worker.submit(os.getpid).result(PATIENCE_S) not in (first, os.getpid())


def test_a_worker_that_may_not_be_nice_works_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A systemd unit without `@resources` forbids it."""

    def forbidden(_: int) -> int:
        raise PermissionError

    monkeypatch.setattr(os, "nice", forbidden)
    monkeypatch.setattr(signal, "signal", lambda *_: None)
    monkeypatch.setattr(worker_process, "Thread", Idle)
    worker_process._begin()
    assert Idle.started


class Idle:
    """A thread that does not run."""

    started = False

    def __init__(self, **_: object) -> None: ...

    def start(self) -> None:
        Idle.started = True


def test_a_lab_that_is_closed_ends_its_job_and_starts_no_other(worker: WorkerProcess) -> None:
    async def scene() -> None:
        lab = Lab(worker)
        process = worker.submit(os.getpid).result(PATIENCE_S)
        asked = asyncio.create_task(lab._in_turn(time.sleep, 600))
        await asyncio.sleep(0)  # it has been submitted
        lab.close()
        with pytest.raises(LabIsBusy):
            await asked
        with pytest.raises(LabIsBusy):
            await lab._in_turn(os.getpid)
        wait_until(lambda: not is_alive(process), "the worker ends")

    asyncio.run(scene())


NODE = """
import os, time
from puntobanco_floor.lab.worker_process import WorkerProcess
if __name__ == "__main__":
    print(WorkerProcess().submit(os.getpid).result(), flush=True)
    time.sleep(600)
"""


def test_the_worker_ends_with_a_node_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "node.py"
    program.write_text(NODE)
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True) as node:
        assert node.stdout is not None
        worker = int(node.stdout.readline())
        node.kill()
    wait_until(lambda: not is_alive(worker), "the worker ends")


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    state = Path(f"/proc/{process}/stat")
    return not state.exists() or state.read_text().rpartition(")")[2].split()[0] != "Z"
