"""A witness served by a process of its own, which is stopped, killed and started again; ours and other floors ask it."""

import socket
import subprocess
import sys
import time
from pathlib import Path

from puntobanco_proof.tree.notes import Verifier
from puntobanco_proof.witness.client import WitnessClient
from puntobanco_proof.witness.identity import KEYS, create_identity, load_identity
from puntobanco_proof.witness.memory import create_memory
from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tests.tlog.keys import LOG
from tests.witness.made import NAME

PUNTOBANCO = (sys.executable, "-m", "puntobanco")


def command_line(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*PUNTOBANCO, *words], capture_output=True, text=True, check=False)


class ServedWitness:
    def __init__(self, folder: Path, *logs: Verifier) -> None:
        """The folder's witness, or a new one."""
        self.folder, self.logs = folder, logs or (LOG.verifier,)
        if not (folder / KEYS).exists():
            create_identity(folder, NAME)
            create_memory(folder)
        self.identity = load_identity(folder)
        self.port = free_port()
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def client(self, **options: float) -> WitnessClient:
        own = self.identity
        return WitnessClient(self.address, own.cosigner.verifier, own.mix_key, **options)  # type: ignore[arg-type]

    def start(self) -> None:
        words = ["witness", "serve", "--folder", str(self.folder), "--port", str(self.port)]
        for log in self.logs:
            words += ["--log", log.text]
        log_file = self.folder.with_suffix(".log")
        with log_file.open("ab") as said:
            self.process = subprocess.Popen([*PUNTOBANCO, *words], stdout=said, stderr=said)
        until = time.monotonic() + PATIENCE_S
        while True:
            try:
                with socket.create_connection(("127.0.0.1", self.port), 1):
                    return
            except OSError:
                assert self.process.poll() is None, log_file.read_text()
                assert time.monotonic() < until
                time.sleep(0.02)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(PATIENCE_S)
