"""A PostgreSQL floor brought back as it was at a moment: a base backup and the archived log, as docs/how-to/operations.md says."""

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from puntobanco_floor.audit.floor_audit import audit
from puntobanco_floor.domain.cage import commands as g
from puntobanco_floor.domain.stream_names import FLOOR
from puntobanco_floor.domain.table import commands as c
from puntobanco_floor.domain.table.state import TableState
from puntobanco_floor.recovery.epochs import begin_epoch, confirm_vouchers
from puntobanco_floor.store.batch import Request, Stream, state_hash
from puntobanco_floor.store.errors import NotStored
from puntobanco_floor.store.open_store import open_store
from puntobanco_floor.store.store import Store
from tests.storage.servers import GIVEN, started
from tests.storage.test_contract import Asker
from tests.storage.test_epochs import PEOPLE, WINDOW, again, floor_of, voucher_of
from tests.support.patience import PATIENCE_S

TABLE = "table:1"


def owned_like(path: Path, other: Path) -> None:
    """The server runs as a user of its own when the tests run as root."""
    owner = other.stat()
    for each in (path, *path.rglob("*")):
        os.chown(each, owner.st_uid, owner.st_gid)


def seat(store: Store, name: str) -> None:
    assert store.ask(
        Request(stream=TABLE, id=name, command=c.SeatSession(by=name, session=name))
    ).ok


def recover_to(base: Path, moment: object) -> None:
    """The base backup is told where the log lies and when to stop."""
    with (base / "two" / "postgresql.auto.conf").open("a") as settings:
        settings.write(f"archive_mode = off\nrestore_command = 'cp {base}/log/%f %p'\n")
        settings.write(f"recovery_target_time = '{moment}'\nrecovery_target_action = promote\n")
    (base / "two" / "recovery.signal").touch()
    for left in (".handle_pids.json", ".s.PGSQL.5432.lock"):  # of the server that was copied
        (base / "two" / left).unlink(missing_ok=True)
    owned_like(base / "two", base / "one")
    (base / "two").chmod(0o700)


def archived(url: str, base: Path) -> None:
    """Wait until all of the log lies in the archive."""
    with psycopg.connect(url, autocommit=True) as db:
        row = db.execute("SELECT pg_walfile_name(pg_switch_wal())").fetchone()
    assert row is not None
    until = time.monotonic() + PATIENCE_S
    while not (base / "log" / str(row[0])).exists() and time.monotonic() < until:
        time.sleep(0.1)


@contextmanager
def archiving(base: Path) -> Iterator[Any]:
    """A server that archives its log."""
    base.chmod(0o755)
    (base / "log").mkdir()
    server = started(base / "one")
    owned_like(base / "log", base / "one")
    with psycopg.connect(server.get_uri(), autocommit=True) as db:
        db.execute("ALTER SYSTEM SET archive_mode = on")
        db.execute(f"ALTER SYSTEM SET archive_command = 'cp %p {base}/log/%f'")
    server.cleanup()
    server = started(base / "one")
    try:
        yield server
    finally:
        server.cleanup()


@contextmanager
def brought_back(base: Path, moment: object) -> Iterator[str]:
    """The address of the floor as it was then."""
    recover_to(base, moment)
    server = started(base / "two")
    try:
        url = server.get_uri()
        until = time.monotonic() + PATIENCE_S
        with psycopg.connect(url, autocommit=True) as db:
            while (
                db.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
                and time.monotonic() < until
            ):
                time.sleep(0.1)
        yield url
    finally:
        server.cleanup()


def base_backup(server: Any, base: Path) -> None:
    program, url = server.bin_path / "pg_basebackup", server.get_uri()
    command = [program, "-D", base / "two", "-X", "stream", "-c", "fast", "-d", url]
    subprocess.run(command, check=True)


def now_at(url: str) -> object:
    """A moment of the server's clock, with nothing else near it."""
    time.sleep(0.2)
    with psycopg.connect(url, autocommit=True) as db:
        row = db.execute("SELECT clock_timestamp()").fetchone()
    assert row is not None
    time.sleep(0.2)
    return row[0]


needs_a_server = pytest.mark.skipif(
    bool(os.environ.get(GIVEN)), reason="needs a server of its own, to stop it and bring it back"
)


@pytest.fixture
def base() -> Iterator[Path]:
    """A folder with a short name, for the server's socket."""
    with TemporaryDirectory(prefix="pb", ignore_cleanup_errors=True) as name:
        yield Path(name)


