"""A port for a server that a test starts, and starts again."""

import random
import socket

OURS = range(10_000, 32_000)
"""Below the ports that the system gives to connections: a client that knocks at a dead server's port would otherwise be
given that very port one time in thousands, be connected to itself, and keep the server from coming back.
"""


def free_port() -> int:
    while True:
        port = random.SystemRandom().choice(OURS)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
