"""Two nodes behind a balancer on one PostgreSQL: patrons see a reconnect when one is killed, and nothing else.

With PUNTOBANCO_SLOW=1 for five minutes.
"""

import asyncio
import hashlib
import os
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

import puntobanco_floor.domain.events as e
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.house.state import HouseState
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.service.roles import ROLES
from puntobanco_floor.service.staff_logins import token_hashes
from puntobanco_floor.service.tickets import Tickets
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.reader import reading
from tests.storage.servers import server
from tests.support.patience import PATIENCE_S, wait_until
from tests.support.served import api
from tests.web.patrons import Patron, entries_of, wagers_in
from tools.topology import Node, Topology, topology

SLOW = bool(os.environ.get("PUNTOBANCO_SLOW"))
PLAY_S, KILL_EVERY_S, TERMINALS = (300.0, 3.0, 60) if SLOW else (9.0, 3.0, 12)
TABLES = (1, 2, 5)


@pytest.fixture(scope="module")
def floor() -> Iterator[Topology]:
    with server() as postgres, topology(postgres) as found:
        yield found


async def kill_in_turn(nodes: list[Node], until: float) -> int:
    """Every few seconds one, by kill -9; it is started again and ready before the next one goes."""
    kills = 0
    while kills < len(nodes) or time.monotonic() + KILL_EVERY_S < until:  # each once at least
        await asyncio.sleep(KILL_EVERY_S)
        node = nodes[kills % len(nodes)]
        node.end()
        kills += 1
        await asyncio.sleep(0.5)
        await asyncio.to_thread(node.start)
    return kills


def test_nodes_are_killed_and_patrons_see_a_reconnect_and_nothing_else(floor: Topology) -> None:
    tickets = Tickets(KeyRing.load(floor.keys), lambda: HouseState(stream="floor"))
    terminals = [
        Terminal(floor.address, table=TABLES[n % len(TABLES)], token=tickets.new_guest())
        for n in range(TERMINALS)
    ]
    patrons = [Patron(terminal, n) for n, terminal in enumerate(terminals)]
    kills = 0

    def books() -> dict[str, int]:
        with reading(floor.url) as reader:
            by_table = {table: reader.balances(f"table:{table}") for table in TABLES}
        return {
            t.mine.session: by_table[t.number].get(f"session:{t.mine.session}", 0)
            for t in terminals
            if t.mine
        }

    def shown() -> dict[str, int]:
        return {t.mine.session: t.mine.balance_cents for t in terminals if t.mine}

    async def through() -> None:
        nonlocal kills
        await asyncio.gather(*(t.__aenter__() for t in terminals))
        for terminal in terminals:
            assert (await terminal.seat()).balance_cents == 100_000
        until = time.monotonic() + PLAY_S
        killing = asyncio.create_task(kill_in_turn(floor.nodes, until))
        await asyncio.gather(*(p.play(killing) for p in patrons))
        kills = await killing
        # rounds go on: until a moment at which what is shown is what the books say
        end = time.monotonic() + PATIENCE_S
        while await asyncio.to_thread(books) != shown():
            assert time.monotonic() < end, (await asyncio.to_thread(books), shown())
            await asyncio.sleep(0.1)
        await asyncio.gather(*(t.__aexit__() for t in terminals))

    asyncio.run(through())
    answers = [answer for patron in patrons for _, answer in patron.answers]
    assert kills >= 2
    assert all(terminal.reconnects for terminal in terminals), "each was at a node that was killed"
    assert all(not terminal._asked for terminal in terminals), "every command was answered"
    assert {a.code for a in answers if not a.ok} <= {
        "bets-are-closed",
        "wrong-round",
        "limit-refused",
        "not-enough-credit",
        "not-stored",
    }, {a.code: a.reason for a in answers if not a.ok}
    accepted = sum(answer.ok for answer in answers)
    assert accepted > TERMINALS
    assert sum(wagers_in(entries_of(floor, table)) for table in TABLES) == accepted, (
        "each once, and no other"
    )
    assert all(floor.balancer.taken.values()), "both nodes were used"
    print(
        f"{kills} kills, {accepted} wagers taken, {sum(t.reconnects for t in terminals)} reconnects"
    )
    report = audit(floor.url, keys=floor.keys, heads=floor.heads)
    assert report.fault is None


# Logins of the staff


