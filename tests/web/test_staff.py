"""Staff: logins, roles, and a dealer's whole round over HTTP."""

import json
from typing import Any

import msgspec
import pytest

from puntobanco.floor.staff import MAY, ROLES, LoginRefused, NotAllowed, Role, Staff
from puntobanco.table import commands as c
from tests.table.test_phases import WELL_FORMED
from tests.web.conftest import Served
from tests.web.test_floor import http


def asked(served: Served, token: str, id_: str, command: str, table: int = 6, **fields: Any) -> tuple[int, Any]:
    body = json.dumps({"id": id_, "command": {"command": command, **fields}}).encode()
    path = f"/api/staff/tables/{table}/commands"
    status, _, data = http(
        served, "POST", path, body=body, Authorization=f"Bearer {token}", Content_Type="application/json"
    )
    return status, json.loads(data)


@pytest.fixture(scope="module")
def tokens(served: Served) -> dict[str, str]:
    """The passwords that the server printed once."""
    lines = (served.folder / "log").read_text().splitlines()
    found = {}
    for line in lines:
        words = line.split()
        if len(words) == 3 and words[1] in ROLES:
            body = json.dumps({"name": words[0], "password": words[2]}).encode()
            status, _, data = http(served, "POST", "/api/staff/login", body=body, Content_Type="application/json")
            assert status == 200
            found[words[0]] = json.loads(data)["token"]
    assert set(found) == {"dora", "sam", "sue", "carl"}
    return found


def test_a_dealer_runs_a_round_and_two_supervisors_void_the_next(served: Served, tokens: dict[str, str]) -> None:
    dora, sam, sue = tokens["dora"], tokens["sam"], tokens["sue"]
    steps: list[tuple[str, str, dict[str, Any]]] = [
        (dora, "open-bets", {}), (dora, "close-bets", {}), *((dora, "enter-card", {"card": x}) for x in ("9s", "2h", "8d", "4c")),
        (dora, "settle", {}), (dora, "open-bets", {}), (dora, "close-bets", {}),
        (dora, "declare-irregularity", {"ground": "foreign-card"}), (sam, "void-round", {}),
    ]  # fmt: skip
    for n, (who, command, fields) in enumerate(steps):
        status, answer = asked(served, who, f"step-{n}", command, **fields)
        assert (status, answer["ok"]) == (200, True), answer
    own = asked(served, sam, "own", "approve", proposal=answer["proposal"])[1]
    assert own["code"] == "second-person-needed"
    assert asked(served, sue, "other", "approve", proposal=answer["proposal"])[1]["ok"]
    table = json.loads(http(served, "GET", "/api/tables/6")[2])
    assert (table["phase"], table["round"], table["results"]) == ("void", 2, ["P"])


def test_who_asks_is_who_is_logged_in(served: Served, tokens: dict[str, str]) -> None:
    status, answer = asked(served, tokens["carl"], "as-sam", "approve", proposal=1, by="sam")
    assert status == 200
    assert answer["code"] == "unknown-proposal"
    assert asked(served, "nobody", "x", "settle")[0] == 401
    assert asked(served, tokens["dora"], "y", "nothing")[0] == 400
    assert asked(served, tokens["dora"], "z", "settle", table=99)[0] == 404


def test_every_role_and_command_over_the_wire(served: Served, tokens: dict[str, str]) -> None:
    """Each cell of the matrix: refused with 403 exactly where it is empty."""
    names: dict[Role, str] = {"dealer": "dora", "supervisor": "sam", "cashier": "carl"}
    for role, name in names.items():
        for kind in c.COMMANDS:
            fields = msgspec.to_builtins(WELL_FORMED[kind.name()])
            del fields["by"], fields["command"]
            status, _ = asked(served, tokens[name], f"{role}-{kind.name()}", kind.name(), table=5, **fields)
            assert (status == 403) == (kind not in MAY[role]), f"{role} {kind.name()}: {status}"


def test_three_wrong_tries_lock() -> None:
    staff = Staff()
    password = staff.add("dora", "dealer")
    for _ in range(3):
        with pytest.raises(LoginRefused):
            staff.login("dora", "wrong")
    with pytest.raises(LoginRefused, match="locked"):
        staff.login("dora", password)
    assert password not in repr(staff.people)


def test_a_dealer_who_is_idle_for_five_minutes_logs_in_again() -> None:
    clock = [0.0]
    staff = Staff(now=lambda: clock[0])
    token = staff.login("dora", staff.add("dora", "dealer"))
    clock[0] = 299
    assert staff.person(token).name == "dora"
    clock[0] = 599
    with pytest.raises(LoginRefused):
        staff.person(token)


def test_what_is_not_listed_is_denied() -> None:
    staff = Staff()
    staff.add("carl", "cashier")
    with pytest.raises(NotAllowed):
        staff.verify(staff.people["carl"], c.Settle(by="carl"))
    assert set(MAY) == set(ROLES)
