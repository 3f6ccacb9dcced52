"""Password hashing in turn: a flood of logins takes neither the machine nor the staff's turn."""

import asyncio
import threading

import pytest

from puntobanco_floor.domain import refusals as say
from puntobanco_floor.environment import World
from puntobanco_floor.service.passwords import MOST_KNOWN, HashQueues
from puntobanco_floor.service.refusals import LoginRefused, TooManyTries
from puntobanco_floor.service.work_queue import MOST_OF_ONE, MOST_WAITING
from puntobanco_floor.web.problems import RETRY_S, on_http, on_refusal, too_many
from puntobanco_floor.web.routing import Request
from tests.floor.test_work_queue import held_up
from tests.support.patience import PATIENCE_S
from tests.web.test_staff import Door


def test_a_hash_takes_one_core() -> None:
    assert World().hasher.parallelism == 1


def test_one_hash_is_made_at_a_time_and_staff_wait_for_one_of_a_stranger_at_most() -> None:
    made = list[str]()
    go_on = threading.Event()

    def hashed(whose: str) -> bool:
        assert go_on.wait(PATIENCE_S)
        made.append(whose)
        return True

    async def besieged() -> None:
        queues = HashQueues()
        queues.know("192.168.1.20")
        strangers = [
            asyncio.ensure_future(queues.at(address).run(address, lambda: hashed("stranger")))
            for address in SIXTEEN
        ]
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        staff = queues.at("192.168.1.20").run("192.168.1.20", lambda: hashed("staff"))
        waiting = asyncio.ensure_future(staff)
        await asyncio.sleep(0)
        go_on.set()
        await waiting
        assert made[: made.index("staff")] == ["stranger"]
        for task in strangers:
            task.cancel()

    asyncio.run(besieged())


SIXTEEN = [f"10.0.0.{n}" for n in range(MOST_WAITING // MOST_OF_ONE)] * MOST_OF_ONE
"""Sixteen addresses, two each: all that may wait."""


def test_strangers_who_fill_their_queue_keep_no_staff_out() -> None:
    """From where somebody of the staff has logged in before; and of who is logged in."""

    async def besieged(door: Door) -> None:
        await door.logins.login("root", "secret words", source="192.168.1.20")
        queues = door.passwords.queues
        async with held_up(queues.at("10.0.0.1"), *SIXTEEN) as go_on:
            with pytest.raises(TooManyTries):
                await door.logins.login("dora", "other words", source="192.168.1.99")
            known = asyncio.ensure_future(
                door.logins.login("dora", "other words", source="192.168.1.20")
            )
            go_on.set()
            assert await known
            verifier = door.state.staff["dora"].verifier
            assert await door.passwords.holds_soon("dora", verifier, "other words")
            assert await door.passwords.verifier_soon("dora", "more words")

    asyncio.run(besieged(Door()))


def test_a_wrong_password_makes_an_address_none_of_the_staff() -> None:
    async def tried(door: Door) -> None:
        with pytest.raises(LoginRefused):
            await door.logins.login("dora", "wrong words", source="10.0.0.1")
        queues = door.passwords.queues
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
    request = Request({"type": "http", "path": "/api/tables", "headers": []})
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
