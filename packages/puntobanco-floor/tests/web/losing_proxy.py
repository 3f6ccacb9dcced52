"""A proxy in front of a floor that loses replies: the floor has done what was asked, and the client does not hear of it."""

import json
import socket
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

TEXT = 0x81
LONG, LONGER = 126, 127
Lose = Callable[[str, str], bool]
"""Whether the reply to a request is lost, by its method and path."""

Say = Callable[[dict[str, Any]], dict[str, Any]]
"""What a terminal hears of a message of the wire."""


class LosingProxy:
    """Listens at a port of its own. `lose` and `say` may be changed while it runs."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.lose: Lose = lambda _method, _path: False
        self.reply = b""  # in place of a reply that is lost: nothing, or a whole answer
        self.say: Say = lambda message: message
        self.requests = list[tuple[str, str, str]]()  # method, path and body
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open = list[socket.socket]()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for one in [self._listener, *self._open]:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def posts(self, path: str) -> list[dict[str, Any]]:
        """What was sent there, request by request."""
        sent = [body for method, asked, body in self.requests if (method, asked) == ("POST", path)]
        return [json.loads(body) for body in sent]

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        with suppress(OSError), client:
            head, body = _request(client)
            method, path, _ = head.decode().split(" ", 2)
            with socket.create_connection(("127.0.0.1", self._port)) as server:
                self._open.append(server)
                server.sendall(head + body)
                if b"upgrade: websocket" in head.lower():
                    self._pipe(client, server)
                    return
                self.requests.append((method, path, body.decode()))
                reply = b"".join(iter(lambda: server.recv(65_536), b""))
            client.sendall(self.reply if self.lose(method, path) else reply)

    def _pipe(self, client: socket.socket, server: socket.socket) -> None:
        def up() -> None:
            with suppress(OSError):
                while data := client.recv(65_536):
                    server.sendall(data)
                server.shutdown(socket.SHUT_WR)

        threading.Thread(target=up, daemon=True).start()
        stream = server.makefile("rb")
        head = b""
        while not head.endswith(b"\r\n\r\n"):
            head += stream.read(1)
        client.sendall(head)
        while first := stream.read(2):
            kind, length = first
            size = {LONG: ">H", LONGER: ">Q"}.get(length)
            if size:
                [length] = struct.unpack(size, stream.read(struct.calcsize(size)))
            data = stream.read(length)
            if kind == TEXT:
                data = json.dumps(self.say(json.loads(data))).encode()
            client.sendall(_frame(kind, data))
        client.shutdown(socket.SHUT_RDWR)  # the other thread still reads from it


def _frame(kind: int, data: bytes) -> bytes:
    if len(data) < LONG:
        return bytes((kind, len(data))) + data
    return bytes((kind, LONGER)) + struct.pack(">Q", len(data)) + data


def _request(client: socket.socket) -> tuple[bytes, bytes]:
    """Head and body; the connection is closed after the reply, so that its end is known."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65_536)
        if not more:
            raise ConnectionError("the client has gone")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    lines = head.split(b"\r\n")
    length = 0
    for line in lines:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        body += client.recv(65_536)
    return head + b"\r\n\r\n", body
