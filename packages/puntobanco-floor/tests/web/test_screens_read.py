"""Every field that a screen reads is one that is served: real messages of every stage of a round, drawn in Node."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from typing import Any, get_origin, get_type_hints

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from puntobanco_floor.service.subscriptions import KINDS
from puntobanco_proof.entry.record import Record
from tests.support.node import needs_node
from tests.support.served import Served, api, asked, staff_tokens
from tools.tree import ROOT

PATIENCE_S = 60.0
VIEWS = (
    ("display", "table:6", ""),
    ("lobby", "lobby", ""),
    ("dealer", "dealer:6", "dora"),
    ("pit", "pit", "sam"),
    ("cage", "cage:1", "carl"),
    ("admin", "house", "ada"),
)
"""A screen, the view that it watches, and who looks."""

STAGES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("open-bets", {}), ("close-bets", {}), ("enter-card", {"card": "9s"}),
    ("enter-card", {"card": "2h", "by_hand": True}), ("enter-card", {"card": "8d"}), ("enter-card", {"card": "4c"}),
    ("settle", {}), ("open-bets", {}), ("close-bets", {}), ("enter-card", {"card": "As"}),
    ("declare-irregularity", {"ground": "foreign-card", "detail": "another back"}),
)  # fmt: skip


def every_record(kind: type[Record] = Record) -> Iterator[type[Record]]:
    for sub in kind.__subclasses__():
        yield sub
        yield from every_record(sub)


def dict_fields() -> list[str]:
    """Names of fields that are looked up by key: by bet, by slot, by name."""
    found = set[str]()
    for record in every_record():
        for name, hint in get_type_hints(record, include_extras=False).items():
            if any(get_origin(part) is dict for part in (hint, *getattr(hint, "__args__", ()))):
                found.add(name)
    return sorted(found)


async def heard(socket: ClientConnection) -> Any:
    return json.loads(await asyncio.wait_for(socket.recv(), PATIENCE_S))


class Guest:
    """A terminal at table 6 that notes what it is told."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.token = str(api(served, "POST", "/api/guest")[1]["token"])
        assert api(served, "POST", "/api/tables/6/seat", self.token)[0] == 200

    async def welcome(self) -> Any:
        async with self.connected() as socket:
            return await heard(socket)

    def connected(self) -> Any:
        headers = {"Authorization": f"Bearer {self.token}"}
        return connect(f"ws://127.0.0.1:{self.served.port}/ws/6", additional_headers=headers)


async def view_of(served: Served, what: str, token: str) -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with connect(
        f"ws://127.0.0.1:{served.port}/ws/views", additional_headers=headers
    ) as socket:
        await socket.send(json.dumps({"t": "watch", "what": [what]}))
        return await heard(socket)


async def told_of_a_day(served: Served, tokens: dict[str, str]) -> dict[str, Any]:
    """What was served at every stage: whole views for each screen, and the events one terminal followed."""
    people = {name: api(served, "GET", "/api/staff/me", token)[1] for name, token in tokens.items()}
    drawn, followed, messages = list[Any](), list[Any](), list[Any]()
    guest = Guest(served)
    async with guest.connected() as socket:
        messages.append(await heard(socket))
        for i, (command, fields) in enumerate(STAGES):
            answer = (
                await asyncio.to_thread(
                    asked, served, tokens["dora"], f"stage-{i}", command, **fields
                )
            )[1]
            assert answer["ok"], answer
            while messages[-1]["t"] != "events" or messages[-1]["seq"] < answer["seq"]:
                messages.append(await heard(socket))
            if command == "open-bets":
                place = {
                    "t": "place",
                    "id": f"stage-{i}",
                    "round": 1 + messages[0]["table"]["round"] + i // 7,
                }
                await socket.send(json.dumps({**place, "bet": "banker", "stake_cents": 10_000}))
                while messages[-1]["t"] != "answered":
                    messages.append(await heard(socket))
                assert messages[-1]["ok"], messages[-1]
            whole = await guest.welcome()
            followed.append({"messages": list(messages), "whole": whole})
            drawn.append({"screen": "terminal", "me": None, "message": whole})
            for screen, what, who in VIEWS:
                message = await view_of(served, what, tokens.get(who, ""))
                assert message["t"] == "view", message
                drawn.append({"screen": screen, "me": people.get(who), "message": message})
    return {"dicts": dict_fields(), "drawn": drawn, "followed": followed}


@needs_node
@pytest.mark.waits
def test_every_field_that_a_screen_reads_is_served(served: Served) -> None:
    told = asyncio.run(told_of_a_day(served, staff_tokens(served)))
    assert len(told["drawn"]) == len(STAGES) * (len(VIEWS) + 1)
    done = subprocess.run(
        ["node", "packages/puntobanco-floor/tests/screens/strict.js"],
        cwd=ROOT,
        input=msgspec.json.encode(told),
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-3_000:]
    found = json.loads(done.stdout)
    assert found["faults"] == [], "\n".join(found["faults"])
    assert {what.partition(":")[0] for _, what, _ in VIEWS} == set(KINDS), (
        "every view is drawn by a screen"
    )
    assert set(found["screens"]) == {"terminal", *(screen for screen, _, _ in VIEWS)}
