"""Keys rotated while a floor is served: what was made before stays good, or ends as it should."""

from collections.abc import Iterator

import pytest

from puntobanco_floor.client import enrol
from puntobanco_floor.journal.key_files import PURPOSES, Purpose
from puntobanco_floor.store.open_store import open_store
from tests.support.patience import wait_until
from tests.support.served import Served, api, cage, open_shift, passwords_of, staff_tokens


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A floor whose keys no other test has rotated."""
    found = Served(tmp_path_factory.mktemp("rotated"))
    yield found
    found.stop()


def rotate(served: Served, *purposes: Purpose) -> None:
    """As the command line does it: another process at the same database."""
    with open_store(str(served.database), clock=False) as store:
        store.rotate_keys(purposes or PURPOSES)


def guest(served: Served) -> str:
    return str(api(served, "POST", "/api/guest")[1]["token"])


def cashed_out(served: Served, token: str, id_: str) -> str:
    status, paper = api(served, "POST", "/api/tables/6/cash-out", token, {"id": id_})
    assert status == 200, paper
    return str(paper["number"])


def test_what_was_made_with_older_keys_while_the_floor_is_served(fresh: Served) -> None:
    served = fresh
    tokens = staff_tokens(served, "ada", "carl")
    ada, carl = tokens["ada"], tokens["carl"]
    body = {"name": "T1", "table": 0}
    code = api(served, "POST", "/api/admin/terminals", ada, body)[1]["secret"]
    ann, ben, col = (guest(served) for _ in range(3))
    for token in (ann, ben, col):
        assert api(served, "POST", "/api/tables/6/seat", token)[0] == 200
    open_shift(served, carl, 1)
    numbers = [cashed_out(served, ann, "a1"), cashed_out(served, ben, "b1")]
    sold = cage(served, carl, "sell", "s1", cents=5_000)[1]["number"]

    rotate(served)
    key = enrol(served.address, code)
    assert api(served, "GET", "/api/staff/me", ada)[0] == 200
    again = [cashed_out(served, ann, "a1"), cashed_out(served, ben, "b1")]
    assert again == numbers, "asked again, it is the same voucher"
    assert cage(served, carl, "sell", "s1", cents=5_000)[1]["number"] == sold
    assert cashed_out(served, col, "c1") not in numbers
    looked = api(served, "POST", "/api/staff/vouchers/look-up", carl, {"number": sold})[1]
    assert (looked["state"], looked["cents"]) == ("valid", 5_000)
    assert cage(served, carl, "pay", "p1", number=sold)[0] == 200
    assert cage(served, carl, "pay", "p1", number=sold)[0] == 200
    looked = api(served, "POST", "/api/staff/vouchers/look-up", carl, {"number": sold})[1]
    assert looked["state"] == "redeemed"

    rotate(served)
    # the key that made it is replaced
    wait_until(lambda: api(served, "GET", "/api/me", ann)[0] == 401)
    assert api(served, "GET", "/api/staff/me", ada)[0] == 401
    assert staff_tokens(served, "ada"), "passwords stay"
    status, _ = api(served, "POST", "/api/session", key, {})
    assert status == 200, "a terminal stays enrolled"
    new = guest(served)
    status, answer = api(served, "POST", "/api/tables/6/redeem", new, {"number": numbers[0]})
    assert status == 200, answer
    status, answer = api(served, "POST", "/api/tables/6/redeem", new, {"number": numbers[0]})
    assert status == 409, "once"

    before = passwords_of(served)
    served.stop()
    served.start()
    assert passwords_of(served) == before, "a demonstration prints the passwords that it has"
