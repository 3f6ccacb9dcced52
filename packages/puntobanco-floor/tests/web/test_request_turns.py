"""Requests take turns and have a rate: by network, and by terminal and person apart from it."""

import asyncio
import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest

from puntobanco_floor.service.roles import Person
from puntobanco_floor.service.tickets import Ticket
from puntobanco_floor.web.context import Web
from puntobanco_floor.web.middleware import PROBES, Turns, with_turns
from puntobanco_floor.web.problems import RETRY_S
from puntobanco_floor.web.rate_limit import Buckets
from puntobanco_floor.web.request import CREDENTIALS_BYTES
from tests.support.http import http
from tests.support.served import Served, api

BURST = 3


class Door:
    """Requests before any handler, with a clock of the test's own."""

    def __init__(self) -> None:
        self.now = 100.0
        self.runner = asyncio.Runner()
        self.seen = list[str]()
        limits = SimpleNamespace(requests=Buckets(1.0, BURST, clock=lambda: self.now))
        people = {"staff_sue": Person("sue", "supervisor")}
        tickets = {"of-terminal": Ticket("east:1"), "of-guest": Ticket("g1")}
        floor = SimpleNamespace(
            logins=SimpleNamespace(looking=people.get),
            tickets=SimpleNamespace(read=tickets.get, terminal_with={"west.key": "west"}.get),
        )
        web = SimpleNamespace(limits=limits, floor=floor)
        self.app = with_turns(self._app, cast(Web, web))

    async def _app(self, scope: Any, receive: Any, send: Any) -> None:
        del receive
        self.seen.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    def ask(self, *, address: str = "192.0.2.1", path: str = "/", **headers: str) -> Any:
        """The status, the headers and the body of an answer; nothing is read of the request."""
        told = list[Any]()

        async def receive() -> Any:
            raise AssertionError("the body was read")

        async def send(message: Any) -> None:
            told.append(message)

        pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
        scope = {
            "type": "http",
            "method": "POST",
            "path": path,
            "client": (address, 1),
            "headers": pairs,
        }
        self.runner.run(cast(Any, self.app)(scope, receive, send))
        start, body = told
        return start["status"], dict(start["headers"]), body["body"]

    def statuses(self, many: int, **asked: str) -> list[int]:
        return [self.ask(**asked)[0] for _ in range(many)]


@pytest.fixture
def door() -> Iterator[Door]:
    found = Door()
    with found.runner:
        yield found


def test_so_many_requests_of_a_network_are_answered_and_one_more_is_not(door: Door) -> None:
    assert door.statuses(BURST) == [200] * BURST
    status, headers, body = door.ask()
    assert status == 429
    assert headers[b"retry-after"] == str(RETRY_S).encode()
    assert json.loads(body)["code"] == "too-many-requests"
    assert len(door.seen) == BURST
    assert door.statuses(1, address="192.0.2.2") == [200], "another network"
    door.now += 1.0
    assert door.statuses(2) == [200, 429]


def test_a_network_of_ipv6_is_one_client(door: Door) -> None:
    for n in range(BURST):
        assert door.statuses(1, address=f"2001:db8:1:2::{n}") == [200]
    assert door.statuses(1, address="2001:db8:1:2::ffff") == [429]


@pytest.mark.parametrize(
    "known",
    [
        {"authorization": "Bearer staff_sue"},
        {"cookie": "puntobanco-staff=staff_sue"},
        {"authorization": "Bearer of-terminal"},
        {"cookie": "puntobanco-terminal=west.key"},
    ],
)
def test_staff_and_terminals_get_in_from_a_network_that_floods(
    door: Door, known: dict[str, str]
) -> None:
    assert door.statuses(BURST + 1)[-1] == 429
    assert door.statuses(BURST + 1, **known) == [200] * BURST + [429]


@pytest.mark.parametrize(
    "unknown",
    [
        {"authorization": "Bearer staff_eve"},
        {"authorization": "Bearer of-guest"},
        {"cookie": "puntobanco-terminal=east.wrong"},
    ],
)
def test_a_guest_and_a_forged_token_count_with_their_network(
    door: Door, unknown: dict[str, str]
) -> None:
    assert door.statuses(BURST + 1)[-1] == 429
    assert door.statuses(1, **unknown) == [429]


@pytest.mark.parametrize("path", sorted(PROBES))
def test_monitors_are_answered_while_their_network_floods(door: Door, path: str) -> None:
    assert door.statuses(BURST + 1)[-1] == 429
    assert door.statuses(BURST + 1, path=path) == [200] * BURST + [429]


def test_clients_take_turns_and_the_event_loop_turns_in_between() -> None:
    order = list[str]()
    between = list[int]()

    async def go() -> None:
        turns, loop = Turns(), asyncio.get_running_loop()
        spins = 0

        def spin() -> None:
            nonlocal spins
            spins += 1
            loop.call_soon(spin)

        async def one(client: str) -> None:
            await turns.take(client)
            order.append(client)
            between.append(spins)

        loop.call_soon(spin)
        tasks = [asyncio.ensure_future(one(name)) for name in ("a", "a", "a", "a", "b", "staff")]
        await asyncio.sleep(0)
        tasks[2].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(go())
    assert order == ["a", "a", "b", "staff", "a"], "and the one that was cancelled has none"
    assert len(set(between)) == len(between), "each in a turn of the loop of its own"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    slow = "--logins-rate 0.01 --logins-burst 3 --recalls-rate 0.01 --recalls-burst 3"
    found = Served(tmp_path_factory.mktemp("floor"), "--demo", *slow.split())
    yield found
    found.stop()


def _padded(body: dict[str, Any], size: int) -> bytes:
    data = json.dumps(body).encode()
    return data + b" " * (size - len(data))


def test_a_login_is_two_kilobytes_at_most_and_its_rate_comes_first(served: Served) -> None:
    wrong = {"name": "nobody", "password": "no password"}
    sent = [
        _padded(wrong, CREDENTIALS_BYTES),
        _padded(wrong, CREDENTIALS_BYTES + 1),
        b'{"name": ["x"], "password": ""}',
        b'{"name": ["x"], "password": ""}',
    ]
    found = [
        http(served, "POST", "/api/staff/login", body=body, Content_Type="application/json")[0]
        for body in sent
    ]
    assert found == [401, 413, 400, 429]


@pytest.mark.parametrize("path", ["/api/enrol", "/api/session", "/api/tables/1/redeem"])
def test_a_body_with_a_code_is_two_kilobytes_at_most(served: Served, path: str) -> None:
    guest = api(served, "POST", "/api/guest")[1]["token"]
    bearer = {"Authorization": f"Bearer {guest}", "Content_Type": "application/json"}
    statuses = [
        http(served, "POST", path, body=_padded({}, size), **bearer)[0]
        for size in (CREDENTIALS_BYTES, CREDENTIALS_BYTES + 1)
    ]
    assert statuses[0] != 413
    assert statuses[1] == 413


def test_commands_are_looked_up_at_a_rate(served: Served) -> None:
    guest, other = (api(served, "POST", "/api/guest")[1]["token"] for _ in range(2))
    path = "/api/me/commands/none"
    found = [api(served, "GET", path, guest)[0] for _ in range(4)]
    assert found == [404, 404, 404, 429]
    assert api(served, "GET", path, other)[0] == 404
