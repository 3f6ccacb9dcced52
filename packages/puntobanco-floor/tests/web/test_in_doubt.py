"""A program at a terminal whose replies are lost: one id for each command, sent again until the floor has decided it."""

import asyncio
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from puntobanco_floor import client
from puntobanco_floor.client import FloorRefused, Terminal
from puntobanco_floor.store.batch import REFUSED_KEPT_MS
from puntobanco_floor.web.screen_files import SCREENS
from tests.support.served import Served, api, new_bets, open_shift, staff_tokens
from tests.web.losing_proxy import LosingProxy

STAKE = 1_000


def answer(status: str, code: str) -> bytes:
    body = json.dumps({"code": code, "reason": {"en": code, "zh": code}, "clause": ""}).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + body


LOST = {
    "cut": b"",
    "half": b'HTTP/1.1 200 OK\r\nContent-Length: 400\r\nConnection: close\r\n\r\n{"number":',
    "in-doubt": answer("503 Service Unavailable", "in-doubt"),
    "not-stored": answer("503 Service Unavailable", "not-stored"),
    "gateway": b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 7\r\nConnection: close\r\n\r\n<html/>",
}


@pytest.fixture(scope="module")
def floor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"), betting_ms=4_000)
    yield found
    found.stop()


@pytest.fixture
def proxy(floor: Served) -> Iterator[LosingProxy]:
    with LosingProxy(floor.port) as found:
        yield found


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client, "AGAIN_S", 0.05)


class First:
    """Loses the first replies to a path."""

    def __init__(self, path: str, count: int = 2) -> None:
        self.path, self.left = path, count

    def __call__(self, method: str, path: str) -> bool:
        if (method, path) != ("POST", self.path) or not self.left:
            return False
        self.left -= 1
        return True


@pytest.mark.parametrize("lost", LOST.values(), ids=LOST)
def test_a_cash_out_whose_reply_is_lost_brings_its_voucher(
    floor: Served, proxy: LosingProxy, lost: bytes
) -> None:
    path = "/api/tables/1/cash-out"

    async def play() -> tuple[str, int]:
        async with Terminal(proxy.address, table=1) as terminal:
            await terminal.seat()
            proxy.lose, proxy.reply = First(path), lost
            return await terminal.cash_out()

    number, cents = asyncio.run(play())
    assert cents == 100_000
    sent = proxy.posts(path)
    assert len(sent) == 3
    assert len({one["id"] for one in sent}) == 1
    status, found = api(
        floor,
        "POST",
        "/api/staff/vouchers/look-up",
        staff_tokens(floor, "carl")["carl"],
        {"number": number},
    )
    assert (status, found["state"], found["cents"]) == (200, "valid", 100_000)


@pytest.mark.parametrize("what", ["seat", "redeem", "limits"])
def test_other_commands_are_sent_again_with_their_ids(proxy: LosingProxy, what: str) -> None:
    path = "/api/me/limits" if what == "limits" else f"/api/tables/1/{what}"

    async def play() -> Any:
        async with Terminal(proxy.address, table=1) as first:
            await first.seat()
            number, _ = await first.cash_out()
        proxy.requests.clear()
        async with Terminal(proxy.address, table=1) as terminal:
            proxy.lose = First(path)
            match what:
                case "seat":
                    return (await terminal.seat()).balance_cents
                case "redeem":
                    return (await terminal.redeem(number)).balance_cents
                case _:
                    return (await terminal.limit(loss_cents=5_000))["loss_cents"]

    found = asyncio.run(play())
    assert found == {"seat": 100_000, "redeem": 100_000, "limits": 5_000}[what]
    sent = proxy.posts(path)
    assert (len(sent), len({one["id"] for one in sent})) == (3, 1)


def test_a_refusal_is_a_decision_and_has_its_code(floor: Served) -> None:
    async def play() -> None:
        async with Terminal(floor.address, table=1) as terminal:
            await terminal.redeem("000000000000000195")

    with pytest.raises(FloorRefused) as refused:
        asyncio.run(play())
    assert (refused.value.status, refused.value.is_decision) == (409, True)
    assert refused.value.code not in ("", "refusal")


