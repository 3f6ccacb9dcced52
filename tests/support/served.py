"""A floor served by a process of its own, with quick clocks and cheap passwords, and how its users ask it."""

import json
import sqlite3
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from puntobanco_floor.client import Terminal
from puntobanco_floor.service.roles import ROLES
from puntobanco_proof.entry.format import hash_parts
from puntobanco_proof.tree import merkle
from tests.support.forked import Forked
from tests.support.http import Addressed, http
from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tests.support.quick_server import quick_clock

DEMO_DEALERS_TABLE = 6
_NUMBERS = count(101)


class Served:
    """The server as its users meet it: a process, an address."""

    def __init__(
        self, folder: Path, *options: str, betting_ms: int = 1_500, pause_ms: int = 300
    ) -> None:
        """With `--demo`, unless other options are given."""
        self.options = options or ("--demo",)
        self.folder, self.betting_ms, self.pause_ms = folder, betting_ms, pause_ms
        self.port = free_port()
        self.table = DEMO_DEALERS_TABLE
        """The table that a dealer runs; `with_new_table` opens another for each test."""
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        return self.folder / "floor.db"

    def start(self) -> None:
        clock = quick_clock(self.betting_ms, self.pause_ms)
        given: tuple[str, ...] = ("--port", str(self.port), "--database", str(self.database))
        self.process = Forked(clock, "serve", *self.options, *given, log=self.folder / "log")
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/healthz", timeout=1):
                    return
            except OSError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < until
                time.sleep(0.05)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def api(
    served: Addressed, method: str, path: str, token: str = "", body: object = None
) -> tuple[int, Any]:
    """Ask with a token: the status, and what the answer holds."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None
    if body is not None:
        headers["Content_Type"], data = "application/json", json.dumps(body).encode()
    status, _, answer = http(served, method, path, body=data, **headers)
    return status, json.loads(answer or b"null")


def asked(
    served: Served, token: str, id_: str, command: str, table: int | None = None, **fields: Any
) -> tuple[int, Any]:
    """A command at a table, the dealer's unless another is named."""
    body = {"id": id_, "command": {"command": command, **fields}}
    path = f"/api/staff/tables/{table or served.table}/commands"
    return api(served, "POST", path, token, body)


def cage(
    served: Addressed, token: str, what: str, id_: str, window: int = 1, **fields: Any
) -> tuple[int, Any]:
    """An act at a cage window."""
    return api(served, "POST", f"/api/staff/cage/{window}/{what}", token, {"id": id_, **fields})


def open_shift(served: Addressed, token: str, window: int, float_cents: int = 0) -> None:
    """As every cashier must before cash moves."""
    status, answer = cage(
        served, token, "open", f"shift-{window}-{time.monotonic_ns()}", window, cents=float_cents
    )
    assert status == 200, answer


def rerooted(data: bytes, **header: object) -> bytes:
    """An entry whose parts, or fields of its header, were changed: with the root that fits."""
    before, salt, *parts = msgspec.json.decode(data)
    raws = [msgspec.json.encode(part, order="sorted") for part in parts]
    root = merkle.compute_root(hash_parts(salt, raws)).hex()
    fitted = {**before, **header, "root": root, "size": len(parts)}
    return msgspec.json.encode([fitted, salt, *parts], order="sorted")


def rewritten(database: Path, stream: str, seq: int, change: Callable[[bytes], bytes]) -> bytes:
    """An entry changed behind the program's back; returns what it was. Whoever has the file can take the triggers off."""
    with closing(sqlite3.connect(database, timeout=10)) as db, db:
        [trigger] = db.execute(
            "SELECT sql FROM sqlite_master WHERE name='entries_no_update'"
        ).fetchone()
        [data] = db.execute(
            "SELECT data FROM entries WHERE stream=? AND seq=?", (stream, seq)
        ).fetchone()
        db.execute("DROP TRIGGER entries_no_update")
        db.execute(
            "UPDATE entries SET data=? WHERE stream=? AND seq=?", (change(data), stream, seq)
        )
        db.execute(trigger)
    return bytes(data)


def login(served: Served, name: str, password: str) -> str:
    status, answer = api(
        served, "POST", "/api/staff/login", body={"name": name, "password": password}
    )
    assert status == 200, answer
    return str(answer["token"])


def passwords_of(served: Served) -> dict[str, str]:
    """Of all staff, as the server printed them when it last started."""
    lines = (served.folder / "log").read_text().splitlines()
    return {
        words[0]: words[2]
        for line in lines
        if len(words := line.split()) == 3 and words[1] in ROLES
    }


def staff_tokens(served: Served, *names: str) -> dict[str, str]:
    """Those named logged in, or all of the staff, with the passwords that the server printed as it last started."""
    passwords = passwords_of(served)
    return {name: login(served, name, passwords[name]) for name in names or passwords}


def with_new_table(served: Served) -> Served:
    """A dealer's table that no test has touched, like the demonstration's: no round of a test that failed is open at it."""
    ada = staff_tokens(served, "ada")["ada"]
    served.table = next(_NUMBERS)
    body = {"number": served.table, "game": "fortune-six", "physical": True}
    status, answer = api(served, "POST", "/api/admin/tables", ada, body)
    assert status == 201, answer
    return served


async def new_bets(terminal: Terminal) -> None:
    """Until the next round opens: its bets are open for the whole of their time."""
    assert terminal.table is not None
    seen = terminal.table.round

    def is_open() -> bool:
        table = terminal.table
        return table is not None and table.round > seen and table.phase == "betting"

    await terminal.until(is_open)
