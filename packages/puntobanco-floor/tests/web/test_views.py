"""Live views: to whom, how soon, and how they end; and the staff's cookie, which a page of somebody else cannot use."""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from puntobanco_floor.service.demonstration import DEMO_STAFF
from puntobanco_floor.service.roles import SEES
from puntobanco_floor.service.subscriptions import KINDS
from tests.support.http import http
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, api, asked, cage, open_shift, staff_tokens

TOPICS = {kind: f"{kind}:6" if KINDS[kind].numbered else kind for kind in KINDS}


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[str, str]:
    return staff_tokens(served)


def watching(
    served: Served, do: Callable[[ClientConnection], Awaitable[Any]], **headers: str
) -> Any:
    async def go() -> Any:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with connect(
            f"ws://127.0.0.1:{served.port}/ws/views", additional_headers=named
        ) as socket:
            return await do(socket)

    return asyncio.run(go())


async def said(socket: ClientConnection) -> Any:
    return json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))


async def first_of_each(socket: ClientConnection, topics: list[str]) -> dict[str, str]:
    """What came first of every topic: a view, or a refusal."""
    await socket.send(json.dumps({"t": "watch", "what": topics}))
    found = dict[str, str]()
    while len(found) < len(topics):
        message = await said(socket)
        found.setdefault(message["what"], message["t"])
    return found


def test_every_role_watches_what_it_may_see_and_nobody_sees_more_than_the_lobby(
    served: Served, tokens: dict[str, str]
) -> None:
    wanted = list(TOPICS.values())
    for name, role in DEMO_STAFF.items():
        found = watching(
            served, lambda s: first_of_each(s, wanted), Authorization=f"Bearer {tokens[name]}"
        )
        may = {
            kind: KINDS[kind].sees is None or role in SEES[KINDS[kind].sees or ""] for kind in KINDS
        }
        assert found == {TOPICS[kind]: "view" if may[kind] else "refused" for kind in KINDS}, role
    for headers in ({}, {"Authorization": "Bearer staff_nobody"}, {"Authorization": "Bearer x"}):
        found = watching(served, lambda s: first_of_each(s, wanted), **headers)
        assert found == {
            topic: "view" if KINDS[kind].sees is None else "refused"
            for kind, topic in TOPICS.items()
        }


@pytest.mark.parametrize(
    "topic",
    [
        "",
        "x",
        "table",
        "table:",
        "table:x",
        "table:-1",
        "table:1:1",
        "table:٣",
        "lobby:1",
        "dealer:99999999",
    ],
)
def test_a_view_that_is_none_is_refused(served: Served, tokens: dict[str, str], topic: str) -> None:
    assert watching(
        served, lambda s: first_of_each(s, [topic]), Authorization=f"Bearer {tokens['sam']}"
    ) == {topic: "refused"}


def test_a_table_that_is_not_there_is_refused_and_the_connection_goes_on(served: Served) -> None:
    found = watching(served, lambda s: first_of_each(s, ["table:77", "lobby"]))
    assert found == {"table:77": "refused", "lobby": "view"}


def test_what_a_dealer_does_is_seen_by_those_who_watch(
    served: Served, tokens: dict[str, str]
) -> None:
    async def go(socket: ClientConnection) -> list[str]:
        await socket.send(json.dumps({"t": "watch", "what": ["dealer:6", "table:6"]}))
        phases = list[str]()
        for command in ("open-bets", "close-bets"):
            status, answer = await asyncio.to_thread(
                asked, served, tokens["dora"], f"see-{command}", command
            )
            assert (status, answer["ok"]) == (200, True)
            want, seen = {"open-bets": "betting", "close-bets": "closed"}[command], set[str]()
            while seen != {"dealer:6", "table:6"}:
                message = await said(socket)
                view = message["view"] if message["what"] == "table:6" else message["view"]["table"]
                if view["phase"] == want:
                    seen.add(message["what"])
            phases.append(want)
        return phases

    assert watching(served, go, Authorization=f"Bearer {tokens['dora']}") == ["betting", "closed"]
    for card in ("9s", "2h", "8d", "4c"):
        asked(served, tokens["dora"], f"see-{card}", "enter-card", card=card)
    assert asked(served, tokens["dora"], "see-settle", "settle")[1]["ok"]


def test_a_large_payment_at_the_cage_is_seen_in_the_pit_as_it_comes_and_goes(
    served: Served, tokens: dict[str, str]
) -> None:
    carl = tokens["carl"]
    open_shift(served, carl, 7)

    async def payments(socket: ClientConnection, *, are: int) -> list[dict[str, Any]]:
        while True:
            found: list[dict[str, Any]] = (await said(socket))["view"]["payments"]
            mine = [each for each in found if each["window"] == 7]
            if len(mine) == are:
                return mine

    async def go(socket: ClientConnection) -> None:
        await socket.send(json.dumps({"t": "watch", "what": ["pit"]}))
        await payments(socket, are=0)
        asks = await asyncio.to_thread(cage, served, carl, "sell", "s", 7, cents=1_200_000)
        assert asks[1]["code"] == "second-person-needed"
        [waits] = await payments(socket, are=1)
        assert (waits["by"], waits["cents"], waits["why"]["en"]) == (
            "carl",
            1_200_000,
            "over $10,000 of cash",
        )
        answer = await asyncio.to_thread(
            cage, served, tokens["sam"], "reject", "r", 7, payment=waits["payment"]
        )
        assert answer[0] == 200
        await payments(socket, are=0)

    watching(served, go, Authorization=f"Bearer {tokens['sam']}")


