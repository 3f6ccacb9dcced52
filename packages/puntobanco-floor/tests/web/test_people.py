"""A person is one person: accounts that their owners enrol, second factors, PINs, and tries that lock nobody else out."""

import asyncio
import json
import time
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from websockets.asyncio.client import connect

from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.house.state import WRONG_TRIES, HouseState
from puntobanco_floor.domain.refusals import EnrolmentRefused
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.passwords import STEP_S, code_of
from puntobanco_floor.service.refusals import LoginRefused, PinNeeded
from puntobanco_floor.service.staff_logins import (
    FIRST_S,
    FORGOTTEN_S,
    FRESH_S,
    LONGEST_S,
    MOST_LOCKS,
    REFUSED_S,
    Enrolment,
    LoginLocks,
)
from puntobanco_floor.service.tickets import TICKET_LIVES_MS, Tickets
from puntobanco_floor.web.request import Caller, is_use
from tests.support.served import Served, api
from tests.support.staffing import (
    enrol_staff,
    given_code,
    login_real,
    one_time,
    posted,
    second_file,
    second_person,
    staffed,
)
from tests.web.test_house import command, enrolled, init_house
from tests.web.test_staff import Door

FIRST = "long enough words"
VERIFIER = f"{'0' * 8}$argon2id$v=19$m=8,t=1,p=1${'x' * 22}${'y' * 43}"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("people")
    database = folder / "floor.db"
    init_house(database)
    command(database, "table", "add", "1", "fortune-six", "--dealer")
    found = Served(folder, "--host", "127.0.0.1", "--cards-only")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def root(real: Served) -> str:
    return login_real(real, "admin", FIRST)


def test_one_administrator_is_not_two_people(real: Served, root: str) -> None:
    """V5: he made accounts of any role, saw their passwords, and approved with one what another proposed."""
    status, made = api(
        real, "POST", "/api/admin/staff", root, {"name": "alt", "role": "supervisor"}
    )
    assert (status, set(made)) == (201, {"name", "code", "proposal"})
    for shown in (made["code"], f"{made['code']} {made['code']}", ""):
        body = {"name": "alt", "shown": shown}
        assert api(real, "POST", "/api/staff/enrol/begin", body=body)[0] in (401, 409)
    path = f"/api/admin/proposals/{made['proposal']}/agree"
    assert api(real, "POST", path, root)[1]["code"] == "second-person-needed"
    raw = {"command": "add-staff", "person": "alt2", "role": "supervisor", "verifier": VERIFIER}
    answer = api(real, "POST", "/api/staff/house/commands", root, {"id": "raw", "command": raw})[1]
    assert answer["code"] == "own-password"
    raw = {"command": "agree", "proposal": made["proposal"], "code": "x" * 40}
    answer = api(real, "POST", "/api/staff/house/commands", root, {"id": "own", "command": raw})[1]
    assert answer["code"] == "second-person-needed"
    assert "alt" not in [row["name"] for row in api(real, "GET", "/api/admin/staff", root)[1]]
    body = {"reason": "nobody knows alt"}
    path = f"/api/admin/proposals/{made['proposal']}/turn-down"
    assert api(real, "POST", path, second_person(real), body)[0] == 204


def test_the_two_who_made_an_account_recover_its_factor_and_are_not_three_people(
    real: Served, root: str
) -> None:
    """From the new code on its owner is out; half a code enrols nobody; and nothing is asked or approved in its name."""
    owner = staffed(real, root, "cleo", "administrator")
    status, asked_for = api(
        real, "POST", "/api/admin/staff", owner, {"name": "nina", "role": "dealer"}
    )
    assert status == 201
    status, made = api(real, "POST", "/api/admin/staff/cleo", root, {"new_code": True})
    assert (status, bool(made["proposal"])) == (200, True), made
    for alone in (root, owner):
        path = f"/api/admin/proposals/{made['proposal']}/agree"
        assert api(real, "POST", path, alone)[1]["code"] == "second-person-needed"
    assert api(real, "GET", "/api/staff/me", owner)[0] == 200, "nothing is changed by one"
    code = given_code(real, made)
    assert api(real, "GET", "/api/staff/me", owner)[0] == 401
    body = {"name": "cleo", "password": "own words of cleo", "one_time": one_time(real, "cleo")}
    assert posted(real, "/api/staff/login", body)[0] in (401, 409)
    begin = {"name": "cleo", "shown": made["code"]}
    assert posted(real, "/api/staff/enrol/begin", begin)[0] in (401, 409)
    path = f"/api/admin/proposals/{asked_for['proposal']}/agree"
    status, refused = api(real, "POST", path, second_person(real))
    assert (status, refused["code"]) == (409, "second-person-needed")
    assert enrol_staff(real, "cleo", code, "other words of cleo")


