"""Three outcomes on PostgreSQL: accepted, refused, in doubt. "Not stored" is never said of what was stored."""

import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

import psycopg
import pytest

from puntobanco.base.refusal import Refusal
from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.store import postgres_transaction
from puntobanco_floor.store.batch import Answer, Request
from puntobanco_floor.store.errors import BadDatabase, InDoubt, NotStored
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.postgres import PostgresStore
from tests.storage.commit_proxy import CommitProxy, Lose
from tests.storage.servers import database, server
from tests.support.patience import wait_until

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
CUTS = 200 if SLOW else 12
TABLE = "table:1"
OPEN = Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid"))


class Floor:
    """A database, a proxy before it, and a node that sees only the proxy."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.folder, self.keys = url, folder, folder / "keys"
        open_store(url, keys=self.keys, heads=folder / "0.heads").close()
        self.proxy = CommitProxy(url)
        self.node = PostgresStore(self.proxy.url, keys=self.keys, heads=folder / "1.heads")
        assert self.node.ask(OPEN).ok

    def close(self) -> None:
        self.proxy.hear_again()
        self.node.close()
        self.proxy.__exit__()

    def stored(self) -> list[str]:
        """The ids of the commands in the journal, read past the proxy."""
        with PostgresStore(
            self.url, keys=self.keys, heads=self.folder / "2.heads", clock=False
        ) as other:
            return [read_entry(data).id for _, data in other.entries(TABLE)]


@pytest.fixture
def floor(postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    monkeypatch.setattr("puntobanco_floor.store.postgres.RESOLVE_S", 1.0)
    with database(postgres) as url:
        made = Floor(url, tmp_path)
        try:
            yield made
        finally:
            made.close()


def seat(name: str) -> Request:
    return Request(stream=TABLE, id=name, command=c.SeatSession(by=name, session=name))


def test_a_lost_reply_to_commit_is_in_doubt_while_the_database_is_away(floor: Floor) -> None:
    floor.proxy.lose("reply")
    with pytest.raises(InDoubt, match="not yet known"):
        floor.node.ask(seat("ann"))
    assert floor.stored().count("ann") == 1, "the server had committed"
    assert TABLE in floor.node.in_doubt
    floor.proxy.hear_again()
    assert floor.node.ask(seat("ann")).ok, "the same id finds its answer"
    assert floor.stored().count("ann") == 1
    assert floor.node.in_doubt == {}


def test_doubt_ends_without_another_command_once_the_database_answers(floor: Floor) -> None:
    floor.proxy.lose("reply")
    with pytest.raises(InDoubt):
        floor.node.ask(seat("ann"))
    floor.proxy.hear_again()
    wait_until(lambda: not floor.node.in_doubt, "the end of the doubt")
    assert floor.stored().count("ann") == 1


def test_a_lost_reply_is_resolved_by_the_id_when_the_database_is_back_in_time(floor: Floor) -> None:
    floor.proxy.lose("reply", deaf=False)
    answer = floor.node.ask(seat("ann"))
    assert answer.ok
    assert floor.stored().count("ann") == 1


def test_a_commit_that_never_arrived_is_done_once(floor: Floor) -> None:
    floor.proxy.lose("commit", deaf=False)
    assert floor.node.ask(seat("ann")).ok
    assert floor.stored().count("ann") == 1


def test_a_commit_that_never_arrived_is_in_doubt_and_then_not_done_by_itself(floor: Floor) -> None:
    """The node cannot know that the server has not committed; it does not act without its asker."""
    floor.proxy.lose("commit")
    with pytest.raises(InDoubt):
        floor.node.ask(seat("ann"))
    floor.proxy.hear_again()
    wait_until(lambda: not floor.node.in_doubt, "the end of the doubt")
    assert "ann" not in floor.stored()
    assert floor.node.ask(seat("ann")).ok
    assert floor.stored().count("ann") == 1


def test_a_connection_lost_before_commit_is_not_stored_and_that_is_true(floor: Floor) -> None:
    floor.proxy.lose("begin")
    with pytest.raises(NotStored):
        floor.node.ask(seat("ann"))
    assert "ann" not in floor.stored()
    assert floor.node.in_doubt == {}
    floor.proxy.hear_again()
    assert floor.node.ask(seat("ann")).ok


def test_what_comes_after_a_doubtful_commit_is_not_stored_and_names_no_address(
    floor: Floor,
) -> None:
    floor.proxy.lose("reply")
    with pytest.raises(InDoubt) as doubt:
        floor.node.ask(seat("ann"))
    with pytest.raises(NotStored) as refused:
        floor.node.ask(seat("ben"))
    with pytest.raises(InDoubt):  # a repeat that fails before COMMIT proves nothing
        floor.node.ask(seat("ann"))
    for told in (doubt.value.reason, refused.value.reason):
        assert "127.0.0.1" not in told
        assert "connection_lost" not in told


@pytest.mark.long
def test_every_answer_agrees_with_the_journal_through_random_cuts(floor: Floor) -> None:
    """Every client repeats an id until it is decided, as screens do; nothing is done twice."""
    chance, kinds = random.Random(7), list[Lose](["reply", "reply", "commit", "begin"])
    outcomes = {"accepted": 0, "in doubt": 0, "not stored": 0}
    for n in range(CUTS):
        name = f"p{n}"
        floor.proxy.lose(chance.choice(kinds), deaf=chance.random() < 0.3)
        try:
            assert floor.node.ask(seat(name)).ok
            outcomes["accepted"] += 1
        except InDoubt:
            outcomes["in doubt"] += 1
        except NotStored:
            outcomes["not stored"] += 1
            assert name not in floor.stored(), "it was said not to be stored"
        floor.proxy.lose("")
        floor.proxy.hear_again()
        assert asked_until_decided(floor, seat(name)).ok
    print(outcomes, f"{floor.proxy.commits_lost} cuts")
    stored = floor.stored()
    assert all(stored.count(f"p{n}") == 1 for n in range(CUTS))
    assert audit(floor.url, heads=[floor.folder / "1.heads"], keys=floor.keys).sound


def asked_until_decided(floor: Floor, request: Request) -> Answer:
    found = list[Answer]()

    def is_decided() -> bool:
        with suppress(InDoubt, NotStored):
            found.append(floor.node.ask(request))
        return bool(found)

    wait_until(is_decided, f"the outcome of {request.id}")
    return found[0]


def test_a_role_whose_settings_cancel_a_commit_is_refused(floor: Floor) -> None:
    name = urlsplit(floor.url).path.strip("/")
    with psycopg.connect(floor.url, autocommit=True) as db:
        db.execute(f'ALTER DATABASE "{name}" SET statement_timeout = 30000')
    with pytest.raises(BadDatabase, match=r"statement_timeout = 30000 ms.* SET statement_timeout"):
        PostgresStore(floor.url, keys=floor.keys, heads=floor.folder / "3.heads")


# A standby that does not answer


@pytest.fixture
def waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Floor]:
    """A server of its own, which can be told to wait for a standby that never comes."""
    monkeypatch.setattr("puntobanco_floor.store.postgres.RESOLVE_S", 0.5)
    monkeypatch.setattr("puntobanco_floor.store.postgres_transaction.COMMIT_S", 0.5)
    with server() as postgres, database(postgres) as url:
        made = Floor(url, tmp_path)
        try:
            yield made
        finally:
            wait_for_standby(url, "")
            made.close()


def wait_for_standby(url: str, name: str) -> None:
    """Make every commit wait for this standby, or for none; return when that is so."""
    with psycopg.connect(url, autocommit=True) as db:
        db.execute("SET synchronous_commit = off")
        db.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{name}'")
        db.execute("SELECT pg_reload_conf()")
    # sessions know the setting before the process that makes commits wait
    wait_until(lambda: does_wait(url) == bool(name), "the new setting")


def does_wait(url: str) -> bool:
    """Commit something, and see whether that waits for a standby."""
    with psycopg.connect(url, autocommit=True) as db:
        pid = db.info.backend_pid
        write = "SELECT pg_logical_emit_message(true, 'probe', '')"
        thread = threading.Thread(target=db.execute, args=(write,))
        thread.start()
        while thread.is_alive():
            if pid in backends_in_commit(url):
                with psycopg.connect(url, autocommit=True) as other:
                    other.execute("SELECT pg_cancel_backend(%s)", (pid,))
                thread.join()
                return True
    return False


def backends_in_commit(url: str) -> list[int]:
    """Backends that have committed and wait for the standby."""
    with psycopg.connect(url, autocommit=True) as db:
        found = db.execute("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
        return [pid for (pid,) in found]


def is_visible(floor: Floor, id_: str) -> bool:
    with psycopg.connect(floor.url) as db:
        rows = db.execute("SELECT data FROM entries WHERE stream = %s", (TABLE,)).fetchall()
    return id_ in [read_entry(bytes(data)).id for (data,) in rows]


def test_a_commit_that_waits_for_its_standby_is_never_cancelled(waiting: Floor) -> None:
    wait_for_standby(waiting.url, "nobody")
    with pytest.raises(InDoubt):
        waiting.node.ask(seat("ann"))
    assert len(backends_in_commit(waiting.url)) == 1, "still waiting, and no second one"
    assert not is_visible(waiting, "ann"), "a cancel would have made it visible"
    with pytest.raises(InDoubt):
        waiting.node.wait_for_commits(TABLE)
    with pytest.raises(NotStored):
        waiting.node.ask(seat("ben"))
    wait_for_standby(waiting.url, "")
    waiting.node.wait_for_commits(TABLE)
    assert is_visible(waiting, "ann"), "a plain read tells the outcome now"
    assert asked_until_decided(waiting, seat("ann")).ok
    wait_until(lambda: not waiting.node.in_doubt, "the end of the doubt")
    assert waiting.stored().count("ann") == 1
    assert "ben" not in waiting.stored()


def test_a_terminated_commit_is_answered_only_when_the_standby_has_it(waiting: Floor) -> None:
    """pg_terminate_backend shows a row that no standby has: its id is found, and still in doubt."""
    wait_for_standby(waiting.url, "nobody")
    with pytest.raises(InDoubt):
        waiting.node.ask(seat("ann"))
    [backend] = backends_in_commit(waiting.url)
    with psycopg.connect(waiting.url, autocommit=True) as db:
        db.execute("SELECT pg_terminate_backend(%s)", (backend,))
    wait_until(lambda: is_visible(waiting, "ann"), "the row that no standby has")
    with pytest.raises(InDoubt):
        waiting.node.ask(seat("ann"))
    assert TABLE in waiting.node.in_doubt
    wait_for_standby(waiting.url, "")
    assert asked_until_decided(waiting, seat("ann")).ok
    assert waiting.stored().count("ann") == 1


def test_a_cancelled_commit_is_answered_only_when_the_standby_has_it(waiting: Floor) -> None:
    """An administrator cancels the wait: COMMIT succeeds with a warning, which is not enough."""
    patient = Canceller(waiting.url)
    wait_for_standby(waiting.url, "nobody")
    with patient, pytest.raises(InDoubt):
        waiting.node.ask(seat("ann"))
    assert patient.cancelled, "the wait was cancelled"
    wait_for_standby(waiting.url, "")
    assert asked_until_decided(waiting, seat("ann")).ok
    assert waiting.stored().count("ann") == 1


COMMITS = """
import sys
from sqlalchemy import text
from puntobanco_floor.store.engines import engine_for

