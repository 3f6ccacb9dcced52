"""A quick `puntobanco` for the tutorials: forked from a process that has imported it, in a tenth of the time.

The fork server is started by the tutorial's own shell, so that its commands have that shell's
terminal. `SHIM` is what stands on the path: it passes its words, folder, environment and streams on,
and ends as the command does.
"""

import json
import os
import signal
import socket
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

SHIM = """#!{python} -IS
import json, os, signal, socket, sys

with socket.socket(socket.AF_UNIX) as server:
    server.connect({address!r})
    asked = json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode()
    socket.send_fds(server, [len(asked).to_bytes(4, "big")], [0, 1, 2])
    server.sendall(asked)
    pid = int.from_bytes(server.recv(4), "big")
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda number, _: os.kill(pid, number))
    sys.exit(int.from_bytes(server.recv(4), "big"))
"""


def serve(address: str) -> None:
    from puntobanco.cli import COMMANDS  # noqa: PLC0415

    for module in COMMANDS.values():
        import_module(module)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the middle process
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        while True:
            asker, _ = listening.accept()
            if os.fork() == 0:
                os._exit(_attend(asker))
            asker.close()


def _attend(asker: socket.socket) -> int:
    """In a process of its own: start the command, tell its id, wait for its end, tell its status."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    size, streams, _, _ = socket.recv_fds(asker, 4, 3)
    data = asker.recv(int.from_bytes(size, "big"), socket.MSG_WAITALL)
    words, folder, environment = json.loads(data)
    pid = os.fork()
    if pid == 0:
        asker.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        _run(words)
    asker.sendall(pid.to_bytes(4, "big"))
    _, status = os.waitpid(pid, 0)
    asker.sendall((os.waitstatus_to_exitcode(status) & 255).to_bytes(4, "big"))
    return 0


def _run(words: list[str]) -> None:
    """As the program does when it is called, with streams of its own."""
    from puntobanco.cli import main  # noqa: PLC0415

    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w")
    status = 1
    try:
        main(words)
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 1
    finally:  # nothing of the server goes on in this process
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def put_on_path(folder: Path) -> str:
    """The shim in that folder; the address that its server has to have."""
    address = str(folder / "socket")
    shim = folder / "puntobanco"
    shim.write_text(SHIM.format(python=sys.executable, address=address), "utf-8")
    shim.chmod(0o700)
    return address


def put_python(folder: Path, path: Sequence[Path]) -> None:
    """A `python` that has these folders and the standard library alone."""
    shim = folder / "python"
    folders = os.pathsep.join(map(str, path))
    shim.write_text(
        f'#!/bin/sh\nPYTHONPATH="{folders}:$PYTHONPATH" exec {sys.executable} -S "$@"\n', "utf-8"
    )
    shim.chmod(0o700)


if __name__ == "__main__":
    serve(sys.argv[1])