def test_the_first_password_of_an_administrator_is_changed_at_the_first_login(
    real: Served, root: str
) -> None:
    assert api(real, "GET", "/api/staff/me", root)[1]["name"] == "admin"
    given = {"name": "admin", "password": FIRST, "one_time": one_time(real, "admin")}
    assert api(real, "POST", "/api/staff/login", body=given)[0] == 401, "it is worth nothing now"


def test_a_role_with_a_second_factor_does_not_log_in_without(real: Served, root: str) -> None:
    staffed(real, root, "sal", "supervisor")
    right = {"name": "sal", "password": "own words of sal"}
    assert api(real, "POST", "/api/staff/login", body=right)[0] == 401
    assert api(real, "POST", "/api/staff/login", body={**right, "one_time": "000000"})[0] == 401
    code = one_time(real, "sal")
    assert api(real, "POST", "/api/staff/login", body={**right, "one_time": code})[0] == 200
    assert api(real, "POST", "/api/staff/login", body={**right, "one_time": code})[0] == 401


def test_a_dealer_has_no_second_factor_and_enrols_with_a_password_that_is_long_enough(
    real: Served, root: str
) -> None:
    made = api(real, "POST", "/api/admin/staff", root, {"name": "dot", "role": "dealer"})[1]
    body = {"name": "dot", "shown": given_code(real, made)}
    for more in ({"password": "short"}, {"password": "long enough for it", "pin": "12a4"}):
        assert api(real, "POST", "/api/staff/enrol", body={**body, **more})[0] == 409
    assert enrol_staff(real, "dot", str(body["shown"]).lower())
    assert login_real(real, "dot", "")


def test_the_second_person_types_a_pin() -> None:
    door = Door()
    before = door.state.staff["dora"].verifier
    pin = door.passwords.verifier("2580")
    enrolled_with = h.EnrolStaff(by="dora", person="dora", verifier=before, before=before, pin=pin)
    door.do(enrolled_with)
    token = door.login("dora", "other words")

    def confirmed(typed: str) -> str:
        try:
            asyncio.run(door.logins.verify_pin(token, "dora", typed, "10.0.0.2"))
        except (LoginRefused, PinNeeded) as refusal:
            return refusal.code
        return "yes"

    assert confirmed("") == "yes", "who has just logged in is there"
    door.clock += FRESH_S
    assert confirmed("") == "pin-needed"
    assert [confirmed("1111"), confirmed("1111"), confirmed("2580")] == [*["pin-needed"] * 2, "yes"]
    assert [confirmed("1111") for _ in range(WRONG_TRIES)][-1] == "login-refused"
    assert door.logins.looking(token) is None, "three wrong ones in a row end the login"


def test_every_try_is_in_the_journal_or_the_log_with_its_source(real: Served, root: str) -> None:
    staffed(real, root, "tim", "dealer")
    for name in ("tim", "nobody-here"):
        body = {"name": name, "password": "guessed"}
        assert posted(real, "/api/staff/login", body)[0] == 401
    log = (real.folder / "log").read_text()
    refused = [line for line in log.splitlines() if "login of staff refused" in line]
    assert len(refused) >= 2
    assert all("127.0.0.1" in line for line in refused)
    assert "nobody-here" not in log, "it may be a password, typed too soon"


def test_guesses_at_ones_own_password_wait_as_at_a_login(real: Served, root: str) -> None:
    """At a console that somebody left: as many as one likes, in no log."""
    token = staffed(real, root, "dina", "dealer")
    path = "/api/staff/me/password"
    for n in range(WRONG_TRIES):
        body = {"before": f"guess {n}", "password": "words of a thief"}
        assert posted(real, path, body, token)[0] == 401
    body = {"before": "own words of dina", "password": "words of a thief"}
    assert posted(real, path, body, token)[0] == 401, "even the right one waits"
    assert "person=dina" in (real.folder / "log").read_text()


# Locks


def test_a_lock_is_of_a_name_at_an_address_and_ends_by_itself() -> None:
    """V9: nine requests locked an administrator, a supervisor and a dealer, until another administrator came."""
    door = Door()

    def tried(password: str, source: str) -> bool:
        try:
            asyncio.run(door.logins.login("dora", password, source=source))
        except LoginRefused:
            return False
        return True

    inside = asyncio.run(door.logins.login("dora", "other words", source="10.0.0.2"))[0]
    for _ in range(WRONG_TRIES + 1):
        assert not tried("guessed", "10.6.6.6")
    assert not tried("other words", "10.6.6.6"), "even the right one waits"
    assert tried("other words", "10.0.0.2"), "nobody else is locked out"
    assert door.logins.looking(inside) is not None
    door.clock += FIRST_S
    assert tried("other words", "10.6.6.6")


