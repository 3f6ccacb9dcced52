"""A floor for real money under attack: what a patron, a terminal or a member of staff might try."""

import asyncio
import json
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

import puntobanco_floor.domain.events as e
from puntobanco.base.words import Words
from puntobanco_floor.client import Terminal
from puntobanco_floor.domain.commands import Command
from puntobanco_floor.domain.entries import Entry, read_entry
from puntobanco_floor.domain.house import commands as h
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.metrics import FloorWork
from puntobanco_floor.service.staff_logins import REFUSED_S
from puntobanco_floor.service.terminals import wire
from puntobanco_floor.service.terminals.connections import Rooms, Shutdown, public_events
from puntobanco_floor.service.terminals.connections import Terminal as Connected
from puntobanco_floor.settings import DEFAULTS
from puntobanco_floor.store.batch import Request
from puntobanco_floor.store.sqlite import SqliteStore
from puntobanco_floor.web.socket import Incoming
from tests.support.forked import command_line
from tests.support.patience import PATIENCE_S, until, wait_until
from tests.support.served import Served, api, asked, open_shift
from tests.support.staffing import login_real, staffed
from tests.web.test_house import QUICK, command, enrolled, init_house

PASSWORD = "long enough words"


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("attacked")
    database = folder / "floor.db"
    init_house(database)
    command(database, "table", "add", "1", "rapid", *QUICK)
    for number in ("2", "3"):
        command(database, "table", "add", number, "fortune-six", "--dealer")
    found = Served(folder, "--host", "127.0.0.1")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def root(real: Served) -> str:
    return login_real(real, "admin", PASSWORD)


@pytest.fixture(scope="module")
def cash(real: Served, root: str) -> str:
    found = staffed(real, root, "carl", "cashier")
    open_shift(real, found, 1)
    return found


def begun(real: Served, key: str, card: str | None = None) -> str:
    status, answer = api(real, "POST", "/api/session", key, {"card": card})
    assert status == 200, answer
    return str(answer["token"])


def seated(real: Served, token: str, table: int) -> Any:
    status, answer = api(real, "POST", f"/api/tables/{table}/seat", token)
    assert status == 200, answer
    return answer


def mine(real: Served, token: str, table: int) -> Any:
    rows = api(real, "GET", "/api/me", token)[1]["tables"]
    return next((row for row in rows if row["table"] == f"table:{table}"), None)


def entries(database: Path, stream: str = "floor") -> list[Entry]:
    with sqlite3.connect(database) as db:
        rows = db.execute(
            "SELECT data FROM entries WHERE stream = ? ORDER BY seq", (stream,)
        ).fetchall()
    return [read_entry(data) for (data,) in rows]


# A patron's own limits


def test_a_patron_with_limits_has_one_seat_at_a_table_too(
    real: Served, root: str, cash: str
) -> None:
    one, two = (begun(real, enrolled(real, root, name), "ann") for name in ("A1", "A2"))
    api(real, "POST", "/api/me/limits", one, {"loss_cents": 10_000})
    session = seated(real, one, 2)["session"]
    assert asked(real, cash, "a1", "buy-in", 2, session=session, cents=500)[1]["ok"]
    for table in (2, 3):
        status, problem = api(real, "POST", f"/api/tables/{table}/seat", two)
        assert (status, problem["code"]) == (409, "seated-elsewhere")


def test_a_seat_without_credits_is_left_for_another_one(real: Served, root: str) -> None:
    token = begun(real, enrolled(real, root, "A3"), "abe")
    api(real, "POST", "/api/me/limits", token, {"loss_cents": 10_000})
    seated(real, token, 2)
    assert seated(real, token, 3)["loss_cents"] == 10_000
    assert mine(real, token, 2) is None


