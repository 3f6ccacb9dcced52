"""Password hashing in turn: a flood of logins takes neither the machine nor the staff's turn."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from puntobanco.floor.hashing import (
    LOW_PRIORITY,
    MOST_OF_ONE,
    MOST_WAITING,
    HashQueue,
    TooManyTries,
)
from puntobanco.floor.passwords import LoginRefused
from tests.web.test_staff import Door


@asynccontextmanager
async def held_up(queue: HashQueue, *askers: str) -> AsyncIterator[None]:
    """These wait, each for one hash that is not made before the end."""
    go_on = threading.Event()
    waiting = [asyncio.ensure_future(queue.run(who, go_on.wait)) for who in askers]
    await asyncio.sleep(0)
    try:
        yield
    finally:
        go_on.set()
        assert all(await asyncio.gather(*waiting))


@pytest.mark.skipif(os.uname().sysname != "Linux", reason="threads have no priority of their own")
def test_hashes_are_made_when_there_is_nothing_else_to_do() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = priority()
    assert asyncio.run(HashQueue().run("somebody", priority)) == LOW_PRIORITY
    assert priority() == before, "that of all others stays"


def test_one_address_has_two_waiting_and_others_are_heard() -> None:
    async def flooded() -> None:
        queue = HashQueue()
        async with held_up(queue, *["10.0.0.1"] * MOST_OF_ONE):
            with pytest.raises(TooManyTries):
                await queue.run("10.0.0.1", lambda: True)
            other = asyncio.ensure_future(queue.run("10.0.0.2", lambda: True))
            await asyncio.sleep(0)
            assert not other.done(), "it waits for its turn"
        assert await other
        assert await queue.run("10.0.0.1", lambda: True), "and those that were made count no more"

    asyncio.run(flooded())


def test_so_many_wait_in_all() -> None:
    async def flooded() -> None:
        queue = HashQueue()
        async with held_up(queue, *(f"10.0.0.{n}" for n in range(MOST_WAITING))):
            with pytest.raises(TooManyTries):
                await queue.run("10.0.1.1", lambda: True)

    asyncio.run(flooded())


def test_who_is_turned_away_has_not_tried() -> None:
    async def flooded(door: Door) -> list[BaseException | tuple[str, object]]:
        tries = [door.logins.login("dora", "wrong words", source="10.0.0.1") for _ in range(5)]
        return list(await asyncio.gather(*tries, return_exceptions=True))

    door = Door()
    kinds = [type(found) for found in asyncio.run(flooded(door))]
    assert sorted(kind.__name__ for kind in kinds) == ["LoginRefused"] * 2 + ["TooManyTries"] * 3
    assert door.state.staff["dora"].wrong == 2


def test_a_lock_is_looked_at_before_anything_is_hashed(monkeypatch: pytest.MonkeyPatch) -> None:
    door = Door()
    for _ in range(3):
        with pytest.raises(LoginRefused):
            asyncio.run(door.logins.login("dora", "wrong words", source="2001:db8::1"))

    def hashed(*_: object) -> bool:
        raise AssertionError("hashed")

    monkeypatch.setattr(door.passwords, "holds", hashed)
    with pytest.raises(LoginRefused):
        asyncio.run(door.logins.login("dora", "other words", source="2001:db8::2"))
