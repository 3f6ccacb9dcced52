"""What a ruling awards, over HTTP: a review answered in the patron's favour after the next round, for a seated patron and one who left."""

import asyncio
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.ledger import ADJUSTMENTS
from puntobanco_floor.reports.report import report
from puntobanco_floor.reports.rows import DropRow, GameRow, Report
from puntobanco_floor.store.reader import reading
from tests.support.served import Served, api, asked, cage, open_shift, staff_tokens, with_new_table

CARDS = ("2h", "9s", "3d", "Tc")  # Banker wins, 9 over 5
FLOAT_CENTS = 500_000
IDS = count()


class Floor:
    """A dealer's table of its own, with who works there, and a guest whose wager on Player has lost."""

    def __init__(self, served: Served) -> None:
        self.served = with_new_table(served)
        self.tokens = staff_tokens(served, "dora", "sam", "sue", "carl")
        self.stream = f"table:{served.table}"
        status, found = api(served, "POST", "/api/guest")
        assert status == 201, found
        self.guest, self.session = found["token"], found["session"]
        status, view = api(served, "POST", f"{self.at}/seat", self.guest)
        assert status == 200, view
        self.round = self.play(self._wager)

    @property
    def at(self) -> str:
        return f"/api/tables/{self.served.table}"

    def does(self, who: str, command: str, **fields: Any) -> Any:
        return asked(self.served, self.tokens[who], f"a-{next(IDS)}", command, **fields)[1]

    def done(self, who: str, command: str, **fields: Any) -> Any:
        answer = self.does(who, command, **fields)
        assert answer.get("ok"), answer
        return answer

    def play(self, wager: Any = None) -> int:
        self.done("dora", "open-bets")
        if wager:
            asyncio.run(wager())
        self.done("dora", "close-bets")
        for card in CARDS:
            self.done("dora", "enter-card", card=card)
        self.done("dora", "settle")
        return int(api(self.served, "GET", self.at)[1]["round"])

    async def _wager(self) -> None:
        async with Terminal(
            self.served.address, table=self.served.table, token=self.guest
        ) as terminal:
            assert (await terminal.place("player", 5_000)).ok

    def leave(self) -> None:
        status, left = api(self.served, "POST", f"{self.at}/cash-out", self.guest, {"id": "gone"})
        assert status in (200, 201), left

    def award(self) -> int:
        """A review that the desk asks for and a supervisor answers, after the next round has opened."""
        wants = {"session": self.session, "round": self.round, "complaint": "wrong-result"}
        self.done("carl", "ask-review", **wants)
        self.done("dora", "open-bets")
        answer = {"decision": "corrected", "clause": "3.10", "note": "a card was misread"}
        self.done("sam", "answer-review", review=1, **answer)
        return 1

    def mine(self) -> Any:
        me = api(self.served, "GET", "/api/me", self.guest)[1]
        [view] = [each for each in me["tables"] if each["table"] == self.stream]
        return view

    def pit(self) -> Any:
        board = api(self.served, "GET", "/api/staff/pit", self.tokens["sam"])[1]
        [table] = [each for each in board["tables"] if each["table"] == self.stream]
        return table

    def adjust(self, **more: Any) -> Any:
        wants = {"session": self.session, "round": self.round, "cents": 10_000, "note": "as ruled"}
        return self.does("sam", "adjust", **{**wants, **more})

    def receipt(self, kind: str) -> str:
        """The address of a receipt that the guest takes away."""
        body = {"kind": kind, "number": 0 if kind == "session" else self.round, "bet": "player"}
        status, link = api(self.served, "POST", f"{self.at}/receipts", self.guest, body)
        assert status == 201, link
        return str(link["url"])

    def look_up(self, address: str) -> tuple[int, Any]:
        path, body = "/api/staff/receipts/look-up", {"address": address}
        return api(self.served, "POST", path, self.tokens["carl"], body)

    def report(self) -> Report:
        return report(str(self.served.database), "life", now=int(time.time() * 1000) + 1_000)

    def own_rows(self) -> tuple[list[GameRow], list[DropRow]]:
        found = self.report()
        assert found.ties_out, found.faults
        games = [row for row in found.games if row.table == self.stream]
        return games, [row for row in found.drop if row.table == self.stream]

    def account(self, name: str) -> int:
        with reading(str(self.served.database)) as reader:
            return reader.balances(self.stream).get(name, 0)


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Floor]:
    served = Served(tmp_path)
    yield Floor(served)
    served.stop()