def test_limits_set_at_two_tables_leave_one_of_them_to_play_at(
    real: Served, root: str, cash: str
) -> None:
    one, two = (begun(real, enrolled(real, root, name), "amy") for name in ("A4", "A5"))
    for n, (token, table) in enumerate(((one, 2), (two, 3))):
        session = seated(real, token, table)["session"]
        assert asked(real, cash, f"a4-{n}", "buy-in", table, session=session, cents=500)[1]["ok"]
    api(real, "POST", "/api/me/limits", one, {"loss_cents": 10_000})
    wait_until(lambda: "one table at a time" in str(mine(real, two, 3)["stopped"]))
    assert mine(real, one, 2)["stopped"] is None
    assert api(real, "POST", "/api/tables/2/cash-out", one, {"id": "out"})[0] == 200
    wait_until(lambda: mine(real, two, 3)["stopped"] is None)


def test_what_was_lost_counts_however_quickly_the_next_seat_is_taken(
    real: Served, root: str, cash: str
) -> None:
    """The seat may be taken before the house hears of the end of the session before: it is told then."""
    dealer = staffed(real, root, "dan", "dealer")
    one, two = (begun(real, enrolled(real, root, name), "alf") for name in ("A6", "A7"))
    api(real, "POST", "/api/me/limits", one, {"loss_cents": 10_000})
    session = seated(real, one, 2)["session"]
    assert asked(real, cash, "a6", "buy-in", 2, session=session, cents=6_000)[1]["ok"]
    asked(real, dealer, "a6-open", "open-bets", 2)

    async def bet() -> None:
        async with Terminal(real.address, table=2, token=one) as terminal:
            assert (await terminal.place("player", 5_000)).ok

    asyncio.run(bet())
    for n, (what, fields) in enumerate(
        [
            ("close-bets", {}),
            *(("enter-card", {"card": x}) for x in ("2h", "9s", "3d", "Tc", "2c")),
            ("settle", {}),
        ]
    ):
        asked(real, dealer, f"a6-{n}", what, 2, **fields)
    wait_until(lambda: mine(real, one, 2)["lines"])
    threading.Thread(
        target=api, args=(real, "POST", "/api/tables/2/cash-out", one, {"id": "out"})
    ).start()
    wait_until(lambda: api(real, "POST", "/api/tables/3/seat", two)[0] == 200)
    wait_until(lambda: mine(real, two, 3)["loss_cents"] == 5_000)


# Who is who


def test_nobody_gets_the_session_of_somebody_else_with_a_card_of_his_own(
    real: Served, root: str, cash: str
) -> None:
    key = enrolled(real, root, "B1")
    ann = begun(real, key, "bea")
    session = seated(real, ann, 2)["session"]
    assert begun(real, key).partition("~")[0] == session, "a device that forgot its ticket"
    assert begun(real, key, "ben").partition("~")[0] != session, "no credits: that session is over"
    ben = begun(real, key, "ben")
    session = seated(real, ben, 2)["session"]
    assert asked(real, cash, "b1", "buy-in", 2, session=session, cents=500)[1]["ok"]
    status, problem = api(real, "POST", "/api/session", key, {"card": "bob"})
    assert (status, problem["code"]) == (409, "seated-elsewhere")
    status, problem = api(real, "POST", "/api/tables/3/seat", ann)
    assert (status, problem["code"]) == (401, "session-over"), "nor does an old ticket"
    assert begun(real, key, "ben").partition("~")[0] == session


def test_a_patron_is_never_called_like_a_session_and_signs_nothing_with_his_name(
    real: Served, root: str
) -> None:
    other = begun(real, enrolled(real, root, "B2"))
    key = enrolled(real, root, "B3")
    for patron in (other.partition("~")[0], "table:1", "", "x\n", "a~b", "x" * 65):
        assert api(real, "POST", "/api/session", key, {"card": patron})[0] == 400
    token = begun(real, key, "clock")
    assert api(real, "POST", "/api/me/limits", token, {"minutes": 5})[0] == 200
    patron = api(real, "GET", "/api/me", token)[1]["patron"]
    [limited] = [
        x
        for x in entries(real.database)
        if isinstance(x.events[0], e.PatronLimited) and x.events[0].patron == patron
    ]
    assert limited.by == token.partition("~")[0]
    assert patron != "clock"


def test_a_terminal_reads_no_cards_without_end(real: Served, root: str) -> None:
    key = enrolled(real, root, "B9")
    found = {api(real, "POST", "/api/session", key, {"card": f"c-{n}"})[0] for n in range(60)}
    assert found == {200, 429}
    assert api(real, "POST", "/api/session", key, {})[0] == 200


