"""A reader of a tutorial: types what is printed into one shell, answers what is asked, and compares what comes back.

In a page's `console` blocks a line after `$ ` is typed, the rest is what must come back; `...`
stands for what differs from day to day. A block such as `python first_wager.py` is saved under
that name. The shell has a terminal of its own for passwords, and one shell serves all pages.
"""

import os
import pty
import re
import selectors
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fcntl import ioctl
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from termios import TIOCSCTTY
from typing import IO

from tests.support.patience import PATIENCE_S
from tests.support.ports import free_port
from tests.support.warm_command import put_on_path, put_python
from tools.tree import ROOT

_BLOCK = re.compile(r"^```(console|python)(?: (\S+))?\n(.*?)^```", re.DOTALL | re.MULTILINE)
_DONE = "@@done"

Answer = Callable[[str], str]
"""From all that was shown so far to what is typed."""


@dataclass(frozen=True, slots=True)
class Step:
    """A command with what it prints; or a file, where it has a name."""

    text: str
    prints: str = ""
    file: str = ""


def steps(page: str) -> Iterator[Step]:
    for kind, name, body in _BLOCK.findall(page):
        if kind == "python" and name:
            yield Step(body, file=name)
        elif kind == "console":
            for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
                lines = part.split("\n")
                typed = 1
                while lines[typed - 1].endswith("\\"):
                    typed += 1
                yield Step("\n".join(lines[:typed]), "\n".join(lines[typed:]).strip("\n"))


@dataclass
class Shell:
    """One bash with a terminal; what it says comes by a pipe, so that it is plain text."""

    answers: dict[str, Answer]
    bare: Sequence[Path] = ()
    """Folders that hold the program and what it needs; without them it is the one of this environment."""

    port: int = field(default_factory=free_port)

    def __enter__(self) -> "Shell":
        self._terminal, inner = pty.openpty()
        self._inner = inner  # kept open: a terminal that nobody has open cannot be read

        def own_terminal() -> None:
            os.setsid()
            ioctl(inner, TIOCSCTTY, 0)

        warm = Path(mkdtemp())  # short: the address of a socket has few characters
        address = put_on_path(warm)
        programs = [warm] if self.bare else [warm, Path(sys.executable).parent]
        if self.bare:
            put_python(warm, self.bare)
        bin_ = os.pathsep.join([*map(str, programs), os.environ["PATH"]])
        ours = {"PATH": bin_, "PYTHONUNBUFFERED": "1", "PUNTOBANCO_PORT": str(self.port)}
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            env={**os.environ, **ours},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            preexec_fn=own_terminal,  # noqa: PLW1509 - one thread here
        )
        self._waits = selectors.DefaultSelector()
        self._waits.register(_pipe(self._bash.stdout), selectors.EVENT_READ)
        self._waits.register(self._terminal, selectors.EVENT_READ)
        self.shown = ""
        self._warm = warm
        self.run(f"PYTHONPATH={ROOT} python -m tests.support.warm_command {address} & disown")
        while not Path(address).exists():
            time.sleep(0.02)
        return self

    def __exit__(self, *_: object) -> None:
        """With whatever it has started: all of it is in the shell's own session."""
        subprocess.run(["pkill", "-TERM", "-s", str(self._bash.pid)], check=False)
        self._bash.kill()
        self._bash.communicate()
        self._waits.close()
        os.close(self._terminal)
        os.close(self._inner)
        rmtree(self._warm)

    def begin(self, folder: Path) -> None:
        """Another page: nothing is left of the one before."""
        self.run(f"cd {folder}; unset SSL_CERT_FILE")
        self.shown = ""

    def run(self, command: str) -> str:
        """What is shown until it is done, with what was asked; as a person would see it."""
        status, said = self.tried(command)
        assert status == 0, f"{command}: {said}"
        return said

    def tried(self, command: str) -> tuple[int, str]:
        """The same with its status, whatever it is."""
        typed = self.at_its_port(command)
        line = f"{{\n{typed}\n}} < /dev/tty\necho {_DONE} $?\n"
        stdin = self._bash.stdin
        assert stdin is not None
        stdin.write(line.encode())
        stdin.flush()
        start, asked = len(self.shown), len(self.shown)
        until = time.monotonic() + PATIENCE_S
        while True:
            self._read(until)
            done = re.search(rf"{_DONE} (\d+)\n", self.shown[start:])
            if done:
                return int(done[1]), self.shown[start : start + done.start()]
            asked = self._answer(asked)

    def at_its_port(self, text: str) -> str:
        """The printed address is the default one, which may be somebody else's here."""
        return text.replace(":8000", f":{self.port}")

    def _read(self, until: float) -> None:
        ready = self._waits.select(until - time.monotonic())
        assert ready, f"nothing came: {self.shown[-500:]}"
        # the terminal first: what was typed comes before what is said to it
        for key, _ in sorted(ready, key=lambda one: one[0].fd != self._terminal):
            data = os.read(key.fd, 65_536)
            self.shown += data.decode().replace("\r\n", "\n").replace(f":{self.port}", ":8000")

    def _answer(self, since: int) -> int:
        for prompt, answer in self.answers.items():
            found = re.search(rf"(?:{prompt}): $", self.shown[since:])
            if found:
                os.write(self._terminal, f"{answer(self.shown)}\n".encode())
                return len(self.shown)
        return since


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
