"""Password hashing in turn: a flood of logins takes neither the machine nor the staff's turn."""

import asyncio
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from litestar.testing import RequestFactory

from puntobanco import refusal_words as say
from puntobanco.floor.hashing import (
    LOW_PRIORITY,
    MOST_IN_VAIN,
    MOST_KNOWN,
    MOST_OF_ONE,
    MOST_WAITING,
    HashQueue,
    HashQueues,
    TooManyTries,
)
from puntobanco.floor.passwords import LoginRefused
from puntobanco.web.problems import RETRY_S, on_http, on_refusal, too_many
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


@pytest.mark.skipif(os.uname().sysname != "Linux", reason="threads have no policy of their own")
def test_a_flood_of_wrong_passwords_is_hashed_by_an_idle_thread_until_one_is_right() -> None:
    """At a low priority it kept wagers waiting: 26 ms instead of 12, 99 of 100 of them."""
    policies = list[int]()

    def made(*, is_right: bool) -> bool:
        policies.append(os.sched_getscheduler(0))
        return is_right

    async def flooded() -> None:
        queue = HashQueue()
        for _ in range(MOST_IN_VAIN + 2):
            await queue.run("10.0.0.1", lambda: made(is_right=False))
        for _ in range(2):
            await queue.run("10.0.0.2", lambda: made(is_right=True))

    before = os.sched_getscheduler(0)
    asyncio.run(flooded())
    assert policies == [before] * MOST_IN_VAIN + [os.SCHED_IDLE] * 3 + [before]
    assert os.sched_getscheduler(0) == before, "that of all others stays"


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


SIXTEEN = [f"10.0.0.{n}" for n in range(MOST_WAITING // MOST_OF_ONE)] * MOST_OF_ONE
"""Sixteen addresses, two each: all that may wait."""


def test_strangers_who_fill_their_queue_keep_no_staff_out() -> None:
    """From where somebody of the staff has logged in before; and of who is logged in."""

    async def besieged(door: Door) -> None:
        await door.logins.login("root", "secret words", source="192.168.1.20")
        queues = door.passwords._queues
        async with held_up(queues.at("10.0.0.1"), *SIXTEEN):
            with pytest.raises(TooManyTries):
                await door.logins.login("dora", "other words", source="192.168.1.99")
            assert await door.logins.login("dora", "other words", source="192.168.1.20")
            verifier = door.state.staff["dora"].verifier
            assert await door.passwords.holds_soon("dora", verifier, "other words")
            assert await door.passwords.verifier_soon("dora", "more words")

    asyncio.run(besieged(Door()))


def test_a_wrong_password_makes_an_address_none_of_the_staff() -> None:
    async def tried(door: Door) -> None:
        with pytest.raises(LoginRefused):
            await door.logins.login("dora", "wrong words", source="10.0.0.1")
        queues = door.passwords._queues
        assert queues.at("10.0.0.1") is queues.at("somewhere else")

    asyncio.run(tried(Door()))


def test_so_many_addresses_are_known_and_the_oldest_is_forgotten() -> None:
    queues = HashQueues()
    for n in range(MOST_KNOWN):
        queues.know(f"address {n}")
    queues.know("")
    queues.know("address 0")
    assert queues.at("address 1") is queues.of_staff
    queues.know("one more")
    assert queues.at("address 1") is not queues.of_staff
    assert queues.at("address 0") is queues.of_staff, "used since"
    assert queues.at("") is not queues.of_staff, "no address could be anybody's"


def test_who_is_turned_away_is_told_when_to_come_again() -> None:
    request = RequestFactory().get("/api/tables")
    told = on_refusal(request, TooManyTries(say.TOO_MANY_TRIES))
    assert (told.status_code, told.headers["Retry-After"]) == (429, str(RETRY_S))
    assert on_http(request, too_many()).headers["Retry-After"] == str(RETRY_S)
    assert "Retry-After" not in on_refusal(request, LoginRefused("no")).headers


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
