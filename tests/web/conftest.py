"""A floor served by a process of its own, with quick clocks."""

import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from puntobanco.floor.staff import ROLES


class Served:
    """The server as its users meet it: a process, an address."""

    def __init__(self, folder: Path, *options: str) -> None:
        """With `--demo`, unless other options are given."""
        self.folder, self.options = folder, options or ("--demo",)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        return self.folder / "floor.db"

    def start(self) -> None:
        code = (
            "from puntobanco.floor import demo as s;"
            "s.BETTING_MS, s.GUARD_MS, s.CARD_MS, s.PAUSE_MS = 1500, 50, 50, 300;"
            "from puntobanco.cli import main;"
            f"main(['serve', *{self.options!r}, '--port', '{self.port}', '--database', r'{self.database}'])"
        )
        self.log = (self.folder / "log").open("ab")
        self.process = subprocess.Popen([sys.executable, "-c", code], stdout=self.log, stderr=self.log, env=os.environ)
        until = time.monotonic() + 30
        while True:
            try:
                with urllib.request.urlopen(f"{self.address}/healthz", timeout=1):
                    return
            except OSError:
                assert self.process.poll() is None, (self.folder / "log").read_text()
                assert time.monotonic() < until
                time.sleep(0.05)

    def staff(self) -> dict[str, str]:
        """Logins with the passwords that the server printed last."""
        found = {}
        for line in (self.folder / "log").read_text().splitlines():
            words = line.split()
            if len(words) == 3 and words[1] in ROLES:
                found[words[0]] = words[2]
        return {name: self.login(name, password) for name, password in found.items()}

    def login(self, name: str, password: str) -> str:
        status, answer = api(self, "POST", "/api/staff/login", body={"name": name, "password": password})
        assert status == 200, answer
        return str(answer["token"])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        self.log.close()

    def stop(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.log.close()


def api(served: Served, method: str, path: str, token: str = "", body: object = None) -> tuple[int, Any]:
    """Ask over HTTP: the status, and what the answer holds."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    data = None
    if body is not None:
        headers["Content-Type"], data = "application/json", json.dumps(body).encode()
    request = urllib.request.Request(served.address + path, method=method, data=data, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, json.loads(answer.read() or b"null")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read() or b"null")


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"))
    yield found
    found.stop()
