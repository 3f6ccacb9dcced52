"""A WebSocket by hand: what no library would send."""

import asyncio
import os
import random
import struct
from base64 import b64encode

from tests.support.patience import PATIENCE_S

TEXT, BINARY, CLOSE, PING, PONG, MORE = 1, 2, 8, 9, 10, 0


def frame(
    opcode: int, data: bytes, *, last: bool = True, reserved: int = 0, masked: bool = True
) -> bytes:
    """The mask is four zeros: allowed, and the bytes stay as they are."""
    size, bit = len(data), 0x80 if masked else 0
    first = (0x80 if last else 0) | reserved << 4 | opcode
    if size < 126:
        head = struct.pack("!BB", first, bit | size)
    elif size < 1 << 16:
        head = struct.pack("!BBH", first, bit | 126, size)
    else:
        head = struct.pack("!BBQ", first, bit | 127, size)
    return head + (bytes(4) if masked else b"") + data


def fragments(data: bytes, chance: random.Random) -> bytes:
    """One text message in pieces, cut anywhere, with pings between them."""
    cuts = sorted(chance.randrange(len(data) + 1) for _ in range(chance.randrange(1, 6)))
    parts = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    sent = b""
    for n, part in enumerate(parts):
        sent += frame(TEXT if n == 0 else MORE, part, last=n == len(parts) - 1)
        sent += frame(PING, b"?") if chance.random() < 0.3 else b""
    return sent


class NotUpgraded(Exception):
    """The server said no to a handshake; its status."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


class Line:
    """A connection: bytes out, messages in."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.closed_with = 0

    @classmethod
    async def open(cls, port: int, path: str, **headers: str) -> "Line":
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        line = cls(reader, writer)
        lines = [
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            "Sec-WebSocket-Version: 13",
            f"Sec-WebSocket-Key: {b64encode(os.urandom(16)).decode()}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        try:
            writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
            head = await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
        except (OSError, asyncio.IncompleteReadError):
            line.drop()
            raise
        status = int(head.split()[1])
        if status != 101:
            line.drop()
            raise NotUpgraded(status)
        return line

    def send(self, data: bytes) -> None:
        self.writer.write(data)

    async def hear(self) -> bytes | None:
        """The next message; None when the other side has closed."""
        while True:
            try:
                first, second = await self.reader.readexactly(2)
                size = second & 0x7F
                if size == 126:
                    size = int.from_bytes(await self.reader.readexactly(2))
                elif size == 127:
                    size = int.from_bytes(await self.reader.readexactly(8))
                data = await self.reader.readexactly(size)
            except (OSError, asyncio.IncompleteReadError):
                return None
            match first & 0x0F:
                case 1:
                    return data
                case 8:
                    self.closed_with = int.from_bytes(data[:2])
                    self.send(frame(CLOSE, data[:2]))
                    return None
                case 9:
                    self.send(frame(PONG, data))

    def drop(self) -> None:
        """Gone without a word."""
        self.writer.transport.abort()
