"""A synchronous standby that stops answering, then fail-over: every answer agrees with the journal that survives.

Two nodes reach the database through proxies, as through a balancer that follows the primary. With PUNTOBANCO_SLOW=1 also
a terminated backend and a restarted primary.
"""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.entries import read_entry
from puntobanco_floor.store.errors import InDoubt, NotStored
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.postgres import PostgresStore
from tests.storage.commit_proxy import CommitProxy
from tests.storage.servers import started
from tests.storage.test_in_doubt import OPEN, TABLE, seat
from tests.storage.test_point_in_time import needs_a_server, owned_like
from tests.support.patience import wait_until

SLOW = os.environ.get("PUNTOBANCO_SLOW") == "1"
pytestmark = [needs_a_server, pytest.mark.long]
slowly = pytest.mark.skipif(not SLOW, reason="two servers; make slow")


class Pair:
    """A primary, its synchronous standby, and two nodes."""

    def __init__(self, base: Path) -> None:
        self.base, self.servers = base, list[Any]()
        base.chmod(0o755)
        self.primary = self._start("one")
        self._copy()
        self.standby = self._start("two")
        with self.on(self.primary) as db:
            db.execute("ALTER SYSTEM SET synchronous_standby_names = 'two'")
            db.execute("SELECT pg_reload_conf()")
        wait_until(self.is_synchronous, "the synchronous standby")
        open_store(self.primary.get_uri(), keys=base / "keys", heads=base / "0.heads").close()
        self.proxies = [CommitProxy(self.primary.get_uri()) for _ in range(2)]
        self.nodes = [
            PostgresStore(proxy.url, keys=base / "keys", heads=base / f"{n}.heads")
            for n, proxy in enumerate(self.proxies, 1)
        ]
        for node in self.nodes:
            node.watchers.append(lambda *_: None)  # it follows what others write
        assert self.nodes[0].ask(OPEN).ok

    def _start(self, name: str) -> Any:
        server = started(self.base / name)
        self.servers.append(server)
        return server

    def _copy(self) -> None:
        source, copy = self.base / "one", self.base / "two"
        program = self.primary.bin_path / "pg_basebackup"
        command = [program, "-D", copy, "-X", "stream", "-c", "fast", "-d", self.primary.get_uri()]
        subprocess.run(command, check=True)
        with (copy / "postgresql.auto.conf").open("a") as settings:
            upstream = f"host={source} port=5432 user=postgres application_name=two"
            settings.write(f"primary_conninfo = '{upstream}'\nhot_standby = on\n")
        (copy / "standby.signal").touch()
        for left in (".handle_pids.json", ".s.PGSQL.5432.lock"):  # of the server that was copied
            (copy / left).unlink(missing_ok=True)
        owned_like(copy, source)
        copy.chmod(0o700)

    def on(self, server: Any) -> psycopg.Connection[Any]:
        return psycopg.connect(server.get_uri(), autocommit=True)

    def is_synchronous(self) -> bool:
        with self.on(self.primary) as db:
            row = db.execute("SELECT sync_state FROM pg_stat_replication").fetchone()
        return row == ("sync",)

    def stall(self) -> None:
        """Stop the process that sends the log to the standby."""
        with self.on(self.primary) as db:
            [self.sender] = db.execute("SELECT pid FROM pg_stat_replication").fetchone() or [0]
        os.kill(self.sender, signal.SIGSTOP)

    def kill_primary(self) -> None:
        """Kill it, so that nothing more reaches the standby."""
        postmaster = int((self.base / "one" / "postmaster.pid").read_text().split()[0])
        for pid in (postmaster, self.sender):
            os.kill(pid, signal.SIGKILL)
        wait_until(lambda: not self.is_up(self.primary), "the end of the primary")

    def restart_primary(self) -> None:
        def is_started() -> bool:
            # the killed process may not be reaped yet, or its children still hold shared memory
            (self.base / "one" / "postmaster.pid").unlink(missing_ok=True)
            with suppress(subprocess.SubprocessError):
                self.primary.start()
            return self.is_up(self.primary)

        wait_until(is_started, "the primary")

    def is_up(self, server: Any) -> bool:
        try:
            self.on(server).close()
        except psycopg.OperationalError:
            return False
        return True

    def promote(self) -> None:
        with self.on(self.standby) as db:
            db.execute("SELECT pg_promote()")
            wait_until(
                lambda: db.execute("SELECT pg_is_in_recovery()").fetchone() == (False,),
                "the promotion",
            )
        for proxy in self.proxies:
            proxy.lead_to(self.standby.get_uri())

    def ids(self, server: Any) -> list[str]:
        with self.on(server) as db:
            rows = db.execute(
                "SELECT data FROM entries WHERE stream = %s ORDER BY seq", (TABLE,)
            ).fetchall()
        return [read_entry(bytes(data)).id for (data,) in rows]

    def decide(self, node: PostgresStore, name: str) -> None:
        """Repeat the same id until it is decided, as every client does."""

        def is_decided() -> bool:
            with suppress(InDoubt, NotStored):
                return node.ask(seat(name)).ok
            return False

        wait_until(is_decided, f"the outcome of {name}")

    def close(self) -> None:
        for node in self.nodes:
            node.close()
        for proxy in self.proxies:
            proxy.__exit__()
        for server in self.servers:
            with suppress(Exception):  # it was killed
                server.cleanup()


