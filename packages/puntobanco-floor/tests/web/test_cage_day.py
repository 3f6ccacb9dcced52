"""Cash over HTTP: a day with two cashiers and two windows, a large buy-in, a short drawer; a hand pay that waits."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import puntobanco_floor.domain.events as e
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.ledger import HELD
from puntobanco_floor.reports.report import report
from puntobanco_floor.store.reader import reading
from tests.support.patience import wait_until
from tests.support.served import Served, api, asked, login, staff_tokens
from tests.support.staffing import enrol_staff

IDS = map(str, itertools.count(1))


class Crew:
    """The staff of a served floor, each with a token, and what they ask."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.enter()
        made = api(
            served,
            "POST",
            "/api/admin/staff",
            self.tokens["ada"],
            {"name": "cora", "role": "cashier"},
        )[1]
        self.tokens["cora"] = enrol_staff(served, "cora", made["code"])

    def enter(self) -> None:
        self.tokens = staff_tokens(self.served)

    def table(self, who: str, command: str, table: int = 6, **fields: Any) -> dict[str, Any]:
        answer = asked(self.served, self.tokens[who], next(IDS), command, table, **fields)[1]
        assert isinstance(answer, dict)
        return answer

    def cage(self, who: str, window: int, what: str, **fields: Any) -> tuple[int, dict[str, Any]]:
        body = {"id": next(IDS), **fields}
        status, answer = api(
            self.served, "POST", f"/api/staff/cage/{window}/{what}", self.tokens[who], body
        )
        assert isinstance(answer, dict)
        return status, answer

    def window(self, who: str, window: int) -> dict[str, Any]:
        found = api(self.served, "GET", f"/api/staff/cage/{window}", self.tokens[who])[1]
        assert isinstance(found, dict)
        return found

    def guest(self, table: int = 6) -> tuple[str, str, int]:
        """A token, a session that is seated, and its credits."""
        token = api(self.served, "POST", "/api/guest")[1]["token"]
        seat = api(self.served, "POST", f"/api/tables/{table}/seat", token)[1]
        return token, seat["session"], seat["balance_cents"]


@pytest.fixture
def crew(tmp_path: Path) -> Iterator[Crew]:
    served = Served(tmp_path)
    yield Crew(served)
    served.stop()


def figures_in(told: object) -> set[int]:
    """Every whole number in an answer, however deep."""
    if isinstance(told, dict):
        return set().union(*map(figures_in, told.values()))
    if isinstance(told, list):
        return set().union(*map(figures_in, told))
    return {told} if isinstance(told, int) and not isinstance(told, bool) else set()


