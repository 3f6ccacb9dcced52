"""A floor served by a process of its own, with quick clocks."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest


class Served:
    """The server as its users meet it: a process, an address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
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
            "from puntobanco.floor import service as s;"
            "s.BETTING_MS, s.GUARD_MS, s.CARD_MS, s.PAUSE_MS = 1500, 50, 50, 300;"
            "from puntobanco.cli import main;"
            f"main(['serve', '--demo', '--port', '{self.port}', '--database', r'{self.database}'])"
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


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    found = Served(tmp_path_factory.mktemp("floor"))
    yield found
    found.stop()