def test_tries_are_counted_by_terminal_however_many_sessions_it_has(
    real: Served, root: str
) -> None:
    key = enrolled(real, root, "B4")
    tokens = {begun(real, key) for _ in range(14)}
    assert len(tokens) == 14
    body = {"number": "000000000000000195"}
    assert {api(real, "POST", "/api/tables/2/redeem", token, body)[0] for token in tokens} == {
        409,
        429,
    }


# Staff


def test_nobody_is_named_like_those_who_sign_for_the_house(real: Served, root: str) -> None:
    for name in ("clock", "Clock", "floor", "store", "demo", "device", "init", "os"):
        assert (
            api(real, "POST", "/api/admin/staff", root, {"name": name, "role": "dealer"})[0] == 409
        )
        assert api(real, "POST", "/api/admin/terminals", root, {"name": name})[0] == 409
    for name in ("eve\n", "", "-eve", "e ve", "x" * 33):
        assert (
            api(real, "POST", "/api/admin/staff", root, {"name": name, "role": "dealer"})[0] == 400
        )
        assert api(real, "POST", "/api/admin/terminals", root, {"name": name})[0] == 400


def test_a_new_password_ends_the_logins_of_the_old_one(real: Served, root: str) -> None:
    token = staffed(real, root, "cleo", "auditor")
    assert api(real, "GET", "/api/admin/staff", token)[0] == 200
    body = {"before": "own words of cleo", "password": "other words of cleo"}
    assert api(real, "POST", "/api/staff/me/password", token, {**body, "before": "x"})[0] == 401
    assert api(real, "POST", "/api/staff/me/password", token, {**body, "password": "x"})[0] == 409
    assert api(real, "GET", "/api/admin/staff", token)[0] == 200
    assert api(real, "POST", "/api/staff/me/password", token, body)[0] == 204
    assert api(real, "GET", "/api/admin/staff", token)[0] == 401


@pytest.mark.waits
def test_how_long_a_login_takes_says_nothing_about_the_name(real: Served, root: str) -> None:
    """A refusal comes after a whole number of half seconds, however long the password took to be looked at."""
    staffed(real, root, "cody", "auditor")

    def refused_after_s(name: str) -> float:
        began = time.monotonic()
        assert (
            api(real, "POST", "/api/staff/login", body={"name": name, "password": "wrong"})[0]
            == 401
        )
        return time.monotonic() - began

    for name in ("cody", "nobody"):
        times = [refused_after_s(name)]
        while min(t % REFUSED_S for t in times) >= 0.2:  # a crowded machine answers late
            assert len(times) < 100, times
            times.append(refused_after_s(name))
        assert min(times) >= REFUSED_S


def test_a_cashier_decides_on_loads_of_credits_and_on_no_round(
    real: Served, root: str, cash: str
) -> None:
    dealer, sup = staffed(real, root, "cy", "dealer"), staffed(real, root, "sid", "supervisor")
    asked(real, dealer, "c-open", "open-bets", 3)
    asked(real, dealer, "c-stop", "declare-irregularity", 3, ground="malfunction")
    proposal = asked(real, dealer, "c-void", "void-round", 3)[1]["proposal"]
    assert proposal
    for number in (proposal, proposal + 1):
        for what in ("approve", "reject"):
            assert asked(real, cash, f"c-{what}-{number}", what, 3, proposal=number)[0] == 403
    assert asked(real, sup, "c-yes", "approve", 3, proposal=proposal)[1]["ok"]
    session = seated(real, begun(real, enrolled(real, root, "C1")), 3)["session"]
    other = staffed(real, root, "cass", "cashier")
    open_shift(real, other, 2)
    load = asked(real, other, "c-load", "load-credits", 3, session=session, cents=50_000)[1][
        "proposal"
    ]
    for _ in range(2):  # sent again, it is answered again
        status, answer = asked(real, cash, "c-loaded", "approve", 3, proposal=load)
        assert (status, answer.get("ok")) == (200, True), answer


