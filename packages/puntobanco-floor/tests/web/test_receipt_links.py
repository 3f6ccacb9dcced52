"""Receipts over HTTP: asked for at a terminal, had by whoever has the link, proven within moments."""

from __future__ import annotations

import asyncio
import json
import re
import time
import urllib.error
import urllib.request
from typing import Any

import pytest

from puntobanco_floor.client import Terminal
from puntobanco_proof.verifier import FILES, hash_verifiers, read_verifier
from tests.support.patience import PATIENCE_S
from tests.support.served import Served, new_bets
from tests.verifier.both import Case, verdicts

TABLE = 2
HOLDS, UNPROVEN = 0, 2


def fetched(served: Served, path: str) -> tuple[int, bytes, dict[str, str]]:
    try:
        with urllib.request.urlopen(served.address + path, timeout=PATIENCE_S) as answer:
            return answer.status, answer.read(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read(), dict(error.headers)


def asked(served: Served, token: str, **what: object) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(
        f"{served.address}/api/tables/{TABLE}/receipts",
        json.dumps(what).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {token}"},
    )
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


@pytest.fixture(scope="module")
def patron(served: Served) -> tuple[str, int]:
    """A token, and a round in which its session had a wager."""

    async def play() -> tuple[str, int]:
        async with Terminal(served.address, table=TABLE) as terminal:
            await terminal.seat()
            await new_bets(terminal)
            await terminal.place("banker", 1_000)
            return str(terminal.token), terminal.table.round  # type: ignore[union-attr]

    return asyncio.run(play())


def proven(served: Served, path: str) -> bytes:
    """The file, once its proof is there."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        status, data, _ = fetched(served, f"{path}.json")
        assert status == 200, data
        if all(entry["proof"] for entry in json.loads(data)["entries"]):
            return data
        time.sleep(0.2)
    raise AssertionError("no proof came")


def test_a_wager_has_a_receipt_at_once_and_its_proof_soon(
    served: Served, patron: tuple[str, int]
) -> None:
    token, round_ = patron
    status, link = asked(served, token, kind="wager", number=round_, bet="banker")
    assert status == 201, link
    assert link["url"] == served.address + link["path"]
    data = proven(served, link["path"])
    claim = json.loads(data)["claim"]
    assert claim["says"] == "unwitnessed"
    found = verdicts([Case(data), Case(data, claim["policy"])])
    assert [said.code for said in found] == [UNPROVEN, HOLDS]


def test_the_page_and_the_file_need_nothing_but_the_link(
    served: Served, patron: tuple[str, int]
) -> None:
    _, link = asked(served, patron[0], kind="session")
    status, page, headers = fetched(served, link["path"])
    assert (status, headers["content-type"].split(";")[0]) == (200, "text/html")
    assert re.search(rb"/screens/[0-9a-f]{16}/receipt/main.js", page)
    _, _, headers = fetched(served, f"{link['path']}.json")
    assert headers["content-disposition"] == 'attachment; filename="receipt.json"'
    assert headers["cache-control"] == "no-store"


def test_every_event_of_a_receipt_is_told_in_both_languages(
    served: Served, patron: tuple[str, int]
) -> None:
    token, number = patron
    _, link = asked(served, token, kind="round", number=number)
    _, file, _ = fetched(served, f"{link['path']}.json")
    status, words, _ = fetched(served, f"{link['path']}.words.json")
    assert status == 200
    told = json.loads(words)
    parts = [part["part"] for entry in json.loads(file)["entries"] for part in entry["parts"]]
    assert told.keys() >= {part for part in parts if part.startswith("{")}
    assert any("on Banker" in said["en"] and "莊" in said["zh"] for said in told.values())


@pytest.mark.parametrize(
    "what",
    [
        {"kind": "round", "number": 999_999},
        {"kind": "voucher", "number": 1},
        {"kind": "shoe", "number": 999_999},
    ],
)
def test_what_is_not_there_is_refused_in_one_line(
    served: Served, patron: tuple[str, int], what: dict[str, Any]
) -> None:
    status, problem = asked(served, patron[0], **what)
    assert 400 <= status < 500, problem
    assert problem["reason"]["zh"]


def test_nobody_without_a_session_asks_and_no_link_is_guessed(served: Served) -> None:
    assert asked(served, "forged", kind="round", number=1)[0] == 401
    for name in ("x", "x.json", "A" * 100, "A" * 100 + ".json"):
        assert fetched(served, f"/receipt/{name}")[0] == 404


def test_the_verifiers_are_served_as_they_are_published(served: Served) -> None:
    assert set(hash_verifiers()) == set(FILES)
    for name, kind in FILES.items():
        status, data, headers = fetched(served, f"/{name}")
        assert (status, headers["content-type"]) == (200, f"{kind}; charset=utf-8")
        assert data == read_verifier(name)
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]


def test_a_vouchers_receipt_redeems_nothing(served: Served) -> None:
    """Neither the number nor what a terminal would take for one is in it."""

    async def cash() -> tuple[str, dict[str, Any]]:
        async with Terminal(served.address, table=TABLE) as terminal:
            await terminal.seat()
            paper = await terminal._http("POST", f"/api/tables/{TABLE}/cash-out", {"id": "out-1"})
            return str(terminal.token), paper

    token, paper = asyncio.run(cash())
    status, link = asked(served, token, kind="voucher", number=paper["seq"])
    assert status == 201, link
    data = proven(served, link["path"])
    assert paper["number"].encode() not in data
    assert paper["number"][:10].encode() not in data
    found = json.loads(data)
    [said] = verdicts([Case(data, found["claim"]["policy"])])
    assert said.code == HOLDS
    request = urllib.request.Request(
        f"{served.address}/api/tables/{TABLE}/redeem",
        json.dumps({"number": found["what"]["voucher"]}).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {token}"},
    )
    with pytest.raises(urllib.error.HTTPError, match="4"):
        urllib.request.urlopen(request, timeout=PATIENCE_S)
