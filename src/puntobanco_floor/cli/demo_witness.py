"""`serve --demo --witness`: a witness beside the demonstration, so that all of it can be seen.

It runs on the computer that it is to vouch for: it proves nothing, and its name says so wherever
witnesses are named.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from puntobanco.base.refusal import Refusal
from puntobanco_floor.settings import Settings
from puntobanco_floor.store.log_tables import TransparencyLog
from puntobanco_proof.witness.identity import KEYS, Identity, load_identity, make_identity
from puntobanco_proof.witness.memory import make_memory

NAME = "run-by-this-computer/proves-nothing"
HOST = "127.0.0.1"
STARTS_S = 30.0
STOPS_S = 10.0


@contextmanager
def witness_beside(settings: Settings, log: TransparencyLog, folder: Path) -> Iterator[Settings]:
    """The settings with a policy that names it; it ends with the floor."""
    log.open(settings.log_origin)
    keys = [verifier.text for verifier in log.verifiers()]
    identity = _identity(folder)
    port = _free_port()
    url = f"http://{HOST}:{port}"
    policy = folder / "policy.txt"
    lines = [f"log {key}\n" for key in keys]
    policy.write_text("".join(lines) + identity.policy_lines(url) + f"quorum {NAME}\n", "utf-8")
    logs = [word for key in keys for word in ("--log", key)]
    serve = ["witness", "serve", "--folder", str(folder), "--port", str(port), *logs]
    # its standard input ends with this program, however that ends: none is left running
    process = subprocess.Popen(
        [sys.executable, "-m", "puntobanco", *serve, "--until-eof"],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
    )
    try:
        _until_served(process, url)
        yield replace(settings, witness_policy=str(policy))
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOPS_S)
        process.kill()


def _identity(folder: Path) -> Identity:
    """The same at every start: a witness that forgot would vouch for anything."""
    if (folder / KEYS).exists():
        return load_identity(folder)
    found = make_identity(folder, NAME)
    make_memory(folder)
    return found


def _free_port() -> int:
    with socket.socket() as found:
        found.bind((HOST, 0))
        port: int = found.getsockname()[1]
    return port


def _until_served(process: subprocess.Popen[bytes], url: str) -> None:
    until = time.monotonic() + STARTS_S
    while time.monotonic() < until and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{url}/status", timeout=STARTS_S):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.1)
    raise Refusal(
        "the witness of the demonstration does not start; see what it said above, or serve without "
        "--witness"
    )