def test_a_table_is_not_started_while_the_floor_is_stopped_nor_stopped_in_its_name(
    real: Served, root: str
) -> None:
    sup = staffed(real, root, "sol", "supervisor")
    cause = {"code": "safety", "values": []}
    assert asked(real, sup, "h1", "halt-table", 3, reason=cause, by_floor=True)[0] == 400
    for bad in (
        "a text of one's own",
        {"code": "other-rules", "values": []},  # the floor's alone
        {"code": "own-request", "values": []},  # of a session
        {"code": "another-reason", "values": []},  # without its note
        {"code": "safety", "values": ["a", "b"]},
        {"code": "safety", "values": [1]},
        {"code": "safety", "values": ["x" * 401]},
    ):
        assert asked(real, sup, "h2", "halt-table", 3, reason=bad)[0] == 400, bad
    stop = {"cause": "another-reason"}
    assert api(real, "POST", "/api/admin/floor/stop", root, stop)[0] == 400
    stop |= {"note": "smoke in hall 2"}
    assert api(real, "POST", "/api/admin/floor/stop", root, stop)[0] == 200
    wait_until(lambda: all(t["halted"] for t in api(real, "GET", "/api/tables")[1]))
    assert api(real, "POST", "/api/admin/tables/3/start", root)[0] == 200
    wait_until(lambda: api(real, "GET", "/api/tables/3")[1]["halted"])
    for path in ("/api/floor", "/api/tables", "/api/tables/3"):
        assert "smoke" not in json.dumps(api(real, "GET", path)[1]), "staff's own word"
    assert "smoke" in api(real, "GET", "/api/admin/house", root)[1]["stopped"]["en"]
    assert api(real, "POST", "/api/admin/floor/start", root)[0] == 200
    wait_until(lambda: not any(t["halted"] for t in api(real, "GET", "/api/tables")[1]))


def test_what_is_not_there_is_not_found_and_leaves_nothing_behind(real: Served, root: str) -> None:
    for path, body in {
        "staff/nobody": {"enable": True},
        "terminals/nobody": {"disable": "x"},
        "exclusions/p-22222222/end": None,
        "tables/999/stop": {"cause": "safety"},
        "tables/999/start": None,
        "tables/999/disable": {"cause": "safety"},
    }.items():
        assert api(real, "POST", f"/api/admin/{path}", root, body)[0] == 404, path
    with sqlite3.connect(real.database) as db:
        assert not db.execute("SELECT * FROM answers WHERE stream = 'table:999'").fetchall()


# Terminals


def test_a_revoked_terminal_that_does_not_read_is_not_heard_either() -> None:
    """Its farewell waits behind all that it has not read; what it sends meanwhile is nothing."""
    asked_for = list[object]()

    class Wagers:
        def ask(self, terminal: Connected, message: object) -> None:
            asked_for.append((terminal, message))

    class Floor:
        settings, work, shutdown, wagers = DEFAULTS, FloorWork(), Shutdown(Rooms()), Wagers()

    class Deaf:
        floor = Floor()

    watching = Connected("table:1", "T1:a", key="key")
    hear = Incoming(Deaf(), watching)  # type: ignore[arg-type]
    place = wire.write(wire.Place(id="1", round=1, bet="player", stake_cents=100)).decode()
    hear(place)
    assert len(asked_for) == 1
    watching.end(wire.bye(Words("no longer enrolled", "登記已取消")))
    hear(place)
    assert len(asked_for) == 1


def test_a_terminal_enrolled_anew_cuts_off_the_device_of_before_whatever_comes_together(
    real: Served, root: str
) -> None:
    """The command line revokes and enrols between two looks at the journal: at the second it is enrolled again."""
    key = enrolled(real, root, "E1")

    async def play() -> None:
        async with Terminal(real.address, table=3, key=key) as terminal:
            with SqliteStore(real.database, clock=False) as store:
                changes: list[Command] = [
                    h.ChangeTerminal(by="os:x", terminal="E1", code=HASH, expires_at=h.MAX_MS),
                    h.EnrolTerminal(by="os:x", code=HASH, key="f" * 64),
                ]
                for n, change in enumerate(changes):
                    assert store.ask(Request(stream="floor", id=f"e1-{n}", command=change)).ok
            await until(lambda: terminal.reconnects, "the cut")

    asyncio.run(play())