@pytest.fixture
def pair(monkeypatch: pytest.MonkeyPatch) -> Iterator[Pair]:
    monkeypatch.setattr("puntobanco_floor.store.postgres.RESOLVE_S", 0.5)
    monkeypatch.setattr("puntobanco_floor.store.postgres_transaction.COMMIT_S", 0.5)
    with TemporaryDirectory(prefix="pb", ignore_cleanup_errors=True) as base:
        made = Pair(Path(base))
        try:
            yield made
        finally:
            made.close()


def test_after_a_stalled_standby_is_promoted_both_nodes_agree_and_go_on(pair: Pair) -> None:
    one, two = pair.nodes
    pair.stall()
    with pytest.raises(InDoubt):
        one.ask(seat("ann"))
    assert "ann" not in pair.ids(pair.primary), "no standby has it: nobody may see it"
    pair.kill_primary()
    pair.promote()
    pair.decide(one, "ann")
    pair.decide(two, "ben")
    ids = pair.ids(pair.standby)
    assert (ids.count("ann"), ids.count("ben")) == (1, 1)
    assert one.blocked == two.blocked == {}
    heads = [pair.base / "1.heads", pair.base / "2.heads"]
    report = audit(pair.standby.get_uri(), heads=heads, keys=pair.base / "keys")
    assert report.sound, report.fault


@slowly
def test_a_row_that_a_terminated_backend_showed_and_the_standby_lacks_blocks_the_stream(
    pair: Pair,
) -> None:
    """A node that has seen it stands still and says so; it does not go on beside another past."""
    one, two = pair.nodes
    pair.stall()
    with pytest.raises(InDoubt):
        one.ask(seat("ann"))
    with pair.on(pair.primary) as db:
        db.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        )
    wait_until(lambda: "ann" in pair.ids(pair.primary), "the row that no standby has")
    seen = pair.ids(pair.primary).index("ann") + 1
    wait_until(lambda: two.seen[TABLE].seq >= seen, "the other node following it")
    pair.kill_primary()
    pair.promote()
    with pytest.raises((NotStored, InDoubt)):
        two.ask(seat("ben"))
    wait_until(lambda: TABLE in two.blocked, "the blocked stream")
    assert f"has seen entry {seen}" in two.blocked[TABLE]
    assert "ben" not in pair.ids(pair.standby)


@slowly
def test_a_restarted_primary_answers_when_the_standby_has_it(pair: Pair) -> None:
    one, _ = pair.nodes
    pair.stall()
    with pytest.raises(InDoubt):
        one.ask(seat("ann"))
    pair.kill_primary()
    pair.restart_primary()
    pair.decide(one, "ann")
    wait_until(lambda: pair.ids(pair.standby).count("ann") == 1, "the standby following")
    assert pair.ids(pair.primary).count("ann") == 1
    assert one.blocked == {}
