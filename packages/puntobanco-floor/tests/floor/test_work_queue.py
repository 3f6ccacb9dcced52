"""Queues of slow work: one job at a time, bounds on what waits, and a rest after each job."""

import asyncio
import threading
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest

from puntobanco_floor.service.refusals import TooManyTries
from puntobanco_floor.service.work_queue import MOST_OF_ONE, MOST_WAITING, WorkQueue


def queue(*, rest: float = 0.0) -> WorkQueue:
    return WorkQueue(ThreadPoolExecutor(1), rest=rest)


@asynccontextmanager
async def held_up(queue: WorkQueue, *askers: str) -> AsyncIterator[threading.Event]:
    """These wait, each for one job that is not done before the end, or the event."""
    go_on = threading.Event()
    waiting = [asyncio.ensure_future(queue.run(who, go_on.wait)) for who in askers]
    await asyncio.sleep(0)
    try:
        yield go_on
    finally:
        go_on.set()
        assert all(await asyncio.gather(*waiting))


def test_one_address_has_two_waiting_and_others_are_heard() -> None:
    async def flooded() -> None:
        found = queue()
        async with held_up(found, *["10.0.0.1"] * MOST_OF_ONE):
            with pytest.raises(TooManyTries):
                await found.run("10.0.0.1", lambda: True)
            other = asyncio.ensure_future(found.run("10.0.0.2", lambda: True))
            await asyncio.sleep(0)
            assert not other.done(), "it waits for its turn"
        assert await other
        assert await found.run("10.0.0.1", lambda: True), "and those that were done count no more"

    asyncio.run(flooded())


def test_so_many_wait_in_all() -> None:
    async def flooded() -> None:
        found = queue()
        async with held_up(found, *(f"10.0.0.{n}" for n in range(MOST_WAITING))):
            with pytest.raises(TooManyTries):
                await found.run("10.0.1.1", lambda: True)

    asyncio.run(flooded())


def test_a_job_that_fails_makes_room() -> None:
    def fail() -> bool:
        raise ValueError("no")

    async def failed() -> None:
        found = queue()
        for _ in range(MOST_OF_ONE + 1):
            with pytest.raises(ValueError, match="no"):
                await found.run("10.0.0.1", fail)

    asyncio.run(failed())


def test_a_queue_rests_as_long_as_a_job_took(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    slept = list[float]()
    sleep = asyncio.sleep

    async def noted(seconds: float) -> None:
        slept.append(seconds)
        await sleep(0)

    def work() -> bool:
        nonlocal now
        now += 0.25
        return True

    async def twice() -> None:
        nonlocal now
        found = WorkQueue(ThreadPoolExecutor(1), rest=1.0, clock=lambda: now)
        await found.run("ann", work)
        await found.run("ann", work)
        now += 0.25
        await found.run("ben", work)

    monkeypatch.setattr("puntobanco_floor.service.work_queue.asyncio.sleep", noted)
    asyncio.run(twice())
    assert slept == [0.0, 0.25, 0.0]