def test_a_seated_patron_is_paid_and_told_and_reports_tie_out(floor: Floor) -> None:
    review = floor.award()
    before, rows = floor.mine()["balance_cents"], floor.own_rows()
    assert floor.does("sam", "reopen", ground="misread-card")["code"] == "not-now"
    [award] = floor.pit()["awards"]
    assert (award["review"], award["seated"], award["referred"]) == (review, True, False)

    proposal = floor.adjust(review=review)["proposal"]
    assert proposal
    assert floor.pit()["awards"] == []
    [waits] = floor.pit()["waiting"]
    facts = {fact["name"]: fact for fact in waits["facts"]}
    assert (facts["Amount"]["cents"], facts["Paid"]["text"]["en"]) == (10_000, "as credits")
    assert (facts["Clause"]["text"]["en"], waits["refused"]) == ("3.10", None)
    assert floor.mine()["balance_cents"] == before
    assert floor.does("sam", "approve", proposal=proposal)["code"] == "second-person-needed"
    floor.done("sue", "approve", proposal=proposal)

    told = floor.mine()
    assert told["balance_cents"] == before + 10_000
    assert told["adjustments"] == [
        {
            "round": floor.round,
            "cents": 10_000,
            "note": "as ruled",
            "review": review,
            "clause": "3.10",
            "direction": "",
        }
    ]
    assert floor.own_rows() == rows, "drop, win and hold are as they were"
    assert floor.account(ADJUSTMENTS) == -10_000
    assert floor.adjust(review=review)["code"] == "adjustment-refused"
    found = floor.report()
    assert [(row.table, row.total_cents) for row in found.adjustments] == [(floor.stream, 10_000)]
    assert audit(floor.served.database).sound


def test_a_patron_who_has_left_is_paid_at_the_cage_and_the_drawer_ties_out(floor: Floor) -> None:
    addresses = [floor.receipt("round"), floor.receipt("wager"), floor.receipt("session")]
    floor.leave()
    review, rows = floor.award(), floor.own_rows()
    proposal = floor.adjust(review=review)["proposal"]
    [waits] = floor.pit()["waiting"]
    assert "a cashier with an open shift approves it" in waits["refused"]["en"]
    assert floor.does("sue", "approve", proposal=proposal)["code"] == "no-open-shift"
    assert floor.does("carl", "approve", proposal=proposal)["code"] == "no-open-shift"
    served, carl = floor.served, floor.tokens["carl"]
    open_shift(served, carl, 1, FLOAT_CENTS)
    [shown] = api(served, "GET", "/api/staff/cage/1", carl)[1]["hand_pays"]
    assert (shown["command"], shown["cents"], shown["session"]) == ("adjust", 10_000, floor.session)
    assert (shown["round"], shown["left"], shown["proposal"]) == (floor.round, True, proposal)
    for address in addresses:
        status, receipt = floor.look_up(address)
        assert (status, receipt["session"]) == (200, floor.session)
        assert receipt["proposals"] == [proposal]
    forged = f"{served.address}/receipt/{'x' * 80}"
    assert floor.look_up(forged)[1]["code"] == "no-such-link"
    floor.done("carl", "approve", proposal=proposal)
    assert floor.look_up(addresses[0])[1]["proposals"] == []
    assert floor.does("carl", "approve", proposal=proposal)["code"] == "unknown-proposal"

    drawer = FLOAT_CENTS - 10_000
    for who, what in (("carl", "count"), ("sam", "confirm")):
        status, answer = cage(served, floor.tokens[who], what, f"c-{what}", cents=drawer)
        assert status == 200, answer
    found = floor.report()
    assert [row.difference_cents for row in found.drawers] == [0]
    assert [(row.table, row.cash_cents) for row in found.adjustments] == [(floor.stream, 10_000)]
    assert floor.own_rows() == rows, "drop, win and hold are as they were"
    assert floor.account(ADJUSTMENTS) == -10_000
    assert audit(floor.served.database).sound


def test_an_inspectors_direction_pays_a_round_without_a_review(floor: Floor) -> None:
    floor.play()
    direction = "letter 7 of the inspector"
    forged = {"session": "T-99:000000000000", "direction": direction}
    assert floor.adjust(**forged)["code"] == "adjustment-refused"
    assert floor.adjust(direction=direction, round=floor.round + 5)["code"] == "no-such-round"
    assert floor.adjust(clause="99", rules="none")["code"] == "adjustment-refused"
    assert "cents" in floor.adjust(cents=0, direction=direction)["reason"]["en"]
    assert (
        floor.does("carl", "adjust", session=floor.session, round=1, cents=1, note="so")["code"]
        == "not-allowed"
    )
    floor.done("sue", "approve", proposal=floor.adjust(direction=direction)["proposal"])
    assert floor.mine()["adjustments"][0]["direction"] == direction
    assert floor.own_rows()