def test_addresses_of_one_network_wait_together() -> None:
    """In IPv6 a subscriber has 2^64 addresses: a lock by address never held."""
    door = Door()

    def tried(password: str, source: str) -> None:
        asyncio.run(door.logins.verified("dora", password, "", source))

    for n in range(WRONG_TRIES):
        with pytest.raises(LoginRefused):
            tried("guessed", f"2001:db8:1:2::{n:x}")
    with pytest.raises(LoginRefused):
        tried("other words", "2001:db8:1:2::ffff")
    tried("other words", "2001:db8:1:3::1")


def test_delays_grow_to_a_bound_and_are_forgotten_after_a_day() -> None:
    locks, now = LoginLocks(), 0.0
    delays = list[float]()
    for _ in range(40):
        locks.was_wrong("ada", "x", now)
        delays.append(locks.wait_s("ada", "x", now))
    free = WRONG_TRIES - 1
    assert delays[:free] == [0.0] * free
    assert delays[free : free + 3] == [FIRST_S, 2 * FIRST_S, 4 * FIRST_S]
    assert delays[-1] == LONGEST_S
    assert sorted(delays) == delays
    assert locks.wait_s("ada", "y", now) == locks.wait_s("ben", "x", now) == 0.0
    now += FORGOTTEN_S
    locks.was_wrong("ada", "x", now)
    assert locks.wait_s("ada", "x", now) == 0.0


def test_tries_that_are_kept_are_bounded() -> None:
    locks = LoginLocks()
    for n in range(MOST_LOCKS + 1):
        locks.was_wrong("ada", str(n), 0.0)
    assert len(locks._tries) == MOST_LOCKS


def test_a_node_that_is_flooded_writes_little() -> None:
    door = Door()
    before = door.state.seq
    for _ in range(30):
        with pytest.raises(LoginRefused):
            asyncio.run(door.logins.verified("dora", "guessed", "", "10.6.6.6"))
    assert door.state.seq - before == WRONG_TRIES


def test_how_long_an_enrolment_takes_tells_nobody_whose_account_waits() -> None:
    """4 ms for a name that waits for its owner, 170 ms for any other."""
    door = Door()
    door.do(h.AddStaff(by="root", person="waits", role="dealer", code="1" * 64))

    async def nothing(_: object) -> None:
        """Nobody enrols here."""

    enrolment = Enrolment(door.logins, nothing)
    for name in ("waits", "nobody", "dora"):
        began = time.monotonic()
        with pytest.raises(EnrolmentRefused):
            asyncio.run(enrolment.begin(name, "AAAA-AAAA-AAAA", "10.6.6.6"))
        assert time.monotonic() - began >= REFUSED_S, name


# The numbers of one-time codes


