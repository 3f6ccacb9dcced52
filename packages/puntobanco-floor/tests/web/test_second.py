"""A second person at somebody else's console: name and PIN for one decision, and who counts a drawer counts blind."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.support.served import Served, api, open_shift, passwords_of, staff_tokens, with_new_table
from tests.support.staffing import enrol_staff

PIN = "2580"
OTHER_PIN = "1379"


OWN = dict[str, str]()
"""The logins, each made once: those of sam, sue and carl with a PIN."""


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("second"))
    for name, pin in (("sam", PIN), ("sue", OTHER_PIN), ("carl", PIN)):
        OWN[name] = enrol_staff(found, name, passwords_of(found)[name], pin=pin)
    OWN.update(staff_tokens(found, "dora", "otto"))
    yield found
    found.stop()


@pytest.fixture
def floor(served: Served) -> Served:
    return with_new_table(served)


def second(floor: Served, id_: str, name: str, pin: str, *commands: dict[str, Any]) -> Any:
    """At the console of dora, a dealer."""
    body = {"id": id_, "name": name, "pin": pin, "commands": list(commands)}
    return api(floor, "POST", f"/api/staff/tables/{floor.table}/second", OWN["dora"], body)


NEW_SHOE = {"command": "new-shoe", "dealing": "physical", "decks": 8, "cut": 14}


def shoe(floor: Served) -> Any:
    return api(floor, "GET", f"/api/tables/{floor.table}")[1]["shoe"]


def test_one_pin_ends_a_shoe_and_puts_on_the_next(floor: Served) -> None:
    before = shoe(floor)
    status, answer = second(floor, "a", "sam", PIN, {"command": "end-shoe"}, NEW_SHOE)
    assert (status, answer["ok"]) == (200, True), answer
    assert shoe(floor) == before + 1
    again = second(floor, "a", "sam", PIN, {"command": "end-shoe"}, NEW_SHOE)[1]
    assert (again["ok"], shoe(floor)) == (True, before + 1), "the same ids have one effect"


def test_what_is_refused_first_ends_it(floor: Served) -> None:
    before = shoe(floor)
    status, answer = second(floor, "b", "sam", PIN, NEW_SHOE, {"command": "end-shoe"})
    assert (status, answer["ok"], answer["code"]) == (200, False, "shoe-refused")
    assert shoe(floor) == before


def test_a_proposal_is_approved_by_somebody_else_with_a_role_for_it(floor: Served) -> None:
    burn = {"command": "burn-cards", "unseen": 1, "detail": "it fell"}
    path = f"/api/staff/tables/{floor.table}/commands"
    proposal = api(floor, "POST", path, OWN["dora"], {"id": "c", "command": burn})[1]["proposal"]
    approve = {"command": "approve", "proposal": proposal}
    status, own = second(floor, "d", "dora", PIN, approve)
    assert (status, own["code"]) == (409, "second-person-needed")
    status, cashier = second(floor, "e", "carl", PIN, approve)
    assert (status, cashier["code"]) == (403, "not-allowed")
    assert second(floor, "f", "sam", PIN, approve)[1]["ok"]


def test_a_name_without_a_pin_and_a_wrong_one_are_answered_alike_and_three_wrong_ones_wait(
    floor: Served,
) -> None:
    wrong = [second(floor, f"g{n}", "ada", "1111", NEW_SHOE) for n in range(1)]
    wrong += [second(floor, f"h{n}", "sue", "1111", NEW_SHOE) for n in range(3)]
    wrong.append(second(floor, "i", "sue", OTHER_PIN, NEW_SHOE))  # right, and too late
    assert {(status, answer["code"]) for status, answer in wrong} == {(403, "pin-refused")}
    assert len({answer["reason"]["en"] for _, answer in wrong}) == 1
    assert api(floor, "GET", "/api/staff/me", OWN["dora"])[0] == 200, "the console stays logged in"


def test_nobody_without_a_login_tries_pins(floor: Served) -> None:
    body = {"id": "j", "name": "sam", "pin": PIN, "commands": [NEW_SHOE]}
    assert api(floor, "POST", f"/api/staff/tables/{floor.table}/second", "", body)[0] == 401


def test_who_may_count_a_drawer_reads_nothing_of_it_while_its_shift_is_open(
    served: Served,
) -> None:
    sam, otto, carl = OWN["sam"], OWN["otto"], OWN["carl"]
    open_shift(served, carl, 7, 40_000)
    sold = {"id": "k", "cents": 23_500}
    assert api(served, "POST", "/api/staff/cage/7/sell", carl, sold)[0] == 200
    root = "/api/staff/audit/streams/cage:7"
    for path in (f"{root}/entries", f"{root}/entries/1", f"{root}/csv"):
        status, answer = api(served, "GET", path, sam)
        assert (status, answer["code"]) == (403, "counts-blind"), path
    told = api(served, "GET", f"{root}/entries", otto)[1]["rows"]
    assert any("$235" in row["says"]["en"] for row in told), "an auditor counts nothing"
    for who, act in ((carl, "count"), (sam, "confirm")):
        body = {"id": f"l-{act}", "cents": 63_500}
        status, answer = api(served, "POST", f"/api/staff/cage/7/{act}", who, body)
        assert (status, answer["ok"]) == (200, True), answer
    assert api(served, "GET", f"{root}/entries", sam)[0] == 200
