"""Fork server: programs of tests start from a process that has imported ours already, in a tenth of the time.

Each is a process of its own all the same, to be stopped, killed and started again. What users type, with all of its
imports, is started by test_cli.py and test_docs.py.
"""

import atexit
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from puntobanco_floor.domain.events import Clock
from puntobanco_floor.environment import DEALT_CLOCK
from tests.support import quick_server
from tests.support.patience import PATIENCE_S

_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["tests.support.warm"])
_left = set["Forked"]()


class Forked:
    """The command line in a process of its own, with quick clocks, which writes to a log; the same methods as
    subprocess.Popen.
    """

    def __init__(self, clock: Clock, *arguments: str, log: Path) -> None:
        given = (clock, arguments, str(log), dict(os.environ))
        self._process = _SERVER.Process(target=_run, args=given)
        self._process.start()
        _left.add(self)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        status = self._process.exitcode
        if status is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        _left.discard(self)
        return status

    def send_signal(self, number: int) -> None:
        """It may have ended by itself."""
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def _run(clock: Clock, arguments: tuple[str, ...], log: str, environment: dict[str, str]) -> None:
    _become(environment, log, log)
    quick_server.run(clock, *arguments)


def _become(environment: Mapping[str, str], out: str, err: str) -> None:
    """In the new process: with the environment of who asked, not of the process that it was forked from."""
    os.environ.clear()
    os.environ.update(environment)
    for number, (stream, file) in enumerate(((sys.stdout, out), (sys.stderr, err)), 1):
        stream.flush()
        os.dup2(os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644), number)


def command_line(
    *words: str, stdin: str = "", env: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """`puntobanco` with these words, to its end; as subprocess.run has it."""
    environment = {**os.environ, **(env or {})}
    with TemporaryDirectory() as folder:
        given, out, err = (Path(folder, name) for name in ("in", "out", "err"))
        given.write_text(stdin, "utf-8")
        process = _SERVER.Process(
            target=_command, args=(words, environment, str(given), str(out), str(err))
        )
        process.start()
        process.join(PATIENCE_S)
        if process.exitcode is None:
            process.kill()
            raise subprocess.TimeoutExpired(words, PATIENCE_S)
        said = (out.read_text("utf-8"), err.read_text("utf-8"))
        return subprocess.CompletedProcess(words, process.exitcode, *said)


def _command(
    words: tuple[str, ...], environment: Mapping[str, str], given: str, out: str, err: str
) -> None:
    _become(environment, out, err)
    with Path(given).open(encoding="utf-8") as sys.stdin:
        quick_server.run(DEALT_CLOCK, *words)


@atexit.register  # before multiprocessing waits for every process that is left
def _end_what_is_left() -> None:
    for process in list(_left):
        process.kill()