def test_codes_of_the_standard() -> None:
    """RFC 6238, appendix B: SHA-1, of which an app shows the last six digits."""
    secret = b"12345678901234567890"
    for at, digits in ((59, "287082"), (1111111109, "081804"), (20000000000, "353130")):
        assert code_of(secret, at // STEP_S).decode() == digits


def test_secrets_differ_by_name_and_text() -> None:
    door = Door()
    factors = door.logins.factors
    one, two = factors.new(), factors.new()
    texts = [factors.secret_text(n, f) for n in ("ada", "ben") for f in (one, two)]
    assert all(a != b for a, b in combinations(texts, 2))
    assert factors.step("ada", "no-such-key$x", "000000", 0.0) is None


# Idle logins, tickets, cards


def test_polling_keeps_no_login_alive() -> None:
    """V13: the audit page asks every five seconds, and its login never ended."""
    door = Door()
    token = asyncio.run(door.logins.login("dora", "other words"))[0]
    while door.clock < 299:
        asyncio.run(door.logins.recall(token, is_used=False))
        assert door.logins.person(token, is_used=False).name == "dora"
        door.clock += 5
    with pytest.raises(LoginRefused):
        door.logins.person(token, is_used=False)


@pytest.mark.parametrize(
    ("method", "headers", "used"),
    [
        ("GET", [], False),
        ("HEAD", [], False),
        ("GET", [(b"x-touched", b"1")], True),
        ("POST", [], True),
    ],
)
def test_what_only_reads_is_use_where_somebody_has_touched_the_page(
    method: str, headers: list[tuple[bytes, bytes]], used: bool
) -> None:
    scope: Any = {"type": "http", "method": method, "headers": headers}
    assert is_use(Caller(scope)) is used


def test_a_ticket_is_good_for_a_day() -> None:
    """V25: it had no time in it, and ended only with the terminal's key."""
    now = [1_000_000]
    tickets = Tickets(KeyRing.fresh(), lambda: HouseState(stream="floor"), lambda: now[0])
    token = tickets.new_guest()
    now[0] += TICKET_LIVES_MS - 1
    assert tickets.read(token) is not None
    head, _, mac = token.rpartition(".")
    session = head.partition("~")[0]
    for forged in (f"{session}~~{now[0]}", f"{session}~", session, f"{session}~~{'9' * 99}"):
        assert tickets.read(f"{forged}.{mac}") is None
    now[0] += 1
    assert tickets.read(token) is None


def test_nobody_plays_without_a_card_where_the_floor_wants_one(real: Served, root: str) -> None:
    """V26: without a card an excluded patron played."""
    key = enrolled(real, root, "T1")
    token = api(real, "POST", "/api/session", key, {})[1]["token"]
    status, said = api(real, "POST", "/api/tables/1/seat", token)
    assert (status, said["code"]) == (403, "card-needed")
    token = api(real, "POST", "/api/session", key, {"card": "ann-1"})[1]["token"]
    assert api(real, "POST", "/api/tables/1/seat", token)[0] == 200


def test_who_sat_before_the_floor_wanted_cards_shows_one_too(tmp_path: Path) -> None:
    """The seat stayed, took a buy-in and a wager."""
    database = tmp_path / "floor.db"
    files = ("--password-file", "-", "--second-password-file", second_file(tmp_path))
    command(database, "init", "--name", "Marina", *files, stdin=f"{FIRST}\n")
    command(database, "table", "add", "1", "fortune-six", "--dealer")
    served = Served(tmp_path, "--host", "127.0.0.1")
    try:
        key = enrolled(served, login_real(served, "admin", FIRST), "T9")
        token = api(served, "POST", "/api/session", key, {})[1]["token"]
        assert api(served, "POST", "/api/tables/1/seat", token)[0] == 200
        served.stop()
        served.options = (*served.options, "--cards-only")
        served.start()
        status, said = api(served, "POST", "/api/tables/1/seat", token)
        assert (status, said.get("code")) == (403, "card-needed")
        assert asyncio.run(_wagered(served, token)) == "card-needed"
    finally:
        served.stop()


async def _wagered(served: Served, token: str) -> str:
    """What the table says to a wager, over a connection that takes no seat."""
    headers = {"Authorization": f"Bearer {token}"}
    async with connect(
        f"{served.address.replace('http', 'ws')}/ws/1", additional_headers=headers
    ) as socket:
        place = {"t": "place", "id": "w1", "round": 1, "bet": "banker", "stake_cents": 100}
        await socket.send(json.dumps(place))
        async for message in socket:
            said = json.loads(message)
            if said.get("id") == "w1":
                return str(said["code"])
    return ""


def test_refused_logins_are_an_alert_in_the_pit(real: Served, root: str) -> None:
    def alerts() -> list[str]:
        board = api(real, "GET", "/api/staff/pit", root)[1]
        return [alert["text"]["en"] for alert in board["alerts"] if alert["kind"] == "logins"]

    tries = 0
    while not alerts():
        body = {"name": "nobody", "password": "guessed"}
        assert api(real, "POST", "/api/staff/login", body=body)[0] in (401, 429)
        tries += 1
        assert tries < 20
    assert "were refused from 127.0.0.1" in alerts()[0]


def test_a_ticket_takes_no_seat_once_its_session_has_ended(tmp_path: Path) -> None:
    """V25: kept from before the cash-out, it seated the session again, and whoever played next at the terminal got that session:
    two people with one credit.
    """
    served = Served(tmp_path, "--demo")
    try:
        token = api(served, "POST", "/api/guest")[1]["token"]
        session = api(served, "POST", "/api/tables/6/seat", token)[1]["session"]
        assert api(served, "POST", "/api/tables/6/seat", token)[0] == 200, "the same seat"
        paper = api(served, "POST", "/api/tables/6/cash-out", token, {"id": "home"})
        assert api(served, "POST", "/api/tables/6/cash-out", token, {"id": "home"}) == paper
        for _ in range(2):
            for path, body in (("seat", None), ("redeem", {"number": paper[1]["number"]})):
                status, said = api(served, "POST", f"/api/tables/6/{path}", token, body)
                assert (status, said["code"]) == (401, "session-over")
            assert api(served, "GET", "/api/me", token)[1]["session"] == session
            served.stop()
            served.start()
    finally:
        served.stop()
