"""Moves over HTTP: a guest goes with all credits to another table, asks again, and is told why where that cannot be."""

import pytest

from tests.support.served import Served, api, asked, staff_tokens


def guest(served: Served, table: int) -> str:
    token: str = api(served, "POST", "/api/guest")[1]["token"]
    status, seat = api(served, "POST", f"/api/tables/{table}/seat", token)
    assert (status, seat["balance_cents"]) == (200, 100_000)
    return token


def seats(served: Served, token: str) -> dict[str, int]:
    tables = api(served, "GET", "/api/me", token)[1]["tables"]
    return {seat["table"]: seat["balance_cents"] for seat in tables}


def test_all_credits_go_along_once_however_often_it_is_asked(served: Served) -> None:
    token = guest(served, 1)
    wanted = {"id": "move-1", "to": 2}
    for _ in range(3):
        status, there = api(served, "POST", "/api/tables/1/move", token, wanted)
        assert (status, there["table"], there["balance_cents"]) == (200, "table:2", 100_000)
        assert (there["seated"], there["net_cents"], there["moving_to"]) == (True, 0, "")
    assert seats(served, token) == {"table:2": 100_000}
    status, again = api(served, "POST", "/api/tables/2/seat", token)
    assert (status, again["balance_cents"]) == (200, 100_000), (
        "no play credits for who brought some"
    )
    status, back = api(served, "POST", "/api/tables/2/move", token, {"id": "move-1", "to": 1})
    assert (status, back["table"]) == (200, "table:1"), "at another table it is another move"
    assert seats(served, token) == {"table:1": 100_000}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"id": "same", "to": 1}, "move-refused"),
        ({"id": "nowhere", "to": 999}, "no-such-table"),
    ],
)
def test_what_cannot_be_is_refused_and_nothing_moves(
    served: Served, body: dict[str, object], code: str
) -> None:
    token = guest(served, 1)
    status, problem = api(served, "POST", "/api/tables/1/move", token, body)
    assert status in (404, 409, 422)
    assert problem["code"] == code
    assert problem["reason"]["zh"] != problem["reason"]["en"]
    assert seats(served, token) == {"table:1": 100_000}


def test_a_table_that_is_stopped_takes_nobody(served: Served) -> None:
    token, pit = guest(served, 1), staff_tokens(served)["sam"]
    cause = {"code": "cards-checked", "values": []}
    assert asked(served, pit, "halt", "halt-table", 6, reason=cause)[1]["ok"]
    status, problem = api(served, "POST", "/api/tables/1/move", token, {"id": "halted", "to": 6})
    assert asked(served, pit, "restart", "restart-table", 6)[1]["ok"]
    assert (status, problem["code"]) == (409, "not-moved")
    assert problem["reason"]["en"] == "that table opens no round now"
    assert seats(served, token) == {"table:1": 100_000}


def test_who_has_credits_does_not_leave_them_behind(served: Served) -> None:
    token = guest(served, 1)
    status, problem = api(served, "POST", "/api/tables/1/leave", token)
    assert (status, problem["code"]) == (409, "in-play")
    assert api(served, "POST", "/api/tables/1/cash-out", token, {"id": "out"})[0] == 200
    status, problem = api(served, "POST", "/api/tables/1/leave", token)
    assert (status, problem["code"]) == (409, "not-seated")


def test_nobody_moves_another_or_without_a_session(served: Served) -> None:
    guest(served, 1)
    assert api(served, "POST", "/api/tables/1/move", "", {"id": "x", "to": 2})[0] == 401
    assert api(served, "POST", "/api/tables/1/leave")[0] == 401
    stranger: str = api(served, "POST", "/api/guest")[1]["token"]
    status, problem = api(served, "POST", "/api/tables/1/move", stranger, {"id": "x", "to": 2})
    assert (status, problem["code"]) == (409, "not-seated")


def test_staff_give_no_step_of_a_move(served: Served) -> None:
    pit = staff_tokens(served)["sam"]
    steps: dict[str, dict[str, object]] = {
        "reserve-move": {"session": "x", "move": "m", "to": "table:2"},
        "settle-move": {"session": "x", "move": "m"},
        "return-move": {
            "session": "x",
            "move": "m",
            "reason": {"code": "move-too-late", "values": []},
        },
    }
    for name, fields in steps.items():
        assert asked(served, pit, name, name, 1, **fields)[0] == 403