@needs_a_server
def test_a_floor_comes_back_as_it_was_at_a_moment(base: Path) -> None:
    with archiving(base) as server:
        url = server.get_uri()
        with open_store(url, keys=base / "keys", heads=base / "heads") as store:
            assert store.ask(
                Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid"))
            ).ok
            seat(store, "before-the-backup")
            base_backup(server, base)
            seat(store, "after-the-backup")
            then = state_hash(store.stream(TABLE))
            shutil.copy(base / "heads", base / "heads-then")
            moment = now_at(url)
            seat(store, "too-late")
        archived(url, base)

    with brought_back(base, moment) as back:
        assert audit(back, keys=base / "keys", heads=[base / "heads-then"]).fault is None
        lost = str(audit(back, keys=base / "keys", heads=[base / "heads"]).fault)
        # the file of heads knows what the moment left out
        assert "the tail was cut off" in lost
        with open_store(back, keys=base / "keys", heads=base / "heads-new") as store:
            assert state_hash(store.stream(TABLE)) == then
            seat(store, "play-goes-on")


@needs_a_server
def test_after_an_epoch_is_begun_no_card_is_dealt_and_no_voucher_paid_twice(base: Path) -> None:
    keys, heads = base / "keys", base / "heads"
    with archiving(base) as server:
        url = server.get_uri()
        with open_store(url, keys=keys, heads=heads, clock=False) as store:
            table, window = floor_of(store), again(store, WINDOW)
            voucher_of(table, "ben")
            base_backup(server, base)
            paid_before, paid_late = voucher_of(table, "vic"), voucher_of(table, "vera")
            window.do(g.PayVoucher(by="cara", voucher=paid_before))
            table.do(c.OpenBets(by="dealer"))
            wager = c.PlaceWager(by="ann", round=1, session="ann", bet="tie", stake_cents=5_000)
            table.do(wager)
            then = store.table(TABLE)
            moment = now_at(url)
            window.do(g.PayVoucher(by="cara", voucher=paid_late))
            table.do(c.CloseBets(by="dealer"))
            table.do(c.DealCard(by="dealer"))
            table.do(c.DealCard(by="dealer"))
        archived(url, base)

    with brought_back(base, moment) as back:
        behind = open_store(back, keys=keys, heads=heads, clock=False)
        with behind as store, pytest.raises(NotStored, match="epoch begin"):
            again(store).do(c.CloseBets(by="dealer"))
        with open_store(back, keys=keys, heads=heads, clock=False, recovering=True) as store:
            assert store.table(TABLE).state == then.state
            assert not begin_epoch(store, PEOPLE, "disk lost").blocked
        with open_store(back, keys=keys, heads=heads, clock=False) as store:
            _no_card_again(store, then)
            _no_voucher_again(store, paid_before, paid_late)
        report = audit(back, keys=keys, heads=[heads])
        assert report.fault is None
        assert any("a recovery has lost" in each for each in report.warnings)


def _no_card_again(store: Store, then: Stream[TableState]) -> None:
    """The round is void with its wager returned, and its shoe gives no other card."""
    table, stream = Asker(store, TABLE, "cards"), store.table(TABLE)
    assert stream.state.phase == "void"
    assert stream.balances["session:ann"] == then.balances["session:ann"] + 5_000
    table.do(c.OpenBets(by="dealer"), refused="shoe-must-be-changed")
    table.do(c.EndShoe(by="pit"))
    table.do(c.NewShoe(by="pit"))
    old, new = then.state.shoe, store.table(TABLE).state.shoe
    assert old is not None
    assert new is not None
    assert new.commitment != old.commitment


def _no_voucher_again(store: Store, paid_before: str, paid_late: str) -> None:
    """One was paid before the moment, and one in the lost time, of which two people know."""
    table, window = Asker(store, TABLE, "vouchers"), Asker(store, WINDOW, "paid")
    table.do(c.SeatSession(by="new", session="new"))

    def redeem(voucher: str, refused: str) -> None:
        table.do(c.RedeemVoucher(by="new", session="new", voucher=voucher), refused=refused)

    redeem(paid_before, "voucher-refused")
    redeem(paid_late, "not-confirmed")
    window.do(g.PayVoucher(by="cara", voucher=paid_before), refused="voucher-refused")
    assert confirm_vouchers(store, PEOPLE, (paid_late,)).done == [FLOOR, WINDOW, TABLE]
    redeem(paid_late, "not-confirmed")
    asked = window.do(g.PayVoucher(by="cara", voucher=paid_late))
    assert asked.proposal, "two people would have to pay it, and they doubt it"
    redeem("v-ben", "")
    redeem("v-ben", "voucher-refused")