@pytest.mark.waits
def test_who_comes_later_sees_at_once_what_others_watch_already(
    served: Served, tokens: dict[str, str]
) -> None:
    """The cage is looked at every two seconds: nobody new waits for that."""

    async def go(first: ClientConnection) -> float:
        await first_of_each(first, ["cage:3"])
        began = time.monotonic()
        headers = {"Authorization": f"Bearer {tokens['carl']}"}
        async with connect(
            f"ws://127.0.0.1:{served.port}/ws/views", additional_headers=headers
        ) as second:
            await first_of_each(second, ["cage:3"])
            return time.monotonic() - began

    tries = 5  # a crowded machine may hold one up; a view that waits for its turn comes late nearly every time
    took_s = [watching(served, go, Authorization=f"Bearer {tokens['carl']}") for _ in range(tries)]
    assert min(took_s) < 0.5


def test_rubbish_is_answered_and_too_much_ends_the_connection(served: Served) -> None:
    async def go(socket: ClientConnection) -> str:
        for text in (
            "",
            "{",
            '{"t":"place"}',
            '{"t":"watch","what":[1]}',
            json.dumps({"t": "watch", "what": ["x"] * 17}),
        ):
            await socket.send(text)
            assert (await said(socket))["reason"]["en"].startswith("that cannot be read: ")
        for _ in range(100):
            await socket.send("{}")
        while (message := await said(socket))["t"] != "bye":
            pass
        return str(message["reason"]["en"])

    assert watching(served, go) == "Too many messages, or too large"


def test_a_login_that_ends_sees_nothing_more(served: Served) -> None:
    sue = staff_tokens(served, "sue")["sue"]

    async def go(socket: ClientConnection) -> Any:
        await socket.send(json.dumps({"t": "watch", "what": ["pit"]}))
        assert (await said(socket))["t"] == "view"
        await asyncio.to_thread(api, served, "POST", "/api/staff/logout", sue)
        while (message := await said(socket))["t"] != "bye":
            assert message["t"] == "view"
        with pytest.raises(ConnectionClosed):
            await said(socket)
        return message

    assert watching(served, go, Authorization=f"Bearer {sue}") == {
        "t": "bye",
        "reason": {"en": "Log in again", "zh": "請重新登入"},
    }


def logged_in(served: Served, name: str) -> tuple[str, str]:
    """The cookie of a browser, and what its page sends with a change."""
    lines = (served.folder / "log").read_text().splitlines()
    [password] = {words[2] for line in lines if (words := line.split())[:1] == [name]}
    body = json.dumps({"name": name, "password": password}).encode()
    status, headers, answer = http(
        served, "POST", "/api/staff/login", body=body, Content_Type="application/json"
    )
    assert status == 200
    cookie = headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "samesite=strict" in cookie.lower()
    return cookie.partition(";")[0], json.loads(answer)["csrf"]


def test_a_cookie_lets_its_own_page_in_and_no_other(served: Served) -> None:
    cookie, csrf = logged_in(served, "sam")
    ours, other = served.address, "http://elsewhere.example"
    assert json.loads(http(served, "GET", "/api/staff/me", Cookie=cookie)[2])["csrf"] == csrf
    body = json.dumps({"id": "x", "command": {"command": "open-bets"}}).encode()
    path, kind = "/api/staff/tables/6/commands", "application/json"
    tries: tuple[tuple[dict[str, str], int], ...] = (
        ({}, 403),
        ({"x_csrf_token": "x"}, 403),
        ({"x_csrf_token": csrf, "Origin": other}, 403),
        ({"x_csrf_token": csrf, "Origin": ours}, 200),
    )
    for headers, expected in tries:
        assert (
            http(served, "POST", path, body=body, Cookie=cookie, Content_Type=kind, **headers)[0]
            == expected
        )
    sees = watching(served, lambda s: first_of_each(s, ["pit"]), Cookie=cookie, Origin=ours)
    assert sees == {"pit": "view"}
    assert watching(served, lambda s: first_of_each(s, ["pit"]), Cookie=cookie, Origin=other) == {
        "pit": "refused"
    }
    assert http(served, "POST", "/api/staff/logout", body=b"", Cookie=cookie)[0] == 403
    assert (
        http(served, "POST", "/api/staff/logout", body=b"", Cookie=cookie, x_csrf_token=csrf)[0]
        == 204
    )
    assert http(served, "GET", "/api/staff/me", Cookie=cookie)[0] == 401


def test_a_card_that_was_keyed_is_told_to_everybody(served: Served, tokens: dict[str, str]) -> None:
    for command in ("open-bets", "close-bets"):
        asked(served, tokens["dora"], f"keyed-{command}", command)
    for card, by_hand in (("9s", False), ("2h", True)):
        assert asked(
            served, tokens["dora"], f"keyed-{card}", "enter-card", card=card, by_hand=by_hand
        )[1]["ok"]

    async def go(socket: ClientConnection) -> Any:
        await socket.send(json.dumps({"t": "watch", "what": ["table:6"]}))
        return (await said(socket))["view"]["keyed"]

    assert watching(served, go) == ["b1"]
    for card in ("8d", "4c"):
        asked(served, tokens["dora"], f"keyed-{card}", "enter-card", card=card)
    assert asked(served, tokens["dora"], "keyed-settle", "settle")[1]["ok"]