HASH = "0123456789abcdef" * 4


def test_guesses_at_codes_leave_nothing_behind(real: Served) -> None:
    def answers() -> int:
        with sqlite3.connect(real.database) as db:
            return int(
                db.execute("SELECT count(*) FROM answers WHERE asked_by = 'device'").fetchone()[0]
            )

    before = answers()
    assert api(real, "POST", "/api/enrol", body={"code": "ABCD-EFGH-JKMN"})[0] == 409
    assert answers() == before


def test_guesses_at_codes_are_counted_by_address(real: Served) -> None:
    def guessed(n: int) -> int:
        line = HTTPConnection("127.0.0.1", real.port, PATIENCE_S, source_address=("127.0.0.9", 0))
        with closing(line):
            body = json.dumps({"code": f"ABCD-EFGH-{n:04d}"})
            line.request("POST", "/api/enrol", body, {"Content-Type": "application/json"})
            return line.getresponse().status

    tries = DEFAULTS.enrolments_burst + 8
    with ThreadPoolExecutor(tries) as threads:
        answers = Counter(threads.map(guessed, range(tries)))
    assert set(answers) == {409, 429}
    assert answers[409] <= DEFAULTS.enrolments_burst + PATIENCE_S * DEFAULTS.enrolments_rate
    assert api(real, "POST", "/api/enrol", body={"code": "ABCD-EFGH-JKMN"})[0] == 409, "elsewhere"


def test_what_staff_write_for_staff_is_not_told_to_terminals() -> None:
    events = (
        e.IrregularityDeclared(
            round=1, ground="x", clause="9", detail="the man in red", cards_left=17
        ),
        e.CardCorrected(
            round=1, slot="p1", before="2h", after="3h", proposed_by="dora", approved_by="sam"
        ),
        e.RoundResumed(round=1, proposed_by="dora", approved_by="sam"),
        e.TableHalted(reason="the man in red"),
        e.RoundReconstructed(
            round=1,
            ground="x",
            clause="9",
            dealt="",
            order="",
            surplus="",
            proposed_by="dora",
            approved_by="sam",
        ),
    )
    entry = Entry(
        stream="table:1",
        epoch=1,
        seq=1,
        at=1,
        by="dora",
        command="x",
        id="",
        rules="",
        prev="",
        salt="",
        events=events,
    )
    shown = wire.write(list(public_events([entry]))).decode()
    assert [x["event"] for x in json.loads(shown)] == [type(event).__name__ for event in events]
    for word in ("man in red", "17", "dora", "sam"):
        assert word not in shown


@pytest.mark.parametrize("proxy", ["*", "0.0.0.0/0", "::/0", "proxy.example", "10.0.0.5,*"])
def test_a_proxy_is_somebody_in_particular(real: Served, proxy: str) -> None:
    at = ("--database", str(real.database), "--port", "1")
    done = command_line("serve", *at, "--proxy", proxy)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "--proxy" in done.stderr


# Last, because logins end with it


@pytest.mark.waits
def test_a_visit_that_the_house_was_not_told_of_is_told_when_the_server_starts(
    real: Served, root: str
) -> None:
    """Killed between the end of a session and the house's word of it."""
    token = begun(real, enrolled(real, root, "Z1"), "zoe")
    session = token.partition("~")[0]

    def visits() -> list[int]:
        told = [event for entry in entries(real.database) for event in entry.events]
        ended = [event for event in told if isinstance(event, e.VisitEnded)]
        return [event.played_ms for event in ended if event.session == session]

    api(real, "POST", "/api/me/limits", token, {"minutes": 600})
    seated(real, token, 2)
    time.sleep(0.3)
    real.kill()
    with SqliteStore(real.database, clock=False) as store:  # as if it were killed a moment later
        assert store.ask(
            Request(stream="table:2", id="x", command=c.LeaveSeat(by=session, session=session))
        ).ok
    assert not visits()
    for _ in range(2):
        real.start()
        assert len(visits()) == 1
        assert visits()[0] >= 300
        real.kill()
    real.start()