def test_a_day_at_two_windows(crew: Crew) -> None:
    served = crew.served
    _, session, _ = crew.guest()
    # No cash moves without an open shift, and nobody has two.
    for command in ("buy-in", "load-credits"):
        assert crew.table("carl", command, session=session, cents=5_000)["code"] == "no-open-shift"
    assert crew.table("carl", "cash-out", session=session)["code"] == "no-open-shift"
    assert crew.cage("carl", 1, "open", cents=100_000)[0] == 200
    status, answer = crew.cage("carl", 2, "open", cents=100_000)
    assert (status, answer["code"]) == (409, "window-refused")
    assert "window 1" in answer["reason"]["en"]
    assert crew.cage("cora", 1, "open", cents=1)[1]["code"] == "window-refused"
    assert crew.cage("cora", 2, "open", cents=50_000)[0] == 200

    # Cash counts in one drawer: of who took it, whatever window the asker names.
    assert crew.table("carl", "buy-in", session=session, cents=20_000, window=2, shift=9)["ok"]
    assert crew.table("cora", "buy-in", session=session, cents=7_000)["ok"]
    large = crew.table("carl", "buy-in", session=session, cents=1_200_000)
    assert large["proposal"], "above large_buy_in_cents somebody else looks, too"
    assert crew.table("sam", "approve", proposal=large["proposal"])["ok"]
    _, other, _ = crew.guest()
    assert crew.table("cora", "cash-out", session=other, cents=30_000)["proposal"] == 0
    part = crew.table("cora", "cash-out", session=session, cents=30_000)["proposal"]
    assert part, "a part of a large sum is no small sum"
    assert crew.table("cora", "withdraw-proposal", proposal=part)["ok"]
    status, paper = crew.cage("cora", 2, "sell", cents=4_000)
    assert status == 200
    assert crew.cage("carl", 1, "pay", number=paper["number"])[0] == 200
    expected = {1: 100_000 + 20_000 + 1_200_000 - 4_000, 2: 50_000 + 7_000 - 30_000 + 4_000}

    # Neither count, nor what should be there, is told before both have counted.
    wait_until(lambda: _drawers(served) == expected)
    hidden = {expected[1], 100_000, 1_220_000, expected[1] - 700, expected[1] - 1}
    for told in (crew.window("carl", 1), crew.window("sam", 1)):
        assert not hidden & figures_in(told)
    assert crew.cage("carl", 1, "count", cents=expected[1] - 700)[0] == 200
    status, answer = crew.cage("sam", 1, "confirm", cents=expected[1] - 1)
    assert not hidden & figures_in(answer)
    assert not any(str(figure // 100) in str(answer) for figure in hidden), answer
    after = crew.window("sam", 1)
    assert (after["cashier"], after["counted"], after["closed"]) == ("carl", False, None), (
        "both count again"
    )
    assert not hidden & figures_in(after)
    journal = "/api/staff/audit/streams/cage:1/entries"
    status, refused = api(served, "GET", journal, crew.tokens["sam"])
    assert status == 403, "who may count a drawer reads nothing of it while its shift is open"
    assert not hidden & figures_in(refused)
    status, page = api(served, "GET", journal, crew.tokens["otto"])
    assert status == 200
    [counted] = [row for row in page["rows"] if row["kind"] == "ShiftCounted"]
    record = api(served, "GET", f"{journal}/{counted['seq']}", crew.tokens["otto"])[1]
    assert record["withheld"]
    assert str(expected[1] - 700) not in str(record) + str(counted)

    # Then a drawer is short, and everybody may know by how much.
    assert crew.cage("carl", 1, "count", cents=expected[1] - 700)[0] == 200
    assert crew.table("carl", "buy-in", session=session, cents=100)["code"] == "no-open-shift", (
        "it is being counted"
    )
    assert crew.cage("sam", 1, "confirm", cents=expected[1] - 700)[0] == 200
    closed = crew.window("carl", 1)["closed"]
    assert (closed["counted_cents"], closed["expected_cents"]) == (expected[1] - 700, expected[1])
    assert closed["difference_cents"] == -700
    assert api(served, "GET", journal, crew.tokens["sam"])[0] == 200
    assert crew.cage("cora", 2, "count", cents=expected[2])[0] == 200
    assert crew.cage("carl", 2, "confirm", cents=expected[2])[0] == 200
    assert crew.table("carl", "buy-in", session=session, cents=100)["code"] == "no-open-shift"
    wait_until(
        lambda: crew.cage("carl", 2, "open", cents=0)[0] == 200
    )  # the house has heard that both are free

    found = report(str(served.database), "daily", now=int(time.time() * 1000))
    assert found.ties_out, found.faults
    rows = {
        row.window: (row.cashier, row.second, row.expected_cents, row.difference_cents)
        for row in found.drawers
    }
    assert rows == {
        "cage:1": ("carl", "sam", expected[1], -700),
        "cage:2": ("cora", "carl", expected[2], 0),
    }
    kinds = [
        (event.kind, event.what)
        for event in found.events
        if event.kind in ("drawer", "large buy-in")
    ]
    assert [kind for kind, _ in kinds] == ["large buy-in", "drawer", "drawer"]
    assert "$7 short" in kinds[-1][1]
    assert any("$7 short" in text for text in found.exceptions)
    assert audit(served.database).sound


def _drawers(served: Served) -> dict[int, int]:
    """What should lie in each open drawer, as the journal has it; nobody is told."""
    with reading(str(served.database)) as reader:
        return {
            window: sum(
                _cash(event)
                for _, data in reader.entries(f"cage:{window}")
                for event in read_entry(data).events
            )
            for window in (1, 2)
        }


def _cash(event: e.Event) -> int:
    match event:
        case e.ShiftOpened():
            return event.float_cents
        case e.VoucherSold() | e.CashNoted():
            return event.cents
        case e.VoucherPaid():
            return -event.cents
    return 0


def test_a_six_stars_winner_is_paid_by_hand_rounds_later_at_a_closed_table_after_a_restart(
    crew: Crew,
) -> None:
    """$16,000 asked is $16,000 paid, by whoever has a drawer by then; what was won since stays the patron's."""
    served, table = crew.served, 1  # deals by itself, at default limits
    token, session, credits = crew.guest(table)
    assert crew.cage("carl", 1, "open", cents=5_000_000)[0] == 200
    bought = crew.table("carl", "buy-in", table, session=session, cents=1_600_000 - credits)
    assert crew.table("sam", "approve", table, proposal=bought["proposal"])["ok"]
    status, problem = api(
        served, "POST", f"/api/tables/{table}/cash-out", token, {"id": "too-much"}
    )
    assert (status, problem["code"]) == (409, "hand-pay-needed")
    number = crew.table("carl", "cash-out", table, session=session)["proposal"]
    assert number
    assert api(served, "GET", f"/api/tables/{table}/session", token)[0] in (200, 404)

    rounds = api(served, "GET", f"/api/tables/{table}")[1]["round"]
    wait_until(lambda: api(served, "GET", f"/api/tables/{table}")[1]["round"] >= rounds + 3)
    [waits] = crew.window("sam", 1)["hand_pays"]
    assert (waits["proposal"], waits["cents"], waits["by"]) == (number, 1_600_000, "carl")
    over = {"code": "play-ends", "values": []}
    assert crew.table("sam", "halt-table", table, reason=over, closes=True)["ok"]
    wait_until(lambda: api(served, "GET", f"/api/tables/{table}")[1]["phase"] == "down")

    served.kill()
    served.start()
    crew.enter()
    crew.tokens["cora"] = login(served, "cora", "own words of cora")
    [waits] = crew.window("sam", 1)["hand_pays"]
    assert waits["cents"] == 1_600_000
    # carl goes home; cora, who has a drawer, approves and pays.
    count = 5_000_000 + 1_600_000 - credits
    assert crew.cage("carl", 1, "count", cents=count)[0] == 200
    assert crew.cage("sam", 1, "confirm", cents=count)[0] == 200
    assert crew.table("sam", "approve", table, proposal=number)["code"] == "no-open-shift"
    wait_until(lambda: crew.cage("cora", 1, "open", cents=2_000_000)[0] == 200)
    assert crew.table("cora", "approve", table, proposal=number)["ok"]
    with reading(str(served.database)) as reader:
        balances = reader.balances(f"table:{table}")
    assert balances.get(HELD, 0) == 0
    assert balances.get(f"session:{session}", 0) == 0
    wait_until(
        lambda: _drawers(served)[1] == 5_000_000 + 1_600_000 - credits + 2_000_000 - 1_600_000
    )
    found = report(str(served.database), "daily", now=int(time.time() * 1000))
    assert found.ties_out, found.faults
    assert [event.what for event in found.events if event.kind == "hand pay"] == [
        f"$16,000 to {session}; asked by carl, approved by cora"
    ]
    assert audit(served.database).sound