def logged_in(floor: Topology, name: str) -> tuple[str, Node, Node]:
    """A token, the node that gave it, and another. Each start of a demonstration prints new passwords."""
    for node in floor.nodes:
        lines = node.log.read_text().splitlines()
        printed = {
            words[0]: words[2]
            for line in lines
            if len(words := line.split()) == 3 and words[1] in ROLES
        }
        status, said = api(
            node, "POST", "/api/staff/login", body={"name": name, "password": printed[name]}
        )
        if status == 200:
            [other] = [x for x in floor.nodes if x is not node]
            return str(said["token"]), node, other
    raise AssertionError("neither node has printed the last passwords")


def status_of(node: Node, token: str, path: str = "/api/admin/staff") -> int:
    return api(node, "GET", path, token)[0]


def test_a_login_works_on_every_node_and_a_logout_ends_it_on_every_node(floor: Topology) -> None:
    token, one, two = logged_in(floor, "ada")
    assert [status_of(one, token), status_of(two, token)] == [200, 200]
    assert api(two, "POST", "/api/staff/logout", token)[0] == 204
    assert [status_of(one, token), status_of(two, token)] == [401, 401]


@pytest.mark.waits
def test_somebody_disabled_is_out_on_every_node(floor: Topology) -> None:
    (ada, one, two), otto = logged_in(floor, "ada"), logged_in(floor, "otto")[0]
    assert [status_of(one, otto), status_of(two, otto)] == [200, 200]
    assert api(one, "POST", "/api/admin/staff/otto", ada, {"disable": "left"})[0] == 200
    wait_until(lambda: [status_of(one, otto), status_of(two, otto)] == [401, 401])


def test_a_login_that_is_idle_ends_on_every_node_and_tokens_are_stored_as_hashes(
    floor: Topology,
) -> None:
    token, one, two = logged_in(floor, "ada")
    with psycopg.connect(floor.url, autocommit=True) as db:
        rows = db.execute("SELECT token, person, seen_at FROM logins").fetchall()
        assert rows
        assert all(token not in str(row) for row in rows)
        db.execute("UPDATE logins SET seen_at = seen_at - 901000 WHERE person = 'ada'")
        assert status_of(two, token) == 401, "it goes by the table"
        left = db.execute(
            "SELECT count(*) FROM logins WHERE token = ANY(%s)",
            (token_hashes(KeyRing.load(floor.keys), token),),
        ).fetchone()
        assert left == (0,), "removed at the end"
    assert status_of(one, token) == 401


def test_a_row_inserted_by_somebody_with_the_database_alone_is_no_login(floor: Topology) -> None:
    token, one, two = logged_in(floor, "carl")
    forged = f"staff_{'x' * 32}"
    with reading(floor.url) as reader:
        events = [event for entry in reader.decoded("floor") for event in entry.events]
    added = [event for event in events if isinstance(event, e.StaffAdded)]
    [verifier] = [event.verifier for event in added if event.person == "ada"]
    plain = hashlib.sha256(f"puntobanco staff {forged}".encode()).hexdigest()
    fingerprint = hashlib.sha256(verifier.encode()).hexdigest()[:16]
    now = int(time.time() * 1000)
    put = "INSERT INTO logins (token, person, password, seen_at) VALUES (%s, 'ada', %s, %s)"
    with psycopg.connect(floor.url, autocommit=True) as db:
        db.execute(put, (plain, fingerprint, now))
        assert [status_of(one, forged), status_of(two, forged)] == [401, 401]
        assert status_of(two, token) == 403, "a cashier's own login"
        db.execute("UPDATE logins SET person = 'ada' WHERE person = 'carl'")
        assert status_of(two, token) == 401, "made over to an administrator it is none"
        db.execute("DELETE FROM logins WHERE token = %s", (plain,))


def test_keys_are_rotated_under_nodes_that_run(floor: Topology, tmp_path: Path) -> None:
    before, one, two = logged_in(floor, "ada")
    guest = str(api(one, "POST", "/api/guest")[1]["token"])
    heads = tmp_path / "heads"
    with open_store(floor.url, keys=floor.keys, heads=heads, clock=False) as store:
        store.rotate_keys()
    after = logged_in(floor, "ada")[0]
    new = Tickets(KeyRing.load(floor.keys), lambda: HouseState(stream="floor")).new_guest()
    for node in (one, two):
        assert [status_of(node, before), status_of(node, after)] == [200, 200]
        assert [status_of(node, token, "/api/me") for token in (guest, new)] == [200, 200]


def test_a_login_outlives_the_node_that_gave_it(floor: Topology) -> None:
    token, one, two = logged_in(floor, "sam")
    one.end()
    try:
        assert status_of(two, token, "/api/admin/exclusions") == 200
    finally:
        one.start()
    assert status_of(one, token, "/api/admin/exclusions") == 200
