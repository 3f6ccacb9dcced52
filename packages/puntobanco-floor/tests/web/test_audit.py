"""The inspector's part of the API: who may look, rounds told again, and a changed byte that is found."""

import asyncio
import csv
import io
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from puntobanco_floor.client import Terminal
from puntobanco_floor.evidence.pack_verifier import verify_pack
from puntobanco_floor.views.table_view import CorrectedView, Recall
from tests.support.http import http
from tests.support.patience import PATIENCE_S
from tests.support.rounds import three_rounds
from tests.support.served import Served, api, rewritten, staff_tokens

ROOT = "/api/staff/audit"


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[str, str]:
    return staff_tokens(served)


def get(served: Served, token: str, path: str) -> Any:
    status, found = api(served, "GET", ROOT + path, token)
    assert status == 200, found
    return found


@pytest.fixture(scope="module")
def rounds(served: Served, tokens: dict[str, str]) -> tuple[int, int, int]:
    return three_rounds(served, tokens)


def test_only_inspectors_look(served: Served, tokens: dict[str, str]) -> None:
    paths = (
        "/streams",
        "/streams/table:6/entries",
        "/streams/table:6/entries/1",
        "/tables/6/rounds/1",
        "/verify",
    )
    for path in paths:
        for name in ("dora", "carl"):
            assert api(served, "GET", ROOT + path, tokens[name])[0] == 403
        assert api(served, "GET", ROOT + path)[0] == 401
    assert api(served, "POST", f"{ROOT}/verify", tokens["dora"])[0] == 403
    assert (
        http(served, "GET", f"{ROOT}/streams/floor/csv", Authorization=f"Bearer {tokens['dora']}")[
            0
        ]
        == 403
    )


def test_what_is_not_there_is_said(served: Served, tokens: dict[str, str]) -> None:
    for path in (
        "/streams/table:77/entries",
        "/streams/table:6/entries/999999",
        "/tables/77/rounds/1",
    ):
        assert api(served, "GET", ROOT + path, tokens["otto"])[0] == 404, path
    assert (
        api(served, "GET", f"{ROOT}/tables/6/rounds/99999", tokens["otto"])[1]["code"]
        == "no-such-round"
    )
    assert api(served, "GET", f"{ROOT}/tables/6/rounds/99999/pack", tokens["otto"])[0] == 404
    assert api(served, "GET", f"{ROOT}/streams/nothing/entries", tokens["otto"])[0] == 400


def test_the_journal_is_paged_newest_first_and_filtered(
    served: Served, tokens: dict[str, str], rounds: tuple[int, int, int]
) -> None:
    otto = tokens["otto"]
    page = get(served, otto, "/streams/table:6/entries?limit=5")
    assert [row["seq"] for row in page["rows"]] == list(range(page["last"], page["last"] - 5, -1))
    older = get(served, otto, f"/streams/table:6/entries?limit=5&before={page['before']}")
    assert older["rows"][0]["seq"] == page["rows"][-1]["seq"] - 1
    first = get(served, otto, "/streams/table:6/entries?before=3")
    assert ([row["seq"] for row in first["rows"]], first["before"]) == ([2, 1], None)
    cards = get(served, otto, f"/streams/table:6/entries?group=cards&round={rounds[0]}")["rows"]
    assert [row["kind"] for row in cards] == ["CardDealt"] * 4
    assert all(row["clause"] and row["round"] == rounds[0] for row in cards)
    [void] = get(served, otto, f"/streams/table:6/entries?text=VOID&round={rounds[1]}")["rows"]
    assert (void["kind"], void["group"], void["command"]) == ("RoundVoided", "decisions", "approve")
    by_clause = get(served, otto, f"/streams/table:6/entries?clause={void['clause']}")["rows"]
    assert void["seq"] in [row["seq"] for row in by_clause]


def test_an_entry_is_shown_with_the_chain_around_it(served: Served, tokens: dict[str, str]) -> None:
    raw = get(served, tokens["otto"], "/streams/table:6/entries/2")
    assert raw["agrees"]
    assert (raw["prev"], raw["hash"]) == (raw["before_hash"], raw["next_prev"])
    assert raw["hash"] in get(served, tokens["otto"], "/streams/table:6/entries/3")["raw"]


def test_secrets_and_undealt_cards_are_told_to_nobody(
    served: Served, tokens: dict[str, str]
) -> None:
    otto = tokens["otto"]
    rows = get(served, otto, "/streams/floor/entries?limit=500&text=StaffAdded")["rows"]
    assert rows
    raw = get(served, otto, f"/streams/floor/entries/{rows[0]['seq']}")
    assert raw["withheld"]
    exported = http(served, "GET", f"{ROOT}/streams/floor/csv", Authorization=f"Bearer {otto}")[
        2
    ].decode()
    for text in (str(rows), raw["raw"], exported):
        assert "argon2" not in text
    started = get(served, otto, "/streams/table:1/entries?text=ShoeStarted")["rows"]
    raw = get(served, otto, f"/streams/table:1/entries/{started[0]['seq']}")
    assert '"commitment":"' in raw["raw"]
    assert '"order"' not in raw["raw"]