def test_after_ten_minutes_the_outcome_is_only_looked_up(
    proxy: LosingProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/api/tables/1/cash-out"

    async def play() -> int:
        async with Terminal(proxy.address, table=1) as terminal:
            await terminal.seat()
            proxy.lose = First(path, 1)
            monkeypatch.setattr(client, "AGAIN_S", 0.2)
            monkeypatch.setattr(client, "REPEAT_S", 0.1)
            _, cents = await terminal.cash_out()
            return cents

    assert asyncio.run(play()) == 100_000
    assert len(proxy.posts(path)) == 1
    [(method, asked, _)] = [one for one in proxy.requests if "/commands/" in one[1]]
    assert method == "GET"
    assert asked.endswith(proxy.posts(path)[0]["id"])


def test_a_command_that_never_arrived_is_not_in_the_journal(
    floor: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The time in which it is sent was over before it could be: it is only looked up."""

    async def play() -> None:
        async with Terminal(floor.address, table=1) as terminal:
            await terminal.seat()
            monkeypatch.setattr(client, "REPEAT_S", 0.0)
            await terminal.cash_out()

    with pytest.raises(FloorRefused) as refused:
        asyncio.run(play())
    assert (refused.value.code, refused.value.status) == ("unknown", 404)


@pytest.mark.parametrize("code", client.UNDECIDED)
def test_a_raise_in_doubt_is_taken_once(proxy: LosingProxy, code: str) -> None:
    """The floor has taken it, and the terminal hears that it may not have been."""

    async def play() -> int:
        async with Terminal(proxy.address, table=1) as terminal:
            await terminal.seat()
            await new_bets(terminal)
            assert (await terminal.place("banker", STAKE)).ok
            lost = list[str]()

            def say(message: dict[str, Any]) -> dict[str, Any]:
                if message["t"] == "answered" and len(lost) < 3:
                    lost.append(message["id"])
                    return {"t": "answered", "id": message["id"], "ok": False, "code": code}
                return message

            proxy.say = say
            assert (await terminal.raise_("banker", STAKE)).ok
            assert len(set(lost)) == 1
            assert len(lost) == 3
            mine = await terminal._http("GET", "/api/me")
            return int(mine["tables"][0]["wagers"].get("banker", 2 * STAKE))

    assert asyncio.run(play()) == 2 * STAKE


# The lookup


def test_an_outcome_is_told_to_the_asker_alone_and_nothing_is_executed(floor: Served) -> None:
    def guest() -> str:
        return str(api(floor, "POST", "/api/guest")[1]["token"])

    def look(token: str, id_: str) -> tuple[int, Any]:
        return api(floor, "GET", f"/api/tables/1/commands/{id_}", token)

    ann, ben = guest(), guest()
    status, refused = api(floor, "POST", "/api/tables/1/cash-out", ann, {"id": "too-early"})
    assert status == 409
    assert look(ann, "too-early")[0] == 409
    assert look(ann, "too-early")[1]["code"] == refused["code"]
    for _ in range(2):
        assert look(ann, "sit")[0:1] == (404,)  # looking it up does not execute it
    api(floor, "POST", "/api/tables/1/seat", ann, {"id": "sit"})
    assert look(ann, "sit")[1]["balance_cents"] == 100_000
    paper = api(floor, "POST", "/api/tables/1/cash-out", ann, {"id": "out"})[1]
    assert look(ann, "out") == (200, paper)
    status, found = look(ben, "out")
    assert (status, found["code"]) == (404, "unknown")
    assert look("", "out")[0] == 401


def test_staff_look_up_their_own_commands(floor: Served) -> None:
    tokens = staff_tokens(floor, "carl", "sam")
    carl, sam = tokens["carl"], tokens["sam"]
    open_shift(floor, carl, 1, 50_000)
    paper = api(floor, "POST", "/api/staff/cage/1/sell", carl, {"id": "v", "cents": 5_000})[1]
    assert api(floor, "GET", "/api/staff/cage/1/commands/v", carl) == (200, paper)
    assert api(floor, "GET", "/api/staff/cage/1/commands/v", sam)[0] == 404
    large = {"id": "w", "cents": 1_500_000}
    assert api(floor, "POST", "/api/staff/cage/1/sell", carl, large)[0] == 409
    status, waits = api(floor, "GET", "/api/staff/cage/1/commands/w", carl)
    assert (status, waits["ok"], waits["proposal"]) == (200, True, 1)


def test_leaving_twice_with_one_id_is_leaving_once(floor: Served) -> None:
    token = str(api(floor, "POST", "/api/guest")[1]["token"])
    seats = [api(floor, "POST", "/api/tables/1/seat", token, {"id": "sit"}) for _ in range(2)]
    assert [status for status, _ in seats] == [200, 200]
    # with credits nobody leaves; the same answer twice
    left = [api(floor, "POST", "/api/tables/1/leave", token, {"id": "go"}) for _ in range(2)]
    assert [(status, answer["code"]) for status, answer in left] == [(409, left[0][1]["code"])] * 2
    assert api(floor, "GET", "/api/tables/1/commands/go", token)[1]["code"] == left[0][1]["code"]


# Administration


def test_an_administrator_who_asks_again_with_the_same_id_has_one_effect(floor: Served) -> None:
    ada = staff_tokens(floor, "ada")["ada"]

    def twice(path: str, body: dict[str, Any]) -> list[Any]:
        answers = [api(floor, "POST", f"/api/admin/{path}", ada, body) for _ in range(2)]
        assert [status for status, _ in answers] in ([200, 200], [201, 201]), answers
        return [answer for _, answer in answers]

    first, second = twice("terminals", {"id": "t", "name": "T-77"})
    assert first["secret"]
    assert first == second
    first, second = twice("terminals/T-77", {"id": "n", "new_code": True})
    assert first == second
    twice("tables", {"id": "o", "number": 77, "game": "fortune-six", "physical": True})
    stop = {"id": "s", "cause": "equipment-checked"}
    first, second = twice("tables/77/stop", stop)
    assert first["seq"] == second["seq"]
    assert api(floor, "GET", "/api/staff/tables/77/commands/s", ada)[1]["seq"] == first["seq"]
    twice("tables/77/start", {"id": "b"})
    twice("tables/77", {"id": "c", "clock": {"betting_ms": 9_000}})
    assert api(floor, "GET", "/api/staff/tables/77/commands/c", ada)[1]["ok"]
    first, second = twice("tables/77/disable", {"id": "d", "cause": "equipment-checked"})
    assert first["closed"]
    status, other = api(floor, "POST", "/api/admin/tables/77/start", ada, {"id": "s"})
    assert (status, other["code"]) == (409, "command-reused")
    assert api(floor, "GET", "/api/staff/house/commands/t", ada)[1]["ok"]
    assert (
        api(floor, "POST", "/api/admin/tables/77/start", ada)[0] == 409
    )  # without an id, as before


def test_clients_stop_repeating_well_before_refusals_are_forgotten() -> None:
    text = (SCREENS / "base/doubt.js").read_text("utf-8")
    [shown] = re.findall(r"REPEAT_MS = ([\d_]+)", text)
    assert int(shown) == client.REPEAT_S * 1000
    assert int(shown) <= REFUSED_KEPT_MS - 5 * 60_000
