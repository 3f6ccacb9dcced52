"""Where a world plays: a folder with an empty database, chance from a seed, and an ear for what the store logs."""

from __future__ import annotations

import logging
import random
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from unittest.mock import patch

from puntobanco_floor.journal import key_ring, sealed_shoes, signing
from puntobanco_floor.journal.key_ring import KeyRing
from puntobanco_floor.store import schema_upgrade, sqlite
from puntobanco_proof import mix
from puntobanco_proof.entry import format as entry_format
from tests.soak.nodes import SIMULATED

DATABASE, KEYS = "floor.db", "floor.keys"
MEMORY = Path("/dev/shm")
"""Where there is such a place the files lie in memory: the disk is simulated anyway."""


@contextmanager
def staged(chance: random.Random, complaints: list[str]) -> Iterator[Path]:
    """Cards and keys come from `chance`; what the store logs as an error goes to `complaints`."""
    empty = _empty_database()
    # `below` was bound when the function was defined: the name `secrets` alone would not reach it.
    shuffled = partial(mix.shuffle, below=chance.randrange)
    # apart: how many entries are salted changes nothing else in the world
    salts = _Seeded(random.Random(0))
    with (
        tempfile.TemporaryDirectory(
            prefix="puntobanco-soak-", dir=MEMORY if MEMORY.is_dir() else None
        ) as name,
        patch.object(sealed_shoes, "shuffle", shuffled),
        patch.object(sealed_shoes, "secrets", _Seeded(chance)),
        patch.object(key_ring, "secrets", _Seeded(chance)),
        # a ring is read again at every use, not every second: no second passes here
        patch.object(key_ring, "LOOK_S", -1.0),
        patch.object(entry_format, "secrets", salts),
        patch.object(signing, "secrets", salts),
        patch.object(sqlite, "migrate", _is_migrated),
        _heard(complaints),
    ):
        folder = Path(name)
        (folder / DATABASE).write_bytes(empty)
        KeyRing.fresh().save(folder / KEYS)
        yield folder


class _Seeded:
    """What vault, keys and journal ask of `secrets`, from a seed."""

    def __init__(self, chance: random.Random) -> None:
        self.token_bytes = chance.randbytes

    def token_hex(self, n: int) -> str:
        return self.token_bytes(n).hex()


def _is_migrated(path: str) -> None:
    """Every start of a node would look; the file is a copy of one that is up to date."""
    assert Path(path).exists()


@cache
def _empty_database() -> bytes:
    with tempfile.TemporaryDirectory(prefix="puntobanco-soak-") as name:
        path = Path(name) / DATABASE
        schema_upgrade.migrate(str(path))
        return path.read_bytes()


@contextmanager
def _heard(complaints: list[str]) -> Iterator[None]:
    log, ear = logging.getLogger("puntobanco.storage"), _Ear(complaints)
    was = log.propagate
    log.addHandler(ear)
    log.propagate = False
    try:
        yield
    finally:
        log.removeHandler(ear)
        log.propagate = was


LOCKED = "nothing stored: database is locked"


class _Ear(logging.Handler):
    """The store logs what it did not expect. What the simulator did to it is no surprise; the rest is."""

    def __init__(self, complaints: list[str]) -> None:
        super().__init__(logging.ERROR)
        self.complaints = complaints

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, sqlite3.OperationalError) and SIMULATED in str(error):
            return
        # the disk that the simulator failed, or the lock that a node held for too long
        if record.getMessage().startswith(("nothing stored: " + SIMULATED, LOCKED)):
            return
        self.complaints.append(f"the store logged: {record.getMessage()} {error!r}")