def test_a_settled_round_is_told_again(
    served: Served, tokens: dict[str, str], rounds: tuple[int, int, int]
) -> None:
    told = get(served, tokens["otto"], f"/tables/6/rounds/{rounds[0]}")
    assert (told["state"], told["result"], told["table"]) == ("settled", "B", "table:6")
    cards = [
        (r["slot"], r["cards"][r["slot"]], bool(r["why"])) for r in told["records"] if r["slot"]
    ]
    assert cards == [("p1", "2h", True), ("b1", "9s", True), ("p2", "3d", True), ("b2", "Tc", True)]
    assert all(check["agrees"] for check in told["checks"])
    [winner] = [check for check in told["checks"] if check["what"]["en"] == "Winner"]
    assert (winner["expected"]["en"], winner["recorded"]["en"]) == (
        "Banker 9 over 5",
        "Banker 9 over 5",
    )
    [settled] = told["outcomes"]
    lines = {
        line["bet"]: (line["outcome"], line["paid_cents"], line["agrees"])
        for line in settled["lines"]
    }
    assert lines == {
        "banker": ("wins", 4_000, True),
        "tie": ("loses", 0, True),
        "player": ("loses", 0, True),
    }
    assert [line["pays"] and line["pays"]["en"] for line in settled["lines"]] == [
        "1 to 1",
        None,
        None,
    ]
    [funds] = told["funds"]
    assert (funds["before_cents"], funds["after_cents"]) == (100_000, 100_000)
    assert told["records"][-1]["postings"], "the settlement moves money"
    for record in told["records"]:
        assert sum(posting["cents"] for posting in record["postings"]) == 0


def test_a_void_names_both_people_and_a_correction_both_hands(
    served: Served, tokens: dict[str, str], rounds: tuple[int, int, int]
) -> None:
    void = get(served, tokens["otto"], f"/tables/6/rounds/{rounds[1]}")
    assert (void["state"], void["result"]) == ("void", "VOID")
    [approval] = void["approvals"]
    assert (approval["asked_by"], approval["decided_by"], approval["approved"]) == (
        "sam",
        "sue",
        True,
    )
    assert [check["agrees"] for check in void["checks"]] == [True, True, True]
    assert {(line["outcome"], line["returned_cents"]) for line in void["outcomes"][0]["lines"]} == {
        ("void", 2_000),
        ("void", 1_000),
    }
    fixed = get(served, tokens["otto"], f"/tables/6/rounds/{rounds[2]}")
    [correction] = fixed["corrections"]
    assert (correction["original"], correction["corrected"]) == (
        ["2h", "9s", "3d", "9c"],
        ["2h", "9s", "3d", "Tc"],
    )
    assert fixed["state"] == "settled"


def test_a_patron_sees_the_cards_as_they_lay_and_that_one_was_corrected(
    served: Served, rounds: tuple[int, int, int]
) -> None:
    """Not the card that was misread, which the journal tells first."""

    async def recalled() -> Recall:
        async with Terminal(served.address, table=6) as terminal:
            await terminal.seat()
            return await terminal.recall(rounds[2])

    with ThreadPoolExecutor(1) as apart:
        found = apart.submit(asyncio.run, recalled()).result()
    assert [draw.card for draw in found.cards] == ["2h", "9s", "3d", "Tc"]
    assert found.corrected == [CorrectedView(slot="b2", before="9c", after="Tc")]
    assert (found.reconstructed, found.reopened) == (None, None)
    assert found.cards[3].why.zh == "莊第二張牌"


def test_files_to_take_away(
    served: Served, tokens: dict[str, str], rounds: tuple[int, int, int], tmp_path: Any
) -> None:
    bearer = f"Bearer {tokens['otto']}"
    status, headers, text = http(
        served,
        "GET",
        f"{ROOT}/streams/table:6/csv?first={rounds[0]}&last={rounds[1]}",
        Authorization=bearer,
    )
    rows = list(csv.DictReader(io.StringIO(text.decode())))
    assert (status, {row["round"] for row in rows} - {""}) == (
        200,
        {str(rounds[0]), str(rounds[1])},
    )
    assert "attachment" in headers["content-disposition"]
    status, _, content = http(
        served, "GET", f"{ROOT}/tables/6/rounds/{rounds[0]}/pack", Authorization=bearer
    )
    assert status == 200
    zipfile.ZipFile(io.BytesIO(content)).extractall(tmp_path)
    verdict = verify_pack(tmp_path)
    assert verdict.sound, verdict.fault


def verified(served: Served, token: str) -> Any:
    assert api(served, "POST", f"{ROOT}/verify", token)[0] == 200
    until = time.monotonic() + PATIENCE_S
    while (found := get(served, token, "/verify"))["running"]:
        assert time.monotonic() < until
        time.sleep(0.1)
    return found


def test_a_changed_byte_is_found_with_both_hashes(
    served: Served, tokens: dict[str, str], rounds: tuple[int, int, int]
) -> None:
    otto = tokens["otto"]
    found = verified(served, otto)
    assert (found["ran"], found["fault"], found["bad"], found["by"]) == (True, "", None, "otto")
    assert found["entries"] == found["total"] > 50
    told = get(served, otto, f"/tables/6/rounds/{rounds[0]}")
    seq = next(r["row"]["seq"] for r in told["records"] if r["slot"] == "p2")
    before = get(served, otto, f"/streams/table:6/entries/{seq}")["hash"]
    data = rewritten(served.database, "table:6", seq, lambda data: data.replace(b"3d", b"4d"))
    try:
        found = verified(served, otto)
        assert found["fault"].startswith(f"table:6 entry {seq}")
        assert (found["bad"]["stream"], found["bad"]["seq"]) == ("table:6", seq)
        assert found["bad"]["expected"] == before != found["bad"]["found"]
        assert not get(served, otto, f"/streams/table:6/entries/{seq}")["agrees"]
        status, problem = api(served, "GET", f"{ROOT}/tables/6/rounds/{rounds[0]}", otto)
        assert (status, problem["code"]) == (409, "not-told")
    finally:
        rewritten(served.database, "table:6", seq, lambda _: data)
    assert verified(served, otto)["fault"] == ""