with engine_for(sys.argv[1]).begin() as db:
    row = "INSERT INTO logins (token, person, password, seen_at) VALUES ('t', 'p', 'h', 1)"
    db.execute(text(row))
print("committed", flush=True)
"""


def test_ctrl_c_does_not_cancel_the_commit_of_a_command(waiting: Floor) -> None:
    wait_for_standby(waiting.url, "nobody")
    command = [sys.executable, "-c", COMMITS, waiting.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_until(lambda: backends_in_commit(waiting.url), "the waiting COMMIT")
        process.send_signal(signal.SIGINT)
        wait_until(lambda: not is_pending(process.pid), "the delivery of the signal")
        with psycopg.connect(waiting.url) as db:
            assert db.execute("SELECT count(*) FROM logins").fetchone() == (0,)
        wait_for_standby(waiting.url, "")
        printed, errors = process.communicate()
    assert (printed, process.returncode) == (b"", -signal.SIGINT)
    assert b"KeyboardInterrupt" in errors
    with psycopg.connect(waiting.url) as db:
        assert db.execute("SELECT count(*) FROM logins").fetchone() == (1,)


def is_pending(pid: int) -> bool:
    """Whether SIGINT waits to be delivered to the process."""
    found = re.search(r"^ShdPnd:\s+(\w+)$", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    assert found is not None
    return bool(int(found[1], 16) & (1 << (signal.SIGINT - 1)))


class Canceller:
    """Cancels every wait for a standby as soon as it sees one."""

    def __init__(self, url: str) -> None:
        self._url, self._is_over, self.cancelled = url, threading.Event(), 0
        self._thread = threading.Thread(target=self._run)

    def _run(self) -> None:
        with psycopg.connect(self._url, autocommit=True) as db:
            while not self._is_over.is_set():
                for pid in backends_in_commit(self._url):
                    db.execute("SELECT pg_cancel_backend(%s)", (pid,))
                    self.cancelled += 1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()


def test_in_doubt_is_a_refusal_with_its_own_code() -> None:
    assert issubclass(InDoubt, Refusal)
    assert InDoubt.code == "in-doubt"
    assert postgres_transaction.COMMIT_S < postgres_transaction.NEVER_S
